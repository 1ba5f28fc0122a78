"""Integers that known functions keep, where they may be bits of numbers: in a string, a stream, a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir.function import Function
from enzyme_build.ir.types import I1, I64, IntType, VectorType, fields_of
from enzyme_build.ir.values import Constant
from enzyme_build.rules.inactive import INACTIVE, RETURN_FIRST, compares
from enzyme_build.rules.inactive_rows import Inactive, Why

from .known import call_effects
from .regions import led_to

if TYPE_CHECKING:
    from collections.abc import Iterable

    from enzyme_build.ir import instructions as ir
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

    from .memory import Memory
    from .regions import Region


def may_hold_bits(type_: Type) -> bool:
    """Are there integers in a value of this type?"""
    if isinstance(type_, IntType):
        return type_ is not I1
    if isinstance(type_, VectorType):
        return may_hold_bits(type_.element)
    return any(may_hold_bits(field) for field in fields_of(type_))


def integers_of(values: Iterable[Value]) -> list[Value]:
    """Those of the values that may have bits of numbers, and are not the same in all runs."""
    return [value for value in values if not isinstance(value, Constant) and may_hold_bits(value.type)]


def kept_by(memory: Memory, call: ir.CallBase) -> list[Region]:
    """The memory in which a known function may keep integers that it is given, as `std::string::push_back` does."""
    return _written(memory, call) if kept_parts(memory, call) else []


def kept_parts(memory: Memory, call: ir.CallBase) -> list[Value]:
    """The integers that a known function may keep. Those of `std::string` keep characters, no lengths or places."""
    strings = works_on_strings(memory, call)
    return [v for v in integers_of(call.arguments) if not strings or v.type is not I64]


def moved_elsewhere(memory: Memory) -> frozenset[Region]:
    """Characters that known functions keep where they like, as streams do: their shadow is not to be found."""
    calls = [call for call in memory.effects if not works_on_strings(memory, call) and not _has_no_text(memory, call)]
    written = {region for call in calls for region in _written(memory, call)}
    found = {place.region for region in written for place in region.targets()}
    return frozenset(found | {region.root for region in memory.characters.values()})


def works_on_strings(memory: Memory, call: ir.CallBase) -> bool:
    """Is this a function on strings? Of these it is known where the characters are."""
    known = call_effects(memory.module, call)
    return known is not None and isinstance(known.known, Inactive) and known.known.strings


def finds_characters(call: ir.CallBase, known: Inactive) -> bool:
    """May what a function on strings returns lead into one? Not so new memory, nor the string that it was given."""
    itself = isinstance(call.callee, Function) and RETURN_FIRST.match(call.callee.name)
    return not known.fresh and not itself


def _has_no_text(memory: Memory, call: ir.CallBase) -> bool:
    """Does the program copy the text that this makes, and nobody else keeps it? Or is it a function of C's, which
    writes characters where it is told to, or a part of the language's run time, which works on numbers of its own, as
    hash tables do that ask whether they must grow?"""
    known = call_effects(memory.module, call)
    told = known.known if known is not None else None
    if not isinstance(told, Inactive):
        return False
    of_c = isinstance(call.callee, Function) and INACTIVE.get(call.callee.name) is told and not told.follows
    return told.copied or told.why is Why.RUNTIME or (of_c and told.why in (Why.IO, Why.TEXT))


def _written(memory: Memory, call: ir.CallBase) -> list[Region]:
    known = call_effects(memory.module, call)
    if known is None or not known.inactive or not known.writes or compares(known.known):
        return []
    return list(led_to(place.region for place in memory.effects[call].writes)) if call in memory.effects else []
