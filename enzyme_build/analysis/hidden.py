"""Hidden accesses: calls that may read or write memory which neither their arguments nor their text show.

A function without body may have been given memory before, and calls of it by which nothing goes in or out may be what
reads or changes that. Here is which calls a function makes so, by itself or in what it calls; whether there is
anything to be seen by them is for others to say.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import VOID, IntType
from enzyme_build.ir.values import InlineAssembly
from enzyme_build.regex import regex
from enzyme_build.rules.inactive import inactive_function
from enzyme_build.rules.libraries import is_of_openmp, is_teamwork, library_of, waits_for_threads

from .annotations import annotations_of
from .assembly import may_touch_hidden_memory
from .cfg import control_flow, returning
from .exported import PREFIX
from .known import call_effects

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.ir.module import Module

    from .callgraph import CallGraph

    Way = tuple[ir.Instruction, ...]
    """The calls that lead to a call, and itself."""

_GIVEN_ALL: Final = (
    "llvm.",
    "enzyme_build.",
    f"{PREFIX}.",
    "_FortranA",
    "pthread_once",
    "pthread_setspecific",
    "call_once",
    "fmemopen",
)
"""Beginnings of names of functions that touch no memory but what a call gives them, or what the functions do that it
gives them; flang's runtime is told in each statement."""
_MEMORY: Final = regex(r"\bmemory\(([^)]*)\)")


def hidden_calls(module: Module, graph: CallGraph) -> Mapping[Function, Mapping[ir.CallBase, Way]]:
    """By function: the calls in it, and in what it calls or mentions, that may touch hidden memory."""
    found: dict[Function, dict[ir.CallBase, Way]] = {}
    for component in graph.components:
        own = {function: _own(module, module.function(function.name)) for function in component}
        found.update(own)
        changed = True
        while changed:
            fresh = [_from_callees(module, function, graph.uses[function], found) for function in component]
            for function, more in zip(component, fresh, strict=True):
                found[function].update(more)
            changed = len(component) > 1 and any(fresh)
    return found


def _own(module: Module, function: Function) -> dict[ir.CallBase, Way]:
    calls = [i for i in function.instructions() if isinstance(i, ir.CallBase) and _may_touch_hidden(module, i)]
    live = returning(control_flow(function)) if calls else ()
    return {call: (call,) for call in calls if call.block in live}


def _from_callees(
    module: Module,
    function: Function,
    used: tuple[Function, ...],
    found: Mapping[Function, Mapping[ir.CallBase, Way]],
) -> dict[ir.CallBase, Way]:
    """What is not known yet of the function's hidden calls: those that it makes by calling others."""
    fresh: dict[ir.CallBase, Way] = {}
    for callee in used:
        more = {call: way for call, way in found.get(callee, {}).items() if call not in found[function]}
        step = _step_to(module, module.function(function.name), callee) if more else None
        if _is_parallel_region(step):
            more = {call: way for call, way in more.items() if not _is_openmp(call)}
        if step is not None:
            fresh.update({call: (step, *way) for call, way in more.items()})
    return fresh


def _is_parallel_region(step: ir.Instruction | None) -> bool:
    """Threads that are started and ended by one call work together on nothing but what the call is looked at for."""
    return isinstance(step, ir.CallBase) and _is_openmp(step)


def _is_openmp(call: ir.CallBase) -> bool:
    return isinstance(call.callee, Function) and is_of_openmp(call.callee.name)


def _step_to(module: Module, function: Function, used: Function) -> ir.Instruction | None:
    """Where `function` calls `used`, or takes its address; None where only calls are that need no look at its body."""
    for i in function.instructions():
        told = isinstance(i, ir.CallBase) and i.callee is used and _is_told(module, i)
        if not told and any(used is operand or used in getattr(operand, "operands", ()) for operand in i.operands):
            return i
    return None


def _is_told(module: Module, call: ir.CallBase) -> bool:
    assert isinstance(call.callee, Function)
    if annotations_of(module).overrides(call.callee.name):
        return True
    effects = call_effects(module, call)
    return effects is not None and effects.overrides_body


def _may_touch_hidden(module: Module, call: ir.CallBase) -> bool:
    callee = call.callee
    if isinstance(callee, InlineAssembly):
        return may_touch_hidden_memory(module, call)
    if not isinstance(callee, Function):
        return not _is_of_library(call)
    if module.is_defined(callee.name) or callee.name.startswith(_GIVEN_ALL):
        return False
    if waits_for_threads(callee.name):
        return True
    exported = is_exported(module, callee)
    if not exported and (callee.name in annotations_of(module).rules or call_effects(module, call) is not None):
        return False
    if is_of_openmp(callee.name):
        return is_teamwork(callee.name)
    library = library_of(callee.name)
    if library is not None and library.stateless:
        return False
    here = re.sub(r"#\d+", lambda match: module.attribute_groups.get(match[0], ""), call.function_attributes)
    counts = exported or not (call.type is VOID or isinstance(call.type.scalar, IntType))
    return _sees_all_memory(f"{module.attributes_of(callee)} {here}", counts=counts)


def is_exported(module: Module, callee: object) -> bool:
    """Has the function derivatives made ahead of time? To those, variables beside the arguments are constant."""
    rule = annotations_of(module).rules.get(callee.name) if isinstance(callee, Function) else None
    return rule is not None and rule.exported is not None


def _is_of_library(call: ir.CallBase) -> bool:
    """Is this a virtual function of an object without derivative: of a class with known functions (locales)?"""
    slot = call.callee
    this = next(iter(call.arguments), None)
    while slot is not this and isinstance(slot, ir.GetElementPtr | ir.Load):
        slot = slot.operands[0]
    function = call.block.function if call.block is not None else None
    if function is None or slot is not this:
        return False
    others = [i for i in function.instructions() if isinstance(i, ir.CallBase) and i.arguments[:1] == [this]]
    names = [i.callee.name for i in others if isinstance(i.callee, Function)]
    return any(name.startswith("_ZN") and inactive_function(name) is not None for name in names)


def _sees_all_memory(attributes: str, *, counts: bool) -> bool:
    """Do the attributes let the callee touch more than what its arguments point to, in a way that counts? To read it
    does where there is a result to count."""
    for told in _MEMORY.findall(attributes):
        general = next((word.strip() for word in told.split(",") if ":" not in word), "none")
        if general == "none" or (general == "read" and not counts):
            return False
    return True
