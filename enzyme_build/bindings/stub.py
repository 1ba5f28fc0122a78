"""The `.pyi` stub of a generated module."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from .methods import Kind, Method, Parameter, Role, active_values, signature_text, values

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
    kind = _type(parameter.argument)
    return f"{parameter.name}: {kind}" if parameter.required else f"{parameter.name}: {kind} | None = None"


def _type(argument: Argument | None) -> str:
    if argument is None:
        return "float"
    return f"NDArray[np.{_numpy(argument)}]" if argument.is_array else argument.element.python


def _numpy(argument: Argument) -> str:
    return "bool_" if argument.element.name == "bool" else argument.element.name


def _returns(method: Method) -> str:
    interface = method.interface
    bars = _tuple([_type(a) for a in interface.wrt_arguments])
    result = [interface.result.python] if interface.result else []
    match method.kind:
        case Kind.PRIMAL:
            return _one_or_tuple([*result, *map(_type, values(interface, Kind.PRIMAL))])
        case Kind.GRAD:
            return f"tuple[{result[0]}, {bars}]"
        case Kind.VJP | Kind.HVP:
            return bars
        case Kind.JVP:
            primal = _one_or_tuple([*result, *map(_type, values(interface, Kind.JVP))])
            return f"tuple[{primal}, {_one_or_tuple([*map(_type, active_values(interface))])}]"


def _tuple(types: list[str]) -> str:
    return f"tuple[{', '.join(types)}]"


def _one_or_tuple(types: list[str]) -> str:
    return types[0] if len(types) == 1 else _tuple(types) if types else "None"
