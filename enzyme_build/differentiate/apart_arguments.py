"""Arguments whose memory is apart from all that is reached otherwise, as all callers show.

C's compilers know it of `restrict`, Fortran's of every dummy argument. Of other functions that stay calls it is told by
their callers in the program: each hands over memory of its own, such as what it allocated, of which it gives the
address to nobody who keeps it, and that by one argument of the call only. In the model that the pass reads such
arguments are `noalias`, so that what is read behind the others can be read again. Whether an argument is one may
depend on another's being one: all are, but for those of which a caller shows that they are not.

Only functions that nobody calls by their address are looked at: LLVM has told their calls by giving them a convention
of their own.

Source: LLVM language reference, "Parameter Attributes": noalias, captures.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.bases import bases_among
from enzyme_build.analysis.snapshots import own_allocation
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function, users
from enzyme_build.ir.types import PTR
from enzyme_build.ir.values import Argument, Value
from enzyme_build.regex import regex

from .passed_constants import never_shown

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from enzyme_build.ir.module import Module

    from .passed_constants import Calls

_APART: Final = "noalias"
_KEPT_BY_NOBODY: Final = "captures(none)"
_BY_OTHER_MEANS: Final = regex(r"\b(?:byval|byref|sret|inalloca|preallocated|swifterror|nest)\b")

_Formal = tuple[Function, Argument]


def promise_apart(module: Module, functions: Sequence[Function], fixed: Collection[Function], calls: Calls) -> None:
    """Mark such arguments of these functions' models, but for `fixed` ones."""
    candidates = [f for f in functions if f.name in calls and f not in fixed and never_shown(f)]
    asked = {a: f for f in candidates for a in f.arguments if a.type is PTR and not _is_told(a)}
    if not asked:
        return
    objects = {function: _Objects(module, function) for function in functions}
    for one in objects.values():
        one.others = objects
    while True:
        wrong = {
            argument
            for argument, function in asked.items()
            if not all(objects[caller].are_apart(call, argument.index, asked) for caller, call in calls[function.name])
        }
        if not wrong:
            break
        for argument in wrong:
            del asked[argument]
    for argument in asked:
        argument.attributes = f"{_APART} {argument.attributes}".rstrip()


def _is_told(argument: Argument) -> bool:
    return _is_promised(argument) or _BY_OTHER_MEANS.search(argument.attributes) is not None


def _is_promised(argument: Argument) -> bool:
    return _APART in argument.attributes.split()


class _Objects:
    """The objects that one function hands over; `others` has those of its callees."""

    def __init__(self, module: Module, function: Function) -> None:
        self.others: Mapping[Function, _Objects] = {}
        self._module = module
        self._function = function
        self._hidden: dict[Value, bool] = {}
        self._lent: dict[tuple[Value, bool], list[_Formal] | None] = {}

    @cached_property
    def _users(self) -> Mapping[Value, Sequence[ir.Instruction]]:
        return users(self._function)

    def are_apart(self, call: ir.CallBase, number: int, promised: Collection[Value]) -> bool:
        """Is what the call gives by this argument memory of the caller's, and no other argument leads there?"""
        if number >= len(call.arguments):
            return False
        given = set(bases_among(call.arguments[number]))
        if not all(self._is_own(value, promised) and self._is_hidden(value) for value in given):
            return False
        others = (value for at, value in enumerate(call.arguments) if at != number and value.type is PTR)
        return all(given.isdisjoint(bases_among(other)) for other in others)

    def _is_own(self, value: Value, promised: Collection[Value]) -> bool:
        match value:
            case ir.Alloca():
                return True
            case ir.CallBase():
                return own_allocation(self._module, value) is not None
            case Argument():
                return value in promised or _is_promised(value)
        return False

    def _is_hidden(self, value: Value) -> bool:
        """Does nobody get to know the address of the object, while the function runs, but by arguments that nobody
        keeps?"""
        known = self._hidden.get(value)
        if known is None:
            known = self._hidden[value] = self._stays(value)
        return known

    def _stays(self, value: Value) -> bool:
        seen: set[Value] = set()
        pending = self.lent(value, returned=True)
        while pending:
            function, argument = pending.pop()
            if argument not in seen:
                seen.add(argument)
                further = self.others[function].lent(argument)
                if further is None:
                    return False
                pending += further
        return pending is not None

    def lent(self, value: Value, *, returned: bool = False) -> list[_Formal] | None:
        """What of other functions is given the address of an object, or one in it; None if it goes elsewhere. It may
        be `returned` if that is asked."""
        key = value, returned
        if key not in self._lent:
            self._lent[key] = self._followed(value, returned=returned)
        found = self._lent[key]
        return None if found is None else [*found]

    def _followed(self, value: Value, *, returned: bool) -> list[_Formal] | None:
        given: list[_Formal] = []
        seen = {value}
        pending = [value]
        while pending:
            pointer = pending.pop()
            for user in self._users.get(pointer, ()):
                match user:
                    case ir.Load() | ir.Compare():
                        pass
                    case ir.Return() if returned:
                        pass
                    case ir.Store() if user.value is not pointer:
                        pass
                    case ir.GetElementPtr() | ir.Phi() | ir.Select() | ir.Freeze() if user.type is PTR:
                        if user not in seen:
                            seen.add(user)
                            pending.append(user)
                    case ir.CallBase() if (formals := self._formals(pointer, user)) is not None:
                        given += formals
                    case _:
                        return None
        return given

    def _formals(self, pointer: Value, call: ir.CallBase) -> list[_Formal] | None:
        """The arguments of a callee that are given the pointer and may keep it, as far as they are told; None if a call
        gives it to others."""
        callee = call.callee
        if pointer is callee or not isinstance(callee, Function):
            return None
        found: list[_Formal] = []
        for at, given in enumerate(call.arguments):
            if given is pointer and _KEPT_BY_NOBODY not in " ".join(call.argument_attributes[at : at + 1]):
                if at >= len(callee.arguments):
                    return None
                if _KEPT_BY_NOBODY not in callee.arguments[at].attributes:
                    found.append((callee, callee.arguments[at]))
        if found and callee not in self.others:
            return None
        return None if any(pointer is v for v in call.operands if v not in call.arguments) else found
