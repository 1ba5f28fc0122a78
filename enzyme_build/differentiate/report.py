"""What the pass decided about a function, as plain values in words that users can read.

Made by `explain` from the plan that the derivative is built from, handed out by the engine, shown by whoever asked.
Names in words may be mangled (`_Z…`). A number of iterations is a text over names of the source, such as `n - 1` or
`max(n, 1)`, or None where no name stands for it; sizes are products of such texts.
"""

from __future__ import annotations

import dataclasses
import types
from enum import Enum
from typing import Any, Union, get_args, get_origin, get_type_hints

from enzyme_build.records import dataclass


@dataclass(frozen=True, order=True)
class Frame:
    """A place in the source, and the function it is in."""

    file: str
    line: int
    column: int = 0
    function: str = ""


Chain = tuple[Frame, ...]
"""A place and the calls it was inlined through, innermost first; empty where it is not known."""


class Storage(Enum):
    """Where what a loop keeps lies."""

    NONE = "nothing is kept"
    STACK = "on the stack"
    EXACT = "taken once, of exactly this size"
    ENTRY = "grows when the loop is entered"
    GROWING = "grows as the loop goes on"


class What(Enum):
    """What kind of thing is kept."""

    VALUE = "value"
    SHADOW = "address of adjoints"
    BRANCH = "branch"
    COUNT = "loop count"
    TAPE = "tape of a call"
    COPY = "copy of an array"
    MEMORY = "memory"


class Why(Enum):
    """Why something is kept, in short."""

    OVERWRITTEN = "overwritten"
    DEAR = "dear to compute again"
    STEPWISE = "made step by step"
    BRANCH = "depends on a branch"
    CALL = "of a call"
    LESS = "less than what it is made of"
    COUNT = "number of iterations"
    COPY = "copied array"
    MEMORY = "memory of the function"
    OTHER = "only in the forward sweep"


class How(Enum):
    """How the reverse sweep gets what it does not keep."""

    READ = "read again"
    COMPUTED = "computed again"


@dataclass(frozen=True)
class Argument:
    name: str
    activity: str


@dataclass(frozen=True)
class LoopPlan:
    """A loop: its `iterations` whenever it is entered, or those at first and, with `until`, at last; the loop in front
    of which the size of its arrays is known, and `why` it is not known further out."""

    number: int
    parent: int | None
    place: Chain
    iterations: str | None
    until: str | None
    is_counted: bool
    """Is the number known before the loop, with a name or without?"""
    storage: Storage
    bytes: int
    """Of all its arrays in one iteration."""
    known_at: int | None
    why: str
    is_reversed: bool
    """Does the reverse sweep go through it?"""
    is_upward: bool
    """From its first iteration to its last?"""


@dataclass(frozen=True)
class Need:
    """What in the reverse sweep needs a kept value."""

    text: str
    place: Chain


@dataclass(frozen=True)
class Kept:
    """Something on the tape: `bytes` in each iteration of `loop`, once where that is None. `bytes` is None for memory
    whose size is known at run time only; `copied` the factors of the bytes of a copied array."""

    what: What
    name: str
    bytes: int | None
    type: str
    loop: int | None
    place: Chain
    why: Why
    reason: str
    because: Chain = ()
    """What the reason is about: a write, a branch."""
    needs: tuple[Need, ...] = ()
    more_needs: int = 0
    copied: tuple[str | None, ...] = ()
    callee: int | None = None
    """The number of the function whose tape it is."""


@dataclass(frozen=True)
class Again:
    """Something that the reverse sweep reads or computes again."""

    how: How
    name: str
    reason: str
    place: Chain


@dataclass(frozen=True)
class Work:
    """Operations on numbers at a place: with a derivative and without."""

    place: Chain
    active: int
    constant: int


@dataclass(frozen=True)
class Advice:
    text: str
    place: Chain


@dataclass(frozen=True)
class FunctionPlan:
    """The plan of one function under one request."""

    number: int
    symbol: str
    name: str
    """In the source, if it says."""
    mode: str
    is_asked: bool
    """Is it what was asked for, and not called by that?"""
    is_recursive: bool
    place: Chain
    arguments: tuple[Argument, ...]
    result: str
    loops: tuple[LoopPlan, ...] = ()
    kept: tuple[Kept, ...] = ()
    again: tuple[Again, ...] = ()
    work: tuple[Work, ...] = ()
    advice: tuple[Advice, ...] = ()


def to_json(value: Any) -> Any:
    """Dataclasses as dictionaries, choices as their values."""
    match value:
        case Enum():
            return value.value
        case tuple() | list():
            return [to_json(item) for item in value]
        case _ if dataclasses.is_dataclass(value):
            return {f.name: to_json(getattr(value, f.name)) for f in dataclasses.fields(value)}
        case _:
            return value


def plan_from_json(data: dict[str, Any]) -> FunctionPlan:
    """What `to_json` made of a plan."""
    plan = _decoded(FunctionPlan, data)
    assert isinstance(plan, FunctionPlan)
    return plan


def _decoded(type_: Any, data: Any) -> Any:
    if get_origin(type_) in (types.UnionType, Union):
        (type_,) = [one for one in get_args(type_) if one is not type(None)]
        return None if data is None else _decoded(type_, data)
    if get_origin(type_) is tuple:
        return tuple(_decoded(get_args(type_)[0], item) for item in data)
    if dataclasses.is_dataclass(type_):
        hints = get_type_hints(type_)
        return type_(**{name: _decoded(hints[name], item) for name, item in data.items()})  # type: ignore[operator]
    return type_(data) if isinstance(type_, type) and issubclass(type_, Enum) else data
