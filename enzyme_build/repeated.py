"""Lines that compile one source with options that were seen before: the command is the same but for the names.

A build has many of them, and the driver takes several times as long to load as a small file to compile. What it made of
a line is kept by the line's *shape*, its words without the names of files, together with all else that it depends on.
A source whose text, or a header of the project, speaks of enzyme is none of these, nor is one whose object does.
"""

from __future__ import annotations

import os
from itertools import chain

from enzyme_build import headers, shortcut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

# pathlib costs more than the rest of this.
# ruff: noqa: PTH118, PTH120

_ENDINGS = (".c", ".cc", ".cpp", ".cxx", ".C", ".f", ".f90", ".F", ".F90", ".f95", ".f03", ".f08", ".for")
_NAMES_FILE = ("-o", "-MF", "-MT", "-MQ")
_OWN_FILES = (
    "driver.py",
    *(f"toolchain/{name}.py" for name in ("arguments", "clang", "find", "languages", "sources")),
    "fortran/interface.py",
    "fortran/module/enzyme.f90",
)
_KEPT = 1024
NO_FOLDER = "/proc/self/cwd"
"""Where debug data say that they were made, which nobody but us asked for."""
_SAME_PERSONALITY, _NO_RANDOM_ADDRESSES = 0xFFFFFFFF, 0x0040000


def run(kind: str, words: Sequence[str]) -> int | None:
    """Compile as the last line of this shape; the exit code, or None where the driver itself has to look."""
    line = _Line(words)
    if not line.source or is_device(line.output) or not (command := _recalled(kind, line)):
        return None
    makes_object, before, after = command
    if _concerns_us(kind, line, words):
        return None
    with FixedAddresses(kind):
        status = _wait([*before, *words, *after], environment(kind, words))
    return None if status == 0 and makes_object and shortcut.asks(line.output, unreadable=False) else status


def remember(
    kind: str, words: Sequence[str], before: Sequence[str], after: Sequence[str], *, makes_object: bool
) -> None:
    """Keep what goes before and behind the words of a line of this shape; failing to is no error."""
    line = _Line(words)
    if line.source and not _concerns_us(kind, line, words):
        told = [_key(kind, line, before[0]), "object" if makes_object else "", str(len(before))]
        shortcut.write(_file(kind, line), [*told, *before, *after])


class _Line:
    """A line's one source, the object that it makes, and its shape; without a source it is not for us."""

    def __init__(self, words: Sequence[str]) -> None:
        self.source = self.output = self.shape = ""
        shape: list[str] = []
        sources: list[str] = []
        rest = iter(words)
        for word in rest:
            shape.append(word)
            if word in _NAMES_FILE:
                name = next(rest, "")
                self.output = name if word == "-o" else self.output
            elif word[:1] == "@" or word[:2] in ("-o", "-x") or "enzyme" in word:
                return
            elif word[:1] != "-" and word.endswith(_ENDINGS):
                sources.append(word)
                shape[-1] = os.path.splitext(word)[1]  # noqa: PTH122
        self.shape = "\0".join(shape)
        if len(sources) == 1:
            self.source = sources[0]
            self.output = self.output or os.path.splitext(os.path.basename(self.source))[0] + ".o"  # noqa: PTH119, PTH122


def is_device(output: str) -> bool:
    """`-o /dev/null`, which flang would replace by a file."""
    return os.path.exists(output) and not os.path.isfile(output)  # noqa: PTH110, PTH113


def _concerns_us(kind: str, line: _Line, words: Sequence[str]) -> bool:
    """Does the source or a header speak of enzyme, or may what a Fortran source includes do so?"""
    for _, text in headers.texts([line.source], words):
        small = text.lower()
        if b"enzyme" in small or (kind == "f95" and b"include" in small):
            return True
    return False


def _recalled(kind: str, line: _Line) -> tuple[bool, list[str], list[str]] | None:
    key, *told = shortcut.read(_file(kind, line))
    if len(told) < 3 or key != _key(kind, line, told[2]):
        return None
    makes_object, count, *command = told
    return makes_object != "", command[: int(count)], command[int(count) :]


def _file(kind: str, line: _Line) -> str:
    import zlib

    slot = zlib.crc32(line.shape.encode(errors="surrogateescape")) % _KEPT
    return f"{shortcut.folder()}/lines/{kind}-{slot}"


def _key(kind: str, line: _Line, program: str) -> str:
    own = os.path.dirname(__file__)
    stamps = (shortcut.stamp(os.path.join(own, name)) for name in _OWN_FILES)
    return "\n".join(chain([line.shape.replace("\0", "\n"), shortcut.key(kind, program), own], stamps))


def environment(kind: str, words: Sequence[str]) -> dict[str, str]:
    """The variables for a compiler. Of flang, which has no option for it, debug data that nobody asked for name no
    folder: equal sources then make equal objects everywhere, as they do with flang alone. (LLVM takes the folder from
    `PWD`, where that is this one.)"""
    own = dict(os.environ)  # noqa: TID251
    return own if kind != "f95" or gets_debug_data(words) else {**own, "PWD": NO_FOLDER}


class FixedAddresses:
    """Inside, flang is loaded at the same addresses each time, where it is among what is started and as far as the
    system (Linux's `personality`) lets us: it orders the modules that a scope uses, in debug data, by addresses."""

    def __init__(self, *kinds: str) -> None:
        self._before = _SAME_PERSONALITY
        self._wanted = "f95" in kinds

    def __enter__(self) -> None:
        if self._wanted:
            self._before = _personality(_SAME_PERSONALITY)
            _personality(self._before | _NO_RANDOM_ADDRESSES)

    def __exit__(self, *_: object) -> None:
        if self._wanted:
            _personality(self._before)


def _personality(wanted: int) -> int:
    import ctypes

    before: int = ctypes.CDLL(None).personality(wanted)
    return before


def asks_for_debug_data(flag: str) -> bool:
    """`-g`, `-g0`, `-ggdb3`, `-gdwarf-5` …, but not `-gcc-toolchain` and not `-gz`."""
    return flag.startswith("-g") and not flag.startswith(("-gcc", "-gz", "-gsplit", "-grecord", "-gno-"))


def gets_debug_data(words: Sequence[str]) -> bool:
    """Does the last option that says something of debug data ask for some?"""
    return next((word for word in reversed(words) if asks_for_debug_data(word)), "-g0") != "-g0"


def _wait(command: list[str], variables: dict[str, str]) -> int:
    """Run a command to its end. It is killed when we are told to stop."""
    import signal

    child = 0

    def stop(number: int, _frame: FrameType | None) -> None:
        if child:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    child = os.posix_spawn(command[0], command, variables)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return code if code >= 0 else 128 - code
