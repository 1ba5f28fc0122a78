"""What generated functions and their parameters are, in words: for the comments of headers and modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .derivative import SUFFIXES, Mode, Role, parameters, primal_parameters
from .signature import Intent

if TYPE_CHECKING:
    from .derivative import Derivative, Parameter
    from .interface import Argument, Interface


def summary(derivative: Derivative) -> str:
    """What the function does."""
    name = derivative.interface.name
    what = "Gradient" if derivative.interface.has_active_result else "Vector-Jacobian product"
    match derivative.mode:
        case Mode.HVP:
            return f"Gradient of {name} added to *_bar, Hessian times the tangents *_dot added to *_bar_dot."
        case Mode.FORWARD:
            outputs = ", result_dot out" if derivative.interface.has_active_result else ""
            return f"Jacobian-vector product of {name}: tangents *_dot in{outputs}."
        case Mode.AUGMENTED:
            return f"Runs {name} and leaves a tape for {_other_pass(derivative)}."
        case Mode.BACKWARD:
            return f"{what} of {name} from the tape of {_other_pass(derivative)}: adjoints are added to *_bar."
        case _:
            return f"{what} of {name}: adjoints are added to *_bar."


def _other_pass(derivative: Derivative) -> str:
    """Of split mode: the function that makes or uses the tape."""
    own, other = Mode.AUGMENTED, Mode.BACKWARD
    if derivative.mode is Mode.BACKWARD:
        own, other = other, own
    return derivative.name.removesuffix(SUFFIXES[own]) + SUFFIXES[other]


def details(derivative: Derivative, *, fortran: bool = False) -> list[tuple[str, str]]:
    """Each parameter with what it is; dimensions in the order of the language."""
    return [(p.name, _describe(p, derivative, fortran=fortran)) for p in parameters(derivative)]


def primal_details(interface: Interface, *, fortran: bool = False) -> list[tuple[str, str]]:
    """The same of the function itself."""
    return [(p.name, _primal(p, fortran=fortran)) for p in primal_parameters(interface)]


def returned(derivative: Derivative) -> str:
    return f"the value of {derivative.interface.name}" if derivative.returns_primal else ""


def _describe(parameter: Parameter, derivative: Derivative, *, fortran: bool) -> str:
    several = f"; {parameter.lanes} of them, one behind the other" if parameter.lanes > 1 else ""
    match parameter.role:
        case Role.PRIMAL if derivative.mode is Mode.BACKWARD and parameter.is_pointer:
            return f"as for {_other_pass(derivative)}"
        case Role.PRIMAL:
            return _primal(parameter, fortran=fortran)
        case Role.NEW_TAPE:
            return f"receives the tape, which {_other_pass(derivative)} uses up"
        case Role.TAPE:
            return f"what {_other_pass(derivative)} left, used up"
        case Role.RESULT_TANGENT:
            return f"tangent of the result, written{several}"
        case Role.SEED:
            return f"adjoint of the result{several}"
        case _:
            return _shadow(parameter, derivative.mode) + several


def _shadow(parameter: Parameter, mode: Mode) -> str:
    argument = parameter.argument
    assert argument is not None
    written = argument.intent is not Intent.IN
    match parameter.role:
        case Role.TANGENT:
            return f"tangent of {argument.name}{', which changes with it' if written else ''}"
        case Role.ADJOINT_TANGENT:
            return f"Hessian times tangents, by {argument.name}, added to"
        case _ if written:
            before = "zero" if argument.intent is Intent.OUT else "the adjoint of what was there before"
            return f"adjoint of {argument.name}: the seed, replaced by {before}"
        case _:
            if mode is Mode.AUGMENTED and not argument.is_pointer:
                return f"adjoint of {argument.name}, not used by this pass"
            maybe = "" if argument.read_only or not argument.is_pointer else "; of what is written: the seed, used up"
            alike = "" if argument.dtype else ", of the same layout"
            return f"adjoint of {argument.name}{alike}, added to{maybe}"


def _primal(parameter: Parameter, *, fortran: bool) -> str:
    argument = parameter.argument
    assert argument is not None
    if not argument.is_pointer:
        return "passed by value"
    use = {Intent.OUT: "written", Intent.INOUT: "read and written"}.get(argument.intent)
    use = use or ("read" if argument.read_only else "read, maybe written")
    return f"{_shape(argument, fortran=fortran)}, {use}"


def _shape(argument: Argument, *, fortran: bool) -> str:
    if argument.shape == ():
        return "one number"
    if argument.shape is None:
        return "array" if argument.dtype else "memory"
    axes = list(map(str, argument.shape))
    for axis, stride in enumerate(argument.strides):
        axes[axis] += f" stride {stride}" if stride else ""
    if fortran:
        return f"array ({', '.join(axes[axis] for axis in argument.inner_first)})"
    return f"array [{', '.join(axes[axis] for axis in reversed(argument.inner_first))}]"
