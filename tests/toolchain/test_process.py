"""Processes and complete files."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from enzyme_build.errors import ToolError
from enzyme_build.toolchain import process


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_output_and_exit_code() -> None:
    done = process.run(python("import sys; print('out'); sys.stderr.write('err'); sys.exit(3)"))
    assert (done.returncode, done.stdout, done.stderr) == (3, "out\n", "err")


def test_a_failure_is_named_with_its_stderr() -> None:
    command = python("import sys; sys.stderr.write('no space left'); sys.exit(3)")
    with pytest.raises(ToolError, match="linking failed with exit code 3") as caught:
        process.check(process.run(command), command, "linking")
    assert (caught.value.stderr, caught.value.returncode) == ("no space left", 3)


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(ToolError, match="cannot run '/nowhere/clang': No such file"):
        process.run(["/nowhere/clang"])


def test_death_by_signal() -> None:
    done = process.run(python("import os, signal; os.kill(os.getpid(), signal.SIGABRT)"))
    assert process.describe_exit(done.returncode) == "signal SIGABRT"
    assert process.exit_code(done.returncode) == 134


def test_a_complete_file_appears_at_once(tmp_path: Path) -> None:
    target = tmp_path / "x.o"
    with process.completed_file(target) as temporary:
        temporary.write_text("content")
        assert not target.exists()
    assert target.read_text() == "content"
    assert [path.name for path in tmp_path.iterdir()] == ["x.o"]


def test_a_failure_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "x.o"
    target.write_text("old")
    with pytest.raises(process.Interrupted), process.completed_file(target) as temporary:  # noqa: PT012
        temporary.write_text("half")
        raise process.Interrupted(2)
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["x.o"]


def test_a_folder_that_is_not_there() -> None:
    with (
        pytest.raises(ToolError, match=r"cannot write '/nowhere/x.o': no such folder"),
        process.completed_file(Path("/nowhere/x.o")),
    ):
        pass


def test_pipes_and_devices_are_written_to(tmp_path: Path) -> None:
    """As `-o /dev/null`, which root could replace by a file."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR)
    try:
        with process.completed_file(pipe) as temporary:
            temporary.write_bytes(b"made")
        assert os.read(reader, 100) == b"made"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert [*tmp_path.iterdir()] == [pipe]
