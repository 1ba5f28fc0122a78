"""The configuration of extension modules: the table `[tool.enzyme-build]` as a tree of dataclasses.

Each field is a key, with hyphens for underscores. Unknown keys and wrong types are errors that name the key by its path
and suggest the nearest one.
"""

from __future__ import annotations

import difflib
import keyword
import types
from dataclasses import MISSING, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_args, get_origin, get_type_hints

from enzyme_build.errors import ConfigError
from enzyme_build.records import dataclass

from .signature import Signature, parse_signature

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_T = TypeVar("_T")
MODES: Final = ("reverse", "forward", "hvp", "batch")
BACKENDS: Final = ("scikit-build-core", "meson-python")


@dataclass(frozen=True)
class FunctionConfig:
    """`[[tool.enzyme-build.module.function]]`: one function that a module offers."""

    name: str = ""
    """Its name in the source, with namespaces; default: as in the signature."""
    signature: str = ""
    """Roles and shapes of its arguments: `energy(x[n], n, k)`."""
    wrt: tuple[str, ...] = ()
    """Differentiate with respect to these, in this order; default: every floating-point input."""
    modes: tuple[str, ...] = ("reverse", "forward")
    """`reverse` gives `_grad` and `_vjp`, `forward` `_jvp`, `hvp` `_hvp`, `batch` all of them for many items; empty:
    only the function itself."""
    python_name: str = ""
    """Its name in Python; default: the name without namespaces."""

    @property
    def parsed(self) -> Signature:
        """The signature, under the full name of the function."""
        parsed = parse_signature(self.signature or self.name)
        if not self.name:
            return parsed
        named = parse_signature(self.name)
        if parsed.base_name != named.base_name:
            raise ConfigError(f"function '{self.name}' has the signature of '{parsed.name}'")
        return replace(parsed, name=named.name, overload=named.overload)


@dataclass(frozen=True)
class ModuleConfig:
    """`[[tool.enzyme-build.module]]`: one extension module."""

    name: str
    """The name under which it is imported: `mypkg._core`."""
    sources: tuple[str, ...]
    """Sources, objects, archives or bitcode, relative to the project."""
    function: tuple[FunctionConfig, ...] = ()
    include_dirs: tuple[str, ...] = ()
    """Folders of headers, relative to the project."""
    defines: tuple[str, ...] = ()
    """`NAME` or `NAME=VALUE`."""
    compile_args: tuple[str, ...] = ()
    """More words for the compiler, for every source."""
    link_args: tuple[str, ...] = ()
    """More words for the linker."""
    libraries: tuple[str, ...] = ()
    """Libraries to link, as in `-l`."""


@dataclass(frozen=True)
class ProjectConfig:
    """`[tool.enzyme-build]`."""

    module: tuple[ModuleConfig, ...] = ()
    backend: str = "scikit-build-core"
    """The build backend that makes the wheel: `scikit-build-core` or `meson-python`."""
    optimise: int = 2
    """Level of optimisation after differentiation, 0 to 3."""
    target_cpu: str = ""
    """CPU to generate code for; empty: the baseline of the platform, so that the wheel runs everywhere."""
    veclib: str = ""
    """Library of vector functions for loops that call mathematical ones: `libmvec` (glibc's, x86-64)."""
    ad_before_opt: bool = False
    """Differentiate unoptimised code: a baseline for measurements."""
    loose_types: bool = False
    """Guess, and warn, where the type of memory cannot be proved."""


@dataclass(frozen=True)
class Override:
    """A value that is given when the project is built, as text, and where it was given."""

    key: str
    text: str
    origin: str


def read_project(pyproject: Mapping[str, Any], overrides: Iterable[Override] = ()) -> ProjectConfig:
    """The configuration in the contents of a pyproject.toml; of `overrides` the last one of a key counts."""
    config = read(ProjectConfig, pyproject.get("tool", {}).get("enzyme-build", {}), "tool.enzyme-build")
    given: dict[str, Any] = {one.key.replace("-", "_"): _overridden(one) for one in overrides}
    config = replace(config, **given)
    _check_choice(config.backend, BACKENDS, "tool.enzyme-build.backend")
    if not 0 <= config.optimise <= 3:
        raise ConfigError(f"tool.enzyme-build.optimise must be 0 to 3, not {config.optimise}")
    names: set[str] = set()
    for module in config.module:
        if module.name in names:
            raise ConfigError(f"two modules are named '{module.name}'")
        names.add(module.name)
    return config


def read(kind: type[_T], table: object, path: str) -> _T:
    """A dataclass from a table, checked key by key."""
    if not isinstance(table, dict):
        raise ConfigError(f"{path} must be a table, not {_spelled(table)}")
    known = {field.name.replace("_", "-"): field for field in fields(kind)}  # type: ignore[arg-type]
    for key in table:
        if key not in known:
            raise _unknown(f"unknown key '{key}' in {path}", key, tuple(known))
    hints = get_type_hints(kind)
    values = {known[key].name: _value(hints[known[key].name], value, f"{path}.{key}") for key, value in table.items()}
    for key, field in known.items():
        if field.name not in values and field.default is MISSING and field.default_factory is MISSING:
            raise ConfigError(f"{path} needs the key '{key}'")
    result = kind(**values)
    _check(result, path)
    return result


def _overridden(given: Override) -> str | int | bool:
    hints = get_type_hints(ProjectConfig)
    plain = {name.replace("_", "-"): hint for name, hint in hints.items() if hint in _names}
    if given.key not in plain:
        raise _unknown(f"{given.origin}: there is no '{given.key}' to set", given.key, tuple(plain))
    hint = plain[given.key]
    if hint is bool and given.text.lower() in _TRUTH:
        return _TRUTH[given.text.lower()]
    if hint is int and given.text.strip().isdecimal():
        return int(given.text)
    if hint is str:
        return given.text
    raise ConfigError(f"{given.origin} must be {_names[hint]}, not '{given.text}'")


_TRUTH: Final = {"true": True, "1": True, "on": True, "false": False, "0": False, "off": False}


def _check(result: object, path: str) -> None:
    match result:
        case FunctionConfig():
            if not (result.name or result.signature):
                raise ConfigError(f"{path} needs a 'name' or a 'signature'")
            for mode in result.modes:
                _check_choice(mode, MODES, f"{path}.modes")
            if result.python_name and not _is_name(result.python_name):
                raise ConfigError(f"{path}.python-name must be a name of Python, not '{result.python_name}'")
        case ModuleConfig():
            if not all(map(_is_name, result.name.split("."))):
                raise ConfigError(f"{path}.name must be an importable name like 'mypkg._core', not '{result.name}'")
            if not result.sources:
                raise ConfigError(f"{path}.sources is empty")
            if not result.function:
                raise ConfigError(
                    f"module '{result.name}' has no functions", hint="add [[tool.enzyme-build.module.function]]"
                )


def _is_name(text: str) -> bool:
    """Can a program of Python write it, and C as well?"""
    return text.isidentifier() and text.isascii() and not keyword.iskeyword(text)


def _value(hint: Any, value: object, path: str) -> object:
    if get_origin(hint) is tuple:
        element = get_args(hint)[0]
        if not isinstance(value, list):
            raise ConfigError(f"{path} must be {_array_of(element)}, not {_spelled(value)}")
        return tuple(_value(element, item, f"{path}[{index}]") for index, item in enumerate(value))
    if is_dataclass(hint):
        return read(hint, value, path)  # type: ignore[arg-type]
    # In Python a boolean is an integer; in TOML it is not.
    if not isinstance(value, hint) or (hint is int and isinstance(value, bool)):
        raise ConfigError(f"{path} must be {_names[hint]}, not {_spelled(value)}")
    return value


_names: Final = types.MappingProxyType({str: "a string", int: "an integer", bool: "true or false"})


def _array_of(element: Any) -> str:
    return "an array of tables" if is_dataclass(element) else "an array of strings"


def _spelled(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "an array"
    return "a table" if isinstance(value, dict) else repr(value)


def _check_choice(value: str, choices: tuple[str, ...], path: str) -> None:
    if value not in choices:
        raise _unknown(f"{path}: '{value}' is not known", value, choices)


def _unknown(message: str, key: str, known: tuple[str, ...]) -> ConfigError:
    close = difflib.get_close_matches(key, known, n=1)
    return ConfigError(message, hint=f"did you mean '{close[0]}'?" if close else f"known: {', '.join(known)}")
