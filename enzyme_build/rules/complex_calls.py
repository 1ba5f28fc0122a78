"""Complex numbers in `float` and `long double`, and how they are called on x86-64.

The rows of `complex` take and return the parts one by one, as calls do in double precision. A `float _Complex` travels
in a vector of two, a `long double _Complex` argument in memory. For each of these functions there is a helper in LLVM's
language that takes and returns the parts as the row says, and calls the function itself; the pass calls it instead, so
that packing and unpacking are ordinary instructions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir.types import FLOAT, X86_FP80, FloatType, struct_type
from enzyme_build.records import dataclass

from .complex import COMPLEX
from .special import Helper

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Functions of a complex number that return a real one, and their rows.
_REAL: Final[Mapping[str, str]] = {"cabs": "hypot", "carg": "carg", "creal": "creal", "cimag": "cimag"}


@dataclass(frozen=True, slots=True)
class ComplexCall:
    """The function `symbol` has the row `row`; its operands are `parts` real numbers.

    `packed`: how complex operands are passed.
    """

    symbol: str
    row: str
    type: FloatType
    parts: int
    packed: bool = True

    @property
    def helper(self) -> str:
        return f"enzyme_build.{self.row}.{_SUFFIX[self.type]}"

    @property
    def complex_result(self) -> bool:
        return self.row in COMPLEX


_SUFFIX: Final[Mapping[FloatType, str]] = {FLOAT: "f32", X86_FP80: "f80"}


def _calls() -> dict[str, ComplexCall]:
    rows = {row: (row, len(rule.operands)) for row, rule in COMPLEX.items() if not row.endswith("c3")}
    rows |= {name: (row, 2) for name, row in _REAL.items()}
    packed = [
        ComplexCall(f"{name}{letter}", row, type_, parts)
        for name, (row, parts) in rows.items()
        for letter, type_ in (("f", FLOAT), ("l", X86_FP80))
    ]
    # These take their parts one by one, but in float they return a vector.
    runtime = [ComplexCall(f"__{row[:3]}sc3", row, FLOAT, 4, packed=False) for row in ("muldc3", "divdc3")]
    return {function.symbol: function for function in (*packed, *runtime)}


#: By symbol.
COMPLEX_CALLS: Final[Mapping[str, ComplexCall]] = _calls()


def _definition(function: ComplexCall) -> Helper:
    """Pack the parts, call, unpack."""
    t, names, vector = function.type, "xyzw"[: function.parts], function.type is FLOAT
    pair = str(struct_type((t, t)))
    lines: list[str] = []
    arguments = [f"{t} %{name}" for name in names]
    if function.packed:
        pack = _in_vector if vector else _in_memory
        arguments = [pack(t, re, im, lines) for re, im in zip(names[::2], names[1::2], strict=True)]
    result = (f"<2 x {t}>" if vector else pair) if function.complex_result else str(t)
    lines.append(f"  %r = call {result} @{function.symbol}({', '.join(arguments)})")
    returned = f"{result} %r"
    if function.complex_result and vector:
        lines += [
            f"  %re = extractelement {result} %r, i64 0",
            f"  %im = extractelement {result} %r, i64 1",
            f"  %half = insertvalue {pair} poison, {t} %re, 0",
            f"  %both = insertvalue {pair} %half, {t} %im, 1",
        ]
        returned = f"{pair} %both"
    head = ", ".join(f"{t} %{name}" for name in names)
    lines = [
        f"define internal {returned.rsplit(' ', 1)[0]} @{function.helper}({head}) alwaysinline nounwind {{",
        *lines,
        f"  ret {returned}",
        "}\n",
    ]
    types = ", ".join(argument.rsplit(" ", 1)[0] for argument in arguments)
    return Helper(function.helper, "\n".join(lines), (f"declare {result} @{function.symbol}({types})",))


def _in_vector(t: FloatType, re: str, im: str, lines: list[str]) -> str:
    lines.append(f"  %{re}.half = insertelement <2 x {t}> poison, {t} %{re}, i64 0")
    lines.append(f"  %{re}.both = insertelement <2 x {t}> %{re}.half, {t} %{im}, i64 1")
    return f"<2 x {t}> %{re}.both"


def _in_memory(t: FloatType, re: str, im: str, lines: list[str]) -> str:
    pair = struct_type((t, t))
    lines += [
        f"  %{re}.both = alloca {pair}, align 16",
        f"  %{re}.half = getelementptr inbounds i8, ptr %{re}.both, i64 16",
        f"  store {t} %{re}, ptr %{re}.both, align 16",
        f"  store {t} %{im}, ptr %{re}.half, align 16",
    ]
    return f"ptr byval({pair}) align 16 %{re}.both"


#: The helpers by symbol.
HELPERS: Final[Mapping[str, Helper]] = {f.helper: _definition(f) for f in COMPLEX_CALLS.values() if f.row != "hypot"}
