"""The plan of a function in words: what is kept, what is had again, and why.

Nothing is decided here. The plan, the layout of its arrays and what reads the items are those that the derivative is
built from; `reasons` puts the decisions into words.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from enzyme_build.analysis.needed import Item, ItemKind
from enzyme_build.analysis.request import Mode
from enzyme_build.analysis.snapshots import Snapshot
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Block
from enzyme_build.ir.types import VOID
from enzyme_build.ir.values import ConstantInt

from .calls import CallKind
from .named_numbers import NamedNumbers
from .reasons import Reasons
from .report import Again, Argument, FunctionPlan, How, Kept, LoopPlan, Need, Storage, What, Why, Work
from .source_names import SourceNames
from .sweep import is_static
from .tape import Class
from .tape_layout import Unknown, fits_stack, reservation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from enzyme_build.analysis.loops import Loop
    from enzyme_build.analysis.request import Request

    from .context import Context
    from .engine import Engine
    from .prepare import Cause, Prepared
    from .report import Chain
    from .tape import Slot
    from .tape_layout import Reservation

_MOST_NEEDS = 4
_FAR = 256
"""Steps of recomputation that are followed from what is kept to what needs it."""
_MODES = {
    Mode.FORWARD: "forward mode",
    Mode.COMBINED: "reverse mode",
    Mode.SPLIT: "reverse mode in two passes",
}
_KINDS = {
    ItemKind.PRIMAL: What.VALUE,
    ItemKind.SHADOW: What.SHADOW,
    ItemKind.EDGE: What.BRANCH,
    ItemKind.COUNT: What.COUNT,
    ItemKind.TAPE: What.TAPE,
    ItemKind.SNAPSHOT: What.COPY,
}


def explained(engine: Engine, prepared: Prepared) -> FunctionPlan:
    """The plan of a function in reverse mode."""
    return _Explainer(engine, prepared).plan()


def explained_forward(engine: Engine, context: Context) -> FunctionPlan:
    """What carries tangents in forward mode, which keeps nothing."""
    return _described(engine, context, SourceNames(context))


def _described(engine: Engine, context: Context, names: SourceNames) -> FunctionPlan:
    request = context.request
    mode = _MODES[request.mode]
    arguments = zip(context.function.arguments, request.arguments, strict=True)
    has_result = context.function.function_type.result is not VOID
    iteration = engine.program.iterations.get(request.function)
    name = names.name if iteration is None else f"an iteration of {iteration.host.name}, run again alone"
    if (host := engine.program.sorts.hosts.get(request.function)) is not None:
        name = f"a sort of {host.name}"
    checkpointed = engine.program.checkpoints.get(request.function)
    if checkpointed is not None:
        part = "a checkpointed step" if request.function == checkpointed.step.name else "the checkpointed loop"
        name = f"{part} of {checkpointed.host.name}"
    return FunctionPlan(
        number=engine.plan_number(request),
        symbol=request.function,
        name=name,
        mode=mode if request.width == 1 else f"{mode}, {request.width} directions",
        is_asked=engine.is_root(context.function),
        is_recursive=engine.is_recursive(request.function),
        place=names.place,
        arguments=tuple(
            Argument(names.variable(a) or names.memory(a) or f"argument {a.index + 1}", kind.value)
            for a, kind in arguments
        ),
        result=request.result.value if has_result else "",
        work=_work(context, names),
    )


def _work(context: Context, names: SourceNames) -> tuple[Work, ...]:
    """The operations on numbers of each place."""
    active: Counter[Chain] = Counter()
    constant: Counter[Chain] = Counter()
    for block in context.facts.returning.order:
        for i in block.instructions:
            number = i.value if isinstance(i, ir.Store) else i
            if not number.type.is_float_like or isinstance(i, ir.Phi):
                continue
            carries = context.activity.memory_active(i.pointer) if isinstance(i, ir.Store) else False
            (active if carries or context.activity.is_active(number) else constant)[names.chain(i)] += 1
    return tuple(Work(at, active[at], constant[at]) for at in dict.fromkeys([*active, *constant]))


class _Explainer:
    def __init__(self, engine: Engine, prepared: Prepared) -> None:
        self.engine = engine
        self.prepared = prepared
        self.context = prepared.context
        self.tape = prepared.plan
        self.sources = prepared.sources
        self.names = SourceNames(prepared.context)
        self.lengths = NamedNumbers(self.names)
        self.forest = self.context.facts.loops
        self.numbers = {loop: number for number, loop in enumerate(self.forest.loops)}
        self.causes: dict[Item, dict[Cause, None]] = {}
        """What reads an item itself."""
        for item, cause in prepared.needed():
            self.causes.setdefault(item, {})[cause] = None
        self.reasons = Reasons(prepared, self.names, self.causes)
        self.users: dict[Item, list[Item]] = {}
        """Items that are computed again from an item."""
        for item, decision in self.tape.classes.items():
            if decision is Class.RECOMPUTED:
                for used in self.sources.of(item)[1]:
                    self.users.setdefault(used, []).append(item)

    def plan(self) -> FunctionPlan:
        kept = [self._kept(slot) for slot in self._first_lanes()]
        kept += self._memory()
        by_loop: dict[Loop, list[Slot]] = {}
        for slot in self.tape.slots.values():
            if slot.loop is not None:
                by_loop.setdefault(slot.loop, []).append(slot)
        loops = tuple(self._loop(loop, by_loop.get(loop, [])) for loop in self.forest.loops)
        plain = _described(self.engine, self.context, self.names)
        return replace(
            plain, loops=loops, kept=tuple(kept), again=tuple(self._again()), advice=tuple(self.reasons.advice())
        )

    # Loops ---------------------------------------------------------------------------------------------------------

    def _loop(self, loop: Loop, slots: list[Slot]) -> LoopPlan:
        found = reservation(self.sources, self.context.facts, loop)
        each = sum(self.context.layout.alloc_size(slot.type) for slot in slots)
        count = self.sources.count(loop)
        first, last = self.lengths.iterations(count, loop)
        return LoopPlan(
            number=self.numbers[loop],
            parent=None if loop.parent is None else self.numbers[loop.parent],
            place=self.names.of_loop(loop),
            iterations=first if last is not None else None,
            until=last if last != first and first is not None else None,
            is_counted=count is not None,
            storage=self._storage(found, each),
            bytes=each,
            known_at=None if found.place is None else self.numbers[found.place],
            why=self._why_unknown(loop, found) if each else "",
            is_reversed=loop in self.prepared.reversal.working_loops,
            is_upward=loop in self.prepared.reversal.upward,
        )

    def _storage(self, found: Reservation, each: int) -> Storage:
        if not each:
            return Storage.NONE
        if found.place is None:
            return Storage.GROWING
        if not found.is_exact:
            return Storage.ENTRY
        small = found.constant is not None and fits_stack(found.constant, each) and not self.prepared.split
        return Storage.STACK if small else Storage.EXACT

    def _why_unknown(self, loop: Loop, found: Reservation) -> str:
        match found.stopped:
            case None:
                return ""
            case Unknown.COUNT:
                exits = [edge for edge in loop.exit_edges if edge[1] in self.context.facts.returning.index]
                if len(exits) > 1:
                    return "the loop can be left in several places"
                return "whether it goes on is not a comparison of a counter with a limit known before"
            case Unknown() as stopped:
                return str(stopped.value)

    # Kept ----------------------------------------------------------------------------------------------------------

    def _first_lanes(self) -> Iterable[Slot]:
        return (slot for item, slot in self.tape.slots.items() if not item.lane)

    def _kept(self, slot: Slot) -> Kept:
        item = slot.item
        lanes = self.context.request.width if item.kind is ItemKind.SHADOW else 1
        why, reason, because = self.reasons.kept(item)
        causes = self._readers(item)
        needs = dict.fromkeys(Need(*self.reasons.need(cause, item)) for cause in causes)
        subject = item.subject
        request = self.prepared.requests.get(subject) if isinstance(subject, ir.CallBase) else None
        return Kept(
            what=_KINDS[item.kind],
            name=self.reasons.name(item),
            bytes=self.context.layout.alloc_size(slot.type) * lanes,
            type=slot.type.text,
            loop=None if slot.loop is None else self.numbers[slot.loop],
            place=self.reasons.place(item),
            why=why,
            reason=reason,
            because=because,
            needs=tuple(needs)[:_MOST_NEEDS],
            more_needs=max(0, len(needs) - _MOST_NEEDS),
            copied=self._copied(subject) if isinstance(subject, Snapshot) else (),
            callee=self._callee(request) if item.kind is ItemKind.TAPE else None,
        )

    def _callee(self, request: Request | None) -> int | None:
        if request is None or request.function in self.engine.custom.rules:
            return None
        return self.engine.plan_number(request)

    def _readers(self, item: Item) -> list[Cause]:
        """What reads an item, also through others that are computed from it."""
        found: dict[Cause, None] = {}
        pending, seen = [item], {item}
        while pending and len(seen) < _FAR:
            current = pending.pop(0)
            found.update(self.causes.get(current, {}))
            fresh = [user for user in self.users.get(current, ()) if user not in seen]
            seen.update(fresh)
            pending += fresh
        return list(found)

    def _copied(self, snapshot: Snapshot) -> tuple[str | None, ...]:
        """The factors of the bytes of a copy."""
        found = self.context.snapshots.size_of(snapshot.base)
        assert found is not None
        size, values = found
        return (*([str(size)] if size > 1 else []), *(self.lengths.number(v) for v in values))

    def _memory(self) -> Iterable[Kept]:
        """Local memory that cannot be on the stack, since the reverse sweep needs it, and what is freed late."""
        for block in self.context.facts.returning.order:
            for i in block.instructions:
                if isinstance(i, ir.Alloca):
                    if not is_static(self.context.function, i) or self.prepared.split:
                        yield self._local(i)
                elif isinstance(i, ir.CallBase) and self.prepared.kinds[i][0] is CallKind.DEALLOCATION:
                    late = self.reasons.late_release(i)
                    if late is not None:
                        yield late

    def _local(self, i: ir.Alloca) -> Kept:
        loop = self.forest.loop_of(i.block)
        copies = 1 + (self.context.request.width if self.context.activity.has_shadow(i) else 0)
        size = self.context.layout.alloc_size(i.allocated_type) * copies
        count = i.operands[0] if i.operands else None
        return Kept(
            what=What.MEMORY,
            name=self.names.memory(i) or "memory",
            bytes=size if count is None else size * count.value if isinstance(count, ConstantInt) else None,
            type=i.allocated_type.text,
            loop=None if loop is None else self.numbers[loop],
            place=self.names.chain(i),
            why=Why.MEMORY,
            reason="it has to last until the reverse sweep" + (", with its adjoints" if copies > 1 else ""),
        )

    # Again ---------------------------------------------------------------------------------------------------------

    def _again(self) -> Iterable[Again]:
        for item, decision in self.tape.classes.items():
            if decision is not Class.RECOMPUTED or item.lane:
                continue
            subject = item.subject
            if item.kind is ItemKind.PRIMAL and isinstance(subject, ir.Load) and subject.type.is_float_like:
                yield Again(
                    How.READ, self.reasons.name(item), self.reasons.read_again(subject), self.names.chain(subject)
                )
            elif item.kind is ItemKind.EDGE:
                assert isinstance(subject, Block)
                place = self.reasons.place(item)
                yield Again(How.COMPUTED, self.reasons.name(item), "its condition can be had again", place)
            elif isinstance(subject, ir.Instruction) and subject.type.is_float_like and item.kind is ItemKind.PRIMAL:
                yield Again(
                    How.COMPUTED,
                    self.reasons.name(item),
                    "from what is there anyway, which is cheaper than keeping it",
                    self.names.chain(subject),
                )
