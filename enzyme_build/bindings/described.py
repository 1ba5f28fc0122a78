"""What debug information says of the type of a parameter or result: the numbers behind pointers, arrays and names.

Complex numbers are C's and Fortran's own, and the classes of C++ and Rust that promise to be a real and an imaginary
part, one behind the other.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from enzyme_build.records import dataclass
from enzyme_build.regex import regex

from . import dtypes
from .dtypes import DType, Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.ir.metadata import MetadataNode
    from enzyme_build.ir.module import Module

_ENCODINGS: Final = {
    "DW_ATE_float": Kind.FLOAT,
    "DW_ATE_complex_float": Kind.COMPLEX,
    "DW_ATE_signed": Kind.SIGNED,
    "DW_ATE_signed_char": Kind.SIGNED,
    "DW_ATE_unsigned": Kind.UNSIGNED,
    "DW_ATE_unsigned_char": Kind.UNSIGNED,
    "DW_ATE_boolean": Kind.BOOL,
}
_POINTERS: Final = frozenset(
    ("DW_TAG_pointer_type", "DW_TAG_reference_type", "DW_TAG_rvalue_reference_type", "DW_TAG_array_type")
)
_COMPLEX: Final = regex(r"complex<(?:float|double|long double)>|Complex<f(?:32|64)>")
_OWNERS: Final = frozenset(("std", "num_complex"))
"""Namespaces whose complex numbers are two parts, one behind the other."""
_PIECES: Final = {
    "complex128": (("double", "double"), ("{ double, double }",)),
    "complex64": (("<2 x float>",),),
}
"""How compilers pass complex numbers by value on x86-64; the others go through memory."""


@dataclass(frozen=True)
class Described:
    dtype: DType | None = None
    constant: bool = False
    is_scalar: bool = False
    """Not behind any pointer and in no array."""

    def pieces(self, types: Sequence[str]) -> tuple[str, ...]:
        """Of the IR's `types`, from this parameter on, those that a complex number by value is passed as."""
        ways = _PIECES.get(self.dtype.name, ()) if self.dtype and self.is_scalar else ()
        return next((way for way in ways if tuple(types[: len(way)]) == way), ())


def described(module: Module, reference: str) -> Described:
    """The element type behind any pointers, arrays, names and qualifiers, and whether it is const."""
    found = Described(is_scalar=True)
    while reference.startswith("!"):
        node = module.metadata_node(reference)
        tag = node.fields.get("tag", "")
        if node.kind == "DIBasicType":
            # 80-bit floats fill 16 bytes; clang says 128.
            kind = _ENCODINGS.get(node.fields.get("encoding", ""))
            return replace(found, dtype=_number(kind, node) if kind else None)
        if node.kind == "DICompositeType" and tag not in _POINTERS:
            return replace(found, dtype=_number(Kind.COMPLEX, node) if _is_complex(module, node) else None)
        if tag in _POINTERS:
            found = Described()
        elif tag == "DW_TAG_const_type":
            found = replace(found, constant=True)
        elif node.kind != "DIDerivedType":
            return found
        reference = node.fields.get("baseType", "")
    return found


def _number(kind: Kind, node: MetadataNode) -> DType | None:
    return dtypes.of_number(kind=kind, size=node.number("size") // 8)


def _is_complex(module: Module, node: MetadataNode) -> bool:
    if not _COMPLEX.fullmatch(node.string("name")):
        return False
    scope = module.find_node(node.fields.get("scope", "null"))
    while scope is not None:
        if scope.kind == "DINamespace" and scope.string("name") in _OWNERS:
            return True
        scope = module.find_node(scope.fields.get("scope", "null"))
    return False
