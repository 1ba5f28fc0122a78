"""A worker that starts before its job is known: it loads what it needs while the driver and the compilers run.

It is a copy of the driver's process, made when what both need is loaded and before the driver does anything. A worker
whose driver ends, or becomes another program, reads the end of its input and ends, too.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

from enzyme_build.shortcut import asks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

WAITS = "--wait"
"""What a worker is told instead of a job: that its file is named on the standard input."""
_WORKER = "enzyme_build.worker"
_SMALL = 1 << 24
"""Bytes of a file that is looked through."""


class Worker:
    """A process that waits for the name of a job's file. What it says goes to memory."""

    def __init__(self) -> None:
        reads, self._writes = os.pipe()
        self._code, tells = os.pipe()
        self._said = os.memfd_create("enzyme-worker")
        self.pid = os.fork()
        if not self.pid:
            os.close(self._writes)  # or the end of the driver would not be the end of the input
            _wait(reads, self._said, tells)
        os.close(reads)
        os.close(tells)

    def run(self, job_file: str) -> tuple[int, str]:
        """Do this job; gives the exit code (negative: the signal that ended it), and what was said."""
        import signal

        try:
            with os.fdopen(self._writes, "wb") as stream:
                stream.write(os.fsencode(job_file))
            code = self._exit_code()
        except BrokenPipeError:  # it ended before it was asked
            code = self._exit_code()
        except BaseException:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            raise
        with os.fdopen(self._said, "rb") as stream:
            stream.seek(0)
            return code, stream.read().decode(errors="replace")

    def _exit_code(self) -> int:
        """As it says itself when all is written: until its memory is given back, milliseconds pass."""
        with os.fdopen(self._code, "rb") as stream:
            told = stream.read(1)
        if not told:
            return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        _ending.append(self.pid)
        return told[0]


def _wait(reads: int, said: int, tells: int) -> NoReturn:
    """Be the worker, and nothing that this process was going to be."""
    code = 1
    try:
        for number, file in enumerate((reads, said, said)):
            os.dup2(file, number)
        sys.stdin, sys.stdout, sys.stderr = (
            os.fdopen(number, mode, encoding="utf-8", errors="surrogateescape", closefd=False)
            for number, mode in enumerate("rww")
        )
        code = import_module(_WORKER).start([WAITS])
    except BaseException:  # noqa: BLE001 - as it would end a program
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os.write(tells, bytes([code]))
        os._exit(code)


_waiting: list[Worker] = []
_ending: list[int] = []
"""Workers that have said all."""


def start_for(words: Sequence[str]) -> None:
    """Start a worker if a file on this line asks for derivatives. Failing to is no error: it is started later."""
    try:
        if any(map(_asks, words)):
            _waiting.append(Worker())
    except OSError:
        pass


def waiting() -> Worker | None:
    """The worker that was started, once."""
    return _waiting.pop() if _waiting else None


def end() -> None:
    """Wait for the end of a worker that has said all, before the driver ends: its time is part of the driver's."""
    while _ending:
        os.waitpid(_ending.pop(), 0)


def dismiss() -> None:
    """End the worker that was started, for which there is nothing to do."""
    import signal

    worker = waiting()
    if worker is not None:
        os.kill(worker.pid, signal.SIGKILL)
        os.waitpid(worker.pid, 0)


def _asks(word: str) -> bool:
    if word.startswith(("-", "@")):
        return False
    try:
        return os.stat(word).st_size <= _SMALL and asks(word, unreadable=False)  # noqa: PTH116
    except OSError:
        return False


def module_command(module: str, *arguments: str) -> list[str]:
    """The command that runs a module of this package in a process of its own.

    Never through the current folder (`-P`): a `types.py` there would stand in for the standard library's.
    """
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120
    code = f"import runpy, sys; sys.path.append({folder!r}); runpy.run_module({module!r}, None, '__main__', True)"
    return [sys.executable, "-P", "-c", code, *arguments]
