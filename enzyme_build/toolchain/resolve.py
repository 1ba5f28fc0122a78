"""Resolve: which objects and archive members take part in a link, as the linker that follows decides it.

Inputs are read in their order. An object takes part. A member of an archive does when it defines a symbol that is
undefined by then, or when its archive is linked whole. What is undefined only later finds the member still with LLVM's
linker (`Search.LATER`), with GNU's only in its own archive and group (`Search.IN_ORDER`), and here if nothing else
defines it. A weak reference finds nothing. A shared library defines what nothing has defined before it, and its own
undefined symbols count.
"""

from __future__ import annotations

from dataclasses import field, replace
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING

from enzyme_build.records import dataclass
from enzyme_build.toolchain.objects import ObjectFile, Symbols, is_archive, objects_in, read_object

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path


class Search(Enum):
    """When an archive is searched."""

    LATER = "later"
    """Its symbols are remembered: it also serves what comes behind it (lld, mold, and lists without an order)."""
    IN_ORDER = "in order"
    """Where it stands (GNU ld, gold)."""


@dataclass(frozen=True)
class LinkInput:
    """A file on the link line."""

    path: Path
    whole: bool = False
    """Every member of the archive takes part (`--whole-archive`)."""
    group: int = 0
    """Archives of one group are searched together (`--start-group`); 0: none."""
    lazy: bool = False
    """The object takes part as a member of an archive does (`--start-lib`)."""


@dataclass(frozen=True)
class Resolution:
    """What takes part: objects `with_bitcode`, in link order, and the symbols that everything else mentions."""

    with_bitcode: tuple[ObjectFile, ...]
    machine_code: tuple[ObjectFile, ...]
    """Objects without bitcode, shared libraries too."""
    foreign_symbols: frozenset[str]
    """Names in machine-code objects and shared libraries: definitions of these must stay visible."""
    defined: frozenset[str]
    """Names that anything that takes part defines."""
    undefined: frozenset[str]
    """Names that its machine code needs from elsewhere."""
    consumed: tuple[Path, ...]
    """Plain objects whose bitcode stands for them entirely: they leave the link line."""
    whole_archives: dict[Path, list[tuple[str, bytes]]] = field(default_factory=dict)
    """Archives linked whole that held bitcode, with the members that have none."""
    searched: dict[Path, list[tuple[str, bytes, ObjectFile | None]]] = field(default_factory=dict)
    """Members of the searched archives from which bitcode was taken; what is no object of ours is without one."""

    def without_taken(self, needed: frozenset[str]) -> dict[Path, list[tuple[str, bytes]]]:
        """The archives of which the linker would take a member again, for a name that is needed and that the bitcode
        taken of it defines, too: those of their members that are left."""
        taken = {id(item) for item in self.with_bitcode}
        left = {}
        for path, items in self.searched.items():
            ours = [found for _, _, found in items if found is not None and id(found) in taken]
            if any(found.symbols is not None and needed & found.symbols.defined for found in ours):
                left[path] = [(name, data) for name, data, found in items if found is None or id(found) not in taken]
        return left


def resolve(
    inputs: Sequence[LinkInput],
    bitcode_symbols: Callable[[ObjectFile], Symbols],
    wanted: frozenset[str] = frozenset(),
    search: Search = Search.LATER,
) -> Resolution:
    """The objects that linking `inputs` takes; `wanted` are names needed from outside (`main`, exports)."""

    def load(found: ObjectFile) -> ObjectFile:
        return found if found.symbols is not None else replace(found, symbols=bitcode_symbols(found))

    @cache  # an archive may stand on the line more than once
    def members_of(archive: Path) -> list[tuple[str, bytes, ObjectFile | None]]:
        return [(name, data, found and load(found)) for name, data, found in objects_in(archive)]

    table = _Table(search, wanted)
    plain: dict[str, Path] = {}
    whole: dict[Path, list[tuple[str, bytes]]] = {}
    searched: dict[Path, list[tuple[str, bytes, ObjectFile | None]]] = {}
    every: list[list[ObjectFile]] = []
    group: list[list[ObjectFile]] = []
    open_group = 0
    for given in inputs:
        if given.group != open_group:
            table.search_again(group)
            group, open_group = [], given.group
        if is_archive(given.path):
            items = members_of(given.path)
            if not given.whole:
                searched[given.path] = items
            members = [found for _, _, found in items if found is not None]
            if given.whole:
                for member in members:
                    table.add(member)
                if any(member.bitcode for member in members):
                    whole[given.path] = [(name, data) for name, data, found in items if not (found and found.bitcode)]
                continue
        else:
            found = read_object(given.path)
            if found is None:
                continue
            plain[found.name] = given.path
            if not given.lazy:
                table.add(load(found))
                continue
            members = [load(found)]
        every.append(members)
        if given.group:
            group.append(members)
        table.offer(members)
    table.search_again(group)
    # What is still missing would be an error: an archive that stands too early is better than that.
    table.search_again(every)
    consumed = [plain[item.name] for item in table.taken if item.bitcode and item.name in plain]
    taken = {id(item) for item in table.taken if item.bitcode}
    searched = {path: items for path, items in searched.items() if any(id(found) in taken for _, _, found in items)}
    return replace(_resolution(table.taken, consumed, whole), searched=searched)


def _resolution(
    taken: Sequence[ObjectFile], consumed: Sequence[Path], whole: dict[Path, list[tuple[str, bytes]]]
) -> Resolution:
    machine_code = tuple(item for item in taken if not item.bitcode)
    defined = frozenset[str]().union(*(_of(item).defined for item in taken))
    needed = (_of(item).undefined for item in machine_code if not item.is_shared)
    return Resolution(
        with_bitcode=tuple(item for item in taken if item.bitcode),
        machine_code=machine_code,
        foreign_symbols=frozenset[str]().union(*(_of(item).mentioned for item in machine_code)),
        defined=defined,
        undefined=frozenset[str]().union(*needed) - defined,
        consumed=tuple(consumed),
        whole_archives=whole,
    )


class _Table:
    """The linker's symbols while it reads its inputs; `taken` is what takes part so far."""

    def __init__(self, search: Search, wanted: frozenset[str]) -> None:
        self.search = search
        self.taken: list[ObjectFile] = []
        self.undefined = set(wanted)
        self.defined: set[str] = set()
        """Also by shared libraries."""
        self.common: set[str] = set()
        self.lazy: dict[str, ObjectFile] = {}
        """Members that would define what is not needed so far."""

    def add(self, item: ObjectFile) -> None:
        """Take an object, and the members that it needs, each followed by what it needs itself."""
        pending = [self._take(item)]
        while pending:
            name = next(pending[-1], None)
            if name is None:
                pending.pop()
            elif name not in self.defined:
                member = self.lazy.get(name)
                if member is None:
                    self.undefined.add(name)
                else:
                    pending.append(self._take(member))

    def _take(self, item: ObjectFile) -> Iterator[str]:
        symbols = _of(item)
        self.taken.append(item)
        real = symbols.defined - symbols.common
        self.common = (self.common - real) | (symbols.common - self.defined)
        self.defined |= symbols.defined
        self.undefined -= symbols.defined
        for name in symbols.defined:
            self.lazy.pop(name, None)
        return iter(sorted(symbols.undefined))

    def offer(self, members: Sequence[ObjectFile]) -> bool:
        """Take the members that are needed; were there any? In order, what they need may stand before them."""
        rest = list(members)
        while needed := [member for member in rest if self._take_if_needed(member)]:
            rest = [member for member in rest if member not in needed]
            if self.search is Search.LATER:
                break
        return len(rest) < len(members)

    def _take_if_needed(self, member: ObjectFile) -> bool:
        symbols = _of(member)
        needed = not self.undefined.isdisjoint(symbols.defined)
        if self.search is Search.IN_ORDER:
            # To GNU's linker a common block is no definition while an archive has a real one.
            needed = needed or not self.common.isdisjoint(symbols.defined - symbols.common)
        if needed:
            self.add(member)
        elif self.search is Search.LATER:
            for name in symbols.defined - self.defined:
                self.lazy.setdefault(name, member)
        return needed

    def search_again(self, group: list[list[ObjectFile]]) -> None:
        """Search the archives of a group until none gives anything more; objects of archives are taken once."""
        while self.search is Search.IN_ORDER and sum(self._offer_rest(members) for members in group):
            pass

    def _offer_rest(self, members: list[ObjectFile]) -> bool:
        members[:] = [member for member in members if not any(member is item for item in self.taken)]
        return bool(members) and self.offer(members)


def _of(item: ObjectFile) -> Symbols:
    return item.symbols or Symbols()
