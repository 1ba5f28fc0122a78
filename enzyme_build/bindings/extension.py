"""The C source of a Python extension module around compiled functions and their derivatives.

The source is against the limited API of Python 3.11 (one file serves every later version), uses vector calls and
multi-phase initialisation, keeps no global state, and gives the interpreter lock back while the compiled code runs.
The fixed half is `templates/runtime.c` (arrays) and `templates/arguments.c`; `glue.py` writes one C function for each
Python function.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as package_version
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import jinja2

from enzyme_build.errors import ConfigError
from enzyme_build.records import dataclass

from .batch import batch_glue
from .body import c_string, native_suffix
from .derivative import Derivative, Mode, parameters, primal_parameters
from .glue import glue
from .methods import Kind, Method, methods
from .stub import stub

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .derivative import Parameter
    from .interface import Interface


_DERIVATIVES: Final = {
    Kind.GRAD: Mode.REVERSE,
    Kind.VJP: Mode.REVERSE,
    Kind.JVP: Mode.FORWARD,
    Kind.HVP: Mode.HVP,
}


@dataclass(frozen=True)
class Export:
    """A function that the module offers, with the modes (`reverse`, `forward`, `hvp`) in which it is differentiated."""

    interface: Interface
    modes: tuple[str, ...] = ("reverse", "forward")


@dataclass(frozen=True)
class Native:
    """A compiled function as the generated source declares it."""

    symbol: str
    declaration: str


@dataclass(frozen=True)
class Extension:
    """Everything that is generated for a module."""

    name: str
    source: str
    stub: str
    derivatives: tuple[Derivative, ...]
    """What the wrapper IR has to define for it."""
    natives: tuple[Native, ...]
    """Every compiled function that it calls."""


def extension(name: str, exports: Sequence[Export]) -> Extension:
    """The extension module `name` (dotted, as it is imported)."""
    functions = [method for export in exports for method in methods(export.interface, export.modes)]
    _check_names(name, functions)
    natives = tuple(dict.fromkeys(_native(method) for method in functions))
    source = render(
        "module.c.j2",
        module=name,
        stem=name.rpartition(".")[2],
        version=_version(),
        runtime="\n".join(map(_template, _runtime(functions))),
        natives=natives,
        functions=[batch_glue(method) if method.batched else glue(method) for method in functions],
        doc=c_string(f"Compiled functions and their derivatives: {', '.join(m.name for m in functions)}."),
    )
    derivatives = {d.name: d for method in functions for d in _derivative(method)}
    return Extension(name, source, stub(functions), tuple(derivatives.values()), natives)


def _runtime(functions: Sequence[Method]) -> list[str]:
    return ["runtime.c", "arguments.c", *(["batch.c"] if any(m.batched for m in functions) else [])]


def derivative_symbol(method: Method) -> str:
    """The symbol that a Python function calls: one reverse derivative, taking a seed, serves both grad and vjp."""
    if method.kind is Kind.PRIMAL:
        return method.interface.symbol
    return f"enzyme_build_{method.interface.name}_{native_suffix(method.kind)}"


def _derivative(method: Method) -> Iterator[Derivative]:
    if method.kind is not Kind.PRIMAL:
        yield Derivative(method.interface, _DERIVATIVES[method.kind], derivative_symbol(method), seed=True)


def _native(method: Method) -> Native:
    interface = method.interface
    result = interface.result.c if interface.result else "void"
    listed: list[Parameter] = primal_parameters(interface)
    for derivative in _derivative(method):
        listed = parameters(derivative)
    types = ", ".join(p.c_type for p in listed) or "void"
    return Native(derivative_symbol(method), f"{result} {native_suffix(method.kind)}_{interface.name}({types})")


def _check_names(module: str, functions: Sequence[Method]) -> None:
    owners: dict[str, Interface] = {}
    for method in functions:
        other = owners.setdefault(method.name, method.interface)
        if other is not method.interface:
            raise ConfigError(
                f"module '{module}' would have two functions '{method.name}'",
                hint="give one of them another name with python-name",
            )


def render(template: str, **values: Any) -> str:
    """The text that a file of `templates/` makes of `values`."""
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FunctionLoader(_template),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 (C, not HTML)
    )


def _template(name: str) -> str:
    return (files(__package__) / "templates" / name).read_text("utf-8")


def _version() -> str:
    try:
        return package_version("enzyme-build")
    except PackageNotFoundError:
        return "(source tree)"
