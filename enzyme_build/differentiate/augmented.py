"""The forward sweep of reverse mode: the primal with shadow pointers, which also fills the tape.

Kept items outside loops go to variables of the frame. Those of a loop go to arrays, one element per iteration: the
*index* is the number of iterations of this loop so far in the whole call, its *base* (number before this entry of the
loop) plus the iteration of this entry. Arrays are allocated where the number of iterations is known first: in the
outermost preheader that knows it, or else they grow by doubling.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.needed import Item, ItemKind
from enzyme_build.analysis.offsets import scalar_leaves
from enzyme_build.analysis.request import Activity
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.function import Block, Function
from enzyme_build.ir.types import I8, I64, PTR, PointerType, Type, array_type, function_type
from enzyme_build.ir.values import ConstantInt, Value, const_int, null

from .allocations import defer_shadow
from .augmented_memory import AugmentedMemory
from .calls import CallKind
from .expand import expand_count
from .foreign_bytes import (
    read_words,
    written_words,
)
from .forward import mirror
from .overlaps import stop_at_overlap
from .runtime import runtime_function
from .signature import Role
from .snapshot_copies import copy_of
from .sweep import Sweep, is_static, shadow_name
from .tape_layout import fits_stack, reservation

if TYPE_CHECKING:
    from enzyme_build.analysis.loops import Loop
    from enzyme_build.analysis.snapshots import Snapshot

    from .frame import Frame
    from .prepare import Prepared
    from .tape import Slot
    from .tape_layout import Reservation

_FIRST_CAPACITY = 256
_FAST_GROWTH = ((1 << 20, 2), (1 << 16, 3))
"""(elements, binary logarithm of how many times as many come next) of arrays that are smaller."""
_LINE = 64


class AugmentedSweep(Sweep):
    """Clones the primal and fills the tape; `arena` is where the memory for it comes from."""

    def __init__(self, *args: object, prepared: Prepared, frame_of: type[Frame], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.prepared = prepared
        self.plan = prepared.plan
        self.frame = frame_of(self.setup)
        self.arena: Value
        self.facts = self.context.facts
        self.own_memory = AugmentedMemory(self)
        self.unseen = prepared.sums.steps()
        self.indices: dict[Loop, Value] = {}
        self.iterations: dict[Loop, ir.Phi] = {}
        self.bases: dict[Loop, Value] = {}
        self._edges: dict[Block, ir.Phi] = {}
        self.by_loop: dict[Loop | None, list[Slot]] = {}
        for slot in self.plan.slots.values():
            self.by_loop.setdefault(slot.loop, []).append(slot)
        self.reserved: set[Loop] = set()
        self._reserved_from: dict[Block, list[tuple[Loop, Reservation]]] = {}
        kept = [loop for loop in self.by_loop if loop is not None]
        for loop in kept:
            found = reservation(self.plan.sources, self.facts, loop)
            if found.place is not None and found.place.preheader is not None:
                self.reserved.add(loop)
                self._reserved_from.setdefault(found.place.preheader, []).append((loop, found))
        counted = {item.subject for item in self.plan.slots if item.kind is ItemKind.COUNT}
        # In the order of the function, so that equal inputs give equal bytes.
        self.counted: dict[Loop, None] = {loop: None for loop in self.facts.loops.loops if loop in {*kept, *counted}}
        self._entered_from: dict[Block, list[Loop]] = {}
        for loop in kept:
            if loop.preheader is not None:
                self._entered_from.setdefault(loop.preheader, []).append(loop)
        self._copied_at: dict[Block, list[Snapshot]] = {}
        for copied in self.plan.snapshots:
            assert copied.loop.preheader is not None
            self._copied_at.setdefault(copied.loop.preheader, []).append(copied)
        self._left_at: dict[Block, list[Loop]] = {}
        for loop in self.counted:
            for block in loop.exits:
                if all(p in loop.blocks for p in self.facts.cfg.predecessors[block]):
                    self._left_at.setdefault(block, []).append(loop)

    # Tape ----------------------------------------------------------------------------------------------------------

    def keep(self, item: Item, value: Value) -> None:
        """Store the value of an item if the plan keeps it."""
        slot = self.plan.slots.get(item)
        if slot is None:
            return
        if value.type is not slot.type:
            value = self.b.cast("zext", value, slot.type)
        if slot.loop is None:
            self.b.store(value, self.frame.variable(slot, slot.type, name=slot.name))
            return
        buffer = self.b.load(PTR, self.buffer(slot))
        address = self.b.gep(slot.type, buffer, [self.indices[slot.loop]], "inbounds")
        self.b.store(value, address, metadata=self.context.scopes.tape)

    def buffer(self, slot: Slot) -> Value:
        """The variable that points to an array of the tape."""
        return self.frame.variable(("buffer", slot), PTR, name=f"{slot.name}.array")

    def base(self, loop: Loop) -> Value | None:
        """The variable that counts the iterations of a nested loop in earlier entries; an outermost loop has none."""
        return None if loop.parent is None else self.frame.variable(("base", loop), I64, name="iterations")

    def _grow(self, loop: Loop, wanted: Value) -> None:
        """Make the arrays of a loop hold `wanted` elements, at least doubling them.

        Small ones grow by more: what is not written to yet costs nothing, and what is copied is less."""
        capacity = self.frame.variable(("capacity", loop), I64, name="capacity")
        present = self.b.load(I64, capacity)
        short = self.b.icmp("ugt", wanted, present)
        grow = self.function.add_block(Block("grow"))
        go_on = self.function.add_block(Block("grown"))
        self.b.branch(short, grow, go_on)
        self.b.block = grow
        power: Value = const_int(I64, 1)
        for limit, log in _FAST_GROWTH:
            small = self.b.icmp("ult", present, const_int(I64, limit))
            power = self.b.select(small, const_int(I64, log), power)
        more = self.b.binary("shl", present, power)
        larger = self._umax(self._umax(more, wanted), const_int(I64, _FIRST_CAPACITY))
        function = runtime_function(self.module, "arena_grow")
        for slot in self.by_loop[loop]:
            size = const_int(I64, self.context.layout.alloc_size(slot.type))
            old = self.b.load(PTR, self.buffer(slot))
            used, bytes_ = self.b.mul(present, size), self.b.mul(larger, size)
            self.b.store(self.b.call(function, [self.arena, old, used, bytes_]), self.buffer(slot))
        self.b.store(larger, capacity)
        self.b.jump(go_on)
        self.b.block = go_on

    def _umax(self, a: Value, b: Value) -> Value:
        return self.b.select(self.b.icmp("ugt", a, b), a, b)

    def _allocate(self, loops: list[tuple[Loop, Value]]) -> None:
        """One block for all arrays of the loops, whose numbers of elements are exact."""
        loops = [(loop, count) for loop, count in loops if not self._on_stack(loop, count)]
        if not loops:
            return
        # Analyses tell the arrays apart that a second differentiation sees as memory of their own.
        together = self.prepared.engine.last_order
        starts: list[tuple[Slot, Value]] = []
        at: Value = const_int(I64, 0)
        take = runtime_function(self.module, "arena_take")
        for loop, count in loops:
            for slot in self.by_loop[loop]:
                bytes_ = self.b.mul(count, const_int(I64, self.context.layout.alloc_size(slot.type)))
                # Arrays begin on cache lines.
                rounded = self.b.binary("and", self.b.add(bytes_, const_int(I64, 63)), const_int(I64, -64))
                if together:
                    starts.append((slot, at))
                    at = self.b.add(at, rounded)
                else:
                    self.b.store(self.b.call(take, [self.arena, rounded]), self.buffer(slot))
        if together:
            block = self.b.call(take, [self.arena, at])
            for slot, start in starts:
                self.b.store(self.b.gep(I8, block, [start], "inbounds"), self.buffer(slot))

    def _on_stack(self, loop: Loop, count: Value) -> bool:
        """Put the arrays of a few iterations, whose number is a constant, on the stack."""
        slots = self.by_loop[loop]
        each = sum(self.context.layout.alloc_size(slot.type) for slot in slots)
        if self.prepared.split or not isinstance(count, ConstantInt) or not fits_stack(count.value, each):
            return False
        for slot in slots:
            # Known from the beginning, so that LLVM makes registers of it also where the loop is behind a condition.
            buffer, setup = self.buffer(slot), Builder(self.setup)
            setup.store(setup.alloca(array_type(slot.type, count.value), name=f"{slot.name}.array"), buffer)
        return True

    # Blocks --------------------------------------------------------------------------------------------------------

    def enter_block(self, block: Block) -> None:
        loop = self.facts.loops.loop_of(block)
        if loop is not None and loop.header is block and loop in self.counted:
            self.iterations[loop] = self.b.phi(I64, "iteration")
        edge = Item(ItemKind.EDGE, block)
        if edge in self.plan.slots:
            self._edges[block] = self._edge_phi(block, self.plan.slots[edge].type)

    def after_phis(self, block: Block) -> None:
        loop = self.facts.loops.loop_of(block)
        if loop is not None and loop.header is block and loop in self.counted:
            self._enter_header(loop)
        for left in self._left_at.get(block, ()):
            self._after_loop(left)
        for phi in block.phis:
            self._keep_result(phi)
        if block in self._edges:
            self.keep(Item(ItemKind.EDGE, block), self._edges[block])

    def _enter_header(self, loop: Loop) -> None:
        iteration: Value = self.iterations[loop]
        self.indices[loop] = iteration
        if loop in self.by_loop:
            base = self.bases.get(loop)
            if base is not None:
                self.indices[loop] = self.b.add(base, iteration, "nuw nsw")
            if loop not in self.reserved:
                self._grow(loop, self.b.add(self.indices[loop], const_int(I64, 1)))
        dedicated = all(
            all(p in loop.blocks for p in self.facts.cfg.predecessors[exit_])
            for exit_ in loop.exits
            if exit_ in self.facts.returning.index
        )
        if not dedicated:
            self._after_loop(loop)

    def _after_loop(self, loop: Loop) -> None:
        """Record how often the loop went round, as if this were its last iteration."""
        self.keep(Item(ItemKind.COUNT, loop), self.iterations[loop])
        base = self.base(loop)
        if base is not None and loop in self.by_loop:
            self.b.store(self.b.add(self.indices[loop], const_int(I64, 1)), base)

    def _edge_phi(self, block: Block, type_: Type) -> ir.Phi:
        """Which predecessor control came from; blocks are filled in at the end."""
        predecessors = self.facts.returning.predecessors[block]
        phi = self.b.phi(type_, "edge")
        for source in self.facts.cfg.predecessors[block]:
            number = predecessors.index(source) if source in predecessors else 0
            for _ in range(source.successors.count(block)):  # cases of a switch may share a block
                phi.operands.append(const_int(type_, number))
                phi.blocks.append(source)
        return phi

    def run(self) -> None:
        super().run()
        for phi in self._edges.values():
            phi.blocks = [self.exit_of(source) for source in phi.blocks]
        for loop, iteration in self.iterations.items():
            for source in self.facts.cfg.predecessors[loop.header]:
                self.at_end(source)
                inside = source in loop.blocks
                next_ = self.b.add(iteration, const_int(I64, 1), "nuw nsw") if inside else const_int(I64, 0)
                iteration.operands.append(next_)
                iteration.blocks.append(self.b.block)
        self.b.position = None

    def before_terminator(self, block: Block) -> None:
        for copied in self._copied_at.get(block, ()):
            self.keep(Item(ItemKind.SNAPSHOT, copied), copy_of(self, copied))
        for loop in self._entered_from.get(block, ()):
            base = self.base(loop)
            if base is not None:
                self.bases[loop] = self.b.load(I64, base)
        exact: list[tuple[Loop, Value]] = []
        for loop, found in self._reserved_from.get(block, ()):
            total = self._iterations(found)
            base = self.base(loop)
            if found.is_exact:
                exact.append((loop, total))
            else:
                assert base is not None
                self._grow(loop, self.b.add(self.b.load(I64, base), total))
        if exact:
            self._allocate(exact)

    def _iterations(self, found: Reservation) -> Value:
        """The product of iteration numbers; a number that is known, also where there may be none."""
        total: Value | None = None
        for factor in found.factors:
            count = expand_count(self.b, self.module, factor, self.value)
            iterations: Value
            if isinstance(count, ConstantInt):
                iterations = const_int(I64, count.value + 1)
            else:
                iterations = self.b.add(count, const_int(I64, 1))
            if isinstance(total, ConstantInt) and isinstance(iterations, ConstantInt):
                total = const_int(I64, total.value * iterations.value)
            else:
                total = iterations if total is None else self.b.mul(total, iterations)
        assert total is not None
        for condition, holds in found.conditions if not isinstance(total, ConstantInt) else ():
            given, none = (total, const_int(I64, 0)) if holds else (const_int(I64, 0), total)
            total = self.b.select(self.b.freeze(self.value(condition)), given, none)
        return total

    # Instructions --------------------------------------------------------------------------------------------------

    def clone(self, i: ir.Instruction) -> ir.Instruction:
        new = super().clone(i)
        if i in self.unseen:
            assert isinstance(new, ir.Binary | ir.CallBase)
            new.flags = f"{new.flags} reassoc".strip()
        return new

    def visit(self, i: ir.Instruction) -> None:
        if isinstance(i, ir.Store):
            written_words(self, i)
        super().visit(i)
        if isinstance(i, ir.Load):
            read_words(self, i)
        if not isinstance(i, ir.Phi):
            self._keep_result(i)

    def _keep_result(self, i: ir.Instruction) -> None:
        if i in self.values:
            self.keep(Item(ItemKind.PRIMAL, i), self.values[i])
        for lane in self.lanes.each():
            # Memory that a library returns has no other shadow than itself.
            if i in self.shadows or (isinstance(i.type, PointerType) and i in self.values):
                self.keep(Item(ItemKind.SHADOW, i, lane), self.shadow(i))

    def visit_alloca(self, i: ir.Alloca) -> None:
        if is_static(self.context.function, i) and not self.prepared.split:
            super().visit_alloca(i)
            return
        # Memory that must live until the reverse sweep, or once per iteration, cannot be on the stack.
        size = self.alloca_size(i)
        self.values[i] = self._take(size, i.align, i.name)
        if self.has_shadow(i):
            for _ in self.lanes.each():
                size = self.shadow_size(i)
                shadow = self._take(size, i.align, shadow_name(i))
                self.transfers.clear(shadow, size)
                self.shadows[i] = shadow

    def notes_in(self, pointer: Value) -> Value | None:
        place = self.context.memory.place(pointer)
        own = place is not None and place.region.origins <= place.region.allocations
        return self.arena if self.context.request.replayed and not own else None

    def visit_store(self, i: ir.Store) -> None:
        arena = self.notes_in(i.pointer) if self.activity.has_shadow(i.pointer) else None
        if arena is not None:
            note = runtime_function(self.module, "pointer_note")
            for _, leaf, at in scalar_leaves(self.context.layout, i.value.type):
                if isinstance(leaf, PointerType):
                    target: Value = self.b.ptradd(self.shadow(i.pointer), at)
                    if self.activity.is_uncertain(i.pointer):
                        constant = self.b.icmp("eq", self.shadow(i.pointer), self.value(i.pointer))
                        target = self.b.select(constant, null(PTR), target)
                    self.b.call(note, [arena, target])
        super().visit_store(i)

    def _take(self, size: Value, align: int, name: str | None) -> Value:
        """Memory of the arena, which begins on cache lines, or on more where the program asks for it."""
        take = runtime_function(self.module, "arena_take")
        if align <= _LINE:
            return self.b.call(take, [self.arena, size], name=name)
        memory = self.b.call(take, [self.arena, self.b.add(size, const_int(I64, align))])
        mask = self.module.declare("llvm.ptrmask.p0.i64", function_type(PTR, (PTR, I64)))
        return self.b.call(mask, [self.b.ptradd(memory, align - 1), const_int(I64, -align)], name=name)

    def visit_return(self, i: ir.Return) -> None:
        self.prepared.finish_forward(self, i)

    def visit_call(self, i: ir.CallBase) -> None:
        kind, effects = self.prepared.kinds[i]
        match kind:
            case CallKind.DROPPED:
                if i.type.text != "void":
                    self.values[i] = null(i.type) if isinstance(i.type, PointerType) else self.clone(i)
            case CallKind.PLAIN | CallKind.MULTIPLE:
                stop_at_overlap(self, i)
                self.clone(i)
                for _ in self.lanes.each():
                    defer_shadow(self, i, self.arena)
            case CallKind.MATH:
                self.clone_math(i)
            case CallKind.TRANSFER:
                self.own_memory.transfer(i, effects)
            case CallKind.ALLOCATION:
                self.own_memory.allocation(i, effects)
            case CallKind.DEALLOCATION:
                self.own_memory.deallocation(i, effects)
            case CallKind.MIRRORED:
                mirror(self, i)
            case CallKind.DERIVE:
                self._derive(i)
            case CallKind.JOINT:
                self._run_first(i)

    def _run_first(self, i: ir.CallBase) -> None:
        """An iteration that the reverse sweep runs again. One that leaves nothing for others is nothing but its result:
        LLVM drops the call where that is not asked for."""
        new = self.clone(i)
        assert isinstance(new, ir.CallBase)
        assert isinstance(i.callee, Function)
        if self.prepared.engine.program.iterations[i.callee.name].droppable and self.prepared.engine.last_order:
            new.function_attributes = "noinline nounwind willreturn memory(read)"

    def _derive(self, i: ir.CallBase) -> None:
        split = self.prepared.derived[i]
        arguments: list[Value] = []
        for part in self.lanes.of(split.augmented.signature.parameters):
            match part.role:
                case Role.PRIMAL:
                    arguments.append(self.value(i.arguments[part.index]))
                case Role.SHADOW:
                    arguments.append(self.shadow(i.arguments[part.index]))
                case Role.ARENA:
                    arguments.append(self.arena)
                case _:
                    raise AssertionError(part)
        signature = split.augmented.signature
        result = self.b.call(split.augmented.function, arguments)
        if Activity.DUPLICATED is self.prepared.requests[i].result or i.type.text != "void":
            primal = signature.extract(self.b, result, Role.RESULT)
            if primal is not None:
                self.values[i] = primal
            for lane in self.lanes.each():
                shadow = signature.extract(self.b, result, Role.RESULT_SHADOW, lane=lane)
                if shadow is not None:
                    self.shadows[i] = shadow
        tape = signature.extract(self.b, result, Role.TAPE)
        if tape is not None:
            self.keep(Item(ItemKind.TAPE, i), tape)
