"""Functions of ours around compiled ones that pass complex numbers by value: they take and give them by address.

A calling convention passes a complex number as two numbers, as a vector, or through memory; the address of its two
parts is the same everywhere. The result is the first argument.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from enzyme_build.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .dtypes import DType
    from .interface import Argument, ByAddress, Interface


def by_address(interface: Interface, compiled: ByAddress) -> Iterator[str]:
    """The definition, and the declaration of the function that it calls."""
    arguments = [a for a in interface.arguments if not a.is_result]
    result = " ".join(part for part in (compiled.result_attributes, compiled.result_type) if part)
    types = [type_ for a in arguments for type_ in a.pieces or (typed(a.ir_type, a.ir_attributes),)]
    yield f"declare {result} {quoted(compiled.symbol)}({', '.join(types)})"
    yield ""
    returned = next((a for a in interface.arguments if a.is_result), None)
    head = ", ".join(typed(a.ir_type, a.ir_attributes, f"%{a.name}") for a in interface.arguments)
    suffix = f" {interface.attribute_text}" if interface.attribute_text else ""
    yield f"define {'void' if returned else result} {quoted(interface.symbol)}({head}){suffix} {{"
    passed: list[str] = []
    for argument in arguments:
        if argument.pieces:
            yield from _load(argument, argument.element)
        names = _pieces(argument)
        passed += (f"{type_} {name}" for type_, name in zip(argument.pieces, names, strict=True))
        if not argument.pieces:
            passed.append(typed(argument.ir_type, argument.ir_attributes, f"%{argument.name}"))
    own = "" if compiled.result_type == "void" else "%.returned = "
    yield f"  {own}call {result} {quoted(compiled.symbol)}({', '.join(passed)})"
    if returned:
        yield from _store(returned, returned.element)
        yield "  ret void"
    else:
        yield f"  ret {compiled.result_type} %.returned" if own else "  ret void"
    yield "}"


def quoted(symbol: str) -> str:
    """The symbol as LLVM writes it."""
    return f"@{symbol}" if re.fullmatch(r"[-a-zA-Z$._][-a-zA-Z$._0-9]*", symbol) else f'@"{symbol}"'


def typed(ir_type: str, attributes: str, name: str = "") -> str:
    """A parameter or operand of LLVM."""
    return " ".join(part for part in (ir_type, attributes, name) if part)


def _pieces(argument: Argument) -> list[str]:
    """What a complex number is passed as."""
    match len(argument.pieces):
        case 0:
            return []
        case 1:
            return [f"%{argument.name}.both"]
        case _:
            return [f"%{argument.name}.re", f"%{argument.name}.im"]


def _load(argument: Argument, element: DType) -> Iterator[str]:
    name, part = argument.name, element.part.llvm
    yield f"  %{name}.at.im = getelementptr {part}, ptr %{name}, i64 1"
    yield f"  %{name}.re = load {part}, ptr %{name}"
    yield f"  %{name}.im = load {part}, ptr %{name}.at.im"
    if len(argument.pieces) == 1:
        (both,) = argument.pieces
        insert, place = ("insertelement", "i64 ") if both.startswith("<") else ("insertvalue", "")
        yield f"  %{name}.half = {insert} {both} poison, {part} %{name}.re, {place}0"
        yield f"  %{name}.both = {insert} {both} %{name}.half, {part} %{name}.im, {place}1"


def _store(argument: Argument, element: DType) -> Iterator[str]:
    part, place = element.part.llvm, f"%{argument.name}"
    for index, name in enumerate(("re", "im")):
        if element.llvm.startswith("<"):
            yield f"  %.returned.{name} = extractelement {element.llvm} %.returned, i64 {index}"
        elif element.llvm.startswith("{"):
            yield f"  %.returned.{name} = extractvalue {element.llvm} %.returned, {index}"
        else:
            raise InternalError(f"a complex number as {element.llvm}")
    yield f"  %.returned.at.im = getelementptr {part}, ptr {place}, i64 1"
    yield f"  store {part} %.returned.re, ptr {place}"
    yield f"  store {part} %.returned.im, ptr %.returned.at.im"
