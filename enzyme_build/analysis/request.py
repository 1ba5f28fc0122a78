"""A derivative request: the one value that says what is to be built; hashable, so it is the memo key.

It lives below `differentiate` because activity analysis starts from it.
"""

from __future__ import annotations

from enum import Enum

from enzyme_build.records import dataclass


class Activity(Enum):
    """How an argument or result takes part in differentiation."""

    CONSTANT = "const"
    ACTIVE = "out"
    """By value: its tangent is passed, or its adjoint returned."""
    DUPLICATED = "dup"
    """A shadow is passed beside it."""
    DUPLICATED_NO_PRIMAL = "dupnoneed"
    """As DUPLICATED, and nobody reads the primal result in it."""
    RUNTIME = "runtime"
    """A shadow is passed that equals the primal pointer where the memory is constant."""

    @property
    def has_shadow(self) -> bool:
        return self in (Activity.DUPLICATED, Activity.DUPLICATED_NO_PRIMAL, Activity.RUNTIME)


class Mode(Enum):
    FORWARD = "forward"
    COMBINED = "combined"
    """Reverse mode, both sweeps in one function."""
    SPLIT = "split"
    """Reverse mode as an augmented forward pass and a reverse pass."""


@dataclass(frozen=True, slots=True)
class Request:
    """Derivative of `function` with these activities.

    `overwritten[i]`: may the memory behind argument i change between the augmented forward pass and the reverse
    pass? The last entry is about the memory behind pointers in the result. `result` is ACTIVE for a differentiated
    number, DUPLICATED for a pointer whose shadow is wanted.
    """

    function: str
    mode: Mode
    arguments: tuple[Activity, ...]
    result: Activity = Activity.CONSTANT
    overwritten: tuple[bool, ...] = ()
    retyped: bool = False
    """May several pointers that the function is given, or finds, lead to one memory whose type changes?"""
    guarded: bool = False
    """May the function store numbers in memory without a shadow that its caller reads again?"""
    width: int = 1
    returns_primal: bool = False
    strong_zero: bool = False
    reusable: bool = False
    """Split mode: may the reverse pass run several times on one tape?"""
    replayed: bool = False
    """Split mode: is there a pass that computes tangents from the tape?"""
    unreversed: bool = False
    """Split mode: does nobody run the reverse pass?"""
    unseen: bool = False
    """Split mode: does nothing but the derivative depend on how the result is rounded?"""
    globals: tuple[str, ...] = ()
    """Global variables that carry derivatives when the function is called."""
