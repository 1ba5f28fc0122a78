"""Loops that copy bytes are copies.

`for (i = 0; i < n; i++) to[i] = from[i];` over characters is how programs write `memcpy` that have none, or words of
eight bytes, and then the rest. LLVM makes a copy of it only where it knows that the two do not overlap. A part of a
number or of a pointer has no derivative and no shadow, nor has a word that may be two integers. In the model that the
pass reads such a loop is one copy, and a loop that has two runs of bytes change places, as in a sort of elements of any
size, is three. Where bytes are read again after they were written (the runs overlap), they repeat, as in fills and
decompression, or go round: see `overlaps`. Where what is moved are words, or several bytes in each round, or a loop
writes what it reads again each time, as its own length, that ends the derivative's program with a message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.copied import access_kind
from enzyme_build.analysis.counts import Affine, Const, Count, add, const, mul, signed, sub, truncate
from enzyme_build.analysis.flow import Flow
from enzyme_build.analysis.kinds import Kind
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder, in_front_of
from enzyme_build.ir.debug import debug_attachment, location_of
from enzyme_build.ir.function import Block, remove_instructions
from enzyme_build.ir.intrinsics import intrinsic
from enzyme_build.ir.types import I1, I8, I16, I32, I64, PTR, IntType, Type
from enzyme_build.ir.values import Value, const_int
from enzyme_build.records import dataclass

from .edges import block_between, remove_unreachable
from .loop_form import canonical_loops
from .overlaps import overlapping
from .rereads import InFront, base_of, with_steady_reads
from .runtime import stop_with

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.analysis.evolution import Evolution
    from enzyme_build.analysis.loops import Loop
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module

_OVERLAP: Final = (
    "bytes are copied one by one to where they are read again later (memory that overlaps), which has no derivative; "
    "use memmove, or copy numbers as numbers"
)
_CHANGED: Final = (
    "bytes are copied one by one to where the loop reads its own length or address (memory that overlaps), which has "
    "no derivative; use memmove"
)
_SIZES: Final[Mapping[Type, int]] = {I8: 1, I16: 2, I32: 4, I64: 8}
_HARMLESS: Final = (ir.Load, ir.GetElementPtr, ir.Cast, ir.Binary, ir.Compare, ir.Select, ir.Phi, ir.Jump, ir.Branch)


def copies_for_byte_loops(module: Module, function: Function) -> None:
    """Replace the loops of the function's model."""
    if not any(_is_move(module, i) for i in function.instructions()):
        return
    flow = Flow(module, function)
    found = [copy for loop in flow.loops.loops if (copy := _find(flow, loop)) is not None]
    for copy in found:
        copy.replace(module, function)
    if found:
        remove_unreachable(function)
        canonical_loops(function)


def _is_move(module: Module, i: ir.Instruction) -> bool:
    """Is this a byte as it was read, or a word, of which no language tells that it is an integer?"""
    if not isinstance(i, ir.Store) or not moves_untold(module, i):
        return False
    assert isinstance(i.value, ir.Load)
    size = _SIZES.get(i.value.type)
    # What has a type lies at multiples of its size. Whole words may be pointers or numbers wherever they lie.
    return size is not None and all(
        not access.volatile and not access.ordering and (size in {1, 8} or access.align < size)
        for access in (i, i.value)
    )


def moves_untold(module: Module, store: ir.Store) -> bool:
    """Is this an integer as it was read, of which neither access tells that it is one?"""
    read = store.value
    if not isinstance(read, ir.Load) or not isinstance(read.type, IntType):
        return False
    size = module.layout.store_size(read.type)
    told = [access_kind(module, access.metadata, size) for access in (store, read)]
    return all(kind is None or kind[0] is not Kind.INTEGER for kind in told)


@dataclass(eq=False)
class _Copy:
    """A loop that does nothing but copy bytes, or exchange them."""

    loop: Loop
    store: ir.Store
    to: Affine
    source: Affine
    several: bool
    """Does an iteration move several bytes or words?"""
    count: Count
    """How many iterations move."""
    exchanges: bool
    finals: dict[ir.Phi, tuple[Value, Count | None]] | None
    """What merges behind the loop have from it: a value, or what it is at the end. None if that takes the loop, as a
    sum of the bytes does: it stays, without its stores, and the copy is behind it."""
    evolution: Evolution
    steady: Mapping[Value, ir.Load | ir.Binary]
    """What the loop reads again each time, which stays the same unless the loop itself writes there."""

    def replace(self, module: Module, function: Function) -> None:
        """Leaves the loop without a way to it, where it is not needed any more."""
        before, ((leaving, behind),) = self.loop.preheader, self.loop.exit_edges
        assert before is not None
        where = debug_attachment(self.store)
        before.instructions.pop()
        b = Builder(before, where)
        front = InFront(b, module, self.evolution, self.loop)
        front.compute(self.steady)
        length = b.binary("mul", front.number(self.count), const_int(I64, abs(self._step)))
        to, source = (self._begin(b, front.pointer(run.start), length) for run in (self.to, self.source))
        finals = [
            (phi, value if count is None else front.pointer(count) if value.type is PTR else front.number(count))
            for phi, (value, count) in (self.finals or {}).items()
        ]
        stays = front.stays((to, source) if self.exchanges else (to,), length)
        if stays is not None:
            entered = self._add_block(function, "entered")
            b.branch(stays, entered, self._stop(module, function, where, _CHANGED))
            b = Builder(entered, where)
        copied = self._add_block(function, "copied")
        if self.finals is None:
            self._stay(function, copied, where)
            inside = in_front_of(block_between(function, [leaving], behind, "copy").terminator)
        else:
            Builder(copied, where).jump(behind)
            inside = in_front_of(copied.terminator)
        (_exchange if self.exchanges else _move)(module, inside, to, source, length)
        if self._is_known_apart():
            b.jump(copied)
        elif self.finals is None or self.several or abs(self._step) > 1:
            b.branch(self._is_apart(b, to, source, length), copied, self._stop(module, function, where, _OVERLAP))
        else:
            overlaps = self._add_block(function, "overlaps")
            b.branch(self._is_apart(b, to, source, length), copied, overlaps)
            b = Builder(overlaps, where)
            operands = [to, source, length, const_int(I1, int(self._step < 0))]
            overlapping(module, b, operands, exchanges=self.exchanges)
            b.jump(behind)
            for phi, value in finals:
                Builder.add_incoming(phi, value, overlaps)
        for phi, value in finals:
            Builder.add_incoming(phi, value, copied)

    def _add_block(self, function: Function, name: str) -> Block:
        header = self.loop.header
        block = Block(f"{header.name or 'b'}.{name}")
        function.blocks.insert(function.blocks.index(header), block)
        block.function = function
        return block

    def _stop(self, module: Module, function: Function, where: str, cause: str) -> Block:
        block = self._add_block(function, "overlaps")
        location = location_of(module, self.store)
        stop_with(module, Builder(block, where), f"{location or function.name}: {cause}")
        return block

    def _enter_from(self, before: Block) -> None:
        for phi in self.loop.header.phis:
            phi.blocks[:] = [before if block is self.loop.preheader else block for block in phi.blocks]

    def _stay(self, function: Function, before: Block, where: str) -> None:
        """Have the loop begin behind a block, and store nothing."""
        self._enter_from(before)
        Builder(before, where).jump(self.loop.header)
        remove_instructions(function, set(self._stores()))

    def _stores(self) -> list[ir.Store]:
        return [i for i in _instructions(self.loop) if isinstance(i, ir.Store)]

    def _begin(self, b: Builder, entered: Value, length: Value) -> Value:
        """Of a run that the loop enters at an address."""
        return b.ptradd(entered, b.sub(const_int(I64, -self._step), length)) if self._step < 0 else entered

    @property
    def _step(self) -> int:
        assert self.to.step_int is not None
        return self.to.step_int

    def _is_known_apart(self) -> bool:
        distance = sub(self.to.start, self.source.start)
        if not isinstance(distance, Const) or not isinstance(self.count, Const):
            return False
        return abs(signed(distance.value, distance.bits)) >= self.count.value * abs(self._step)

    def _is_apart(self, b: Builder, to: Value, source: Value, length: Value) -> Value:
        """Is every byte read before it is written?"""
        none = const_int(I64, 0)
        distance = b.sub(b.cast("ptrtoint", to, I64), b.cast("ptrtoint", source, I64))
        distance = b.sub(none, distance) if self._step < 0 else distance
        apart: Value = b.icmp("uge", distance, length)
        if self.exchanges or self.several:
            apart = b.binary("and", apart, b.icmp("uge", b.sub(none, distance), length))
        return b.binary("or", apart, b.icmp("eq", distance, none))


def _move(module: Module, b: Builder, to: Value, source: Value, length: Value) -> None:
    b.call(intrinsic(module, "memmove", PTR, PTR, I64), [to, source, length, const_int(I1, 0)])


def _exchange(module: Module, b: Builder, one: Value, other: Value, length: Value) -> None:
    """By way of a room on the stack, which is given back at once: this may be in a loop."""
    stack = b.call(intrinsic(module, "stacksave", PTR), [])
    room = b.alloca(I8, length, 16)
    _move(module, b, room, one, length)
    _move(module, b, one, other, length)
    _move(module, b, other, room, length)
    b.call(intrinsic(module, "stackrestore", PTR), [stack])


def _find(flow: Flow, loop: Loop) -> _Copy | None:
    """The copy that the loop is, if it is one."""
    stores = _moves_alone(flow, loop)
    if not stores:
        return None
    reads = [store.value for store in stores]
    others = [i for i in _instructions(loop) if isinstance(i, ir.Load) and i not in reads]
    if (found := with_steady_reads(flow, loop, others)) is None:
        return None
    evolution, steady = found
    if (rounds := evolution.backedge_count(loop)) is None:
        return None
    finals = _finals(flow, evolution, loop, rounds)
    exchanges = finals is not None and _are_exchanged(evolution, loop, stores)
    if (run := _run(evolution, loop, stores[:1] if exchanges else stores)) is None:
        return None
    # The last round ends in the test: are the bytes moved before it?
    assert stores[0].block is not None
    again = flow.dominators.dominates(stores[0].block, loop.exit_edges[0][0])
    count = add(rounds, const(1, rounds.bits)) if again else rounds
    return _Copy(loop, stores[0], *run, count, exchanges, finals, evolution, steady)


def _run(evolution: Evolution, loop: Loop, stores: list[ir.Store]) -> tuple[Affine, Affine, bool] | None:
    """Where the moves of one iteration go, and from where, if they are one run, with which the next one's begins or
    ends; and whether there are several."""
    moved = []
    for store in stores:
        assert isinstance(store.value, ir.Load)
        to, source = (_moving(evolution, loop, access.pointer) for access in (store, store.value))
        if to is None or source is None or to.step != source.step:
            return None
        moved.append((to, source, _SIZES[store.value.type]))
    first, first_source, size = moved[0]
    apart = [(sub(to.start, first.start), sub(source.start, first_source.start)) for to, source, _ in moved]
    if any(to.step != first.step for to, _, _ in moved) or any(a != b or not isinstance(a, Const) for a, b in apart):
        return None
    at = [signed(distance.value, distance.bits) for distance, _ in apart if isinstance(distance, Const)]
    begin = min(at)
    if sorted(at) != [begin + size * k for k in range(len(at))] or abs(first.step_int or 0) != size * len(at):
        return None
    to, source, _ = moved[at.index(begin)]
    return to, source, len(moved) > 1


def _moves_alone(flow: Flow, loop: Loop) -> list[ir.Store]:
    """The moves, of words of one size, that are all that an innermost loop does in every iteration."""
    instructions = _instructions(loop)
    stores = [i for i in instructions if isinstance(i, ir.Store)]
    if not stores or not all(
        isinstance(i, _HARMLESS) or _is_move(flow.module, i) or _is_scope(i) for i in instructions
    ):
        return []
    if loop.children or loop.preheader is None or len(loop.exit_edges) != 1 or loop.latch is None:
        return []
    reads = {store.value for store in stores}
    if len(reads) < len(stores) or len({read.type for read in reads}) > 1 or not reads <= set(instructions):
        return []
    block = stores[0].block
    together = block is not None and flow.dominators.dominates(block, loop.latch)
    return stores if together and all(store.block is block for store in stores) else []


def _instructions(loop: Loop) -> list[ir.Instruction]:
    return [i for block in loop.blocks for i in block.instructions]


def _is_scope(i: ir.Instruction) -> bool:
    return isinstance(i, ir.Call) and (getattr(i.callee, "name", None) or "").startswith(
        "llvm.experimental.noalias.scope.decl"
    )


def _are_exchanged(evolution: Evolution, loop: Loop, stores: list[ir.Store]) -> bool:
    """Are there two stores, of which the second one puts what was in the place of the first to where that is from?"""
    if len(stores) != 2:
        return False
    first, second = stores
    reads = [store.value for store in stores if isinstance(store.value, ir.Load)]
    block = first.block
    assert block is not None
    if any(i.block is not block for i in (second, *reads)):
        return False
    at = {i: number for number, i in enumerate(block.instructions)}
    if max(at[read] for read in reads) > min(at[store] for store in stores):
        return False
    to, source, back, over = (_moving(evolution, loop, i.pointer) for i in (first, reads[0], second, reads[1]))
    return _are_equal(to, over) and _are_equal(source, back)


def _are_equal(one: Affine | None, other: Affine | None) -> bool:
    return one is not None and other is not None and (one.start, one.step) == (other.start, other.step)


def _moving(evolution: Evolution, loop: Loop, pointer: Value) -> Affine | None:
    """An address that advances, or goes back, by the same distance each time."""
    affine = evolution.affine(pointer, loop)
    return affine if affine is not None and base_of(affine.start) is not None else None


def _finals(
    flow: Flow, evolution: Evolution, loop: Loop, rounds: Count
) -> dict[ir.Phi, tuple[Value, Count | None]] | None:
    """What the merges behind the loop have from it; None if something takes the loop, or is used in another way."""
    finals: dict[ir.Phi, tuple[Value, Count | None]] = {}
    own, ((leaving, behind),) = set(_instructions(loop)), loop.exit_edges
    for phi in behind.phis:
        value = phi.incoming(leaving)
        if value not in own:
            finals[phi] = (value, None)
            continue
        affine = evolution.affine(value, loop)
        if affine is None or (value.type is PTR and base_of(affine.start) is None):
            return None
        finals[phi] = (value, add(affine.start, mul(affine.step, truncate(rounds, affine.bits))))
    for i in own:
        for user in flow.users.get(i, ()):
            if user not in own and not (isinstance(user, ir.Phi) and user.block is behind):
                return None
    return finals
