"""The memory from which the steps of a checkpointed loop can be run again.

It must be known where it begins and how large it is: an object that the host allocates, a global variable, or what the
user told. Memory that steps only write needs no copies, where it is apart from all that they read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from enzyme_build.analysis.accessed import content_behind
from enzyme_build.analysis.checkpoints import refusal, unrepeatable
from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.known import call_effects
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import I64, IntType, PointerType
from enzyme_build.ir.values import Argument, GlobalVariable, Value, const_int
from enzyme_build.records import dataclass
from enzyme_build.rules.memory import Transfer

if TYPE_CHECKING:
    from enzyme_build.analysis.memory import Memory
    from enzyme_build.analysis.regions import Region
    from enzyme_build.errors import UnsupportedError

    from .checkpoint_loops import CheckpointedLoop
    from .context import Context
    from .engine import Engine

_POINTERS: Final = frozenset({Kind.POINTER, Kind.MIXED})

Extent: TypeAlias = "tuple[Value, Value]"
"""Address and bytes, as values of the loop's function."""


@dataclass(frozen=True, slots=True)
class State:
    """`changing` is what each snapshot holds; `constant` memory is read by the steps and changed behind the loop;
    `results` are written by the steps, and nothing that they read. `told` is what the user told of it."""

    changing: list[Extent]
    constant: list[Extent]
    results: list[Extent]
    told: list[Extent]


def state_of(engine: Engine, context: Context, loop: CheckpointedLoop) -> State:
    """The state of the loop; raises UnsupportedError where a step cannot be run again."""
    _require_repeatable(engine, context, loop)
    return _Finder(engine, context, loop).find()


class _Finder:
    def __init__(self, engine: Engine, context: Context, loop: CheckpointedLoop) -> None:
        self.engine = engine
        self.context = context
        self.loop = loop
        memory, effects = context.memory, context.memory.effects[loop.call]
        self.reads = {place.resolved().region: None for place in effects.reads}
        self.writes = {place.resolved().region: None for place in effects.writes}
        self.led_to = {place.region for region in memory.regions for place in region.targets()}
        self.arguments: dict[Region, list[Argument]] = {}
        for argument in loop.loop.arguments:
            place = memory.place(argument) if isinstance(argument.type, PointerType) else None
            if place is not None:
                self.arguments.setdefault(place.resolved().region, []).append(argument)

    def find(self) -> State:
        told = {number: None for number, o in enumerate(self.loop.objects) if o.told}
        results = [r for r in self.writes if r not in self.reads and self._is_apart(r)]
        constant = [r for r in self.reads if r not in self.writes and self._is_changed_later(r)]
        changing = [r for r in self.writes if r not in results]
        taken: dict[object, None] = {}
        lists: list[list[Extent]] = []
        for regions, first in ((changing, told), (constant, {}), (results, {})):
            extents: list[Extent] = []
            for number in dict.fromkeys([*first, *(n for r in regions for n in self._objects(r))]):
                if number not in taken:
                    taken[number] = None
                    object_ = self.loop.objects[number]
                    extents.append((self.loop.loop.arguments[object_.base], self.loop.loop.arguments[object_.size]))
            for variable in dict.fromkeys(v for r in regions for v in self._variables(r)):
                if variable not in taken:
                    taken[variable] = None
                    size = const_int(I64, self.context.layout.alloc_size(variable.value_type))
                    extents.append((variable, size))
            lists.append(extents)
        arguments = self.loop.loop.arguments
        by_user: list[Extent] = [(arguments[o.base], arguments[o.size]) for o in self.loop.objects if o.told]
        return State(lists[0], lists[1], lists[2], by_user)

    def _is_changed_later(self, region: Region) -> bool:
        return self.context.aliasing.is_changed_by_caller(region)

    def _numbers(self, region: Region) -> set[int] | None:
        """The objects that a region consists of, by number; None if there may be others."""
        if region.globals or not self._is_given(region):
            return None
        numbers = [self.loop.object_of.get(a.index) for a in self.arguments.get(region, ())]
        return None if None in numbers else {n for some in numbers for n in some or ()}

    def _is_given(self, region: Region) -> bool:
        """Is all this memory reached from the loop's pointers and global variables, without reading pointers?"""
        pointers = set(self.arguments.get(region, ()))
        given = all(origin in pointers or isinstance(origin, GlobalVariable) for origin in region.origins)
        given = given and all(isinstance(v, GlobalVariable) for v in region.globals)
        return given and bool(region.origins) and region not in self.led_to

    def _is_apart(self, region: Region) -> bool:
        """Are these objects that nothing else the steps read can be in?"""
        pointers = self.arguments.get(region, ())
        own = self._numbers(region)
        if own is None:
            return False
        if all("noalias" in a.attributes.split() for a in pointers) and len(pointers) == 1:
            return True
        objects = [self.loop.objects[n] for n in own]
        return all(o.apart for o in objects) and all(
            self._is_elsewhere(other, own, fresh=all(o.fresh for o in objects)) for other in self.reads
        )

    def _is_elsewhere(self, region: Region, own: set[int], *, fresh: bool) -> bool:
        """Is no memory of this region in these objects? Pointers that the host was given lead to none that it made."""
        variables = self._variables(region)
        if not self._is_given(region) or (variables and not fresh):
            return False
        for argument in self.arguments.get(region, ()):
            numbers = self.loop.object_of.get(argument.index)
            known = numbers is not None and own.isdisjoint(numbers) and all(self.loop.objects[n].apart for n in numbers)
            if not known and not (fresh and argument.index in self.loop.foreign):
                return False
        return True

    def _variables(self, region: Region) -> list[GlobalVariable]:
        found = [v for v in region.globals if isinstance(v, GlobalVariable) and not v.is_constant]
        return sorted(found, key=lambda v: v.name)

    def _objects(self, region: Region) -> list[int]:
        """The objects of a region; raises UnsupportedError where their sizes are not known."""
        numbers = [self.loop.object_of.get(a.index) for a in self.arguments.get(region, ())]
        known = [n for some in numbers for n in some or ()]
        bounded = self._is_given(region) and None not in numbers
        bounded = bounded and all(v.initializer is not None for v in self._variables(region))
        if not bounded and not any(self.loop.objects[n].told for n in known):
            raise self._unbounded(region)
        return known

    def _unbounded(self, region: Region) -> UnsupportedError:
        unknown = [a for a in self.arguments.get(region, ()) if a.index not in self.loop.object_of]
        names = dict.fromkeys(f"'{a.name}'" for a in unknown if (a.name or "").isidentifier())  # of the source
        which = f"the memory behind {', '.join(names)}" if names else "memory that is reached by pointers in memory"
        what = "is changed by its steps" if region in self.writes else "is read by its steps, and may be changed later"
        return refusal(
            self.engine.module,
            self.loop.mark,
            f"cannot checkpoint this loop: {which} {what}, and nothing tells how large it is",
            "say so in the loop, for each array: __enzyme_checkpoint_memory(address, bytes)",
            "E0360",
        )


# Running a step again ------------------------------------------------------------------------------------------------


def _require_repeatable(engine: Engine, context: Context, loop: CheckpointedLoop) -> None:
    found = unrepeatable(engine.module, loop.step)
    if found is None and (store := _keeps_pointers(engine, loop)) is not None:
        is_pointer = isinstance(store, ir.Store) and isinstance(store.value.type, PointerType)
        found = store, f"leaves {'pointers' if is_pointer else 'what may be pointers'} in memory"
    if found is None and engine.is_recursive(loop.step.name):
        found = loop.mark, "calls the function that it is part of"
    if found is None and context.memory.effects[loop.call].frees:
        found = loop.mark, "frees memory that it did not allocate"
    if found is not None:
        raise refusal(
            engine.module,
            found[0],
            f"a step of a checkpointed loop is run several times, and {found[1]}",
            "do that in front of the loop or behind it, or leave the loop without checkpoints",
            "E0361",
        )


def _keeps_pointers(engine: Engine, loop: CheckpointedLoop) -> ir.Instruction | None:
    """What writes pointers to memory that is there when the step is over."""
    memory = engine.memory_of(loop.step)
    assert memory is not None
    for i in loop.step.instructions():
        match i:
            case ir.Store() if not i.value.type.is_float_like:
                if _may_hold_pointer(memory, i) and _is_visible(memory, i.pointer):
                    return i
            case ir.CallBase() if _leaves_pointers(engine, memory, i):
                return i
    return None


def _leaves_pointers(engine: Engine, memory: Memory, call: ir.CallBase) -> bool:
    effects = call_effects(engine.module, call)
    if effects is not None and effects.resizes is not None and _is_visible(memory, call.arguments[effects.resizes]):
        return True
    if effects is not None and isinstance(effects.known, Transfer):
        destination = call.arguments[effects.known.destination]
        return _is_visible(memory, destination) and _holds_pointers(memory, destination)
    touched = memory.effects.get(call)
    regions = [place.resolved().region for place in touched.writes] if touched is not None else []
    return any(_outlives(region) and _has_pointers(region) for region in regions)


def _is_visible(memory: Memory, pointer: Value) -> bool:
    place = memory.place(pointer)
    return place is None or _outlives(place.resolved().region)


def _outlives(region: Region) -> bool:
    """May this memory be there before or after the step?"""
    return region.external or bool(region.globals) or not region.origins or bool(region.origins - region.allocations)


def _may_hold_pointer(memory: Memory, store: ir.Store) -> bool:
    if not isinstance(store.value.type, IntType):
        return True
    found = content_behind(memory, store.pointer)
    return found is None or found.kind in _POINTERS


def _holds_pointers(memory: Memory, pointer: Value) -> bool:
    place = memory.place(pointer)
    return place is None or _has_pointers(place.resolved().region)


def _has_pointers(region: Region) -> bool:
    return any(content.kind in _POINTERS for content in region.root.contents())
