"""Functions of Rust's `core` that make numbers of text (`str::parse`), which have no derivative.

They are machine code in the library and have bitcode beside it, but put the bits of a number together of integers.
A number of eight bytes comes back in memory, beside its tag or an error; one of four in a register with them. (In
other crates' names a letter stands for the type; `dec2flt` is called `float_parse` in later releases.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.regex import regex

from .inactive_rows import Fill, Inactive, Why

if TYPE_CHECKING:
    import re

_RESULT: Final = 16
"""Bytes of a `Result<f64, ParseFloatError>`."""
_OF_CORE: Final = r"_RNvX(?:s[0-9A-Za-z]*_)?\w*Cs[0-9A-Za-z]+_4core3num(?:7dec2flt|11float_parse)"
_AS_CXX: Final = r"_ZN4core3num7dec2flt\d+_\$LT\$impl\$u20\$core\.\.str\.\.traits\.\.FromStr\$u20\$for\$u20\$"
"""The older way of rustc to write names."""
_PATTERNS: Final[tuple[tuple[re.Pattern[str], Inactive], ...]] = tuple(
    (regex(rf"{_OF_CORE}{letter}N\w+6traits7FromStr8from_str$|{_AS_CXX}{name}\$GT\$8from_str"), row)
    for letter, name, row in (
        ("d", "f64", Inactive(Why.TEXT, frozenset([0]), fills=(Fill(0, constant=_RESULT),))),
        ("f", "f32", Inactive(Why.TEXT)),
    )
)


def rust_function(name: str) -> Inactive | None:
    """The row of a function of Rust's library without derivative."""
    return next((row for pattern, row in _PATTERNS if pattern.match(name)), None)
