"""What is said of functions without derivative: why they have none, and what they do to memory."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from enzyme_build.ir.types import FloatType


class Why(Enum):
    """The reason why a function has no derivative."""

    IO = "input and output"
    TEXT = "works on text"
    TIME = "asks or waits for the time"
    RANDOM = "random numbers are data, not functions of the arguments"
    STOP = "ends the program or reports a failure"
    CLASSIFY = "classifies a number or converts it to an integer"
    RUNTIME = "bookkeeping of a language's runtime"
    SYSTEM = "asks the operating system"
    SYNC = "synchronises threads"
    INTEGER = "works on integers"
    COMPILER = "a remark for the compiler"
    TRACE = "prints or checks, for the developer"
    ORDER = "compares, which has no slope"
    TOLD = "declared to have no derivative"


@dataclass(frozen=True, slots=True)
class Fill:
    """Bytes behind argument `pointer` that the call overwrites: the product of `constant`, the arguments `sizes`, with
    `counted` its own result (if that is positive), and `counter`, which lies that many bytes behind the first argument
    when the call is done. With `status`, there are none where the result, or its last member, is not zero."""

    pointer: int
    sizes: tuple[int, ...] = ()
    constant: int = 1
    counted: bool = False
    counter: int | None = None
    status: bool = False


@dataclass(frozen=True, slots=True)
class Number:
    """Numbers of type `type`, `count` of them, behind argument `pointer`: each is overwritten or stays as it is, and
    nothing tells which."""

    pointer: int
    type: FloatType
    count: int = 1


@dataclass(frozen=True, slots=True)
class Comparison:
    """It calls the function that argument `function` points to, with what the arguments `given` point to (elements of
    arrays). The argument `known` says whether that is all that the function may be, together with the functions among
    the arguments behind it, or whether those are a guess. With `copied`, what it calls gets copies of the elements."""

    function: int
    given: tuple[int, ...]
    known: int
    copied: bool = False


@dataclass(frozen=True, slots=True)
class Inactive:
    """`writes`: pointer arguments behind which the call may write, from `writes_from` on all of them.

    `fills`, `numbers`: where it writes numbers. `scans`: the argument that is a format as of `scanf`, which says that
    of the arguments behind it. `grows`: the argument that is an object of text, which may get other memory: a shadow of
    it would not follow. `strings`: it works on objects like `std::string`, of which the first argument is one, and puts
    no pointers anywhere but those to characters, into strings; `fresh`: the result is new memory, none that the
    arguments lead to. `compares`: what it calls back. `ends`: (argument, other): it writes a pointer into what the
    other leads to, to where the first leads. `leaves`: the argument that leads to where it writes a pointer to
    new memory. `copied`: it makes characters that the program copies and nobody else keeps, or is that copy.
    `follows`: it may write whatever the arguments that it writes behind lead to, through any number of pointers.
    `reads`: it may look at what lies behind its pointer arguments, not only at the addresses.
    """

    why: Why
    writes: frozenset[int] = frozenset()
    writes_from: int | None = None
    no_return: bool = False
    fills: tuple[Fill, ...] = ()
    numbers: tuple[Number, ...] = ()
    scans: int | None = None
    grows: int | None = None
    strings: bool = False
    fresh: bool = False
    compares: Comparison | None = None
    ends: tuple[int, int] | None = None
    leaves: int | None = None
    copied: bool = False
    follows: bool = False
    reads: bool = True

    def may_write(self, argument: int) -> bool:
        """May the call write behind argument number `argument`?"""
        return argument in self.writes or (self.writes_from is not None and argument >= self.writes_from)
