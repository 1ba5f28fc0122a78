"""Gives the reverse sweep the items of the forward sweep: read from the tape, or computed or read again.

What is emitted for one item is remembered until the reverse block ends, so that an item is recalled once per block.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from enzyme_build.analysis.needed import Item, ItemKind, primal, shadow
from enzyme_build.errors import InternalError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import I8, I64, PTR, IntType, PointerType, Type
from enzyme_build.ir.values import Constant, Value, const_int

from .expand import expand_count
from .kept import kept_pointers
from .memory_scopes import joined
from .metadata import kept_metadata
from .tape import Class

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from enzyme_build.analysis.loops import Loop
    from enzyme_build.analysis.snapshots import Snapshot
    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.function import Block

    from .frame import Frame
    from .sweep import Sweep
    from .tape import Plan, Slot


class Recall:
    """Recalls items at a builder; `values` and `shadows` (by lane) hold what is free."""

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        plan: Plan,
        builder: Builder,
        frame: Frame,
        values: Mapping[Value, Value],
        shadows: Sequence[Mapping[Value, Value]],
        forward: Sweep,
    ) -> None:
        self.plan = plan
        self.b = builder
        self.frame = frame
        self.values = values
        self.shadows = shadows
        self.forward = forward
        self.context = forward.context
        self._memo: dict[object, Value] = {}
        self.place: Block | None = None
        """The primal block that is reversed, if known: values of iterations are those of the loops around it."""

    def new_block(self) -> None:
        """Forget what was recalled: the builder is somewhere else now."""
        self._memo = {}

    def value(self, v: Value) -> Value:
        """A primal value."""
        return v if isinstance(v, Constant) else self.item(primal(v))

    def shadow(self, v: Value) -> Value:
        """A shadow pointer, in the lane being emitted."""
        if isinstance(v, Constant):
            return self._constant_shadow(v)
        return self.item(shadow(v, self.forward.lanes.current))

    def _constant_shadow(self, v: Constant) -> Value:
        here, self.forward.b = self.forward.b, self.b
        try:
            return self.forward.shadow(v)
        finally:
            self.forward.b = here

    def item(self, item: Item) -> Value:
        found = self._memo.get(item)
        if found is None:
            found = self._memo[item] = self._recall(item)
        return found

    def _recall(self, item: Item) -> Value:
        match self.plan.of(item):
            case Class.FREE:
                return self._free(item)
            case Class.KEPT:
                return self._kept(self.plan.slots[item], item)
            case Class.RECOMPUTED:
                return self._again(item)

    def _free(self, item: Item) -> Value:
        v: Value = item.subject  # type: ignore[assignment]
        if item.kind is ItemKind.SHADOW:
            # The shadow of a constant argument is the argument.
            return self.shadows[item.lane].get(v) or self.values[v]
        return self.values[v]

    # The tape ------------------------------------------------------------------------------------------------------

    def _kept(self, slot: Slot, item: Item) -> Value:
        if slot.loop is None:
            value: Value = self.b.load(slot.type, self.frame.variable(slot, slot.type, name=slot.name))
        else:
            buffer = self.b.load(PTR, self.frame.variable(("buffer", slot), PTR))
            address = self.b.gep(slot.type, buffer, [self.index(slot.loop)], "inbounds")
            value = self.b.load(slot.type, address, metadata=self.context.scopes.tape)
        wanted: Type = slot.type
        if item.kind is ItemKind.PRIMAL:
            wanted = item.subject.type  # type: ignore[attr-defined]
        return value if wanted is slot.type else self.b.cast("trunc", value, wanted)

    def along(self, phi: ir.Phi) -> Value:
        """Where a recurrence of a loop that is reversed upward is computed along."""
        return self.frame.variable(("along", phi), phi.type, name=phi.name or "along")

    def iteration(self, loop: Loop) -> Value:
        """The iteration of this entry of the loop that is being reversed."""
        if self.place is not None and self.place not in loop.blocks:
            raise InternalError(f"the reverse of {self.place} asks for a value of one iteration of {loop}")
        key = ("iteration", loop)
        found = self._memo.get(key)
        if found is None:
            found = self._memo[key] = self.b.load(I64, self.frame.variable(("reverse", loop), I64, name="reverse"))
        return found

    def index(self, loop: Loop) -> Value:
        """The element of the loop's arrays."""
        key = ("index", loop)
        found = self._memo.get(key)
        if found is None:
            iteration = self.iteration(loop)
            found = iteration
            if loop.parent is not None:
                base = self.b.load(I64, self.frame.variable(("base", loop), I64))
                found = self.b.add(base, iteration, "nuw nsw")
            self._memo[key] = found
        return found

    # Again ---------------------------------------------------------------------------------------------------------

    def _again(self, item: Item) -> Value:
        match item.kind:
            case ItemKind.PRIMAL:
                return self._value_again(item.subject)  # type: ignore[arg-type]
            case ItemKind.SHADOW:
                return self._shadow_again(item.subject)  # type: ignore[arg-type]
            case ItemKind.EDGE:
                return self._edge_again(item)
            case ItemKind.COUNT:
                count = self.plan.sources.count(item.subject)  # type: ignore[arg-type]
                assert count is not None
                return expand_count(self.b, self.context.module, count, self.value)
            case _:
                raise InternalError(f"{item} cannot be computed again")

    def _edge_again(self, item: Item) -> Value:
        found = self.plan.sources.reversal.deciding_condition(item.subject)  # type: ignore[arg-type]
        assert found is not None
        condition, then, otherwise = found
        type_ = self.plan.sources.type(item)
        return self.b.select(self.value(condition), const_int(type_, then), const_int(type_, otherwise))

    def _value_again(self, v: Value) -> Value:
        if isinstance(v, ir.Phi):
            if self.plan.sources.recurrence(v) is not None:
                return self.b.load(v.type, self.along(v))
            return self._phi_again(v, shadowed=False)
        assert isinstance(v, ir.Instruction)
        copied = self.plan.sources.snapshot(v) if isinstance(v, ir.Load) else None
        if copied is not None:
            return self._clone(v, [self._in_snapshot(v.operands[0], copied)])
        again = self._clone(v, [self.value(operand) for operand in v.operands])
        if isinstance(v, ir.Load):
            again.metadata = joined(again.metadata, self.context.scopes.primal)
        return again

    def _in_snapshot(self, pointer: Value, copied: Snapshot) -> Value:
        """Where the copy has what is behind the pointer."""
        address, base = (self.b.cast("ptrtoint", self.value(v), I64) for v in (pointer, copied.base))
        memory = self.item(Item(ItemKind.SNAPSHOT, copied))
        return self.b.gep(I8, memory, [self.b.binary("sub", address, base)], "inbounds")

    def _clone(self, v: ir.Instruction, operands: list[Value]) -> ir.Instruction:
        new = copy.copy(v)
        new.operands = operands
        new.metadata = kept_metadata(v)
        return self.b.insert(new)

    def _shadow_again(self, v: Value) -> Value:
        if isinstance(v.type, PointerType) and not self.context.activity.has_shadow(v):
            return self.value(v)
        match v:
            case ir.Phi():
                return self._phi_again(v, shadowed=True)
            case ir.Load():
                return self._loaded_again(v)
            case ir.GetElementPtr():
                return self._clone(v, [self.shadow(v.operands[0]), *(self.value(o) for o in v.operands[1:])])
            case ir.Select():
                return self._clone(v, [self.value(v.operands[0]), *(self.shadow(o) for o in v.operands[1:])])
            case ir.Cast() | ir.ExtractValue():
                return self._clone(v, [self.shadow(v.operands[0])])
            case _:
                raise InternalError("this shadow cannot be computed again")

    def _loaded_again(self, v: ir.Load) -> Value:
        loaded = self._clone(v, [self.shadow(v.pointer)])
        if not kept_pointers(self.context, v):
            return loaded
        value = self.value(v)
        here, self.forward.b = self.forward.b, self.b
        try:
            return self.forward.kept.loaded(v, value, loaded, again=True)
        finally:
            self.forward.b = here

    def _phi_again(self, v: ir.Phi, *, shadowed: bool) -> Value:
        found = self.plan.sources.induction(v)
        loop = self.context.facts.loops.loop_of(v.block)
        assert loop is not None
        if found is None:
            turned = self.plan.sources.first_and_rest(v)
            assert turned is not None
            first, rest = map(self.shadow if shadowed else self.value, turned)
            return self.b.select(self.b.icmp("eq", self.iteration(loop), const_int(I64, 0)), first, rest)
        start, step = found
        first = self.shadow(start) if shadowed else self.value(start)
        assert isinstance(step, int)
        iteration = self.iteration(loop)
        if isinstance(v.type, PointerType):
            return self.b.ptradd(first, self.b.mul(iteration, const_int(I64, step)))
        assert isinstance(v.type, IntType)
        if v.type.bits < 64:
            iteration = self.b.cast("trunc", iteration, v.type)
        elif v.type.bits > 64:
            iteration = self.b.cast("zext", iteration, v.type)
        return self.b.add(first, self.b.mul(iteration, const_int(v.type, step)))
