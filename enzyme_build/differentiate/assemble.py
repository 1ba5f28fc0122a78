"""Makes derivative functions of the two sweeps of reverse mode.

*Combined*: both in one function, sharing its frame. *Split*: the augmented forward pass packs the variables that both
share into a struct, the tape, which the reverse pass unpacks into variables of its own. The tape is passed by value,
so that a call costs no allocation; only recursive functions put theirs into the arena.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.request import Activity
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.function import Block
from enzyme_build.ir.types import I32, I64, PTR, Type, VectorType, array_type, struct_type
from enzyme_build.ir.values import Value, const_int, null, poison

from .augmented import AugmentedSweep
from .forward import return_parts
from .frame import Frame
from .packed import from_signature
from .prepare import Prepared
from .replay import build_replay
from .reverse import ReverseSweep
from .runtime import ARENA_TYPE, runtime_function
from .signature import Role, augmented_signature, replay_signature, reverse_signature

if TYPE_CHECKING:
    from collections.abc import Hashable

    from .context import Context
    from .engine import Derived, Engine, SplitDerived


def build_combined(engine: Engine, context: Context, derived: Derived) -> None:
    """Fill in the function that runs both sweeps."""
    from .engine import argument_maps

    prepared = Prepared(engine, context)
    engine.note_plan(prepared)
    values, shadows = argument_maps(context, derived)
    forward = AugmentedSweep(engine, context, derived.function, values, shadows, prepared=prepared, frame_of=Frame)
    frame = forward.frame
    turn = Block("turn")
    result_type = context.function.function_type.result
    keeps_result = derived.signature.result_index(Role.RESULT) is not None
    arena = forward.arena = frame.variable("arena", ARENA_TYPE, name="arena")

    def finish(sweep: AugmentedSweep, i: ir.Return) -> None:
        if keeps_result:
            sweep.b.store(sweep.value(i.operands[0]), frame.variable("result", result_type, name="result"))
        _record_return(sweep, frame, i)
        sweep.b.jump(turn)

    prepared.finish_forward = finish
    forward.run()
    derived.function.add_block(turn)
    reverse = ReverseSweep(forward, frame, (forward.values, forward.all_shadows))

    def end() -> None:
        parts: list[Value] = []
        for part in reverse.lanes.of(derived.signature.results):
            if part.role is Role.RESULT:
                parts.append(reverse.b.load(result_type, frame.variable("result", result_type)))
            else:
                parts.append(reverse.result_of(context.function.arguments[part.index]))
        if any(arena in i.operands for i in derived.function.instructions() if not isinstance(i, ir.Store)):
            reverse.b.call(runtime_function(engine.module, "release"), [arena])
        return_parts(reverse.b, derived.signature, parts)

    reverse.on_finish = end
    if prepared.reversal.returns:
        begin = reverse.run(lambda i: _seed(reverse, derived, i))
        Builder(turn).jump(begin)
    else:
        Builder(turn).unreachable()
    forward.finish()


def build_split(engine: Engine, context: Context, split: SplitDerived | None) -> SplitDerived:
    """Both passes; `split` holds the functions of a recursive one, whose tape is a pointer."""
    from .engine import SplitDerived

    prepared = Prepared(engine, context)
    engine.note_plan(prepared)
    shared = _shared(prepared)
    record = _record_type(shared)
    if split is None:
        primal = context.function.function_type
        tape: Type | None = record if shared else None
        split = SplitDerived(
            engine.new_function(context.facts, augmented_signature(primal, context.request, tape), "augmented"),
            engine.new_function(context.facts, reverse_signature(primal, context.request, tape), "reverse"),
            tape,
        )
    recursive = split.tape is PTR and bool(engine.is_recursive(context.function.name))
    forward = _augmented_pass(engine, context, prepared, split.augmented, shared, recursive=recursive)
    _reverse_pass(context, forward, split.reverse, shared, recursive=recursive)
    if context.request.replayed:
        if split.replay is None:
            signature = replay_signature(context.function.function_type, context.request, split.tape)
            split.replay = engine.new_function(context.facts, signature, "replay")
        frame = _tape_frame(split.replay, shared, recursive=recursive)
        build_replay(engine, context, prepared, split.replay, frame)
    if not recursive:
        split.used = split.reverse.used()
        split.replay_used = split.replay.used() if split.replay is not None else ()
    return split


def _shared(prepared: Prepared) -> list[tuple[Hashable, Type]]:
    """The variables that travel in the tape."""
    shared: list[tuple[Hashable, Type]] = [
        (slot, slot.type) if slot.loop is None else (("buffer", slot), PTR) for slot in prepared.plan.slots.values()
    ]
    shared += [(("base", loop), I64) for loop in prepared.plan.loops if loop.parent is not None]
    if len(prepared.reversal.returns) > 1:
        shared.append(("return", I32))
    return shared


def _record_type(shared: list[tuple[Hashable, Type]]) -> Type:
    """The tape as one struct. Vectors travel as arrays: how LLVM passes a vector depends on the features of caller and
    callee, which may differ."""
    return struct_type(tuple(array_type(t.element, t.count) if isinstance(t, VectorType) else t for _, t in shared))


def taken_apart(b: Builder, value: Value) -> Value:
    """The array of a vector's lanes."""
    if not isinstance(value.type, VectorType):
        return value
    whole: Value = poison(array_type(value.type.element, value.type.count))
    for lane in range(value.type.count):
        whole = b.insert_value(whole, b.extract_element(value, const_int(I64, lane)), (lane,))
    return whole


def _put_together(b: Builder, value: Value, type_: Type) -> Value:
    if not isinstance(type_, VectorType):
        return value
    whole: Value = poison(type_)
    for lane in range(type_.count):
        whole = b.insert_element(whole, b.extract_value(value, (lane,)), const_int(I64, lane))
    return whole


def _augmented_pass(  # noqa: PLR0913
    engine: Engine,
    context: Context,
    prepared: Prepared,
    derived: Derived,
    shared: list[tuple[Hashable, Type]],
    *,
    recursive: bool,
) -> AugmentedSweep:
    from .engine import argument_maps

    values, shadows = argument_maps(context, derived)
    forward = AugmentedSweep(engine, context, derived.function, values, shadows, prepared=prepared, frame_of=Frame)
    for part, argument in zip(derived.signature.parameters, derived.function.arguments, strict=True):
        if part.role is Role.ARENA:
            forward.arena = argument
    record = _record_type(shared)

    def finish(sweep: AugmentedSweep, i: ir.Return) -> None:
        b = sweep.b
        _record_return(sweep, sweep.frame, i)
        parts: list[Value] = []
        for part in sweep.lanes.of(derived.signature.results):
            match part.role:
                case Role.TAPE:
                    parts.append(_packed(engine, sweep, shared, record, recursive=recursive))
                case Role.RESULT:
                    parts.append(sweep.value(i.operands[0]))
                case _:
                    parts.append(sweep.shadow(i.operands[0]))
        return_parts(b, derived.signature, parts)

    prepared.finish_forward = finish
    forward.run()
    forward.finish()
    return forward


def _packed(
    engine: Engine, sweep: AugmentedSweep, shared: list[tuple[Hashable, Type]], record: Type, *, recursive: bool
) -> Value:
    """The tape as the augmented pass returns it."""
    b = sweep.b
    whole = b.aggregate(
        record, (taken_apart(b, b.load(type_, sweep.frame.variable(key, type_))) for key, type_ in shared)
    )
    if not recursive:
        return whole
    if not shared:
        return null(PTR)
    size = const_int(I64, engine.module.layout.alloc_size(record))
    memory = b.call(runtime_function(engine.module, "arena_take"), [sweep.arena, size])
    b.store(whole, memory)
    return memory


def _reverse_pass(
    context: Context,
    forward: AugmentedSweep,
    derived: Derived,
    shared: list[tuple[Hashable, Type]],
    *,
    recursive: bool,
) -> None:
    from .engine import argument_maps

    frame = _tape_frame(derived, shared, recursive=recursive)
    values, shadows = argument_maps(context, derived)
    reverse = ReverseSweep(forward, frame, (values, shadows))

    def end() -> None:
        arguments = context.function.arguments
        parts = [reverse.result_of(arguments[part.index]) for part in reverse.lanes.of(derived.signature.results)]
        return_parts(reverse.b, derived.signature, parts)

    reverse.on_finish = end
    if forward.prepared.reversal.returns:
        begin = reverse.run(lambda i: _seed(reverse, derived, i))
        Builder(frame.setup).jump(begin)
    else:
        Builder(frame.setup).unreachable()
    context.scopes.declare(derived.function)


def _record_return(sweep: AugmentedSweep, frame: Frame, i: ir.Return) -> None:
    """Which of several returns was taken."""
    returns = sweep.prepared.reversal.returns
    if len(returns) > 1:
        sweep.b.store(const_int(I32, returns.index(i.block)), frame.variable("return", I32, name="return"))


def _tape_frame(derived: Derived, shared: list[tuple[Hashable, Type]], *, recursive: bool) -> Frame:
    """A frame whose variables start as what the tape says."""
    function = derived.function
    frame = Frame(function.add_block(Block("setup")))
    tape = next(
        (a for p, a in zip(derived.signature.parameters, function.arguments, strict=True) if p.role is Role.TAPE), None
    )
    if tape is not None and shared:
        setup = Builder(frame.setup)
        record: Value = tape
        if recursive:
            record = setup.load(_record_type(shared), tape)
        for number, (key, type_) in enumerate(shared):
            frame.variable(key, type_, _put_together(setup, setup.extract_value(record, (number,)), type_))
    return frame


def _seed(reverse: ReverseSweep, derived: Derived, i: ir.Return) -> None:
    """The adjoint of the result comes from outside."""
    if reverse.context.request.result is not Activity.ACTIVE or not i.operands:
        return
    for part, argument in zip(reverse.lanes.of(derived.signature.parameters), derived.function.arguments, strict=True):
        if part.role is Role.SEED:
            result = i.operands[0]
            reverse.add_to(result, from_signature(reverse.b, argument, reverse.adjoint_type(result)))
