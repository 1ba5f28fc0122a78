"""The header of generated derivatives, for C and C++."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from .derivative import Derivative, Parameter, parameters, primal_parameters
from .descriptions import details, returned, summary
from .dtypes import DTYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .dtypes import DType
    from .interface import Interface


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORDS: Final = _words(
    """alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class
    co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype
    default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline
    int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register
    reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast struct switch
    template this thread_local throw true try typedef typeid typename typeof union unsigned using virtual void
    volatile wchar_t while xor xor_eq"""
)
"""Names that a parameter cannot have in C or C++, but may have where it comes from."""


def header(derivatives: Sequence[Derivative], guard: str) -> str:
    """Declarations of the primals and their derivatives."""
    macro = re.sub(r"\W", "_", guard).upper()
    primals = {d.interface.symbol: d.interface for d in derivatives}
    lines = ["/* Made by enzyme-build. */", f"#ifndef {macro}", f"#define {macro}", ""]
    lines += ["#include <stdbool.h>", "#include <stdint.h>", "", *_complex_types(derivatives)]
    lines += ["#ifdef __cplusplus", 'extern "C" {', "#endif", ""]
    # A C++ primal has its own header; its mangled name means nothing in C.
    lines += [primal_declaration(p) + ";" for p in primals.values() if p.symbol == p.name]
    for derivative in derivatives:
        lines += ["", *_comment(derivative), declaration(derivative) + ";"]
    lines += ["", "#ifdef __cplusplus", "}", "#endif", "", "#endif", ""]
    return "\n".join(lines)


def _complex_types(derivatives: Sequence[Derivative]) -> list[str]:
    """Names for complex numbers that C and C++ both understand, where any are used."""
    used = {p.dtype for d in derivatives for p in [*parameters(d), *primal_parameters(d.interface)] if p.dtype}
    types = [(dtype.part.c, _spelled(dtype)) for dtype in DTYPES.values() if dtype.is_complex and dtype in used]
    if not types:
        return []
    lines = ["#ifdef __cplusplus", "#include <complex>"]
    lines += [f"typedef std::complex<{part}> {name};" for part, name in types]
    return [*lines, "#else", *(f"typedef {part} _Complex {name};" for part, name in types), "#endif", ""]


def _spelled(dtype: DType) -> str:
    return f"enzyme_{dtype.name}" if dtype.is_complex else dtype.c


def _type(parameter: Parameter) -> str:
    return parameter.spelled(_spelled(parameter.dtype) if parameter.dtype else "void")


def primal_declaration(interface: Interface) -> str:
    result = interface.result.c if interface.result else "void"
    return _declaration(result, interface.symbol, primal_parameters(interface))


def declaration(derivative: Derivative) -> str:
    result = derivative.interface.result
    returned_type = result.c if result and derivative.returns_primal else "void"
    return _declaration(returned_type, derivative.name, parameters(derivative))


def _declaration(result: str, name: str, arguments: Sequence[Parameter]) -> str:
    typed = ((_type(p), _name(p.name)) for p in arguments)
    listed = ", ".join(f"{type_}{'' if type_.endswith('*') else ' '}{name}" for type_, name in typed)
    return f"{result} {name}({listed or 'void'})"


def _name(name: str) -> str:
    return f"{name}_" if name in _WORDS else name


def _comment(derivative: Derivative) -> list[str]:
    described = [(_name(name), text) for name, text in details(derivative)]
    width = max((len(name) for name, _ in described), default=0)
    lines = [f"/* {summary(derivative)}", " *", *(f" *   {name:{width}}  {text}" for name, text in described)]
    if text := returned(derivative):
        lines += [" *", f" * Returns {text}."]
    return [*lines, " */"]
