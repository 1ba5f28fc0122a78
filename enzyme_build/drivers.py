"""The console scripts `enzyme-cc`, `enzyme-c++`, `enzyme-fc` and `enzyme-ld`: where a driver starts.

A line that needs nothing of ours is handed to the compiler before the rest of the package is even loaded.
"""

from __future__ import annotations

import gc
import os
import sys

from enzyme_build.shortcut import is_plain, is_relocatable, recalled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


_ONE_FILE = ("-c", "-E", "-S", "-M", "-MM", "-fsyntax-only")


def cc() -> NoReturn:
    """The console script `enzyme-cc`."""
    _start("c")


def cxx() -> NoReturn:
    """The console script `enzyme-c++`."""
    _start("c++")


def fc() -> NoReturn:
    """The console script `enzyme-fc`."""
    _start("f95")


def ld() -> NoReturn:
    """The console script `enzyme-ld`."""
    _start("ld")


_SPELLINGS = {"-module": "-module-dir"}
"""What build tools (fpm) say to a Fortran compiler that they do not know by its name, as flang says it."""
LAUNCHED = "-fenzyme-launcher"
"""Before a compiler's whole command: the driver runs in its place. Build tools that let a launcher be chosen use it."""


def _start(kind: str) -> NoReturn:
    gc.disable()  # a driver ends before there is much garbage, and all that is loaded would be looked through for it
    _open_closed_streams()
    words = sys.argv[1:]
    if words[:1] == [LAUNCHED]:
        words = words[2:]
    if kind == "f95":
        words = [_SPELLINGS.get(word, word) for word in words]
    if is_plain(words) and (command := recalled("ld -r" if kind == "ld" and is_relocatable(words) else kind)):
        os.execv(command[0], [*command, *words])  # noqa: S606
    one_file = any(word in _ONE_FILE for word in words)
    if one_file:
        from enzyme_build.repeated import run

        status = run(kind, words)
        if status is not None:
            _end(status)
    from enzyme_build import driver, early

    if not one_file:
        early.start_for(words)
    status = driver.main(words, kind)
    early.end()
    _end(status)


def _open_closed_streams() -> None:
    """A shell may close them (`2>&-`): what is said there is lost, and no file that is opened takes their place."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115


def _end(status: int) -> NoReturn:
    """Everything is written and closed, and taking an interpreter with hundreds of modules apart takes as long as
    starting it."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


if __name__ == "__main__":
    _start(sys.argv.pop(1))
