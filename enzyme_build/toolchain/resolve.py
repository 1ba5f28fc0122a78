"""Resolve: which objects and archive members take part in a link.

Explicit objects all do; an archive member does when it defines a symbol that is still undefined, or when its archive
is linked whole. Archives are searched until nothing changes, whatever their order: what a stricter linker would refuse
it refuses later.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from enzyme_build.toolchain.objects import ObjectFile, Symbols, is_archive, objects_in, read_object

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


@dataclass(frozen=True)
class LinkInput:
    """A file on the link line."""

    path: Path
    whole: bool = False
    """Every member of the archive takes part (`--whole-archive`)."""


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


def resolve(
    inputs: Sequence[LinkInput],
    bitcode_symbols: Callable[[ObjectFile], Symbols],
    wanted: frozenset[str] = frozenset(),
) -> Resolution:
    """The objects that linking `inputs` takes; `wanted` are names needed from outside (`main`, exports)."""

    def load(found: ObjectFile) -> ObjectFile:
        return found if found.symbols is not None else replace(found, symbols=bitcode_symbols(found))

    taken: list[ObjectFile] = []
    consumed: list[Path] = []
    whole: dict[Path, list[tuple[str, bytes]]] = {}
    archives: list[list[ObjectFile]] = []
    for given in inputs:
        if is_archive(given.path):
            members = []
            plain = []
            for name, data, found in objects_in(given.path):
                if found is not None:
                    members.append(load(found))
                if found is None or not found.bitcode:
                    plain.append((name, data))
            if given.whole:
                taken += members
                if any(member.bitcode for member in members):
                    whole[given.path] = plain
            else:
                archives.append(members)
            continue
        found = read_object(given.path)
        if found is not None:
            taken.append(load(found))
            if found.bitcode:
                consumed.append(given.path)
    taken += _on_demand(taken, archives, wanted)
    machine_code = tuple(item for item in taken if not item.bitcode)
    foreign = frozenset[str]().union(*(_of(item).mentioned for item in machine_code))
    defined = frozenset[str]().union(*(_of(item).defined for item in taken))
    needed = (_of(item).undefined for item in machine_code if not item.is_shared)
    undefined = frozenset[str]().union(*needed) - defined
    with_bitcode = tuple(item for item in taken if item.bitcode)
    return Resolution(with_bitcode, machine_code, foreign, defined, undefined, tuple(consumed), whole)


def _on_demand(
    taken: Sequence[ObjectFile], archives: Sequence[list[ObjectFile]], wanted: frozenset[str]
) -> list[ObjectFile]:
    """The members of `archives` that define what is undefined, and what those need in turn."""
    definer: dict[str, ObjectFile] = {}
    for members in archives:
        for member in members:
            for name in _of(member).defined:
                definer.setdefault(name, member)
    defined = {name for item in taken for name in _of(item).defined}
    open_names = {name for item in taken if not item.is_shared for name in _of(item).undefined} | wanted
    pulled: dict[str, ObjectFile] = {}
    while open_names := {name for name in open_names - defined if name in definer}:
        new = {definer[name].name: definer[name] for name in sorted(open_names)}
        pulled |= new
        for member in new.values():
            defined |= _of(member).defined
            open_names |= _of(member).undefined
    return list(pulled.values())


def _of(item: ObjectFile) -> Symbols:
    return item.symbols or Symbols()
