"""Memory that is private to an iteration of a loop: what an iteration reads of it, the same iteration wrote before.

Iterations that share such memory, a work array for instance, are independent of each other all the same, and each can
be run again alone. (Tu and Padua, "Automatic array privatization", 1993.)

Memory is private if it is allocated in the loop, or begins to live there; or if in front of each read stands a write of
the same iteration to the same bytes: one write, or those of an inner loop that runs through an array in steps of the
element, from its first to its last iteration. That an element read is among those written is proved by the
inequalities that hold at the read: bounds of loops, branches around it, and that accesses lie within their object.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.values import Value
from enzyme_build.records import dataclass
from enzyme_build.rules.memory import Deallocation, Transfer

from .bases import object_of, points_nowhere
from .inequalities import constant, content, contradictory, plus
from .known import call_effects
from .snapshots import own_allocation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from enzyme_build.ir.function import Block
    from enzyme_build.ir.module import Module

    from .flow import Flow
    from .inequalities import Polynomial
    from .loops import Loop


_MOST_PROOFS: Final = 400
"""Per function: each costs a few milliseconds."""


@dataclass
class Uses:
    """What a function does with an object of its own, whose address it shows to nobody."""

    loads: list[ir.Load] = field(default_factory=list)
    stores: list[ir.Store] = field(default_factory=list)
    fills: list[ir.CallBase] = field(default_factory=list)
    """Calls of memset, and copies to it."""
    sources: list[ir.CallBase] = field(default_factory=list)
    """Copies from it."""
    starts: list[ir.CallBase] = field(default_factory=list)
    """Where its contents are nothing yet."""
    ends: list[ir.CallBase] = field(default_factory=list)
    pointers: list[ir.Instruction] = field(default_factory=list)
    """The object and addresses in it."""

    @property
    def accesses(self) -> Sequence[ir.Instruction]:
        return (*self.loads, *self.stores, *self.fills, *self.sources)


def uses_of(module: Module, users: Mapping[Value, Sequence[ir.Instruction]], base: ir.Instruction) -> Uses | None:
    """All uses of an object that a function allocates; None if others may get to know its address, and for others."""
    if not (
        isinstance(base, ir.Alloca) or (isinstance(base, ir.CallBase) and own_allocation(module, base) is not None)
    ):
        return None
    found = Uses()
    pending: list[ir.Instruction] = [base]
    seen = set(pending)
    beside: set[Value] = set()  # what is compared with its addresses, or chosen instead
    while pending:
        pointer = pending.pop()
        found.pointers.append(pointer)
        for user in users.get(pointer, ()):
            match user:
                case ir.GetElementPtr() if user.operands[0] is pointer:
                    if user not in seen:
                        seen.add(user)
                        pending.append(user)
                case ir.Load() if not user.volatile and not user.ordering:
                    found.loads.append(user)
                case ir.Store() if user.value is not pointer and not user.volatile and not user.ordering:
                    found.stores.append(user)
                case ir.Phi() | ir.Select():
                    beside.update(ir.merged(user))
                    if user not in seen:
                        seen.add(user)
                        pending.append(user)
                case ir.Compare():
                    beside.update(user.operands)
                case ir.Cast() if not users.get(user):
                    pass
                case ir.CallBase() if _take_call(module, user, pointer, found):
                    pass
                case _:
                    return None
    return found if all(value in seen or points_nowhere(value) for value in beside) else None


def _take_call(module: Module, call: ir.CallBase, pointer: Value, found: Uses) -> bool:
    callee = call.callee
    if not isinstance(callee, Function) or pointer is callee:
        return False
    if callee.name.startswith("llvm.lifetime."):
        (found.starts if "start" in callee.name else found.ends).append(call)
        return True
    effects = call_effects(module, call)
    known = effects.known if effects is not None else None
    if isinstance(known, Deallocation):
        found.ends.append(call)
        return True
    if not isinstance(known, Transfer) or call.type.text != "void" or effects is None:
        return False
    if call.arguments[known.destination] is pointer:
        found.fills.append(call)
    if effects.copies is not None and call.arguments[effects.copies[1]] is pointer:
        found.sources.append(call)
    return True


class Privacy:
    """Answers for one function without irreducible cycles."""

    def __init__(self, module: Module, flow: Flow) -> None:
        self._module = module
        self._cfg = flow.cfg
        self._returning = flow.returning.index
        self._domtree = flow.dominators
        self._forest = flow.loops
        self._readings = readings = flow.readings
        self._left = _MOST_PROOFS
        for loop in flow.loops.loops:
            readings.rounds(loop)  # outer loops first: reading one bound while reading another finds less

    def is_private(self, base: ir.Instruction, uses: Uses, loop: Loop) -> bool:
        """Is each byte that an iteration of `loop` reads of the object written earlier in that iteration?"""
        if base.block in loop.blocks:
            return True
        inside = [i for i in (*uses.loads, *uses.sources) if i.block in loop.blocks]
        starts = [start for start in uses.starts if start.block in loop.blocks]
        return all(
            any(self._before(start, i) for start in starts)
            or (isinstance(i, ir.Load) and self._is_written(i, base, uses, loop))
            for i in inside
        )

    def _is_written(self, load: ir.Load, base: ir.Instruction, uses: Uses, loop: Loop) -> bool:
        writes = [w for w in (*uses.stores, *uses.fills) if w.block in loop.blocks]
        return any(self._covers(write, load, base, loop) for write in writes)

    def _before(self, first: ir.Instruction, second: ir.Instruction) -> bool:
        """Is `first` executed in front of `second` in each iteration of the loops around both? If it dominates it, then
        also on the ways from the headers of those loops, as each is a way from the entry."""
        if first.block is second.block:
            here = first.block.instructions
            return here.index(first) < here.index(second)
        return self._domtree.dominates(first.block, second.block)

    # Writes that cover a read -------------------------------------------------------------------------------------

    def _covers(self, write: ir.Instruction, load: ir.Load, base: ir.Instruction, loop: Loop) -> bool:
        if self._left <= 0:
            return False
        self._left -= 1
        pointer = write.pointer if isinstance(write, ir.Store) else write.operands[0]
        number, first = self._readings.address(pointer, write.block)
        other, read = self._readings.address(load.pointer, load.block)
        subject = self._readings.symbols[number].subject
        if number != other or not isinstance(subject, Value) or object_of(self._domtree, subject) is not base:
            return False
        nests = self._forest.nest_of(write.block), self._forest.nest_of(load.block)
        shared = [one for one, two in zip(*nests, strict=False) if one is two]
        inner = nests[0][len(shared) :]
        if loop not in shared or len(inner) > 1:
            return False
        size = self._module.layout.store_size(load.type)
        facts = self._facts(load, base, read, size)
        if inner:
            return isinstance(write, ir.Store) and self._runs_over(write, first, inner[0], load, read, facts)
        if self._readings.is_deeper(first, len(shared)) or not self._precedes(write, load, facts):
            return False
        if isinstance(write, ir.Store):
            length: Polynomial | None = constant(self._module.layout.store_size(write.value.type))
        else:
            length = self._length(write, shared)
        return length is not None and self._lies_in(plus(read, first, -1), size, length, facts)

    def _length(self, fill: ir.Instruction, shared: Sequence[Loop]) -> Polynomial | None:
        assert isinstance(fill, ir.CallBase)
        effects = call_effects(self._module, fill)
        assert effects is not None
        assert isinstance(effects.known, Transfer)
        length = self._readings.number(fill.arguments[effects.known.length], fill.block)
        return None if self._readings.is_deeper(length, len(shared)) else length

    def _runs_over(  # noqa: PLR0913, PLR0917
        self, write: ir.Store, first: Polynomial, inner: Loop, load: ir.Load, read: Polynomial, facts: list[Polynomial]
    ) -> bool:
        """Does the inner loop, which is left when the read comes, write all elements around the one that is read?"""
        layout = self._module.layout
        step = layout.store_size(write.value.type)
        rounds = self._readings.rounds(inner)
        if rounds is None or inner.preheader is None or load.block in inner.blocks:
            return False
        left = [block for block, behind in inner.exit_edges if behind in self._returning]
        everywhere = (*inner.latches, *left)  # whoever leaves to a block that ends the program reads nothing
        if not all(self._domtree.dominates(write.block, block) for block in everywhere):
            return False
        ((counter, _),) = self._readings.counter(inner).items()
        start = {monomial: c for monomial, c in first.items() if counter[0] not in monomial}
        if plus(first, start, -1) != {counter: step} or layout.store_size(load.type) != step:
            return False
        depth = inner.depth - 1
        if self._readings.is_deeper(start, depth) or self._readings.is_deeper(rounds, depth):
            return False
        distance = plus(read, start, -1)
        if content(distance) % step or not self._comes_first(inner.preheader, load.block, facts):
            return False
        known = facts + self._readings.facts(inner.preheader, _symbols(rounds))
        last = plus({}, rounds, step)
        return self._lies_in(distance, step, plus(last, constant(step)), known)

    def _lies_in(self, distance: Polynomial, size: int, length: Polynomial, facts: list[Polynomial]) -> bool:
        """Are `size` bytes at `distance` among the first `length`?"""
        under = plus(constant(-1), distance, -1)
        over = plus(plus(plus(distance, constant(size)), length, -1), constant(-1))
        return contradictory([*facts, under]) and contradictory([*facts, over])

    def _facts(self, load: ir.Load, base: ir.Instruction, read: Polynomial, size: int) -> list[Polynomial]:
        """What holds where the load is executed."""
        whole = self._size(base)
        used = _symbols(read) | (_symbols(whole) if whole is not None else set())
        facts = self._readings.facts(load.block, used)
        if whole is not None:
            facts.append(plus(plus(whole, read, -1), constant(-size)))
        return facts

    def _size(self, base: ir.Instruction) -> Polynomial | None:
        """Bytes of the object. No object has 2^63 of them, so the number has the same value as a signed one."""
        if isinstance(base, ir.Alloca):
            return None if base.operands else constant(self._module.layout.alloc_size(base.allocated_type))
        assert isinstance(base, ir.CallBase)
        known = own_allocation(self._module, base)
        if known is None or len(known.sizes) != 1:
            return None
        return self._readings.signed_number(base.arguments[known.sizes[0]], base.block)

    # Order ----------------------------------------------------------------------------------------------------------

    def _precedes(self, write: ir.Instruction, load: ir.Load, facts: list[Polynomial]) -> bool:
        return self._before(write, load) or (
            write.block is not load.block and self._comes_first(write.block, load.block, facts)
        )

    def _comes_first(self, block: Block, read: Block, facts: list[Polynomial]) -> bool:
        """Is `block` executed before `read` in each iteration of the loops around both, given what holds at the read?

        A branch that goes past the block is never taken where what it says contradicts that.
        """
        while not self._domtree.dominates(block, read):
            sources = self._cfg.predecessors[block]
            if len(sources) != 1:
                return False
            (above,) = sources
            if self._forest.loop_of(above) is not self._forest.loop_of(block):
                return False
            ways = self._cfg.successors[above]
            if len(ways) > 1:
                past = [way for way in ways if way is not block]
                if len(past) != 1 or not contradictory([*facts, *self._readings.said(above, past[0])]):
                    return False
            block = above
        return block is not read


def _symbols(polynomial: Polynomial) -> set[int]:
    return {s for monomial in polynomial for s in monomial}
