"""Types of LLVM IR, and their sizes under a data layout.

Types are interned: two types are equal if and only if they are the same object, so comparisons are `is`/`==` on
identity and types are cheap dictionary keys. Named structs belong to a module and compare by identity too.
`str(type)` is the text LLVM prints.
"""

from __future__ import annotations

from typing import Final


class Type:
    """Base of all types; `text` is what LLVM prints."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.text}>"

    @property
    def is_float(self) -> bool:
        """Is this a scalar floating-point type?"""
        return isinstance(self, FloatType)

    @property
    def is_float_like(self) -> bool:
        """Floating point, or a vector of it: what `fadd` takes."""
        return self.scalar.is_float

    @property
    def scalar(self) -> Type:
        """The element type of a vector, otherwise the type itself."""
        return self.element if isinstance(self, VectorType) else self


class VoidType(Type):
    __slots__ = ()


class LabelType(Type):
    __slots__ = ()


class MetadataType(Type):
    __slots__ = ()


class TokenType(Type):
    __slots__ = ()


class IntType(Type):
    __slots__ = ("bits",)

    def __init__(self, bits: int) -> None:
        super().__init__(f"i{bits}")
        self.bits = bits


class FloatType(Type):
    """`half`, `bfloat`, `float`, `double`, `x86_fp80`, `fp128` or `ppc_fp128`."""

    __slots__ = ("bits",)

    def __init__(self, text: str, bits: int) -> None:
        super().__init__(text)
        self.bits = bits


class PointerType(Type):
    __slots__ = ("address_space",)

    def __init__(self, address_space: int) -> None:
        super().__init__("ptr" if address_space == 0 else f"ptr addrspace({address_space})")
        self.address_space = address_space


class VectorType(Type):
    __slots__ = ("count", "element", "scalable")

    def __init__(self, element: Type, count: int, *, scalable: bool = False) -> None:
        super().__init__(f"<{'vscale x ' if scalable else ''}{count} x {element.text}>")
        self.element = element
        self.count = count
        self.scalable = scalable


class ArrayType(Type):
    __slots__ = ("count", "element")

    def __init__(self, element: Type, count: int) -> None:
        super().__init__(f"[{count} x {element.text}]")
        self.element = element
        self.count = count


class StructType(Type):
    """A literal struct."""

    __slots__ = ("fields", "packed")

    def __init__(self, fields: tuple[Type, ...], *, packed: bool = False) -> None:
        inner = f"{{ {', '.join(f.text for f in fields)} }}" if fields else "{}"
        super().__init__(f"<{inner}>" if packed else inner)
        self.fields = fields
        self.packed = packed


class NamedStructType(Type):
    """`%struct.S` of one module; `fields` is None while opaque. `text` includes the sigil."""

    __slots__ = ("fields", "packed")

    def __init__(self, text: str, fields: tuple[Type, ...] | None = None, *, packed: bool = False) -> None:
        super().__init__(text)
        self.fields = fields
        self.packed = packed


class FunctionType(Type):
    __slots__ = ("parameters", "result", "variadic")

    def __init__(self, result: Type, parameters: tuple[Type, ...], *, variadic: bool = False) -> None:
        inner = [p.text for p in parameters] + (["..."] if variadic else [])
        super().__init__(f"{result.text} ({', '.join(inner)})")
        self.result = result
        self.parameters = parameters
        self.variadic = variadic


class TargetExtensionType(Type):
    """`target("…", …)`, kept as text."""

    __slots__ = ()


VOID: Final = VoidType("void")
LABEL: Final = LabelType("label")
METADATA: Final = MetadataType("metadata")
TOKEN: Final = TokenType("token")
HALF: Final = FloatType("half", 16)
BFLOAT: Final = FloatType("bfloat", 16)
FLOAT: Final = FloatType("float", 32)
DOUBLE: Final = FloatType("double", 64)
X86_FP80: Final = FloatType("x86_fp80", 80)
FP128: Final = FloatType("fp128", 128)
PPC_FP128: Final = FloatType("ppc_fp128", 128)
FLOAT_TYPES: Final = {t.text: t for t in (HALF, BFLOAT, FLOAT, DOUBLE, X86_FP80, FP128, PPC_FP128)}

_interned: dict[object, Type] = {}


def _intern(key: object, make: type[Type], *args: object, **kwargs: object) -> Type:
    found = _interned.get(key)
    if found is None:
        found = _interned[key] = make(*args, **kwargs)  # type: ignore[arg-type]
    return found


def int_type(bits: int) -> IntType:
    return _intern(("i", bits), IntType, bits)  # type: ignore[return-value]


def pointer_type(address_space: int = 0) -> PointerType:
    return _intern(("p", address_space), PointerType, address_space)  # type: ignore[return-value]


def vector_type(element: Type, count: int, *, scalable: bool = False) -> VectorType:
    return _intern(("v", element, count, scalable), VectorType, element, count, scalable=scalable)  # type: ignore[return-value]


def array_type(element: Type, count: int) -> ArrayType:
    return _intern(("a", element, count), ArrayType, element, count)  # type: ignore[return-value]


def struct_type(fields: tuple[Type, ...], *, packed: bool = False) -> StructType:
    return _intern(("s", fields, packed), StructType, fields, packed=packed)  # type: ignore[return-value]


def function_type(result: Type, parameters: tuple[Type, ...], *, variadic: bool = False) -> FunctionType:
    return _intern(("f", result, parameters, variadic), FunctionType, result, parameters, variadic=variadic)  # type: ignore[return-value]


def target_extension_type(text: str) -> TargetExtensionType:
    return _intern(("t", text), TargetExtensionType, text)  # type: ignore[return-value]


I1: Final = int_type(1)
I8: Final = int_type(8)
I16: Final = int_type(16)
I32: Final = int_type(32)
I64: Final = int_type(64)
I128: Final = int_type(128)
PTR: Final = pointer_type()


def with_scalar(type_: Type, scalar: Type) -> Type:
    """`scalar`, or a vector of it where `type_` is a vector."""
    if isinstance(type_, VectorType):
        return vector_type(scalar, type_.count, scalable=type_.scalable)
    return scalar


def fields_of(type_: Type) -> tuple[Type, ...]:
    """The member types of an array or struct, in order; empty for scalars."""
    if isinstance(type_, ArrayType):
        return (type_.element,) * type_.count
    if isinstance(type_, StructType | NamedStructType):
        return type_.fields or ()
    return ()


def innermost(type_: Type) -> Type:
    """What an array of arrays consists of; other types as they are."""
    while isinstance(type_, ArrayType):
        type_ = type_.element
    return type_


def member_type(type_: Type, index: int) -> Type:
    """Type of member `index` of an array, vector or struct."""
    if isinstance(type_, ArrayType | VectorType):
        return type_.element
    return fields_of(type_)[index]
