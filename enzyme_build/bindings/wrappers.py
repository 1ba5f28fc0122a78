"""Derivatives with a C signature, as LLVM IR that asks the pass for them.

For `double f(const double *x, int n, double a)`:

    double f_grad(const double *x, double *x_bar, int n, double a, double *a_bar)
    double f_jvp(const double *x, const double *x_dot, int n, double a, double a_dot, double *result_dot)
    double f_hvp(const double *x, const double *x_dot, double *x_bar, double *x_bar_dot, int n,
                 double a, double a_dot, double *a_bar, double *a_bar_dot)

Each active argument is followed by its shadow; `x_bar_dot` receives the product of the Hessian with the tangents.
Adjoints are added to; the return value is the primal's unless `primal` is off; an active result is seeded with 1, or
with a trailing `seed`. The bars of written arrays are seeds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import ConfigError

from .interface import Activity, Argument, Interface
from .signature import Intent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Mode(Enum):
    REVERSE = "reverse"
    FORWARD = "forward"
    HVP = "hvp"
    """Forward over reverse: Hessian-vector products."""


SUFFIXES: Final = {Mode.REVERSE: "_grad", Mode.FORWARD: "_jvp", Mode.HVP: "_hvp"}
_REQUESTS: Final = {Mode.REVERSE: "__enzyme_autodiff", Mode.FORWARD: "__enzyme_fwddiff"}
_MARKERS: Final = tuple(f"enzyme_{name}" for name in ("const", "dup", "dupnoneed", "out", "primal_return", "seed"))


@dataclass(frozen=True)
class Derivative:
    """One derivative of an exported function, as a function of its own."""

    interface: Interface
    mode: Mode
    symbol: str = ""
    seed: bool = False
    """Reverse: is the seed of the result a trailing argument?"""
    primal: bool = True
    """Does it return the primal's result?"""

    @property
    def name(self) -> str:
        return self.symbol or self.interface.name + SUFFIXES[self.mode]

    @property
    def returns_primal(self) -> bool:
        return self.primal and self.interface.result is not None

    @property
    def has_seed(self) -> bool:
        return self.seed and self.mode is Mode.REVERSE and self.interface.has_active_result


@dataclass(frozen=True)
class Parameter:
    """A parameter of the generated function, in IR and in C."""

    name: str
    ir_type: str
    c_type: str
    attributes: str = ""


def parameters(derivative: Derivative) -> list[Parameter]:
    """The parameters of the generated function, in order."""
    found: list[Parameter] = []
    for argument in derivative.interface.arguments:
        found.append(_primal_parameter(argument))
        if argument.is_active:
            found += _shadow_parameters(argument, derivative.mode)
    result = derivative.interface.result
    if derivative.mode is Mode.FORWARD and derivative.interface.has_active_result and result:
        found.append(Parameter("result_dot", "ptr", f"{result.c} *"))
    if derivative.has_seed and result:
        found.append(Parameter("seed", result.llvm, result.c))
    _check_names(derivative, found)
    return found


def primal_parameters(interface: Interface) -> list[Parameter]:
    return [_primal_parameter(argument) for argument in interface.arguments]


def wrapper_module(derivatives: Sequence[Derivative]) -> str:
    """LLVM IR defining the derivatives; to be linked with the module that has the primals."""
    lines = [f"@{marker} = external global i32" for marker in _MARKERS]
    primals = {d.interface.symbol: d.interface for d in derivatives}
    for interface in primals.values():
        types = ", ".join(_typed(a.ir_type, a.ir_attributes) for a in interface.arguments)
        lines.append(f"declare {_result(interface)} {quoted(interface.symbol)}({types})")
    for derivative in derivatives:
        lines += ["", *_definition(derivative)]
    return "\n".join(lines) + "\n"


def _check_names(derivative: Derivative, found: Sequence[Parameter]) -> None:
    seen: set[str] = set()
    for parameter in found:
        if parameter.name in seen:
            raise ConfigError(
                f"'{derivative.name}' would have two arguments named '{parameter.name}'",
                hint="give the argument of the function another name in the signature",
            )
        seen.add(parameter.name)


def _primal_parameter(argument: Argument) -> Parameter:
    element = argument.dtype.c if argument.dtype else "void"
    if argument.is_pointer:
        const = "const " if argument.read_only else ""
        return Parameter(argument.name, argument.ir_type, f"{const}{element} *")
    return Parameter(argument.name, argument.ir_type, element, argument.ir_attributes)


def _shadow_parameters(argument: Argument, mode: Mode) -> list[Parameter]:
    if mode is not Mode.HVP:
        return [_shadow_parameter(argument, mode)]
    c_type = f"{argument.element.c} *"
    adjoints = [Parameter(f"{argument.name}_{suffix}", "ptr", c_type) for suffix in ("bar", "bar_dot")]
    return [_shadow_parameter(argument, Mode.FORWARD), *adjoints]


def _shadow_parameter(argument: Argument, mode: Mode) -> Parameter:
    element = argument.element
    if mode is Mode.REVERSE:
        return Parameter(f"{argument.name}_bar", "ptr", f"{element.c} *")
    if argument.is_pointer:
        const = "const " if argument.read_only and argument.intent is Intent.IN else ""
        return Parameter(f"{argument.name}_dot", argument.ir_type, f"{const}{element.c} *")
    return Parameter(f"{argument.name}_dot", argument.ir_type, element.c)


def quoted(symbol: str) -> str:
    """The symbol as LLVM writes it."""
    return f"@{symbol}" if re.fullmatch(r"[-a-zA-Z$._][-a-zA-Z$._0-9]*", symbol) else f'@"{symbol}"'


def _typed(ir_type: str, attributes: str, name: str = "") -> str:
    return " ".join(part for part in (ir_type, attributes, name) if part)


def _result_type(interface: Interface) -> str:
    if interface.result is None:
        return "void"
    return "i1" if interface.result.name == "bool" else interface.result.llvm


def _result(interface: Interface) -> str:
    return " ".join(part for part in (interface.result_attributes, _result_type(interface)) if part)


def _arguments_of_request(derivative: Derivative) -> Iterator[str]:
    yield f"ptr {quoted(derivative.interface.symbol)}"
    if derivative.returns_primal:
        yield "ptr @enzyme_primal_return"
    if derivative.has_seed and derivative.interface.result:
        yield "ptr @enzyme_seed"
        yield f"{derivative.interface.result.llvm} %seed"
    for argument in derivative.interface.arguments:
        # In forward mode a scalar by value has a tangent beside it, which is what `dup` says.
        forward_scalar = derivative.mode is Mode.FORWARD and argument.activity is Activity.OUT
        activity = Activity.DUP if forward_scalar else argument.activity
        yield f"ptr @enzyme_{activity.value}"
        yield f"{argument.ir_type} %{argument.name}"
        if activity in {Activity.DUP, Activity.DUPNONEED}:
            shadow = _shadow_parameter(argument, derivative.mode)
            yield f"{shadow.ir_type} %{shadow.name}"


def _definition(derivative: Derivative) -> list[str]:
    if derivative.mode is Mode.HVP:
        return _hessian_definition(derivative)
    interface = derivative.interface
    head = ", ".join(_typed(p.ir_type, p.attributes, f"%{p.name}") for p in parameters(derivative))
    primal_type = _result_type(interface)
    fields = [primal_type] if derivative.returns_primal else []
    by_value = [a for a in interface.arguments if a.activity is Activity.OUT]
    if derivative.mode is Mode.REVERSE:
        fields += [a.ir_type for a in by_value]
    elif interface.has_active_result:
        fields.append(primal_type)
    returned = "void" if not fields else fields[0] if len(fields) == 1 else f"{{ {', '.join(fields)} }}"
    request = quoted(f"{_REQUESTS[derivative.mode]}.{derivative.name}")
    call = f"call {returned} (...) {request}({', '.join(_arguments_of_request(derivative))})"
    body = [call if returned == "void" else f"%all = {call}"]
    values = ["%all"]
    if len(fields) > 1:
        values = [f"%part{index}" for index in range(len(fields))]
        body += [f"{value} = extractvalue {returned} %all, {index}" for index, value in enumerate(values)]
    derivatives = values[1:] if derivative.returns_primal else values
    if derivative.mode is Mode.REVERSE:
        for argument, value in zip(by_value, derivatives, strict=False):
            body += _accumulate(argument, value)
    elif interface.has_active_result:
        body.append(f"store {primal_type} {derivatives[0]}, ptr %result_dot")
    body.append(f"ret {primal_type} {values[0]}" if derivative.returns_primal else "ret void")
    result = _result(interface) if derivative.returns_primal else "void"
    suffix = f" {interface.attribute_text}" if interface.attribute_text else ""
    return [
        f"declare {returned} {request}(...)",
        "",
        f"define {result} {quoted(derivative.name)}({head}){suffix} {{",
        *(f"  {line}" for line in body),
        "}",
    ]


def _hessian_definition(derivative: Derivative) -> list[str]:
    """The tangent of the gradient: a reverse derivative of its own, differentiated in forward mode."""
    interface = derivative.interface
    gradient = Derivative(interface, Mode.REVERSE, f"{derivative.name}.gradient", primal=derivative.primal)
    inner = [line.replace("define ", "define internal ", 1) for line in _definition(gradient)]
    result = interface.result.llvm if interface.result and derivative.returns_primal else "void"
    returned = f"{{ {result}, {result} }}" if derivative.returns_primal else "void"
    passed = [f"ptr {quoted(gradient.name)}", *(["ptr @enzyme_primal_return"] if derivative.returns_primal else [])]
    for argument in interface.arguments:
        own = f"{argument.ir_type} %{argument.name}"
        if argument.is_active:
            passed += ["ptr @enzyme_dup", own, f"{argument.ir_type} %{argument.name}_dot"]
            passed += ["ptr @enzyme_dup", f"ptr %{argument.name}_bar", f"ptr %{argument.name}_bar_dot"]
        else:
            passed += ["ptr @enzyme_const", own]
    request = quoted(f"{_REQUESTS[Mode.FORWARD]}.{derivative.name}")
    head = ", ".join(_typed(p.ir_type, p.attributes, f"%{p.name}") for p in parameters(derivative))
    call = f"call {returned} (...) {request}({', '.join(passed)})"
    body = [call, "ret void"]
    if derivative.returns_primal:
        body = [f"%all = {call}", f"%value = extractvalue {returned} %all, 0", f"ret {result} %value"]
    suffix = f" {interface.attribute_text}" if interface.attribute_text else ""
    return [
        *inner,
        "",
        f"declare {returned} {request}(...)",
        "",
        f"define {result} {quoted(derivative.name)}({head}){suffix} {{",
        *(f"  {line}" for line in body),
        "}",
    ]


def _accumulate(argument: Argument, value: str) -> Iterator[str]:
    pointer, kind = f"%{argument.name}_bar", argument.ir_type
    yield f"%{argument.name}.old = load {kind}, ptr {pointer}"
    yield f"%{argument.name}.new = fadd {kind} %{argument.name}.old, {value}"
    yield f"store {kind} %{argument.name}.new, ptr {pointer}"
