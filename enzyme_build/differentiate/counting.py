"""Integers that functions are passed and only count with.

The length of a text in a table lies where other entries of the table have pointers, as far as accesses to single bytes
of it tell, and is read as one of them. A function that makes no pointer of it, nor keeps it where pointers are, does
the same with it whatever it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.accessed import content_behind
from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.known import call_effects
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function, users
from enzyme_build.ir.values import Constant

from .words import is_ptrtoint, is_remainder

if TYPE_CHECKING:
    from enzyme_build.analysis.memory import Memory
    from enzyme_build.ir.values import Value

_FUNNEL: Final = ("llvm.fshl.", "llvm.fshr.")
_COMPUTED: Final = ("llvm.umin.", "llvm.umax.", "llvm.smin.", "llvm.smax.", "llvm.abs.", *_FUNNEL)
_CUT: Final = frozenset(("lshr", "ashr", "shl", "and", "or", "xor", "trunc"))
"""What may leave a part of an address, which could be put together again elsewhere."""
_MADE: Final = frozenset(("zext", "sext", "trunc"))
_COUNTED: Final = frozenset(("uitofp", "sitofp"))


def only_counts_with(memory: Memory, callee: Function, index: int) -> bool:
    """Does this function only count with the integer that it is given there, as do those that it hands it to? `memory`
    is the caller's."""
    seen: set[Value] = set()
    pending = [(callee, index)]
    while pending:
        function, at = pending.pop()
        if at >= len(function.arguments):
            return False
        if function.arguments[at] in seen:
            continue
        seen.add(function.arguments[at])
        passed = _passed_on(memory, function, function.arguments[at])
        if passed is None:
            return False
        pending += passed
    return True


def _passed_on(memory: Memory, function: Function, argument: Value) -> list[tuple[Function, int]] | None:
    """The parameters of other functions that an integer goes to; None, if anything but counting is done with it."""
    model = memory if memory.function is function else memory.others.get(function)
    if model is None or function.is_declaration:
        return None
    read = users(function)
    found: list[tuple[Function, int]] = []
    seen: set[tuple[Value, bool]] = set()
    pending: list[tuple[Value, bool]] = [(argument, False)]
    while pending:
        word, is_part = pending.pop()
        if (word, is_part) in seen:
            continue
        seen.add((word, is_part))
        for user in read.get(word, ()):
            match user:
                case ir.Compare() | ir.Switch():
                    pass
                case ir.Binary() if is_remainder(user):
                    pass
                case ir.Cast() if user.op in _COUNTED:
                    pass
                case ir.Binary() if any(map(is_ptrtoint, user.operands)):
                    return None  # the distance to another object, whose shadow is elsewhere
                case ir.Binary() | ir.Phi() | ir.Select() | ir.Freeze():
                    pending.append((user, is_part or getattr(user, "op", "") in _CUT))
                case ir.Cast() if user.op in _MADE:
                    pending.append((user, is_part or user.op in _CUT))
                case ir.GetElementPtr() if user.operands[0] is not word and not isinstance(user.operands[0], Constant):
                    pass
                case ir.Store() if user.value is word and not is_part and _is_integer_there(model, user.pointer):
                    pass
                case ir.CallBase(callee=Function() as callee):
                    if callee.name.startswith(_COMPUTED):
                        pending.append((user, is_part or callee.name.startswith(_FUNNEL)))
                    elif not callee.is_declaration and not is_part:
                        found += [(callee, at) for at, o in enumerate(user.arguments) if o is word]
                    elif not callee.is_declaration or call_effects(model.module, user) is None:
                        return None
                case _:
                    return None
    return found


def _is_integer_there(model: Memory, pointer: Value) -> bool:
    """Do all say that there is an integer, which never was a pointer?"""
    content = content_behind(model, pointer)
    return content is not None and content.claims == {Kind.INTEGER} and not content.keeps_addresses
