"""LLVM's intrinsic functions: their signatures and how overloads are spelled in their names.

A row is `result parameters…`. Capital letters are overloaded types and appear in the name in the order of their first
mention (F: floating point, I, J: integer, P, Q: pointer, V: vector); `e` is the element of V; others are fixed.
LLVM's verifier accepts any name that it does not know, so wrong ones must be found here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.errors import InternalError
from enzyme_build.regex import regex

from .types import (
    FLOAT_TYPES,
    METADATA,
    PTR,
    VOID,
    ArrayType,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    StructType,
    Type,
    VectorType,
    function_type,
    int_type,
    struct_type,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .function import Function
    from .module import Module


def _rows(signature: str, names: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), signature)


SIGNATURES: Final[dict[str, str]] = {
    **_rows(
        "F F",
        "sqrt sin cos tan asin acos atan sinh cosh tanh exp exp2 exp10 log log2 log10 fabs floor ceil trunc rint "
        "nearbyint round roundeven canonicalize arithmetic.fence",
    ),
    **_rows("F F F", "pow atan2 copysign minnum maxnum minimum maximum minimumnum maximumnum"),
    **_rows("F F F F", "fma fmuladd"),
    **_rows("F F I", "powi ldexp"),
    **_rows("{F,I} F", "frexp"),
    **_rows("{F,F} F", "sincos sincospi modf"),
    **_rows("I F", "lrint llrint lround llround fptosi.sat fptoui.sat"),
    **_rows("i1 F i32", "is.fpclass"),
    **_rows("I I", "ctpop bswap bitreverse"),
    **_rows("I I i1", "ctlz cttz abs"),
    **_rows("I I I", "smax smin umax umin sadd.sat uadd.sat ssub.sat usub.sat sshl.sat ushl.sat expect"),
    **_rows("I I I I", "fshl fshr"),
    **_rows(
        "{I,i1} I I",
        "sadd.with.overflow uadd.with.overflow ssub.with.overflow usub.with.overflow smul.with.overflow "
        "umul.with.overflow",
    ),
    **_rows("I J J", "scmp ucmp"),
    **_rows("e e V", "vector.reduce.fadd vector.reduce.fmul"),
    **_rows(
        "e V",
        "vector.reduce.fmax vector.reduce.fmin vector.reduce.fmaximum vector.reduce.fminimum vector.reduce.add "
        "vector.reduce.mul vector.reduce.and vector.reduce.or vector.reduce.xor vector.reduce.smax vector.reduce.smin "
        "vector.reduce.umax vector.reduce.umin",
    ),
    **_rows("V V", "vector.reverse"),
    **_rows("void P Q I i1", "memcpy memmove memcpy.inline"),
    **_rows("void P i8 I i1", "memset memset.inline"),
    **_rows("void P", "lifetime.start lifetime.end va_start va_end stackrestore"),
    **_rows("void P P", "va_copy"),
    **_rows("P", "stacksave"),
    **_rows("P i32", "frameaddress"),
    **_rows("ptr i32", "returnaddress"),
    **_rows("ptr i64 P", "invariant.start"),
    **_rows("void ptr i64 P", "invariant.end"),
    **_rows("P P", "threadlocal.address launder.invariant.group strip.invariant.group"),
    **_rows("P P I", "ptrmask"),
    **_rows("void P i32 i32 i32", "prefetch"),
    **_rows("I P i1 i1 i1", "objectsize"),
    **_rows("void i1", "assume"),
    **_rows("void", "trap debugtrap donothing sideeffect"),
    **_rows("void i8", "ubsantrap"),
    **_rows("void metadata", "experimental.noalias.scope.decl"),
    **_rows("i32 P", "eh.typeid.for"),
}

_LETTERS: Final = regex(r"[A-Z]")
_FLOAT_SUFFIX: Final = {
    "half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64", "x86_fp80": "f80", "fp128": "f128",
    "ppc_fp128": "ppcf128",
}  # fmt: skip
_BY_SUFFIX: Final = {suffix: FLOAT_TYPES[text] for text, suffix in _FLOAT_SUFFIX.items()}
_KINDS: Final[dict[str, type[Type]]] = {"F": FloatType, "I": IntType, "J": IntType}


def mangled(type_: Type) -> str:
    """How an overloaded type is spelled in an intrinsic's name: `f64`, `v4i32`, `p0`."""
    match type_:
        case FloatType():
            return _FLOAT_SUFFIX[type_.text]
        case IntType():
            return type_.text
        case PointerType():
            return f"p{type_.address_space}"
        case VectorType():
            return f"{'nx' if type_.scalable else ''}v{type_.count}{mangled(type_.element)}"
        case ArrayType():
            return f"a{type_.count}{mangled(type_.element)}"
        case StructType():
            return f"sl_{''.join(map(mangled, type_.fields))}s"
    raise InternalError(f"intrinsics are not overloaded on {type_}")


def intrinsic_type(base: str, overloads: Sequence[Type]) -> FunctionType:
    """The type of `llvm.<base>` for these overloaded types, in the order of its name."""
    row = SIGNATURES.get(base)
    if row is None:
        raise InternalError(f"unknown intrinsic llvm.{base}")
    letters = list(dict.fromkeys(_LETTERS.findall(row)))
    if len(letters) != len(overloads):
        raise InternalError(f"llvm.{base} has {len(letters)} overloaded types, not {len(overloads)}")
    meaning = dict(zip(letters, overloads, strict=True))
    for letter, type_ in meaning.items():
        if not isinstance(type_.scalar, _KINDS.get(letter, Type)):
            raise InternalError(f"llvm.{base} of {type_}")
    result, *parameters = (_meaning(word, meaning) for word in row.split())
    return function_type(result, tuple(parameters))


def _meaning(word: str, overloads: dict[str, Type]) -> Type:
    if word in overloads:
        return overloads[word]
    if word == "e":
        return overloads["V"].scalar
    if word.startswith("{"):
        return struct_type(tuple(_meaning(part, overloads) for part in word[1:-1].split(",")))
    if word.startswith("i"):
        return int_type(int(word[1:]))
    return {"void": VOID, "ptr": PTR, "metadata": METADATA}[word]


def intrinsic(module: Module, base: str, *overloads: Type) -> Function:
    """The intrinsic `llvm.<base>`, declared in `module` where needed: `intrinsic(module, "sqrt", DOUBLE)`."""
    name = ".".join(["llvm", base, *map(mangled, overloads)])
    return module.declare(name, intrinsic_type(base, overloads))


def wrong_intrinsic(name: str, type_: FunctionType) -> str | None:
    """What is wrong with a declaration of `name` as `type_`; None if nothing, or if the name is unknown."""
    base = base_name(name)
    if base is None:
        return None
    row = SIGNATURES[base]
    meaning: dict[str, Type] = {}
    patterns = row.split()
    actual = (type_.result, *type_.parameters)
    if len(patterns) != len(actual) or type_.variadic:
        return f"{name} takes {len(patterns) - 1} arguments, not {len(actual) - 1}"
    for pattern, given in zip(patterns, actual, strict=True):
        if pattern.startswith("{"):
            inner = pattern[1:-1].split(",")
            fields = given.fields if isinstance(given, StructType) else ()
            if len(inner) != len(fields):
                return f"{name} has type {type_}"
            pairs = list(zip(inner, fields, strict=True))
        else:
            pairs = [(pattern, given)]
        for letter, part in pairs:
            if _LETTERS.fullmatch(letter) and meaning.setdefault(letter, part) is not part:
                return f"{name} has type {type_}"
            if letter in _KINDS and not isinstance(part.scalar, _KINDS[letter]):
                return f"{name} has type {type_}"
            if letter[0] == "i" and letter != part.scalar.text:
                return f"{name} has type {type_}"
    letters = list(dict.fromkeys(_LETTERS.findall(row)))
    expected = ".".join(["llvm", base, *(mangled(meaning[letter]) for letter in letters)])
    if expected != name:
        return f"{name} has type {type_}, whose name is {expected}"
    return None


def base_name(name: str) -> str | None:
    """`llvm.sqrt.f64` to `sqrt`; None where we do not know the intrinsic."""
    parts = name.split(".")
    if parts[0] != "llvm":
        return None
    for count in range(len(parts), 1, -1):
        base = ".".join(parts[1:count])
        if base in SIGNATURES:
            return base
    return None
