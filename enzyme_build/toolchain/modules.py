"""Which Fortran modules a source defines and uses, and the order of compiling that follows.

Compiling a source that defines a module writes a `.mod` file, which compiling its users reads. Statements are found in
the text before preprocessing: one under a false `#if` counts as well.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import InputError
from enzyme_build.records import dataclass
from enzyme_build.regex import regex
from enzyme_build.toolchain.languages import LANGUAGES, by_ending

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_START: Final = r"(?im)(?:^|;)[ \t]*"
_END: Final = r"(?=[ \t]*(?:[!;\r\n]|\Z))"
_MODULE: Final = regex(rf"{_START}module[ \t]+(\w+){_END}")
_SUBMODULE: Final = regex(rf"{_START}submodule[ \t]*\([ \t]*(\w+)[ \t]*(?::[ \t]*(\w+)[ \t]*)?\)[ \t]*(\w+){_END}")
_USE: Final = regex(
    rf"{_START}use(?:[ \t]*(?:,[ \t]*non_intrinsic[ \t]*)?::[ \t]*|[ \t]+)(\w+)(?=[ \t]*(?:[,!;\r\n]|\Z))"
)
_INCLUDE: Final = regex(r"""(?im)^[ \t]*#?[ \t]*include[ \t]*(?:'([^'\n]+)'|"([^"\n]+)")""")


@dataclass(frozen=True)
class Modules:
    """`a:b` is the submodule b of module a."""

    defined: frozenset[str] = frozenset()
    used: frozenset[str] = frozenset()
    included: tuple[str, ...] = ()


def modules_of(source: Path) -> Modules:
    """What a source says; nothing when its language has no modules, or it cannot be read."""
    language = by_ending(source)
    if language is None or not LANGUAGES[language].needs_order:
        return Modules()
    try:
        text = source.read_text(errors="replace")
    except OSError:
        return Modules()
    defined = {match[1].lower() for match in _MODULE.finditer(text)}
    used = {match[1].lower() for match in _USE.finditer(text)}
    for ancestor, parent, name in _SUBMODULE.findall(text.lower()):
        used.add(f"{ancestor}:{parent}" if parent else ancestor)
        defined.add(f"{ancestor}:{name}")
    included = tuple(single or double for single, double in _INCLUDE.findall(text))
    return Modules(frozenset(defined), frozenset(used), included)


def in_waves(sources: Sequence[Path]) -> list[list[Path]]:
    """The sources in groups: each needs nothing but modules of groups before it."""
    known = {source: modules_of(source) for source in sources}
    needs = {
        user: {other for other in known if other != user and known[other].defined & own.used - own.defined}
        for user, own in known.items()
    }
    waves: list[list[Path]] = []
    while needs:
        ready = [source for source, others in needs.items() if not others & needs.keys()]
        if not ready:
            raise _cycle(needs, known)
        waves.append(ready)
        for source in ready:
            del needs[source]
    return waves


def module_folders(flags: Sequence[str]) -> list[Path]:
    """Where a command line says that modules go, and are found again."""
    named = [Path(value) for word, value in pairwise(flags) if word in {"-J", "-module-dir"}]
    return [*named, *(Path(word[2:]) for word in flags if word.startswith("-J") and len(word) > 2)]


def module_files(source: Path, folders: Iterable[Path]) -> list[Path]:
    """Files that compiling a source reads besides itself: includes, and modules compiled before."""
    own = modules_of(source)
    places = list(folders)
    names = [*((name, [source.parent, *places]) for name in own.included)]
    names += [(f"{name.replace(':', '-')}.mod", places) for name in sorted(own.used - own.defined)]
    return [file for name, searched in names if (file := _first(name, searched)) is not None]


def _first(name: str, folders: Iterable[Path]) -> Path | None:
    return next((folder / name for folder in folders if (folder / name).is_file()), None)


def _cycle(needs: Mapping[Path, set[Path]], known: Mapping[Path, Modules]) -> InputError:
    """The error that names the files of one cycle; each of `needs` needs another of them."""
    path = [min(needs)]
    while path[-1] not in path[:-1]:
        path.append(min(needs[path[-1]] & needs.keys()))
    cycle = path[path.index(path[-1]) :]
    links = [
        f"'{user}' uses module '{min(known[user].used & known[other].defined)}' of '{other}'"
        for user, other in pairwise(cycle)
    ]
    return InputError(
        "Fortran modules use each other in a cycle: no order of compiling is possible",
        notes=links,
        hint="move what both need into a module of its own",
    )
