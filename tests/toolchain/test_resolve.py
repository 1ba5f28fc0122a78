"""Which objects and members take part in a link."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from enzyme_build.toolchain import resolve as module
from enzyme_build.toolchain.objects import ObjectFile, Symbols
from enzyme_build.toolchain.resolve import LinkInput, Search, resolve

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


def test_a_shared_library_keeps_names_visible_and_needs_what_it_lacks(files: Files) -> None:
    library = files.archive("lib.a", fat("f.o", "f"), fat("y.o", "y"))
    shared = files.add(native("x.so", "y", "f", shared=True))
    found = resolve([files.add(fat("a.o", "main", "y")), shared, library], no_symbols)
    assert names(found) == ["a.o", "f.o"]
    assert found.foreign_symbols == {"y", "f"}
    assert found.undefined == frozenset()


def test_an_archive_before_a_shared_library_comes_first(files: Files) -> None:
    library = files.archive("lib.a", fat("y.o", "y"))
    shared = files.add(native("x.so", "y", shared=True))
    assert names(resolve([files.add(fat("a.o", "main", "y")), library, shared], no_symbols)) == ["a.o", "y.o"]


@pytest.mark.parametrize(("search", "taken"), [(Search.LATER, "one.o"), (Search.IN_ORDER, "two.o")])
def test_an_archive_before_what_needs_it(files: Files, search: Search, taken: str) -> None:
    first, second = files.archive("first.a", fat("one.o", "f")), files.archive("second.a", fat("two.o", "f"))
    found = resolve([first, files.add(fat("a.o", "main", "f")), second], no_symbols, search=search)
    assert names(found) == ["a.o", taken]


def test_members_of_one_archive_need_each_other_in_any_order(files: Files) -> None:
    library = files.archive("lib.a", fat("h.o", "h"), fat("g.o", "g", "h"), fat("f.o", "f", "g"))
    found = resolve([files.add(fat("a.o", "main", "f")), library], no_symbols, search=Search.IN_ORDER)
    assert set(names(found)) == {"a.o", "f.o", "g.o", "h.o"}


@pytest.mark.parametrize(("group", "taken"), [(0, "three.o"), (1, "one.o")])
def test_archives_of_a_group_are_searched_again(files: Files, group: int, taken: str) -> None:
    first = replace(files.archive("first.a", fat("one.o", "g")), group=group)
    second = replace(files.archive("second.a", fat("f.o", "f", "g")), group=group)
    line = [files.add(fat("a.o", "main", "f")), first, second, files.archive("third.a", fat("three.o", "g"))]
    assert names(resolve(line, no_symbols, search=Search.IN_ORDER)) == ["a.o", "f.o", taken]


def test_an_archive_that_stands_too_early_is_better_than_none(files: Files) -> None:
    library = files.archive("lib.a", fat("f.o", "f"))
    found = resolve([library, files.add(fat("a.o", "main", "f"))], no_symbols, search=Search.IN_ORDER)
    assert names(found) == ["a.o", "f.o"]


def test_an_archive_may_stand_on_the_line_twice(files: Files) -> None:
    first, second = files.archive("first.a", fat("g.o", "g")), files.archive("second.a", fat("f.o", "f", "g"))
    line = [files.add(fat("a.o", "main", "f")), first, second, first]
    assert names(resolve(line, no_symbols, search=Search.IN_ORDER)) == ["a.o", "f.o", "g.o"]


def test_a_weak_reference_pulls_nothing(files: Files) -> None:
    user = ObjectFile("a.o", (b"bitcode",), Symbols(frozenset({"main"}), weak=frozenset({"f"})))
    library = files.archive("lib.a", fat("f.o", "f"))
    assert names(resolve([files.add(user), library], no_symbols)) == ["a.o"]


@pytest.mark.parametrize(("search", "taken"), [(Search.LATER, ["a.o"]), (Search.IN_ORDER, ["a.o", "d.o"])])
def test_a_real_definition_for_a_common_block(files: Files, search: Search, taken: list[str]) -> None:
    user = ObjectFile("a.o", (b"bitcode",), Symbols(frozenset({"main", "c"}), common=frozenset({"c"})))
    library = files.archive("lib.a", fat("d.o", "c"))
    assert names(resolve([files.add(user), library], no_symbols, search=search)) == taken


def test_lazy_objects_take_part_when_they_are_needed(files: Files) -> None:
    needed, other = files.add(fat("f.o", "f")), files.add(fat("u.o", "u"))
    lazy = [replace(needed, lazy=True), replace(other, lazy=True)]
    found = resolve([files.add(fat("a.o", "main", "f")), *lazy], no_symbols)
    assert names(found) == ["a.o", "f.o"]
    assert [path.name for path in found.consumed] == ["a.o", "f.o"]


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
