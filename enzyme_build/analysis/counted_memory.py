"""Memory in which numbers are stored, and read as integers that become numbers again by what they count.

The bits of a number are nearly its logarithm (see `mantissas`), of which no derivative is left. A union in which the
program stores integers, too, is read as one where it is one; where numbers only are stored, and all of that is seen,
what is read are their bits.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.debug import subprogram_of
from enzyme_build.ir.types import DOUBLE, FLOAT, IntType
from enzyme_build.ir.values import Argument, GlobalVariable, is_zero
from enzyme_build.records import dataclass
from enzyme_build.regex import regex

from .bit_sources import (
    Source,
    Varied,
    bits_stored,
    given_bits,
    is_scaled_rounding,
    is_untold,
    read_as_numbers,
    sources_of_bits,
)
from .bits import width
from .claims import accessed, places_meet, touches_number
from .copied import access_kind
from .mantissas import grows_with_a_number
from .regions import Place
from .roundings import NUMBERS, is_count
from .word_moves import Moves, word_moves

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

    from .memory import Memory
    from .regions import Region

_ELEMENTS: Final = (FLOAT, DOUBLE)


@dataclass(frozen=True, slots=True)
class Counted:
    """What a function does with integers in memory, itself or by what it calls: place and size."""

    taken: tuple[tuple[Place, int], ...] = ()
    """Read where nothing says that an integer is there, to be counted."""
    stored: tuple[tuple[Place, int], ...] = ()
    """Stored, but for those that are moved, which may be the bits of numbers."""
    returned: tuple[tuple[Place, int], ...] = ()
    """Read likewise, to be returned."""
    arguments: frozenset[int] = frozenset()
    """Parameters that are counted."""
    counts: tuple[tuple[Place, int], ...] = ()
    """Read as integers, whoever says that they are, to be counted."""


def taken_as_counts(
    memory: Memory,
    instructions: Sequence[ir.Instruction],
    varied: Varied,
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
                if _is_own(memory, place.resolved().region) and place.resolved().region in varied.regions
                and touches_number(memory.layout, place, size)
            ]  # fmt: skip
    taken = {i for i in instructions if i in useful and _counts_given_bits(memory, i, varied)}
    bits = _bits_with_derivative(memory, instructions, varied)
    stored = _all_stored(memory, instructions) if bits or any(found.values()) else []
    if bits:
        # What is moved may be a member of a union: not where others are integers.
        moves = Moves(move for i in instructions for move in word_moves(memory, i))
        bits += [at for at in moves.reached(bits) if not _meet(at, stored)]
        taken |= {i for i in instructions if i in useful and any(_meet(at, bits) for at in _counts(memory, i))}
    if any(found.values()):
        taken |= {
            i
            for i, places in found.items()
            if any(not any(places_meet(*read, *one) for one in stored) for read in places)
        }
    return frozenset(taken)


def _bits_with_derivative(
    memory: Memory, instructions: Sequence[ir.Instruction], varied: Varied
) -> list[tuple[Place, int]]:
    """Where the bits of numbers with a derivative are stored as integers, here or by callees."""
    bits = [one for i in instructions for one in bits_stored(memory, i, varied)]
    return [(place, size) for place, size, source in bits if _has_derivative(memory, source, size, varied)]


def _has_derivative(memory: Memory, source: Source, size: int, varied: Varied) -> bool:
    if isinstance(source, Place):
        return source.resolved().region in varied.regions and _is_element(memory, source, size)
    return source is None


def gives_bits(memory: Memory, value: Value, varied: Varied) -> bool:
    """Is this what a function returns, and an integer made of the bits of a number with a derivative?"""
    size, found = width(value) // 8, given_bits(memory, value, varied) or ()
    return any(_has_derivative(memory, one, size, varied) for one in found) and value not in read_as_numbers(memory)


def _counts_given_bits(memory: Memory, i: ir.Instruction, varied: Varied) -> bool:
    """Does a function that is called count the bits of a number with a derivative that it is given?"""
    if not isinstance(i, ir.CallBase) or i not in memory.handed:
        return False
    given = [i.arguments[at] for at in _of(memory.handed[i].source).arguments]
    return any(
        _has_derivative(memory, source, width(value) // 8, varied)
        for value in given
        for source in sources_of_bits(memory, value, varied)
    )


def is_bare(memory: Memory, load: ir.Load) -> bool:
    """Is nothing known of an integer that is read, in memory that an argument leads to, but that its address is one of
    an element among numbers? So `memcpy` reads what is nowhere used as a number: it is the bits of one."""
    return is_untold(memory, load) and (at := accessed(memory, load)) is not None and _is_element(memory, *at)


def _is_element(memory: Memory, place: Place, size: int) -> bool:
    """Are addresses computed here as those of numbers that lie there, or does the source call them so?"""
    addresses = (i for i in memory.function.instructions() if isinstance(i, ir.GetElementPtr))
    among = (i for i in addresses if i.source_type in _ELEMENTS and memory.layout.store_size(i.source_type) == size)
    found = any((at := memory.place(i)) is not None and places_meet(place, size, at, size) for i in among)
    return found or size in _declared_sizes(memory, place.resolved().region)


def _declared_sizes(memory: Memory, region: Region) -> set[int]:
    """Bytes of the numbers that parameters which lead there are declared to point to."""
    told = subprogram_of(memory.module, memory.function)
    if told is None or len(told.parameters) != len(memory.function.arguments):
        return set()
    types = [told.parameters[one.index].type for one in region.origins if isinstance(one, Argument)]
    elements = [type_.element for type_ in types if type_ is not None and type_.kind == "pointer"]
    return {element.size for element in elements if element is not None and element.kind == "float"}


def _counts(memory: Memory, i: ir.Instruction) -> Iterator[tuple[Place, int]]:
    """Where an instruction reads integers that become numbers."""
    if isinstance(i, ir.CallBase):
        yield from _by_callee(memory, i, "counts")
    elif is_count(i):
        loads = (load for load in _sources(i.operands[0]) if isinstance(load, ir.Load))
        yield from (at for load in loads if (at := accessed(memory, load)) is not None)


def _meet(place: tuple[Place, int], others: Sequence[tuple[Place, int]]) -> bool:
    return any(places_meet(*place, *other) for other in others)


def _is_own(memory: Memory, region: Region) -> bool:
    """Is all that is stored in this memory seen here? So it is of what is allocated here, and of local variables, as
    far as nothing else mentions these."""
    if not region.origins or region.open or region.doubtful:
        return False
    others = region.origins - region.allocations
    own = [origin for origin in others if isinstance(origin, GlobalVariable) and origin.is_local]
    if len(own) < len(others):
        return False
    return not region.external or (bool(own) and all(_is_used_here_only(memory, one) for one in own))


def _is_used_here_only(memory: Memory, variable: GlobalVariable) -> bool:
    """Do no functions but this one and those that it calls store anything but numbers in a variable?"""
    initial = memory.module.global_initializer(variable)
    if initial is None or not is_zero(initial):
        return False
    seen, pending = {memory}, [memory]
    while pending:
        more = {summary.source for summary in pending.pop().handed.values()} - seen
        seen |= more
        pending += more
    own = {one.function.name for one in seen}
    mention = re.compile(rf"(?m)^.*{re.escape(variable.text)}(?![\w.$-]).*$")
    return all(
        _ACCESS.search(line[0])
        for name in memory.module.callers_of(variable.name)
        if name not in own
        for line in mention.finditer(memory.module.body_text(name))
    )


_ACCESS: Final = regex(r" = load |^\s*store (?:float|double) ")


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
    elif isinstance(i, ir.Store) and _has_integer(i.value) and not _is_made_of_numbers(memory, i.value):
        at = accessed(memory, i)
        if at is not None:
            yield at


def _is_made_of_numbers(memory: Memory, value: Value) -> bool:
    """Is this an integer that has the bits of a number for sure, or may become those of one, and is no count?"""
    if is_scaled_rounding(value):
        return True
    sources = sources_of_bits(memory, value, None) if value.type in NUMBERS else []
    given = memory.function.arguments
    return any(one is None or (isinstance(one, int) and not isinstance(given[one].type, IntType)) for one in sources)


def _all_stored(memory: Memory, instructions: Sequence[ir.Instruction]) -> list[tuple[Place, int]]:
    """Where integers are stored, or moved from where they are or that is not seen."""
    stored = [one for i in instructions for one in _stored(memory, i)]
    moves = Moves(move for i in instructions for move in word_moves(memory, i))
    stored += [(to, size) for region, some in moves.sources() if not _is_own(memory, region) for to, _, size in some]
    return stored + moves.reached(stored)


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
            tuple(one for value in returned for one in _read(memory, value)),
            frozenset(
                v.index
                for value in counts
                for v in _sources(value)
                if isinstance(v, Argument) and v not in read_as_numbers(memory)
            ),
            tuple(one for i in instructions for one in _counts(memory, i)),
        )
    return memory.counted
