"""Names of functions: from the symbol in the program to the row of a table, and back.

Precision belongs to the name, not to the table: `sinf`, `sinl`, `llvm.sin.v4f32` and `__sin_finite` are all `sin`,
with the type float, long double, `<4 x float>`, double. `canonical` reads names, `spelling` writes them.

A name alone proves little, since a program may have its own function `gamma` or `y1`. `has_signature` tells whether a
declared type is the one of the known function; a function with a body is never a known one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir.types import (
    BFLOAT,
    DOUBLE,
    FLOAT,
    FP128,
    HALF,
    I32,
    I64,
    PPC_FP128,
    X86_FP80,
    FloatType,
    FunctionType,
    IntType,
    Type,
    VectorType,
    fields_of,
    function_type,
    member_type,
    vector_type,
)
from enzyme_build.records import dataclass
from enzyme_build.regex import regex

from .complex import COMPLEX
from .multiple import MULTIPLE, Member, Stored
from .scalar import INTEGER_OPERANDS, PARTIALS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .multiple import MultipleRule

#: Rows that LLVM has as an intrinsic `llvm.<name>.<type>`, where the names differ: canonical to LLVM's.
_INTRINSIC_OF: Final = {"fmax": "maxnum", "fmin": "minnum"}
_INTRINSICS: Final = frozenset(
    """sqrt fabs exp exp2 exp10 log log2 log10 pow powi sin cos tan asin acos atan atan2 sinh cosh tanh fma fmuladd
    fmax fmin maximum minimum maximumnum minimumnum copysign floor ceil trunc round roundeven rint nearbyint ldexp
    canonicalize arithmetic.fence ssa.copy""".split()  # noqa: SIM905
)
#: x86's approximations, which have rows.
_PROCESSOR: Final[Mapping[str, tuple[str, Type]]] = {
    f"x86.{set_}.{instruction}.ps{bits}": (row, vector_type(FLOAT, count))
    for instruction, row in (("rcp", "rcp"), ("rsqrt", "rsqrt"))
    for set_, bits, count in (("sse", "", 4), ("avx", ".256", 8))
}
_FROM_INTRINSIC: Final = {_INTRINSIC_OF.get(name, name): name for name in _INTRINSICS}

#: Rows that are instructions or LLVM's own, not functions of libm.
_NOT_LIBM: Final = frozenset(
    """fadd fsub fmul fdiv fneg frem fmuladd powi maximum minimum maximumnum minimumnum canonicalize arithmetic.fence
    ssa.copy digamma trigamma tetragamma carg creal cimag rcp""".split()  # noqa: SIM905
)
#: Rust's crate `libm`, whose functions compute with the bits of numbers, in both manglings.
CRATE: Final = "4libm4math"
_CRATE_SYMBOL: Final = regex(rf"(?:_ZN|_RNv(?:Nt)*Cs\w+?_){CRATE}(\w+?)(?:17h[0-9a-f]{{16}}E)?")
_LENGTH: Final = regex(r"(\d+)_?")
#: Other names of libm for the same function, without the precision's suffix.
_SYNONYMS: Final = {
    "fmaximum": "maximum",
    "fminimum": "minimum",
    "fmaximum_num": "maximumnum",
    "fminimum_num": "minimumnum",
    "scalbn": "ldexp",
    "gamma": "lgamma",
    "gamma_r": "lgamma_r",
    "drem": "remainder",
    "pow10": "exp10",
    "logp1": "log1p",
    "powr": "pow",
    "fmaximum_mag": "fmaxmag",
    "fminimum_mag": "fminmag",
    "fmaximum_mag_num": "fmaxmag",
    "fminimum_mag_num": "fminmag",
    "__exp10": "exp10",
    "__sincos": "sincos",
    "__sincospi": "sincospi",
    "__sinpi": "sinpi",
    "__cospi": "cospi",
    "__tanpi": "tanpi",
}
#: All rows of functions with several results.
SEVERAL_RESULTS: Final[Mapping[str, MultipleRule]] = {**MULTIPLE, **COMPLEX}
_LIBM: Final = {
    **{name: name for name in PARTIALS if name not in _NOT_LIBM},
    **{name: name for name in MULTIPLE if not name.startswith("llvm.")},
    **_SYNONYMS,
}
_SUFFIXES: Final[Mapping[str, Type]] = {
    "": DOUBLE,
    "f": FLOAT,
    "f16": HALF,
    "f32": FLOAT,
    "f64": DOUBLE,
    "f128": FP128,
}
# In single precision and long double complex numbers are passed in other ways: see `complex_calls`.
_COMPLEX: Final[Mapping[str, tuple[str, Type]]] = {
    "cabs": ("hypot", DOUBLE),
    **{name: (name, DOUBLE) for name in ("carg", "creal", "cimag", *COMPLEX) if not name.endswith("c3")},
    **{
        f"__{operation}{letter}c3": (f"{operation}dc3", type_)
        for operation in ("mul", "div")
        for letter, type_ in (("h", HALF), ("d", DOUBLE), ("x", X86_FP80), ("t", FP128))
    },
}
_LLVM_TYPES: Final[Mapping[str, FloatType]] = {
    "f16": HALF,
    "bf16": BFLOAT,
    "f32": FLOAT,
    "f64": DOUBLE,
    "f80": X86_FP80,
    "f128": FP128,
    "ppcf128": PPC_FP128,
}
_LLVM_NAMES: Final = {text: suffix for suffix, type_ in _LLVM_TYPES.items() for text in [type_.text]}
_LLVM_SUFFIX: Final = regex(r"(?:(nx)?v(\d+))?(bf16|f16|f32|f64|f80|f128|ppcf128)")
_HELPER: Final = "enzyme_build."
HELPERS: Final = frozenset(["digamma", "trigamma", "tetragamma"])


def canonical(name: str, long_double: Type = X86_FP80) -> tuple[str, Type] | None:
    """The row and the floating-point type of a symbol; None if it names no function of the tables."""
    if name.startswith("llvm."):
        return _intrinsic(name[5:])
    if name.startswith(_HELPER):
        function, _, suffix = name[len(_HELPER) :].partition(".")
        known = function in HELPERS or function in COMPLEX or function == "carg"
        return (function, _LLVM_TYPES[suffix]) if known and suffix in _LLVM_TYPES else None
    if name in _COMPLEX:
        return _COMPLEX[name]
    return _libm(name, long_double)


def _intrinsic(name: str) -> tuple[str, Type] | None:
    """`sin.v4f32`, `powi.f64.i32`, `arithmetic.fence.f64`."""
    if name in _PROCESSOR:
        return _PROCESSOR[name]
    parts = name.split(".")
    for count in (1, 2):
        base = ".".join(parts[:count])
        if len(parts) > count and (base in _FROM_INTRINSIC or f"llvm.{base}" in MULTIPLE):
            type_ = _overload(parts[count])
            if type_ is not None:
                return _FROM_INTRINSIC.get(base, f"llvm.{base}"), type_
    return None


def _overload(text: str) -> Type | None:
    match = _LLVM_SUFFIX.fullmatch(text)
    if match is None:
        return None
    scalar = _LLVM_TYPES[match[3]]
    return vector_type(scalar, int(match[2]), scalable=bool(match[1])) if match[2] else scalar


def _libm(name: str, long_double: Type) -> tuple[str, Type] | None:
    # glibc's old -ffast-math entry points: __sin_finite, __sinf_finite, __lgamma_r_finite
    if name.startswith("__") and name.endswith("_finite"):
        name = name[2:-7]
    # Most names are no known function: look up the longest base first, then strip suffixes.
    if name in _LIBM:
        return _LIBM[name], DOUBLE
    reentrant = name.endswith("_r")
    stem = name[:-2] if reentrant else name
    for suffix, type_ in (("l", long_double), *_SUFFIXES.items()):
        if suffix and stem.endswith(suffix):
            base = stem[: -len(suffix)] + ("_r" if reentrant else "")
            if base in _LIBM:
                return _LIBM[base], type_
    return None


@dataclass(frozen=True, slots=True)
class Callee:
    """What to declare and call: name, type, and the attributes after the parameter list."""

    name: str
    type: FunctionType
    attributes: str


_INTRINSIC_ATTRIBUTES: Final = (
    "nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)"
)
# errno is nobody's result inside a derivative (but see `math_errors`), so these calls may be merged, moved and dropped.
_LIBM_ATTRIBUTES: Final = "nocallback nofree nosync nounwind willreturn memory(none)"


def spelling(function: str, type_: Type, integer: IntType = I32) -> Callee | None:
    """What to call to compute a row's function in `type_`; `integer` is the type of an integer operand (powi, ldexp).

    None where nothing computes it in that type at once: vectors of functions that LLVM has no intrinsic for (go lane by
    lane), half precision of those (go through float), and instructions (`fadd` …).
    """
    if function in HELPERS:
        return _helper(function, type_)
    if function in _INTRINSICS:
        parameters = _parameters(function, type_, integer)
        overload = f"{_INTRINSIC_OF.get(function, function)}.{_mangled(type_)}"
        if function in ("powi", "ldexp"):
            overload += f".{_mangled_int(parameters[1])}"
        return Callee(f"llvm.{overload}", function_type(type_, parameters), _INTRINSIC_ATTRIBUTES)
    suffix = {DOUBLE: "", FLOAT: "f", X86_FP80: "l", FP128: "f128"}.get(type_)  # type: ignore[call-overload]
    if function not in PARTIALS or function in _NOT_LIBM or suffix is None:
        return None
    return Callee(f"{function}{suffix}", function_type(type_, _parameters(function, type_, integer)), _LIBM_ATTRIBUTES)


def _helper(function: str, type_: Type) -> Callee | None:
    if type_ not in (FLOAT, DOUBLE, X86_FP80):
        return None
    name = f"{_HELPER}{function}.{_mangled(type_)}"
    return Callee(name, function_type(type_, (type_,)), _LIBM_ATTRIBUTES)


_LONG_EXPONENT: Final = ("scalbln", "pown", "compoundn", "rootn")


def _parameters(function: str, type_: Type, integer: IntType) -> tuple[Type, ...]:
    parameters: list[Type] = [type_] * len(PARTIALS[function])
    if function in INTEGER_OPERANDS:
        at = INTEGER_OPERANDS[function]
        if function == "ldexp" and isinstance(type_, VectorType):
            parameters[at] = vector_type(integer, type_.count, scalable=type_.scalable)
        else:
            # powi of a vector has one exponent; libm's functions fix the width.
            parameters[at] = integer if function in ("powi", "ldexp") else I64 if function in _LONG_EXPONENT else I32
    return tuple(parameters)


def _mangled(type_: Type) -> str:
    if isinstance(type_, VectorType):
        return f"{'nx' if type_.scalable else ''}v{type_.count}{_mangled(type_.element)}"
    return _LLVM_NAMES[type_.text]


def _mangled_int(type_: Type) -> str:
    if isinstance(type_, VectorType):
        return f"{'nx' if type_.scalable else ''}v{type_.count}{type_.element}"
    return str(type_)


def has_signature(function: str, type_: Type, declared: FunctionType) -> bool:
    """Is `declared` the type of the known function in precision `type_`?"""
    if function in SEVERAL_RESULTS:
        return _has_signature_multiple(SEVERAL_RESULTS[function], type_, declared)
    row = PARTIALS.get(function)
    if row is None or declared.variadic or declared.result != type_ or len(declared.parameters) != len(row):
        return False
    integer = INTEGER_OPERANDS.get(function)
    if function == "nexttoward":
        return declared.parameters[0] == type_
    return all(
        isinstance(parameter.scalar, IntType) if at == integer else parameter == type_
        for at, parameter in enumerate(declared.parameters)
    )


def _has_signature_multiple(rule: MultipleRule, type_: Type, declared: FunctionType) -> bool:
    parameters = declared.parameters
    members = [result for result in rule.results if isinstance(result.place, Member)]
    if members:
        result = declared.result
        count = result.count if isinstance(result, VectorType) else len(fields_of(result))
        if count != len(members) or any(
            not member.integer and member_type(result, at) != type_ for at, member in enumerate(members)
        ):
            return False
    pointers = [result.place.argument for result in rule.results if isinstance(result.place, Stored)]
    return (
        not declared.variadic
        and len(parameters) == len(rule.operands) + len(pointers)
        and all(parameters[at] == type_ for at in rule.operands)
        and all(parameters[at].text.startswith("ptr") for at in pointers)
    )


def crate_function(symbol: str) -> str | None:
    """The function of C's library that a function of Rust's crate `libm` is: `libm::math::exp::exp`."""
    found = _CRATE_SYMBOL.fullmatch(symbol) if CRATE in symbol else None
    rest, parts = found[1] if found is not None else "", list[str]()
    while rest:
        length = _LENGTH.match(rest)
        if length is None:
            return None
        end = length.end() + int(length[1])
        parts.append(rest[length.end() : end])
        rest = rest[end:]
    return parts[1] if len(parts) == 2 else None
