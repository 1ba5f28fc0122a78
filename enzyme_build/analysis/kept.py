"""What global variables may keep from call to call.

Memory is *kept* if a pointer in a global variable leads to it, directly or not: what is there when a derivative is
called was allocated before, and has no shadow. It is *handed* if an argument or result of a function that users
differentiate leads to it through a pointer in memory: they see its shadows. What is both, or kept and an argument
itself, is *doubtful*: a pointer from before the call may be one to the user's memory, whose shadow only the user knows.
Callees are told what any of their callers says.

It is *open* if a variable that leads to it may be set by code that the derivative does not go through: what two such
pointers lead to may be the same memory, or a variable whose address that code takes, though no code that is looked at
says so.

Nodes that libraries link may lead back to the *head* of their structure, which may be in a global variable itself.

Shadows of allocations that are kept and can only be ours are *owned* by the derivative call: nobody asks for them
afterwards. All functions that hand memory to each other agree on this, whoever frees it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.values import GlobalVariable
from enzyme_build.rules.memory import Allocation
from enzyme_build.rules.mirrored import mirrored_function

from .annotations import annotations_of
from .known import call_effects
from .outside import passed_on, reached, set_elsewhere
from .provenance import Provenance, freed_by
from .regions import Place, Region, led_to

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

    from .bytetypes import Component
    from .callgraph import CallGraph
    from .memory import Memory


def find_kept(module: Module, graph: CallGraph, components: Sequence[Component], roots: Collection[Function]) -> None:
    """Mark the regions of all components, which are given callees first."""
    told = annotations_of(module)
    without = {*told.shadows, *told.inactive_globals}
    for component in reversed(components):
        regions = component.all_regions()
        holders = {
            region.root
            for value, region in component.current.globals.items()
            if isinstance(value, GlobalVariable) and not value.is_constant and value.name not in without
        }
        groups = [group for memory in component.models.values() for group in _groups(memory)]
        _spread("kept", [*_targets(holders), *_marked(regions, "kept")], groups, holders)
        called = [memory for function, memory in component.models.items() if function in roots]
        if called and holders:
            seen = reached(graph, [memory.function for memory in called])
            outside = [
                region.root
                for value, region in component.current.globals.items()
                if region.root in holders and region.root.targets() and set_elsewhere(module, value, seen)
            ]
            _spread("open", [*_targets(outside)], groups, {*outside})
            for value, region in component.current.globals.items() if outside else ():
                if region.root in holders and passed_on(module, value, seen):
                    region.root.open = True
        direct = {place.region for memory in called for place in _arguments(memory)}
        _spread("handed", [*_targets(direct), *_results(called), *_marked(regions, "handed")], groups, set())
        for region in regions:
            if called and region.kept and (region.handed or region in direct):
                region.doubtful = True
        for source, copy in component.handed_over():
            for flag in ("kept", "handed", "doubtful", "open"):
                if getattr(copy.root, flag):
                    setattr(source.root, flag, True)
            source.root.told |= copy.root.told | copy.root.globals
    _find_heads(components)


def find_owners(module: Module, graph: CallGraph, components: Sequence[Component], roots: Collection[Function]) -> None:
    """Mark what of kept memory only the derivative has shadows of, and tell what frees memory of the user's."""
    origins = None
    models = {function: memory for component in components for function, memory in component.models.items()}
    given = [place.region for function in roots if function in models for place in _arguments(models[function])]
    doubtful = any(region.doubtful for component in components for region in component.all_regions())
    if doubtful or any(region.ends for region in led_to(given)):
        origins = Provenance(module, graph, models, roots)
        for memory in models.values():
            memory.own_loads = {i for i in memory.function.instructions() if isinstance(i, ir.Load) and origins.own(i)}
            if memory.function in roots:
                memory.frees_users = origins.frees_users(reached(graph, [memory.function]))
    _find_owned(components, origins)


def _find_owned(components: Sequence[Component], origins: Provenance | None) -> None:
    """Regions that are copies of each other are of one class."""
    parents: dict[Region, Region] = {}

    def class_of(region: Region) -> Region:
        while region in parents:
            region = parents[region]
        return region

    for component in components:
        same = [[source.root, copy.root] for source, copy in component.handed_over()]
        same += [[*group] for memory in component.models.values() for group in _groups(memory)]
        for first, *others in same:
            for other in others:
                a, b = class_of(first), class_of(other)
                if a is not b:
                    parents[b] = a
    regions = [region for component in components for region in component.all_regions()]
    handed = {class_of(region) for region in regions if region.handed or region.doubtful}
    if handed and origins is not None:
        memories = [memory for component in components for memory in component.models.values()]
        clean, shared = set[Region](), set[Region]()
        for memory in memories:
            for place, is_ours in _allocated(memory, origins):
                (clean if is_ours else shared).add(class_of(place.region))
        handed -= clean - shared
    owned = {class_of(region) for region in regions if region.kept} - handed
    for region in regions if owned else ():
        region.owned = class_of(region) in owned


def _allocated(memory: Memory, origins: Provenance) -> Iterator[tuple[Place, bool]]:
    """What is allocated or freed here, and is it never the user's, nor seen by the user?"""
    for call in memory.effects:
        for freed in freed_by(memory.module, call):
            yield from ((place, origins.owns_freed(freed)) for place in _place(memory, freed))
        known = call_effects(memory.module, call)
        row = known.known if known is not None else None
        if isinstance(row, Allocation):
            places = _place(memory, call)
            if row.stored is not None:
                places = _targets(place.region for place in _place(memory, call.arguments[row.stored]))
            yield from ((place, origins.owns_allocation(call)) for place in places)


def _place(memory: Memory, pointer: Value) -> list[Place]:
    place = memory.place(pointer)
    return [] if place is None else [place]


def _find_heads(components: Sequence[Component]) -> None:
    heads: dict[Region, set[int]] = {}
    for component in components:
        for memory in component.models.values():
            for place in _linked(memory):
                heads.setdefault(place.region, set()).add(place.offset)
        for source, copy in component.handed_over():
            root, shift = copy.find()
            for offset in [*heads.get(source.root, ())]:
                heads.setdefault(root, set()).add(offset + shift)
        for variable, region in component.current.globals.items() if heads else ():
            root, shift = region.find()
            found = {(variable, offset - shift) for offset in heads.get(root, ())}
            for memory in component.models.values() if isinstance(variable, GlobalVariable) else ():
                memory.heads |= found  # type: ignore[arg-type]


def _groups(memory: Memory) -> Iterator[set[Region]]:
    """Regions of nodes that a library links to each other, which nobody sees in the code."""
    for call in memory.effects:
        known = mirrored_function(getattr(call.callee, "name", None) or "")
        if known is not None and known.nodes:
            nodes = [memory.place(call.arguments[at]) for at in {*known.nodes, *known.writes}]
            found = {place.region for place in nodes if place is not None}
            found |= {target.region for region in found for target in region.targets()}
            if found:
                yield found


def _spread(flag: str, places: Iterable[Place], groups: Sequence[set[Region]], holders: set[Region]) -> None:
    """Mark what is reachable from places, through nodes that libraries link, too."""
    pending = list(places)
    left = list(groups)
    while pending or left:
        for region in led_to(place.region for place in pending):
            setattr(region, flag, True)
        reached = [g for g in left if any(getattr(r, flag) for r in g) or not holders.isdisjoint(g)]
        if not reached:
            break
        left = [group for group in left if group not in reached]
        pending = [Place(region, 0, 1) for group in reached for region in group]


def _linked(memory: Memory) -> Iterator[Place]:
    """Nodes that a library links, at known places."""
    for call in memory.effects:
        known = mirrored_function(getattr(call.callee, "name", None) or "")
        for at in known.nodes if known is not None else ():
            place = memory.place(call.arguments[at])
            if place is not None and not place.stride:
                yield place


def _targets(regions: Iterable[Region]) -> list[Place]:
    return [target for region in regions for target in region.targets()]


def _marked(regions: Iterable[Region], flag: str) -> list[Place]:
    return [Place(region, 0, 1) for region in regions if getattr(region, flag)]


def _arguments(memory: Memory) -> list[Place]:
    arguments = {*memory.function.arguments}
    return [place.resolved() for (value, _), place in memory.places.items() if value in arguments]


def _results(memories: Iterable[Memory]) -> list[Place]:
    return [result for memory in memories for result in memory.results.values() if isinstance(result, Place)]
