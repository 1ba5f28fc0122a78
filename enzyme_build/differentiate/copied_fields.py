"""What bytes hold that are copied: the numbers and pointers among them, told by everything that is known there.

First what accesses of either memory say (see `analysis.fields`). Where that is not enough, declared variables, the
language's types beside a copy, what the single objects hold that the pointers may lead to, and last the bytes that a
struct declares as such, which are looked at while the derivative runs (see `foreign_bytes`). What nothing tells is
refused.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.adrift import adrift
from enzyme_build.analysis.calling import has_several_callers
from enzyme_build.analysis.claims import claims_at, touches_number, touches_pointer
from enzyme_build.analysis.declared_bytes import declared_bytes
from enzyme_build.analysis.elements import elements, fields_of_elements, fields_of_members
from enzyme_build.analysis.fields import ONCE, Fields, integers_at, kind_at
from enzyme_build.analysis.kinds import Kind, Trust
from enzyme_build.analysis.mixed_words import holds_words, holds_words_anywhere
from enzyme_build.analysis.narrowed import LONGEST_HEADER, header
from enzyme_build.analysis.objects import objects
from enzyme_build.analysis.offsets import at_most
from enzyme_build.analysis.punning import declared_at, is_allocated, of_several_objects
from enzyme_build.analysis.spread import accessed_places
from enzyme_build.analysis.strings import copied_characters, is_text, other_side
from enzyme_build.analysis.unions import has_unions, integers_in_unions, pointers_in_unions
from enzyme_build.errors import UnsupportedError
from enzyme_build.ir.instructions import CallBase
from enzyme_build.ir.types import DOUBLE, FLOAT, I64, FloatType, PointerType
from enzyme_build.ir.values import ConstantInt, const_int
from enzyme_build.records import dataclass

from .foreign_bytes import moves_words
from .memory_checks import ONE_TYPE, kept_in_string
from .told_fields import ToldFields

_ANY_LENGTH: Final = 1 << 16
_WORD: Final = 8

_NOTED: Final = Fields(0, (), (), noted=True)
_TEXT: Final = Fields(0, (), ())
"""Of Fortran: no numbers as far as accesses tell, but a program may keep the bits of some in it."""

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from enzyme_build.analysis.contents import Content
    from enzyme_build.analysis.declared_bytes import Range
    from enzyme_build.analysis.regions import Place
    from enzyme_build.ir.instructions import Instruction
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

    from .context import Context
    from .engine import Engine


@dataclass(frozen=True)
class _Run:
    """Bytes that are asked for."""

    call: Instruction
    pointers: list[Value]
    sides: list[list[Place]]
    """Where each of the pointers may lead."""
    reached: list[Place]
    """The same with nothing but what the run may reach."""
    bytes: Value
    length: int | None
    """The number of them where it is constant."""
    checked: bool

    @property
    def places(self) -> list[Place]:
        """Where any of the pointers may lead."""
        return [place for side in self.sides for place in side]


class CopiedFields:
    """Answers for one function."""

    def __init__(self, context: Context, engine: Engine) -> None:
        self.context = context
        self.engine = engine
        self.layout = context.layout
        self.language = ToldFields(context)

    @property
    def _moves(self) -> bool:
        """Are bytes of unknown type moved as such?"""
        return moves_words(self.engine, self.context)

    def of(
        self,
        call: Instruction,
        pointers: list[Value],
        length: Value,
        *,
        overwritten: bool = False,
        checked: bool = False,
    ) -> Fields:
        """The fields of a copied run; refuses bytes whose type is not known, unless they are only `overwritten`, or
        `checked` while the derivative runs, as those are that a struct declares as bytes."""
        if self._has_nothing(call, pointers, length):
            return Fields(0, (), ())
        if self.engine.options.noted:
            return _NOTED
        run = self._run(call, pointers, length, checked=checked)
        found = self._seen(run)
        if not overwritten:
            found = self._told(run, found)
        is_text = found is _TEXT
        regions = [place.region for place in run.places]
        doubtful = bool(found.mixed or found.unknown) or any(map(holds_words_anywhere, regions))
        if doubtful and regions and all(map(holds_words, regions)):
            return Fields(0, (), (), anywhere=True)
        found = self._with_unions(run, found)
        if checked and (is_text or (run.length is None and self._are_integers_only(found))):
            found = replace(found, period=ONCE, doubtful=((0, ONCE),))
        return found if overwritten else self._sure(run, found)

    def parts(self, call: Instruction, pointers: list[Value], length: Value) -> list[tuple[int, Fields]]:
        """The fields of a run, or those of a header and, from so many bytes on, of the elements behind it, where
        nothing tells of it as a whole."""
        try:
            return [(0, self.of(call, pointers, length))]
        except UnsupportedError:
            run = self._run(call, pointers, length, checked=False)
            size = header(run.places)
            if size is None or run.length is not None:
                raise
        first = self.of(call, pointers, const_int(I64, size))
        sides = [[place.moved(size) for place in side] for side in run.sides]
        rest = replace(
            run, sides=sides, reached=[self.engine.narrowed.of(place, None) for side in sides for place in side]
        )
        return [(0, replace(first, period=ONCE)), (size, self._sure(rest, self._seen(rest)))]

    def _run(self, call: Instruction, pointers: list[Value], length: Value, *, checked: bool) -> _Run:
        sides = [accessed_places(self.context.memory, pointer, call) for pointer in pointers]
        most = at_most(length)
        reached = [self.engine.narrowed.of(place, most) for side in sides for place in side]
        constant = length.value if isinstance(length, ConstantInt) else None
        return _Run(call, pointers, sides, reached, length, constant, checked)

    def _seen(self, run: _Run) -> Fields:
        """What accesses and declared types say."""
        loose = self.engine.options.loose_types
        found = self.engine.known_fields.of(run.reached, run.length, loose=loose)
        if loose and self.engine.known_fields.of(run.reached, run.length).unknown:
            self.engine.doubts.add(
                "loose-types",
                "the type of the bytes copied here is guessed from what is around them",
                self.context.location(run.call),
            )
        if found.assumed:
            found = self._behind_integers(found, run.reached, run.length)
        if run.checked and not any(place.region.is_visible for place in run.places):
            found = self._passed_on(found, run.reached, run.length)
        return found

    def _told(self, run: _Run, found: Fields) -> Fields:
        """What anything else says where that is not enough."""
        call, pointers, places, length, checked = run.call, run.pointers, run.places, run.length, run.checked
        found = self._of_elements(run, found) or found
        if found.doubtful and not found.mixed and not found.unknown:
            return self._of_objects(pointers, length, every=checked and self._moves, own=True) or found
        if not found.mixed and not found.unknown:
            return found
        return (
            self.language.variables(pointers, run.sides)
            or self.language.of_loop(call)
            or self._bounded(run)
            or (_TEXT if not found.mixed and self.language.is_text(call, pointers, run.bytes) else None)
            or self.language.members(call, places, length, found)
            or self._of_objects(pointers, length, every=checked and not found.mixed and self._moves)
            or (self.language.members(call, places, length, found, declared=True) if checked else None)
            or (self._untold(found, length) if checked else None)
            or found
        )

    def _with_unions(self, run: _Run, found: Fields) -> Fields:
        """Where members of unions may lie, or bytes of other arrays or callers, only the run tells."""
        members = self.language.in_rust(run.call, run.length)
        if members is not None:  # then no member of unions is copied
            found = self.language.completed(found, members, run.length, checked=run.checked)
            integers = []
        else:
            integers = integers_in_unions(self.context.memory, run.pointers, run.places, found, run.length)
        if integers:
            found = replace(found, doubtful=tuple(sorted((*found.doubtful, *integers))))
        elif run.checked and not found.mixed and not found.unknown:
            found = self._of_others(run, found)
        if members is None and (shared := pointers_in_unions(self.context.memory, run.pointers, found, run.length)):
            found = replace(found, shared=shared)
        return found

    def _sure(self, run: _Run, found: Fields) -> Fields:
        """The same, if all of it is known."""
        if others := [*self._of_other_types(found, run.places)]:
            found = replace(found, mixed=tuple(sorted({*found.mixed, *others})))
        elif run.checked and found.mixed and self._moves:
            found = self._without_types(found, run.reached)
        if found.mixed:
            raise self._mixed(run.call, run.places, found.mixed[0])
        if found.unknown:
            raise UnsupportedError(
                f"cannot tell the type of the bytes copied here (offset {found.unknown[0]})",
                location=self.context.location(run.call),
                hint="copy with an assignment of the struct or of its members, so that the compiler knows their types",
                code="E0202",
            )
        return replace(found, adrift=self.engine.may_be_askew and adrift(self.layout, run.reached, found, run.length))

    def _of_others(self, run: _Run, found: Fields) -> Fields:
        """Where bytes of several arrays or callers are moved, some may have numbers where accesses to others tell of
        integers, or two floats where these tell of a double."""
        places, constant = run.reached, run.length
        size, told = found.size(constant), declared_bytes(self.context.memory)
        several = has_several_callers(self.context.memory)
        if size is None or found.anywhere or found.plain or not self._moves:
            return found
        found = self._of_larger(found, places, run.bytes)
        size = found.size(constant) or size
        if not any(p.region.external and (several or p.stride or p.region.strided) for p in places):
            return found
        integers = [one for one in integers_at(self.layout, places, found, size) if one[1] >= told.shortest]
        if self.language.is_told(run.call, run.bytes):
            return self._contradicted(run.call, found, integers, size)
        more = [*found.doubtful, *integers]
        more += [(at, 1) for at in found.assumed if told.has_numbers_behind_integers]
        pairs = {at for at, type_ in found.numbers if type_ is DOUBLE and told.may_be_floats(size, at)}
        if size == _WORD and self._is_accessed(places, found.period):
            pairs.clear()
        pairs = {at for at in pairs if not self._are_doubles([place.moved(at, found.period) for place in places])}
        more += [(at, _WORD) for at in pairs]
        joined = told.joined([(byte, 1) for byte in sorted({b for at, n in more for b in range(at, at + n)})])
        numbers = tuple(number for number in found.numbers if number[0] not in pairs)
        return replace(found, numbers=numbers, doubtful=tuple(joined))

    def _of_larger(self, found: Fields, places: list[Place], length: Value) -> Fields:
        """Where what is known is of an array of numbers that nothing bounds, and the object has one of larger elements,
        too, the copy may be of those: as one of them, if there are floats where the numbers are doubles."""
        if not found.period:
            return found
        told, step = declared_bytes(self.context.memory), elements(self.context.memory).step(length)
        strides = {stride for place in places for _, stride in place.region.root.strided if stride > found.period}
        for stride in sorted(strides):
            if stride % found.period or step % stride:
                continue
            starts = range(0, stride, found.period)
            numbers = tuple((start + at, type_) for start in starts for at, type_ in found.numbers)
            if any(type_ is DOUBLE and told.may_be_floats(stride, at) for at, type_ in numbers):
                return replace(
                    found,
                    period=stride,
                    numbers=numbers,
                    pointers=tuple(start + at for start in starts for at in found.pointers),
                    words=tuple(start + at for start in starts for at in found.words),
                    doubtful=tuple((start + at, size) for start in starts for at, size in found.doubtful),
                    assumed=tuple(start + at for start in starts for at in found.assumed),
                    shared=tuple(start + at for start in starts for at in found.shared),
                )
        return found

    def _is_accessed(self, places: list[Place], period: int) -> bool:
        """Are numbers accessed just where they are copied, here or by every caller?"""
        contents = (_accessed(place.moved(0, period)) for place in places)
        return any(c is not None and c.float_type is DOUBLE and not c.is_disputed for c in contents)

    @staticmethod
    def _are_doubles(places: Iterable[Place]) -> bool:
        """Do all that use memory which no outsider sees say that numbers there are doubles?"""
        for place in places:
            content = _accessed(place)
            if content is None or content.claimed_numbers != {DOUBLE} or content.is_disputed or place.region.is_visible:
                return False
        return True

    def _contradicted(self, call: Instruction, found: Fields, integers: list[Range], size: int) -> Fields:
        """Where the language says that elements have numbers where accesses to others tell of integers, the run tells
        what is copied."""
        members = self.language.in_rust(call, size)
        if members is None and isinstance(call, CallBase) and not found.period:
            known = elements(self.context.memory).part(call.operands[:2], size)
            members = known[0] if known is not None else None
        if members is None:
            return found
        told = {
            byte for at, length, type_ in members if isinstance(type_, FloatType) for byte in range(at, at + length)
        }
        others = [(at, length) for at, length in integers if not told.isdisjoint(range(at, at + length))]
        if not others:
            return found
        joined = declared_bytes(self.context.memory).joined(sorted((*found.doubtful, *others)))
        return replace(found, doubtful=tuple(joined))

    def _are_integers_only(self, found: Fields) -> bool:
        """Is nothing known in a run of any length but integers, which may be members of unions?"""
        return replace(found, period=0) == Fields(0, (), ()) and has_unions(self.context.module)

    def _passed_on(self, found: Fields, places: list[Place], length: int | None) -> Fields:
        """In memory that no outsider sees, bytes that nobody accesses may have been copied from some that are seen."""
        if found.anywhere or found.plain or found.unknown or not self._moves:
            return found
        every = self.engine.known_fields.of(places, length, every=True)
        if (every.period, every.numbers, every.pointers, every.words) != (
            found.period,
            found.numbers,
            found.pointers,
            found.words,
        ):
            return found
        more = declared_bytes(self.context.memory).joined([(at, 1) for at in every.unknown])
        return replace(found, doubtful=tuple(sorted((*found.doubtful, *more))))

    def _without_types(self, found: Fields, places: list[Place]) -> Fields:
        """Where numbers of one precision may lie in some allocated objects, and of the other in others, the run shows
        what is moved, as far as nothing has to be added to others."""
        if not all(is_allocated(place.resolved().region) for place in places):
            return found
        sizes = {at: self.layout.store_size(type_) for at, type_ in found.numbers}
        ranges = [(at, sizes.get(at, 1)) for at in found.mixed]
        for place, (at, size) in product(places, ranges):
            moved = place.moved(at, found.period)
            if touches_pointer(moved, size) or not claims_at(self.layout, moved, size) <= {FLOAT, DOUBLE}:
                return found
        joined = declared_bytes(self.context.memory).joined(sorted({*found.doubtful, *ranges}))
        if any(not any(start <= at and at + size <= start + room for start, room in joined) for at, size in ranges):
            return found  # a part of a number
        numbers = tuple(number for number in found.numbers if number[0] not in found.mixed)
        return replace(found, mixed=(), numbers=numbers, doubtful=tuple(joined))

    def _of_other_types(self, found: Fields, places: list[Place]) -> Iterator[int]:
        """Numbers that are copied to a variable or from one that has others there."""
        if any(of_several_objects(place.resolved().region) for place in places):
            return
        for place, (at, type_) in product(places, found.numbers):
            moved = place.moved(at, found.period).resolved()
            declared = declared_at(self.layout, moved)
            exact = moved.region.fields.get(moved.offset) if not place.stride else None
            typed = [of for of, trust in exact.float_types.items() if trust is Trust.TYPED] if exact is not None else []
            types = {type_, *typed}
            if declared is not None and types != {declared}:
                yield at

    def _mixed(self, call: Instruction, places: list[Place], offset: int) -> UnsupportedError:
        types = sorted({t.text for place in places for t in claims_at(self.layout, place.moved(offset), 1)})
        found = " and as ".join(types) if len(types) > 1 else "different types"
        return UnsupportedError(
            f"bytes copied here may be used as {found} (offset {offset})",
            location=self.context.location(call),
            hint=f"{ONE_TYPE}; or copy the members one by one",
            code="E0201",
            about=places[0].resolved().region if places else None,
        )

    def _of_elements(self, run: _Run, found: Fields) -> Fields | None:
        """What the struct says of which elements are copied, or a part of one, where accesses do not tell all of
        it, or nothing of its members but of an array among them."""
        each = elements(self.context.memory)
        pointers, places, length, constant = run.pointers, run.places, run.bytes, run.length
        if constant is not None and not found.mixed and not found.unknown:
            return None
        known: Fields | None = None
        part = each.part(pointers, constant) if constant is not None else None
        if part is not None:
            known = fields_of_members(*part, places, each.composed)
        elif (told := each.copied(pointers, length) or each.grown(run.call)) is not None and (
            found.mixed or found.unknown or found.period < told.size
        ):
            known = fields_of_elements(told, places, each.composed)
        is_found = bool(found.numbers) and not found.mixed and not found.unknown
        if known is None and constant is None and is_found and each.may_be(pointers, length, found):
            # What is found may be of an array of numbers in the same object, or in the elements.
            raise self._mixed(run.call, places, 0)
        if known is not None and not self._moves and not any(place.region.is_visible for place in places):
            # What comes from memory that is seen, or goes there, is looked at there. Members of unions that are numbers
            # and pointers by turns are none of what can be told from outside.
            turns = {at for start, size in known.doubtful for at in found.mixed if start <= at < start + size}
            known = replace(known, doubtful=()) if not turns else None
        if known is None or (known.doubtful and not run.checked):
            return None
        return replace(known, doubtful=tuple(declared_bytes(self.context.memory).joined(known.doubtful)))

    def _has_nothing(self, call: Instruction, pointers: list[Value], length: Value) -> bool:
        """Are these characters of strings only, or neither numbers nor pointers as far as the copy reaches, as text is
        in front of other members?"""
        if isinstance(call, CallBase) and is_text(call) and self._is_text_only(call, pointers, length):
            return True
        most = at_most(length) if not isinstance(length, ConstantInt) else None
        if most is None:
            return False
        try:
            found = self.of(call, pointers, const_int(I64, most))
        except UnsupportedError:
            return False
        return found == Fields(0, (), ()) and found is not _TEXT

    def _bounded(self, run: _Run) -> Fields | None:
        """What lies once in a run that is not as long as it may be, as what is in front of an array."""
        most = at_most(run.bytes) if run.length is None else None
        if most is None or most > LONGEST_HEADER:
            return None
        try:
            return replace(self.of(run.call, run.pointers, const_int(I64, most), checked=run.checked), period=ONCE)
        except UnsupportedError:
            return None

    def _behind_integers(self, found: Fields, places: list[Place], length: int | None) -> Fields:
        """Bytes that are taken for the rest of an integer, or padding: no number is there where the program has no
        structs like that, or where the only struct that this may be says so."""
        told = declared_bytes(self.context.memory)
        if not told.has_numbers_behind_integers:
            return found
        for size in [found.period] if found.period else range(_WORD, (length or 0) + 1):
            if not size or (length is not None and length % size):
                continue

            def fits(at: int, type_: Type | None, size: int = size) -> bool:
                return all(_fits(kind_at(self.layout, [place], at, size), type_) for place in places)

            numbers = told.numbers_of(size, fits)
            if numbers is not None:
                step = found.period or length or size
                every = [(start + at, type_) for start in range(0, step, size) for at, type_ in numbers]
                more = tuple((at, type_) for at, type_ in every if at in found.assumed)
                return replace(found, numbers=tuple(sorted((*found.numbers, *more), key=lambda n: n[0])), assumed=())
        return replace(found, unknown=tuple(sorted((*found.unknown, *found.assumed))), assumed=())

    def _is_text_only(self, call: CallBase, pointers: list[Value], length: Value) -> bool:
        """Are there only characters where a string's are copied? Numbers must not be kept among them, where derivatives
        would end."""
        each = objects(self.context.memory)
        constant = length.value if isinstance(length, ConstantInt) else _ANY_LENGTH
        other = other_side(call)
        for at, pointer in enumerate(pointers):
            size = constant if at == other else copied_characters(length)
            place = self.context.memory.place(pointer)
            reached = each.places(pointer, 1) or ([place] if place is not None else [])
            if any(touches_number(self.layout, one, size) for one in reached):
                if at == other:
                    raise kept_in_string(self.context.location(call))
                return False
        return True

    def _untold(self, found: Fields, length: int | None) -> Fields | None:
        """Bytes of which nothing is known are looked at while the derivative runs, where it can."""
        if found.mixed or found.period or length is None or not self._moves:
            return None
        joined = declared_bytes(self.context.memory).joined([(at, 1) for at in found.unknown])
        return replace(found, unknown=(), doubtful=tuple(joined))

    def _of_objects(
        self, pointers: list[Value], length: int | None, *, every: bool, own: bool = False
    ) -> Fields | None:
        """What the single objects hold that the pointers may lead to; None where that is not known either. With `own`
        only of those that no caller knows, so that nobody else can have put numbers there."""
        each = objects(self.context.memory)
        places: list[Place] = []
        longest = length
        for pointer in pointers:
            reached = each.places(pointer, length or 1)
            if reached is None or (own and any(place.region.external for place in reached)):
                return None
            places += reached
            room = each.room(reached) if length is None else None
            longest = room if longest is None else longest if room is None else min(longest, room)
        found = self.engine.known_fields.of(places, longest, every=every)
        if found.assumed:
            found = self._behind_integers(found, places, longest)
        if found.unknown:
            return None
        if longest is None:
            if not found.mixed:  # elements of an array, which are all alike
                return found if found.period else None
            longest = ONCE
        if not any(touches_number(self.layout, place, longest) for place in places):
            return Fields(0, (), (), plain=bool(found.pointers or found.mixed))
        if found.mixed:
            return None
        # A run of any length ends where the object does, or before: it is a part of one period.
        return found if length is not None or found.period else replace(found, period=longest)


def _accessed(place: Place) -> Content | None:
    """What is known of just this place; nothing where only others of its memory are used."""
    region = place.region
    return region.strided.get((place.offset, place.stride)) if place.stride else region.fields.get(place.offset)


def _fits(found: tuple[Kind, Type | None], declared: Type | None) -> bool:
    """May what is known of bytes be a member of this type?"""
    kind, type_ = found
    match declared:
        case FloatType():
            return kind is Kind.UNKNOWN or type_ is declared
        case PointerType():
            return kind in {Kind.UNKNOWN, Kind.POINTER}
        case _:
            return kind in {Kind.UNKNOWN, Kind.INTEGER}
