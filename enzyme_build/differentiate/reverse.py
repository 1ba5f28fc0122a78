"""Reverse mode: the reverse sweep, and the functions made of the two sweeps.

*Combined*: forward sweep, then reverse sweep, in one function with one frame. *Split*: an augmented forward pass that
packs the variables both share into a tape, and a reverse pass that unpacks them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from enzyme_build.analysis.declared_bytes import declared_bytes
from enzyme_build.analysis.kinds import Kind
from enzyme_build.errors import UnsupportedError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.function import Block
from enzyme_build.ir.types import I32, I64, VOID, IntType, Type, VectorType
from enzyme_build.ir.values import Argument, Constant, Value, const_float, const_int, zero

from . import adjoint
from .adjoint_calls import visit_call
from .calls import CallKind
from .control_flow import Choice, Finish, Header, Single
from .foreign_bytes import sum_of_words
from .joined_loops import join_loops
from .members_beside import numbers_beside
from .memory_checks import clears_either
from .metadata import TagsOfSums
from .numbers import add_adjoints, neutral
from .packed import TYPED, adjoint_type, packed_numbers, to_signature
from .parallel_loops import mark_parallel
from .recall import Recall
from .sliding import Windows, enter, leave

if TYPE_CHECKING:
    from collections.abc import Callable

    from enzyme_build.analysis.loops import Loop

    from .augmented import AugmentedSweep
    from .frame import Frame
    from .prepare import Prepared

PhiAdjoint: TypeAlias = tuple[ir.Phi, int, Value]
"""A phi, the lane, and its adjoint there."""


class ReverseSweep:
    """Emits the reverse blocks of a function into the function of `frame`."""

    def __init__(
        self, forward: AugmentedSweep, frame: Frame, recall_maps: tuple[dict[Value, Value], list[dict[Value, Value]]]
    ) -> None:
        self.forward = forward
        self.lanes = forward.lanes
        self.strong_zero = forward.context.request.strong_zero
        self.prepared: Prepared = forward.prepared
        self.engine = forward.engine
        self.context = forward.context
        self.activity = forward.activity
        self.module = forward.module
        self.frame = frame
        self.function = frame.setup.function
        assert self.function is not None
        self.b = Builder(frame.setup)
        self.tags_of_sums = TagsOfSums(self.module)
        self.windows = Windows(self.context, self.prepared, noted=bool(self.engine.options.noted))
        self.recall = Recall(self.prepared.plan, self.b, frame, *recall_maps, forward)
        self.blocks: dict[Block, Block] = {}
        self.adjoints_of: dict[ir.Instruction, ir.Load | ir.Store] = {}
        """Of accesses to adjoints, the access of the primal to the same place."""
        self._local: dict[tuple[Value, int], Value] = {}
        self._is_local: dict[Value, bool] = {}
        self._single: dict[Value, bool] = {}
        self.on_finish: Callable[[], None]

    # Adjoints of values --------------------------------------------------------------------------------------------

    def adjoint_type(self, v: Value) -> Type:
        """The type of a value's adjoint: its own, or the numbers whose bits an integer carries."""
        if v in self.activity.bytes:
            return v.type
        type_ = adjoint_type(self.activity.packing, v, v.type)
        if type_ is not v.type:
            return type_
        if isinstance(v.type, VectorType) and isinstance(v.type.element, IntType):
            raise UnsupportedError(
                "cannot differentiate numbers that are moved as a vector of integers",
                hint="copy them as numbers, or with memcpy",
                code="E0113",
            )
        if isinstance(v.type, IntType):
            kind, float_type = self.context.memory.integer_kind(v)
            if kind is Kind.UNKNOWN:
                raise UnsupportedError(
                    "cannot tell whether the bytes moved here are a number or an integer",
                    hint=TYPED,
                    code="E0114",
                )
            size = self.context.layout.store_size
            if float_type is None or size(float_type) != size(v.type):
                raise packed_numbers(self.context.memory)
            return float_type
        return v.type

    def add_to(self, v: Value, share: Value, flags: str = "") -> None:
        """Add to the adjoint of `v`, if it has one."""
        if not self.activity.is_active(v):
            return
        if self._block_local(v):
            here = v, self.lanes.current
            old = self._local.get(here)
            self._local[here] = share if old is None else self._sum(v, old, share, flags)
            return
        bar = self._bar(v)
        if self._gets_one(v):
            self.b.store(share, bar)
            return
        old = self.b.load(share.type, bar)
        self.b.store(self._sum(v, old, share, flags), bar)

    def _sum(self, v: Value, old: Value, share: Value, flags: str) -> Value:
        return (
            sum_of_words(self, v, old, share) if v in self.activity.bytes else add_adjoints(self.b, old, share, flags)
        )

    def take(self, v: Value) -> Value:
        """The adjoint of `v`, which is complete now; cleared, since a loop defines `v` anew in the next iteration."""
        if self._block_local(v):
            return self._local.pop((v, self.lanes.current), None) or neutral(self.adjoint_type(v))
        bar = self._bar(v)
        type_ = self.adjoint_type(v)
        value = self.b.load(type_, bar)
        self.b.store(neutral(type_), bar)
        return value

    def adjoint_of(self, argument: Argument) -> Value:
        """The adjoint of an argument as a result: zero, not -0.0, where nothing was added."""
        value = self.take(argument)
        if self._gets_one(argument) or not value.type.is_float_like:
            return value
        return self.b.fadd(value, const_float(value.type, 0.0))

    def result_of(self, argument: Argument) -> Value:
        """The adjoint of an argument as the signature has it."""
        return to_signature(self.b, self.adjoint_of(argument), argument.type)

    def _gets_one(self, v: Value) -> bool:
        """Is one contribution made to the adjoint of this argument at most, so that it can be assigned?"""
        if not isinstance(v, Argument) or not v.type.is_float:
            return False
        known = self._single.get(v)
        if known is None:
            index = self.context.facts.returning.index
            uses = [
                user
                for user in self.context.facts.users.get(v, ())
                if user.block in index
                and (user.type is VOID or isinstance(user, ir.CallBase) or self.activity.is_active(user))
            ]
            known = len(uses) <= 1 and all(
                not isinstance(user, ir.Phi)
                and not self._has_results(user)
                and self.context.facts.loops.loop_of(user.block) is None
                for user in uses
            )
            self._single[v] = known
        return known

    def _has_results(self, i: ir.Instruction) -> bool:
        """Does each of several results of this call contribute?"""
        return isinstance(i, ir.CallBase) and self.prepared.kinds[i][0] is CallKind.MULTIPLE

    def _bar(self, v: Value) -> Value:
        type_ = self.adjoint_type(v)
        name = getattr(v, "name", None)
        nothing = zero(type_) if self._gets_one(v) else neutral(type_)
        return self.frame.variable(("bar", v, self.lanes.current), type_, nothing, f"{name}.bar" if name else "bar")

    def _block_local(self, v: Value) -> bool:
        """Is every contribution made in the reverse of the block that defines `v`?"""
        known = self._is_local.get(v)
        if known is None:
            block = getattr(v, "block", None)
            index = self.context.facts.returning.index
            known = (
                block is not None
                and not isinstance(v, ir.Phi)
                and all(
                    user.block is block and not isinstance(user, ir.Phi | ir.Return)
                    for user in self.context.facts.users.get(v, ())
                    if user.block in index
                )
            )
            self._is_local[v] = known
        return known

    # Memory --------------------------------------------------------------------------------------------------------

    def writable(self, pointer: Value) -> Value:
        """The shadow address behind a pointer; a dummy where the memory turns out to be constant."""
        address = self.recall.shadow(pointer)
        if not self.activity.is_uncertain(pointer):
            return address
        constant = self.b.icmp("eq", address, self.recall.value(pointer))
        nowhere = self.frame.variable("nowhere", _NOWHERE, name="nowhere")
        return self.b.select(constant, nowhere, address)

    def stored_numbers(self, i: ir.Store) -> list[tuple[Type, int]]:
        """(type, offset) of the numbers that an integer store overwrites: compilers copy and clear numbers so."""
        value, layout = i.value, self.context.layout
        size = layout.store_size(value.type)
        place = self.context.memory.place(i.pointer)
        if not isinstance(value, Constant):
            kind, _ = self.context.memory.integer_kind(value)
            if kind in (Kind.INTEGER, Kind.POINTER):
                return numbers_beside(self.engine, self.context, i)
        if place is None or size < 2:
            return []
        found = self.engine.known_fields.of([place], size)
        if found.numbers and found.period:
            step = found.period
            return [(type_, at + offset) for at in range(0, size, step) for offset, type_ in found.numbers]
        behind = found.assumed and declared_bytes(self.context.memory).has_numbers_behind_integers
        if (found.mixed or found.unknown or behind or clears_either(self.context.memory, i)) and not found.pointers:
            # Nobody says what these bytes are. If they are a number its adjoint ends here; an integer has none.
            return [(value.type, 0)]
        return [(type_, offset) for offset, type_ in found.numbers]

    # Blocks --------------------------------------------------------------------------------------------------------

    def run(self, seeds: Callable[[ir.Return], None]) -> Block:
        """Emit all reverse blocks; returns where the reverse sweep begins."""
        assert self.function is not None
        steps = self.prepared.reversal.steps
        for block in steps:
            self.blocks[block] = self.function.add_block(Block(f"{block.name or 'b'}.reverse"))
        for block in steps:
            self.b.block = self.blocks[block]
            self.recall.new_block()
            self.recall.place = block
            self._local.clear()
            for i in reversed(block.instructions):
                if isinstance(i, ir.Return):
                    seeds(i)
                elif not isinstance(i, ir.Phi):
                    self._guarded(i)
            self._leave(block)
        join_loops(self)
        mark_parallel(self)
        return self._begin()

    def _guarded(self, i: ir.Instruction) -> None:
        try:
            if isinstance(i, ir.CallBase):
                visit_call(self, i)
            else:
                for _ in self.lanes.each():
                    adjoint.visit(self, i)
        except UnsupportedError as error:
            self.engine.report(self.context, i, error)

    def _begin(self) -> Block:
        returns = self.prepared.reversal.returns
        if len(returns) == 1:
            return self.blocks[returns[0]]
        assert self.function is not None
        begin = self.function.add_block(Block("reverse"))
        builder = Builder(begin)
        which = builder.load(I32, self.frame.variable("return", I32, name="return"))
        cases = [(const_int(I32, n), self.blocks[block]) for n, block in enumerate(returns)]
        builder.switch(which, cases[0][1], cases[1:])
        return begin

    def _leave(self, block: Block) -> None:
        step = self.prepared.reversal.steps[block]
        active = [phi for phi in block.phis if self.activity.is_active(phi)]
        phis = [(phi, lane, self.take(phi)) for phi in active for lane in self.lanes.each()]
        match step:
            case Finish():
                self.on_finish()
            case Single():
                if not step.skips:
                    self._spread(phis, step.block)
                self._go(block, step.block)
            case Choice():
                edge = self._edge(block)
                self._choose(block, step.predecessors, range(len(step.predecessors)), edge, phis)
            case Header():
                self._header(block, step, phis)

    def _edge(self, block: Block) -> Value:
        from enzyme_build.analysis.needed import Item, ItemKind

        return self.recall.item(Item(ItemKind.EDGE, block))

    def _choose(self, block: Block, targets: object, numbers: object, edge: Value, phis: list[PhiAdjoint]) -> None:
        """One way for each predecessor, by the number of the edge."""
        assert self.function is not None
        here = self.b.block
        ways: list[tuple[Value, Block]] = []
        for number, target in zip(numbers, targets, strict=True):  # type: ignore[call-overload]
            way = self.function.add_block(Block(f"{block.name or 'b'}.from"))
            ways.append((const_int(edge.type, number), way))
            self.b.block = way
            self.recall.new_block()
            self._spread(phis, target)
            self._go(block, target)
        self.b.block = here
        if len(ways) == 2:
            first = self.b.icmp("eq", edge, ways[0][0])
            self.b.branch(first, ways[0][1], ways[1][1])
        else:
            self.b.switch(edge, ways[0][1], ways[1:])  # type: ignore[arg-type]

    def _header(self, block: Block, step: Header, phis: list[PhiAdjoint]) -> None:
        assert self.function is not None
        iteration = self.recall.iteration(step.loop)
        edge = self._edge(block) if len(step.latches) > 1 else None
        first = self.function.add_block(Block(f"{block.name or 'b'}.first"))
        again = self.function.add_block(Block(f"{block.name or 'b'}.again"))
        upward = step.loop in self.prepared.reversal.upward
        last = self.b.load(I64, self.frame.variable(("last", step.loop), I64)) if upward else const_int(I64, 0)
        self.b.branch(self.b.icmp("eq", iteration, last), first, again)
        self.b.block = first
        self.recall.new_block()
        leave(self, step.loop)
        self._spread(phis, step.preheader)
        self._go(block, step.preheader)
        self.b.block = again
        self.recall.new_block()
        counter = self.frame.variable(("reverse", step.loop), I64)
        if upward:
            self._advance(step.loop)
        self.b.store(self.b.add(iteration, const_int(I64, 1 if upward else -1)), counter)
        if edge is None:
            self._spread(phis, step.latches[0])
            self._go(block, step.latches[0])
            return
        predecessors = self.context.facts.returning.predecessors[block]
        self._choose(block, step.latches, [predecessors.index(latch) for latch in step.latches], edge, phis)

    def _advance(self, loop: Loop) -> None:
        """What is computed along with the iterations."""
        assert loop.latch is not None
        phis = self.prepared.plan.recurrences(loop)
        values = [self.recall.value(phi.incoming(loop.latch)) for phi in phis]
        for phi, value in zip(phis, values, strict=True):
            self.b.store(value, self.recall.along(phi))

    def _spread(self, phis: list[PhiAdjoint], source: Block) -> None:
        """The adjoint of a phi goes to the value of the edge taken."""
        self._local.clear()
        for phi, lane, bar in phis:
            incoming = phi.incoming(source)
            if self.activity.is_active(incoming):
                self.lanes.current = lane
                self.add_to(incoming, bar)
        self.lanes.current = 0

    def _go(self, block: Block, target: Block) -> None:
        """Jump to the reverse of `target`; loops that it is in and `block` is not begin with their last iteration,
        or with their first one where they run upward."""
        from enzyme_build.analysis.needed import Item, ItemKind

        self.recall.place = target
        for loop in self.prepared.reversal.entered_loops(block, target):
            count = self.b.wide(self.recall.item(Item(ItemKind.COUNT, loop)))
            counter = self.frame.variable(("reverse", loop), I64, name="reverse")
            if loop in self.prepared.reversal.upward:
                self.b.store(const_int(I64, 0), counter)
                self.b.store(count, self.frame.variable(("last", loop), I64, name="last"))
                assert loop.preheader is not None
                for phi in self.prepared.plan.recurrences(loop):
                    self.b.store(self.recall.value(phi.incoming(loop.preheader)), self.recall.along(phi))
            else:
                self.b.store(count, counter)
            if loop in self.prepared.plan.loops and loop.parent is not None:
                base = self.frame.variable(("base", loop), I64)
                done = self.b.add(count, const_int(I64, 1))
                self.b.store(self.b.sub(self.b.load(I64, base), done), base)
            self.recall.new_block()
            enter(self, loop)
        self.recall.place = block
        self.b.jump(self.blocks[target])


def _nowhere() -> Type:
    from enzyme_build.ir.types import I8, array_type

    return array_type(I8, 64)


_NOWHERE = _nowhere()
