"""The C header of generated derivatives."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .wrappers import Derivative, Mode, Parameter, parameters, primal_parameters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .interface import Interface


def header(derivatives: Sequence[Derivative], guard: str) -> str:
    """Declarations of the primals and their derivatives, for C and C++."""
    macro = re.sub(r"\W", "_", guard).upper()
    primals = {d.interface.symbol: d.interface for d in derivatives}
    lines = [f"#ifndef {macro}", f"#define {macro}", "", "#include <stdbool.h>", "#include <stdint.h>", ""]
    lines += ["#ifdef __cplusplus", 'extern "C" {', "#endif", ""]
    # A C++ primal has its own header; its mangled name means nothing in C.
    lines += [primal_declaration(p) + ";" for p in primals.values() if p.symbol == p.name]
    for derivative in derivatives:
        lines += ["", f"/* {_summary(derivative)} */", declaration(derivative) + ";"]
    lines += ["", "#ifdef __cplusplus", "}", "#endif", "", "#endif", ""]
    return "\n".join(lines)


def primal_declaration(interface: Interface) -> str:
    result = interface.result.c if interface.result else "void"
    return _declaration(result, interface.symbol, primal_parameters(interface))


def declaration(derivative: Derivative) -> str:
    result = derivative.interface.result
    returned = result.c if result and derivative.returns_primal else "void"
    return _declaration(returned, derivative.name, parameters(derivative))


def _declaration(result: str, name: str, arguments: Sequence[Parameter]) -> str:
    listed = ", ".join(f"{p.c_type}{'' if p.c_type.endswith('*') else ' '}{p.name}" for p in arguments)
    return f"{result} {name}({listed or 'void'})"


def _summary(derivative: Derivative) -> str:
    if derivative.mode is Mode.HVP:
        return f"Gradient of {derivative.interface.name} added to *_bar, Hessian times the tangents *_dot to *_bar_dot."
    what = "Gradient" if derivative.interface.has_active_result else "Vector-Jacobian product"
    if derivative.mode is Mode.FORWARD:
        return f"Jacobian-vector product of {derivative.interface.name}: tangents *_dot in, result_dot out."
    return f"{what} of {derivative.interface.name}: adjoints are added to *_bar."
