"""Marks of when a local variable lives, in code that became a function of its own.

LLVM takes them for variables of the same function only. Without them a variable lives as long as its function, which
is always right; derivatives are built without any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import remove_instructions

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function


def drop_lifetimes_of_others(function: Function) -> None:
    """Leave the marks of the function's own variables."""
    remove_instructions(function, {i for i in function.instructions() if _is_of_others(i, function)})


def is_lifetime(i: ir.Instruction) -> TypeGuard[ir.Call]:
    """Is this such a mark?"""
    return isinstance(i, ir.Call) and (getattr(i.callee, "name", None) or "").startswith("llvm.lifetime.")


def _is_of_others(i: ir.Instruction, function: Function) -> bool:
    if not is_lifetime(i):
        return False
    memory = i.arguments[-1]
    return not (isinstance(memory, ir.Alloca) and memory.block is not None and memory.block.function is function)
