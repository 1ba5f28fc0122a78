"""The copies of a function that its callers have to repeat, because they may know more of what is copied.

A run of bytes that is copied to memory of the function's own and goes no further tells callers nothing; what goes
through such memory is a copy from where it came to where it goes. Else each call would bring all memory of the callee
and of those that it calls into its caller, whose callers would get it once for each of their calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from enzyme_build.ir.types import PointerType

from .offsets import scalar_leaves
from .regions import Place, led_to

if TYPE_CHECKING:
    from .memory import Memory
    from .regions import Region

Run: TypeAlias = "tuple[Place, Place, int | None, bool]"
"""Two places that hold the same, for how many bytes, and whether their types are told."""
_MOST = 3
"""Runs of one region that are put together: more would give more than they are."""


def handed_copies(memory: Memory) -> list[Run]:
    """Runs between what callers see of a function's memory, and of its own where it is not known what goes through."""
    seen = _seen(memory)
    runs = dict.fromkeys((to.resolved(), from_.resolved(), length, typed) for to, from_, length, typed in memory.copied)
    of_region: dict[Region, dict[Run, None]] = {}
    for run in runs:
        for region in _own(run, seen):
            of_region.setdefault(region, {})[run] = None
    pending = list(of_region)
    while pending:
        region = pending.pop()
        of_this = of_region.pop(region, {})
        instead = _instead(region, list(of_this))
        if instead is None:
            if of_this:
                of_region[region] = of_this
            continue
        for run in of_this:
            runs.pop(run, None)
            others = [other for other in _own(run, seen) if other is not region]
            pending += [other for other in others if of_region.get(other, {}).pop(run, 0) is None]
        for run in instead:
            if run not in runs:
                runs[run] = None
                for other in _own(run, seen):
                    of_region.setdefault(other, {})[run] = None
                    pending.append(other)
    return list(runs)


def _seen(memory: Memory) -> set[Region]:
    """What callers may see."""
    places = [
        memory.place(argument, path)
        for argument in memory.function.arguments
        for path, type_, _ in scalar_leaves(memory.layout, argument.type)
        if isinstance(type_, PointerType)
    ]
    places += [result for result in memory.results.values() if isinstance(result, Place)]
    regions = [place.resolved().region for place in places if place is not None]
    regions += [region.root for region in memory.globals.values()]
    regions += [region.root for region in memory.regions if region.root.external]
    return {*led_to(regions)}


def _own(run: Run, seen: set[Region]) -> list[Region]:
    """The regions of its two places that callers do not see."""
    return [region for region in dict.fromkeys((run[0].region, run[1].region)) if region not in seen]


def _instead(region: Region, runs: list[Run]) -> list[Run] | None:
    """What the runs of a region come to without it; None where that is not known, or no less."""
    others = [run for run in runs if run[0].region is not run[1].region]
    if len(others) <= 1:
        return []
    if len(others) > _MOST:
        return None
    ends = [(*_sides(region, to, from_), length, typed) for to, from_, length, typed in others]
    if any(own.stride or length is None for own, _, length, _ in ends):
        return None
    found: list[Run] = []
    for number, (own, other, length, typed) in enumerate(ends):
        for own_2, other_2, length_2, typed_2 in ends[:number]:
            assert length is not None
            assert length_2 is not None
            start = max(own.offset, own_2.offset)
            end = min(own.offset + length, own_2.offset + length_2)
            if start < end:
                a, b = other.moved(start - own.offset), other_2.moved(start - own_2.offset)
                found.append((a, b, end - start, typed and typed_2))
    return found


def _sides(region: Region, a: Place, b: Place) -> tuple[Place, Place]:
    """The place in the region, and the other one."""
    return (a, b) if a.region is region else (b, a)
