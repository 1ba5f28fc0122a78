"""Which objects and members take part in a link."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from enzyme_build.toolchain import resolve as module
from enzyme_build.toolchain.objects import ObjectFile, Symbols
from enzyme_build.toolchain.resolve import LinkInput, resolve

if TYPE_CHECKING:
    from pathlib import Path


class Files:
    """A link line of made-up objects: the readers of files are replaced."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.archives: dict[Path, list[ObjectFile]] = {}
        self.objects: dict[Path, ObjectFile] = {}

        def objects_in(path: Path) -> list[tuple[str, bytes, ObjectFile]]:
            return [(item.name, f"{path}:{index}".encode(), item) for index, item in enumerate(self.archives[path])]

        patch.setattr(module, "is_archive", lambda path: path in self.archives)
        patch.setattr(module, "objects_in", objects_in)
        patch.setattr(module, "read_object", lambda path: self.objects[path])

    def add(self, item: ObjectFile) -> LinkInput:
        self.objects[self.folder / item.name] = item
        return LinkInput(self.folder / item.name)

    def archive(self, name: str, *items: ObjectFile, whole: bool = False) -> LinkInput:
        self.archives[self.folder / name] = list(items)
        return LinkInput(self.folder / name, whole)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    return Files(tmp_path, monkeypatch)


def fat(name: str, defined: str = "", undefined: str = "") -> ObjectFile:
    return ObjectFile(name, (b"bitcode",), Symbols(frozenset(defined.split()), frozenset(undefined.split())))


def native(name: str, defined: str = "", undefined: str = "", *, shared: bool = False) -> ObjectFile:
    return ObjectFile(name, (), Symbols(frozenset(defined.split()), frozenset(undefined.split())), shared)


def no_symbols(_: ObjectFile) -> Symbols:
    raise AssertionError


def names(found: module.Resolution) -> list[str]:
    return [item.name for item in found.with_bitcode]


def test_objects_take_part_and_machine_code_keeps_names_visible(files: Files) -> None:
    inputs = [files.add(fat("a.o", "main", "g")), files.add(native("b.o", "g", "h")), files.add(fat("c.o", "h"))]
    found = resolve(inputs, no_symbols)
    assert names(found) == ["a.o", "c.o"]
    assert found.foreign_symbols == {"g", "h"}
    assert [path.name for path in found.consumed] == ["a.o", "c.o"]


def test_members_come_by_demand_and_bring_what_they_need(files: Files) -> None:
    library = files.archive("lib.a", fat("f.o", "f", "g"), fat("g.o", "g"), fat("unused.o", "u"))
    found = resolve([files.add(fat("a.o", "main", "f")), library], no_symbols)
    assert names(found) == ["a.o", "f.o", "g.o"]
    assert [path.name for path in found.consumed] == ["a.o"]


def test_an_archive_may_need_an_earlier_one(files: Files) -> None:
    first = files.archive("first.a", fat("g.o", "g"))
    second = files.archive("second.a", fat("f.o", "f", "g"))
    assert names(resolve([first, files.add(fat("a.o", "main", "f")), second], no_symbols)) == ["a.o", "f.o", "g.o"]


def test_the_first_definition_wins(files: Files) -> None:
    first = files.archive("first.a", fat("one.o", "f"))
    second = files.archive("second.a", fat("two.o", "f"))
    assert names(resolve([files.add(fat("a.o", "main", "f")), first, second], no_symbols)) == ["a.o", "one.o"]


def test_what_an_object_defines_is_not_searched(files: Files) -> None:
    library = files.archive("lib.a", fat("f.o", "f"))
    assert names(resolve([files.add(fat("a.o", "main f", "")), library], no_symbols)) == ["a.o"]


def test_wanted_names_pull_members(files: Files) -> None:
    library = files.archive("lib.a", fat("main.o", "main"))
    assert names(resolve([library], no_symbols, frozenset({"main"}))) == ["main.o"]


def test_a_shared_library_keeps_names_visible_but_pulls_nothing(files: Files) -> None:
    library = files.archive("lib.a", fat("f.o", "f"))
    found = resolve(
        [files.add(fat("a.o", "main")), files.add(native("x.so", "y", "f", shared=True)), library], no_symbols
    )
    assert names(found) == ["a.o"]
    assert found.foreign_symbols == {"y", "f"}


def test_a_whole_archive_takes_part_and_leaves_its_machine_code(files: Files) -> None:
    library = files.archive("lib.a", fat("f.o", "f"), native("n.o", "n"), whole=True)
    found = resolve([files.add(fat("a.o", "main")), library], no_symbols)
    assert names(found) == ["a.o", "f.o"]
    assert [name for name, _ in found.whole_archives[files.folder / "lib.a"]] == ["n.o"]


def test_symbols_of_bare_bitcode_are_asked_for(files: Files) -> None:
    bare = ObjectFile("f.bc", (b"bitcode",), None)
    library = files.archive("lib.a", bare)
    symbols = Symbols(frozenset({"f"}), frozenset())
    assert names(resolve([files.add(fat("a.o", "main", "f")), library], lambda _: symbols)) == ["a.o", "f.bc"]
