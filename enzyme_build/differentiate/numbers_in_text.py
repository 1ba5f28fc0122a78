"""Numbers whose bytes a program gives to strings, and takes from strings again: on the way they lose their derivatives.

Characters of strings have no shadow, whatever they are made of (see `analysis.strings`). Where functions of the library
are given memory with numbers as characters, and numbers are read where others of them lead to, the former may be the
latter, be it in other functions. (In optimised code accesses say what is in a string: see `ActivityResult.spelled`.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.accessed import accessed_content
from enzyme_build.analysis.claims import claims_at
from enzyme_build.analysis.kept_bits import finds_characters, works_on_strings
from enzyme_build.analysis.known import call_effects
from enzyme_build.analysis.offsets import scalar_leaves
from enzyme_build.analysis.strings import string_arguments
from enzyme_build.ir.debug import location_of
from enzyme_build.ir.types import PointerType
from enzyme_build.ir.values import GlobalVariable
from enzyme_build.rules.inactive_rows import Inactive

from .memory_checks import kept_in_string

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from enzyme_build.analysis.memory import Memory
    from enzyme_build.analysis.regions import Place
    from enzyme_build.errors import UnsupportedError
    from enzyme_build.ir import instructions as ir
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module

_WORD = 8


def numbers_in_text(module: Module, models: Mapping[Function, Memory]) -> list[UnsupportedError]:
    """One finding for each call that puts numbers into a string, if some are read from any."""
    calls = [(memory, call) for memory in models.values() for call in memory.effects if works_on_strings(memory, call)]
    given = [call for memory, call in calls if any(_given_numbers(memory, call))]
    if not given or not any(_leads_to_numbers(memory, call) for memory, call in calls):
        return []
    return [kept_in_string(location_of(module, call)) for call in given]


def _given_numbers(memory: Memory, call: ir.CallBase) -> Iterator[bool]:
    """Has memory that is given as characters numbers in it?"""
    strings = string_arguments(call)
    for at, argument in enumerate(call.arguments):
        if at not in strings and isinstance(argument.type, PointerType):
            place = memory.place(argument)
            yield place is not None and (_is_untold(place.resolved()) or bool(claims_at(memory.layout, place, _WORD)))


def _is_untold(place: Place) -> bool:
    """Does nobody say what memory from elsewhere holds? Text that the program has itself is constant."""
    region = place.region
    constant = bool(region.globals) and all(isinstance(v, GlobalVariable) and v.is_constant for v in region.globals)
    return region.is_visible and not constant and accessed_content(region, place.offset, place.stride) is None


def _leads_to_numbers(memory: Memory, call: ir.CallBase) -> bool:
    """Are numbers in the characters that a function returns a pointer to?"""
    known = call_effects(memory.module, call)
    if known is None or not isinstance(known.known, Inactive) or not finds_characters(call, known.known):
        return False
    for path, type_, _ in scalar_leaves(memory.layout, call.type):
        place = memory.place(call, path) if isinstance(type_, PointerType) else None
        if place is not None and any(content.float_types for content in place.resolved().region.root.contents()):
            return True
    return False
