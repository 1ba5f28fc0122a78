"""The Rust declarations of generated derivatives, as a file to `include!` or to use as a module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.errors import ConfigError

from .derivative import Derivative, Parameter, Role, parameters, primal_parameters
from .descriptions import details, primal_details, returned, summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .dtypes import DType


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TYPES: Final = {
    "float64": "f64",
    "float32": "f32",
    **{f"{sign}int{bits}": f"{sign or 'i'}{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "bool": "bool",
    "complex128": "[f64; 2]",
    "complex64": "[f32; 2]",
}
_KEYWORDS: Final = _words(
    """abstract as async await become box break const continue do dyn else enum extern false final fn for gen if impl in
    let loop macro match mod move mut override priv pub ref return static struct trait true try type typeof unsafe
    unsized use virtual where while yield"""
)
_RESERVED: Final = frozenset(("self", "Self", "super", "crate", "_"))


def rust_bindings(derivatives: Sequence[Derivative]) -> str:
    """Declarations of the derivatives, and of the primals whose name is one for Rust: whatever their language, wrappers
    call them like functions of C."""
    primals = {d.interface.symbol: d.interface for d in derivatives}
    lines = ["// Made by enzyme-build.", "#[allow(dead_code)]", 'unsafe extern "C" {']  # nobody calls everything
    for primal in primals.values():
        if primal.name.isidentifier():
            about = _documentation(f"The function {primal.name}.", primal_details(primal), "")
            symbol = [f'    #[link_name = "{primal.symbol}"]'] if primal.symbol != primal.name else []
            lines += [*about, *symbol, _declaration(primal.name, primal_parameters(primal), primal.result), ""]
    for derivative in derivatives:
        result = derivative.interface.result if derivative.returns_primal else None
        lines += _documentation(summary(derivative), details(derivative), returned(derivative))
        lines += [_declaration(derivative.name, parameters(derivative), result), ""]
    return "\n".join([*lines[:-1], "}", ""])


def _documentation(about: str, described: Sequence[tuple[str, str]], result: str) -> list[str]:
    lines = [about.replace("*_", r"\*_"), "", *(f"* `{name}`: {text}" for name, text in described)]
    lines += ["", f"Returns {result}."] if result else []
    # Brackets would be links.
    return [f"    /// {line.replace('[', chr(92) + '[').replace(']', chr(92) + ']')}".rstrip() for line in lines]


def _declaration(name: str, listed: Sequence[Parameter], result: DType | None) -> str:
    arguments = "".join(f"\n        {_name(p.name)}: {_type(p)}," for p in listed)
    returned_type = f" -> {_scalar(result)}" if result else ""
    return f"    pub fn {name}({arguments}\n    ){returned_type};"


def _name(name: str) -> str:
    return f"r#{name}" if name in _KEYWORDS else f"{name}_" if name in _RESERVED else name


def _type(parameter: Parameter) -> str:
    if parameter.role is Role.NEW_TAPE:
        return "*mut *mut core::ffi::c_void"
    element = _scalar(parameter.dtype) if parameter.dtype else "core::ffi::c_void"
    if not parameter.is_pointer:
        return element
    return f"*{'const' if parameter.read_only else 'mut'} {element}"


def _scalar(dtype: DType) -> str:
    found = _TYPES.get(dtype.name)
    if found is None:
        raise ConfigError(f"Rust has no type for '{dtype.c}'", hint="leave out --rust-bindings")
    return found
