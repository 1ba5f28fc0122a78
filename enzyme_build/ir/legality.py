"""Which operands an instruction may have: what the builder demands and the checker looks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.errors import InternalError
from enzyme_build.regex import regex

from .function import Function
from .opcodes import CONVENTIONS
from .types import (
    I32,
    METADATA,
    VOID,
    ArrayType,
    FloatType,
    FunctionType,
    IntType,
    NamedStructType,
    PointerType,
    StructType,
    Type,
    VectorType,
    fields_of,
    member_type,
)
from .values import ConstantInt, Value, const_int

if TYPE_CHECKING:
    from collections.abc import Sequence

_INTEGER, _FLOAT, _POINTER = IntType, FloatType, PointerType
_CASTS: Final[dict[str, tuple[type[Type], type[Type], int]]] = {
    # from, to, and whether the result must be wider (1), narrower (-1) or either (0)
    "trunc": (_INTEGER, _INTEGER, -1),
    "zext": (_INTEGER, _INTEGER, 1),
    "sext": (_INTEGER, _INTEGER, 1),
    "fptrunc": (_FLOAT, _FLOAT, -1),
    "fpext": (_FLOAT, _FLOAT, 1),
    "fptoui": (_FLOAT, _INTEGER, 0),
    "fptosi": (_FLOAT, _INTEGER, 0),
    "uitofp": (_INTEGER, _FLOAT, 0),
    "sitofp": (_INTEGER, _FLOAT, 0),
    "ptrtoint": (_POINTER, _INTEGER, 0),
    "ptrtoaddr": (_POINTER, _INTEGER, 0),
    "inttoptr": (_INTEGER, _POINTER, 0),
    "addrspacecast": (_POINTER, _POINTER, 0),
}
# What a call must repeat from the callee's parameters, because it decides how arguments are passed.
_ABI_ATTRIBUTE: Final = regex(
    r"(?:byval|sret|byref|inalloca|preallocated|elementtype)\([^()]*(?:\([^()]*\))?[^()]*\)"
    r"|\b(?:align \d+|zeroext|signext|noext|inreg|nest|swiftself|swifterror|swiftasync|immarg)\b"
)


def abi_attributes(text: str) -> str:
    """Of the parameter attributes `text` those that belong to the calling convention."""
    found = _ABI_ATTRIBUTE.findall(text) if text else []
    by_memory = any("(" in attribute for attribute in found)
    return " ".join(a for a in found if a != "immarg" and (by_memory or not a.startswith("align ")))


def convention_of(function: Function) -> str:
    """The calling convention in the function's header, empty for C's."""
    words = function.prefix.split()
    for index, word in enumerate(words):
        if word in CONVENTIONS or (word[:2] == "cc" and word[2:].isdigit()):
            return word
        if word == "cc":
            return f"cc {words[index + 1]}"
    return ""


def require_pointer(value: Value, what: str) -> None:
    if not isinstance(value.type, PointerType):
        raise InternalError(f"{what} through {value.type}")


def require_first_class(type_: Type, what: str) -> None:
    if type_ is VOID or type_ is METADATA or isinstance(type_, FunctionType):
        raise InternalError(f"{what} of {type_}")


def index_value(index: Value | int) -> Value:
    value = const_int(I32, index) if isinstance(index, int) else index
    if not isinstance(value.type, IntType):
        raise InternalError(f"index of type {value.type}")
    return value


def shape(type_: Type) -> tuple[int, bool] | None:
    return (type_.count, type_.scalable) if isinstance(type_, VectorType) else None


def member_at(type_: Type, indices: Sequence[int]) -> Type:
    """Type of the member that `extractvalue` with these indices reaches."""
    if not indices:
        raise InternalError("extractvalue or insertvalue without index")
    inner = type_
    for index in indices:
        if not isinstance(inner, ArrayType | StructType | NamedStructType):
            raise InternalError(f"{type_} has no member {', '.join(map(str, indices))}")
        count = inner.count if isinstance(inner, ArrayType) else len(fields_of(inner))
        if not 0 <= index < count:
            raise InternalError(f"{inner} has no member {index}")
        inner = member_type(inner, index)
    return inner


def indexed_type(type_: Type, index: Value, whole: Type) -> Type:
    """One more index of a getelementptr."""
    if isinstance(type_, ArrayType | VectorType):
        return type_.element
    if isinstance(type_, StructType | NamedStructType):
        if not isinstance(index, ConstantInt):
            raise InternalError(f"getelementptr into {whole} with a member number that is not constant")
        if not 0 <= index.value < len(fields_of(type_)):
            raise InternalError(f"{type_} has no member {index.value}")
        return member_type(type_, index.value)
    raise InternalError(f"getelementptr into {whole}: {type_} has no members")


def cast_allowed(op: str, source: Type, target: Type) -> bool:
    """May `op` make a `target` of a `source`?"""
    if op == "bitcast":
        return _bitcast_allowed(source, target)
    if op not in _CASTS:
        raise InternalError(f"unknown cast {op}")
    if shape(source) != shape(target):
        return False
    first, second, direction = _CASTS[op]
    a, b = source.scalar, target.scalar
    if not isinstance(a, first) or not isinstance(b, second):
        return False
    if direction and isinstance(a, IntType | FloatType) and isinstance(b, IntType | FloatType):
        return (b.bits - a.bits) * direction > 0
    return True


def _bits(type_: Type) -> int | None:
    scalar = type_.scalar
    if not isinstance(scalar, IntType | FloatType):
        return None
    return scalar.bits * (type_.count if isinstance(type_, VectorType) else 1)


def _bitcast_allowed(source: Type, target: Type) -> bool:
    if source is target:
        return True
    a, b = _bits(source), _bits(target)
    if a is None or b is None:
        return isinstance(source.scalar, PointerType) and source.scalar is target.scalar
    return a == b


def require_call(callee: Value, arguments: Sequence[Value], type_: FunctionType) -> None:
    called = f"@{callee.name}" if isinstance(callee, Function) else "a pointer"
    if not isinstance(callee.type, PointerType):
        raise InternalError(f"call of a value of type {callee.type}")
    if len(arguments) < len(type_.parameters) or (len(arguments) > len(type_.parameters) and not type_.variadic):
        raise InternalError(f"call of {called} with {len(arguments)} arguments, it takes {type_}")
    for number, (argument, parameter) in enumerate(zip(arguments, type_.parameters, strict=False), 1):
        if argument.type is not parameter:
            raise InternalError(f"argument {number} of {called} is {argument.type}, it takes {parameter}")
