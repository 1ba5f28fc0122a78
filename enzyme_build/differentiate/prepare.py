"""What must be decided about a function before either sweep of reverse mode is emitted.

Derivatives of callees come first, since what their reverse passes read is needed here; then which blocks have reverse
work, what the reverse sweep reads, and the plan of the tape.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from enzyme_build.analysis.needed import (
    Item,
    ItemKind,
    Partials,
    accessed,
    primal,
    reads,
    rule_name,
    rule_reads,
    shadow,
    usual_partials,
)
from enzyme_build.analysis.request import Mode, Request
from enzyme_build.analysis.unseen_sums import UnseenSums
from enzyme_build.errors import UnsupportedError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import I64, Type
from enzyme_build.ir.values import Argument, Constant, ConstantFloat
from enzyme_build.rules.memory import Allocation
from enzyme_build.rules.registry import MultipleFunction, ScalarFunction
from enzyme_build.rules.scalar import BY_OPERANDS, PARTIALS, RECIPROCAL

from .ascending import runs_upward
from .callee_requests import callee_request
from .calls import CallKind, classify
from .control_flow import Choice, Header, Reversal
from .heap import Heap
from .inner_checks import checked_length, checked_shadow
from .signature import Role
from .tape import Plan, Sources, make_plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from enzyme_build.analysis.known import CallEffects
    from enzyme_build.analysis.loops import Loop
    from enzyme_build.ir.function import Block

    from .augmented import AugmentedSweep
    from .context import Context
    from .engine import Derived, Engine, SplitDerived

    Cause: TypeAlias = ir.Instruction | Block | Loop
    """What reads an item: an adjoint, the way back from a block, the repetition of a loop."""


class Prepared:
    """Decisions for one function; `finish_forward` is how the forward sweep ends."""

    def __init__(self, engine: Engine, context: Context) -> None:
        self.engine = engine
        self.context = context
        self.activity = context.activity
        self.split = context.request.mode is Mode.SPLIT
        self.heap = Heap(context)
        self.requests: dict[ir.CallBase, Request] = {}
        self.derived: dict[ir.CallBase, SplitDerived] = {}
        self.joint: dict[ir.CallBase, Derived] = {}
        self.kinds: dict[ir.CallBase, tuple[CallKind, CallEffects | None]] = {}
        self.finish_forward: Callable[[AugmentedSweep, ir.Return], None]
        seen = context.request.returns_primal or (self.split and not context.request.unseen)
        self.sums = UnseenSums(context.facts, context.memory, context.request, seen=seen)
        for block in context.facts.cfg.order:
            for i in block.instructions:
                if isinstance(i, ir.CallBase):
                    self._prepare_call(i)
        self.reversal = Reversal(context, self.works, lambda loop: runs_upward(context, loop, self.kinds))
        tapes: dict[object, Type] = {call: split.tape for call, split in self.derived.items() if split.tape is not None}
        for call, (kind, effects) in self.kinds.items():
            if kind is CallKind.ALLOCATION and effects is not None and effects.resizes is not None:
                tapes[call] = I64
        sources = self.sources = Sources(context, self.reversal, tapes, split=self.split)
        self.plan: Plan = make_plan(sources, (item for item, _ in self.needed()))
        if context.request.replayed:
            from .replay import replay_reads

            reads_too = replay_reads(engine, context, self)
            self.plan = make_plan(sources, [*(item for item, _ in self.needed()), *reads_too])

    def _prepare_call(self, call: ir.CallBase) -> None:
        try:
            kind, effects = classify(self.context, call)
            self.kinds[call] = (kind, effects)
            if kind is CallKind.DERIVE and self._runs_again(call):
                self.kinds[call] = (CallKind.JOINT, None)
                with self.engine.called_from(self.context, call):
                    self.joint[call] = self.engine.combined(callee_request(self.context, call, Mode.COMBINED))
            elif kind is CallKind.DERIVE:
                request = callee_request(self.context, call, Mode.SPLIT)
                if call.type.is_float_like:
                    request = replace(request, unseen=self.sums.is_unseen(call))
                self.requests[call] = request
                with self.engine.called_from(self.context, call):
                    self.derived[call] = self.engine.split(request)
        except UnsupportedError as error:
            self.engine.report(self.context, call, error)
            self.kinds[call] = (CallKind.PLAIN, None)

    def _runs_again(self, call: ir.CallBase) -> bool:
        """Is the callee an iteration that reads in the reverse sweep what it read before?"""
        found = self.engine.program.iterations.get(getattr(call.callee, "name", ""))
        if found is None or self.context.request.replayed:
            return False
        memory, effects = self.context.memory, self.context.memory.effects[call]
        scratch = {p.resolved().region for at in found.scratch if (p := memory.place(call.arguments[at])) is not None}
        private = {region for region in scratch if not region.external and len(region.origins) == 1}
        if any(place.resolved().region not in private for place in (*effects.writes, *effects.frees)):
            return False
        return all(
            place.resolved().region in private or self.context.aliasing.memory_survives(call, place)
            for place in effects.reads
        )

    # Reverse work --------------------------------------------------------------------------------------------------

    def works(self, i: ir.Instruction) -> bool:
        """Does the reverse sweep do anything for this instruction?"""
        match i:
            case ir.Store():
                return self.activity.memory_active(i.pointer)
            case ir.AtomicRMW() | ir.CompareExchange():
                return self.activity.memory_active(i.operands[0])
            case ir.Alloca():
                return self.cleared(i)
            case ir.CallBase():
                return self._call_works(i)
            case _:
                return self.activity.is_active(i)

    def cleared(self, i: ir.Instruction) -> bool:
        """Must the adjoints of this fresh memory be zeroed, because the reverse pass may run again on them?"""
        return self.context.request.reusable and self.activity.has_shadow(i) and self.activity.memory_active(i)

    def _call_works(self, i: ir.CallBase) -> bool:
        kind, effects = self.kinds[i]
        match kind:
            case CallKind.MATH:
                return self.activity.is_active(i)
            case CallKind.TRANSFER:
                assert effects is not None
                return self.activity.memory_active(i.arguments[effects.known.destination])  # type: ignore[union-attr]
            case CallKind.ALLOCATION:
                resizes = effects is not None and effects.resizes is not None
                return i in self.heap.matched or resizes or self.cleared(i)
            case CallKind.MULTIPLE | CallKind.DERIVE | CallKind.JOINT:
                return True
            case CallKind.PLAIN if (memory := checked_shadow(i)) is not None:
                return self.activity.memory_active(memory)
            case _:
                return self.activity.is_active(i)

    def partials(self, i: ir.Instruction) -> Partials | None:
        """The slopes of an arithmetic instruction by its operands; None for others."""
        name = rule_name(i)
        if name is not None and name in BY_OPERANDS:
            first = i.operands[0]
            if not self._is_stored(i):
                return Partials(RECIPROCAL if isinstance(first, ConstantFloat) and first.value == 1 else PARTIALS[name])
            if self.sources.costs_nothing(primal(first)):
                return Partials(BY_OPERANDS[name])
        return usual_partials(i)

    def _is_stored(self, i: ir.Instruction) -> bool:
        """Would keeping the result take memory? Elsewhere it is in a register."""
        return self.sources.split or self.context.facts.loops.loop_of(i.block) is not None

    # Needed --------------------------------------------------------------------------------------------------------

    def needed(self) -> Iterator[tuple[Item, Cause]]:
        """What the reverse sweep reads, each with what reads it."""
        for item, cause in self._all_needed():
            if isinstance(item.subject, Constant | Argument):
                continue
            if item.kind is ItemKind.SHADOW:
                yield from ((replace(item, lane=lane), cause) for lane in range(self.context.request.width))
            else:
                yield item, cause

    def _all_needed(self) -> Iterator[tuple[Item, Cause]]:
        entered: dict[Loop, None] = {}  # in order, as are the places of the tape
        for block, step in self.reversal.steps.items():
            for i in block.instructions:
                yield from ((item, i) for item in self._reads(i))
            if isinstance(step, Choice) or (isinstance(step, Header) and len(step.latches) > 1):
                yield Item(ItemKind.EDGE, block), block
            for target in self.reversal.targets(step):
                entered.update(dict.fromkeys(self.reversal.entered_loops(block, target)))
        for loop in entered:
            yield Item(ItemKind.COUNT, loop), loop

    def _reads(self, i: ir.Instruction) -> Iterator[Item]:
        if isinstance(i, ir.CallBase):
            yield from self._call_reads(i)
        elif isinstance(i, ir.Alloca) and self.cleared(i):
            yield shadow(i)
            yield from (primal(operand) for operand in i.operands)
        else:
            yield from reads(self.activity, i, self.partials)

    def _call_reads(self, i: ir.CallBase) -> Iterator[Item]:
        kind, effects = self.kinds[i]
        match kind:
            case CallKind.MATH if self.activity.is_active(i):
                assert effects is not None
                assert isinstance(effects.known, ScalarFunction)
                partials = self.context.twins.partials(i, effects.known, before=False)
                yield from rule_reads(self.activity, i, partials, i.arguments)
            case CallKind.MULTIPLE:
                assert effects is not None
                assert isinstance(effects.known, MultipleFunction)
                yield from (primal(i.arguments[at]) for at in effects.known.rule.operands)
                for at in effects.writes:
                    if self.activity.memory_active(i.arguments[at]):
                        yield from accessed(self.activity, i.arguments[at])
            case CallKind.TRANSFER:
                yield from self._transfer_reads(i, effects)
            case CallKind.ALLOCATION:
                yield from self._allocation_reads(i, effects)
            case CallKind.DERIVE:
                yield from self._derived_reads(i)
            case CallKind.JOINT:
                for part in self.joint[i].signature.parameters:
                    if part.role is Role.SHADOW:
                        yield shadow(i.arguments[part.index])
                    elif part.role is Role.PRIMAL and not self.is_passed(i, part.index):
                        yield primal(i.arguments[part.index])
            case CallKind.PLAIN if (memory := checked_shadow(i)) is not None and self.activity.memory_active(memory):
                yield from accessed(self.activity, memory)
                length = checked_length(i)
                if length is not None:
                    yield primal(length)
            case _:
                pass

    def _transfer_reads(self, i: ir.CallBase, effects: CallEffects | None) -> Iterator[Item]:
        assert effects is not None
        destination = i.arguments[effects.known.destination]  # type: ignore[union-attr]
        if not self.activity.memory_active(destination):
            return
        yield primal(i.arguments[effects.known.length])  # type: ignore[union-attr]
        yield from accessed(self.activity, destination)
        if effects.copies is not None and self.activity.memory_active(i.arguments[effects.copies[1]]):
            yield from accessed(self.activity, i.arguments[effects.copies[1]])

    def _allocation_reads(self, i: ir.CallBase, effects: CallEffects | None) -> Iterator[Item]:
        assert effects is not None
        known = effects.known
        assert isinstance(known, Allocation)
        if self.cleared(i):
            if known.reallocated is not None or known.stored is not None:
                raise UnsupportedError(
                    f"cannot use a tape twice where active memory comes from '{getattr(i.callee, 'name', '')}'",
                    location=self.context.location(i),
                    hint="make a new tape for each reverse pass (without enzyme_nofree)",
                    code="E0342",
                )
            yield shadow(i)
            yield from (primal(i.arguments[at]) for at in known.sizes)
        if effects.resizes is not None:
            if self.activity.memory_active(i):
                yield shadow(i)
                yield from accessed(self.activity, i.arguments[effects.resizes])
                yield Item(ItemKind.TAPE, i)
        elif i in self.heap.matched:
            yield primal(i)
            if self.activity.has_shadow(i):
                yield shadow(i)
            if known.alignment is not None:
                yield primal(i.arguments[known.alignment])
            yield from (primal(i.arguments[at]) for at in known.freed_with if at >= 0)

    def is_passed(self, call: ir.CallBase, at: int) -> bool:
        """Is this argument of an iteration a number whose value its derivative does not depend on?"""
        assert isinstance(call.callee, Function)
        return at in self.engine.program.iterations[call.callee.name].passed

    def _derived_reads(self, i: ir.CallBase) -> Iterator[Item]:
        split = self.derived.get(i)
        if split is None:
            return
        for part, used in zip(split.reverse.signature.parameters, split.used, strict=True):
            if not used:
                continue
            match part.role:
                case Role.PRIMAL:
                    yield primal(i.arguments[part.index])
                case Role.SHADOW:
                    yield shadow(i.arguments[part.index])
                case Role.TAPE:
                    yield Item(ItemKind.TAPE, i)
                case _:
                    pass
