"""One computation for what is computed on several ways, on each the same.

LLVM leaves `phi [shl n, 3], [shl n, 3]` where one of the two has other uses: what is known of the one is not known of
the phi then. In front of loops these are numbers of iterations and sizes of memory.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.flow import Flow
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.function import replace_values
from enzyme_build.ir.types import IntType, PointerType

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

_DIVISIONS: Final = frozenset(("sdiv", "udiv", "srem", "urem"))


def join_equal_ways(module: Module, function: Function) -> None:
    """Compute again behind the phi what all values of it are. Operands that are there on all ways are there behind."""
    found = {phi: one for block in function.blocks for phi in block.phis if (one := _one_computation(phi)) is not None}
    if not found:
        return
    forest = Flow(module, function).loops
    replaced: dict[Value, Value] = {}
    for phi, one in found.items():
        assert phi.block is not None
        loop = forest.loop_of(phi.block)
        if any(forest.loop_of(block) is not loop for block in phi.blocks):
            continue  # what a loop computes goes through a phi when it is used behind
        builder = Builder(phi.block)
        builder.position = len(list(phi.block.phis))
        again = copy.copy(one)
        again.operands = [*one.operands]
        replaced[phi] = builder.insert(again, phi.name)
    replace_values(function, replaced)


def _one_computation(phi: ir.Phi) -> ir.Binary | ir.Cast | ir.GetElementPtr | None:
    """What all of several values of a phi are; that is faster to compute than to load."""
    if not phi.operands:  # nothing comes to code that is never reached
        return None
    first, *others = dict.fromkeys(phi.operands)
    if not others or not isinstance(first, ir.Binary | ir.Cast | ir.GetElementPtr):
        return None
    if not isinstance(phi.type, IntType | PointerType) or getattr(first, "op", "") in _DIVISIONS:
        return None
    return first if all(_is_same(first, other) for other in others) else None


def _is_same(first: ir.Binary | ir.Cast | ir.GetElementPtr, other: Value) -> bool:
    return (
        isinstance(other, type(first))
        and first.operands == other.operands
        and all(getattr(first, name, None) == getattr(other, name, None) for name in ("op", "flags", "source_type"))
    )
