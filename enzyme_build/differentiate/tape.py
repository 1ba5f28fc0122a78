"""The plan of the tape: which needed items are kept, and which are computed or read again.

Items depend on each other as their instructions do. An item is *free* (argument, constant, place on the stack), can be
*recomputed* from others (cheap arithmetic, addresses, loads whose memory survives, induction variables from the
iteration number), or is a *source* that only the forward sweep can give (calls, divisions, overwritten memory, phis).
What is kept is a minimum cut between the sources and the items that the reverse sweep reads, each item weighted with
its bytes times an estimate of how often it is executed (Ford and Fulkerson, "Maximal flow through a network", 1956).
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from enzyme_build.analysis.counts import leaves as count_leaves
from enzyme_build.analysis.known import is_cheap_intrinsic
from enzyme_build.analysis.needed import Item, ItemKind, primal, shadow
from enzyme_build.analysis.snapshots import Snapshot
from enzyme_build.errors import InternalError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import I8, I32, I64, PTR, IntType, PointerType, Type
from enzyme_build.ir.values import Argument, Constant, NullPointer, Value
from enzyme_build.records import dataclass

from .kept import kept_pointers
from .mincut import minimum_cut
from .sweep import is_static

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from enzyme_build.analysis.counts import Count
    from enzyme_build.analysis.loops import Loop
    from enzyme_build.ir.function import Block

    from .context import Context
    from .control_flow import Reversal

_CHEAP_OPS = frozenset(
    "add sub mul shl lshr ashr and or xor fadd fsub fmul".split()  # noqa: SIM905
)
_ITERATIONS = 32
"""Assumed iterations of a loop, for weighing."""
_FEW = 12
"""Operations that are nothing beside keeping a number."""
_COPYING = 8
"""A copy of an array must save that much: a loop that keeps what it has in registers is quick, too."""


class Kind(Enum):
    FREE = "free"
    RECOMPUTED = "recomputed"
    SOURCE = "source"


class Class(Enum):
    """What the plan decided for an item."""

    FREE = "free"
    RECOMPUTED = "recomputed"
    KEPT = "kept"


@dataclass(frozen=True, slots=True)
class Slot:
    """One place of the tape: a variable, or with `loop` one element per iteration of it (and of its parents)."""

    item: Item
    type: Type
    loop: Loop | None
    name: str


class Sources:
    """How each item could be had in the reverse sweep."""

    def __init__(self, context: Context, reversal: Reversal, tape_types: Mapping[object, Type], *, split: bool) -> None:
        self.context = context
        self.reversal = reversal
        self.split = split
        self.moves = split and any(context.request.overwritten[: len(context.function.arguments)])
        """May the passes be given different memory? What addresses tell of each other is then known in the first only:
        some come from the tape, others from arguments."""
        self.tape_types = tape_types
        self.counts: dict[Loop, Count | None] = {}

    def count(self, loop: Loop) -> Count | None:
        """How often the loop goes round, from values available in front of it."""
        if loop not in self.counts:
            self.counts[loop] = self.context.facts.evolution.backedge_count(loop)
        return self.counts[loop]

    def of(self, item: Item) -> tuple[Kind, tuple[Item, ...]]:
        """The kind of an item, and what it is recomputed from."""
        match item.kind:
            case ItemKind.PRIMAL:
                return self._value(item, item.subject)  # type: ignore[arg-type]
            case ItemKind.SHADOW:
                return self._shadow(item.subject, item.lane)  # type: ignore[arg-type]
            case ItemKind.EDGE:
                found = self.reversal.deciding_condition(item.subject)  # type: ignore[arg-type]
                return (Kind.RECOMPUTED, _items(primal, [found[0]])) if found else (Kind.SOURCE, ())
            case ItemKind.COUNT:
                count = self.count(item.subject)  # type: ignore[arg-type]
                if count is None:
                    return Kind.SOURCE, ()
                parts = [*count_leaves(count)]
                if self.moves and any(isinstance(part.type, PointerType) for part in parts):
                    return Kind.SOURCE, ()
                return Kind.RECOMPUTED, _items(primal, parts)
            case ItemKind.TAPE | ItemKind.SNAPSHOT:
                return Kind.SOURCE, ()

    def snapshot(self, load: ir.Load) -> Snapshot | None:
        """The copy that a load that would have to be kept can be read from."""
        return None if self.context.aliasing.survives(load) else self.context.snapshots.of(load)

    def _value(self, item: Item, v: Value) -> tuple[Kind, tuple[Item, ...]]:
        del item
        if isinstance(v, Constant | Argument):
            return Kind.FREE, ()
        match v:
            case ir.Alloca():
                static = is_static(self.context.function, v)
                return (Kind.FREE if static and not self.split else Kind.SOURCE), ()
            case ir.Phi():
                return self._phi(v, None)
            case ir.Load():
                if self.context.aliasing.survives(v):
                    return Kind.RECOMPUTED, _items(primal, [v.pointer])
                copied = self.snapshot(v)
                if copied is not None:
                    return Kind.RECOMPUTED, (Item(ItemKind.SNAPSHOT, copied), *_items(primal, [v.pointer, copied.base]))
            case ir.Cast(op="ptrtoint") | ir.Compare() if self.moves and _tells_address(v):
                pass
            case ir.Binary() if v.op in _CHEAP_OPS:
                return Kind.RECOMPUTED, _items(primal, v.operands)
            case ir.Cast() | ir.Compare() | ir.Select() | ir.GetElementPtr() | ir.Negate():
                return Kind.RECOMPUTED, _items(primal, v.operands)
            case ir.ExtractValue() | ir.InsertValue() | ir.ExtractElement() | ir.InsertElement() | ir.ShuffleVector():
                return Kind.RECOMPUTED, _items(primal, v.operands)
            case ir.Call() if is_cheap_intrinsic(v):
                return Kind.RECOMPUTED, _items(primal, v.arguments)
            case _:
                pass
        return Kind.SOURCE, ()

    def _phi(self, v: ir.Phi, lane: int | None) -> tuple[Kind, tuple[Item, ...]]:
        """An induction variable is start + iteration · step; others are computed along where the loop runs upward."""
        found = self.induction(v)
        if found is None:
            turned = self.first_and_rest(v)
            if turned is not None:
                return Kind.RECOMPUTED, _items(primal if lane is None else _shadow_of(lane), turned)
            along = self.recurrence(v) if lane is None else None
            return (Kind.RECOMPUTED, _items(primal, along)) if along is not None else (Kind.SOURCE, ())
        start, step = found
        items = _items(primal if lane is None else _shadow_of(lane), [start])
        return Kind.RECOMPUTED, (*items, *_items(primal, [step] if isinstance(step, Value) else []))

    def first_and_rest(self, v: ir.Phi) -> tuple[Value, Value] | None:
        """(in the first iteration, in all others) of a phi of a loop's header that is the same from the second on."""
        loop = self.context.facts.loops.loop_of(v.block)
        if loop is None or loop.header is not v.block or loop.preheader is None or loop.latch is None:
            return None
        rest = v.incoming(loop.latch)
        inside = isinstance(rest, ir.Instruction) and rest.block in loop.blocks
        return (v.incoming(loop.preheader), rest) if not inside else None

    def recurrence(self, v: ir.Phi) -> tuple[Value, Value] | None:
        """(in the first iteration, in the next one) of a phi of the header of a loop that is reversed upward."""
        loop = self.context.facts.loops.loop_of(v.block)
        if loop is None or loop not in self.reversal.upward or loop.header is not v.block:
            return None
        if self.induction(v) is not None or self.first_and_rest(v) is not None:
            return None
        assert loop.preheader is not None
        assert loop.latch is not None
        return v.incoming(loop.preheader), v.incoming(loop.latch)

    def induction(self, v: ir.Phi) -> tuple[Value, int | Value] | None:
        """(start, step) of an affine phi of a loop header; the step in bytes for a pointer."""
        loop = self.context.facts.loops.loop_of(v.block)
        if loop is None or loop.header is not v.block or loop.preheader is None:
            return None
        if not isinstance(v.type, IntType | PointerType):
            return None
        affine = self.context.facts.evolution.affine(v, loop)
        if affine is None:
            return None
        step = constant_of(affine.step)
        if step is None:
            return None
        return v.incoming(loop.preheader), step

    def _shadow(self, v: Value, lane: int) -> tuple[Kind, tuple[Item, ...]]:
        if isinstance(v, Constant | Argument):
            return Kind.FREE, ()
        if not self.context.activity.has_shadow(v) and isinstance(v.type, PointerType):
            return Kind.RECOMPUTED, _items(primal, [v])  # constant memory is its own shadow
        shadow = _shadow_of(lane)
        match v:
            case ir.Alloca():
                static = is_static(self.context.function, v)
                return (Kind.FREE if static and not self.split else Kind.SOURCE), ()
            case ir.Phi():
                return self._phi(v, lane)
            case ir.Load():
                # The shadow of kept memory is found by its address, in the call that runs the forward sweep.
                kept = bool(kept_pointers(self.context, v))
                if self.context.aliasing.survives(v) and not (kept and self.split):
                    return Kind.RECOMPUTED, (*_items(shadow, [v.pointer]), *_items(primal, [v] if kept else []))
            case ir.GetElementPtr():
                return Kind.RECOMPUTED, (*_items(shadow, v.operands[:1]), *_items(primal, v.operands[1:]))
            case ir.Select():
                return Kind.RECOMPUTED, (*_items(primal, v.operands[:1]), *_items(shadow, v.operands[1:]))
            case ir.Cast() if v.op == "addrspacecast":
                return Kind.RECOMPUTED, _items(shadow, v.operands)
            case ir.ExtractValue():
                return Kind.RECOMPUTED, _items(shadow, v.operands)
            case _:
                pass
        return Kind.SOURCE, ()

    def costs_nothing(self, item: Item) -> bool:
        """Can the item be had again by a few cheap operations, without keeping anything in a loop?"""
        pending, seen = [item], {item}
        while pending and len(seen) <= _FEW:
            current = pending.pop()
            if isinstance(current.subject, Constant | Argument):
                continue
            kind, items = self.of(current)
            if kind is Kind.SOURCE and self.loop(current) is not None:
                return False
            fresh = [i for i in items if i not in seen]
            pending += fresh
            seen.update(fresh)
        return not pending

    # Weights and places --------------------------------------------------------------------------------------------

    def loop(self, item: Item) -> Loop | None:
        """The innermost loop in which the item has one value per iteration."""
        loops = self.context.facts.loops
        match item.kind:
            case ItemKind.EDGE:
                return loops.loop_of(item.subject)  # type: ignore[arg-type]
            case ItemKind.COUNT:
                return item.subject.parent  # type: ignore[attr-defined,no-any-return]
            case ItemKind.SNAPSHOT:
                return item.subject.loop.parent  # type: ignore[attr-defined,no-any-return]
            case _:
                return loops.loop_of(item.subject.block)  # type: ignore[attr-defined]

    def type(self, item: Item) -> Type:
        """The type the item is kept as."""
        match item.kind:
            case ItemKind.EDGE:
                block: Block = item.subject  # type: ignore[assignment]
                return I8 if len(self.context.facts.returning.predecessors[block]) < 128 else I32
            case ItemKind.COUNT:
                return I64
            case ItemKind.SNAPSHOT:
                return PTR
            case ItemKind.TAPE:
                return self.tape_types[item.subject]
            case ItemKind.SHADOW:
                return item.subject.type  # type: ignore[attr-defined,no-any-return]
            case _:
                type_: Type = item.subject.type  # type: ignore[attr-defined]
                if isinstance(type_, IntType) and type_.bits < 8:
                    return I8
                return type_


@dataclass(frozen=True, eq=False, slots=True)
class Plan:
    """The decision for every item the reverse sweep may ask for."""

    classes: Mapping[Item, Class]
    slots: Mapping[Item, Slot]
    sources: Sources
    loops: Mapping[Loop, None]
    """Those with kept items, one element per iteration; in the order of the slots."""

    def of(self, item: Item) -> Class:
        found = self.classes.get(item)
        if found is None:
            kind, _ = self.sources.of(item)
            if kind is Kind.FREE:
                return Class.FREE
            raise InternalError(f"the reverse sweep asks for {item}, which nobody planned")
        return found

    def recurrences(self, loop: Loop) -> list[ir.Phi]:
        """What is computed along with the iterations of a loop that is reversed upward."""
        phis = (phi for phi in loop.header.phis if self.classes.get(primal(phi)) is Class.RECOMPUTED)
        return [phi for phi in phis if self.sources.recurrence(phi) is not None]

    @property
    def snapshots(self) -> list[Snapshot]:
        """The copies that are kept."""
        return [item.subject for item in self.slots if isinstance(item.subject, Snapshot)]


def make_plan(sources: Sources, needed: Iterable[Item]) -> Plan:
    """Keep a minimum cut between what must be kept and what is needed."""
    needed = list(dict.fromkeys(needed))
    kinds: dict[Item, tuple[Kind, tuple[Item, ...]]] = {}
    pending = list(needed)
    while pending:
        item = pending.pop()
        if item not in kinds:
            kinds[item] = sources.of(item)
            pending.extend(kinds[item][1])
    kept = minimum_cut(
        {item: items for item, (kind, items) in kinds.items() if kind is not Kind.FREE},
        {item for item, (kind, _) in kinds.items() if kind is Kind.SOURCE},
        needed,
        lambda item: _weight(sources, item),
    )
    # A kept item makes what only it was computed from unnecessary.
    classes: dict[Item, Class] = {}
    pending = list(needed)
    while pending:
        item = pending.pop()
        if item in classes:
            continue
        kind, items = kinds[item]
        if item in kept:
            classes[item] = Class.KEPT
        elif kind is Kind.FREE:
            classes[item] = Class.FREE
        else:
            classes[item] = Class.RECOMPUTED
            pending.extend(items)
    slots = {
        item: Slot(item, sources.type(item), sources.loop(item), f"kept.{number}")
        for number, item in enumerate(i for i, decision in classes.items() if decision is Class.KEPT)
    }
    return Plan(classes, slots, sources, {slot.loop: None for slot in slots.values() if slot.loop is not None})


def _weight(sources: Sources, item: Item) -> int:
    """Bytes times estimated executions."""
    loop = sources.loop(item)
    times: int = _ITERATIONS ** min(loop.depth, 4) if loop is not None else 1
    if isinstance(item.subject, Snapshot):
        return _COPYING * times * sources.context.snapshots.weight(item.subject, _ITERATIONS)
    size = max(1, sources.context.layout.alloc_size(sources.type(item)))
    return min(size, 256) * times if loop is not None else 1


def _tells_address(v: ir.Cast | ir.Compare) -> bool:
    """Does the result depend on where a pointer leads, other than to nothing?"""
    pointers = any(isinstance(operand.type, PointerType) for operand in v.operands)
    return pointers and not any(isinstance(operand, NullPointer) for operand in v.operands)


def _shadow_of(lane: int) -> Callable[[Value], Item]:
    return lambda value: shadow(value, lane)


def _items(make: object, values: Iterable[Value]) -> tuple[Item, ...]:
    return tuple(make(v) for v in values if not isinstance(v, Constant | Argument))  # type: ignore[operator]


def constant_of(count: object) -> int | None:
    """The signed value of a constant step."""
    from enzyme_build.analysis.counts import Const, signed

    return signed(count.value, count.bits) if isinstance(count, Const) else None
