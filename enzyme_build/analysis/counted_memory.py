"""Memory in which numbers are stored, and read as integers that become numbers again by what they count.

The bits of a number are nearly its logarithm (see `mantissas`), of which no derivative is left. A union in which the
program stores integers, too, is read as one where it is one; where numbers only are stored, and all of that is seen,
what is read are their bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.merges import merged_from
from enzyme_build.ir.types import DOUBLE, FLOAT, I32, I64, IntType
from enzyme_build.ir.values import Argument, GlobalVariable, is_zero

from .claims import accessed, places_meet, touches_number
from .copied import access_kind
from .mantissas import fraction_grows, grows_with_a_number, width
from .rounded_memory import is_scaled
from .roundings import NUMBERS, is_count, rounded_number
from .strings import is_transfer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

    from .memory import Memory
    from .regions import Place, Region

_MOVED: Final = (I32, I64, FLOAT, DOUBLE)


@dataclass(frozen=True, slots=True)
class Counted:
    """What a function does with integers in memory, itself or by what it calls: place and size."""

    taken: tuple[tuple[Place, int], ...] = ()
    """Read where nothing says that an integer is there, to be counted."""
    stored: tuple[tuple[Place, int], ...] = ()
    """Stored, but for those that are moved, which may be the bits of numbers."""
    moved: tuple[tuple[Place, Place, int], ...] = ()
    """Moved from the second place to the first."""
    returned: tuple[tuple[Place, int], ...] = ()
    """Read likewise, to be returned."""
    arguments: frozenset[int] = frozenset()
    """Parameters that are counted."""


def taken_as_counts(
    memory: Memory,
    instructions: Sequence[ir.Instruction],
    varied: Collection[Value],
    varied_regions: Collection[Region],
    useful: Collection[Value],
) -> frozenset[ir.Instruction]:
    """What takes the bits of numbers with a derivative for counts, on which a result depends: conversions of what is
    read, and calls that do it."""
    found: dict[ir.Instruction, list[tuple[Place, int]]] = {}
    for i in instructions:
        if i in useful and (places := [*_taken(memory, i)]):
            found[i] = [
                (place, size)
                for place, size in places
                if _is_own(place.resolved().region) and place.resolved().region in varied_regions
                and touches_number(memory.layout, place, size)
            ]  # fmt: skip
    bits = _stored_bits(memory, instructions, varied)
    taken: set[ir.Instruction] = set()
    taken |= {i for i in instructions if bits and i in useful and is_count(i) and _reads(memory, i, bits)}
    if any(found.values()):
        stored = _all_stored(memory, instructions)
        taken |= {
            i
            for i, places in found.items()
            if any(not any(places_meet(*read, *one) for one in stored) for read in places)
        }
    return frozenset(taken)


def _stored_bits(
    memory: Memory, instructions: Sequence[ir.Instruction], varied: Collection[Value]
) -> list[tuple[Place, int]]:
    """Where the bits of numbers are stored as integers."""

    def number(value: Value) -> Type | None:
        if isinstance(value, ir.Cast) and value.op == "bitcast" and value.operands[0] in varied:
            return value.operands[0].type
        return None

    stores = (i for i in instructions if isinstance(i, ir.Store) and i.value.type in NUMBERS)
    return [at for i in stores if grows_with_a_number(i.value, number) and (at := accessed(memory, i)) is not None]


def _reads(memory: Memory, i: ir.Cast, places: Sequence[tuple[Place, int]]) -> bool:
    """Does an integer that is counted come from there?"""
    loads = (load for load in _sources(i.operands[0]) if isinstance(load, ir.Load))
    read = [at for load in loads if (at := accessed(memory, load)) is not None]
    return any(places_meet(*one, *other) for one in read for other in places)


def _is_own(region: Region) -> bool:
    """Is all that is stored in this memory seen here? So it is of what is allocated here, and of local variables."""
    if not region.origins or region.external or region.open or region.doubtful:
        return False
    own = region.origins - region.allocations
    return all(isinstance(origin, GlobalVariable) and origin.is_local for origin in own)


def _taken(memory: Memory, i: ir.Instruction) -> Iterator[tuple[Place, int]]:
    if isinstance(i, ir.CallBase):
        yield from _by_callee(memory, i, "taken")
        summary = memory.handed.get(i)
        for at in sorted(_of(summary.source).arguments) if summary is not None else ():
            yield from _read(memory, i.arguments[at])
    elif is_count(i):
        yield from _read(memory, i.operands[0])


def _read(memory: Memory, value: Value) -> Iterator[tuple[Place, int]]:
    """Where an integer is read that becomes this one, or grows with it."""
    sources = _sources(value)
    for load in sources:
        if isinstance(load, ir.Load) and not _is_told(memory, load):
            if (at := accessed(memory, load)) is not None:
                yield at
        elif isinstance(load, ir.CallBase):
            yield from _by_callee(memory, load, "returned")


def _sources(value: Value) -> list[Value]:
    """What is read, returned or given that an integer grows with."""
    found: list[Value] = []

    def number(value: Value) -> Type | None:
        if not isinstance(value, (ir.Load, ir.CallBase, Argument)) or value.type not in NUMBERS:
            return None
        found.append(value)
        return NUMBERS[value.type]

    return found if grows_with_a_number(value, number) else []


def _is_told(memory: Memory, load: ir.Load) -> bool:
    """Does the language say what is read?"""
    return access_kind(memory.module, load.metadata, memory.layout.store_size(load.type)) is not None


def _stored(memory: Memory, i: ir.Instruction) -> Iterator[tuple[Place, int]]:
    if isinstance(i, ir.CallBase):
        yield from _by_callee(memory, i, "stored")
        if (
            i not in memory.handed
            and i in memory.effects
            and not (getattr(i.callee, "name", None) or "").startswith("llvm.")
        ):
            # The library may read an integer into what it is given.
            yield from ((place.moved(0, 1), 1) for place in memory.effects[i].writes)
    elif isinstance(i, ir.Store) and _has_integer(i.value) and not _is_rounded(i.value):
        at = accessed(memory, i)
        if at is not None:
            yield at


def _is_rounded(value: Value) -> bool:
    """Is this a scaled number that was rounded, which is no count either?"""
    type_ = NUMBERS.get(value.type)
    if type_ is None or not fraction_grows(value, type_, lambda at: rounded_number(at) is not None):
        return False
    return bool(is_scaled(value, width(value)))


def _all_stored(memory: Memory, instructions: Sequence[ir.Instruction]) -> list[tuple[Place, int]]:
    """Where integers are stored, or moved from where they are or that is not seen."""
    stored = [one for i in instructions for one in _stored(memory, i)]
    moves = [move for i in instructions for move in _moved(memory, i)]
    more = True
    while more:
        reached = [
            (to, source, size)
            for to, source, size in moves
            if not _is_own(source.resolved().region) or any(places_meet(source, size, *one) for one in stored)
        ]
        stored += [(to, size) for to, _, size in reached]
        moves = [move for move in moves if move not in reached]
        more = bool(reached)
    return stored


def _moved(memory: Memory, i: ir.Instruction) -> Iterator[tuple[Place, Place, int]]:
    if is_transfer(i):
        to, source = (memory.place(pointer) for pointer in i.arguments[:2])
        if to is not None and source is not None:
            yield to.moved(0, 1), source.moved(0, 1), 1
    elif isinstance(i, ir.CallBase):
        yield from _moved_by_callee(memory, i)
    elif isinstance(i, ir.Store):
        at = accessed(memory, i)
        for load in merged_from(i.value):
            source = memory.place(load.pointer) if isinstance(load, ir.Load) and load.type in _MOVED else None
            if at is not None and source is not None:
                yield at[0], source, at[1]


def _has_integer(value: Value) -> bool:
    """Does it have, on some way, an integer that is neither read from memory nor the bits of a number? LLVM merges
    stores to unions, and makes numbers of such integers, or integers of numbers."""
    seen, pending = {value}, [value]
    while pending:
        at = pending.pop()
        if isinstance(at, ir.MERGES):
            pending += {*ir.merged(at)} - seen
            seen.update(ir.merged(at))
        elif isinstance(at, ir.Cast) and at.op == "bitcast":
            if at.operands[0].type in NUMBERS and at.operands[0] not in seen:
                seen.add(at.operands[0])
                pending.append(at.operands[0])
        elif isinstance(at.type, IntType) and not isinstance(at, ir.Load) and not is_zero(at):
            return True
    return False


def _moved_by_callee(memory: Memory, call: ir.CallBase) -> Iterator[tuple[Place, Place, int]]:
    summary = memory.handed.get(call)
    if summary is not None:
        for to, source, size in _of(summary.source).moved:
            if summary.knows(to) and summary.knows(source):
                yield summary.place(to), summary.place(source), size


def _by_callee(memory: Memory, call: ir.CallBase, what: str) -> Iterator[tuple[Place, int]]:
    summary = memory.handed.get(call)
    if summary is not None:
        for place, size in getattr(_of(summary.source), what):
            if summary.knows(place):
                yield summary.place(place), size


def _of(memory: Memory) -> Counted:
    """What a function does, as far as is known of functions that call each other."""
    if memory.counted is None:
        memory.counted = Counted()
        instructions = [*memory.function.instructions()]
        counts = (i.operands[0] for i in instructions if is_count(i))
        returned = (v for i in instructions if isinstance(i, ir.Return) for v in i.operands if v.type in NUMBERS)
        memory.counted = Counted(
            tuple(one for i in instructions for one in _taken(memory, i)),
            tuple(one for i in instructions for one in _stored(memory, i)),
            tuple(move for i in instructions for move in _moved(memory, i)),
            tuple(one for value in returned for one in _read(memory, value)),
            frozenset(v.index for value in counts for v in _sources(value) if isinstance(v, Argument)),
        )
    return memory.counted
