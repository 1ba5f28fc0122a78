"""Find a function in compiled inputs by the name its source gives it (`candidates.py`), and describe it
(`native.NativeFunction`).

Types come from debug information; without it, values have the types of the IR, and what a pointer points to is left to
the user's signature.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import UnsupportedError
from enzyme_build.ir.debug import is_fortran, subprogram_of
from enzyme_build.regex import regex

from . import dtypes
from .candidates import Candidate, named
from .described import Described, described
from .extents import extents_of, length_arguments
from .native import NativeFunction, NativeParameter
from .readings import only_reads
from .signature import Signature

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from enzyme_build.ir.debug import DebugParameter, Subprogram
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module

_GROUP: Final = regex(r"#[0-9]+")
_TARGET: Final = regex(r'"(?:target-cpu|target-features|tune-cpu)"="[^"]*"')
_ABI: Final = regex(r"\b(?:signext|zeroext|inreg)\b")
_BY_MEMORY: Final = regex(r"\b(byval|sret|inalloca|preallocated)\b")
_BY_DESCRIPTOR: Final = frozenset(("dataLocation", "allocated", "associated"))
"""Fields of a Fortran array type whose elements are found through a descriptor."""
_READS_ONLY: Final = frozenset(("readonly", "readnone"))


def find_function(modules: Iterable[Module], name: str) -> NativeFunction:
    """The one definition called `name`."""
    return resolve(modules, Signature(name))[0]


def resolve(modules: Iterable[Module], signature: Signature) -> tuple[NativeFunction, Signature]:
    """The one definition that a signature means; without its arguments where those were the types of an overload."""
    modules = list(modules)
    candidate, told = named(modules, signature.name, signature.overload, signature.listed)
    native = native_function(candidate, modules)
    if native.is_fortran:
        signature = replace(signature, name=signature.name.lower())
    return native, replace(signature, arguments=None) if told else signature


def native_function(candidate: Candidate, modules: Sequence[Module]) -> NativeFunction:
    """What the definition says of itself."""
    module, function = candidate.module, candidate.function
    source = subprogram_of(module, function)
    fortran = source is not None and is_fortran(module, function)
    if fortran and source:
        _check_fortran(module, candidate, source)
    for argument in function.arguments:
        if _BY_MEMORY.search(argument.attributes):
            raise UnsupportedError(
                f"'{candidate.source_name}' takes or returns a struct by value",
                location=source.location if source else None,
                hint="export a function of numbers and pointers",
            )
    result = function.function_type.result.text
    said = described(module, source.result.reference) if source and source.result else Described()
    result_type = said.dtype or dtypes.of_llvm(result)
    fits = result_type is None or not result_type.is_complex or result_type.llvm == result
    if result != "void" and (result_type is None or result.startswith("ptr") or not fits):
        raise UnsupportedError(
            f"'{candidate.source_name}' returns {result}",
            location=source.location if source else None,
            hint="export a function that returns a number or nothing",
        )
    return NativeFunction(
        symbol=candidate.symbol,
        source_name=candidate.source_name,
        parameters=tuple(_parameters(modules, module, function, source, fortran=fortran)),
        result_type=result,
        result_attributes=" ".join(_ABI.findall(function.prefix)),
        result=result_type if result != "void" else None,
        attribute_text=_target_attributes(module, function),
        is_fortran=fortran,
    )


def _parameters(
    modules: Sequence[Module], module: Module, function: Function, source: Subprogram | None, *, fortran: bool
) -> Iterator[NativeParameter]:
    """The parameters of the source, with what the compiler passes them as."""
    every = function.arguments
    told = _told(module, function, source)
    at = 0
    lengths = length_arguments(module, function) if fortran else {}
    for name, parameter, said in told:
        argument, own = every[at], at
        pieces = said.pieces([one.type.text for one in every[at:]])
        at += len(pieces) or 1
        ir_type, words = argument.type.text, argument.attributes.split()
        is_pointer = ir_type.startswith("ptr")
        if said.dtype and said.dtype.is_complex and not pieces and not is_pointer:
            way = f"in a way of its compiler's own: {ir_type}"
            raise UnsupportedError(
                f"'{function.name}' takes the complex number '{name}' by value, {way}",
                location=source.location if source else None,
                hint="export a function that takes it by its address",
            )
        yield NativeParameter(
            ir_type=said.dtype.llvm if pieces and said.dtype else ir_type,
            attributes="" if pieces else " ".join(_ABI.findall(argument.attributes)),
            name=name or _identifier(argument.name),
            dtype=said.dtype or (None if is_pointer else dtypes.of_llvm(ir_type)),
            constant=said.constant
            or not _READS_ONLY.isdisjoint(words)
            or (is_pointer and "writeonly" not in words and only_reads(modules, module, function, own)),
            only_written="writeonly" in words,
            is_scalar=fortran and is_pointer and said.is_scalar,
            pieces=pieces,
            extents=extents_of(parameter, lengths) if parameter is not None and fortran else None,
        )


def _told(
    module: Module, function: Function, source: Subprogram | None
) -> list[tuple[str, DebugParameter | None, Described]]:
    """Name and type of each parameter of the source; of each of the IR's nothing, if it is not clear which is which."""
    types = [argument.type.text for argument in function.arguments]
    told: list[tuple[str, DebugParameter | None, Described]] = []
    at = 0
    for parameter in source.parameters if source else ():
        said = described(module, parameter.type.reference)
        told.append((parameter.name, parameter, said))
        at += len(said.pieces(types[at:])) or 1
    # The compiler may pass something differently from how it is written (a struct in registers or in memory).
    return told if at == len(types) else [("", None, Described())] * len(types)


def modules_in(paths: Sequence[Path]) -> Iterator[Module]:
    """The modules inside objects, archives, bitcode and LLVM text, as IR."""
    from enzyme_build.ir.parser import parse_module
    from enzyme_build.llvm import context
    from enzyme_build.toolchain.bitcode import check_producer
    from enzyme_build.toolchain.objects import is_archive, objects_in, read_object

    for path in paths:
        if path.suffix == ".ll":
            yield parse_module(str(context.parse_module_file(path.read_bytes(), str(path))))
            continue
        objects = [found for _, _, found in objects_in(path)] if is_archive(path) else [read_object(path)]
        for found in objects:
            for stream in found.bitcode if found else ():
                name = found.name if found else str(path)
                check_producer(name, stream)
                yield parse_module(str(context.parse_bitcode(stream, name)))


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
