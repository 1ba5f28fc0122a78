"""Copying and filling of memory, on the shadow side.

Forward mode copies and clears shadow memory as the primal memory. In reverse mode the forward sweep copies only the
shadow pointers among the bytes, and the reverse sweep moves adjoints back number by number, for which the types of
the copied bytes must be known (see `analysis.fields`).

Constant memory is its own shadow, so where a pointer is *uncertain* (see `analysis.activity`) a comparison at run time
tells: nothing is written to the shadow of constant memory, and what comes out of it are its own pointers, and zeros for
its numbers.

Objects of different classes behind one pointer may hold a pointer in one and a double in the other at the same place.
What such a *word* of a shadow is, its own bits tell: as a double, the address of a shadow would be smaller than any
number that makes a difference (below 2⁻¹⁰²², subnormal).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.claims import lies_on_moved_number, touches_number
from enzyme_build.analysis.copied import copied_parts
from enzyme_build.analysis.declared_bytes import declared_bytes
from enzyme_build.analysis.fields import Fields, fields, kind_at, runs
from enzyme_build.analysis.memory import pointed_variable
from enzyme_build.analysis.mixed_words import holds_words, holds_words_anywhere
from enzyme_build.analysis.objects import objects
from enzyme_build.analysis.offsets import has_pointers
from enzyme_build.analysis.regions import Kind
from enzyme_build.analysis.shapes import declared_array
from enzyme_build.analysis.strings import copied_characters, is_text, other_side
from enzyme_build.errors import UnsupportedError
from enzyme_build.ir.instructions import CallBase
from enzyme_build.ir.types import I1, I8, I64, PTR, VOID, FloatType, IntType, PointerType, function_type
from enzyme_build.ir.values import ConstantInt, Value, const_int, null
from enzyme_build.rules.memory import Transfer

from .memory_checks import kept_in_string
from .runtime import runtime_function, typed_function

_ANY_LENGTH: Final = 1 << 16
_WORD: Final = 8
_SHORTEST_RUN: Final = 16
"""Fewer fields at equal distances are no loop: LLVM keeps small structs in registers, loops over them it does not."""

if TYPE_CHECKING:
    from collections.abc import Callable

    from enzyme_build.analysis.declared_bytes import Member, Range
    from enzyme_build.analysis.known import CallEffects
    from enzyme_build.analysis.regions import Place
    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.instructions import Instruction
    from enzyme_build.ir.types import Type

    from .sweep import Sweep


class Transfers:
    """Emits memory operations on shadows at the sweep's builder, or at a builder given."""

    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        self.module = sweep.module
        self.layout = sweep.context.layout

    def clear(self, pointer: Value, size: Value, builder: Builder | None = None) -> None:
        """Fill with zero bytes."""
        b = builder or self.sweep.b
        type_ = function_type(VOID, (PTR, I8, size.type, I1))
        memset = self.module.declare(f"llvm.memset.p0.{size.type}", type_)
        b.call(memset, [pointer, const_int(I8, 0), size, const_int(I1, 0)])

    def copy(self, destination: Value, source: Value, size: Value, builder: Builder | None = None) -> None:
        """memmove."""
        b = builder or self.sweep.b
        type_ = function_type(VOID, (PTR, PTR, size.type, I1))
        move = self.module.declare(f"llvm.memmove.p0.p0.{size.type}", type_)
        b.call(move, [destination, source, size, const_int(I1, 0)])

    def fields_of(
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
        places: list[Place] = []
        for pointer in pointers:
            place = self.sweep.context.memory.place(pointer)
            if place is not None:
                places.append(place)
        if isinstance(call, CallBase) and is_text(call) and self._is_text_only(call, pointers, length):
            return Fields(0, (), ())
        constant = length.value if isinstance(length, ConstantInt) else None
        loose = self.sweep.engine.options.loose_types
        found = fields(self.layout, places, constant, loose=loose)
        if loose and fields(self.layout, places, constant).unknown:
            self.sweep.engine.doubts.add(
                "loose-types",
                "the type of the bytes copied here is guessed from what is around them",
                self.sweep.context.location(call),
            )
        if found.assumed:
            found = self._behind_integers(found, places, constant)
        if (found.mixed or found.unknown) and not overwritten:
            found = (
                self._declared(pointers, places)
                or self._told(call, places, constant, found)
                or self._of_objects(pointers, constant)
                or (self._told(call, places, constant, found, declared=True) if checked else None)
                or found
            )
        regions = [place.region for place in places]
        doubtful = bool(found.mixed or found.unknown) or any(map(holds_words_anywhere, regions))
        if doubtful and regions and all(map(holds_words, regions)):
            return Fields(0, (), (), anywhere=True)
        if overwritten:
            return found
        location = self.sweep.context.location(call)
        if found.mixed:
            raise UnsupportedError(
                f"bytes copied here are used as different types (offset {found.mixed[0]})",
                location=location,
                hint="copy the members one by one, or use separate memory for each type",
                code="E0201",
            )
        if found.unknown:
            raise UnsupportedError(
                f"cannot tell the type of the bytes copied here (offset {found.unknown[0]})",
                location=location,
                hint="copy with an assignment of the struct or of its members, so that the compiler knows their types",
                code="E0202",
            )
        return found

    def _behind_integers(self, found: Fields, places: list[Place], length: int | None) -> Fields:
        """Bytes that are taken for the rest of an integer, or padding: no number is there where the program has no
        structs like that, or where the only struct that this may be says so."""
        told = declared_bytes(self.sweep.context.memory)
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
        each = objects(self.sweep.context.memory)
        constant = length.value if isinstance(length, ConstantInt) else _ANY_LENGTH
        other = other_side(call)
        for at, pointer in enumerate(pointers):
            size = constant if at == other else copied_characters(length)
            place = self.sweep.context.memory.place(pointer)
            reached = each.places(pointer, 1) or ([place] if place is not None else [])
            if any(touches_number(self.layout, one, size) for one in reached):
                if at == other:
                    raise kept_in_string(self.sweep.context.location(call))
                return False
        return True

    def _declared(self, pointers: list[Value], places: list[Place]) -> Fields | None:
        """A variable declared as nothing but numbers holds numbers, whatever is known of other memory that the same
        pointers reach; unless pointers are certainly copied to it."""
        types = [declared_array(self.layout, pointer) for pointer in pointers]
        told = {*types} - {None}
        if len(told) != 1 or len(places) != len(pointers):
            return None
        others = [place for place, type_ in zip(places, types, strict=True) if type_ is None]
        if others and kind_at(self.layout, others, 0, 0)[0] is Kind.POINTER:
            return None
        (type_,) = told
        assert type_ is not None
        return Fields(self.layout.alloc_size(type_), ((0, type_),), ())

    def _told(
        self, call: Instruction, places: list[Place], length: int | None, found: Fields, *, declared: bool = False
    ) -> Fields | None:
        """What the language's types of the members say, whatever other objects hold that the pointers may lead to;
        integers may still be the bits of numbers. Of members that the language does not tell, what is `found`, or else
        what is `declared`."""
        parts = copied_parts(self.sweep.context.module, call) if isinstance(call, CallBase) else []
        if not parts and declared and length is not None:
            parts = [(0, length, None)]
        if not parts or length is None or found.period:
            return None
        members = [member for _, _, told in parts for member in told or ()]
        integers = [at for at, kind, _ in members if kind is Kind.INTEGER]
        moved = (place.moved(at) for place in places for at in integers)
        if any(lies_on_moved_number(self.layout, place, size) for place in moved for size in (4, 8)):
            return None
        numbers = [(at, type_) for at, _, type_ in members if type_ is not None]
        pointers = [at for at, kind, _ in members if kind is Kind.POINTER]
        doubtful: list[Range] = []
        for start, size, told in parts:
            if not told:
                part = found.inside(self.layout, start, start + size)
                if part is None and declared and isinstance(call, CallBase):
                    part = self._in_bytes(call, found, start, size, is_bytes=told is not None)
                if part is None:
                    return None
                numbers += part.numbers
                pointers += part.pointers
                doubtful += part.doubtful
        numbers.sort(key=lambda number: number[0])
        return Fields(
            0,
            tuple(numbers),
            tuple(sorted(pointers)),
            doubtful=tuple(declared_bytes(self.sweep.context.memory).joined(doubtful)),
        )

    def _in_bytes(self, call: CallBase, found: Fields, start: int, size: int, *, is_bytes: bool) -> Fields | None:
        """What is found in a part of a copied struct, and which bytes there are declared as such; None where others are
        not known."""
        known = found.inside(self.layout, start, start + size, doubtful=True)
        if known is None:
            return None
        members: list[Member] | None = [(0, size, None)]
        if not is_bytes:
            members = declared_bytes(self.sweep.context.memory).copied(call, start, size)
        if members is None and not start and declared_bytes(self.sweep.context.memory).has_bytes(size):
            # Nothing says that it is this struct, so all that is not known is looked at while the derivative runs.
            return replace(known, unknown=(), doubtful=tuple((at, 1) for at in known.unknown))
        if members is None:
            return None
        numbers, pointers, doubtful = known.numbers, known.pointers, []
        for at, length, told in members:
            untold = len(known.unknown_in(start + at, start + at + length))
            if not untold or isinstance(told, IntType):
                continue
            if told is None:
                doubtful.append((start + at, length))
            elif untold < length:
                return None
            elif isinstance(told, FloatType):
                numbers += ((start + at, told),)
            elif isinstance(told, PointerType):
                pointers += (start + at,)
        return replace(known, numbers=numbers, pointers=pointers, unknown=(), doubtful=tuple(doubtful))

    def _of_objects(self, pointers: list[Value], length: int | None) -> Fields | None:
        """What the single objects hold that the pointers may lead to; None where that is not known either."""
        each = objects(self.sweep.context.memory)
        places: list[Place] = []
        longest = length
        for pointer in pointers:
            reached = each.places(pointer, length or 1)
            if reached is None:
                return None
            places += reached
            room = each.room(reached) if length is None else None
            longest = room if longest is None else longest if room is None else min(longest, room)
        found = fields(self.layout, places, longest)
        if found.assumed:
            found = self._behind_integers(found, places, longest)
        if found.unknown:
            return None
        if longest is None:  # elements of an array, which are all alike
            return found if found.period and not found.mixed else None
        if not any(touches_number(self.layout, place, longest) for place in places):
            return Fields(0, (), (), plain=bool(found.pointers or found.mixed))
        return None if found.mixed or length is None else found

    def _source(self, call: CallBase, effects: CallEffects) -> Value | None:
        """Where bytes are copied from; None where memory is filled, also with constant data (texts, tables) that has
        neither tangents nor pointers."""
        if effects.copies is None:
            return None
        source = call.arguments[effects.copies[1]]
        variable = pointed_variable(source)
        if variable is not None and variable.is_constant and not has_pointers(self.layout, variable.value_type):
            return None
        return source

    def forward(self, call: CallBase, effects: CallEffects) -> None:
        """Forward mode: do to the shadow memory what the call does to the primal memory."""
        sweep, b = self.sweep, self.sweep.b
        known = effects.known
        assert isinstance(known, Transfer)
        destination, size = call.arguments[known.destination], call.arguments[known.length]
        length = sweep.value(size)
        target = sweep.shadow(destination)
        where = self.differs(b, destination, target, sweep.value(destination))
        reach = _limited(b, length, where)
        source = self._source(call, effects)
        if source is None:
            self.clear(target, reach)
            return
        shadowed = sweep.activity.has_shadow(source)
        memory = sweep.shadow(source)
        if shadowed and not sweep.activity.is_uncertain(source):
            self.copy(target, memory, reach)
            return
        found = self.fields_of(call, [destination, source], size)
        if shadowed or found.has_pointers:
            self.copy(target, memory, reach)
        if shadowed:
            where = _both(b, where, b.icmp("eq", memory, sweep.value(source)))
        self.clear_numbers(b, found, target, length, where)

    def moved_fields(self, call: CallBase, effects: CallEffects) -> Fields:
        """What the bytes hold that reverse mode copies or fills."""
        known = effects.known
        assert isinstance(known, Transfer)
        destination, size = call.arguments[known.destination], call.arguments[known.length]
        source = self._source(call, effects)
        pointers = [destination] if source is None else [destination, source]
        return self.fields_of(call, pointers, size, overwritten=source is None, checked=source is not None)

    def augmented(self, call: CallBase, effects: CallEffects, found: Fields) -> None:
        """Reverse mode, forward sweep: the shadow pointers among the bytes."""
        if not found.has_pointers:
            return
        sweep, b = self.sweep, self.sweep.b
        known = effects.known
        assert isinstance(known, Transfer)
        destination, size = call.arguments[known.destination], call.arguments[known.length]
        source = self._source(call, effects)
        target = sweep.shadow(destination)
        where = self.differs(b, destination, target, sweep.value(destination))
        length = sweep.value(size)
        self._note_pointers(found, destination, target, length, where)
        if source is not None:
            self.copy_pointers(found, target, sweep.shadow(source), length, where, overlapping=known.overlapping)
        else:
            self.clear_pointers(found, target, length, where)

    def _note_pointers(
        self, found: Fields, destination: Value, target: Value, length: Value, where: Value | None
    ) -> None:
        """What is overwritten of shadow pointers, for tangents from the tape."""
        arena = self.sweep.notes_in(destination)
        if arena is None:
            return
        if found.plain:
            found = replace(found, anywhere=True)
        function = typed_function(self.module, "field_note", PTR, 8)
        self._each(found, function, [target], found.pointers, PTR, length, (arena,), where=where)
        self._each_word(found, function, [target], length, (arena,), where=where)

    def differs(self, builder: Builder, pointer: Value, shadow: Value, primal: Value) -> Value | None:
        """Whether memory has a shadow, where only the run shows; None where it certainly has."""
        if not self.sweep.activity.is_uncertain(pointer):
            return None
        return builder.icmp("ne", shadow, primal)

    def own_shadow(self, builder: Builder, pointer: Value, shadow: Value, primal: Value) -> Value:
        """The shadow to give back or to resize: null for memory that is its own, as integers that a caller allocates
        may be."""
        place = self.sweep.context.memory.place(pointer)
        if place is not None and place.region.origins <= place.region.allocations:
            return shadow
        return builder.select(builder.icmp("ne", shadow, primal), shadow, null(PTR))

    def continued(self, call: CallBase, old: Value, shadow: Value, size: Value) -> None:
        """The shadow of resized memory that had none before: its pointers, and no tangents."""
        if not self.sweep.activity.is_uncertain(old):
            return
        b = self.sweep.b
        fresh = b.icmp("eq", self.sweep.shadow(old), self.sweep.value(old))
        found = self.fields_of(call, [call, old], size)
        self.copy(shadow, self.sweep.value(call), _limited(b, size, fresh))
        self.clear_numbers(b, found, shadow, size, fresh)

    def copy_pointers(  # noqa: PLR0913
        self,
        found: Fields,
        destination: Value,
        source: Value,
        length: Value,
        where: Value | None = None,
        *,
        overlapping: bool = False,
    ) -> None:
        """Copy the shadow pointers among the copied bytes."""
        b = self.sweep.b
        if found.plain:
            self.copy(destination, source, _limited(b, length, where))
        reserved: Value | None = None
        shortest = _SHORTEST_RUN
        if overlapping:
            # One loop begins at the end that is not overwritten. Of several, each would overwrite what the next reads.
            shortest = 2
            if len(_runs(found, found.pointers, shortest)) + len(_runs(found, found.words, shortest)) > 1:
                reserved = b.call(runtime_function(self.module, "reserve"), [null(PTR), _wide(b, length)])
                self.copy(reserved, source, length)
                source = reserved
        both = [destination, source]
        function = typed_function(self.module, "field_copy", PTR, 8)
        self._each(found, function, both, found.pointers, PTR, length, (), where=where, shortest=shortest)
        copied = typed_function(self.module, "word_copy", I64, 8)
        self._each_word(found, copied, both, length, where=where, shortest=shortest)
        if reserved is not None:
            b.call(self.module.declare("free", function_type(VOID, (PTR,))), [reserved])

    def clear_pointers(self, found: Fields, destination: Value, length: Value, where: Value | None = None) -> None:
        """The shadow of a null pointer is null."""
        function = typed_function(self.module, "field_clear", PTR, 8)
        self._each(found, function, [destination], found.pointers, PTR, length, (), where=where)
        self._clear_words(self.sweep.b, found, destination, length, where, pointers=True)

    def _clear_words(  # noqa: PLR0913
        self,
        builder: Builder,
        found: Fields,
        destination: Value,
        length: Value,
        where: Value | None,
        *,
        pointers: bool,
    ) -> None:
        """Zero those words of doubtful type that hold pointers, or those that hold numbers."""
        function = typed_function(self.module, "word_clear", I64, 8)
        self._each_word(found, function, [destination], length, (const_int(I1, int(pointers)),), builder, where)

    def return_adjoints(  # noqa: PLR0913, PLR0917
        self,
        builder: Builder,
        found: Fields,
        destination: Value,
        source: Value,
        length: Value,
        keep: Value,
        where: Value | None = None,
    ) -> None:
        """source += destination, destination = 0, in every number; `keep` false only clears, `where` false does
        nothing."""
        for type_, offsets in _by_type(found):
            function = typed_function(self.module, "adjoint_copy", type_, self.layout.store_size(type_))
            self._each(found, function, [destination, source], offsets, type_, length, (keep,), builder, where)
        function = typed_function(self.module, "word_adjoint", I64, 8)
        self._each_word(found, function, [destination, source], length, (keep,), builder, where)

    def clear_numbers(
        self, builder: Builder, found: Fields, destination: Value, length: Value, where: Value | None = None
    ) -> None:
        """Zero every number of a run, and what may be one; nothing if `where` is false."""
        self._clear_words(builder, found, destination, length, where, pointers=False)
        if found.anywhere:
            function = typed_function(self.module, "edge_clear", I64, 8)
            builder.call(function, [destination, _limited(builder, _wide(builder, length), where)])
        if found.unknown or found.mixed:
            self._clear_doubtful(builder, found, destination, length, where)
        if _dense(self.layout.alloc_size, found):
            self.clear(destination, _limited(builder, length, where), builder)
            return
        for type_, offsets in _by_type(found):
            function = typed_function(self.module, "field_clear", type_, self.layout.store_size(type_))
            self._each(found, function, [destination], offsets, type_, length, (), builder, where)

    def _clear_doubtful(
        self, builder: Builder, found: Fields, destination: Value, length: Value, where: Value | None
    ) -> None:
        """Bytes of unknown type that are overwritten: a number's adjoint ends there, an integer has none."""
        if found.period or not isinstance(length, ConstantInt):
            if not found.pointers:
                self.clear(destination, _limited(builder, length, where), builder)
            return
        start = end = -1
        for at in [*sorted({*found.unknown, *found.mixed}), -1]:
            if at != end:
                if end > start:
                    bytes_ = _limited(builder, const_int(I64, end - start), where)
                    self.clear(builder.ptradd(destination, start), bytes_, builder)
                start = at
            end = at + 1

    def cuts(  # noqa: PLR0913, PLR0917
        self, builder: Builder, found: Fields, destination: Value, source: Value, length: Value, where: Value | None
    ) -> Value | None:
        """Bits that are not zero where a copied run cut numbers with an adjoint into parts; None where it cannot."""
        if not found.anywhere:
            return None
        function = typed_function(self.module, "word_cuts", I64, 8)
        return builder.call(function, [destination, source, _limited(builder, _wide(builder, length), where)])

    def _each_word(  # noqa: PLR0913, PLR0917
        self,
        found: Fields,
        function: Value,
        pointers: list[Value],
        length: Value,
        extra: tuple[Value, ...] = (),
        builder: Builder | None = None,
        where: Value | None = None,
        shortest: int = _SHORTEST_RUN,
    ) -> None:
        """Call a function for the words of a run."""
        self._each(found, function, pointers, found.words, I64, length, extra, builder, where, shortest)
        if not found.anywhere:
            return
        b = builder or self.sweep.b
        starts = [b.cast("ptrtoint", pointer, I64) for pointer in pointers]
        skipped = b.binary("and", b.binary("sub", const_int(I64, 0), starts[0]), const_int(I64, 7))
        count: Value = b.binary("ashr", b.binary("sub", _wide(b, length), skipped), const_int(I64, 3))
        if len(starts) > 1:
            # What is not as far from a multiple of eight as before was no number, and no pointer.
            apart = b.binary("and", b.binary("sub", starts[1], starts[0]), const_int(I64, 7))
            count = _limited(b, count, b.icmp("eq", apart, const_int(I64, 0)))
        moved = [b.gep(I8, pointer, [skipped]) for pointer in pointers]
        b.call(function, [*moved, _limited(b, count, where), const_int(I64, 8), *extra])

    def _each(  # noqa: PLR0913, PLR0917
        self,
        found: Fields,
        function: Value,
        pointers: list[Value],
        offsets: tuple[int, ...],
        type_: Type,
        length: Value,
        extra: tuple[Value, ...],
        builder: Builder | None = None,
        where: Value | None = None,
        shortest: int = _SHORTEST_RUN,
    ) -> None:
        """Call a function for the fields of a type."""
        b = builder or self.sweep.b
        for offset, step, many in _runs(found, offsets, shortest):
            count: Value = const_int(I64, many)
            if found.period:
                # The run need not end with a whole period: count the fields that end inside it.
                until = const_int(I64, found.period - offset - self.layout.store_size(type_))
                count = b.binary("sdiv", b.binary("add", _wide(b, length), until), const_int(I64, found.period))
            moved = [b.ptradd(pointer, offset) for pointer in pointers]
            b.call(function, [*moved, _limited(b, count, where), const_int(I64, found.period or step), *extra])


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


def _runs(found: Fields, offsets: tuple[int, ...], shortest: int) -> list[tuple[int, int, int]]:
    """One loop each; in arrays every field of an element has its own."""
    return runs(offsets, len(offsets) + 1 if found.period else shortest)


def _by_type(found: Fields) -> list[tuple[Type, tuple[int, ...]]]:
    """The numbers of each type."""
    return [
        (type_, tuple(at for at, other in found.numbers if other is type_))
        for type_ in dict.fromkeys(type_ for _, type_ in found.numbers)
    ]


def _limited(builder: Builder, number: Value, where: Value | None) -> Value:
    """`number`, or none of it."""
    return number if where is None else builder.select(where, number, const_int(number.type, 0))


def _wide(builder: Builder, length: Value) -> Value:
    return length if length.type is I64 else builder.cast("zext", length, I64)


def _both(builder: Builder, a: Value | None, b: Value) -> Value:
    return b if a is None else builder.binary("and", a, b)


def _dense(size_of: Callable[[Type], int], found: Fields) -> bool:
    """Do the numbers fill the run?"""
    if found.pointers or found.words or not found.period or len(found.numbers) != 1:
        return False
    return size_of(found.numbers[0][1]) == found.period
