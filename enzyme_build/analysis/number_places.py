"""Where in memory integers may be parts of numbers: by what accesses and callers say of a place."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import IntType, PointerType, Type
from enzyme_build.ir.values import ConstantInt

from .claims import (
    certainly_touches_number,
    lies_on_moved_number,
    lies_on_number,
    lies_on_numbers,
    touches_number,
    walks_parts,
)
from .copied import EITHER, REST, access_kind
from .kinds import Kind
from .known import call_effects
from .mixed_words import is_any_word
from .objects import told_apart
from .regions import Place, Region
from .single_bytes import is_alone
from .spread import spread

if TYPE_CHECKING:
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.values import Value

    from .contents import Content
    from .memory import Memory


class Sure(IntEnum):
    """How well it is known that bits are those of a number."""

    NO = 0
    MAYBE = 1
    YES = 2


WORD: Final = 32
"""Bits of the integers that arithmetic tells from pointers; fewer are characters, or parts of something."""
_POINTER: Final = 8
_LARGE: Final = 1 << 23
"""What has bits where a number has its exponent."""
_MOST: Final = 32


class NumberPlaces:
    """Answers for the functions of a call graph; results are remembered."""

    def __init__(self) -> None:
        self._integers: set[tuple[Place, int]] = set()
        """Where integers of so many bytes are accessed as such by the language's rules."""
        self._counted: set[Region] = set()
        """Memory in which integers are stored that are none of a number's bits."""
        self._only: dict[Region, bool] = {}

    def find_integers(self, model: Memory) -> None:
        """Note what a function accesses as integers."""
        for i in model.function.instructions():
            if isinstance(i, ir.Load | ir.Store):
                type_ = i.type if isinstance(i, ir.Load) else i.value.type
                place = model.place(i.pointer) if isinstance(type_, IntType) and type_.bits >= WORD else None
                if place is not None:
                    if isinstance(i, ir.Store) and _is_count(i.value):
                        self._counted.add(place.resolved().region)
                    size = model.layout.store_size(type_)
                    told = access_kind(model.module, i.metadata, size)
                    if told is not None and told[0] is Kind.INTEGER:
                        self._integers.add((place.resolved(), size))

    def any_number(self, layout: DataLayout, region: Region) -> Sure:
        """May there be numbers in this memory?"""
        if has_numbers(region):
            return Sure.YES if self._only_numbers(layout, region) else Sure.MAYBE
        return Sure.MAYBE if region.is_visible and is_untold(region) else Sure.NO

    def at_place(  # noqa: PLR0913, PLR0917
        self,
        model: Memory,
        i: ir.Instruction,
        value: Value,
        place: Place,
        elements: list[Place],
        content: Content | None,
    ) -> Sure:
        """May an integer that is accessed at a place, which may be one of `elements`, be a part of a number? `content`
        is what is known of the value itself."""
        if EITHER in i.metadata:
            return Sure.MAYBE
        if is_alone(model.module, place, value.type, i.metadata):
            return Sure.NO
        size = model.layout.store_size(value.type)
        region = place.resolved().region
        told = access_kind(model.module, i.metadata, size)
        if (told is not None and told[0] is Kind.POINTER) or _is_of_library(model, region):
            return Sure.NO
        if told is not None and told[0] is Kind.INTEGER:
            # By the language's rules it is one, but the bytes of a number may have been copied to it.
            return Sure.MAYBE if lies_on_moved_number(model.layout, place, size) else Sure.NO
        if told is None and isinstance(value.type, IntType) and value.type.bits >= WORD:
            kind = content.kind if content is not None and not content.carries_numbers else Kind.UNKNOWN
            if kind in (Kind.INTEGER, Kind.POINTER) and not lies_on_numbers(model.layout, place, size):
                # Arithmetic alone does not tell integers from the bits of numbers, accesses to a declared member do.
                if not region.is_visible:
                    return Sure.MAYBE if walks_parts(model.layout, place, size) else Sure.NO
                if kind is Kind.POINTER:
                    return Sure.NO
                is_told = REST in i.metadata or (place.resolved(), size) in self._integers
                return Sure.NO if is_told and not lies_on_moved_number(model.layout, place, size) else Sure.MAYBE
        if any(touches_number(model.layout, at, size) for at in elements):
            certain = any(certainly_touches_number(model.layout, at, size) for at in elements)
            certain &= region not in self._counted and self._only_numbers(model.layout, region)
            return Sure.YES if certain else Sure.MAYBE
        return Sure.MAYBE if region.is_visible and not has_numbers(region) else Sure.NO

    def of_pointer(self, model: Memory, load: ir.Load) -> Sure:
        """May a word that is read as a pointer be a number at other times?"""
        place = model.place(load.pointer)
        told = access_kind(model.module, load.metadata, _POINTER)
        if place is None or told is not None or not lies_on_number(model.layout, place, _POINTER):
            return Sure.NO
        return Sure.YES if self._only_numbers(model.layout, place.resolved().region) else Sure.MAYBE

    def _only_numbers(self, layout: DataLayout, region: Region) -> bool:
        known = self._only.get(region)
        if known is None:
            # A loop over the bytes of numbers reads integers, too.
            places = [(Place(region, at, step), content) for at, step, content in region.entries()]
            # Pointers are none of the numbers that lie at the same places at other times.
            known = self._only[region] = not any(
                is_any_word(content) or Kind.POINTER in content.claims for _, content in places
            ) and not any(
                any(not isinstance(claim, Type) for claim in content.claims) and not touches_number(layout, place, 1)
                for place, content in places
            )
        return known


def _is_count(value: Value) -> bool:
    """Is this computed from nothing but small constants and counters?"""
    pending, seen = [value], {value}
    some = False
    while pending:
        at = pending.pop()
        match at:
            case ConstantInt():
                if abs(at.value) >= _LARGE:
                    return False
                some |= at.value != 0
            case ir.Phi() | ir.Select() | ir.Binary() | ir.Cast(op="trunc" | "zext" | "sext"):
                operands = at.operands[1:] if isinstance(at, ir.Select) else at.operands
                pending += (operand for operand in operands if operand not in seen)
                seen.update(operands)
            case _:
                return False
        if len(seen) > _MOST:
            return False
    return some


def touches_number_at(model: Memory, pointer: Value, value: Value) -> bool:
    """May a value of this size be a part of a number where a pointer leads to?"""
    size = model.layout.store_size(value.type)
    places = told_apart(model, pointer) or spread(model, pointer)
    return any(touches_number(model.layout, place, size) for place in places)


def _is_of_library(model: Memory, region: Region) -> bool:
    """Is this memory of the library's own, as `errno` is?"""
    calls = [origin for origin in region.origins if isinstance(origin, ir.CallBase)]
    own = (call for call in calls if not any(isinstance(a.type, PointerType) for a in call.arguments))
    known = [known for call in own if (known := call_effects(model.module, call)) is not None]
    return bool(known) and len(known) == len(region.origins) and all(effects.inactive for effects in known)


def has_numbers(region: Region) -> bool:
    return any(content.float_types for content in region.contents())


def is_untold(region: Region) -> bool:
    """Is this memory that nobody uses for numbers or pointers? Nobody uses a buffer of bytes for either."""
    return not any(content.float_types or Kind.POINTER in content.claims for content in region.contents())
