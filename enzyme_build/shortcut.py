"""Links without any derivative request are the plain compiler's or linker's business, and must not cost more than that.

So this file imports next to nothing. It looks for requests in the bytes of what stands on the line, and remembers which
compiler was found last time. Whatever it does not understand at once it leaves to `driver.py`, which decides the same
with more care.
"""

from __future__ import annotations

import os
from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_NEEDLE = b"__enzyme_"
_VARIABLES = {"c": "CC", "c++": "CXX", "f95": "FC", "ld": "LD", "ld -r": "LD"}
_VALUES = frozenset(("-L", "-z", "-u", "-e", "-I", "-D", "-B", "-target", "-arch", "-rpath", "-soname", "-h", "-m"))
_VALUES |= frozenset(("-dynamic-linker", "-plugin", "-isystem", "-MF", "-MT", "-MQ", "--sysroot"))
_NO_LINK = frozenset(
    ("-", "-c", "-E", "-S", "-M", "-MM", "-x", "-v", "-V", "-fsyntax-only", "--version", "-help", "--help")
)
_NO_LINK |= frozenset(("-###", "-cc1", "-cc1as", "-Xlinker", "-T", "--start-lib"))
_RELOCATABLE = frozenset(("-r", "-relocatable", "--relocatable"))
_CHOICES = ("-fuse-ld", "--ld-path", "-B")
"""Options that choose a linker. Bitcode has to stay in what is made with `-r`: the driver warns where it does not."""
_NAMES = frozenset(("soname", "h", "rpath", "rpath-link", "Map"))
_SEARCHED = ("@", "-l", "-L", "--library", "-library")
_SYSTEM = ("/lib", "/usr/lib")


def is_plain(words: Sequence[str]) -> bool:
    """Is this a link of objects, archives and libraries that ask for no derivative, with no option of ours?"""
    try:
        words = list(_expanded(words))
    except (OSError, ValueError):
        return False
    if is_relocatable(words) and any(word.startswith(_CHOICES) for word in words):
        return False
    folders = [after if word == "-L" else word[2:] for word, after in pairwise([*words, ""]) if word.startswith("-L")]
    files = 0
    rest = iter(words)
    for word in rest:
        if not word.startswith("-"):
            if not _asks_for_nothing(word):
                return False
            files += 1
        elif not _is_harmless(word):
            return False
        elif word == "-o" or word in _VALUES:
            next(rest, None)
        elif word.startswith("-l") and not all(map(_asks_for_nothing, _libraries(word[2:] or next(rest, ""), folders))):
            return False
    return files > 0


def is_relocatable(words: Sequence[str]) -> bool:
    """Does a line say, in plain words, that objects are to be joined to another object?"""
    return not _RELOCATABLE.isdisjoint(words)


def _expanded(words: Sequence[str]) -> Iterator[str]:
    """The words with those of response files, if they are plain words."""
    for word in words:
        if not word.startswith("@"):
            yield word
            continue
        if not os.path.isfile(word[1:]):  # noqa: PTH113 - a pipe can be read once
            raise ValueError(word)
        with open(word[1:], encoding="utf-8") as file:  # noqa: PTH123
            text = file.read()
        if any(mark in text for mark in "\"'\\@"):
            raise ValueError(word)
        yield from text.split()


def _is_harmless(option: str) -> bool:
    """May it stand in a link that is handed on? One of ours may not."""
    if option in _NO_LINK or "enzyme" in option or option.startswith(("-x", "-print", "--print", "-fopenmp")):
        return False
    if option.lstrip("-").startswith("library"):  # of the linker itself: a library, or where to look for some
        return False
    if not option.startswith("-Wl,"):
        return True
    parts = option.split(",")
    inputs = (part for before, part in pairwise(parts) if before.lstrip("-") not in _NAMES and part[:1] != "-")
    files = (part for part in inputs if part.startswith("@") or part.endswith((".a", ".o", ".so")))
    return all(map(_asks_for_nothing, files)) and not any(part.startswith(_SEARCHED) for part in parts)


def _libraries(name: str, folders: Sequence[str]) -> Iterator[str]:
    """The files that `-lname` may mean in these folders."""
    files = [name[1:]] if name.startswith(":") else [f"lib{name}.so", f"lib{name}.a"]
    for folder in folders:
        yield from (path for file in files if os.path.exists(path := f"{folder}/{file}"))  # noqa: PTH110


def _asks_for_nothing(path: str) -> bool:
    """Is it an input for the linker, and does its content name no request? The system's linker scripts do not."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            head = file.read(8)
    except OSError:
        return False
    if head[:4] not in (b"\x7fELF", b"BC\xc0\xde") and head != b"!<arch>\n":
        return head[:2] == b"/*" and os.path.realpath(path).startswith(_SYSTEM)
    return not asks(path, unreadable=True)


def asks(path: str, *, unreadable: bool) -> bool:
    """Does the file's content name a request?"""
    import mmap

    try:
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:  # noqa: PTH123
            return view.find(_NEEDLE) >= 0
    except (OSError, ValueError):
        return unreadable


def recalled(kind: str) -> list[str]:
    """The command that was found for this driver, if nothing has changed since that could change it."""
    known, *command = read(_file(kind))
    return command if command and known == key(kind, command[0]) else []


def remember(kind: str, command: Sequence[str]) -> None:
    """Keep the command for the next start; failing to is no error."""
    if recalled(kind) != list(command):
        write(_file(kind), [key(kind, command[0]), *command])


def read(file: str) -> list[str]:
    """The words that were kept in a file, at least one; those who want to see what happens have nothing kept."""
    if any(os.environ.get(name) for name in ("ENZYME_VERBOSE", "ENZYME_SAVE_STAGES")):  # noqa: TID251
        return [""]
    try:
        with open(file, encoding="utf-8", errors="surrogateescape") as stream:  # noqa: PTH123
            return stream.read().split("\0")
    except OSError:
        return [""]


def write(file: str, words: Sequence[str]) -> None:
    """Keep words in a file; failing to is no error."""
    unfinished = f"{file}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(file), exist_ok=True)  # noqa: PTH103, PTH120
        with open(unfinished, "w", encoding="utf-8", errors="surrogateescape") as stream:  # noqa: PTH123
            stream.write("\0".join(words))
        os.replace(unfinished, file)  # noqa: PTH105
    except OSError:
        if os.path.exists(unfinished):  # noqa: PTH110 - on a full disk every process would leave one
            os.unlink(unfinished)  # noqa: PTH108


def _file(kind: str) -> str:
    return f"{folder()}/driver-{kind.replace(' ', '')}"


def folder() -> str:
    """Where results are kept from run to run."""
    environment = os.environ  # noqa: TID251 - reading the settings as a whole costs too much here
    cache = environment.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111
    return environment.get("ENZYME_CACHE_DIR") or f"{cache}/enzyme-build"


def key(kind: str, program: str) -> str:
    """All that the choice of a compiler depends on: the variables, the folders that are searched, the program."""
    environment = os.environ  # noqa: TID251
    path = environment.get("PATH", os.defpath)
    told = [environment.get(f"{prefix}{_VARIABLES[kind]}", "") for prefix in ("ENZYME_", "")]
    return "\n".join([*told, path, *map(stamp, [*path.split(os.pathsep), program])])


def stamp(path: str) -> str:
    """What changes when a file or folder does."""
    try:
        stat = os.stat(path or ".")  # noqa: PTH116
    except OSError:
        return ""
    return f"{stat.st_mtime_ns} {stat.st_size}"
