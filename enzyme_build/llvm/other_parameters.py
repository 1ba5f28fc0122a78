"""Calls of functions that are defined with other parameters, kept as they are.

The optimiser makes such a call one of the function's own type: it passes the bits of an integer as a number, zero for
an argument that is missing, and takes the bits of a result for what the caller expects. The program does none of this:
an integer and a number are in different registers, and what is missing is what happens to be there. Such calls have to
be seen by what differentiates them. The optimiser may mend those of which the program takes the same: pointers for
integers, arguments more, and fewer where the function never reads what is missing, or that is the length of a text in
Fortran, which callers in other languages often leave out.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.debug import is_fortran
from enzyme_build.ir.function import Function, users
from enzyme_build.ir.names import quote, unquote
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.types import IntType, PointerType
from enzyme_build.regex import regex

from .declarations import split_parameters
from .text import NAME, with_attributes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import FunctionType, Type
    from enzyme_build.ir.values import Value

_MENTIONED: Final = regex(rf"@(?!_Z|_R|_Q|enzyme_fortran_|llvm\.)({NAME})\(")
"""Names that more than one compiler, or source without a common declaration, may have: of others the parameters are a
part, or a module tells them."""
_PLAIN: Final = regex(r'([^(){}<>\[\]"\n]*)\)')
_LENGTH_BITS: Final = 64


def with_other_calls_kept(text: str) -> str:
    """`text` where the optimiser leaves calls of functions alone that are defined with other parameters."""
    suspects = _suspects(text)
    module = parse_module(text) if suspects else None
    # LLVM's word for a function that hands on whatever it is given: what its calls say stays as it is.
    words = {name: '"thunk"' for name in suspects if module is not None and type_of_other_call(module, name)}
    return with_attributes(text, words)


def _suspects(text: str) -> list[str]:
    """Definitions of which a call looks otherwise, at a glance."""
    defined: dict[str, tuple[str, ...]] = {}
    called: dict[str, set[tuple[str, ...]]] = {}
    for match in _MENTIONED.finditer(text):
        head = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        if head.startswith("define "):
            defined[match[1]] = _shape(head, text, match.end())
        elif not head.startswith("declare "):
            called.setdefault(match[1], set()).add(_shape(head, text, match.end()))
    return [unquote(name) for name, own in defined.items() if called.get(name, set()) - {own}]


def _shape(head: str, text: str, start: int) -> tuple[str, ...]:
    """How types begin: of the result, which is last in `head`, and of the parameters from `start` on."""
    plain = _PLAIN.match(text, start)
    parts = plain[1].split(", ") if plain else split_parameters(text[start : text.find("\n", start)])[0]
    return head.rstrip().rpartition(" ")[2], *(part.partition(" ")[0] for part in parts if part)


def type_of_other_call(module: Module, name: str) -> FunctionType | None:
    """The type of a call of the function for which the optimiser would take other values than the program does."""
    callee = module.function(name)
    if callee.function_type.variadic:
        return None
    for caller in map(module.function, module.functions_mentioning(f"@{quote(name)}(")):
        calls = [i for i in caller.instructions() if isinstance(i, ir.CallBase) and i.callee is callee]
        calls = [call for call in calls if call.function_type is not callee.function_type]
        readers = users(caller) if calls else {}
        if others := [call.function_type for call in calls if _is_other(module, callee, call, readers)]:
            return others[0]
    return None


def _is_other(
    module: Module, callee: Function, call: ir.CallBase, readers: Mapping[Value, Sequence[ir.Instruction]]
) -> bool:
    taken, result = callee.function_type.parameters, callee.function_type.result
    if call in readers and result is not call.type and not _are_alike(call.type, result):
        return True
    for own, given in zip_longest(callee.arguments, call.arguments):
        if given is None:
            return any(not _may_be_missing(module, callee, at) for at in range(len(call.arguments), len(taken)))
        if own is None:
            return False
        if not _are_alike(given.type, own.type):
            return True
    return False


def _are_alike(one: Type, other: Type) -> bool:
    """Would they be in registers of one kind? (Of other sizes the optimiser converts nothing.)"""
    return isinstance(one, IntType | PointerType) is isinstance(other, IntType | PointerType)


def _may_be_missing(module: Module, callee: Function, at: int) -> bool:
    argument = callee.arguments[at]
    if callee.is_declaration:
        return False
    if isinstance(argument.type, IntType) and argument.type.bits == _LENGTH_BITS and is_fortran(module, callee):
        return callee.name.endswith("_")  # `bind(C)` has no such lengths
    readers = users(callee)
    return all(_is_put_aside(user, argument, readers) for user in readers.get(argument, ()))


def _is_put_aside(user: ir.Instruction, value: Value, readers: Mapping[Value, Sequence[ir.Instruction]]) -> bool:
    """Does an instruction only store the value in a variable that nothing reads (as at `-O0`)?"""
    if not isinstance(user, ir.Store) or user.operands[0] is not value or not isinstance(user.operands[1], ir.Alloca):
        return False
    variable = user.operands[1]
    return all(isinstance(other, ir.Store) and other.operands[0] is not variable for other in readers[variable])
