"""Which request the derivative of a call's callee is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.annotations import annotations_of
from enzyme_build.analysis.offsets import scalar_leaves
from enzyme_build.analysis.request import Activity, Mode, Request
from enzyme_build.analysis.retyped import leads_to_retyped
from enzyme_build.errors import UnsupportedError
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import IntType, PointerType
from enzyme_build.ir.values import GlobalVariable, NullPointer

from .calls import OURS, lost_derivative, pointer_shadow, touched_memory
from .counting import only_counts_with
from .lost_addresses import unfollowed_address
from .words import address_bases, merged_bases, returns_merged_pointer

if TYPE_CHECKING:
    from enzyme_build.ir.instructions import CallBase
    from enzyme_build.ir.values import Value

    from .context import Context


def argument_activity(context: Context, call: CallBase, index: int, mode: Mode) -> Activity:
    """Activity of argument `index` in the derivative of the callee."""
    argument = call.arguments[index]
    activity = context.activity
    if isinstance(argument.type, PointerType):
        if isinstance(argument, NullPointer) and _is_followed(context, call):
            # Nothing is behind it, with or without a shadow; what the callee does elsewhere must not seem to get lost.
            return Activity.DUPLICATED
        if not activity.has_shadow(argument):
            return Activity.CONSTANT
        return _duplicated(context, argument)
    if any(activity.has_shadow(base) for base in address_bases(argument)):
        if isinstance(call.callee, Function) and only_counts_with(context.memory, call.callee, index):
            return Activity.CONSTANT
        raise unfollowed_address(context.location(call))
    if merged_bases(argument):
        raise _pointers_and_numbers(context, call)
    pointers = pointer_shadow(context, argument)
    if mode is Mode.FORWARD:
        return Activity.ACTIVE if activity.is_active(argument) or pointers else Activity.CONSTANT
    if pointers and activity.is_active(argument):
        raise _pointers_and_numbers(context, call)
    if pointers:
        return _duplicated(context, argument)
    if (
        activity.is_active(argument)
        and isinstance(argument.type.scalar, IntType)
        and not activity.packing.lanes(argument)
    ):
        raise UnsupportedError(
            "cannot differentiate a call that passes active numbers packed into an integer",
            location=context.location(call),
            hint="pass the struct by pointer",
            code="E0141",
        )
    return Activity.ACTIVE if activity.is_active(argument) else Activity.CONSTANT


def _pointers_and_numbers(context: Context, call: CallBase) -> UnsupportedError:
    what, hint = "a call that passes pointers and active numbers in one struct by value", "pass the struct by pointer"
    if (getattr(call.callee, "name", None) or "").startswith(OURS):  # the tape of split mode
        what = "one pass of a derivative in split mode, whose tape holds pointers and numbers"
        hint = "ask for both passes at once (__enzyme_autodiff) in what is differentiated again"
    return UnsupportedError(f"cannot differentiate {what}", location=context.location(call), hint=hint, code="E0140")


def _is_followed(context: Context, call: CallBase) -> bool:
    """Is the derivative of what is called made here, for whatever activities of its arguments?"""
    callee = call.callee
    if not isinstance(callee, Function) or callee.is_declaration:
        return False
    return callee.name not in annotations_of(context.module).rules


def _duplicated(context: Context, argument: Value) -> Activity:
    """Has all that is reached by these pointers certainly shadows?"""
    activity = context.activity
    uncertain = any(
        activity.is_uncertain(argument, path) or activity.leads_to_constants(argument, path)
        for path, leaf, _ in scalar_leaves(context.layout, argument.type)
        if isinstance(leaf, PointerType)
    )
    return Activity.RUNTIME if uncertain else Activity.DUPLICATED


def callee_request(context: Context, call: CallBase, mode: Mode) -> Request:
    """The request for the derivative of a call's callee."""
    callee = call.callee
    assert isinstance(callee, Function)
    if callee.function_type.variadic:
        if not callee.function_type.parameters:
            raise UnsupportedError(
                f"cannot differentiate a call of '{callee.name}', which is declared here without parameters",
                location=context.location(call),
                hint="include its header, or declare them: 'double f()' says nothing of them in C",
                code="E0142",
            )
        raise UnsupportedError(
            f"cannot differentiate a call to the variadic function '{callee.name}' on active data",
            location=context.location(call),
            hint="pass numbers as double and call the function by its name, or pass an array and its length",
            code="E0142",
        )
    lost = context.activity.lost
    told = callee.name in annotations_of(context.module).rules  # which knows what becomes of constant memory
    if lost and not told and not lost.isdisjoint(touched_memory(context, call)):
        raise lost_derivative(context, call)
    count = len(callee.function_type.parameters)
    arguments = tuple(argument_activity(context, call, index, mode) for index in range(count))
    number = context.activity.is_active(call)
    pointer = pointer_shadow(context, call)
    if (number and pointer and mode is not Mode.FORWARD) or returns_merged_pointer(callee):
        raise UnsupportedError(
            f"cannot differentiate '{callee.name}': it returns pointers and active numbers in one struct",
            location=context.location(call),
            hint="return the struct through a pointer argument",
            code="E0143",
        )
    result = Activity.ACTIVE if number else Activity.DUPLICATED if pointer else Activity.CONSTANT
    forward = mode is Mode.FORWARD
    return Request(
        callee.name,
        mode,
        arguments,
        result,
        overwritten=_overwritten(context, call) if mode is Mode.SPLIT else (),
        retyped=not forward and _retyped(context, call),
        guarded=_guarded(context, call),
        width=context.request.width,
        returns_primal=forward,
        strong_zero=context.request.strong_zero,
        reusable=context.request.reusable and mode is not Mode.COMBINED,
        replayed=context.request.replayed,
        unreversed=context.request.unreversed,
        globals=_globals(context, call),
    )


def _globals(context: Context, call: CallBase) -> tuple[str, ...]:
    """Globals with active memory, or pointers to it, that the callee reads or writes."""
    effects = context.memory.effects[call]
    inactive = annotations_of(context.module).inactive_globals
    regions = {place.resolved().region for place in (*effects.reads, *effects.writes)}
    names = {
        value.name
        for region in regions & context.activity.shadowed
        for value in region.globals
        if isinstance(value, GlobalVariable) and not value.is_constant and value.name not in inactive
    }
    return tuple(sorted(names))


def _overwritten(context: Context, call: CallBase) -> tuple[bool, ...]:
    """Per argument, and last for the result: may the memory behind it change after the call, before its reverse pass
    runs?"""
    survives = context.aliasing.memory_survives
    result = []
    for argument in call.arguments:
        place = context.memory.place(argument) if isinstance(argument.type, PointerType) else None
        result.append(place is not None and not survives(call, place))
    behind = context.memory.behind(call)
    return (*result, any(not survives(call, place) for place in behind))


def _guarded(context: Context, call: CallBase) -> bool:
    """May the callee store numbers where they get lost, if the run shows that there is no shadow?"""
    guarded = context.activity.guarded | context.activity.held
    return bool(guarded) and any(place.resolved().region in guarded for place in context.memory.effects[call].writes)


def _retyped(context: Context, call: CallBase) -> bool:
    """May the callee be given, or find, several pointers to one memory whose type changes?"""
    if not context.has_retyped_memory:
        return False
    effects = context.memory.effects[call]
    places = [place for argument in call.arguments for place in context.memory.behind(argument)]
    regions = {place.resolved().region for place in (*places, *effects.reads, *effects.writes)}
    return bool(regions) and (context.request.retyped or leads_to_retyped(regions))
