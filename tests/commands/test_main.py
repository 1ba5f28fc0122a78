"""The command line as a whole: lazily loaded commands, exit codes."""

from __future__ import annotations

import subprocess  # noqa: TID251
import sys
from importlib.util import find_spec

import pytest

from enzyme_build import __main__ as command_line
from enzyme_build.errors import EnzymeBuildError, ToolError
from enzyme_build.toolchain.process import Interrupted


@pytest.mark.parametrize("name", sorted(command_line.COMMANDS))
def test_each_command_has_its_file(name: str) -> None:
    assert find_spec(f"enzyme_build.commands.{name}")


def test_help_imports_no_command() -> None:
    code = (
        "import sys; from enzyme_build.__main__ import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: print([n for n in sys.modules if 'llvmlite' in n or '.commands.' in n])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (EnzymeBuildError("wrong", hint="do this"), 1, "error: wrong\n  hint: do this\n"),
        (ToolError("clang failed", stderr="details", returncode=3), 3, "error: clang failed\ndetails\n"),
        (Interrupted(15), 143, ""),
        (KeyError("a bug"), None, ""),
    ],
)
def test_errors_become_messages_and_exit_codes(
    error: BaseException,
    code: int | None,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(command_line.cli, "main", fail)
    monkeypatch.setattr(command_line.process, "raise_interrupts", lambda: None)
    if code is None:
        with pytest.raises(KeyError):
            command_line.main([])
        return
    with pytest.raises(SystemExit) as caught:
        command_line.main([])
    assert (caught.value.code, capsys.readouterr().err) == (code, message)


def test_an_unknown_command_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        command_line.main(["nonsense"])
    assert caught.value.code == 2
    assert "No such command 'nonsense'" in capsys.readouterr().err
