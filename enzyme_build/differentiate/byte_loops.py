"""Loops that copy bytes are copies.

`for (i = 0; i < n; i++) to[i] = from[i];` over characters is how programs write `memcpy` that have none, and LLVM makes
one of it only where it knows that the two do not overlap. A part of a number or of a pointer has no derivative and no
shadow. In the model that the pass reads such a loop is one copy. Where what is written would be read again later
(`from` < `to` < `from` + `n`), bytes repeat instead, as in fills and decompression; that ends the derivative's program
with a message.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.copied import access_kind
from enzyme_build.analysis.counts import Count, Leaf, Operation, add, const, mul, sub, truncate
from enzyme_build.analysis.flow import Flow
from enzyme_build.analysis.kinds import Kind
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment, location_of
from enzyme_build.ir.function import Block
from enzyme_build.ir.types import I1, I8, I64, PTR, VOID, function_type
from enzyme_build.ir.values import Value, const_int

from .edges import drop_edge
from .expand import expand_count
from .loop_form import canonical_loops
from .runtime import stop_with

if TYPE_CHECKING:
    from enzyme_build.analysis.loops import Loop
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module

_OVERLAP: Final = (
    "bytes are copied one by one to where they are read again later (memory that overlaps), which has no derivative; "
    "use memmove, or copy numbers as numbers"
)
_HARMLESS: Final = (ir.Load, ir.GetElementPtr, ir.Cast, ir.Binary, ir.Compare, ir.Select, ir.Phi, ir.Jump, ir.Branch)


def copies_for_byte_loops(module: Module, function: Function) -> None:
    """Replace the loops of the function's model."""
    if not any(_is_byte_store(module, i) for i in function.instructions()):
        return
    flow = Flow(module, function)
    found = [copy for loop in flow.loops.loops if (copy := _find(flow, loop)) is not None]
    for copy in found:
        copy.replace(module, function)
    if found:
        canonical_loops(function)


def _is_byte_store(module: Module, i: ir.Instruction) -> bool:
    """Is this a byte as it was read, of which no language tells that it is an integer?"""
    return (
        isinstance(i, ir.Store)
        and i.value.type is I8
        and isinstance(i.value, ir.Load)
        and all(_is_untold(module, access) for access in (i, i.value))
    )


def _is_untold(module: Module, access: ir.Load | ir.Store) -> bool:
    told = access_kind(module, access.metadata, 1)
    plain = not access.volatile and not access.ordering
    return plain and (told is None or told[0] is not Kind.INTEGER)


@dataclass(eq=False)
class _Copy:
    """A loop that does nothing but copy bytes, upwards."""

    loop: Loop
    store: ir.Store
    to: Count
    source: Count
    length: Count
    finals: dict[ir.Phi, tuple[Value, Count | None]]
    """What merges behind the loop have from it: a value, or what it is at the end."""

    def replace(self, module: Module, function: Function) -> None:
        before, ((leaving, behind),) = self.loop.preheader, self.loop.exit_edges
        assert before is not None
        where = debug_attachment(self.store)
        copied, overlapping = (Block(f"{self.loop.header.name or 'b'}.{name}") for name in ("copied", "overlaps"))
        before.instructions.pop()
        b = Builder(before, where)
        to, source = (_pointer(b, module, address) for address in (self.to, self.source))
        length = _number(b, module, self.length)
        distance = b.sub(b.cast("ptrtoint", to, I64), b.cast("ptrtoint", source, I64))
        finals = {
            phi: value if count is None else self._final(b, module, value, count)
            for phi, (value, count) in self.finals.items()
        }
        apart = b.icmp("uge", distance, length)
        same = b.icmp("eq", distance, const_int(I64, 0))
        b.branch(b.binary("or", apart, same), copied, overlapping)
        drop_edge(leaving, behind)
        inside = Builder(copied, where)
        move = module.declare("llvm.memmove.p0.p0.i64", function_type(VOID, (PTR, PTR, I64, I1)))
        inside.call(move, [to, source, length, const_int(I1, 0)])
        inside.jump(behind)
        for phi, value in finals.items():
            Builder.add_incoming(phi, value, copied)
        location = location_of(module, self.store)
        stop_with(module, Builder(overlapping, where), f"{location or function.name}: {_OVERLAP}")
        at = function.blocks.index(self.loop.header)
        function.blocks[:] = [block for block in function.blocks if block not in self.loop.blocks]
        for new in (copied, overlapping):
            function.blocks.insert(at, new)
            new.function = function

    def _final(self, b: Builder, module: Module, value: Value, count: Count) -> Value:
        return _pointer(b, module, count) if value.type is PTR else _number(b, module, count)


def _find(flow: Flow, loop: Loop) -> _Copy | None:
    """The copy that the loop is, if it is one."""
    instructions = [i for block in loop.blocks for i in block.instructions]
    stores = [i for i in instructions if isinstance(i, ir.Store)]
    if len(stores) != 1 or loop.children or loop.preheader is None or len(loop.exit_edges) != 1 or loop.latch is None:
        return None
    store = stores[0]
    if not _is_byte_store(flow.module, store) or not all(i is store or isinstance(i, _HARMLESS) for i in instructions):
        return None
    read = store.value
    assert isinstance(read, ir.Load)
    assert store.block is not None
    (leaving, behind) = loop.exit_edges[0]
    if read not in instructions or not flow.dominators.dominates(store.block, loop.latch):
        return None
    if any(isinstance(i, ir.Load) and i is not read for i in instructions):
        return None
    rounds = flow.evolution.backedge_count(loop)
    places = [_moving(flow, loop, access.pointer) for access in (store, read)]
    finals = _finals(flow, loop, leaving, behind, rounds) if rounds is not None else None
    if rounds is None or None in places or finals is None:
        return None
    # The last round ends in the test: is the byte moved before it?
    again = flow.dominators.dominates(store.block, leaving)
    length = add(rounds, const(1, rounds.bits)) if again else rounds
    to, source = places
    assert to is not None
    assert source is not None
    return _Copy(loop, store, to, source, length, finals)


def _moving(flow: Flow, loop: Loop, pointer: Value) -> Count | None:
    """Where an address begins that advances by a byte each time."""
    affine = flow.evolution.affine(pointer, loop)
    if affine is None or affine.step_int != 1 or _base_of(affine.start) is None:
        return None
    return affine.start


def _finals(
    flow: Flow, loop: Loop, leaving: Block, behind: Block, rounds: Count
) -> dict[ir.Phi, tuple[Value, Count | None]] | None:
    """What the merges behind the loop have from it; None if something cannot be told, or is used in another way."""
    finals: dict[ir.Phi, tuple[Value, Count | None]] = {}
    own = {i for block in loop.blocks for i in block.instructions}
    for phi in behind.phis:
        value = phi.incoming(leaving)
        if value not in own:
            finals[phi] = (value, None)
            continue
        affine = flow.evolution.affine(value, loop)
        if affine is None or (value.type is PTR and _base_of(affine.start) is None):
            return None
        finals[phi] = (value, add(affine.start, mul(affine.step, truncate(rounds, affine.bits))))
    for i in own:
        for user in flow.users.get(i, ()):
            if user not in own and not (isinstance(user, ir.Phi) and user.block is behind):
                return None
    return finals


def _base_of(address: Count) -> Value | None:
    """The pointer that an address is counted from."""
    match address:
        case Leaf(value) if value.type is PTR:
            return value
        case Operation("add", a, b):
            found = [base for part in (a, b) if (base := _base_of(part)) is not None]
            return found[0] if len(found) == 1 else None
        case Operation("sub", a, b) if _base_of(b) is None:
            return _base_of(a)
    return None


def _pointer(b: Builder, module: Module, address: Count) -> Value:
    """An address as its base, moved."""
    base = _base_of(address)
    assert base is not None
    return b.ptradd(base, _number(b, module, _beyond(address)))


def _beyond(address: Count) -> Count:
    """How far an address is from its base."""
    match address:
        case Operation("add", a, other):
            return add(_beyond(a), other) if _base_of(a) is not None else add(a, _beyond(other))
        case Operation("sub", a, other):
            return sub(_beyond(a), other)
    return const(0, address.bits)


def _number(b: Builder, module: Module, count: Count) -> Value:
    return expand_count(b, module, count, lambda value: value)
