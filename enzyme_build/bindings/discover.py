"""Find a function in compiled inputs by the name its source gives it (`candidates.py`), and describe it
(`native.NativeFunction`).

Types come from debug information; without it, values have the types of the IR, and what a pointer points to is left to
the user's signature.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import UnsupportedError
from enzyme_build.ir.debug import is_fortran, subprogram_of

from . import dtypes
from .candidates import Candidate, named
from .dtypes import DType, Kind
from .native import NativeFunction, NativeParameter
from .signature import Signature

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from enzyme_build.ir.debug import Subprogram
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module

_GROUP: Final = re.compile(r"#[0-9]+")
_TARGET: Final = re.compile(r'"(?:target-cpu|target-features|tune-cpu)"="[^"]*"')
_ABI: Final = re.compile(r"\b(?:signext|zeroext|inreg)\b")
_BY_MEMORY: Final = re.compile(r"\b(byval|sret|inalloca|preallocated)\b")
_ENCODINGS: Final = {
    "DW_ATE_float": Kind.FLOAT,
    "DW_ATE_signed": Kind.SIGNED,
    "DW_ATE_signed_char": Kind.SIGNED,
    "DW_ATE_unsigned": Kind.UNSIGNED,
    "DW_ATE_unsigned_char": Kind.UNSIGNED,
    "DW_ATE_boolean": Kind.BOOL,
}
_POINTERS: Final = frozenset(
    ("DW_TAG_pointer_type", "DW_TAG_reference_type", "DW_TAG_rvalue_reference_type", "DW_TAG_array_type")
)
_BY_DESCRIPTOR: Final = frozenset(("dataLocation", "allocated", "associated"))
"""Fields of a Fortran array type whose elements are found through a descriptor."""
_READS_ONLY: Final = frozenset(("readonly", "readnone"))


def find_function(modules: Iterable[Module], name: str) -> NativeFunction:
    """The one definition called `name`."""
    return resolve(modules, Signature(name))[0]


def resolve(modules: Iterable[Module], signature: Signature) -> tuple[NativeFunction, Signature]:
    """The one definition that a signature means; without its arguments where those were the types of an overload."""
    candidate, told = named(modules, signature.name, signature.overload, signature.listed)
    native = native_function(candidate)
    if native.is_fortran:
        signature = replace(signature, name=signature.name.lower())
    return native, replace(signature, arguments=None) if told else signature


def native_function(candidate: Candidate) -> NativeFunction:
    """What the definition says of itself."""
    module, function = candidate.module, candidate.function
    source = subprogram_of(module, function)
    result_reference = source.result.reference if source and source.result else "null"
    described = [_described(module, p.type.reference) for p in source.parameters] if source else []
    names = [p.name for p in source.parameters] if source else []
    if len(described) != len(function.arguments):
        # The compiler passes something differently from how it is written (a struct in registers or in memory).
        described, names = [_Described()] * len(function.arguments), [""] * len(function.arguments)
    fortran = source is not None and is_fortran(module, function)
    if fortran and source:
        _check_fortran(module, candidate, source)
    parameters = []
    for index, argument in enumerate(function.arguments):
        if _BY_MEMORY.search(argument.attributes):
            raise UnsupportedError(
                f"'{candidate.source_name}' takes or returns a struct by value",
                location=source.location if source else None,
                hint="export a function of numbers and pointers",
            )
        is_pointer = argument.type.text.startswith("ptr")
        parameters.append(
            NativeParameter(
                ir_type=argument.type.text,
                attributes=" ".join(_ABI.findall(argument.attributes)),
                name=names[index] or _identifier(argument.name),
                dtype=described[index].dtype or (None if is_pointer else dtypes.of_llvm(argument.type.text)),
                constant=described[index].constant or not _READS_ONLY.isdisjoint(argument.attributes.split()),
                only_written="writeonly" in argument.attributes.split(),
                is_scalar=fortran and is_pointer and described[index].is_scalar,
            )
        )
    result = function.function_type.result.text
    result_type = _described(module, result_reference).dtype or dtypes.of_llvm(result)
    if result != "void" and (result_type is None or result.startswith("ptr")):
        raise UnsupportedError(
            f"'{candidate.source_name}' returns {result}",
            location=source.location if source else None,
            hint="export a function that returns a number or nothing",
        )
    return NativeFunction(
        symbol=candidate.symbol,
        source_name=candidate.source_name,
        parameters=tuple(parameters),
        result_type=result,
        result_attributes=" ".join(_ABI.findall(function.prefix)),
        result=result_type if result != "void" else None,
        attribute_text=_target_attributes(module, function),
        is_fortran=fortran,
    )


def modules_in(paths: Sequence[Path]) -> Iterator[Module]:
    """The modules inside objects, archives, bitcode and LLVM text, as IR."""
    from enzyme_build.ir.parser import parse_module
    from enzyme_build.llvm import context
    from enzyme_build.toolchain.objects import is_archive, objects_in, read_object

    for path in paths:
        if path.suffix == ".ll":
            yield parse_module(str(context.parse_module_file(path.read_bytes(), str(path))))
            continue
        objects = [found for _, _, found in objects_in(path)] if is_archive(path) else [read_object(path)]
        for found in objects:
            for stream in found.bitcode if found else ():
                yield parse_module(str(context.parse_bitcode(stream, found.name if found else str(path))))


# Debug information


@dataclass(frozen=True)
class _Described:
    dtype: DType | None = None
    constant: bool = False
    is_scalar: bool = False
    """Not behind any pointer and in no array."""


def _described(module: Module, reference: str) -> _Described:
    """The element type behind any pointers, arrays, names and qualifiers, and whether it is const."""
    constant, first = False, reference
    while reference.startswith("!"):
        node = module.metadata_node(reference)
        tag = node.fields.get("tag", "")
        if node.kind == "DIBasicType":
            size = node.number("size") // 8
            # 80-bit floats fill 16 bytes; clang says 128.
            kind = _ENCODINGS.get(node.fields.get("encoding", ""))
            dtype = dtypes.of_number(kind=kind, size=size) if kind else None
            return _Described(dtype, constant, is_scalar=reference == first)
        if tag in _POINTERS:
            constant = False
        elif tag == "DW_TAG_const_type":
            constant = True
        elif node.kind != "DIDerivedType":
            return _Described(None, constant)
        reference = node.fields.get("baseType", "")
    return _Described(None, constant)


def _check_fortran(module: Module, candidate: Candidate, source: Subprogram) -> None:
    """Refuse what Fortran passes by other means than the address of its elements."""
    for parameter in source.parameters:
        node = module.find_node(parameter.type.reference)
        if node is not None and not _BY_DESCRIPTOR.isdisjoint(node.fields):
            raise UnsupportedError(
                f"argument '{parameter.name}' of '{candidate.source_name}' is an assumed-shape, allocatable or pointer "
                "array: it is passed by a descriptor",
                location=source.location,
                hint=f"export a procedure that takes it with its shape: '{parameter.name}(n)'",
            )
    named = [parameter for parameter in source.parameters if parameter.name]
    if source.result is None and len(named) == len(source.parameters) - 1 == len(candidate.function.arguments) - 1:
        raise UnsupportedError(
            f"'{candidate.source_name}' returns an array or a derived type",
            location=source.location,
            hint="export a subroutine with an intent(out) argument instead",
        )


def _identifier(name: str | None) -> str | None:
    """A name that can be declared: `p.coerce0` is half of a struct in registers."""
    return re.sub(r"\W", "_", name) if name else None


def _target_attributes(module: Module, function: Function) -> str:
    text = " ".join([function.suffix, *(module.attribute_groups.get(g, "") for g in _GROUP.findall(function.suffix))])
    return " ".join(dict.fromkeys(_TARGET.findall(text)))
