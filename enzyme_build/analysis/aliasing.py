"""Aliasing: which loads may be repeated in the reverse sweep.

A load *survives* if no write that can execute after it (in this call, later loop iterations included) may touch the
bytes it read, and, in split mode, the caller does not overwrite them before the reverse pass either. Two accesses
may touch the same bytes if their places overlap in one region, or if both regions are external and neither a
`noalias` argument, distinct globals nor the type-based metadata tells them apart. Of
loops that read and write one array, `dependence` knows more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from math import gcd
from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import PointerType
from enzyme_build.ir.values import Argument, GlobalVariable

from .copied import types_above
from .regions import Place

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from enzyme_build.ir.function import Block
    from enzyme_build.ir.module import Module

    from .cfg import ControlFlow
    from .dependence import Dependence
    from .loops import Loop
    from .memory import Memory
    from .regions import Region

_TBAA = re.compile(r"!tbaa (!\d+)")


class Reason(Enum):
    """Why memory can be read again, or cannot."""

    CONSTANT = "it is constant"
    UNWRITTEN = "nothing writes it"
    BEFORE = "it is written before only"
    MOVES_ON = "later iterations write, but never come back to what was read"
    SPECIAL = "it is volatile, atomic, or at an unknown address"
    CALLER = "the caller may change it between the two passes"
    OVERWRITTEN = "it may be overwritten"

    @property
    def survives(self) -> bool:
        return self not in (Reason.SPECIAL, Reason.CALLER, Reason.OVERWRITTEN)


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of the memory behind a load. `writes` are those that the reason is about; with `other`, all of them
    go to memory that merely may be the same."""

    load: ir.Load
    reason: Reason
    writes: tuple[ir.Instruction, ...] = ()
    other: bool = False


class Access:
    """One memory access: `size` in bytes, 0 for unknown."""

    __slots__ = ("instruction", "place", "size", "tag")

    def __init__(self, instruction: ir.Instruction, place: Place, size: int, tag: str | None) -> None:
        self.instruction = instruction
        self.place = place
        self.size = size
        self.tag = tag


class Aliasing:
    """Queries about one function; `overwritten` tells, per argument, whether split mode's caller changes its memory."""

    def __init__(
        self,
        memory: Memory,
        cfg: ControlFlow,
        overwritten: Sequence[bool] = (),
        dependence: Dependence | None = None,
        *,
        split: bool,
    ) -> None:
        self.memory = memory
        self.cfg = cfg
        self.split = split
        self._dependence = dependence
        self._tags = TypeTags(memory.module)
        self._reach = _reachability(cfg)
        self._position: dict[ir.Instruction, int] = {}
        self._writes: list[Access] = []
        self._by_region: dict[Region, list[Access]] = {}
        self._clobbered_at_exit = self._exit_regions(overwritten)
        self._survives: dict[ir.Instruction, bool] = {}
        for block in cfg.order:
            for number, instruction in enumerate(block.instructions):
                self._position[instruction] = number
                for access in self._writes_of(instruction):
                    self._by_region.setdefault(access.place.region, []).append(access)
        self._external_writes = [a for region, list_ in self._by_region.items() if region.external for a in list_]

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
        if place.region in self._clobbered_at_exit:
            return Fate(load, Reason.CALLER)
        access = self._access(load, place)
        writes = [write for write in self._candidates(access) if self.may_overlap(access, write)]
        later = [write for write in writes if self._after(load, write.instruction)]
        over = [write for write in later if not self._moves_on(access, write)]
        if over:
            other = all(write.place.region is not place.region for write in over)
            return Fate(load, Reason.OVERWRITTEN, tuple(w.instruction for w in over), other)
        if _is_constant(place.region):
            return Fate(load, Reason.CONSTANT)
        reason = Reason.MOVES_ON if later else Reason.BEFORE if writes else Reason.UNWRITTEN
        return Fate(load, reason, tuple(write.instruction for write in later))

    def unwritten_in(self, load: ir.Load, blocks: Collection[Block]) -> bool:
        """Does nothing in the blocks write what the load reads?"""
        place = self.memory.place(load.pointer)
        if place is None:
            return False
        access = self._access(load, place)
        return not any(
            write.instruction.block in blocks and self.may_overlap(access, write) for write in self._candidates(access)
        )

    def may_share(self, a: ir.Load, b: ir.Load) -> bool:
        """May two reads be of the same bytes? Types and promises of the language say nothing of what is only read."""
        one, other = self.memory.place(a.pointer), self.memory.place(b.pointer)
        if one is None or other is None:
            return True
        if one.region is other.region:
            sizes = self.memory.layout.store_size(a.type), self.memory.layout.store_size(b.type)
            return self.may_overlap(Access(a, one, sizes[0], None), Access(b, other, sizes[1], None))
        first, second = one.region, other.region
        if _are_globals(first) and _are_globals(second):
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
        return not self.may_overlap(Access(a, one, sizes[0], None), Access(b, other, sizes[1], None))

    def apart_between_iterations(self, access: ir.Load | ir.Store, store: ir.Store, loop: Loop) -> bool:
        """Do an access and a store of a loop without loops inside touch different bytes in different iterations?"""
        places = self.memory.place(access.pointer), self.memory.place(store.pointer)
        if places[0] is None or places[1] is None or self._dependence is None:
            return False
        if self._dependence.scopes.apart(access, store):
            return True
        a, b = self._access(access, places[0]), self._access(store, places[1])
        return not self.may_overlap(a, b) or self._dependence.apart_between_iterations(
            (access.pointer, access.block, a.size), (store.pointer, store.block, b.size), loop
        )

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

    def _candidates(self, access: Access) -> list[Access]:
        """Writes to memory that may be the same."""
        region = access.place.region
        candidates = self._by_region.get(region, [])
        if region.external and not _is_constant(region):
            candidates = candidates + [w for w in self._external_writes if w.place.region is not region]
        if self._dependence is None:
            return candidates
        scopes = self._dependence.scopes
        return [write for write in candidates if not scopes.apart(access.instruction, write.instruction)]

    def _overwritten_after(self, access: Access) -> bool:
        return any(
            self.may_overlap(access, write)
            and self._after(access.instruction, write.instruction)
            and not self._moves_on(access, write)
            for write in self._candidates(access)
        )

    def _moves_on(self, read: Access, write: Access) -> bool:
        """Does the write never come back to what was read?"""
        a, b = read.instruction, write.instruction
        if self._dependence is None or not isinstance(a, ir.Load) or not isinstance(b, ir.Store):
            return False
        below = a.block is b.block and self._position[b] > self._position[a]
        return self._dependence.never_overwritten(
            (a.pointer, a.block, read.size), (b.pointer, b.block, write.size), below=below
        )

    def may_overlap(self, a: Access, b: Access) -> bool:
        if self._tags.disjoint(a.tag, b.tag):
            return False
        if a.place.region is not b.place.region:
            return may_be_same(a.place.region, b.place.region)
        if not _has_one_base(a.place.region):
            return True
        step = gcd(a.place.stride, b.place.stride)
        distance = b.place.offset - a.place.offset
        if not a.size or not b.size:
            return True
        if step == 0:
            return -b.size < distance < a.size
        distance %= step
        return distance < a.size or step - distance < b.size

    def _after(self, first: ir.Instruction, second: ir.Instruction) -> bool:
        """Can `second` execute after `first`, and the function still return?"""
        if first.block not in self.cfg.index:
            return False
        if first.block is second.block and self._position[second] > self._position[first]:
            return True
        index = self.cfg.index
        return bool(self._reach[index[first.block]] >> index[second.block] & 1)

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
                return [Access(i, p.resolved(), 0, None) for p in touched]
            case _:
                return []

    def _exit_regions(self, overwritten: Sequence[bool]) -> Collection[Region]:
        """Split mode: regions that may change between the two passes."""
        if not self.split:
            return frozenset()
        clobbered: set[Region] = set()
        kept: set[Region] = set()
        for number, argument in enumerate(self.memory.function.arguments):
            changes = number >= len(overwritten) or overwritten[number]
            if isinstance(argument.type, PointerType):
                place = self.memory.place(argument)
                if place is not None:
                    (clobbered if changes else kept).update(closure(place))
        for region in {region.root for region in self.memory.regions}:
            if region.external and region not in kept and not _is_constant(region):
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


def _is_constant(region: Region) -> bool:
    """Is this nothing but constant variables? Where a pointer may lead to one of them or elsewhere, it is not."""
    constant = all(isinstance(g, GlobalVariable) and g.is_constant for g in region.globals)
    return bool(region.globals) and constant and region.origins <= region.globals


def may_be_same(a: Region, b: Region) -> bool:
    """May two regions be one memory?"""
    if not (a.external and b.external):
        return False
    if _are_globals(a) and _are_globals(b):
        return not a.globals.isdisjoint(b.globals)
    return not (_exclusive(a) or _exclusive(b) or _is_constant(a) or _is_constant(b))


def _are_globals(region: Region) -> bool:
    """Is it nothing but global variables?"""
    return bool(region.globals) and len(region.origins) == len(region.globals)


def _has_one_base(region: Region) -> bool:
    """Are offsets counted from the beginnings of objects? Of several pointers from outside, one may point into the
    other's memory; pointers that were read out of memory may, too."""
    if not region.external:
        return True
    return len(region.origins) == 1 and isinstance(next(iter(region.origins)), Argument | GlobalVariable)


def _exclusive(region: Region) -> bool:
    """Reached through one `noalias` argument only."""
    if len(region.origins) != 1 or region.globals:
        return False
    origin = next(iter(region.origins))
    return isinstance(origin, Argument) and "noalias" in origin.attributes


def _reachability(cfg: ControlFlow) -> list[int]:
    """Per block, the bit set of blocks reachable by at least one edge."""
    count = len(cfg.order)
    reach = [0] * count
    pending = list(range(count - 1, -1, -1))
    queued = set(pending)
    while pending:
        at = pending.pop(0)
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


def type_tag(i: ir.Instruction) -> str | None:
    """The access tag that an instruction has."""
    found = _TBAA.search(i.metadata) if i.metadata else None
    return found[1] if found else None


class TypeTags:
    """Type-based alias metadata: access tags `!{base, access, offset}` over a tree of scalar types.

    Source: LLVM language reference, "tbaa Metadata". Only access types are compared: two accesses are disjoint if
    neither access type is an ancestor of the other in one tree, or both name different members of one struct.
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self._ancestors: dict[str, tuple[str, ...]] = {}
        self._access: dict[str, str | None] = {}

    def disjoint(self, a: str | None, b: str | None) -> bool:
        if a is None or b is None or a == b:
            return False
        if self._other_member(a, b):
            return True
        x, y = self._access_type(a), self._access_type(b)
        if x is None or y is None or x == y:
            return False
        up_x, up_y = self.ancestors(x), self.ancestors(y)
        return up_x[-1] == up_y[-1] and x not in up_y and y not in up_x

    def _other_member(self, a: str, b: str) -> bool:
        """Two members of one struct type: tags with the same base type and other offsets."""
        one, other = self._operands(a), self._operands(b)
        if len(one) < 3 or len(other) < 3 or one[0] != other[0] or one[0] == one[1] or other[0] == other[1]:
            return False
        return one[2] != other[2]

    def _access_type(self, tag: str) -> str | None:
        if tag not in self._access:
            operands = self._operands(tag)
            self._access[tag] = operands[1] if len(operands) >= 2 and operands[1].startswith("!") else None
        return self._access[tag]

    def _operands(self, reference: str) -> Sequence[str]:
        return self.module.metadata_node(reference).operands

    def ancestors(self, node: str) -> tuple[str, ...]:
        """The nodes of a type and of those above it, up to the root of its tree."""
        known = self._ancestors.get(node)
        if known is None:
            known = self._ancestors[node] = types_above(self.module, node)
        return known
