"""Constants that functions are passed by their address are constants there.

A function object that refers to a pointer to a member, as those of `std::ranges` do, hands the offset of that member
down by reference: in a function that stays a call it would be read from memory, and which member an address leads to
would be untold. In the model that the pass reads, what is read behind a pointer to a variable in which all callers keep
the same constant is that constant. Only functions that nobody calls by their address are changed: LLVM has told their
calls by giving them a convention of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.cfg import control_flow
from enzyme_build.analysis.dominators import dominators
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function, remove_instructions, replace_values, users
from enzyme_build.ir.types import PTR
from enzyme_build.ir.values import Argument, ConstantInt, Value

from .lifetimes import is_lifetime

if TYPE_CHECKING:
    from collections.abc import Collection


_NEVER_SHOWN: Final = "fastcc"
_ROUNDS: Final = 4

_Uses = dict[Function, Mapping[Value, Sequence[ir.Instruction]]]
_Calls = Sequence[tuple[Function, ir.CallBase]]
Calls = Mapping[str, _Calls]
"""Of each function by its name, with where they are."""


def fold_passed_constants(functions: Sequence[Function], fixed: Collection[Function], calls: Calls) -> None:
    """Put constants in the place of such loads in these functions' models, but for `fixed` ones."""
    candidates = [f for f in functions if f.name in calls and f not in fixed and never_shown(f)]
    pending = [(f, argument) for f in candidates for argument in f.arguments if _is_only_read(argument)]
    known: dict[Argument, ConstantInt] = {}
    uses: _Uses = {}
    for _ in range(_ROUNDS):  # what is handed down further is found in the next round
        found = {a: c for f, a in pending if (c := _constant_of(a, calls[f.name], known, uses)) is not None}
        if len(found) == len(known):
            break
        known = found
    for function in {f: None for f, argument in pending if argument in known}:
        constants: dict[Value, Value] = {}
        for i in function.instructions():
            if isinstance(i, ir.Load) and isinstance(i.pointer, Argument) and not i.volatile and not i.ordering:
                constant = known.get(i.pointer)
                if constant is not None and constant.type is i.type:
                    constants[i] = constant
        replace_values(function, constants)
        remove_instructions(function, {*constants})


def calls_by_name(functions: Sequence[Function]) -> Calls:
    """The calls of each function in these."""
    calls: dict[str, list[tuple[Function, ir.CallBase]]] = {}
    for function in functions:
        for i in function.instructions():
            if isinstance(i, ir.CallBase) and isinstance(i.callee, Function):
                calls.setdefault(i.callee.name, []).append((function, i))
    return calls


def never_shown(function: Function) -> bool:
    """Does nobody call the function by its address?"""
    return _NEVER_SHOWN in function.prefix.split()


def _is_only_read(argument: Argument) -> bool:
    words = argument.attributes.split()
    return argument.type is PTR and "readonly" in words and "captures(none)" in words


def _constant_of(
    argument: Argument, calls: _Calls, known: Mapping[Argument, ConstantInt], uses: _Uses
) -> ConstantInt | None:
    """What all callers keep behind this argument when they call."""
    found: ConstantInt | None = None
    for caller, call in calls:
        given = call.arguments[argument.index]
        if given is argument:
            continue
        if isinstance(given, Argument):
            constant = known.get(given)
        else:
            constant = _kept(given, caller, call, uses) if isinstance(given, ir.Alloca) else None
        if constant is None or (found is not None and (found.type, found.value) != (constant.type, constant.value)):
            return None
        found = constant
    return found


def _kept(variable: ir.Alloca, function: Function, call: ir.CallBase, uses: _Uses) -> ConstantInt | None:
    """The only value that a variable has, which is there when a function is called."""
    if function not in uses:
        uses[function] = users(function)
    stores: list[ir.Store] = []
    for user in uses[function].get(variable, ()):
        if isinstance(user, ir.Store) and user.pointer is variable and user.value is not variable:
            stores.append(user)
        elif isinstance(user, ir.CallBase) and (is_lifetime(user) or _only_reads(user, variable)):
            continue
        elif not isinstance(user, ir.Load):
            return None
    if len(stores) != 1 or not isinstance(stores[0].value, ConstantInt):
        return None
    return stores[0].value if _is_before(stores[0], function, call) else None


def _only_reads(call: ir.CallBase, variable: ir.Alloca) -> bool:
    """Does a call neither change nor keep a variable that it is given?"""
    callee = call.callee
    if not isinstance(callee, Function) or len(callee.arguments) != len(call.arguments):
        return False
    given = [callee.arguments[at] for at, argument in enumerate(call.arguments) if argument is variable]
    return bool(given) and all(map(_is_only_read, given))


def _is_before(store: ir.Store, function: Function, call: ir.CallBase) -> bool:
    """Was it stored whenever the call is reached?"""
    if store.block is call.block:
        return store.block.instructions.index(store) < call.block.instructions.index(call)
    cfg = control_flow(function)
    return store.block in cfg and call.block in cfg and dominators(cfg).dominates(store.block, call.block)
