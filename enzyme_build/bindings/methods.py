"""The Python functions that stand for an exported function: their names, parameters and what they return.

`energy(x[n], n, k)` gives

    energy(x, k, *, n)                  → value
    energy_grad(x, k, *, n, out)        → (value, (x_bar, k_bar))
    energy_vjp(x, k, cotangent, *, …)   → (x_bar, k_bar)
    energy_jvp(x, k, *, x_dot, k_dot)   → (value, value_dot)
    energy_hvp(x, k, *, x_dot, k_dot)   → the rows of the Hessian times the tangents

Written arrays are made and returned by all but the primal, which also fills a given one.
"""

from __future__ import annotations

import keyword
from enum import Enum
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import ConfigError
from enzyme_build.records import dataclass

from .signature import Intent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .interface import Argument, Interface


class Kind(Enum):
    PRIMAL = ""
    GRAD = "_grad"
    VJP = "_vjp"
    JVP = "_jvp"
    HVP = "_hvp"


class Role(Enum):
    """What a Python parameter is for."""

    INPUT = "input"
    LENGTH = "length"
    OUTPUT = "output"
    COTANGENT = "cotangent"
    TANGENT = "tangent"
    BUFFERS = "buffers"
    THREADS = "threads"


BATCH: Final = "batch"
"""The mode that adds functions of batches to those of the other modes."""
MODES: Final = {"reverse": (Kind.GRAD, Kind.VJP), "forward": (Kind.JVP,), "hvp": (Kind.HVP,)}


@dataclass(frozen=True)
class Parameter:
    """A parameter of a Python function; `argument` is what it belongs to, None for the result."""

    name: str
    role: Role
    argument: Argument | None = None
    required: bool = True
    keyword_only: bool = False


@dataclass(frozen=True)
class Method:
    """One Python function of the generated module."""

    interface: Interface
    kind: Kind
    parameters: tuple[Parameter, ...]
    batched: bool = False
    """For many items at once, which lie along a leading axis."""

    @property
    def name(self) -> str:
        return self.interface.name + self.kind.value + (f"_{BATCH}" if self.batched else "")

    @property
    def values(self) -> list[Argument]:
        """The written arguments that come back as values, beside the result."""
        in_place = self.kind is Kind.PRIMAL and not self.batched
        return [a for a in self.interface.written if not (in_place and a.intent is Intent.INOUT and a.is_array)]

    def of_role(self, role: Role) -> list[Parameter]:
        return [p for p in self.parameters if p.role is role]


def methods(interface: Interface, modes: tuple[str, ...]) -> list[Method]:
    """The Python functions for these modes, the primal first."""
    kinds = [Kind.PRIMAL, *(kind for mode in MODES if mode in modes for kind in MODES[mode])]
    if len(kinds) > 1:
        check_differentiable(interface)
    if Kind.HVP in kinds and (not interface.has_active_result or interface.active_written):
        raise ConfigError(
            f"the mode hvp of '{interface.name}' needs a function that returns a float and writes no active array"
        )
    if not interface.has_active_result:
        kinds = [kind for kind in kinds if kind is not Kind.GRAD]
    single = [Method(interface, kind, _parameters(interface, kind)) for kind in kinds]
    if BATCH not in modes:
        return single
    return single + [Method(interface, kind, _batch_parameters(interface, kind), batched=True) for kind in kinds]


def spelled(name: str) -> str:
    """The name of an argument as Python can take it: `lambda_` for `lambda`."""
    return f"{name}_" if keyword.iskeyword(name) else name


def signature_text(method: Method, spell: Callable[[Parameter], str] = lambda p: p.name) -> str:
    """The parameter list as Python writes it; `spell` turns a parameter into its text."""
    parts, starred = [], False
    for parameter in method.parameters:
        if parameter.keyword_only and not starred:
            parts.append("*")
            starred = True
        parts.append(spell(parameter))
    return ", ".join(parts)


def returns_text(method: Method) -> str:
    """What the function returns, with the names of the values: `(value, (x_bar, k_bar))`."""
    interface, bars = method.interface, tuple_text(f"{name}_bar" for name in method.interface.wrt)
    names = [*(["value"] if interface.result else []), *(a.name for a in method.values)]
    match method.kind:
        case Kind.PRIMAL:
            return one_or_tuple(names)
        case Kind.GRAD:
            return f"(value, {bars})"
        case Kind.VJP:
            return bars
        case Kind.HVP:
            return tuple_text(f"{name}_hvp" for name in interface.wrt)
        case Kind.JVP:
            dots = [f"{a.name if a else 'value'}_dot" for a in active_values(interface)]
            return f"({one_or_tuple(names)}, {one_or_tuple(dots)})"


def active_values(interface: Interface) -> list[Argument | None]:
    """The results that carry derivatives, None for what is returned: the cotangents of a vjp, the tangents of a jvp."""
    return [*([None] if interface.has_active_result else []), *interface.active_written]


def one_or_tuple(names: list[str]) -> str:
    return names[0] if len(names) == 1 else tuple_text(names) if names else "None"


def tuple_text(names: Iterator[str] | list[str]) -> str:
    """Names as Python writes a tuple of them."""
    listed = list(names)
    return f"({', '.join(listed)}{',' if len(listed) == 1 else ''})"


def check_differentiable(interface: Interface) -> None:
    """Refuse what has no input or no result that carries derivatives."""
    if not interface.wrt:
        raise ConfigError(
            f"'{interface.name}' has no floating-point input to differentiate with respect to",
            hint="leave its modes empty to export the function alone: modes = []",
        )
    if not active_values(interface):
        raise ConfigError(
            f"'{interface.name}' has no result to differentiate: it returns no float and writes no array",
            hint="mark the arrays that it writes: 'out y[n]' or 'inout y[n]' in the signature",
        )


def _parameters(interface: Interface, kind: Kind, *, batched: bool = False) -> tuple[Parameter, ...]:
    found = [*_inputs(interface)]
    if kind is Kind.PRIMAL:
        found += [
            Parameter(spelled(a.name), Role.OUTPUT, a, required=False) for a in interface.written if _is_output_array(a)
        ]
    if kind is Kind.VJP:
        found += _cotangents(interface)
    if kind in {Kind.JVP, Kind.HVP}:
        found += [
            Parameter(f"{name}_dot", Role.TANGENT, interface.argument(name), required=False, keyword_only=True)
            for name in interface.wrt
        ]
    given = interface.given_by_arrays
    found += [
        Parameter(spelled(a.name), Role.LENGTH, a, required=False, keyword_only=True)
        for a in interface.arguments
        if a.name in given and not (batched and a.name in interface.strides)
    ]
    if kind in {Kind.GRAD, Kind.VJP}:
        found.append(Parameter("out", Role.BUFFERS, required=False, keyword_only=True))
    _check_names(interface, kind, found)
    return tuple(found)


def _batch_parameters(interface: Interface, kind: Kind) -> tuple[Parameter, ...]:
    """Nothing is written in place, so there are no buffers; arrays are dense, so there are no strides."""
    found = [p for p in _parameters(interface, kind, batched=True) if p.role not in {Role.OUTPUT, Role.BUFFERS}]
    found.append(Parameter("threads", Role.THREADS, required=False, keyword_only=True))
    _check_names(interface, kind, found)
    return tuple(found)


def _inputs(interface: Interface) -> Iterator[Parameter]:
    given = interface.given_by_arrays
    for argument in interface.arguments:
        if argument.intent is not Intent.OUT and argument.name not in given:
            yield Parameter(spelled(argument.name), Role.INPUT, argument)


def _cotangents(interface: Interface) -> Iterator[Parameter]:
    if interface.has_active_result:
        yield Parameter("cotangent", Role.COTANGENT)
    for argument in interface.active_written:
        yield Parameter("cotangent" if argument.is_result else f"{argument.name}_bar", Role.COTANGENT, argument)


def _is_output_array(argument: Argument) -> bool:
    return argument.intent is Intent.OUT and argument.is_array


def _check_names(interface: Interface, kind: Kind, found: list[Parameter]) -> None:
    names = [p.name for p in found]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(
                f"{interface.name}{kind.value}() would have two arguments named '{name}'",
                hint=f"give the argument '{name}' of '{interface.name}' another name in the signature",
            )
