"""Pointers of Rust to nothing, made of the alignment of what they are pointers to.

`Vec` and `Box` of no size keep such ones (`NonNull::dangling`). Where the alignment is a constant, so is the pointer.
Where a function of the library is given it, as those are that are not inlined, it would look like an address kept in an
integer. That it is an alignment is seen where it is one for the allocator.
"""

from __future__ import annotations

import re
from typing import Final

from enzyme_build.regex import regex

from .text import NAME

_FUNCTION: Final = regex(r"(?m)^define [^\n]*\n(?:.*\n)*?\}$")
_ALIGNMENT: Final = regex(
    rf"@_RNvCs\w+?_7___rustc\d+___rust_(?:alloc|alloc_zeroed|realloc)"
    rf"\((?:ptr [^,\n]*, )?i64 [^,\n]*, i64 (?:[^,%\n]* )?(%{NAME})[,)]"
)
_RANGE: Final = regex(r"range\([^)]*\) ")


def with_dangling_pointers(text: str) -> str:
    """The module with distances from nowhere in the place of alignments that become pointers."""
    if "___rust_" not in text or "= inttoptr i64 %" not in text:
        return text
    return _FUNCTION.sub(lambda function: _changed(function[0]), text)


def _changed(function: str) -> str:
    for word in dict.fromkeys(_ALIGNMENT.findall(_RANGE.sub("", function))):
        made = rf"= inttoptr i64 ({re.escape(word)}) to ptr(?![\w.$-])"
        function = re.sub(made, r"= getelementptr i8, ptr null, i64 \1", function)
    return function
