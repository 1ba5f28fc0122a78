"""Options of the pass, handed down as plain values."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.analysis.exported import ExportedFunction
    from enzyme_build.errors import EnzymeBuildError, SourceLocation, UnsupportedError

    from .export import ExportRequest


@dataclass(frozen=True, slots=True)
class DifferentiationOptions:
    """`loose_types`: guess the type of copied bytes that nothing gives a type (as the commonest number around)."""

    loose_types: bool = False
    warnings: tuple[str, ...] = ()
    """Options of the classes of warnings, without `-W` (see `doubts`)."""
    untargeted: frozenset[SourceLocation | None] = frozenset()
    """Where calls through pointers that no function of the link fits end the program (see `known_targets`)."""
    explain: bool = False
    """Is the plan of each function to be put into words (see `report`)?"""
    exports: tuple[ExportRequest, ...] = ()
    """Derivatives to be called from other links."""
    noted: tuple[EnzymeBuildError, ...] = ()
    """What is refused unless the types of adjoints are noted where they are added, which is slow (see `noted`)."""
    exported: Mapping[str, ExportedFunction | UnsupportedError] = field(default_factory=dict)
    """Functions without body here that have compiled derivatives."""
