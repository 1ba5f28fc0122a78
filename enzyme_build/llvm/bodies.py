"""Bodies out of a library that is linked as machine code, for what a derivative reaches of it.

Rust's standard library comes with bitcode beside its machine code. All of it would be most of every program; so the
calls that may take part in a derivative get copies of the functions that they reach, and everything else stays a call
of the machine code. What is known by name (panics, text, the allocator) stays a call, too, and so does whatever uses a
variable that only the library may have: two copies of that would be wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from enzyme_build.llvm import text
from enzyme_build.llvm.context import parse_module_file
from enzyme_build.llvm.link import merge
from enzyme_build.records import dataclass
from enzyme_build.regex import regex
from enzyme_build.rules.registry import lookup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

_REFERENCE: Final = regex(rf"@({text.NAME})")
_ENTITY: Final = regex(r"(?m)^(?=define |declare |@|attributes |!|%|\$)")
_STRING: Final = regex(r'\bc"(?:[^"\\]|\\.)*"')
_ATTACHED: Final = regex(r",? !\w[\w.]* !\d+")
_OF_METADATA: Final = regex(r"(?m)^ +(?:#dbg_|(?:tail )?call void @llvm\.(?:dbg|experimental\.noalias)\.).*\n")
_METADATA: Final = regex(r"metadata |![\d{]")
_OF_DEFINITIONS: Final = regex(rf" personality ptr @{text.NAME}| %{text.NAME}(?=[,)])")
_EXTERNAL: Final = regex(rf"@{text.NAME} = (?:\w+ )*?external ")
_SHARED: Final = regex(r"(?m)^(?:target |attributes #|%).*$")
"""What the definitions of a module refer to."""
_REQUEST: Final = regex(r'@"?[\w.$]*__enzyme_')
"""Also by a name that C++ made longer: a template, or a function without `extern "C"`."""

_Node = TypeVar("_Node")


@dataclass(frozen=True)
class Library:
    """A part of a library: the symbols that it defines, and its bitcode."""

    name: str
    defined: AbstractSet[str]
    bitcode: bytes


def with_bodies(merged: str, libraries: Sequence[Library], asked: AbstractSet[str] = frozenset()) -> str:
    """`merged` with internal copies of what its derivatives, and those of the functions `asked`, reach of the
    libraries."""
    if not libraries:
        return merged
    copies = _Copies(libraries)
    for name in sorted(reached_without_body(merged, asked)):
        copies.add(name)
    modules = copies.modules()
    if not modules:
        return merged
    together = merge([("the program", merged.encode()), *modules])
    defined, _, _ = text.symbols(together)
    own, _, _ = text.symbols(merged)
    return text.internalise(together, own | (defined - copies.names()))


def reached_without_body(merged: str, asked: AbstractSet[str], heads: tuple[str, ...] = ("declare ",)) -> set[str]:
    """The functions that requests or those in `asked` lead to, and whose lines begin like this."""
    program = _entities(merged)
    reached = _reached(_roots(program) | asked, lambda name: _references(program.get(name, "")))
    return {name for name in reached if program.get(name, "").startswith(heads)}


def _entities(module: str) -> dict[str, str]:
    """The functions and variables of a module by name."""
    found = {}
    for part in _ENTITY.split(module):
        if part.startswith(("define ", "declare ", "@")) and (name := _REFERENCE.search(part)):
            found[text.unquote(name[1])] = part
    return found


def _roots(program: Mapping[str, str]) -> set[str]:
    """What asks for derivatives, and what tells how they are made."""
    return {name for name, part in program.items() if _REQUEST.search(part) and not part.startswith("declare ")}


def _references(part: str) -> set[str]:
    return {text.unquote(name) for name in _REFERENCE.findall(_STRING.sub("", part))}


def _reached(starts: Iterable[_Node], uses: Callable[[_Node], Iterable[_Node]]) -> set[_Node]:
    """What the starts lead to, themselves included."""
    found = set(starts)
    pending = list(found)
    while pending:
        new = set(uses(pending.pop())) - found
        found |= new
        pending += new
    return found


class _Copies:
    """What is taken of the libraries: a part of each, which refers to the others by declarations."""

    def __init__(self, libraries: Sequence[Library]) -> None:
        self._owner = {name: library for library in libraries for name in library.defined}
        self._printed: dict[str, str] = {}
        self._entities: dict[str, dict[str, str]] = {}
        self._taken: set[tuple[str, str]] = set()
        """Name of the library, name in it."""
        self._wanted: list[tuple[str, str]] = []

    def add(self, name: str) -> None:
        """Take the function `name`, if a library has it and nothing else is known about it."""
        if (place := self._lent(name)) is not None:
            self._wanted.append(place)
            self._taken |= _reached([place], self._uses)

    def names(self) -> set[str]:
        return {name for _, name in self._taken if name in self._owner}

    def modules(self) -> list[tuple[str, bytes]]:
        """The parts, without what would need a second copy of a variable."""
        self._taken = self._without_state()
        libraries = sorted({library for library, _ in self._taken})
        return [(library, self._module(library).encode()) for library in libraries]

    def _lent(self, name: str) -> tuple[str, str] | None:
        library = self._owner.get(name)
        if library is None or lookup(name) is not None:
            return None
        if library.name not in self._entities:
            module = parse_module_file(library.bitcode, library.name)
            self._printed[library.name] = printed = str(module)
            module.close()
            self._entities[library.name] = _entities(printed)
        return library.name, name

    def _uses(self, place: tuple[str, str]) -> list[tuple[str, str]]:
        """The definitions that one refers to."""
        library, name = place
        own = self._entities[library]
        found = []
        for used in _references(own[name]):
            if used in own and not own[used].startswith("declare ") and not _EXTERNAL.match(own[used]):
                # What only this part of the library has cannot be called, even if it is known.
                taken = used not in self._owner or lookup(used) is None
                found += [(library, used)] if taken else []
            elif (lent := self._lent(used)) is not None:
                found.append(lent)
        return found

    def _without_state(self) -> set[tuple[str, str]]:
        """What can be copied. A call of a function that cannot stays a call of the library, if that shows it."""
        bad = {place for place in self._taken if not _is_copyable(self._entities[place[0]][place[1]])}
        while True:
            hidden = {place for place in bad if place[1] not in self._owner or self._is_variable(place)}
            more = {place for place in self._taken - bad if not hidden.isdisjoint(self._uses(place))}
            if not more:
                break
            bad |= more
        wanted = [place for place in self._wanted if place not in bad]
        return _reached(wanted, lambda place: [used for used in self._uses(place) if used not in bad])

    def _is_variable(self, place: tuple[str, str]) -> bool:
        return self._entities[place[0]][place[1]].startswith("@")

    def _module(self, library: str) -> str:
        own = self._entities[library]
        taken = [name for place, name in sorted(self._taken) if place == library]
        parts = [_bare(own[name]) for name in taken]
        others = set().union(*(_references(part) for part in parts)) - set(taken)
        parts += [declaration(own[name]) for name in sorted(others) if name in own]
        return "\n".join([*_SHARED.findall(self._printed[library]), *parts])


def _bare(part: str) -> str:
    """A definition without what describes it: most of a library is descriptions."""
    return _ATTACHED.sub("", _OF_METADATA.sub("", part))


def _is_copyable(part: str) -> bool:
    if part.startswith("@"):
        return " constant " in part[: part.find("{") if "{" in part else None].partition(' c"')[0]
    return not _METADATA.search(_STRING.sub("", _bare(part)))


def declaration(part: str) -> str:
    """The declaration of what `part` defines."""
    if not part.startswith("define "):
        return _ATTACHED.sub("", part)
    head = _ATTACHED.sub("", part.partition("\n")[0])
    head = _OF_DEFINITIONS.sub("", text.COMDAT.sub("", head)).removesuffix("{").removeprefix("define ")
    return f"declare {text.without_linkage(head)}\n"
