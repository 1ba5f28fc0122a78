"""Writes: which of a function's writes may touch the bytes of an access.

Two accesses may touch the same bytes if their places overlap in one region, or if both regions are external and neither
a `noalias` argument, distinct globals nor the type-based metadata tells them apart. What a place and a tag say is
looked up once for all accesses that have them: a function of thousands of accesses asks for each.
"""

from __future__ import annotations

from functools import lru_cache
from math import gcd
from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import I8, ArrayType, NamedStructType, StructType
from enzyme_build.ir.values import Argument, GlobalVariable
from enzyme_build.regex import regex

from .copied import types_above
from .source_structs import is_union

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from enzyme_build.ir.function import Block
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import Type

    from .regions import Place, Region

_TBAA = regex(r"!tbaa (!\d+)")
_ROOM = 4
"""Bytes of the smallest number that is made in an array of them."""
_BUCKET = 64
"""Bytes whose writes are looked at together."""


class Access:
    """One memory access: `size` in bytes, 0 for unknown."""

    __slots__ = ("instruction", "place", "size", "tag")

    def __init__(self, instruction: ir.Instruction, place: Place, size: int, tag: str | None) -> None:
        self.instruction = instruction
        self.place = place
        self.size = size
        self.tag = tag


class Run:
    """Some writes of a function in their order, by their blocks' numbers; `blocks` has a bit for each of these."""

    __slots__ = ("blocks", "by_block")

    def __init__(self, writes: Iterable[Access], numbers: Mapping[Block, int]) -> None:
        self.blocks = 0
        self.by_block: dict[int, list[Access]] = {}
        for write in writes:
            number = numbers[write.instruction.block]
            self.by_block.setdefault(number, []).append(write)
        for number in self.by_block:
            self.blocks |= 1 << number

    def __iter__(self) -> Iterator[Access]:
        return (write for writes in self.by_block.values() for write in writes)

    def in_blocks(self, blocks: int) -> Iterator[Access]:
        """Those in one of the blocks, of the function's order."""
        left = self.blocks & blocks
        while left:
            lowest = left & -left
            yield from self.by_block[lowest.bit_length() - 1]
            left ^= lowest


class Writes:
    """The writes of one function by what they touch; `numbers` is the order of its blocks. `retyped` says that several
    external regions may be one memory whose type changes."""

    def __init__(
        self, module: Module, accesses: Iterable[Access], numbers: Mapping[Block, int], *, retyped: bool = False
    ) -> None:
        self._tags = TypeTags(module)
        self._retyped = retyped
        self._numbers = numbers
        self._by_region: dict[Region, list[Access]] = {}
        for access in accesses:
            self._by_region.setdefault(access.place.region, []).append(access)
        self._buckets: dict[Region, _Buckets] = {}
        self._elsewhere: dict[tuple[Region, str | None], list[Run]] = {}
        self._overlapping: dict[tuple[Place, int, str | None], Sequence[Run]] = {}

    def overlapping(self, access: Access) -> Sequence[Run]:
        """The writes that may touch the bytes of the access: those to its region, then those to each other one."""
        key = (access.place, access.size, access.tag)
        found = self._overlapping.get(key)
        if found is None:
            own = Run((write for write in self._near(access) if self.may_overlap(access, write)), self._numbers)
            found = self._overlapping[key] = [own, *self._to_others(access)]
        return found

    def _near(self, access: Access) -> Iterable[Access]:
        """Of the writes to the region those that may be at the place."""
        region = access.place.region
        writes = self._by_region.get(region, [])
        if len(writes) < _BUCKET or access.place.stride or not access.size or not has_one_base(region):
            return writes
        buckets = self._buckets.get(region)
        if buckets is None:
            buckets = self._buckets[region] = _Buckets(writes)
        return buckets.near(access)

    def _to_others(self, access: Access) -> list[Run]:
        region = access.place.region
        if not region.external or is_constant(region):
            return []
        key = (region, access.tag)
        found = self._elsewhere.get(key)
        if found is None:
            others = [
                writes
                for other, writes in self._by_region.items()
                if other.external and other is not region and may_be_same(region, other)
            ]
            found = self._elsewhere[key] = [
                Run((write for write in writes if not self._are_of_other_types(access, write)), self._numbers)
                for writes in others
            ]
        return found

    def may_overlap(self, a: Access, b: Access) -> bool:
        if self._are_of_other_types(a, b):
            return False
        if a.place.region is not b.place.region:
            return may_be_same(a.place.region, b.place.region)
        if not has_one_base(a.place.region):
            return True
        step = gcd(a.place.stride, b.place.stride)
        distance = b.place.offset - a.place.offset
        if not a.size or not b.size:
            return True
        if step == 0:
            return -b.size < distance < a.size
        distance %= step
        return distance < a.size or step - distance < b.size

    def _are_of_other_types(self, a: Access, b: Access) -> bool:
        """Do the types of two accesses tell them apart?"""
        one, other = a.place.region, b.place.region
        if (one is other or self._retyped) and may_be_used_again(one) and may_be_used_again(other):
            return False
        return self._tags.disjoint(a.tag, b.tag)


class _Buckets:
    """Writes to one region by the bytes that they touch."""

    def __init__(self, writes: Sequence[Access]) -> None:
        self._writes = writes
        self._anywhere: list[int] = []
        self._at: dict[int, list[int]] = {}
        for number, write in enumerate(writes):
            if write.place.stride or not write.size:
                self._anywhere.append(number)
            else:
                for bucket in _buckets_of(write):
                    self._at.setdefault(bucket, []).append(number)

    def near(self, access: Access) -> Iterable[Access]:
        numbers = {number for bucket in _buckets_of(access) for number in self._at.get(bucket, ())}
        return (self._writes[number] for number in sorted([*self._anywhere, *numbers]))


def _buckets_of(access: Access) -> range:
    first = access.place.offset
    return range(first // _BUCKET, (first + access.size - 1) // _BUCKET + 1)


def may_be_used_again(region: Region) -> bool:
    """Is this memory without a declared type? What is written to it may be of another type than what was read before
    (C11 6.5p6: the type of allocated memory is that of the last store), which a tag does not deny. Variables are such
    memory as far as they hold unions or bytes, which may be storage of whatever is made there (C++20 6.7.2p13). Where
    pointers that are found in memory lead is not known: it may be such memory."""
    return not region.origins or any(map(_is_storage, region.origins))


def _is_storage(origin: object) -> bool:
    match origin:
        case ir.Alloca():
            return _holds_bytes(origin.allocated_type) or origin.allocated_type is I8
        case GlobalVariable():
            return not origin.is_constant and _holds_bytes(origin.value_type)
        case _:
            return True


@lru_cache(maxsize=1024)
def _holds_bytes(type_: Type) -> bool:
    """Is there a union in it, or an array of bytes that has room for a number?"""
    if is_union(type_):
        return True
    match type_:
        case ArrayType():
            return (type_.element is I8 and type_.count >= _ROOM) or _holds_bytes(type_.element)
        case StructType() | NamedStructType():
            return any(map(_holds_bytes, type_.fields or ()))
        case _:
            return False


def is_constant(region: Region) -> bool:
    """Is this nothing but constant variables? Where a pointer may lead to one of them or elsewhere, it is not."""
    constant = all(isinstance(g, GlobalVariable) and g.is_constant for g in region.globals)
    return bool(region.globals) and constant and region.origins <= region.globals


def may_be_same(a: Region, b: Region) -> bool:
    """May two regions be one memory?"""
    if not (a.external and b.external):
        return False
    if are_globals(a) and are_globals(b):
        return not a.globals.isdisjoint(b.globals)
    return not (_exclusive(a) or _exclusive(b) or is_constant(a) or is_constant(b))


def are_other_objects(a: Region, b: Region) -> bool:
    """Are two regions never one memory, whatever is promised of what is written to them?"""
    if a is b:
        return False
    return not (a.external and b.external) or (are_globals(a) and are_globals(b) and a.globals.isdisjoint(b.globals))


def are_globals(region: Region) -> bool:
    """Is it nothing but global variables?"""
    return bool(region.globals) and len(region.origins) == len(region.globals)


def has_one_base(region: Region) -> bool:
    """Are offsets counted from the beginnings of objects? Of several pointers from outside, one may point into the
    other's memory; pointers that were read out of memory may, too."""
    if not region.external:
        return True
    return len(region.origins) == 1 and isinstance(next(iter(region.origins)), Argument | GlobalVariable)


def _exclusive(region: Region) -> bool:
    """Reached through one `noalias` argument only."""
    if len(region.origins) != 1 or region.globals:
        return False
    origin = next(iter(region.origins))
    return isinstance(origin, Argument) and "noalias" in origin.attributes


def type_tag(i: ir.Instruction) -> str | None:
    """The access tag that an instruction has."""
    found = _TBAA.search(i.metadata) if i.metadata else None
    return found[1] if found else None


class TypeTags:
    """Type-based alias metadata: access tags `!{base, access, offset}` over a tree of scalar types.

    Source: LLVM language reference, "tbaa Metadata". Only access types are compared: two accesses are disjoint if
    neither access type is an ancestor of the other in one tree, or both name different members of one struct.
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self._ancestors: dict[str, tuple[str, ...]] = {}
        self._access: dict[str, str | None] = {}

    def disjoint(self, a: str | None, b: str | None) -> bool:
        if a is None or b is None or a == b:
            return False
        if self._other_member(a, b):
            return True
        x, y = self._access_type(a), self._access_type(b)
        if x is None or y is None or x == y:
            return False
        up_x, up_y = self.ancestors(x), self.ancestors(y)
        return up_x[-1] == up_y[-1] and x not in up_y and y not in up_x

    def _other_member(self, a: str, b: str) -> bool:
        """Two members of one struct type: tags with the same base type and other offsets."""
        one, other = self._operands(a), self._operands(b)
        if len(one) < 3 or len(other) < 3 or one[0] != other[0] or one[0] == one[1] or other[0] == other[1]:
            return False
        return one[2] != other[2]

    def _access_type(self, tag: str) -> str | None:
        if tag not in self._access:
            operands = self._operands(tag)
            self._access[tag] = operands[1] if len(operands) >= 2 and operands[1].startswith("!") else None
        return self._access[tag]

    def _operands(self, reference: str) -> Sequence[str]:
        return self.module.metadata_node(reference).operands

    def ancestors(self, node: str) -> tuple[str, ...]:
        """The nodes of a type and of those above it, up to the root of its tree."""
        known = self._ancestors.get(node)
        if known is None:
            known = self._ancestors[node] = types_above(self.module, node)
        return known
