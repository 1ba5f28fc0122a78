"""Which memory has a shadow, once it is known which carries derivatives.

Memory has a shadow if it is active, or leads to such. It is *uncertain* where it may also be memory without one:
constant arguments, constant tables, what code that is not seen gave.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import PointerType
from enzyme_build.ir.values import Argument, GlobalVariable, Value
from enzyme_build.rules.inactive_rows import Inactive, Why

from .annotations import annotations_of
from .known import CallEffects, call_effects
from .origins import is_unfollowed
from .regions import holds_numbers, led_to, may_hold_numbers
from .request import Activity
from .strings import leads_to_characters

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from .cfg import ControlFlow
    from .memory import Memory
    from .regions import Region


class Shadows:
    """The shadows of one function's memory, whose arguments are of some `kinds`."""

    def __init__(self, memory: Memory, cfg: ControlFlow, kinds: Mapping[Argument, Activity]) -> None:
        self.memory = memory
        self.cfg = cfg
        self.kinds = kinds
        self.inactive_globals = annotations_of(memory.module).inactive_globals
        self.known: dict[ir.CallBase, CallEffects | None] = {}
        self.sources: dict[Region, list[Region]] | None = None
        """What holds pointers to a region."""

    def effects_of(self, i: ir.CallBase) -> CallEffects | None:
        """Those of a known function, unless its body counts."""
        if i not in self.known:
            known = call_effects(self.memory.module, i)
            callee = i.callee
            has_body = isinstance(callee, Function) and self.memory.module.is_defined(callee.name)
            self.known[i] = None if known is not None and has_body and not known.overrides_body else known
        return self.known[i]

    def _region(self, pointer: Value) -> Region | None:
        place = self.memory.place(pointer)
        return place.region if place is not None else None

    @cached_property
    def told_inactive(self) -> frozenset[Region]:
        """What functions with bodies return of which the user says that they are inactive."""
        found = map(self._given_by_inactive, self.memory.effects)
        return frozenset(region for region in found if region is not None)

    def _given_by_inactive(self, call: ir.CallBase) -> Region | None:
        callee = call.callee
        if not isinstance(call.type, PointerType) or not isinstance(callee, Function):
            return None
        known = self.effects_of(call) if self.memory.module.is_defined(callee.name) else None
        return self._region(call) if known is not None and known.inactive else None

    def shadowed_with(self, active: set[Region]) -> frozenset[Region]:
        """The memory that has shadows where so much is active."""
        shadowed = self._leading_to(active)
        regions = {region.root for region in self.memory.regions}
        # A callee that is given memory with a shadow allocates for both; what is freed here has to be freed in both.
        made = {r for r in regions - shadowed if r.freed and self._is_given(r)}
        # What it changes in the one, it changes in the other, so that they must be two.
        changed = {r for r in self._changed_by_callees() if all(self._may_have_two(r, o) for o in r.origins)}
        candidates = (made | changed) - shadowed
        texts = self._grown_text() if candidates else set()
        while given := {
            r
            for r in candidates & led_to(shadowed).keys()
            if r not in texts or (r in made and self._held_by(r, shadowed))
        }:
            shadowed = self._leading_to({*shadowed, *given})  # in which more may be held
            candidates -= shadowed
        return shadowed

    def _may_have_two(self, region: Region, origin: Value) -> bool:
        """Is this memory made here, or a variable, so that a shadow can be made beside it?"""
        if isinstance(origin, GlobalVariable):
            return not origin.is_constant and origin.name not in self.inactive_globals
        return origin in region.allocations

    def _changed_by_callees(self) -> set[Region]:
        return {
            place.resolved().region
            for call, effects in self.memory.effects.items()
            if self.effects_of(call) is None
            for place in (*effects.writes, *effects.frees)
        }

    def _grown_text(self) -> set[Region]:
        """Text that library functions enlarge, in which nothing would follow."""
        texts: set[Region] = set()
        for call in self.memory.effects:
            known = self.effects_of(call)
            row = known.known if known is not None else None
            if isinstance(row, Inactive) and row.grows is not None and call.arguments:
                region = self._region(call.arguments[row.grows])
                texts |= {region.root} if region is not None else set()
        return {*led_to(texts)}

    def _is_given(self, region: Region) -> bool:
        """May this have been allocated by a callee, as far as is known?"""
        return not region.allocations or any(map(self._is_foreign, region.allocations))

    def _is_foreign(self, allocation: Value) -> bool:
        block = allocation.block if isinstance(allocation, ir.Instruction) else None
        return block is None or block.function is not self.memory.function

    def _held_by(self, region: Region, holders: Collection[Region]) -> bool:
        assert self.sources is not None
        return any(source in holders for source in self.sources.get(region, ()))

    def doubted(self, shadowed: frozenset[Region], uncertain: frozenset[Region]) -> frozenset[Region]:
        """From where numbers that may be their own shadows are reached."""
        regions = {region.root for region in self.memory.regions}
        return self._leading_to({r for r in regions if may_hold_numbers(r) and (r not in shadowed or r in uncertain)})

    def counted(self, shadowed: frozenset[Region]) -> frozenset[Region]:
        """Memory that others made, and of which nothing says that it holds numbers or leads to such: whoever made it
        may have seen integers only, for which no shadow is made."""
        numbers = {region.root for region in self.memory.regions if holds_numbers(region.root)}
        return frozenset(
            region for region in shadowed - self._leading_to(numbers) if not region.origins <= region.allocations
        )

    def _leading_to(self, regions: set[Region]) -> frozenset[Region]:
        """Regions from which some can be reached, these included."""
        if self.sources is None:
            self.sources = {}
            for region in {region.root for region in self.memory.regions}:
                for target in region.targets():
                    self.sources.setdefault(target.region, []).append(region)
        found = set(regions)
        pending = list(regions)
        while pending:
            for source in self.sources.get(pending.pop(), ()):
                if source not in found:
                    found.add(source)
                    pending.append(source)
        return frozenset(found)

    def uncertain_among(self, shadowed: frozenset[Region]) -> frozenset[Region]:
        """What may be memory without a shadow all the same."""
        result = {region for region in shadowed if any(self._without(o, shadowed) for o in region.origins)}
        # Where pointers to characters went that are not known as such, they are their own shadows.
        characters = (i for block in self.cfg.order for i in block.instructions if leads_to_characters(i))
        result |= {region for i in characters if (region := self._region(i)) in shadowed}
        result |= self.told_inactive & shadowed
        # What is read out of uncertain memory is as uncertain.
        pending = list(result)
        while pending:
            for target in pending.pop().targets():
                if target.region in shadowed and target.region not in result:
                    result.add(target.region)
                    pending.append(target.region)
        return frozenset(result)

    def _without(self, origin: Value, shadowed: Collection[Region]) -> bool:
        """May memory of this origin have no shadow?"""
        if isinstance(origin, Argument):
            return self.kinds.get(origin, Activity.DUPLICATED) in (Activity.CONSTANT, Activity.RUNTIME)
        if isinstance(origin, GlobalVariable):
            return origin.is_constant or origin.name in self.inactive_globals
        if isinstance(origin, ir.Load):
            return self._region(origin.pointer) not in shadowed
        return self._is_bare(origin)

    def has_no_shadow(self, region: Region) -> bool:
        """Is this only memory that was declared constant, or is found in such, or came out of code that we do not see
        and may hold numbers (exceptions do not)?"""
        constant = {o for o in region.origins if self._is_constant(o)}
        others = region.origins - constant
        if not region.origins or any(isinstance(o, Argument) for o in others):
            return False
        untouched = not (region.fields or region.strided)
        seen = may_hold_numbers(region) or (untouched and not all(map(self._is_of_text, others)))
        return (bool(constant) or seen) and all(map(self._is_bare, others))

    def may_be_constant(self, region: Region) -> bool:
        """Is one of the objects that this may be without a shadow, though the user did not say so of it?"""
        bare = (self._is_constant(origin) or self._is_bare(origin) for origin in region.origins)
        return region in self.told_inactive or any(bare)

    def _is_constant(self, origin: Value) -> bool:
        """Is this memory that was declared constant, or is found in nothing but such?"""
        found = {origin: None}
        pending = [origin]
        while pending:
            source = pending.pop()
            if isinstance(source, ir.Load):
                region = self._region(source.pointer)
                origins = region.origins if region is not None else ()
                if not origins:
                    return False
                pending += [other for other in origins if other not in found]
                found |= dict.fromkeys(origins)
            elif not isinstance(source, Argument) or self.kinds.get(source) is not Activity.CONSTANT:
                return False
        return True

    def _is_bare(self, origin: Value) -> bool:
        """Does this come from where nobody made a shadow beside it?"""
        return self.is_handed_out(origin) and not self._has_rule(origin)

    def is_handed_out(self, origin: Value) -> bool:
        """Is this memory that came out of code that we do not see, or at an address that nobody can follow?"""
        return is_unfollowed(origin) or (isinstance(origin, ir.CallBase) and not self._allocates(origin))

    def _has_rule(self, origin: Value) -> bool:
        """Is this memory that a function returned whose rule gives its shadow?"""
        callee = origin.callee if isinstance(origin, ir.CallBase) else None
        return isinstance(callee, Function) and callee.name in annotations_of(self.memory.module).rules

    def _allocates(self, call: ir.CallBase) -> bool:
        known = self.effects_of(call)
        if known is not None:
            return known.allocates or known.resizes is not None
        return isinstance(call.callee, Function) and self.memory.module.is_defined(call.callee.name)

    def _is_of_text(self, origin: Value) -> bool:
        """Is this what the library knows a file by, or a part of a string? Numbers go through it only as text."""
        known = self.effects_of(origin) if isinstance(origin, ir.CallBase) else None
        row = known.known if known is not None else None
        return isinstance(row, Inactive) and (row.why is Why.IO or row.strings)
