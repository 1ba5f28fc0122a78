"""Derivatives of an exported function as functions of their own, and their C signatures.

For `double f(const double *x, int n, double a)`:

    double f_grad(const double *x, double *x_bar, int n, double a, double *a_bar)
    double f_jvp(const double *x, const double *x_dot, int n, double a, double a_dot, double *result_dot)
    double f_hvp(const double *x, const double *x_dot, double *x_bar, double *x_bar_dot, int n,
                 double a, double a_dot, double *a_bar, double *a_bar_dot)
    double f_augmented(const double *x, double *x_bar, int n, double a, double *a_bar, void **tape)
    void f_reverse(const double *x, double *x_bar, int n, double a, double *a_bar, void *tape)

Each active argument is followed by its shadow; `x_bar_dot` receives the product of the Hessian with the tangents.
Adjoints are added to; the return value is the primal's unless `primal` is off; an active result is seeded with 1, or
with `seed` behind the arguments. The bars of written arrays are seeds. With a `width` each shadow, seed and tangent of
a result is as many, one behind the other.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import ConfigError
from enzyme_build.records import dataclass

from .signature import Intent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .dtypes import DType
    from .interface import Argument, Interface


class Mode(Enum):
    REVERSE = "reverse"
    FORWARD = "forward"
    HVP = "hvp"
    """Forward over reverse: Hessian-vector products."""
    AUGMENTED = "split augmented"
    """The first pass of split reverse mode, which leaves a tape."""
    BACKWARD = "split reverse"
    """The second, which uses it up."""


SUFFIXES: Final = {
    Mode.REVERSE: "_grad",
    Mode.FORWARD: "_jvp",
    Mode.HVP: "_hvp",
    Mode.AUGMENTED: "_augmented",
    Mode.BACKWARD: "_reverse",
}


class Role(Enum):
    """What a parameter is for."""

    PRIMAL = "primal"
    TANGENT = "dot"
    ADJOINT = "bar"
    ADJOINT_TANGENT = "bar_dot"
    RESULT_TANGENT = "result_dot"
    SEED = "seed"
    TAPE = "tape"
    NEW_TAPE = "new tape"


@dataclass(frozen=True)
class Derivative:
    """One derivative of an exported function, as a function of its own."""

    interface: Interface
    mode: Mode
    symbol: str = ""
    seed: bool = False
    """Reverse: is the seed of the result an argument?"""
    primal: bool = True
    """Does it return the primal's result?"""
    width: int = 1
    """Directions at once."""

    @property
    def name(self) -> str:
        return self.symbol or self.interface.name + SUFFIXES[self.mode]

    @property
    def returns_primal(self) -> bool:
        return self.primal and self.interface.result is not None and self.mode is not Mode.BACKWARD

    @property
    def has_seed(self) -> bool:
        return self.seed and self.mode in {Mode.REVERSE, Mode.BACKWARD} and self.interface.has_active_result


@dataclass(frozen=True)
class Parameter:
    """A parameter of a generated function, or of its primal."""

    name: str
    role: Role
    ir_type: str
    dtype: DType | None
    """Of the value, or of what the pointer points to."""
    is_pointer: bool = True
    read_only: bool = False
    attributes: str = ""
    argument: Argument | None = None
    """Of the primal, whose value or shadow it is."""
    lanes: int = 1

    @property
    def c_type(self) -> str:
        return self.spelled(self.dtype.c if self.dtype else "void")

    def spelled(self, element: str) -> str:
        """The type in C, whose elements go by that name."""
        if self.role is Role.NEW_TAPE:
            return "void **"
        return f"{'const ' if self.read_only else ''}{element} *" if self.is_pointer else element


def parameters(derivative: Derivative) -> list[Parameter]:
    """The parameters of the generated function, in order."""
    found: list[Parameter] = []
    for argument in derivative.interface.arguments:
        found.append(_primal_parameter(argument))
        if argument.is_active:
            found += shadow_parameters(argument, derivative)
    result, width = derivative.interface.result, derivative.width
    if derivative.mode is Mode.FORWARD and derivative.interface.has_active_result and result:
        found.append(Parameter("result_dot", Role.RESULT_TANGENT, "ptr", result, lanes=width))
    if derivative.has_seed and result:
        several = width > 1
        ir_type = "ptr" if several else result.llvm
        found.append(Parameter("seed", Role.SEED, ir_type, result, several, read_only=several, lanes=width))
    if derivative.mode is Mode.AUGMENTED:
        found.append(Parameter("tape", Role.NEW_TAPE, "ptr", None))
    if derivative.mode is Mode.BACKWARD:
        found.append(Parameter("tape", Role.TAPE, "ptr", None))
    _check_names(derivative, found)
    return found


def primal_parameters(interface: Interface) -> list[Parameter]:
    return [_primal_parameter(argument) for argument in interface.arguments]


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
    if argument.is_pointer:
        return Parameter(
            argument.name,
            Role.PRIMAL,
            argument.ir_type,
            argument.dtype,
            read_only=argument.read_only,
            argument=argument,
        )
    return Parameter(
        argument.name,
        Role.PRIMAL,
        argument.ir_type,
        argument.dtype,
        is_pointer=False,
        attributes=argument.ir_attributes,
        argument=argument,
    )


def shadow_parameters(argument: Argument, derivative: Derivative) -> Iterator[Parameter]:
    """What follows an active argument."""
    # Behind a pointer may be an object; its shadow is another.
    element, lanes = argument.dtype if argument.is_pointer else argument.element, derivative.width
    if derivative.mode in {Mode.FORWARD, Mode.HVP}:
        name, by_pointer = f"{argument.name}_dot", argument.is_pointer or lanes > 1
        ir_type = "ptr" if by_pointer else argument.ir_type
        read_only = by_pointer and argument.read_only and argument.intent is Intent.IN
        yield Parameter(
            name, Role.TANGENT, ir_type, element, by_pointer, read_only=read_only, argument=argument, lanes=lanes
        )
    if derivative.mode is not Mode.FORWARD:
        yield Parameter(f"{argument.name}_bar", Role.ADJOINT, "ptr", element, argument=argument, lanes=lanes)
    if derivative.mode is Mode.HVP:
        yield Parameter(f"{argument.name}_bar_dot", Role.ADJOINT_TANGENT, "ptr", element, argument=argument)
