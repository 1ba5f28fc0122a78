"""Element types: one row joins what C, LLVM and NumPy call the same thing.

LLVM's integers have no sign; where only the IR is known they are taken as signed.
"""

from __future__ import annotations

import difflib
from enum import Enum
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import ConfigError
from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping


class Kind(Enum):
    FLOAT = "float"
    COMPLEX = "complex"
    SIGNED = "signed"
    UNSIGNED = "unsigned"
    BOOL = "bool"


@dataclass(frozen=True)
class DType:
    """An element type; `name` is NumPy's."""

    name: str
    kind: Kind
    size: int
    c: str
    llvm: str
    """Of a complex number: as a result by value is, by the calling convention of x86-64."""
    number: str
    """C expression of NumPy's type number."""
    alternate: str
    """Another number that means the same: `long` and `long long` differ for NumPy even where they are one size."""

    def __str__(self) -> str:
        return self.name

    @property
    def is_float(self) -> bool:
        return self.kind is Kind.FLOAT

    @property
    def is_complex(self) -> bool:
        return self.kind is Kind.COMPLEX

    @property
    def is_inexact(self) -> bool:
        """Has it derivatives?"""
        return self.is_float or self.is_complex

    @property
    def part(self) -> DType:
        """The type of the real and the imaginary part; a real number is its own."""
        return next(r for r in DTYPES.values() if r.is_float and 2 * r.size == self.size) if self.is_complex else self

    @property
    def python(self) -> str:
        """The Python type of a scalar."""
        return self.kind.value if self.kind in {Kind.FLOAT, Kind.COMPLEX, Kind.BOOL} else "int"


_LONG8: Final = "(sizeof(long) == 8 ? {0} : {1})"

# fmt: off
DTYPES: Final[Mapping[str, DType]] = {row.name: row for row in (
    #     NumPy         kind          size  C             LLVM        number               alternate
    DType("float64",    Kind.FLOAT,     8, "double",      "double",   "12",                "12"),
    DType("float32",    Kind.FLOAT,     4, "float",       "float",    "11",                "11"),
    DType("longdouble", Kind.FLOAT,    16, "long double", "x86_fp80", "13",                "13"),
    DType("complex128", Kind.COMPLEX, 16, "double _Complex", "{ double, double }", "15", "15"),
    DType("complex64",  Kind.COMPLEX,  8, "float _Complex", "<2 x float>", "14",       "14"),
    DType("clongdouble", Kind.COMPLEX, 32, "long double _Complex", "{ x86_fp80, x86_fp80 }", "16", "16"),
    DType("int8",       Kind.SIGNED,    1, "int8_t",      "i8",       "1",                 "1"),
    DType("int16",      Kind.SIGNED,    2, "int16_t",     "i16",      "3",                 "3"),
    DType("int32",      Kind.SIGNED,    4, "int32_t",     "i32",      "5",                 _LONG8.format(5, 7)),
    DType("int64",      Kind.SIGNED,    8, "int64_t",     "i64",      _LONG8.format(7, 9), "9"),
    DType("uint8",      Kind.UNSIGNED,  1, "uint8_t",     "i8",       "2",                 "2"),
    DType("uint16",     Kind.UNSIGNED,  2, "uint16_t",    "i16",      "4",                 "4"),
    DType("uint32",     Kind.UNSIGNED,  4, "uint32_t",    "i32",      "6",                 _LONG8.format(6, 8)),
    DType("uint64",     Kind.UNSIGNED,  8, "uint64_t",    "i64",      _LONG8.format(8, 10), "10"),
    DType("bool",       Kind.BOOL,      1, "bool",        "i8",       "0",                 "0"),
)}
# fmt: on

_ALIASES: Final[Mapping[str, str]] = {
    "double": "float64",
    "float": "float32",
    "f64": "float64",
    "f32": "float32",
    "long double": "longdouble",
    "c128": "complex128",
    "c64": "complex64",
    "complex": "complex128",
    "int": "int32",
    "i32": "int32",
    "i64": "int64",
    "long": "int64",
    "size_t": "uint64",
}


def named(name: str) -> DType:
    """The element type of that NumPy name, or of the usual C name."""
    found = DTYPES.get(_ALIASES.get(name, name))
    if found is None:
        close = difflib.get_close_matches(name, [*DTYPES, *_ALIASES], n=1)
        raise ConfigError(
            f"unknown element type '{name}'",
            hint=f"did you mean '{close[0]}'?" if close else f"one of {', '.join(DTYPES)}",
        )
    return found


def of_number(*, kind: Kind, size: int) -> DType | None:
    """The element type of a kind and a size in bytes."""
    return next((row for row in DTYPES.values() if row.kind is kind and row.size == size), None)


def of_llvm(text: str) -> DType | None:
    """The element type an LLVM scalar stands for, where that alone decides; two parts may be anything."""
    if text == "i1":
        return DTYPES["bool"]
    return next((row for row in DTYPES.values() if row.llvm == text and not row.is_complex), None)
