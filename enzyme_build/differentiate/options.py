"""Options of the pass, handed down as plain values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DifferentiationOptions:
    """`loose_types`: guess the type of copied bytes that nothing gives a type (as the commonest number around)."""

    loose_types: bool = False
    warnings: tuple[str, ...] = ()
    """Options of the classes of warnings, without `-W` (see `doubts`)."""
