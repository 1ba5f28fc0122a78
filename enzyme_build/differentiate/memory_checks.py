"""Refusals of accesses through which numbers would lose their derivatives: as another type, as text, as integers."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.accessed import accessed_content
from enzyme_build.analysis.calling import has_several_callers
from enzyme_build.analysis.copied import access_kind
from enzyme_build.analysis.kept_bits import moved_elsewhere
from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.mixed_words import is_word
from enzyme_build.analysis.number_places import Sure
from enzyme_build.analysis.objects import apart_from_numbers, objects, told_apart
from enzyme_build.analysis.punning import declared_at, others_at, punned
from enzyme_build.analysis.spread import accessed_places
from enzyme_build.analysis.strings import is_length, is_of_text, is_untold, reads_or_writes_text
from enzyme_build.errors import IntegerOverNumberError, UnsupportedError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import IntType, Type
from enzyme_build.ir.values import ConstantInt

from .moved_parts import is_changed
from .noted import NOTED, ends_others

if TYPE_CHECKING:
    from collections.abc import Collection

    from enzyme_build.analysis.contents import Content
    from enzyme_build.analysis.memory import Memory
    from enzyme_build.analysis.regions import Place, Region
    from enzyme_build.errors import SourceLocation
    from enzyme_build.ir.values import Value

    from .context import Context


ONE_TYPE = "give numbers that share memory one type (all of them double, or all float), or each type memory of its own"
"""The remedy for memory of several types."""
_NOTED_TEXTS = frozenset(type_.text for type_ in NOTED)


def kept_in_string(location: SourceLocation | None) -> UnsupportedError:
    """The refusal of numbers among characters, where they would lose their derivatives."""
    return UnsupportedError(
        "bytes that may be parts of numbers are kept in a string",
        location=location,
        hint="keep them in an array of numbers, or copy them as numbers",
        code="E0113",
    )


def clears_either(memory: Memory, i: ir.Store) -> bool:
    """Is zero stored to bytes that are integers or numbers, as where the rest of a union is cleared?"""
    place = memory.place(i.pointer)
    if place is None or not isinstance(i.value, ConstantInt) or i.value.value:
        return False
    content = accessed_content(place.region, place.offset, place.stride)
    return (
        content is not None
        and content.kind is Kind.INTEGER
        and content.carries_numbers
        and Kind.POINTER not in content.claims
    )


_WORD: Final = 8
_OPERATIONS: Final = "write it with floating-point operations (fabs, copysign, frexp, ldexp …)"
_COUNTS: Final = (
    "keep counts where other objects behind the same pointers have no numbers; if it is the bits of a number, write it "
    "with floating-point operations (fabs, copysign, frexp, ldexp …)"
)


class MemoryChecks:
    """Checks of the accesses of one function."""

    def __init__(self, context: Context, *, noted: bool) -> None:
        self._context = context
        self._noted = noted
        self._punned: dict[object, bool] = {}

    @cached_property
    def _text(self) -> Collection[Region]:
        return moved_elsewhere(self._context.memory)

    def store(self, i: ir.Store) -> None:
        """What is stored must be what the memory holds."""
        if is_length(i):
            return
        self._text_of(i)
        self.type(i, i.value.type)
        self._declared(i)
        self._bits(i)

    def type(self, i: ir.Load | ir.Store, type_: Type) -> None:
        """Numbers must be read as what they were written."""
        place = self._context.memory.place(i.pointer)
        if place is None or not type_.is_float_like:
            return
        if is_untold(i):
            raise kept_in_string(self._context.location(i))
        key = (i.pointer, i.block, type_)
        places = accessed_places(self._context.memory, i.pointer, i) if self._punned.get(key, True) else []
        if key not in self._punned:
            self._punned[key] = any(self._is_punned(one, type_.scalar) for one in places)
        if self._punned[key] and self._punned_object(i, type_.scalar):
            others = {t.text for at in places for t in others_at(self._context.layout, at.resolved(), type_.scalar)}
            if self._noted and type_.scalar in NOTED and others <= _NOTED_TEXTS:
                return  # the run shows it
            other = " and ".join(sorted(others - {type_.scalar.text})) or f"{type_.scalar} at bytes of two of them"
            raise self._of_several_types(i, place, type_.scalar, other)

    def _of_several_types(self, i: ir.Load | ir.Store, place: Place, type_: Type, other: str) -> UnsupportedError:
        return UnsupportedError(
            f"memory may be used as {type_} and as {other}",
            location=self._context.location(i),
            hint=ONE_TYPE,
            code="E0201",
            about=place.resolved().region,
        )

    def _is_punned(self, place: Place, type_: Type) -> bool:
        key = (place.resolved(), type_)
        if key not in self._punned:
            self._punned[key] = punned(self._context.layout, place, type_)
        return self._punned[key]

    def _punned_object(self, i: ir.Load | ir.Store, type_: Type) -> bool:
        """Is it so in a single one of the objects that the pointer may lead to?"""
        places = objects(self._context.memory).places(i.pointer, self._context.layout.store_size(type_))
        return places is None or any(punned(self._context.layout, place, type_) for place in places)

    def _declared(self, i: ir.Store) -> None:
        """Words that have numbers must not be moved to a variable that has others there."""
        place = self._context.memory.place(i.pointer)
        if place is None or not isinstance(i.value.type, IntType):
            return
        place = place.resolved()
        declared = declared_at(self._context.layout, place)
        others = {*place.content.float_types} - {declared}
        if declared is not None and others:
            raise self._of_several_types(i, place, declared, " and ".join(sorted(other.text for other in others)))

    def _text_of(self, i: ir.Store) -> None:
        """Bytes of numbers must not be kept as text, which the library moves without their shadow."""
        if i.value not in self._context.activity.watched and not self._context.activity.is_active(i.value):
            return
        if reads_or_writes_text(i):
            if not is_of_text(i.value):
                raise kept_in_string(self._context.location(i))
            return
        told = access_kind(self._context.module, i.metadata, self._context.layout.store_size(i.value.type))
        if told is not None and told[0] is Kind.INTEGER:
            return  # a member of an object beside strings
        place = self._context.memory.place(i.pointer)
        if place is not None and isinstance(i.value.type, IntType) and place.region in self._text:
            raise kept_in_string(self._context.location(i))

    def _bits(self, i: ir.Store) -> None:
        """What is an integer here must not be a number that others copied to this memory."""
        place = self._context.memory.place(i.pointer)
        if place is None or not isinstance(i.value.type, IntType) or self._is_watched(i):
            return
        if not self._context.activity.memory_active(i.pointer):
            return  # text, of which nothing has an adjoint
        for one in told_apart(self._context.memory, i.pointer) or [place]:
            content = accessed_content(one.region, one.offset, one.stride)
            if content is None or (is_word(content) and self._among_others(one.region, content, i.value)):
                continue
            if content.carries_numbers and content.kind is Kind.INTEGER and not self._is_beside_numbers(i):
                if clears_either(self._context.memory, i) or (self._noted and ends_others(self._context, i)):
                    return  # the adjoint of whatever number is there ends
                short = self._context.layout.store_size(i.value.type) < _WORD
                raise (IntegerOverNumberError if short else UnsupportedError)(
                    "an integer is stored where callers keep the bits of a floating-point number",
                    location=self._context.location(i),
                    hint=_COUNTS if short else _OPERATIONS,
                    code="E0111",
                )

    def _is_watched(self, i: ir.Store) -> bool:
        """Are there several objects here, of which some may have a number where others count? The run shows whether it
        is one whose bits are changed."""
        activity, memory = self._context.activity, self._context.memory
        if i.value not in activity.watched or i not in activity.bit_flow.stores:
            return False
        places = objects(memory).places(i.pointer, self._context.layout.store_size(i.value.type)) or ()
        return len({place.region for place in places}) > 1 or any(self._is_shared(place.region) for place in places)

    def _is_shared(self, region: Region) -> bool:
        """Is this what a function allocates for several others?"""
        memory = self._context.memory
        models = {model.function: model for model in (memory, *memory.others.values())}
        makers = {i.block.function for i in region.allocations if isinstance(i, ir.CallBase) and i.block is not None}
        return any(maker in models and has_several_callers(models[maker]) for maker in makers)

    def _is_beside_numbers(self, i: ir.Store) -> bool:
        """Is this only to objects that have no numbers there? Callers may have told what is in others."""
        size = self._context.layout.store_size(i.value.type)
        return apart_from_numbers(self._context.memory, i.pointer, size)

    def _among_others(self, region: Region, content: Content, value: Value) -> bool:
        """Is this word only moved, or computed from no number, or one of an object with pointers in it, or at any
        place? Then the run tells what it is."""
        pointers = any(other.kind is Kind.POINTER for other in region.contents())
        pointers |= any(other.may_point and other.root is not content.root for other in region.root.fields.values())
        if pointers or content.is_scattered or not is_changed(value):
            return True
        return self._context.activity.bit_flow.sure(value) is Sure.NO
