"""What activity analysis found (see `activity`): which values and which memory carry derivatives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.records import dataclass

from .bit_sources import Varied
from .strings import leads_to_characters

if TYPE_CHECKING:
    from collections.abc import Collection

    from enzyme_build.ir import instructions as ir
    from enzyme_build.ir.values import Value

    from .bitflow import BitFlow
    from .inactive_places import InactivePlaces
    from .memory import Memory
    from .packing import Packing
    from .regions import Region
    from .rounded_memory import RoundedMemory


@dataclass(frozen=True, eq=False, slots=True)
class ActivityResult:
    """Sets of values and (representative) regions."""

    memory: Memory
    values: frozenset[Value]
    regions: frozenset[Region]
    shadowed: frozenset[Region]
    uncertain: frozenset[Region]
    doubted: frozenset[Region]
    """From here memory can be reached that holds numbers and may be its own shadow."""
    counted_memory: frozenset[Region]
    """Has a shadow, but for integers that a caller allocated."""
    guarded: frozenset[Region]
    """Active, and perhaps without shadow: what is stored here would get lost then, and is read again."""
    held: frozenset[Region]
    """Perhaps without shadow: what pointers lead to that are stored here, and read again, would seem constant then."""
    lost: frozenset[Region]
    """Active, but certainly without shadow: derivatives would get lost here."""
    inactive_places: InactivePlaces
    varied_regions: frozenset[Region]
    varied: frozenset[Value]
    """What depends on active arguments, whether a result depends on it or not."""
    counted: frozenset[Value]
    """Integers that become numbers on which a result depends."""
    rounded: RoundedMemory
    taken_as_counts: frozenset[ir.Instruction]
    """What takes the bits of numbers in memory for counts."""
    packing: Packing
    bit_flow: BitFlow
    watched: frozenset[Value]
    """Integers that may move parts of numbers, which is watched at run time. Only tangents move along with them."""
    spelled: frozenset[Value]
    """Numbers that are read from the characters of strings, and on which a result depends."""
    bytes: frozenset[Value]
    """Integers read from what a struct declares as bytes, which reverse mode checks while the derivative runs."""

    @property
    def all_varied(self) -> Varied:
        """What depends on active arguments, and in which memory such numbers are."""
        return Varied(self.varied, self.varied_regions)

    def is_active(self, value: Value) -> bool:
        """Does this number carry a derivative?"""
        return value in self.values

    def has_shadow(self, value: Value, path: tuple[int, ...] = ()) -> bool:
        """Does this pointer have a shadow pointer?"""
        return self._is_in(value, path, self.shadowed)

    def _is_in(self, pointer: Value, path: tuple[int, ...], regions: Collection[Region]) -> bool:
        if pointer in self.inactive_places.pointers or leads_to_characters(pointer):
            return False
        place = self.memory.place(pointer, path)
        return place is not None and place.region in regions

    def is_uncertain(self, pointer: Value, path: tuple[int, ...] = ()) -> bool:
        return self._is_in(pointer, path, self.uncertain)

    def may_be_own(self, pointer: Value) -> bool:
        """May this memory be its own shadow, as constants are, and integers that a caller allocates?"""
        return self._is_in(pointer, (), self.uncertain) or self._is_in(pointer, (), self.counted_memory)

    def leads_to_constants(self, pointer: Value, path: tuple[int, ...] = ()) -> bool:
        """May a callee that is given this pointer meet numbers whose shadow is they themselves?"""
        return self._is_in(pointer, path, self.doubted)

    def is_lost(self, pointer: Value) -> bool:
        """Would a derivative stored here get lost?"""
        return self._is_in(pointer, (), self.lost)

    def is_guarded(self, pointer: Value) -> bool:
        """Would a derivative stored here get lost, if the run shows that the memory has no shadow?"""
        return self._is_in(pointer, (), self.guarded)

    def is_held(self, pointer: Value) -> bool:
        """Would pointers stored here lead to constants, if the run shows that the memory has no shadow?"""
        return self._is_in(pointer, (), self.held)

    def memory_active(self, pointer: Value) -> bool:
        """Do the numbers behind this pointer carry derivatives?"""
        return self._is_in(pointer, (), self.regions)
