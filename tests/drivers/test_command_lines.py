"""What the compiler below is told, with a compiler that records its arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from enzyme_build.toolchain.bitcode import BITCODE_MAGIC
from enzyme_build.toolchain.clang import ATTRIBUTE_FLAGS

if TYPE_CHECKING:
    from conftest import Shell

FLAGS = ["-fno-unroll-loops", "-flto=thin", "-ffat-lto-objects"]


class Recorder:
    """Runs the driver over a fake compiler and gives back the lines that it was called with."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.log = shell.folder.parent / "calls"
        answer = shell.folder.parent / "answer.bc"
        answer.write_bytes(BITCODE_MAGIC + bytes([0x21, 0, 0, 0, 0, 0, 0, 0]) + b"")
        self.program = shell.folder.parent / "fakecc"
        self.program.write_text(
            f"""#!/bin/sh
printf '%s\\037' "$@" >> "{self.log}"; echo >> "{self.log}"
case "$*" in *fail.c*) echo "fail.c:1:1: error: as asked" >&2; exit 5;; esac
while [ $# -gt 0 ]; do
  case "$1" in -o) out="$2"; shift;; esac; shift
done
[ "$out" ] && cp "{answer}" "$out"
exit 0
"""
        )
        self.program.chmod(0o755)

    def calls(self, line: str) -> list[list[str]]:
        environment = {"ENZYME_CC": str(self.program), "ENZYME_CACHE_DIR": str(self.shell.folder.parent / "cache")}
        self.shell.cc("-c plain.c", **environment)  # probes
        self.log.unlink()
        self.done = self.shell.cc(line, **environment)
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.with_attributes = [line.split("\037")[:-1] for line in lines]
        return [[word for word in words if word not in ATTRIBUTE_FLAGS] for words in self.with_attributes]


@pytest.fixture
def recorder(shell: Shell) -> Recorder:
    return Recorder(shell)


def test_compiling_adds_flags_and_keeps_the_users_in_order(recorder: Recorder) -> None:
    (call,) = recorder.calls("-Wall -DX=1 -O2 -c f.c -o f.o")
    assert call[:7] == ["-Wall", "-DX=1", "-O2", "f.c", "-o", "f.o", FLAGS[0]]
    assert set(FLAGS) < set(call)
    assert call[-1] == "-c"


@pytest.mark.parametrize("line", ["-c f.c", "-E f.c", "-S f.c -o f.s", "-fsyntax-only f.c", "-c f.s f.c"])
def test_c_sources_get_our_attributes_first_so_that_users_can_undefine_them(recorder: Recorder, line: str) -> None:
    recorder.calls(line)
    (call,) = recorder.with_attributes
    assert tuple(call[: len(ATTRIBUTE_FLAGS)]) == ATTRIBUTE_FLAGS


@pytest.mark.parametrize("line", ["-c f.s", "-c -x assembler-with-cpp f.c", "-c f.ll", "--version", "-cc1 f.c"])
def test_others_get_no_attributes(recorder: Recorder, line: str) -> None:
    (call,) = recorder.calls(line)
    assert recorder.with_attributes == [call]


def test_several_sources_are_compiled_in_one_call(recorder: Recorder) -> None:
    (call,) = recorder.calls("-c f.c grad.c")
    assert call[:2] == ["f.c", "grad.c"]


def test_language_options_stay_with_their_source(recorder: Recorder) -> None:
    (call,) = recorder.calls("-c -x c++ f.c -x none grad.c")
    assert " ".join(call).startswith("-x c++ f.c -x none grad.c")


@pytest.mark.parametrize(
    "line", ["-E f.c", "-S f.c -o f.s", "-MM f.c", "-fsyntax-only f.c", "--version", "-print-search-dirs", "-v"]
)
def test_other_steps_pass_through_unchanged(recorder: Recorder, line: str) -> None:
    assert recorder.calls(line) == [line.split()]


def test_an_empty_line_passes_through(recorder: Recorder) -> None:
    assert recorder.calls("") == [[""]]  # printf writes one empty word for none


def test_our_options_never_reach_the_compiler(recorder: Recorder) -> None:
    assert recorder.calls("-E --save-stages d f.c -fenzyme-loose-types") == [["-E", "f.c"]]


def test_linking_without_a_request_passes_the_line_unchanged(recorder: Recorder) -> None:
    (recorder.shell.folder / "x.o").write_bytes(b"nothing to see")
    line = "-O2 x.o -L. -Wl,--as-needed -lm -o prog -pthread"
    assert recorder.calls(line) == [line.split()]


def test_compile_and_link_compiles_each_source_and_keeps_the_order(recorder: Recorder) -> None:
    (recorder.shell.folder / "x.o").write_bytes(b"nothing to see")
    first, second, last = recorder.calls("f.c x.o -DX grad.c -lm -Wl,-s -o prog")
    for call, source in ((first, "f.c"), (second, "grad.c")):
        assert "-DX" in call
        assert set(FLAGS) < set(call)
        assert source in call
        assert not {"-lm", "-Wl,-s", "x.o", "prog"} & set(call)
    objects = [first[first.index("-o") + 1], second[second.index("-o") + 1]]
    assert last == [objects[0], "x.o", "-DX", objects[1], "-lm", "-Wl,-s", "-o", "prog"]


def test_dependency_files_are_named_as_clang_would(recorder: Recorder) -> None:
    call, _ = recorder.calls("-MD f.c -o out/prog")
    assert call[call.index("-MF") + 1] == "out/prog.d"
    assert call[call.index("-MQ") + 1] == "out/prog"


def test_assembler_sources_get_none_of_our_flags(recorder: Recorder) -> None:
    (recorder.shell.folder / "x.s").write_text("")
    (call,) = recorder.calls("-c x.s")
    assert call == ["x.s", "-c"]


@pytest.mark.parametrize("line", ["-c fail.c", "fail.c -o prog", "f.c fail.c grad.c -o prog"])
def test_the_compilers_exit_code_and_message_are_ours(recorder: Recorder, line: str) -> None:
    calls = recorder.calls(line)
    assert recorder.done.returncode == 5
    assert recorder.done.stderr == "fail.c:1:1: error: as asked\n"
    assert "fail.c" in calls[-1]


def test_verbose_prints_what_is_run(recorder: Recorder) -> None:
    recorder.calls("-c f.c")
    done = recorder.shell.cc(
        "-c f.c",
        ENZYME_VERBOSE="1",
        ENZYME_CC=str(recorder.program),
        ENZYME_CACHE_DIR=str(recorder.shell.folder.parent / "cache"),
    )
    assert done.stderr.startswith(f"{recorder.program} ")
    assert " f.c -fno-unroll-loops" in done.stderr


@pytest.mark.parametrize("line", ["x.h -o x.h.pch", "-x c-header f.c -o x.pch", "-c x.h"])
def test_precompiled_headers_are_placed_like_the_code_that_includes_them(recorder: Recorder, line: str) -> None:
    assert recorder.calls(line) == [["-fPIC", *line.split()]]
    assert recorder.calls(f"-fpie {line}") == [["-fpie", *line.split()]]


def test_a_response_file_for_the_linker_is_passed_on_unopened(recorder: Recorder) -> None:
    (recorder.shell.folder / "line").write_text("x.o -lm")
    (recorder.shell.folder / "x.o").write_bytes(b"nothing to see")
    assert recorder.calls("@line -o prog") == [["@line", "-o", "prog"]]


def test_a_driver_that_names_itself_is_an_error(shell: Shell) -> None:
    done = shell.cc("-c f.c", ENZYME_CC="/usr/bin/enzyme-cc")
    assert done.returncode == 1
    assert done.stderr.startswith("error: ENZYME_CC names our own driver")


def test_the_baseline_starts_from_code_as_written(recorder: Recorder) -> None:
    (call,) = recorder.calls("--ad-before-opt -O2 -c f.c -o f.o")
    assert "--ad-before-opt" not in call
    assert call.index("-O0") > call.index("-O2")


def test_a_language_ends_where_the_next_source_has_another(recorder: Recorder) -> None:
    (call,) = recorder.calls("-c -x c f.txt -x none grad.c -O2")
    assert call[:6] == ["-x", "c", "f.txt", "-x", "none", "grad.c"]
    (call,) = recorder.calls("-c -x c f.txt -O2")
    assert "none" not in call
