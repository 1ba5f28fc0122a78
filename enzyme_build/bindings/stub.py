"""The `.pyi` stub of a generated module."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from .methods import Kind, Method, Parameter, Role, active_values, signature_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .interface import Argument


def stub(methods: Sequence[Method]) -> str:
    """Type declarations of all functions of the module."""
    lines = ["import numpy as np", "from numpy.typing import NDArray", ""]
    for method in methods:
        parameters = signature_text(method, partial(_spell, method))
        lines.append(f"def {method.name}({parameters}) -> {_returns(method)}: ...")
    body = "\n".join(lines) + "\n"
    return body if "NDArray[" in body else body.partition("\n\n")[2]


def _spell(method: Method, parameter: Parameter) -> str:
    if parameter.role is Role.BUFFERS:
        buffers = ", ".join(f"{_type(a)} | None" if a.is_array else "None" for a in method.interface.wrt_arguments)
        return f"{parameter.name}: tuple[{buffers}] | None = None"
    if parameter.role is Role.THREADS:
        return f"{parameter.name}: int | None = None"
    kind = _type(parameter.argument)
    if method.batched:
        kind = _batch_type(parameter, method)
    return f"{parameter.name}: {kind}" if parameter.required else f"{parameter.name}: {kind} | None = None"


def _type(argument: Argument | None) -> str:
    if argument is None:
        return "float"
    return f"NDArray[np.{_numpy(argument)}]" if argument.is_array else argument.element.python


def _batch_type(parameter: Parameter, method: Method) -> str:
    """A number, or an array of them; lengths are numbers."""
    argument = parameter.argument
    single = _type(argument)
    if parameter.role is Role.LENGTH or (argument is not None and argument.is_array):
        return single
    element = _numpy(argument) if argument else method.interface.result.name if method.interface.result else "float64"
    return f"{single} | NDArray[np.{element}]"


def _array_type(argument: Argument | None, method: Method) -> str:
    """Of a result of a batch."""
    if argument is None:
        assert method.interface.result is not None
        return f"NDArray[np.{method.interface.result.name}]"
    return f"NDArray[np.{_numpy(argument)}]"


def _numpy(argument: Argument) -> str:
    return "bool_" if argument.element.name == "bool" else argument.element.name


def _returns(method: Method) -> str:
    interface = method.interface

    def spelled(argument: Argument | None) -> str:
        return _array_type(argument, method) if method.batched else _type(argument)

    bars = _tuple([spelled(a) for a in interface.wrt_arguments])
    own = interface.result.python if interface.result else ""
    result = [spelled(None) if method.batched else own] if interface.result else []
    primal = _one_or_tuple([*result, *map(spelled, method.values)])
    match method.kind:
        case Kind.PRIMAL:
            return primal
        case Kind.GRAD:
            return f"tuple[{result[0]}, {bars}]"
        case Kind.VJP | Kind.HVP:
            return bars
        case Kind.JVP:
            return f"tuple[{primal}, {_one_or_tuple([*map(spelled, active_values(interface))])}]"


def _tuple(types: list[str]) -> str:
    return f"tuple[{', '.join(types)}]"


def _one_or_tuple(types: list[str]) -> str:
    return types[0] if len(types) == 1 else _tuple(types) if types else "None"
