"""Processes and output files: the one door to other programs.

A child that fails never leaves half an output: what it writes goes to a temporary name beside the target and is renamed
when complete. SIGINT and SIGTERM become `Interrupted`, which kills the running child and unwinds through the clean-up.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import sys
from _thread import get_ident
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from enzyme_build.errors import ToolError
from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import FrameType


class Interrupted(BaseException):
    """The user or the build tool asked us to stop; `signal` says how."""

    def __init__(self, number: int) -> None:
        super().__init__(f"interrupted by signal {number}")
        self.signal = number


@dataclass(frozen=True)
class Completed:
    returncode: int
    stdout: str
    stderr: str


def raise_interrupts() -> None:
    """Turn SIGINT and SIGTERM into `Interrupted` for this process."""

    def handler(number: int, _frame: FrameType | None) -> NoReturn:
        raise Interrupted(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handler)


def run(  # noqa: PLR0913 - each is one property of a process
    command: Sequence[str],
    *,
    capture: bool = True,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    verbose: bool = False,
    stdin: str | None = None,
) -> Completed:
    """Run `command` to its end; without `capture` its output goes to ours. Raises ToolError when it cannot start."""
    import subprocess  # noqa: TID251

    if verbose:
        sys.stderr.write(shlex.join(command) + "\n")
        sys.stderr.flush()
    pipe = subprocess.PIPE if capture else None
    feed = subprocess.PIPE if stdin is not None else (subprocess.DEVNULL if capture else None)
    try:
        child = subprocess.Popen(
            list(command),
            stdin=feed,
            stdout=pipe,
            stderr=pipe,
            cwd=cwd,
            env=dict(environment) if environment is not None else None,
            text=True,
            errors="replace",
        )
    except OSError as error:
        raise ToolError(f"cannot run '{command[0]}': {error.strerror}", command=command, returncode=127) from error
    try:
        stdout, stderr = child.communicate(stdin)
    except BaseException:
        child.kill()
        child.wait()
        raise
    return Completed(child.returncode, stdout or "", stderr or "")


def check(completed: Completed, command: Sequence[str], what: str) -> Completed:
    """`completed` again when it succeeded, otherwise a ToolError that says `what` failed."""
    if completed.returncode == 0:
        return completed
    raise ToolError(
        f"{what} failed with {describe_exit(completed.returncode)}",
        command=command,
        stderr=completed.stderr,
        returncode=exit_code(completed.returncode),
    )


def describe_exit(returncode: int) -> str:
    if returncode >= 0:
        return f"exit code {returncode}"
    with contextlib.suppress(ValueError):
        return f"signal {signal.Signals(-returncode).name}"
    return f"signal {-returncode}"


def exit_code(returncode: int) -> int:
    """The shell's convention for a child killed by a signal."""
    return returncode if returncode >= 0 else 128 - returncode


def replace(command: Sequence[str], *, verbose: bool = False) -> NoReturn:
    """Become `command`: its diagnostics, exit code and signals are then exactly its own."""
    if verbose:
        sys.stderr.write(shlex.join(command) + "\n")
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        os.execv(command[0], list(command))  # noqa: S606
    except OSError as error:
        raise ToolError(f"cannot run '{command[0]}': {error.strerror}", command=command, returncode=127) from error


@contextlib.contextmanager
def completed_file(target: Path) -> Iterator[Path]:
    """A temporary path beside `target` that becomes `target` when the block ends without an exception.

    What is written to a device or pipe (`-o /dev/null`) goes into it: it must not be replaced by a file.
    """
    if target.exists() and not target.is_file() and not target.is_dir():
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            written = Path(folder) / f"output{target.suffix}"
            yield written
            try:
                target.write_bytes(written.read_bytes() if written.exists() else b"")
            except OSError as error:
                raise ToolError(f"cannot write '{target}': {error.strerror}") from error
        return
    if not os.access(target.parent, os.W_OK):
        reason = "permission denied" if target.parent.is_dir() else "no such folder"
        raise ToolError(f"cannot write '{target}': {reason}")
    temporary = target.with_name(f".{target.name}.{os.getpid()}.{get_ident()}{target.suffix}")
    try:
        yield temporary
        if temporary.exists():
            temporary.replace(target)
    except OSError as error:
        raise ToolError(f"cannot write '{target}': {error.strerror}") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
