"""Memory that is private to an iteration of a loop: what an iteration reads of it, the same iteration wrote before.

Iterations that share such memory, a work array for instance, are independent of each other all the same, and each can
be run again alone. (Tu and Padua, "Automatic array privatization", 1993.)

Memory is private if it is allocated in the loop, or begins to live there; or if in front of each read stands a write
of the same iteration to the same bytes, one or another on each way: one write, or those of inner loops that run
through an array in steps of the element, from the first to the last iteration, row after row of a matrix. That an
element read is among those written is proved by the inequalities that hold at the read: bounds of loops, branches
around it, and that accesses lie within their object.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.values import ConstantInt, Value
from enzyme_build.records import dataclass
from enzyme_build.rules.memory import Deallocation, Transfer

from .bases import object_of, points_nowhere
from .inequalities import constant, contradictory, plus, times
from .known import call_effects
from .snapshots import own_allocation

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

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


@dataclass(frozen=True)
class _Extent:
    """Bytes of an object that are read: `size` of them, `offset` from what the symbol `number` of the readings is the
    address of. `facts` hold there."""

    read: ir.Instruction
    base: ir.Instruction
    number: int
    offset: Polynomial
    size: int
    facts: list[Polynomial]


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
        starts = [start for start in uses.starts if start.block in loop.blocks]
        inside = [i for i in (*uses.loads, *uses.sources) if i.block in loop.blocks]
        return all(self._begins_before(starts, i, loop) or self._is_written(i, base, uses, loop) for i in inside)

    def _begins_before(self, starts: Sequence[ir.Instruction], read: ir.Instruction, loop: Loop) -> bool:
        """Does the object begin to live in each iteration, whichever way leads to the read?"""
        return any(self._before(start, read) for start in starts) or self._passes(
            {start.block for start in starts}, read.block, loop
        )

    def _is_written(self, read: ir.Instruction, base: ir.Instruction, uses: Uses, loop: Loop) -> bool:
        """Is there a write to all of what is read in front of it, or one on each way to it?"""
        found = self._extent(read)
        if found is None:
            return False
        pointer, size = found
        number, offset = self._readings.address(pointer, read.block)
        extent = _Extent(read, base, number, offset, size, self._facts(read, base, offset, size))
        on_ways: dict[Loop, set[Block]] = {}
        for write in (*uses.stores, *uses.fills):
            if write.block in loop.blocks:
                at = self._covers(write, extent, loop)
                if at is not None and self._comes_first(at, write, extent):
                    return True
                if at is not None:
                    nest = self._forest.nest_of(at)
                    on_ways.setdefault(nest[-1], set()).add(self._decided_by(at, extent))
        return any(self._passes(blocks, read.block, around) for around, blocks in on_ways.items())

    def _extent(self, read: ir.Instruction) -> tuple[Value, int] | None:
        """Where something is read, and how many bytes, where that is known."""
        if isinstance(read, ir.Load):
            return read.pointer, self._module.layout.store_size(read.type)
        assert isinstance(read, ir.CallBase)
        effects = call_effects(self._module, read)
        assert effects is not None
        assert effects.copies is not None
        _, source, length = (read.arguments[at] for at in effects.copies)
        return (source, length.value) if isinstance(length, ConstantInt) else None

    def _before(self, first: ir.Instruction, second: ir.Instruction) -> bool:
        """Is `first` executed in front of `second` in each iteration of the loops around both? If it dominates it, then
        also on the ways from the headers of those loops, as each is a way from the entry."""
        if first.block is second.block:
            here = first.block.instructions
            return here.index(first) < here.index(second)
        return self._domtree.dominates(first.block, second.block)

    def _passes(self, blocks: Collection[Block], read: Block, loop: Loop) -> bool:
        """Does each way through an iteration to `read` pass one of the other blocks?"""
        blocks = {block for block in blocks if block is not read}
        pending, seen = [loop.header], {loop.header}
        if not blocks:
            return False
        while pending:
            at = pending.pop()
            if at is read:
                return False
            if at not in blocks:
                new = {block for block in self._cfg.successors[at] if block in loop.blocks} - seen
                seen |= new
                pending += new
        return True

    # Writes that cover a read -------------------------------------------------------------------------------------

    def _covers(self, write: ir.Instruction, read: _Extent, loop: Loop) -> Block | None:
        """Where it begins that all of what is read is written: the block of the write, or that in front of the loops
        that run over an array; None if that is not seen."""
        if self._left <= 0:
            return None
        self._left -= 1
        pointer = write.pointer if isinstance(write, ir.Store) else write.operands[0]
        number, first = self._readings.address(pointer, write.block)
        subject = self._readings.symbols[number].subject
        if number != read.number or not isinstance(subject, Value):
            return None
        if object_of(self._domtree, subject) is not read.base:
            return None
        nests = self._forest.nest_of(write.block), self._forest.nest_of(read.read.block)
        shared = [one for one, two in zip(*nests, strict=False) if one is two]
        inner = nests[0][len(shared) :]
        if loop not in shared:
            return None
        length = self._length(write, shared)
        run = self._run(write, first, length, inner) if length is not None else None
        if run is None:
            return None
        at, start, whole = run
        if any(self._readings.is_deeper(part, len(shared)) for part in (start, whole)):
            return None
        known = self._readings.facts(at, _symbols(whole)) if inner else []
        return at if self._lies_in(plus(read.offset, start, -1), read.size, whole, [*read.facts, *known]) else None

    def _run(
        self, write: ir.Instruction, start: Polynomial, length: Polynomial, loops: Sequence[Loop]
    ) -> tuple[Block, Polynomial, Polynomial] | None:
        """What the loops write that go through an array one element after the other: the block in front of them, where
        that begins, and how many bytes it has. The rows of a matrix follow each other without gaps."""
        block = write.block
        for loop in reversed(loops):
            rounds = self._readings.rounds(loop)
            if rounds is None or loop.preheader is None:
                return None
            left = [inside for inside, behind in loop.exit_edges if behind in self._returning]
            everywhere = (*loop.latches, *left)  # whoever leaves to a block that ends the program reads nothing
            if not all(self._domtree.dominates(block, other) for other in everywhere):
                return None
            ((counter, _),) = self._readings.counter(loop).items()
            along, start = _split(start, counter[0])
            if along == times(constant(-1), length):
                start = plus(start, times(rounds, length), -1)
            elif along != length:
                return None
            length = times(length, plus(rounds, constant(1)))
            block = loop.preheader
        return block, start, length

    def _length(self, write: ir.Instruction, shared: Sequence[Loop]) -> Polynomial | None:
        """How many bytes are written at once."""
        if isinstance(write, ir.Store):
            return constant(self._module.layout.store_size(write.value.type))
        assert isinstance(write, ir.CallBase)
        effects = call_effects(self._module, write)
        assert effects is not None
        assert isinstance(effects.known, Transfer)
        length = self._readings.number(write.arguments[effects.known.length], write.block)
        return None if self._readings.is_deeper(length, len(shared)) else length

    def _lies_in(self, distance: Polynomial, size: int, length: Polynomial, facts: list[Polynomial]) -> bool:
        """Are `size` bytes at `distance` among the first `length`?"""
        under = plus(constant(-1), distance, -1)
        over = plus(plus(plus(distance, constant(size)), length, -1), constant(-1))
        return contradictory([*facts, under]) and contradictory([*facts, over])

    def _facts(self, read: ir.Instruction, base: ir.Instruction, offset: Polynomial, size: int) -> list[Polynomial]:
        """What holds where something is read."""
        whole = self._size(base)
        used = _symbols(offset) | (_symbols(whole) if whole is not None else set())
        facts = self._readings.facts(read.block, used)
        if whole is not None:
            facts.append(plus(plus(whole, offset, -1), constant(-size)))
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

    def _comes_first(self, at: Block, write: ir.Instruction, read: _Extent) -> bool:
        """Is what begins there, a write or loops of it, executed before the read in each iteration of the loops around
        both, given what holds at the read?"""
        if at is write.block and self._before(write, read.read):
            return True
        above = self._decided_by(at, read)
        return above is not read.read.block and self._domtree.dominates(above, read.read.block)

    def _decided_by(self, block: Block, read: _Extent) -> Block:
        """The first block from which no way leads past this one to the read: a branch is never taken where what it says
        contradicts what holds there."""
        while not self._domtree.dominates(block, read.read.block):
            sources = self._cfg.predecessors[block]
            if len(sources) != 1:
                break
            (above,) = sources
            if self._forest.loop_of(above) is not self._forest.loop_of(block):
                break
            ways = self._cfg.successors[above]
            if len(ways) > 1:
                past = [way for way in ways if way is not block]
                if len(past) != 1 or not contradictory([*read.facts, *self._readings.said(above, past[0])]):
                    break
            block = above
        return block


def _split(polynomial: Polynomial, symbol: int) -> tuple[Polynomial, Polynomial]:
    """What a symbol is multiplied by, and the rest."""
    along: Polynomial = {}
    rest: Polynomial = {}
    for monomial, coefficient in polynomial.items():
        if symbol in monomial:
            at = monomial.index(symbol)
            along[monomial[:at] + monomial[at + 1 :]] = coefficient
        else:
            rest[monomial] = coefficient
    return along, rest


def _symbols(polynomial: Polynomial) -> set[int]:
    return {s for monomial in polynomial for s in monomial}
