"""Which of the functions in compiled inputs a name means.

A name is the symbol, the qualified name of the source or the end of it: `forces::energy` or `energy`, `springs::energy`
for Fortran's modules, `model::inner::energy` for Rust's. Of a C++ template the arguments may be left out. Overloads
are told apart by the types of their parameters.
"""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Final

from enzyme_build.demangle import demangle
from enzyme_build.errors import ConfigError, InputError
from enzyme_build.ir.debug import is_fortran, source_path, subprogram_of
from enzyme_build.ir.function import Function
from enzyme_build.ir.values import GlobalAlias
from enzyme_build.records import dataclass
from enzyme_build.regex import regex

from .bound_names import bound_names
from .naming import normal_types, parameters_of, without_template_arguments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from enzyme_build.errors import SourceLocation
    from enzyme_build.ir.metadata import MetadataNode
    from enzyme_build.ir.module import Module

_DEBUG: Final = regex(r"!dbg (![0-9]+)")
_ITANIUM: Final = regex(r"_Z(N[rVK]*)?(?=\d)")
_LENGTH: Final = regex(r"\d+")
_NUMBA: Final = "cfunc."
"""Before the name of what numba's `cfunc` makes callable; what it calls has numba's own calling convention."""
_MOST_SUGGESTIONS: Final = 3
_MOST_NAMES: Final = 8


@dataclass(frozen=True)
class Candidate:
    """A definition, with the name that its source gives it."""

    module: Module
    function: Function
    source_name: str
    symbol: str
    """Of the function, or of an alias for it."""

    @property
    def is_local(self) -> bool:
        return self.symbol == self.function.name and self.function.is_local

    @property
    def location(self) -> SourceLocation | None:
        source = subprogram_of(self.module, self.function)
        return source.location if source else None

    @property
    def types(self) -> list[str]:
        """The types of the parameters, as the demangler and as the source spell them."""
        found = []
        if self.symbol.startswith("_Z") and (listed := parameters_of(demangle(self.symbol))) is not None:
            found.append(listed)
        source = subprogram_of(self.module, self.function)
        if source is not None:
            references = [p.type.reference for p in source.parameters]
            found.append(", ".join(_spelled(self.module, r) for r in references if not _is_this(self.module, r)))
        return found or [", ".join(a.type.text for a in self.function.arguments)]

    @property
    def title(self) -> str:
        """The name with the types of the parameters."""
        return f"{self.source_name}({self.types[0]})"


def named(
    modules: Iterable[Module], name: str, overload: str | None = None, listed: str = ""
) -> tuple[Candidate, bool]:
    """The one definition that goes by the name, and whether `listed`, which may be types or not, was needed to tell."""
    found = [candidate for module in modules for candidate in definitions(module)]
    # Of a function with aliases the one that can be called from outside.
    matching = sorted(_matching(found, name) or _bound(found, name), key=lambda c: not c.is_local)
    distinct = {c.function.name: c for c in matching}
    candidates = list({c.symbol: c for c in distinct.values()}.values())
    if not candidates:
        raise _not_found(name, found)
    told = False
    if overload is not None:
        candidates = _of_types(candidates, overload) or _no_overload(name, overload, candidates)
    elif len(candidates) > 1 and (chosen := _of_types(candidates, listed)):
        candidates, told = chosen, True
    if len(candidates) > 1:
        raise _ambiguous(name, candidates)
    (candidate,) = candidates
    if candidate.is_local:
        raise ConfigError(
            f"'{name}' is local to its source file",
            location=candidate.location,
            hint="remove 'static' (or the unnamed namespace) so that it can be called from outside",
        )
    return candidate, told


def _matching(found: Sequence[Candidate], name: str) -> list[Candidate]:
    """Those that the name means: by the first of these rules that any of them follows."""
    wanted = _compact(name).removeprefix("crate::")
    small = wanted.lower()
    rules: list[Callable[[Candidate], bool]] = [
        lambda c: c.symbol == name,
        lambda c: _compact(c.source_name) == wanted,
        lambda c: without_template_arguments(_compact(c.source_name)) == wanted,
        lambda c: _compact(c.source_name).endswith(f"::{wanted}"),
        lambda c: without_template_arguments(_compact(c.source_name)).endswith(f"::{wanted}"),
        # Fortran does not tell capital letters from small ones.
        lambda c: f"::{c.source_name}".endswith(f"::{small}") and is_fortran(c.module, c.function),
    ]
    for rule in rules:
        if matching := [candidate for candidate in found if rule(candidate)]:
            return matching
    return []


def _bound(found: Sequence[Candidate], name: str) -> list[Candidate]:
    """Procedures of Fortran's modules of which only the source tells that name."""
    wanted = f"::{_compact(name).lower()}"
    bound = names_of_bound(found)
    return [candidate for candidate in found if f"::{bound.get(candidate, '')}".endswith(wanted)]


def names_of_bound(candidates: Iterable[Candidate]) -> dict[Candidate, str]:
    """`module::procedure` of procedures of Fortran with `bind(C)`, of which debug information has the symbol alone."""
    sources: dict[Path, dict[str, str]] = {}
    found: dict[Candidate, str] = {}
    for candidate in candidates:
        if "::" in candidate.source_name or not is_fortran(candidate.module, candidate.function):
            continue
        node = _program_node(candidate.module, candidate.function)
        file = candidate.module.find_node(node.fields.get("file", "null")) if node is not None else None
        path = source_path(file) if file is not None else None
        if path is not None and path not in sources:
            sources[path] = bound_names(path) if path.is_file() else {}
        if path is not None and candidate.symbol in sources[path]:
            found[candidate] = sources[path][candidate.symbol]
    return found


def _compact(name: str) -> str:
    return re.sub(r"\s*(::|[<>,*&()])\s*", r"\1", name.replace("(anonymous namespace)::", "").strip())


def _of_types(candidates: Sequence[Candidate], text: str) -> list[Candidate]:
    wanted = normal_types(text)
    return [c for c in candidates if any(normal_types(types) == wanted for types in c.types)]


def _no_overload(name: str, overload: str, candidates: Sequence[Candidate]) -> list[Candidate]:
    raise InputError(
        f"no function '{name}' takes ({overload})", notes=_listed(candidates), hint="name one of these by its types"
    )


def _ambiguous(name: str, candidates: Sequence[Candidate]) -> ConfigError:
    one = candidates[-1]
    if len({c.source_name for c in candidates}) == len(candidates):
        hint = f"say which, as in '{one.source_name}'"
    elif len({c.title for c in candidates}) == len(candidates):
        hint = f"say which by its types, as in '{one.title}'"
    else:
        hint = "name one of them by its symbol"
    return ConfigError(f"'{name}' is the name of {len(candidates)} functions", notes=_listed(candidates), hint=hint)


def _listed(candidates: Sequence[Candidate]) -> list[str]:
    places = [f" at {c.location}" if c.location else "" for c in candidates]
    return [f"{c.title}{place}, symbol {c.symbol}" for c, place in zip(candidates, places, strict=True)]


def _not_found(name: str, found: Sequence[Candidate]) -> InputError:
    if not found:
        return InputError(
            f"no function '{name}': the inputs hold no bitcode",
            hint="give sources, or objects compiled by enzyme-cc, enzyme-c++ or enzyme-fc",
        )
    # Parts of runtimes have no place in a source.
    names = sorted({c.source_name for c in found if c.location}) or sorted({c.source_name for c in found})
    close = _similar(name, names)
    shown = ", ".join(names[:_MOST_NAMES]) + (", …" if len(names) > _MOST_NAMES else "")
    hint = f"did you mean {' or '.join(repr(one) for one in close)}?" if close else f"they define {shown}"
    return InputError(f"no function '{name}' is defined in the inputs", hint=hint)


def _similar(name: str, names: Sequence[str]) -> list[str]:
    """What may have been meant: names that differ by a letter or two, by capitals, or by where they are."""
    last = {one: one.rpartition("::")[2].lower() for one in names}
    wanted = name.rpartition("::")[2].lower()
    close = [wanted] if wanted in last.values() else difflib.get_close_matches(wanted, set(last.values()))
    ranked = sorted((close.index(text), one) for one, text in last.items() if text in close)
    return [one for _, one in ranked[:_MOST_SUGGESTIONS]]


def definitions(module: Module) -> Iterator[Candidate]:
    """What a module defines, under all its names."""
    for function in module.functions:
        if function.is_declaration or function.linkage == "available_externally":
            continue
        if f"{_NUMBA}{function.name}" not in module.globals:
            yield Candidate(module, function, _source_name(module, function), function.name)
    for name, value in module.globals.items():
        if isinstance(value, GlobalAlias) and isinstance(value.aliasee, Function):
            yield Candidate(module, value.aliasee, _source_name(module, value.aliasee), name)


def _program_node(module: Module, function: Function) -> MetadataNode | None:
    """What debug information says of the function itself."""
    match = _DEBUG.search(function.suffix)
    return module.metadata_node(match[1]) if match else None


def _source_name(module: Module, function: Function) -> str:
    node = _program_node(module, function)
    if node is not None and node.string("name"):
        parts = [node.string("name")]
        scope = node.fields.get("scope")
        while scope and scope.startswith("!"):
            outer = module.metadata_node(scope)
            if outer.kind not in {"DINamespace", "DICompositeType", "DIModule"}:
                break
            if outer.string("name"):
                parts.append(outer.string("name"))
            scope = outer.fields.get("scope")
        return "::".join(reversed(parts))
    return demangled(function.name.removeprefix(_NUMBA))


def demangled(symbol: str) -> str:
    """The qualified name at the head of an Itanium symbol (`_ZN6forces6energyEPKdid`); other symbols as they are."""
    head = _ITANIUM.match(symbol)
    if head is None:
        return symbol
    parts, at = [], head.end()
    while (length := _LENGTH.match(symbol, at)) is not None:
        at = length.end() + int(length[0])
        parts.append(symbol[length.end() : at])
    return "::".join(parts[: None if head[1] else 1]) or symbol


def _is_this(module: Module, reference: str) -> bool:
    """Is it the type of the object that a member function is called on?"""
    node = module.find_node(reference)
    return node is not None and "DIFlagObjectPointer" in node.fields.get("flags", "")


def _spelled(module: Module, reference: str) -> str:
    if not reference.startswith("!"):
        return "void"
    node = module.metadata_node(reference)
    base = node.fields.get("baseType", "")
    match node.fields.get("tag", ""):
        case "DW_TAG_pointer_type":
            return f"{_spelled(module, base)} *"
        case "DW_TAG_reference_type":
            return f"{_spelled(module, base)} &"
        case "DW_TAG_const_type":
            return f"const {_spelled(module, base)}"
        case "DW_TAG_array_type":
            return f"{_spelled(module, base)}[]"
        case _:
            return node.string("name") or _spelled(module, base)
