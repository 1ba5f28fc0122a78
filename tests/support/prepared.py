"""Drivers without their start: each runs in a copy of a process that has imported everything.

Half of the time of a small program's build is the start of two Pythons, the driver's and the link worker's, and what
they import. Whole programs are built by the thousand, and it is not their start that is tested there; the tests of the
drivers, the commands and the build tools start them as a user does.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import subprocess  # noqa: TID251 - the tests start the drivers as a user does
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STARTED = ("driver", "pipeline", "repeated")
PACKAGES = ("analysis", "differentiate", "ir", "llvm", "rules", "toolchain")
"""What a driver or a link may import."""
LATE = 124
"""The exit code of a command that was ended because its time was up, as that of `timeout`."""


class Prepared:
    """A process that waits for commands; one at a time."""

    def __init__(self, package: Path) -> None:
        """`package` is the folder with the package under test."""
        environment = os.environ | {"PYTHONPATH": str(package)}  # noqa: TID251
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        atexit.register(self.close)

    def run(
        self, entry: str, words: Sequence[str], seconds: int, folder: Path, environment: Mapping[str, str]
    ) -> subprocess.CompletedProcess[str]:
        """What `enzyme_build.drivers.entry` does with these words in a process of its own."""
        with tempfile.TemporaryDirectory() as name:
            said = [Path(name, "stdout"), Path(name, "stderr")]
            request = {"entry": entry, "words": list(words), "seconds": seconds, "folder": str(folder),
                       "environment": dict(environment), "said": [str(path) for path in said]}  # fmt: skip
            assert self._process.stdin
            assert self._process.stdout
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            code = int(self._process.stdout.readline())
            stdout, stderr = (path.read_text(errors="replace") for path in said)
        if code == LATE:
            stderr += f"error: no end after {seconds} s"
        return subprocess.CompletedProcess([entry, *words], code, stdout, stderr)

    def close(self) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


_OF_THREAD = threading.local()


def prepared(package: Path) -> Prepared:
    """The one of this thread, started when it is first asked for."""
    if not hasattr(_OF_THREAD, "process"):
        _OF_THREAD.process = Prepared(package)
    return _OF_THREAD.process


def _serve() -> None:
    """Answer requests, a line each, with the exit code of a copy; to be returned from in each copy."""
    import enzyme_build
    from enzyme_build import drivers, early, worker
    from enzyme_build.toolchain import process

    for name in STARTED:
        importlib.import_module(f"enzyme_build.{name}")
    for package in PACKAGES:
        for module in pkgutil.iter_modules([str(Path(enzyme_build.__file__).parent / package)]):
            importlib.import_module(f"enzyme_build.{package}.{module.name}")
    started, command_of_worker = process.run, early.module_command("enzyme_build.worker")

    def run(command: Sequence[str], **options: Any) -> process.Completed:
        if list(command[:-1]) != command_of_worker:
            return started(command, **options)
        return _copied(lambda: worker.main([command[-1]]))

    process.run = run
    early.start_for = lambda _: None
    gc.collect()
    gc.freeze()  # the copies share it
    for line in sys.stdin:
        request = json.loads(line)
        copy = os.fork()
        if copy == 0:
            _become(request)
            getattr(drivers, request["entry"])()
        print(_ended(copy, request["seconds"]), flush=True)


def _become(request: dict[str, Any]) -> None:
    os.setpgid(0, 0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    for number, path in enumerate(request["said"], 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    os.environ.clear()  # noqa: TID251
    os.environ.update(request["environment"])  # noqa: TID251
    os.chdir(request["folder"])
    sys.argv = [request["entry"], *request["words"]]


def _ended(copy: int, seconds: float) -> int:
    """Its exit code, negative for a signal; with all that it started it is ended when its time is up."""
    handle = os.pidfd_open(copy)
    late = not select.select([handle], [], [], seconds)[0]
    os.close(handle)
    if late:
        with contextlib.suppress(ProcessLookupError):  # it may end meanwhile
            os.killpg(copy, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
    return LATE if late else code


def _copied(body: Any) -> Any:
    """Run `body` in a copy of this process: what it said and its exit code, as `process.run` would tell them."""
    from enzyme_build.toolchain import process

    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        copy = os.fork()
        if copy == 0:
            code = 1
            try:
                os.dup2(stdout.fileno(), 1)
                os.dup2(stderr.fileno(), 2)
                code = body()
            except BaseException:  # noqa: BLE001 - as it would end a process of its own
                sys.excepthook(*sys.exc_info())
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
        stdout.seek(0)
        stderr.seek(0)
        return process.Completed(code, *(file.read().decode(errors="replace") for file in (stdout, stderr)))


if __name__ == "__main__":
    _serve()
