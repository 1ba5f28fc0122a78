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

from enzyme_build.analysis.fields import Fields, runs
from enzyme_build.analysis.library_text import is_made_text
from enzyme_build.analysis.memory import pointed_variable
from enzyme_build.analysis.offsets import fixed_base, has_pointers
from enzyme_build.ir.intrinsics import intrinsic
from enzyme_build.ir.types import DOUBLE, I1, I8, I64, PTR, VOID, function_type
from enzyme_build.ir.values import ConstantInt, Value, const_int, null
from enzyme_build.rules.memory import Transfer

from .askew import note_askew
from .changed_words import stop_at_part
from .copied_fields import CopiedFields
from .foreign_bytes import end_adjoints, every_element
from .noted import clear_noted, copy_noted_pointers, copy_notes, return_noted
from .parts_of_pointers import may_point
from .runtime import runtime_function, stop_if, typed_function

_SHORTEST_RUN: Final = 16
"""Fewer fields at equal distances are no loop: LLVM keeps small structs in registers, loops over them it does not."""
_WORD: Final = 8
_MOST_PIECES: Final = 8

_CUT: Final = (
    "bytes are copied in which only the run tells numbers and pointers apart, and there are pointers that lie at other "
    "distances from a multiple of eight than in the copy; align what they are copied to and from"
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from enzyme_build.analysis.known import CallEffects
    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.instructions import CallBase
    from enzyme_build.ir.types import Type

    from .sweep import Sweep


class Transfers:
    """Emits memory operations on shadows at the sweep's builder, or at a builder given."""

    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        self.module = sweep.module
        self.layout = sweep.context.layout
        self._fields = CopiedFields(sweep.context, sweep.engine)
        self.fields_of = self._fields.of

    def parts(
        self, builder: Builder, call: CallBase, pointers: list[Value], length: Value
    ) -> Iterator[tuple[Fields, int, Value]]:
        """The fields of a run, where they begin, and how long that part is: of all of it, or of a header and of the
        elements behind it."""
        parts = self._fields.parts(call, pointers, length)
        if len(parts) == 1:
            yield parts[0][1], 0, length
            return
        (_, first), (at, rest) = parts
        wide = builder.wide(length)
        reach = builder.call(intrinsic(self.module, "umin", I64), [wide, const_int(I64, at)])
        yield first, 0, reach
        yield rest, at, builder.sub(wide, reach)

    def clear(self, pointer: Value, size: Value, builder: Builder | None = None) -> None:
        """Fill with zero bytes."""
        b = builder or self.sweep.b
        type_ = function_type(VOID, (PTR, I8, size.type, I1))
        memset = self.module.declare(f"llvm.memset.p0.{size.type}", type_)
        b.call(memset, [pointer, const_int(I8, 0), size, const_int(I1, 0)])

    def copy(self, destination: Value, source: Value, size: Value, builder: Builder | None = None) -> None:
        """memmove."""
        b = builder or self.sweep.b
        move = intrinsic(self.module, "memmove", PTR, PTR, size.type)
        step, bytes_ = self._step_down(destination, source, size)
        if not step:
            b.call(move, [destination, source, size, const_int(I1, 0)])
            return
        # LLVM 20 to 22 drop a memmove to a lower place of the same memory where a memset filled the destination only
        # (github.com/llvm/llvm-project/pull/206451): piece by piece these are memcpys, and volatile ones are kept.
        pieces = range(0, bytes_, step)
        if len(pieces) > _MOST_PIECES:
            b.call(move, [destination, source, size, const_int(I1, 1)])
            return
        piece = intrinsic(self.module, "memcpy", PTR, PTR, size.type)
        for at in pieces:
            length = const_int(size.type, min(step, bytes_ - at))
            b.call(piece, [b.ptradd(destination, at), b.ptradd(source, at), length, const_int(I1, 0)])

    def _step_down(self, destination: Value, source: Value, size: Value) -> tuple[int, int]:
        """By how many bytes a run of constant length moves down onto a part of itself, and its length; zeros where it
        does not."""
        if not isinstance(size, ConstantInt):
            return 0, 0
        (base, to), (other, at) = (fixed_base(self.layout, pointer) for pointer in (destination, source))
        return (at - to, size.value) if base is other and 0 < at - to < size.value else (0, 0)

    def _source(self, call: CallBase, effects: CallEffects) -> Value | None:
        """Where bytes are copied from; None where memory is filled, also with constant data (texts, tables) or text
        that the library made, which have neither tangents nor pointers."""
        if effects.copies is None:
            return None
        source = call.arguments[effects.copies[1]]
        variable = pointed_variable(source)
        if variable is not None and variable.is_constant and not has_pointers(self.layout, variable.value_type):
            return None
        return source if not is_made_text(self.sweep.context.memory, source) else None

    def forward(self, call: CallBase, effects: CallEffects) -> None:
        """Forward mode: do to the shadow memory what the call does to the primal memory."""
        sweep, b = self.sweep, self.sweep.b
        known = effects.known
        assert isinstance(known, Transfer)
        self._stop_at_edges(call, effects)
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
        copy_notes(sweep.engine, b, target, memory, reach)
        if shadowed and not sweep.activity.is_uncertain(source):
            self.copy(target, memory, reach)
            return
        found = self.fields_of(call, [destination, source], size)
        if shadowed or found.has_pointers:
            self.copy(target, memory, reach)
        if shadowed:
            where = _both(b, where, b.icmp("eq", memory, sweep.value(source)))
        if found.has_pointers or found.noted:
            self.clear_numbers(b, found, target, length, where)
        else:  # characters, too: of what is read as words nothing else may tell that it has no tangent
            self.clear(target, _limited(b, length, where))

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
        self._stop_at_edges(call, effects)
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
        if source is not None and found.noted:
            both = (target, sweep.shadow(source))
            copy_noted_pointers(sweep.context, b, call, *both, sweep.value(source), _limited(b, b.wide(length), where))
        elif source is not None:
            self._stop_at_cuts(call, found, (target, sweep.shadow(source), sweep.value(source)), length, where)
            self.copy_pointers(found, target, sweep.shadow(source), length, where, overlapping=known.overlapping)
        else:
            self.clear_pointers(found, target, length, where)

    def _stop_at_edges(self, call: CallBase, effects: CallEffects) -> None:
        """End the program where a copy begins or ends inside a pointer, whose other bytes go another way."""
        source, sweep = self._source(call, effects), self.sweep
        known = effects.known
        if source is None or not isinstance(known, Transfer) or not sweep.activity.has_shadow(source):
            return
        length = call.arguments[known.length]
        begin = fixed_base(self.layout, source)[1]
        # Where the base lies, only the run tells: it may be a character of a string.
        edges = [0] if begin % _WORD else []
        if isinstance(length, ConstantInt) and (begin + length.value) % _WORD:
            edges.append(length.value)
        for at in edges:
            inside = at and at - 1
            if may_point(sweep.context.memory, source, inside - (begin + inside) % _WORD, _WORD):
                places = [sweep.b.ptradd(pointer, inside) for pointer in (sweep.value(source), sweep.shadow(source))]
                stop_at_part(sweep, call, *places, edge=sweep.b.ptradd(sweep.value(source), at))

    def _stop_at_cuts(
        self, call: CallBase, found: Fields, memory: tuple[Value, Value, Value], length: Value, where: Value | None
    ) -> None:
        """End the program where pointers would be copied to where no word is; `memory` is both shadows and what is
        copied."""
        if not found.anywhere:
            return
        b, context = self.sweep.b, self.sweep.context
        function = typed_function(self.module, "pointer_cuts", I64, 8)
        bits = b.call(function, [*memory, _limited(b, b.wide(length), where)])
        stop_if(self.module, b, bits, f"{context.location(call) or context.function.name}: {_CUT}")

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
        if not self.sweep.activity.may_be_own(pointer):
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
        self.copy(shadow, self.sweep.value(call), _limited(b, size, fresh))
        for found, at, length in self.parts(b, call, [call, old], size):
            self.clear_numbers(b, found, b.ptradd(shadow, at), length, fresh)

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
                reserved = b.call(runtime_function(self.module, "reserve"), [null(PTR), b.wide(length)])
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
        if found.noted:
            clear_noted(self.module, self.sweep.b, destination, _limited(self.sweep.b, length, where), pointers=True)
            return
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
        call: CallBase,
        found: Fields,
        destination: Value,
        source: Value,
        length: Value,
        keep: Value,
        where: Value | None = None,
    ) -> None:
        """source += destination, destination = 0, in every number; `keep` false only clears, `where` false does
        nothing."""
        if found.noted:
            reach = _limited(builder, length, where)
            return_noted(self.sweep.context, builder, call, (destination, source, reach, keep))
            return
        for type_, offsets in _by_type(found):
            function = typed_function(self.module, "adjoint_copy", type_, self.layout.store_size(type_))
            self._note_askew(builder, found, type_, offsets, source, length)
            self._each(found, function, [destination, source], offsets, type_, length, (keep,), builder, where)
        function = typed_function(self.module, "word_adjoint", I64, 8)
        self._each_word(found, function, [destination, source], length, (keep,), builder, where)

    def _note_askew(  # noqa: PLR0913, PLR0917
        self, builder: Builder, found: Fields, type_: Type, offsets: Sequence[int], source: Value, length: Value
    ) -> None:
        size = self.layout.store_size(type_)
        for at in dict.fromkeys(offset % size for offset in offsets):
            note_askew(self.sweep.engine, builder, type_, builder.ptradd(source, at), 1, length)
        if found.period % size:  # then some element lies elsewhere
            second = builder.ptradd(source, offsets[0] + found.period)
            note_askew(self.sweep.engine, builder, type_, second, 1, length)

    def forget_pointers(  # noqa: PLR0913
        self, builder: Builder, found: Fields, memory: Value, length: Value, where: Value | None, *, own: bool
    ) -> None:
        """Zero the words in which other numbers than doubles lie and a pointer is left, if the memory is of the
        function's `own`; nothing if `where` is false."""
        for type_, offsets in _by_type(found):
            if type_.scalar is not DOUBLE:
                runtime_function(self.module, "pointers_gone")
                function = typed_function(self.module, "field_alone", type_, self.layout.store_size(type_))
                extra = (const_int(I1, int(own)),)
                self._each(found, function, [memory], offsets, type_, length, extra, builder, where)

    def clear_numbers(
        self, builder: Builder, found: Fields, destination: Value, length: Value, where: Value | None = None
    ) -> None:
        """Zero every number of a run, and what may be one; nothing if `where` is false."""
        if found.noted:
            clear_noted(self.module, builder, destination, _limited(builder, length, where), pointers=False)
            return
        self._clear_words(builder, found, destination, length, where, pointers=False)
        if found.anywhere:
            function = typed_function(self.module, "edge_clear", I64, 8)
            builder.call(function, [destination, _limited(builder, builder.wide(length), where)])
        if found.unknown or found.mixed:
            self._clear_doubtful(builder, found, destination, length, where)
        every = every_element(builder, found, length)
        end_adjoints(builder, self.module, destination, found.doubtful, every, where)
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
        constant = length.value if isinstance(length, ConstantInt) else None
        if not found.pointers and (found.period or constant is None):
            self.clear(destination, _limited(builder, length, where), builder)
            return
        every = every_element(builder, found, length)
        end_adjoints(builder, self.module, destination, found.untold(constant), every, where)

    def cuts(  # noqa: PLR0913, PLR0917
        self, builder: Builder, found: Fields, destination: Value, source: Value, length: Value, where: Value | None
    ) -> Value | None:
        """Bits that are not zero where a copied run cut numbers with an adjoint into parts; None where it cannot."""
        if not found.anywhere:
            return None
        function = typed_function(self.module, "word_cuts", I64, 8)
        return builder.call(function, [destination, source, _limited(builder, builder.wide(length), where)])

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
        count: Value = b.binary("ashr", b.binary("sub", b.wide(length), skipped), const_int(I64, 3))
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
                count = b.binary("sdiv", b.binary("add", b.wide(length), until), const_int(I64, found.period))
            moved = [b.ptradd(pointer, offset) for pointer in pointers]
            b.call(function, [*moved, _limited(b, count, where), const_int(I64, found.period or step), *extra])


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


def _both(builder: Builder, a: Value | None, b: Value) -> Value:
    return b if a is None else builder.binary("and", a, b)


def _dense(size_of: Callable[[Type], int], found: Fields) -> bool:
    """Do the numbers fill the run?"""
    if found.pointers or found.words or not found.period or len(found.numbers) != 1:
        return False
    return size_of(found.numbers[0][1]) == found.period
