"""What is inlined before differentiation, whatever inlining costs by LLVM's measure.

*Functions that move bytes* of which only their callers know what they are: to swap, push or sort by address and size,
or to give memory another size. (Rust's `RawVec<T>` knows what it holds, and there may be many calls.)
What bytes are is told by accesses to them, wherever these are. Where one function moves objects of several types, what
one holds at some place would be taken for what the others hold there. Inlined, every call is told apart.

*Functions that work in arrays of their callers*, such as the right-hand side of a differential equation. Alone, such a
function knows neither that the arrays do not overlap nor how long they are, and its tape has what it reads, number by
number; in its caller, one copy of an array may do.

*Functions that take or return two numbers as one.* Vectors of eight bytes are passed by value in the register of a
`double`, whose bits are no number: inlined, they are vectors all the way. *Functions that take or return a `float` as a
pointer*, for containers of pointers: inlined, it is seen whether that is a number with a derivative, which is refused.
*Short functions that round numbers to integers, or take integers for the bits of numbers*, where a program has both:
what is rounded in one to become bits in another is seen where they are together, and refused. So are *those that give
the bits of numbers, or take integers for counts*.

Recursive and long ones are left as they are.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Final

from enzyme_build.records import dataclass
from enzyme_build.regex import regex
from enzyme_build.rules.memory import RUST_BUFFER

from .text import NAME, inlined

if TYPE_CHECKING:
    from collections.abc import Mapping

_DEFINED: Final = regex(rf"(?ms)^define ([^\n]*?)@({NAME})\(([^\n]*)\n(.*?)^\}}")
_CHOSEN: Final = r"phi ptr ([^\n]*)|select i1 [^\n]*?, ptr ([^\n]*)"
_DERIVED: Final = regex(rf"(?m)^  (%{NAME}) = (?:getelementptr [^\n]*?, ptr (%{NAME})|{_CHOSEN})")
_OF_BYTES: Final = regex(rf"(?m)^  (%{NAME}) = (?:getelementptr [^\n]*?i8, ptr (%{NAME})|{_CHOSEN})")
_COPY: Final = regex(r"(?m)^ [^\n=]*(?:call|invoke) void @(?:llvm\.mem(?:cpy|move)\.[^\n(]*|qsort(?:_r)?)\(([^\n]*)")
_RESIZE: Final = regex(r"(?m)^ [^\n]*?(?:call|invoke) [^\n]*?@(?:realloc|reallocarray|_R\w+14___rust_realloc)\(")
_CALL: Final = regex(rf"(?:call|invoke) [^\n]*?@({NAME})\(")
_LOCAL: Final = regex(rf"%{NAME}")
_REQUEST: Final = regex(r"(?m)^.*@__enzyme_.*$")
_GLOBAL: Final = regex(rf"@({NAME})")
_GROUP: Final = regex(r"(?m)^attributes #(\d+) = \{ (.*) \}$")
_OWN: Final = regex(rf"(?m)^  (%{NAME}) = (?:alloca |[^\n]*?(?:call|invoke) (?:[\w()]+ )*noalias )")
_PARAMETER: Final = regex(rf"ptr [^,%]*(%{NAME})")
_READ: Final = regex(rf"load (?:float|double), ptr (%{NAME})")
_WRITTEN: Final = regex(rf"store (?:float|double) [^,\n]*, ptr (%{NAME})")
_LANES_GIVEN: Final = regex(rf"(?m)^  %{NAME} = bitcast double (%{NAME}) to <")
_LANES_MADE: Final = regex(rf"(?m)^  (%{NAME}) = bitcast <[^>]*> %{NAME} to double\b")
_DOUBLE: Final = regex(r"\bdouble\b")
_SHORT: Final = "(?:float|half|bfloat)"
_IN_POINTER: Final = regex(
    rf"(?s)= bitcast {_SHORT} %{NAME} to i.* = inttoptr | = ptrtoint .*= bitcast i(?:16|32) %{NAME} to {_SHORT}\b"
)
_BITS_TAKEN: Final = regex(rf"= bitcast (i32|i64) %{NAME} to (?:float|double)\b")
_ROUNDED: Final = regex(r"= fpto[su]i (?:float|double) \S+ to (i32|i64)\b")
_BITS_GIVEN: Final = regex(rf"= bitcast (?:float|double) %{NAME} to (i32|i64)\b")
_COUNTED: Final = regex(rf"= [su]itofp (?:nneg )?(i32|i64) %{NAME} to (?:float|double)\b")
_BRANCH: Final = regex(r"(?m)^  (?:br|switch|indirectbr) | = select ")
_CALL_LINE: Final = regex(rf"(?m)^  (?:(%{NAME}) = )?[^\n]*?(?:call|invoke) [^\n]*?@({NAME})\(([^\n]*)")
_LONGEST: Final = 100
"""Lines of a function that is inlined."""
_LONGEST_RESIZE: Final = 200
"""Lines of one that gives memory another size: Rust's have that many at -O0."""
_LONGEST_BITS: Final = 40
"""Lines of one that makes integers of numbers, or numbers of integers, be it by their bits."""
_LONGEST_LANES: Final = 200
"""Lines of one that takes or returns numbers as others."""
_MOST: Final = 24
"""Calls of it."""
_LONGEST_WORK: Final = 500
"""Lines of one that works in arrays, such as a product of matrices in tiles."""
_MOST_WORK: Final = 8
"""Calls of one that works in arrays."""
_MOST_LINES: Final = 1600
"""Lines of all of these."""


def inlined_first(text: str) -> str | None:
    """The module with such functions marked, to be inlined; None if it has none."""
    functions = {name: _Function(linkage, head, body) for linkage, name, head, body in _DEFINED.findall(text)}
    movers = {n for n, f in functions.items() if f.is_internal and f.lines <= _LONGEST and f.moves}
    movers |= {n for n, f in functions.items() if f.is_internal and f.lines <= _LONGEST_RESIZE and f.resizes(n)}
    workers = _workers(text, functions)
    given = {name for f in functions.values() for name in f.gives_lanes}
    short = {n: f for n, f in functions.items() if f.is_internal and f.lines <= _LONGEST_LANES}
    lanes = {n for n, f in short.items() if n in given or f.has_lanes or f.has_pointer_of_number}
    converting = {n: f for n, f in short.items() if f.lines <= _LONGEST_BITS and "..." not in f.head}
    if _ROUNDED.search(text) and _BITS_TAKEN.search(text):
        lanes |= {n for n, f in converting.items() if f.rounds_or_takes_bits}
    if _BITS_GIVEN.search(text) and _COUNTED.search(text):
        lanes |= {n for n, f in converting.items() if f.gives_or_counts_bits}
    if _BITS_GIVEN.search(text) and _BITS_TAKEN.search(text):
        lanes |= {n for n, f in converting.items() if f.only_converts}
    if not movers and not workers and not lanes:
        return None
    times = Counter(name for f in functions.values() for name in f.calls)
    found = {name for name in movers if 1 < times[name] <= _MOST}
    found |= {
        name for name in workers if times[name] <= _MOST_WORK and times[name] * functions[name].lines <= _MOST_LINES
    }
    found |= {name for name in lanes if times[name] <= _MOST}
    found = {name for name in found if not _is_recursive(name, functions)}
    return inlined(text, found) if found else None


@dataclass(frozen=True)
class _Function:
    linkage: str
    head: str
    body: str

    @property
    def is_internal(self) -> bool:
        return self.linkage.startswith("internal ")

    @cached_property
    def lines(self) -> int:
        """Debug records are no code."""
        return self.body.count("\n") - self.body.count("\n    #dbg_")

    @cached_property
    def calls(self) -> list[str]:
        return _CALL.findall(self.body)

    def derived(self, given: set[str], steps: re.Pattern[str] = _DERIVED) -> set[str]:
        """These addresses, and what is computed from them."""
        while True:
            more = {
                name
                for name, *parts in steps.findall(self.body)
                if not given.isdisjoint(_LOCAL.findall(" ".join(parts)))
            }
            if more <= given:
                return given
            given = given | more

    @cached_property
    def moves(self) -> bool:
        """Are bytes copied from or to where an argument points, or moved there by a sort, by their number only?"""
        if "..." in self.head:
            return False
        copies = [line for line in _COPY.findall(self.body) if "!tbaa.struct" not in line]
        given = self.derived(set(_LOCAL.findall(self.head)), _OF_BYTES) if copies else set()
        return any(not given.isdisjoint(_LOCAL.findall(line)) for line in copies)

    def resizes(self, name: str) -> bool:
        """Does a function of this name give memory another size?"""
        return "..." not in self.head and RUST_BUFFER.search(name) is None and _RESIZE.search(self.body) is not None

    @cached_property
    def has_lanes(self) -> bool:
        """Is it passed vectors as doubles, or returns such?"""
        if "..." in self.head or " = bitcast " not in self.body:
            return False
        given = not set(_LANES_GIVEN.findall(self.body)).isdisjoint(_LOCAL.findall(self.head))
        return given or (_DOUBLE.search(self.linkage) is not None and _LANES_MADE.search(self.body) is not None)

    @property
    def has_pointer_of_number(self) -> bool:
        """Does it make a pointer of a short number, or one of a pointer?"""
        return "..." not in self.head and "ptr" in self.linkage + self.head and bool(_IN_POINTER.search(self.body))

    @property
    def rounds_or_takes_bits(self) -> bool:
        """Does it give its caller an integer that was a number, or take one for the bits of a number?"""
        given = set(_ROUNDED.findall(self.body))
        return self.takes_bits or any(f"{type_} " in self.linkage or f"store {type_} %" in self.body for type_ in given)

    @property
    def takes_bits(self) -> bool:
        """Does it take an integer for the bits of a number?"""
        return any(f"{type_} " in self.head for type_ in _BITS_TAKEN.findall(self.body))

    @property
    def gives_bits(self) -> bool:
        """Does it return the bits of a number, be it in a struct?"""
        result = self.linkage.rstrip()
        result = result[result.rfind("{") :] if result.endswith("}") else result.rpartition(" ")[2]
        return any(type_ in result for type_ in _BITS_GIVEN.findall(self.body))

    @property
    def only_converts(self) -> bool:
        """Does it give or take bits of numbers whatever else it is given? A union's value may be something else."""
        return (self.gives_bits or self.takes_bits) and not _BRANCH.search(self.body)

    @property
    def gives_or_counts_bits(self) -> bool:
        """Does it return the bits of a number, or take an integer for a count? Not one that takes it for either, as the
        value of a union."""
        counted = any(f"{type_} " in self.head for type_ in _COUNTED.findall(self.body))
        return self.gives_bits or (counted and not _BITS_TAKEN.search(self.body))

    @cached_property
    def gives_lanes(self) -> set[str]:
        """The functions to which it passes vectors as doubles, or which return such to it."""
        if " = bitcast " not in self.body:
            return set()
        made, read = set(_LANES_MADE.findall(self.body)), set(_LANES_GIVEN.findall(self.body))
        if not made and not read:
            return set()
        calls = _CALL_LINE.findall(self.body)
        return {name for result, name, given in calls if result in read or not made.isdisjoint(_LOCAL.findall(given))}

    @cached_property
    def works(self) -> bool:
        """Does a loop read numbers behind one argument, and write some behind another?"""
        if " = phi " not in self.body or "..." in self.head:
            return False
        read, written = set(_READ.findall(self.body)), set(_WRITTEN.findall(self.body))
        places = [self.derived({name}) for name in _PARAMETER.findall(self.head)]
        sources = [n for n, place in enumerate(places) if not place.isdisjoint(read)]
        targets = [n for n, place in enumerate(places) if not place.isdisjoint(written)]
        return any(source != target for source in sources for target in targets)

    @cached_property
    def arrays(self) -> dict[str, int]:
        """Addresses in memory that the function itself allocates, and the number of the allocation."""
        found: dict[str, int] = {}
        for number, name in enumerate(_OWN.findall(self.body)):
            found |= dict.fromkeys(self.derived({name}), number)
        return found


def _workers(text: str, functions: Mapping[str, _Function]) -> set[str]:
    """Functions to which a differentiated function gives several arrays of its own to work in."""
    groups = dict(_GROUP.findall(text))
    candidates = {
        name
        for name, f in functions.items()
        if f.is_internal and f.lines <= _LONGEST_WORK and not _must_stay(f, groups) and f.works
    }
    pending = [name for line in _REQUEST.findall(text) for name in _GLOBAL.findall(line)] if candidates else []
    seen: set[str] = set()
    found: set[str] = set()
    while pending:
        name = pending.pop()
        if name in seen or name not in functions:
            continue
        seen.add(name)
        caller = functions[name]
        pending += caller.calls
        for line in caller.body.splitlines() if not candidates.isdisjoint(caller.calls) else ():
            called = _CALL.search(line)
            if called is not None and called[1] in candidates:
                given = {caller.arrays[at] for at in _LOCAL.findall(line[called.end() :]) if at in caller.arrays}
                found |= {called[1]} if len(given) > 1 else set()
    return found


def _must_stay(function: _Function, groups: Mapping[str, str]) -> bool:
    group = re.search(r" #(\d+)", function.head)
    return group is not None and not {"noinline", "optnone", "cold"}.isdisjoint(groups.get(group[1], "").split(" "))


def _is_recursive(name: str, functions: Mapping[str, _Function]) -> bool:
    seen: set[str] = set()
    pending = [*functions[name].calls]
    while pending:
        at = pending.pop()
        if at not in seen and at in functions:
            seen.add(at)
            pending += functions[at].calls
    return name in seen
