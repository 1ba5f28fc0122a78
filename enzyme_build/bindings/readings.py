"""Which arguments a function only reads, by its body and those of the functions that it hands them on to.

A pointer is only read if nothing is stored through it or through what is computed from it, and it is kept nowhere. LLVM
writes that on parameters, but for each module by itself; here the modules of a job are seen together. In a recursion a
pointer is only read unless some function of it does more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.errors import EnzymeBuildError
from enzyme_build.ir.calls import CallBase
from enzyme_build.ir.function import Function, users
from enzyme_build.ir.instructions import Compare, Freeze, GetElementPtr, Load, Phi, Select
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from enzyme_build.ir.instruction import Instruction
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

_READS: Final = regex(r"\b(?:readonly|readnone)\b")
_KEEPS_NOT: Final = regex(r"\bcaptures\(none\)|\bnocapture\b")


def only_reads(modules: Sequence[Module], module: Module, function: Function, index: int) -> bool:
    """Does this definition only read what its pointer argument `index` leads to? Its callees are among `modules`."""
    pending = [(module, function, index)]
    seen = {(function, index)}
    while pending:
        home, current, at = pending.pop()
        try:
            readers = users(home.function(current.name))
        except EnzymeBuildError:
            return False
        for call, place in _reads(readers, current.arguments[at]):
            if call is None:
                return False
            told = f"{call.argument_attributes[place]} {_declared(call.callee, place)}"
            if _READS.search(told) and _KEEPS_NOT.search(told):
                continue
            found = _definition(modules, home, call.callee)
            if found is None or place >= len(found[1].arguments):
                return False
            if (found[1], place) not in seen:
                seen.add((found[1], place))
                pending.append((*found, place))
    return True


def _reads(readers: Mapping[Value, Sequence[Instruction]], pointer: Value) -> Iterator[tuple[CallBase | None, int]]:
    """The calls that get a pointer, or one computed from it, and at which place; None for what may store or keep it."""
    pending, derived = [pointer], {pointer}
    while pending:
        value = pending.pop()
        for user in readers.get(value, ()):
            if isinstance(user, (GetElementPtr, Phi, Select, Freeze)):
                if user not in derived:
                    derived.add(user)
                    pending.append(user)
            elif isinstance(user, CallBase) and user.callee is not value and not user.bundles:
                yield from ((user, at) for at, argument in enumerate(user.arguments) if argument is value)
            elif not isinstance(user, (Load, Compare)):
                yield None, 0


def _declared(callee: Value, place: int) -> str:
    """What stands at a parameter of a function."""
    if not isinstance(callee, Function) or place >= len(callee.arguments):
        return ""
    return callee.arguments[place].attributes


def _definition(modules: Sequence[Module], home: Module, callee: Value) -> tuple[Module, Function] | None:
    if not isinstance(callee, Function):
        return None
    if home.is_defined(callee.name):
        return home, callee
    for other in modules:
        found = other.globals.get(callee.name)
        if isinstance(found, Function) and not found.is_declaration and not found.is_local:
            return other, found
    return None
