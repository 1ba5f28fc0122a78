"""Values of LLVM IR that are not instructions: arguments, constants and globals.

A value has a `type`; a *local* (argument, block, instruction) also has a `name`, None meaning unnamed: the printer
numbers those. Constants are immutable and compare by identity, except that `ConstantInt` and the singletons per type
made by the functions below are interned.
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING

from .types import (
    DOUBLE,
    FLOAT,
    FloatType,
    IntType,
    Type,
    VectorType,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


class Value:
    __slots__ = ("type",)

    def __init__(self, type_: Type) -> None:
        self.type = type_


class Argument(Value):
    """A parameter of a function; `attributes` is the text between type and name (`noundef readonly`)."""

    __slots__ = ("attributes", "index", "name")

    def __init__(self, type_: Type, name: str | None, index: int, attributes: str = "") -> None:
        self.type = type_
        self.name = name
        self.index = index
        self.attributes = attributes


class Constant(Value):
    """Base of constants. `text` is the operand text without its type; constants that contain globals or other
    constants list them in `operands`."""

    __slots__ = ("text",)
    operands: Sequence[Value] = ()

    def __init__(self, type_: Type, text: str) -> None:
        self.type = type_
        self.text = text

    def __repr__(self) -> str:
        return f"<{self.type} {self.text}>"


class ConstantInt(Constant):
    """`value` is signed (two's complement) except for i1, where it is 0 or 1."""

    __slots__ = ("value",)

    def __init__(self, type_: Type, value: int) -> None:
        self.type = type_
        self.value = value
        self.text = ("true" if value else "false") if type_.text == "i1" else str(value)


class ConstantFloat(Constant):
    """Kept as LLVM's text, which is exact; `value` is the nearest double (None for fp128 and ppc_fp128)."""

    __slots__ = ()

    @property
    def value(self) -> float | None:
        return parse_float(self.type, self.text)


class NullPointer(Constant):
    __slots__ = ()


class Undef(Constant):
    """`undef` and `poison`."""

    __slots__ = ()


class ZeroInitializer(Constant):
    __slots__ = ()


class ConstantAggregate(Constant):
    """Array, struct or vector with all members listed; `c"…"` strings are `ConstantData`."""

    __slots__ = ("operands",)

    def __init__(self, type_: Type, text: str, operands: Sequence[Value]) -> None:
        self.type = type_
        self.text = text
        self.operands = tuple(operands)


class ConstantSplat(Constant):
    __slots__ = ("operands",)

    def __init__(self, type_: Type, element: Constant) -> None:
        self.type = type_
        self.text = f"splat ({element.type} {element.text})"
        self.operands = (element,)


class ConstantData(Constant):
    """A `c"…"` string."""

    __slots__ = ()


class ConstantExpression(Constant):
    """`op (operands…)`; `source_type` is the element type of a getelementptr."""

    __slots__ = ("op", "operands", "source_type")

    def __init__(
        self, type_: Type, text: str, op: str, operands: Sequence[Value], source_type: Type | None = None
    ) -> None:
        self.type = type_
        self.text = text
        self.op = op
        self.operands = tuple(operands)
        self.source_type = source_type


class OpaqueConstant(Constant):
    """`blockaddress(…)`, `dso_local_equivalent @f`, `no_cfi @f`, `none` …: kept as text."""

    __slots__ = ()


class MetadataOperand(Constant):
    """A `metadata …` argument of a call; `text` is what follows the type. A local inside is in `operands`
    and its place in `text` is `{}`-free original text when `operands` is empty."""

    __slots__ = ("operands",)

    def __init__(self, type_: Type, text: str, operands: Sequence[Value] = ()) -> None:
        self.type = type_
        self.text = text
        self.operands = tuple(operands)


class InlineAssembly(Constant):
    """`asm sideeffect "…", "…"` as a callee."""

    __slots__ = ()


class GlobalValue(Constant):
    """Function, variable, alias or ifunc of a module. `name` is without sigil and quotes; `text` with them."""

    __slots__ = ("linkage", "name")
    linkage: str
    name: str

    @property
    def is_local(self) -> bool:
        """Does nobody outside of the module know the name?"""
        return self.linkage in {"internal", "private"}


class GlobalVariable(GlobalValue):
    """`value_type` is the type of the memory; `type` is the pointer. `raw` is the whole line."""

    __slots__ = ("initializer", "is_constant", "raw", "value_type")

    def __init__(  # noqa: PLR0913  (a record of what one line says)
        self,
        type_: Type,
        text: str,
        name: str,
        value_type: Type,
        *,
        is_constant: bool,
        linkage: str,
        initializer: str | None,
        raw: str,
    ) -> None:
        self.type = type_
        self.text = text
        self.name = name
        self.value_type = value_type
        self.is_constant = is_constant
        self.linkage = linkage
        self.initializer = initializer
        self.raw = raw


class GlobalAlias(GlobalValue):
    """Alias or ifunc; `aliasee` is the constant it stands for."""

    __slots__ = ("aliasee", "raw")

    def __init__(self, type_: Type, text: str, name: str, *, linkage: str, aliasee: Constant | None, raw: str) -> None:  # noqa: PLR0913
        self.type = type_
        self.text = text
        self.name = name
        self.linkage = linkage
        self.aliasee = aliasee
        self.raw = raw


_ints: dict[tuple[Type, int], ConstantInt] = {}
_singletons: dict[tuple[Type, str], Constant] = {}


def const_int(type_: Type, value: int) -> ConstantInt:
    """The integer constant; `value` is wrapped into the type's signed range."""
    if isinstance(type_, IntType):
        bits = type_.bits
        value &= (1 << bits) - 1
        if bits > 1 and value >> (bits - 1):
            value -= 1 << bits
    key = (type_, value)
    found = _ints.get(key)
    if found is None:
        found = _ints[key] = ConstantInt(type_, value)
    return found


def _singleton(type_: Type, text: str, make: type[Constant]) -> Constant:
    key = (type_, text)
    found = _singletons.get(key)
    if found is None:
        found = _singletons[key] = make(type_, text)
    return found


def undef(type_: Type) -> Constant:
    return _singleton(type_, "undef", Undef)


def poison(type_: Type) -> Constant:
    return _singleton(type_, "poison", Undef)


def null(type_: Type) -> Constant:
    return _singleton(type_, "null", NullPointer)


def zero(type_: Type) -> Constant:
    """The all-zero-bits constant of any first-class type."""
    if isinstance(type_, IntType):
        return const_int(type_, 0)
    if isinstance(type_, FloatType):
        return const_float(type_, 0.0)
    if type_.text.startswith("ptr"):
        return null(type_)
    return _singleton(type_, "zeroinitializer", ZeroInitializer)


def const_float(type_: Type, value: float) -> Constant:
    """A floating-point constant, or a splat of it for a vector type."""
    if isinstance(type_, VectorType):
        element = const_float(type_.element, value)
        return ConstantSplat(type_, element)
    text = format_float(type_, value)
    return _singleton(type_, text, ConstantFloat)


def format_float(type_: Type, value: float) -> str:
    """LLVM's exact hexadecimal text of `value` rounded to `type_`."""
    bits = int.from_bytes(struct.pack(">d", value), "big")
    match type_.text:
        case "double":
            return f"0x{bits:016X}"
        case "float":
            rounded = struct.unpack(">f", struct.pack(">f", value))[0]
            return f"0x{int.from_bytes(struct.pack('>d', rounded), 'big'):016X}"
        case "half":
            return f"0xH{int.from_bytes(struct.pack('>e', value), 'big'):04X}"
        case "bfloat":
            # Round to nearest even on the upper 16 bits of the single-precision pattern.
            single = int.from_bytes(struct.pack(">f", value), "big")
            single += 0x7FFF + ((single >> 16) & 1)
            return f"0xR{single >> 16:04X}"
        case "x86_fp80":
            sign, exponent, mantissa = _widen(bits)
            return f"0xK{(sign << 15) | exponent:04X}{mantissa:016X}"
        case "fp128":
            sign, exponent, mantissa = _widen(bits)
            quad = (sign << 127) | (exponent << 112) | ((mantissa & ((1 << 63) - 1)) << 49)
            # LLVM prints the low 64 bits first.
            return f"0xL{quad & ((1 << 64) - 1):016X}{quad >> 64:016X}"
        case _:
            raise ValueError(f"no constants of type {type_}")


def _widen(bits: int) -> tuple[int, int, int]:
    """Sign, 15-bit biased exponent and 64-bit mantissa (explicit leading one) of a double's pattern."""
    sign, exponent, fraction = bits >> 63, (bits >> 52) & 0x7FF, bits & ((1 << 52) - 1)
    if exponent == 0x7FF:
        return sign, 0x7FFF, (1 << 63) | (fraction << 11)
    if exponent == 0:
        if fraction == 0:
            return sign, 0, 0
        shift = 64 - fraction.bit_length()
        return sign, 16383 - 1022 - (shift - 11), fraction << shift
    return sign, exponent - 1023 + 16383, (1 << 63) | (fraction << 11)


def parse_float(type_: Type, text: str) -> float | None:  # noqa: ARG001 - the text says it all
    """The double nearest to LLVM's text; None where the format is wider than we convert."""
    if not text.startswith("0x"):
        return float(text)
    kind = text[2]
    if kind == "K":
        head, mantissa = int(text[3:7], 16), int(text[7:], 16)
        sign = -1.0 if head >> 15 else 1.0
        exponent = head & 0x7FFF
        if exponent == 0x7FFF:
            return sign * float("inf") if mantissa << 1 & ((1 << 64) - 1) == 0 else float("nan")
        try:
            return math.ldexp(sign * mantissa, exponent - 16383 - 63)
        except OverflowError:
            return sign * float("inf")
    if kind == "H":
        return float(struct.unpack(">e", bytes.fromhex(text[3:]))[0])
    if kind == "R":
        return float(struct.unpack(">f", bytes.fromhex(text[3:] + "0000"))[0])
    if kind in "LM":
        return None
    return float(struct.unpack(">d", int(text, 0).to_bytes(8, "big"))[0])


def is_zero(value: Value) -> bool:
    """Is this the constant with all bits zero?"""
    if isinstance(value, ConstantInt):
        return value.value == 0
    if isinstance(value, ConstantFloat):
        return value.value == 0.0 and not value.text.startswith("-") and value.text not in _NEGATIVE_ZEROS
    if isinstance(value, ConstantSplat):
        return is_zero(value.operands[0])
    return isinstance(value, NullPointer | ZeroInitializer)


_NEGATIVE_ZEROS = frozenset(
    [format_float(DOUBLE, -0.0), format_float(FLOAT, -0.0), "0xH8000", "0xR8000", "0xK80000000000000000000"]
)
