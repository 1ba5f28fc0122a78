"""Command lines by their words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from enzyme_build.errors import ConfigError
from enzyme_build.toolchain.arguments import (
    CommandLine,
    Kind,
    Step,
    library_folders_named,
    linker_words,
    parse,
    parse_linker,
    symbols_named_by_linker_options,
    values_of_linker_option,
)

if TYPE_CHECKING:
    from pathlib import Path


def parse_text(line: str) -> CommandLine:
    return parse(line.split())


@pytest.mark.parametrize(
    ("line", "step"),
    [
        ("a.c", Step.LINK),
        ("-c a.c", Step.COMPILE),
        ("a.c -c -o a.o", Step.COMPILE),
        ("-S a.c", Step.OTHER),
        ("-c -S a.c", Step.OTHER),
        ("-E a.c", Step.OTHER),
        ("-MM a.c", Step.OTHER),
        ("-M a.c", Step.OTHER),
        ("-fsyntax-only a.c", Step.OTHER),
        ("--version", Step.OTHER),
        ("-print-search-dirs", Step.OTHER),
        ("-c -MD -MF a.d a.c", Step.COMPILE),
    ],
)
def test_step(line: str, step: Step) -> None:
    assert parse_text(line).step is step


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("-I dir", Kind.COMPILE),
        ("-Idir", Kind.COMPILE),
        ("-D X=1", Kind.COMPILE),
        ("-include pre.h", Kind.COMPILE),
        ("-isystem dir", Kind.COMPILE),
        ("-MF a.d", Kind.COMPILE),
        ("-Xclang -opt", Kind.COMPILE),
        ("-std=c11", Kind.COMPILE),
        ("-Wall", Kind.COMPILE),
        ("-Werror=format", Kind.COMPILE),
        ("-Wl,-rpath,x", Kind.LINK),
        ("-Xlinker -z", Kind.LINK),
        ("-L dir", Kind.LINK),
        ("-Ldir", Kind.LINK),
        ("-shared", Kind.LINK),
        ("-static", Kind.LINK),
        ("-rdynamic", Kind.LINK),
        ("-fuse-ld=lld", Kind.LINK),
        ("-z now", Kind.LINK),
        ("-target x86_64-linux-gnu", Kind.BOTH),
        ("--sysroot dir", Kind.BOTH),
        ("-O2", Kind.BOTH),
        ("-march=native", Kind.BOTH),
        ("-pthread", Kind.BOTH),
        ("-fopenmp", Kind.BOTH),
        ("-g", Kind.BOTH),
        ("-fno-rtti", Kind.BOTH),
        ("-std=gnu99", Kind.COMPILE),
        ("-save-temps", Kind.BOTH),
        ("-stdlib=libc++", Kind.BOTH),
        ("-lm", Kind.INPUT),
        ("x.o", Kind.INPUT),
        ("lib.a", Kind.INPUT),
        ("a.c", Kind.SOURCE),
        ("a.cpp", Kind.SOURCE),
        ("-", Kind.SOURCE),
    ],
)
def test_kind_of_an_argument(words: str, kind: Kind) -> None:
    (argument,) = parse_text(words).arguments
    assert (argument.kind, " ".join(argument.words)) == (kind, words)


@pytest.mark.parametrize("line", ["-o out", "-oout"])
def test_output(line: str) -> None:
    assert parse([*line.split(), "a.c"]).output == "out"


def test_a_separate_library_name_is_joined() -> None:
    assert parse(["-l", "m"]).words(Kind.INPUT) == ["-lm"]


@pytest.mark.parametrize(
    "line",
    [
        "-Lone -L two -la",
        "-Wl,-Lone,-L,two,-la",
        "-Wl,-L,one -Xlinker -Ltwo -Xlinker -la",
        "-Wl,--library-path=one,--library-path,two,--library=a",
        "-L one -Wl,--library-path=two,--library,a",
    ],
)
def test_folders_and_libraries_in_every_spelling(line: str) -> None:
    for parsed in (
        parse_text(line),
        parse_linker(line.replace("-Wl,", "").replace("-Xlinker", "").replace(",", " ").split()),
    ):
        assert library_folders_named(parsed) == ["one", "two"]
        assert parsed.words(Kind.INPUT) == ["-la"]


def test_language_by_position() -> None:
    line = parse(["a.c", "-x", "c++", "b.c", "-xnone", "c.c", "d.o"])
    assert [argument.language for argument in line.of(Kind.SOURCE)] == ["", "c++", ""]


def test_whole_archive_and_static_by_position() -> None:
    line = parse_text("a.a -Wl,--whole-archive b.a -Wl,--no-whole-archive c.a -Wl,-Bstatic -ld -Wl,-Bdynamic -le")
    inputs = line.of(Kind.INPUT)
    assert [argument.whole for argument in inputs] == [False, True, False, False, False]
    assert [argument.static for argument in inputs] == [False, False, False, True, False]


def test_response_files_nest_and_quote(tmp_path: Path) -> None:
    (tmp_path / "inner").write_text("-DNAME='a b' b.c\n")
    (tmp_path / "outer").write_text(f'a.c\n@{tmp_path / "inner"} -o "my out"')
    line = parse([f"@{tmp_path / 'outer'}", "@missing"])
    assert line.words(Kind.SOURCE) == ["a.c", "b.c"]
    assert line.words(Kind.COMPILE) == ["-DNAME=a b"]
    assert line.words(Kind.INPUT) == ["@missing"]
    assert line.output == "my out"


def test_our_own_options_are_taken_out() -> None:
    line = parse_text("--save-stages dir -fenzyme-loose-types --ad-before-opt a.c")
    assert line.ours == {"save-stages": "dir", "loose-types": "1", "ad-before-opt": "1"}
    assert [argument.text for argument in line.arguments] == ["a.c"]


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(ConfigError, match="argument to '-o' is missing"):
        parse(["a.c", "-o"])


def test_an_export_names_a_function() -> None:
    with pytest.raises(ConfigError, match="'-fenzyme-export' names no function"):
        parse(["-c", "a.c", "-fenzyme-export"])


def test_linker_words_are_opened() -> None:
    assert linker_words(parse_text("-Wl,-z,now -Xlinker --gc-sections -s")) == ["-z", "now", "--gc-sections", "-s"]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("-u f", ["f"]),
        ("-Wl,-u,f", ["f"]),
        ("-Wl,--undefined=f", ["f"]),
        ("-Wl,-e,start", ["start"]),
        ("-Wl,--defsym=a=b", ["a", "b"]),
        ("-Wl,--wrap,malloc", ["malloc", "__wrap_malloc", "__real_malloc"]),
        ("-Wl,--export-dynamic-symbol=f", ["f"]),
        ("-shared -Wl,-soname,x", []),
    ],
)
def test_symbols_that_linker_options_name(line: str, names: list[str]) -> None:
    assert symbols_named_by_linker_options(parse_text(line)) == names


def inputs_of(line: str) -> list[tuple[str, bool, bool, int, bool]]:
    found = parse(line.split()).of(Kind.INPUT)
    return [(one.text, one.whole, one.static, one.group, one.lazy) for one in found]


def test_inputs_inside_options_of_the_linker_stand_for_themselves() -> None:
    line = "a.o -Wl,--whole-archive,libb.a,--no-whole-archive,-lc -Xlinker -ld -Wl,-rpath,/x,libe.so"
    assert inputs_of(line) == [
        ("a.o", False, False, 0, False),
        ("libb.a", True, False, 0, False),
        ("-lc", False, False, 0, False),
        ("-ld", False, False, 0, False),
        ("libe.so", False, False, 0, False),
    ]
    words = parse(line.split()).words(Kind.LINK)
    assert words[:2] == ["-Xlinker", "--whole-archive"]
    assert words[-4:] == ["-Xlinker", "-rpath", "-Xlinker", "/x"]


@pytest.mark.parametrize("line", ["-Wl,-soname,libx.so", "-Wl,-Map,out.a", "-Wl,--version-script,x.o", "-Wl,-z,now"])
def test_values_of_linker_options_are_no_inputs(line: str) -> None:
    assert inputs_of(line) == []
    assert parse([line]).words(Kind.LINK) == [line]


def test_groups_and_saved_states() -> None:
    line = "-Wl,--start-group liba.a libb.a -Wl,--end-group libc.a -Wl,-(,libd.a,-)"
    assert [(text, group) for text, _, _, group, _ in inputs_of(line)] == [
        ("liba.a", 1),
        ("libb.a", 1),
        ("libc.a", 0),
        ("libd.a", 2),
    ]
    line = "-Wl,--push-state,--whole-archive,-Bstatic -la -Wl,--pop-state -lb -Wl,--start-lib c.o -Wl,--end-lib d.o"
    assert inputs_of(line) == [
        ("-la", True, True, 0, False),
        ("-lb", False, False, 0, False),
        ("c.o", False, False, 0, True),
        ("d.o", False, False, 0, False),
    ]


def test_values_of_a_linker_option() -> None:
    line = parse(["-Wl,--wrap=f", "-Wl,--wrap,g", "-Xlinker", "-wrap", "-Xlinker", "h", "-Wl,--wrapped=x"])
    assert values_of_linker_option(line, "wrap") == ["f", "g", "h"]


def test_response_files_of_the_linker_are_read(tmp_path: Path) -> None:
    (tmp_path / "inner").write_text("liba.a --whole-archive libb.a")
    assert [(text, whole) for text, whole, *_ in inputs_of(f"-Wl,@{tmp_path}/inner c.o")] == [
        ("liba.a", False),
        ("libb.a", True),
        ("c.o", True),
    ]
