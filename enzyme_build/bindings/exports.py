"""Which derivatives to export: what the user wrote, matched with the functions that there are.

A *specification* is `NAME[:MODES[:ARGUMENTS]]`: the name of a function (symbol, qualified name, or its end) or a
pattern of names (`solver_*`); `reverse`, `forward` or both with a comma; activities by the argument's name or number
(`w=const,2=dup`). Without modes both are made; without activities pointers are `dup`, integers `const`, numbers `out`.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.request import Activity, Mode
from enzyme_build.differentiate.export import ExportRequest
from enzyme_build.errors import ConfigError, InputError
from enzyme_build.ir.debug import subprogram_of
from enzyme_build.ir.types import ArrayType, PointerType, StructType
from enzyme_build.records import dataclass
from enzyme_build.regex import regex

from .candidates import definitions, names_of_bound

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Argument

    from .candidates import Candidate

_FORM: Final = "write NAME[:reverse|:forward[:ARGUMENT=const|dup|out,…]]"
_PARTS: Final = regex(
    r"(?P<name>.+?)(?::(?P<modes>(?:reverse|forward)(?:,(?:reverse|forward))*)(?::(?P<args>[^:]*))?)?"
)
_MODES: Final = {"reverse": Mode.SPLIT, "forward": Mode.FORWARD}
_ACTIVITIES: Final = (Activity.CONSTANT, Activity.DUPLICATED, Activity.ACTIVE, Activity.RUNTIME)


@dataclass(frozen=True)
class Specification:
    """What one `--function` or `-fenzyme-export=` says."""

    name: str
    modes: tuple[Mode, ...] = tuple(_MODES.values())
    activities: tuple[tuple[str, Activity], ...] = ()

    @property
    def is_pattern(self) -> bool:
        return any(mark in self.name for mark in "*?[")

    def names(self, *candidates: str) -> bool:
        """Does it mean a function that goes by these names?"""
        if self.is_pattern:
            # The modules of Fortran are no namespaces to users, who may not know them.
            ends = [name.rpartition("::")[2] for name in candidates if candidates[0].startswith("_QM")]
            return any(fnmatchcase(name, self.name) for name in (*candidates, *ends))
        return any(name == self.name or name.endswith(f"::{self.name}") for name in candidates)


def parse_specification(text: str) -> Specification:
    found = _PARTS.fullmatch(text)
    last = text.replace("::", "").rpartition(":")
    if found is None or (found["modes"] is None and last[1]):
        raise ConfigError(f"'{text}' does not say what to export", hint=_FORM)
    modes = tuple(dict.fromkeys(_MODES[word] for word in (found["modes"] or "reverse,forward").split(",")))
    activities = tuple(parse_activity(word, "=") for word in (found["args"] or "").split(",") if word)
    return Specification(found["name"], modes, activities)


def parse_activity(text: str, separator: str) -> tuple[str, Activity]:
    """An argument and its activity."""
    name, found, word = text.partition(separator)
    activity = next((one for one in _ACTIVITIES if one.value == word), None)
    if not found or activity is None:
        hint = f"write NAME{separator}const, dup, runtime or out"
        raise ConfigError(f"'{text}' is no argument and activity", hint=hint)
    return name, activity


def export_requests(module: Module, specifications: Sequence[Specification]) -> list[ExportRequest]:
    """The derivatives to make of the module's functions, each once."""
    every = [(one, name) for one, name in _named(module) if one.symbol == one.function.name]
    found: dict[ExportRequest, None] = {}
    known: set[str] = set()
    for specification in specifications:
        for candidate, name in every:
            if not specification.names(candidate.symbol, name):
                continue
            if candidate.is_local:
                if specification.is_pattern:
                    continue
                raise ConfigError(
                    f"'{candidate.source_name}' is local to its source file: nobody can call it from elsewhere",
                    hint="remove 'static' (or the unnamed namespace)",
                )
            function = candidate.function
            if specification.is_pattern and not _is_differentiable(function):
                continue
            names = argument_names(module, function)
            known.update(names, map(str, range(1, len(names) + 1)))
            arguments = _activities(function, names, dict(specification.activities))
            for mode in specification.modes:
                request = ExportRequest(function.name, mode, arguments, by_pattern=specification.is_pattern)
                if request not in found or not specification.is_pattern:
                    found.pop(request, None)
                    found[request] = None
    _check_names(specifications, known, found)
    return list(found)


def _named(module: Module) -> list[tuple[Candidate, str]]:
    """The functions of the module, with what their sources call them."""
    every = list(definitions(module))
    bound = names_of_bound(every)
    return [(one, bound.get(one, one.source_name)) for one in every]


def unmatched(
    specifications: Iterable[Specification], module: Module, elsewhere: Iterable[str]
) -> Iterator[Specification]:
    """Those that mean functions which are neither defined in the module nor exported by what is linked, `elsewhere`."""
    names = [(one.symbol, name) for one, name in _named(module)]
    names += [(name, name) for name in elsewhere]
    for specification in specifications:
        if not any(specification.names(*given) for given in names):
            yield specification


def not_defined(missing: Sequence[Specification], notes: Sequence[str]) -> InputError:
    listed = " and ".join(f"'{one.name}'" for one in missing)
    return InputError(
        f"there is no function {listed} to export derivatives of",
        notes=notes,
        hint="compile it with enzyme-cc, enzyme-c++ or enzyme-fc, or give its source"
        if notes
        else "name functions that the inputs define, compiled by enzyme-cc, enzyme-c++ or enzyme-fc",
    )


def argument_names(module: Module, function: Function) -> list[str]:
    """The names that the source gives the arguments, as far as they are known."""
    program = subprogram_of(module, function)
    if program is not None and len(program.parameters) == len(function.arguments):
        return [parameter.name for parameter in program.parameters]
    return [argument.name or "" for argument in function.arguments]


def _is_differentiable(function: Function) -> bool:
    type_ = function.function_type
    parts = [type_.result, *type_.parameters]
    return not type_.variadic and any(isinstance(part, PointerType) or _has_numbers(part) for part in parts)


def _has_numbers(type_: Type) -> bool:
    """Is this a number, or a struct by value (as rustc passes it) in which there are some?"""
    if isinstance(type_, StructType | ArrayType):
        fields = type_.fields if isinstance(type_, StructType) else (type_.element,)
        return any(map(_has_numbers, fields))
    return type_.is_float_like


def _activities(function: Function, names: Sequence[str], wanted: dict[str, Activity]) -> tuple[Activity, ...]:
    if function.function_type.variadic:
        raise ConfigError(f"'{function.name}' takes a variable number of arguments: it has no derivatives to export")
    return tuple(
        _activity(function, argument, name, wanted.get(name, wanted.get(str(argument.index + 1))))
        for argument, name in zip(function.arguments, names, strict=True)
    )


def _activity(function: Function, argument: Argument, name: str, wanted: Activity | None) -> Activity:
    default = (
        Activity.DUPLICATED
        if isinstance(argument.type, PointerType)
        else Activity.ACTIVE
        if _has_numbers(argument.type)
        else Activity.CONSTANT
    )
    pointer = wanted is Activity.RUNTIME and default is Activity.DUPLICATED
    if wanted not in (None, default, Activity.CONSTANT) and not pointer:
        raise ConfigError(
            f"argument '{name or argument.index + 1}' of '{function.name}' cannot be '{wanted.value}'",
            hint="pointers are dup, runtime or const, numbers out or const, integers const",
        )
    return wanted or default


def _check_names(specifications: Iterable[Specification], known: set[str], found: Iterable[ExportRequest]) -> None:
    """An argument must be one of at least one function."""
    unknown = [name for one in specifications for name, _ in one.activities if name not in known]
    functions = ", ".join(dict.fromkeys(f"'{request.function}'" for request in found))
    if unknown and functions:
        raise ConfigError(
            f"{functions}: there is no argument '{unknown[0]}'",
            hint=f"there are {', '.join(sorted(name for name in known if name)) or 'none'}",
        )
