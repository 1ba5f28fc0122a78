"""Memory of aligned words that are told apart while the derivative runs.

The same word of an enum is a double in one variant, a pointer or an integer in another, and nodes of trees have arrays
of each at indices that nothing bounds. Where all numbers are doubles, and they and all pointers lie at multiples of
their size, a word of the shadow says itself what it is (see `differentiate.transfer`): shadows of integers are zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir.types import DOUBLE

from .kinds import Kind

if TYPE_CHECKING:
    from .contents import Content
    from .regions import Region


def is_word(content: Content) -> bool:
    """May this be a number, a pointer or an integer, as far as this content alone tells?"""
    mixed = content.kind is Kind.MIXED or _is_untyped(content)
    return mixed and content.is_aligned and content.claimed_numbers == {DOUBLE}


def is_any_word(content: Content) -> bool:
    """Is this certainly not one integer that is a number at other times, whose bits somebody may change?"""
    return is_word(content) and (content.only_number is None or content.is_scattered)


def holds_words(region: Region) -> bool:
    """Are numbers, pointers and integers of this memory told apart at run time only?"""
    mixed = numbers = False
    for content in region.root.contents():
        claims = content.claims
        types = content.claimed_numbers
        if types - {DOUBLE} or not content.is_aligned:
            return False
        numbers |= bool(types)
        mixed |= content.kind is Kind.MIXED or is_word(content) or (bool(types) and Kind.POINTER in claims)
    return mixed and numbers


def holds_words_anywhere(region: Region) -> bool:
    """May any of its words be any of the three?"""
    return any(is_word(c) and (c.is_scattered or _is_untyped(c)) for c in region.root.contents())


def _is_untyped(content: Content) -> bool:
    """Are these bytes that are moved or looked at as such, which are more than integers to callers?"""
    return content.kind is Kind.INTEGER and (content.is_scattered or content.carries_numbers)
