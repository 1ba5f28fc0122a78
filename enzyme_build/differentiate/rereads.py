"""What a loop reads again in every iteration though it stays the same, as the size in `for (i = 0; i < v->size; i++)`.

Where the loop writes bytes, a compiler cannot know that it stays. For a loop that does nothing else, we ask when the
program runs whether what it writes is apart from what it reads in this way; then that can be read in front of the loop.
"""

from __future__ import annotations

from dataclasses import field
from functools import partial, reduce
from typing import TYPE_CHECKING

from enzyme_build.analysis.counts import Count, Leaf, Operation, add, const, sub
from enzyme_build.ir.instructions import Binary, Load, Phi
from enzyme_build.ir.types import I64, PTR, IntType
from enzyme_build.ir.values import Value, const_int
from enzyme_build.records import dataclass

from .expand import expand_count

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from enzyme_build.analysis.evolution import Evolution
    from enzyme_build.analysis.flow import Flow
    from enzyme_build.analysis.loops import Loop
    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.function import Block
    from enzyme_build.ir.instructions import Instruction
    from enzyme_build.ir.module import Module


_Same = Load | Binary
"""What is the same in every iteration because what it is made of is."""


def with_steady_reads(
    flow: Flow, loop: Loop, reads: Collection[Load]
) -> tuple[Evolution, Mapping[Value, _Same]] | None:
    """How the loop's values change if all of these reads give the same each time, and what gives the same then, in the
    order in which one needs the other, each with the first that equals it: the reads, arithmetic with them, and merges
    of one with what was there before the loop. None if a read cannot, or if the loop may leave before it reads."""
    if not reads:
        return flow.evolution, {}
    arithmetic = [i for block in loop.blocks for i in block.instructions if isinstance(i, Binary)]
    leaving = [block for block, _ in loop.exit_edges]
    candidates: list[_Same] = [*reads, *arithmetic]
    left: list[_Same | Phi] = [i for i in candidates if _always_runs(flow, i, leaving)]
    left += loop.header.phis
    steady: dict[Value, _Same] = {}
    firsts: dict[tuple[object, ...], _Same] = {}
    evolution = flow.evolution
    while left:
        found: dict[Value, _Same] = {}
        for i in left:
            if isinstance(i, Phi):
                if (same := steady.get(_begin_and_later(i, loop)[1])) is not None:
                    found[i] = same
            elif (made_of := _made_of(evolution, loop, i)) is not None:
                found[i] = firsts.setdefault(made_of, i)
        if not found:
            break
        steady |= found
        left = [i for i in left if i not in steady]
        evolution = flow.evolution_with(steady)
    return (evolution, steady) if all(read in steady for read in reads) else None


def _made_of(evolution: Evolution, loop: Loop, i: _Same) -> tuple[object, ...] | None:
    """What decides the value, if that does not change in the loop."""
    if isinstance(i, Load):
        address = evolution.invariant(i.pointer, loop)
        known = _is_plain(i) and address is not None and base_of(address) is not None
        return (i.type, address) if known else None
    if not isinstance(i.type, IntType) or evolution.invariant(i, loop) is not None:
        return None
    operands = [evolution.invariant(operand, loop) for operand in i.operands]
    return None if None in operands else (i.op, *operands)


def _is_plain(read: Load) -> bool:
    return not read.volatile and not read.ordering and (isinstance(read.type, IntType) or read.type is PTR)


def _always_runs(flow: Flow, i: Instruction, leaving: list[Block]) -> bool:
    return i.block is not None and all(flow.dominators.dominates(i.block, block) for block in leaving)


@dataclass
class InFront:
    """Computes counts and addresses at one place, in front of a loop that they are of."""

    b: Builder
    module: Module
    evolution: Evolution
    loop: Loop
    _known: dict[Value, Value] = field(default_factory=dict)
    """What has been computed here of what the loop computes again each time."""
    _places: list[tuple[Value, int]] = field(default_factory=list)
    """Addresses and sizes of what has been read here."""
    _merged: list[tuple[Value, Value]] = field(default_factory=list)
    """What merges of the loop begin with, and what they are later."""

    def compute(self, steady: Mapping[Value, _Same]) -> None:
        """What stays the same, in the order in which one needs the other."""
        for i in dict.fromkeys(steady.values()):
            self._known[i] = self._read(i) if isinstance(i, Load) else self._result(i)
        for phi, same in steady.items():
            if isinstance(phi, Phi):
                self._merged.append((_begin_and_later(phi, self.loop)[0], self._known[same]))

    def _read(self, load: Load) -> Value:
        pointer = self.pointer(self._invariant(load.pointer))
        self._places.append((pointer, self.module.layout.store_size(load.type)))
        return self.b.load(load.type, pointer, load.align)

    def _result(self, i: Binary) -> Value:
        a, b = (self.number(self._invariant(operand)) for operand in i.operands)
        return self.b.binary(i.op, a, b)

    def _invariant(self, value: Value) -> Count:
        found = self.evolution.invariant(value, self.loop)
        assert found is not None
        return found

    def number(self, count: Count) -> Value:
        return expand_count(self.b, self.module, count, self._value)

    def pointer(self, address: Count) -> Value:
        """An address as its base, moved."""
        base = base_of(address)
        assert base is not None
        return self.b.ptradd(self._value(base), self.number(_beyond(address)))

    def stays(self, runs: Collection[Value], length: Value) -> Value | None:
        """Is what has been read outside of all of these runs of bytes, and was there before? None if nothing has been
        read."""
        tests: list[Value] = [self.b.icmp("eq", begin, later) for begin, later in self._merged]
        for pointer, size in self._places:
            for run in runs:
                distance = self.b.sub(self.b.cast("ptrtoint", pointer, I64), self.b.cast("ptrtoint", run, I64))
                tests.append(self.b.icmp("uge", distance, length))
                tests.append(self.b.icmp("uge", self.b.sub(const_int(I64, 0), distance), const_int(I64, size)))
        return reduce(partial(self.b.binary, "and"), tests) if tests else None

    def _value(self, value: Value) -> Value:
        return self._known.get(value, value)


def _begin_and_later(phi: Phi, loop: Loop) -> tuple[Value, Value]:
    pairs = list(zip(phi.operands, phi.blocks, strict=True))
    (begin,) = {value for value, block in pairs if block not in loop.blocks}
    (later,) = {value for value, block in pairs if block in loop.blocks}
    return begin, later


def base_of(address: Count) -> Value | None:
    """The pointer that an address is counted from."""
    match address:
        case Leaf(value) if value.type is PTR:
            return value
        case Operation("add", a, b):
            found = [base for part in (a, b) if (base := base_of(part)) is not None]
            return found[0] if len(found) == 1 else None
        case Operation("sub", a, b) if base_of(b) is None:
            return base_of(a)
    return None


def _beyond(address: Count) -> Count:
    """How far an address is from its base."""
    match address:
        case Operation("add", a, other):
            return add(_beyond(a), other) if base_of(a) is not None else add(a, _beyond(other))
        case Operation("sub", a, other):
            return sub(_beyond(a), other)
    return const(0, address.bits)
