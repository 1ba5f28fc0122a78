"""The Fortran module of generated derivatives: interfaces with `bind(C)`, for callers in Fortran.

Arrays in C order have their dimensions the other way round; where a length is not an argument, or an axis has a stride,
the array is `(*)`.
"""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import ConfigError

from .derivative import Derivative, Mode, Parameter, Role, parameters, primal_parameters
from .descriptions import details, primal_details, returned, summary
from .dimension import Dimension, Name, Number, names
from .signature import Intent

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .interface import Interface

_TYPES: Final = {
    "float64": "real(c_double)",
    "float32": "real(c_float)",
    "longdouble": "real(c_long_double)",
    "int8": "integer(c_int8_t)",
    "int16": "integer(c_int16_t)",
    "int32": "integer(c_int32_t)",
    "int64": "integer(c_int64_t)",
    "uint8": "integer(c_int8_t)",
    "uint16": "integer(c_int16_t)",
    "uint32": "integer(c_int32_t)",
    "uint64": "integer(c_int64_t)",
    "bool": "logical(c_bool)",
    "complex128": "complex(c_double_complex)",
    "complex64": "complex(c_float_complex)",
    "clongdouble": "complex(c_long_double_complex)",
}
"""Fortran's integers have signs; the bits are the same."""
_LONGEST_NAME: Final = 63
_LINE: Final = 100
_RESULT: Final = "value"


def fortran_module(derivatives: Sequence[Derivative], name: str) -> str:
    """A module with an interface for each derivative, and for the primals that are not Fortran's own."""
    if not re.fullmatch(r"[A-Za-z]\w*", name) or len(name) > _LONGEST_NAME:
        raise ConfigError(f"'{name}' cannot be the name of a Fortran module", hint="name the file like the module")
    primals = {d.interface.symbol: d.interface for d in derivatives}
    own = [p for p in primals.values() if p.symbol == p.name and not p.is_fortran]
    if name.lower() in {*(p.name.lower() for p in own), *(d.name.lower() for d in derivatives)}:
        raise ConfigError(
            f"the Fortran module '{name}' would have the name of a function in it",
            hint=f"name its file otherwise: {name}_interface.f90",
        )
    lines = ["! Made by enzyme-build.", f"module {name}", "  use, intrinsic :: iso_c_binding", "  implicit none", ""]
    lines += ["  interface"]
    for primal in own:
        described = primal_details(primal, fortran=True)
        lines += _interface(primal.name, primal, None, [f"The function {primal.name}."], described)
    for derivative in derivatives:
        text = returned(derivative)
        about = [summary(derivative), *([f"Returns {text}."] if text else [])]
        described = details(derivative, fortran=True)
        lines += _interface(derivative.name, derivative.interface, derivative, about, described)
    return "\n".join([*lines, "  end interface", "end module", ""])


def _interface(
    symbol: str,
    interface: Interface,
    derivative: Derivative | None,
    about: Iterable[str],
    described: Sequence[tuple[str, str]],
) -> list[str]:
    """The interface of a derivative, or of the primal."""
    listed = parameters(derivative) if derivative else primal_parameters(interface)
    result = interface.result if derivative is None or derivative.returns_primal else None
    mode = derivative.mode if derivative else None
    spelled = _names([p.name for p in listed], symbol)
    kind = "function" if result else "subroutine"
    suffix = f" result({_RESULT})" if result else ""
    head = f'{kind} {symbol}({", ".join(spelled.values())}) bind(C, name="{symbol}"){suffix}'
    declared = [(_type(p, mode), f"{spelled[p.name]}{_extent(p, interface, spelled)}", p) for p in listed]
    # Lengths first: the shapes of arrays use them.
    declared.sort(key=lambda one: one[2].is_pointer and one[2].argument is not None and one[2].argument.is_array)
    width = max((len(name) for name in spelled.values()), default=0)
    lines = [f"!> {line}" for line in about]
    lines += [f"!!   {spelled[name]:{width}}  {text}" for name, text in described]
    lines += [_wrapped(head), "  import"]
    lines += [f"  {type_} :: {name}" for type_, name, _ in declared]
    lines += [f"  {_TYPES[result.name]} :: {_RESULT}"] if result else []
    return ["", *textwrap.indent("\n".join([*lines, f"end {kind}"]), "    ").splitlines()]


def _wrapped(head: str) -> str:
    return " &\n".join(textwrap.wrap(head, _LINE, subsequent_indent="    ", break_long_words=False))


def _names(given: Sequence[str], symbol: str) -> dict[str, str]:
    """Names of C as names of Fortran, which begin with a letter and have no case."""
    taken = {symbol.lower(), _RESULT}
    found = {}
    for name in given:
        base = name if name[:1].isalpha() else f"a{name}"
        spelled, number = base[:_LONGEST_NAME], 1
        while spelled.lower() in taken:
            number += 1
            spelled = f"{base[: _LONGEST_NAME - 4]}_{number}"
        taken.add(spelled.lower())
        found[name] = spelled
    return found


def _type(parameter: Parameter, mode: Mode | None) -> str:
    if parameter.role is Role.NEW_TAPE:
        return "type(c_ptr), intent(out)"
    if parameter.role is Role.TAPE or parameter.dtype is None:
        return "type(c_ptr), value"
    return f"{_TYPES[parameter.dtype.name]}, {_passing(parameter, mode)}"


def _passing(parameter: Parameter, mode: Mode | None) -> str:
    if not parameter.is_pointer:
        return "value"
    if parameter.read_only:
        return "intent(in)"
    argument = parameter.argument
    is_output = parameter.role is Role.PRIMAL and argument is not None and argument.intent is Intent.OUT
    # The second pass of split mode does not run the function.
    written = parameter.role is Role.RESULT_TANGENT or (is_output and mode is not Mode.BACKWARD)
    return "intent(out)" if written else "intent(inout)"


def _extent(parameter: Parameter, interface: Interface, spelled: dict[str, str]) -> str:
    """The shape of a parameter, with the lanes as the last dimension."""
    lanes = [str(parameter.lanes)] if parameter.lanes > 1 else []
    argument = parameter.argument
    if not parameter.is_pointer or parameter.dtype is None:
        return ""
    if argument is None or not argument.is_array:
        return f"({lanes[0]})" if lanes else ""
    known = {a.name for a in interface.arguments}
    shape = argument.shape
    if shape is None or argument.strides or not all(name in known for d in shape for name in names(d)):
        return "(*)"
    return f"({', '.join([*(_length(shape[axis], spelled) for axis in argument.inner_first), *lanes])})"


def _length(dimension: Dimension, spelled: dict[str, str]) -> str:
    match dimension:
        case Number(value):
            return str(value)
        case Name(name):
            return spelled[name]
        case _:
            return f"({_length(dimension.left, spelled)}{dimension.operator}{_length(dimension.right, spelled)})"
