"""Loops that move pointers part by part, other than those that are copies (`byte_loops`): the parts have no shadows."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.accessed import accessed_content
from enzyme_build.analysis.claims import overlap
from enzyme_build.analysis.counts import POINTER_BITS, Affine, Const, const, sub
from enzyme_build.analysis.evolution import indices
from enzyme_build.analysis.flow import Flow
from enzyme_build.analysis.kinds import Kind
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.values import ConstantInt
from enzyme_build.records import dataclass

from .byte_loops import moves_untold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enzyme_build.analysis.loops import Loop
    from enzyme_build.analysis.memory import Memory
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.values import Value

_WIDTH: Final = 8
"""Bytes of a pointer."""


def walks_over_pointers(function: Function, memory: Memory, stores: list[ir.Store]) -> Iterator[ir.Store]:
    """The stores among these that may move whole pointers together, part by part. A single element of any index is no
    part of an object, nor is one of each object of an array. What is turned round is no pointer behind it, nor are
    bytes that are sorted, each by its own value."""
    walking = [i for i in stores if _walks_pointers(memory, i)]
    flow = Flow(memory.module, function) if walking else None
    moves = [move for store in walking if flow is not None for move in _moves(flow, store)]
    for move in moves:
        together = {apart: other.size for other in moves if (apart := other.apart(move)) is not None}
        if sum(together.values()) >= move.step:
            yield move.store


def _walks_pointers(memory: Memory, store: ir.Store) -> bool:
    """Does this move parts of words, or words that are taken for integers, from pointers to pointers, as far as
    anything tells?"""
    if not moves_untold(memory.module, store):
        return False
    size = memory.layout.store_size(store.value.type)
    assert isinstance(store.value, ir.Load)
    # What has a type lies at multiples of its size.
    return size <= _WIDTH and all(
        (size in {1, _WIDTH} or access.align < size) and _reaches_pointers(memory, access.pointer, size)
        for access in (store, store.value)
    )


@dataclass(frozen=True, eq=False)
class _Move:
    """Something that every iteration of a loop moves, between addresses that change."""

    store: ir.Store
    loop: Loop
    size: int
    to: Affine | None
    source: Affine | None

    @property
    def step(self) -> int:
        """How far the addresses advance, up to a pointer's size; 1 where it is not known."""
        known = (affine.step_int if affine is not None else None for affine in (self.to, self.source))
        return min(_WIDTH, max(1 if step is None else abs(step) for step in known))

    def apart(self, other: _Move) -> Const | None:
        """How far its places are from those of another one, if both are the same distance apart."""
        if self is other:
            return const(0, POINTER_BITS)
        if self.loop is not other.loop or self.to is None or self.source is None:
            return None
        if other.to is None or other.source is None:
            return None
        distance = sub(self.to.start, other.to.start)
        same = distance == sub(self.source.start, other.source.start)
        return distance if same and isinstance(distance, Const) else None


def _moves(flow: Flow, store: ir.Store) -> Iterator[_Move]:
    """What a store does in the loops around it."""
    loop, read = flow.loops.loop_of(store.block) if store.block in flow.cfg else None, store.value
    assert isinstance(read, ir.Load)
    size = flow.module.layout.store_size(read.type)
    while loop is not None and read.block in loop.blocks:
        to, source = (flow.evolution.affine(access.pointer, loop) for access in (store, read))
        addresses = zip((to, source), (store.pointer, read.pointer), strict=True)
        walks = all(
            _is_index(flow, loop, pointer) if affine is None else affine.step_int != 0 for affine, pointer in addresses
        )
        is_sorted = None in {to, source} and size < _WIDTH and _is_ordered(flow, read)
        if walks and not is_sorted and not _is_turned(to, source):
            yield _Move(store, loop, size, to, source)
        loop = loop.parent


def _is_turned(to: Affine | None, source: Affine | None) -> bool:
    """Do the places that are read and written go different ways?"""
    if to is None or source is None or to.step_int is None or source.step_int is None:
        return False
    return to.step_int * source.step_int < 0


def _is_ordered(flow: Flow, read: ir.Load) -> bool:
    """Is it asked whether this is less than another one?"""
    return any(isinstance(i, ir.Compare) and i.predicate not in {"eq", "ne"} for i in flow.users.get(read, ()))


def _is_index(flow: Flow, loop: Loop, pointer: Value) -> bool:
    """Is this one of many parts, rather than a member of what a pointer leads to? One of each node on a way through a
    tree or list is no part either."""
    while isinstance(pointer, ir.GetElementPtr):
        if any(
            step < _WIDTH for index, step in indices(pointer, flow.module.layout) if not isinstance(index, ConstantInt)
        ):
            return not _is_next(flow, loop, pointer.operands[0])
        pointer = pointer.operands[0]
    return False


def _is_next(flow: Flow, loop: Loop, pointer: Value) -> bool:
    """Is this another object in each iteration, which is found on a way through pointers: by the iteration before, or
    by a loop inside?"""
    for value, _ in _found_by(flow, loop, pointer):
        if not isinstance(value, ir.Phi) or value.block is None:
            continue
        inner = flow.loops.loop_of(value.block)
        if inner is not None and value.block is inner.header:
            carried = (one for one, block in zip(value.operands, value.blocks, strict=True) if block in inner.blocks)
            if any((value, True) in _found_by(flow, inner, one) for one in carried):
                return True
    return False


def _found_by(flow: Flow, loop: Loop, pointer: Value) -> set[tuple[ir.Instruction, bool]]:
    """What a pointer is computed from within an iteration, and whether it was read from there."""
    found: set[tuple[ir.Instruction, bool]] = set()
    pending = [(pointer, False)]
    while pending:
        value, is_read = pending.pop()
        if not isinstance(value, ir.Instruction) or value.block not in loop.blocks or (value, is_read) in found:
            continue
        found.add((value, is_read))
        match value:
            case ir.GetElementPtr():
                pending.append((value.operands[0], is_read))
            case ir.Load():
                pending.append((value.pointer, True))
            case ir.Phi() if (inner := flow.loops.loop_of(value.block)) is not None and value.block is inner.header:
                pass
            case ir.Phi() | ir.Select() | ir.Freeze():
                pending += [(one, is_read) for one in ir.merged(value)]
            case _:
                pass
    return found


def _reaches_pointers(memory: Memory, pointer: Value, size: int) -> bool:
    """Is this one of several parts of words, or a word that is taken for an integer, which is at pointers, too?"""
    place = memory.place(pointer)
    if place is None or not place.stride:
        return False
    place = place.resolved()
    if size == _WIDTH:
        own = accessed_content(place.region, place.offset, place.stride)
        if own is None or own.kind is not Kind.INTEGER:
            return False  # the run tells mixed words apart
    span = place.region.span(place.offset, place.stride)
    return any(
        Kind.POINTER in content.claims
        and overlap(at - place.offset, gcd(step, place.stride), size, _WIDTH)
        and span.meets(place.region.span(at, step))
        for at, step, content in place.region.entries()
    )
