"""Aliasing: which loads may be repeated in the reverse sweep.

A load *survives* if no write that can execute after it (in this call, later loop iterations included) may touch the
bytes it read, and, in split mode, the caller does not overwrite them before the reverse pass either. Two accesses
may touch the same bytes if their places overlap in one region, or if both regions are external and neither a
`noalias` argument, distinct globals nor the type-based metadata tells them apart. Of
loops that read and write one array, `dependence` knows more.
"""

from __future__ import annotations

from collections import deque
from enum import Enum
from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import PointerType
from enzyme_build.records import dataclass

from .annotations import annotations_of
from .other_threads import synchronises
from .regions import Place
from .writes import Access, Writes, are_globals, are_other_objects, is_constant, type_tag

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from enzyme_build.ir.function import Block

    from .cfg import ControlFlow
    from .dependence import Bytes, Dependence
    from .loops import Loop
    from .memory import Memory
    from .regions import Region


class Reason(Enum):
    """Why memory can be read again, or cannot."""

    CONSTANT = "it is constant"
    UNWRITTEN = "nothing writes it"
    BEFORE = "it is written before only"
    MOVES_ON = "later iterations write, but never come back to what was read"
    SPECIAL = "it is volatile, atomic, or at an unknown address"
    LIBRARY = "it is memory of a library, which may change it in any call"
    CALLER = "the caller may change it between the two passes"
    OVERWRITTEN = "it may be overwritten"

    @property
    def survives(self) -> bool:
        return self not in (Reason.SPECIAL, Reason.LIBRARY, Reason.CALLER, Reason.OVERWRITTEN)


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of the memory behind a load. `writes` are those that the reason is about; with `other`, all of them
    go to memory that merely may be the same."""

    load: ir.Load
    reason: Reason
    writes: tuple[ir.Instruction, ...] = ()
    other: bool = False


class Aliasing:
    """Queries about one function; `overwritten` tells, per argument and then of the result, whether split mode's
    caller changes its memory, and `retyped` whether there is memory behind them whose type changes."""

    def __init__(  # noqa: PLR0913 - what is asked of a function, and what is known of it
        self,
        memory: Memory,
        cfg: ControlFlow,
        overwritten: Sequence[bool] = (),
        dependence: Dependence | None = None,
        *,
        split: bool,
        retyped: bool = False,
    ) -> None:
        self.memory = memory
        self.cfg = cfg
        self.split = split
        self._dependence = dependence
        self._reach = _reachability(cfg)
        self._position: dict[ir.Instruction, int] = {}
        self._lent = memory.lent()
        self._clobbered_at_exit = self._exit_regions(overwritten)
        self._survives: dict[ir.Instruction, bool] = {}
        for block in cfg.order:
            self._position |= {instruction: number for number, instruction in enumerate(block.instructions)}
        instructions = (i for block in cfg.order for i in block.instructions)
        accesses = (access for i in instructions for access in self._writes_of(i))
        self._writes = Writes(memory.module, accesses, cfg.index, retyped=retyped)

    def survives(self, load: ir.Load) -> bool:
        """Does the load give the same value when repeated after the function's last instruction?"""
        known = self._survives.get(load)
        if known is None:
            place = self.memory.place(load.pointer)
            if place is None or load.volatile or load.ordering:
                known = False
            elif "!invariant.load" in load.metadata:
                known = True
            else:
                access = self._access(load, place)
                known = place.region not in self._clobbered_at_exit and not self._overwritten_after(access)
            self._survives[load] = known
        return known

    def fate(self, load: ir.Load) -> Fate:
        """Why the load survives, or what may overwrite what it read."""
        place = self.memory.place(load.pointer)
        if place is None or load.volatile or load.ordering:
            return Fate(load, Reason.SPECIAL)
        if "!invariant.load" in load.metadata:
            return Fate(load, Reason.CONSTANT)
        if place.region in self._lent:
            return Fate(load, Reason.LIBRARY)
        if place.region in self._clobbered_at_exit:
            return Fate(load, Reason.CALLER)
        access = self._access(load, place)
        writes = [*self._overlapping(access)]
        later = [*self._later(access)]
        over = [write for write in later if not self._moves_on(access, write)]
        if over:
            other = all(write.place.region is not place.region for write in over)
            return Fate(load, Reason.OVERWRITTEN, tuple(w.instruction for w in over), other)
        if is_constant(place.region):
            return Fate(load, Reason.CONSTANT)
        reason = Reason.MOVES_ON if later else Reason.BEFORE if writes else Reason.UNWRITTEN
        return Fate(load, reason, tuple(write.instruction for write in later))

    def unwritten_in(self, load: ir.Load, blocks: Collection[Block]) -> bool:
        """Does nothing in the blocks write what the load reads?"""
        place = self.memory.place(load.pointer)
        if place is None or place.region in self._lent:
            return False
        access = self._access(load, place)
        return not any(write.instruction.block in blocks for write in self._overlapping(access))

    def may_share(self, a: ir.Load, b: ir.Load) -> bool:
        """May two reads be of the same bytes? Types and promises of the language say nothing of what is only read."""
        one, other = self.memory.place(a.pointer), self.memory.place(b.pointer)
        if one is None or other is None:
            return True
        if one.region is other.region:
            sizes = self.memory.layout.store_size(a.type), self.memory.layout.store_size(b.type)
            return self._writes.may_overlap(Access(a, one, sizes[0], None), Access(b, other, sizes[1], None))
        first, second = one.region, other.region
        if are_globals(first) and are_globals(second):
            return not first.globals.isdisjoint(second.globals)
        return first.external and second.external

    def never_share(self, a: ir.Load | ir.Store, b: ir.Load | ir.Store) -> bool:
        """Do two accesses touch different bytes at all times? Types tell nothing: memory may change its own."""
        one, other = self.memory.place(a.pointer), self.memory.place(b.pointer)
        if one is None or other is None:
            return False
        if self._dependence is not None and self._dependence.scopes.apart(a, b):
            return True
        sizes = self._access(a, one).size, self._access(b, other).size
        return not self._writes.may_overlap(Access(a, one, sizes[0], None), Access(b, other, sizes[1], None))

    def apart_between_iterations(self, one: ir.Load | ir.Store, other: ir.Load | ir.Store, loop: Loop) -> bool:
        """Do two accesses of a loop without loops inside touch different bytes in different iterations?"""
        return self._apart_in_loop(one, other, lambda of, a, b: of.apart_between_iterations(a, b, loop))

    def apart_in_each_iteration(self, one: ir.Load | ir.Store, other: ir.Load | ir.Store, loop: Loop) -> bool:
        """Do two accesses of a loop without loops inside touch different bytes in the same iteration?"""
        return self._apart_in_loop(one, other, lambda of, a, b: of.apart_in_each_iteration(a, b, loop))

    def _apart_in_loop(
        self, one: ir.Load | ir.Store, other: ir.Load | ir.Store, proved: Callable[[Dependence, Bytes, Bytes], bool]
    ) -> bool:
        places = self.memory.place(one.pointer), self.memory.place(other.pointer)
        if places[0] is None or places[1] is None or self._dependence is None or not one.block or not other.block:
            return False
        a, b = self._access(one, places[0]), self._access(other, places[1])
        if isinstance(one, ir.Load) and isinstance(other, ir.Load):
            # Nothing is promised of memory that is only read (C11 6.7.3.1p4; `noalias`): their adjoints may be one.
            if are_other_objects(a.place.resolved().region, b.place.resolved().region):
                return True
        elif self._dependence.scopes.apart(one, other) or not self._writes.may_overlap(a, b):
            return True
        return proved(self._dependence, (one.pointer, one.block, a.size), (other.pointer, other.block, b.size))

    def memory_survives(self, instruction: ir.Instruction, place: Place) -> bool:
        """Is all memory reachable from `place` unchanged from after `instruction` to the end of the function?"""
        pending = [place.resolved()]
        seen = set()
        while pending:
            region = pending.pop().resolved().region
            if region in seen:
                continue
            seen.add(region)
            if region in self._clobbered_at_exit:
                return False
            if self._overwritten_after(Access(instruction, Place(region, 0, 1), 0, None)):
                return False
            pending.extend(region.targets())
        return True

    def is_changed_by_caller(self, region: Region) -> bool:
        """Split mode: may the caller change this memory between the two passes?"""
        return region in self._clobbered_at_exit

    def _access(self, i: ir.Load | ir.Store, place: Place) -> Access:
        type_ = i.type if isinstance(i, ir.Load) else i.value.type
        return Access(i, place, self.memory.layout.store_size(type_), type_tag(i))

    def _overlapping(self, access: Access) -> Iterator[Access]:
        """Writes that may touch the same bytes."""
        writes = (write for run in self._writes.overlapping(access) for write in run)
        return self._not_apart(access.instruction, writes)

    def _not_apart(self, i: ir.Instruction, writes: Iterable[Access]) -> Iterator[Access]:
        scopes = self._dependence.scopes if self._dependence is not None else None
        return (write for write in writes if scopes is None or not scopes.apart(i, write.instruction))

    def _later(self, access: Access) -> Iterator[Access]:
        """Writes that may touch the same bytes, and execute after the access with the function still returning."""
        i = access.instruction
        number = self.cfg.index.get(i.block)
        if number is None:
            return iter(())
        reached = self._reach[number] | 1 << number
        again = bool(self._reach[number] >> number & 1)
        return self._not_apart(
            i,
            (
                write
                for run in self._writes.overlapping(access)
                for write in run.in_blocks(reached)
                if again or write.instruction.block is not i.block or self._is_below(i, write.instruction)
            ),
        )

    def _is_below(self, first: ir.Instruction, second: ir.Instruction) -> bool:
        """Of two instructions of a block, is `second` behind `first`?"""
        return self._position[second] > self._position[first]

    def _overwritten_after(self, access: Access) -> bool:
        return any(not self._moves_on(access, write) for write in self._later(access))

    def _moves_on(self, read: Access, write: Access) -> bool:
        """Does the write never come back to what was read?"""
        a, b = read.instruction, write.instruction
        if self._dependence is None or not isinstance(a, ir.Load) or not isinstance(b, ir.Store):
            return False
        below = a.block is b.block and self._is_below(a, b)
        return self._dependence.never_overwritten(
            (a.pointer, a.block, read.size), (b.pointer, b.block, write.size), below=below
        )

    def _writes_of(self, i: ir.Instruction) -> list[Access]:
        layout = self.memory.layout
        match i:
            case ir.Store():
                place = self.memory.place(i.pointer)
                return [self._access(i, place)] if place else []
            case ir.AtomicRMW() | ir.CompareExchange():
                place = self.memory.place(i.operands[0])
                return [Access(i, place, layout.store_size(i.operands[1].type), type_tag(i))] if place else []
            case ir.CallBase():
                effects = self.memory.effects.get(i)
                if effects is None:
                    return []
                # A deallocation of our own is postponed; one inside a callee that is called as it is, is not.
                own = isinstance(i.callee, Function) and not self.memory.module.is_defined(i.callee.name)
                touched = effects.writes if own else effects.writes + effects.frees
                places = [p.resolved() for p in touched]
                if synchronises(self.memory, i):
                    places += self._shared_with_threads()
                return [Access(i, place, 0, None) for place in places]
            case _:
                return []

    def _shared_with_threads(self) -> Iterator[Place]:
        """Memory that other threads may change."""
        for region in {region.root: None for region in self.memory.regions}:
            if region.external and not is_constant(region):
                yield Place(region, 0, 1)

    def _exit_regions(self, overwritten: Sequence[bool]) -> Collection[Region]:
        """Regions that may change between the two passes: in split mode by what the caller does, always by what
        libraries do, and by what the reverse sweep adds to the registered shadow of a global variable, which an inner
        derivative may have read."""
        shadows = annotations_of(self.memory.module).shadows.values()
        clobbered = {self.memory.globals[own].root for own in shadows if own in self.memory.globals} | {*self._lent}
        if not self.split:
            return clobbered
        kept: set[Region] = set()
        for number, argument in enumerate(self.memory.function.arguments):
            changes = number >= len(overwritten) or overwritten[number]
            if isinstance(argument.type, PointerType):
                place = self.memory.place(argument)
                if place is not None:
                    (clobbered if changes else kept).update(closure(place))
        if len(overwritten) <= len(self.memory.function.arguments) or overwritten[-1]:
            clobbered.update(closure(*self.memory.returned()))
        clobbered.update(closure(*self.memory.returned(integers=True)))  # callers do not follow those
        for region in {region.root for region in self.memory.regions}:
            if region.external and region not in kept and not is_constant(region):
                clobbered.add(region)
        return frozenset(clobbered)


def closure(*places: Place) -> set[Region]:
    """The regions that can be reached from places."""
    found: set[Region] = set()
    pending = list(places)
    while pending:
        region = pending.pop().resolved().region
        if region not in found:
            found.add(region)
            pending.extend(region.targets())
    return found


def _reachability(cfg: ControlFlow) -> list[int]:
    """Per block, the bit set of blocks reachable by at least one edge."""
    count = len(cfg.order)
    reach = [0] * count
    pending = deque(range(count - 1, -1, -1))
    queued = set(pending)
    while pending:
        at = pending.popleft()
        queued.discard(at)
        block: Block = cfg.order[at]
        new = 0
        for successor in cfg.successors[block]:
            target = cfg.index[successor]
            new |= reach[target] | (1 << target)
        if new != reach[at]:
            reach[at] = new
            for predecessor in cfg.predecessors[block]:
                number = cfg.index[predecessor]
                if number not in queued:
                    queued.add(number)
                    pending.append(number)
    return reach
