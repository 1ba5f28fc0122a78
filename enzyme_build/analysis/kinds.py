"""What bytes of memory hold, how well that is known, and what says so."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Final, TypeAlias

from enzyme_build.ir.types import FloatType

if TYPE_CHECKING:
    from enzyme_build.ir.types import Type


class Kind(Enum):
    """What a field or an integer value holds."""

    UNKNOWN = "unknown"
    INTEGER = "integer"
    POINTER = "pointer"
    FLOAT = "float"
    MIXED = "mixed"

    __hash__ = object.__hash__  # by identity, in C: sets of kinds are looked at millions of times


WHOLE: Final = 16
"""Bytes that hold a number whatever its type."""


class Trust(IntEnum):
    """How well it is known that a number lies where an access finds one; the larger, the less."""

    TYPED = 0
    """The language's rules say so: an access tag, or the declared type of a member."""
    SAID = 1
    """Fortran source says so: it counts where objects of several classes look like one, and not where variables share
    memory (EQUIVALENCE, work arrays)."""
    BARE = 2
    """A bare pointer says so."""
    OTHER = 3
    """The declared type is another, or the access may be to any type: a member of a union."""


LONGEST_NUMBER: Final = 16
"""Bytes of the longest number."""

Claim: TypeAlias = "Kind | Type"
"""What bytes hold: a scalar floating-point type, or another kind."""


def number_bytes(type_: Type) -> int:
    """Of a number."""
    return type_.bits // 8 if isinstance(type_, FloatType) else WHOLE


def claims_of(kind: Kind, float_type: Type | None) -> frozenset[Claim]:
    """A kind as a claim."""
    if float_type is not None:
        return frozenset([float_type.scalar])
    return frozenset() if kind is Kind.UNKNOWN else frozenset([kind])
