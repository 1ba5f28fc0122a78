"""Find a function in compiled inputs by the name its source gives it, and describe it (`native.NativeFunction`).

Types come from debug information; without it, values have the types of the IR, and what a pointer points to is left to
the user's signature. A C++ name is matched with or without its namespaces; overloads are told apart by their symbol.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import ConfigError, InputError, SourceLocation, UnsupportedError
from enzyme_build.ir.debug import subprogram_of
from enzyme_build.ir.function import Function
from enzyme_build.ir.values import GlobalAlias

from . import dtypes
from .dtypes import DType, Kind
from .native import NativeFunction, NativeParameter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from enzyme_build.ir.debug import Subprogram
    from enzyme_build.ir.metadata import MetadataNode
    from enzyme_build.ir.module import Module

_DEBUG: Final = re.compile(r"!dbg (![0-9]+)")
_GROUP: Final = re.compile(r"#[0-9]+")
_TARGET: Final = re.compile(r'"(?:target-cpu|target-features|tune-cpu)"="[^"]*"')
_ABI: Final = re.compile(r"\b(?:signext|zeroext|inreg)\b")
_BY_MEMORY: Final = re.compile(r"\b(byval|sret|inalloca|preallocated)\b")
_ITANIUM: Final = re.compile(r"_Z(N[rVK]*)?(?=\d)")
_LENGTH: Final = re.compile(r"\d+")
_NUMBA: Final = "cfunc."
"""Before the name of what numba's `cfunc` makes callable; what it calls has numba's own calling convention."""
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


@dataclass(frozen=True)
class Candidate:
    """A definition that goes by the name that was asked for."""

    module: Module
    function: Function
    source_name: str
    symbol: str
    """Of the function, or of an alias for it."""

    @property
    def is_local(self) -> bool:
        return self.symbol == self.function.name and self.function.linkage in {"internal", "private"}


def find_function(modules: Iterable[Module], name: str) -> NativeFunction:
    """The one definition called `name`: its symbol, its qualified name, or the end of that."""
    searched = list(modules)
    found = [candidate for module in searched for candidate in _definitions(module)]
    exact = [c for c in found if c.symbol == name]
    matching = exact or [c for c in found if c.source_name == name]
    matching = matching or [c for c in found if c.source_name.endswith(f"::{name}")]
    # Of a function with aliases the one that can be called from outside.
    distinct = {c.function.name: c for c in sorted(matching, key=lambda c: not c.is_local)}
    distinct = {c.symbol: c for c in distinct.values()}
    if len(distinct) > 1:
        raise ConfigError(
            f"'{name}' is the name of {len(distinct)} functions",
            notes=[f"{symbol}: {describe(c)}" for symbol, c in distinct.items()],
            hint="name one of them by its symbol",
        )
    if not distinct:
        raise _not_found(name, found)
    (candidate,) = distinct.values()
    if candidate.is_local:
        raise ConfigError(
            f"'{name}' is local to its source file",
            location=_location(candidate),
            hint="remove 'static' (or the unnamed namespace) so that it can be called from outside",
        )
    return native_function(candidate)


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
                name=names[index] or argument.name,
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
    )


def describe(candidate: Candidate) -> str:
    """The function as its source declares it, as far as debug information tells."""
    module, function = candidate.module, candidate.function
    source = subprogram_of(module, function)
    if source is None:
        return f"{candidate.source_name}({', '.join(a.type.text for a in function.arguments)})"
    shown = [_spelled(module, p.type.reference) for p in source.parameters]
    return f"{candidate.source_name}({', '.join(shown)}) at {source.location}"


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


def _definitions(module: Module) -> Iterator[Candidate]:
    for function in module.functions:
        if function.is_declaration or function.linkage == "available_externally":
            continue
        if f"{_NUMBA}{function.name}" not in module.globals:
            yield Candidate(module, function, _source_name(module, function), function.name)
    for name, value in module.globals.items():
        if isinstance(value, GlobalAlias) and isinstance(value.aliasee, Function):
            yield Candidate(module, value.aliasee, _source_name(module, value.aliasee), name)


def _source_name(module: Module, function: Function) -> str:
    node = _subprogram(module, function)
    if node is not None and node.string("name"):
        parts = [node.string("name")]
        scope = node.fields.get("scope")
        while scope and scope.startswith("!"):
            outer = module.metadata_node(scope)
            if outer.kind not in {"DINamespace", "DICompositeType", "DIModule"}:
                break
            if outer.string("name"):
                parts.append(outer.string("name"))
            scope = outer.fields.get("scope")
        return "::".join(reversed(parts))
    return demangled(function.name.removeprefix(_NUMBA))


def demangled(symbol: str) -> str:
    """The qualified name at the head of an Itanium symbol (`_ZN6forces6energyEPKdid`); other symbols as they are."""
    head = _ITANIUM.match(symbol)
    if head is None:
        return symbol
    parts, at = [], head.end()
    while (length := _LENGTH.match(symbol, at)) is not None:
        at = length.end() + int(length[0])
        parts.append(symbol[length.end() : at])
    return "::".join(parts[: None if head[1] else 1]) or symbol


def _not_found(name: str, found: Sequence[Candidate]) -> InputError:
    import difflib

    if not found:
        return InputError(
            f"no function '{name}': the inputs hold no bitcode",
            hint="give sources, or objects compiled by enzyme-cc, enzyme-c++ or enzyme-fc",
        )
    names = sorted({c.source_name for c in found})
    close = difflib.get_close_matches(name, names, n=1) or difflib.get_close_matches(
        name, [n.rpartition("::")[2] for n in names], n=1
    )
    shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    hint = f"did you mean '{close[0]}'?" if close else f"they define {shown}"
    return InputError(f"no function '{name}' is defined in the inputs", hint=hint)


# Debug information


@dataclass(frozen=True)
class _Described:
    dtype: DType | None = None
    constant: bool = False
    is_scalar: bool = False
    """Not behind any pointer and in no array."""


def _subprogram(module: Module, function: Function) -> MetadataNode | None:
    match = _DEBUG.search(function.suffix)
    return module.metadata_node(match[1]) if match else None


def _location(candidate: Candidate) -> SourceLocation | None:
    source = subprogram_of(candidate.module, candidate.function)
    return source.location if source else None


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


def is_fortran(module: Module, function: Function) -> bool:
    """Was it compiled from Fortran, by its debug information?"""
    node = _subprogram(module, function)
    unit = module.find_node(node.fields.get("unit", "null")) if node is not None else None
    return unit is not None and unit.fields.get("language", "").startswith("DW_LANG_Fortran")


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


def _spelled(module: Module, reference: str) -> str:
    if not reference.startswith("!"):
        return "void"
    node = module.metadata_node(reference)
    base = node.fields.get("baseType", "")
    match node.fields.get("tag", ""):
        case "DW_TAG_pointer_type":
            return f"{_spelled(module, base)} *"
        case "DW_TAG_reference_type":
            return f"{_spelled(module, base)} &"
        case "DW_TAG_const_type":
            return f"const {_spelled(module, base)}"
        case "DW_TAG_array_type":
            return f"{_spelled(module, base)}[]"
        case _:
            return node.string("name") or _spelled(module, base)


def _target_attributes(module: Module, function: Function) -> str:
    text = " ".join([function.suffix, *(module.attribute_groups.get(g, "") for g in _GROUP.findall(function.suffix))])
    return " ".join(dict.fromkeys(_TARGET.findall(text)))
