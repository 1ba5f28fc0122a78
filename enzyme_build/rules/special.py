"""Functions that derivatives need and libm lacks: digamma ψ, trigamma ψ′ and tetragamma ψ″, as LLVM IR.

They serve lgamma and tgamma up to their third derivatives.

For x ≥ 10 the asymptotic series, which there is exact to double precision after eight terms; below that the recurrence
ψ(x) = ψ(x + 1) - 1/x and its derivatives; for x < 0 the reflection ψ(x) = ψ(1 - x) - π cot πx and its derivatives.
At the poles: NaN (at 0: ∓inf).

Error below 1e-13 relative, or absolute near the zeros of ψ. Single precision and long double go through double: where
lgamma is differentiated in long double, its derivative has the precision of double.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from enzyme_build.ir.types import DOUBLE
from enzyme_build.ir.values import format_float
from enzyme_build.records import dataclass

_BERNOULLI: Final = tuple(map(Fraction, ("1/6", "-1/30", "1/42", "-1/30", "5/66", "-691/2730", "7/6", "-3617/510")))


@dataclass(frozen=True, slots=True)
class Helper:
    """A function definition as text, and the declarations and helpers it calls, by symbol."""

    symbol: str
    text: str
    declarations: tuple[str, ...] = ()
    helpers: tuple[str, ...] = ()


def _number(value: Fraction | float) -> str:
    return format_float(DOUBLE, float(value))


def _horner(coefficients: list[Fraction], variable: str) -> tuple[list[str], str]:
    """Lines that evaluate the polynomial, lowest power first, and the name of its value."""
    lines, value = [], _number(coefficients[-1])
    for at in range(len(coefficients) - 2, -1, -1):
        lines.append(f"  %m{at} = fmul double {value}, {variable}")
        lines.append(f"  %p{at} = fadd double %m{at}, {_number(coefficients[at])}")
        value = f"%p{at}"
    return lines, value


_ATTRIBUTES: Final = "nofree nosync nounwind willreturn memory(none)"
_PI: Final = _number(3.141592653589793)

# The frame of the functions: mirror negative arguments, walk up to 10, series, then undo the mirroring.
_FRAME: Final = """define internal double @enzyme_build.{name}.f64(double %x) {attributes} {{
entry:
  %negative = fcmp olt double %x, 0.0
  %mirrored = fsub double 1.0, %x
  %start = select i1 %negative, double %mirrored, double %x
  br label %walk

walk:
  %t = phi double [ %start, %entry ], [ %t.next, %step ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %step ]
  %small = fcmp olt double %t, 1.0e+01
  br i1 %small, label %step, label %series

step:
{step}
  %t.next = fadd double %t, 1.0
  br label %walk

series:
  %u = fdiv double 1.0, %t
  %v = fmul double %u, %u
{series}
  br i1 %negative, label %reflect, label %done

reflect:
  ; The distance from the nearest integer is exact, so that a large argument loses nothing.
  %nearest = call double @llvm.rint.f64(double %x)
  %distance = fsub double %x, %nearest
  %angle = fmul double %distance, {pi}
  %sine = call double @llvm.sin.f64(double %angle)
{reflect}
  %at.pole = fcmp oeq double %distance, 0.0
  %reflected = select i1 %at.pole, double 0x7FF8000000000000, double %other
  br label %done

done:
  %r = phi double [ %right, %series ], [ %reflected, %reflect ]
  ret double %r
}}
"""


def _digamma() -> str:
    # ln t - u/2 - v (B2/2 + B4/4 v + B6/6 v² + …) with u = 1/t, v = u²
    coefficients = [number / (2 * k) for k, number in enumerate(_BERNOULLI, 1)]
    lines, value = _horner(coefficients, "%v")
    series = [
        *lines,
        f"  %tail = fmul double {value}, %v",
        "  %log = call double @llvm.log.f64(double %t)",
        "  %half = fmul double %u, 5.0e-01",
        "  %a = fsub double %log, %half",
        "  %b = fsub double %a, %tail",
        "  %right = fadd double %b, %sum",
    ]
    step = ["  %reciprocal = fdiv double 1.0, %t", "  %sum.next = fsub double %sum, %reciprocal"]
    reflect = [
        "  %cosine = call double @llvm.cos.f64(double %angle)",
        "  %cotangent = fdiv double %cosine, %sine",
        f"  %pi.cotangent = fmul double %cotangent, {_PI}",
        "  %other = fsub double %right, %pi.cotangent",
    ]
    return _filled("digamma", step, series, reflect)


def _trigamma() -> str:
    # u + v/2 + u v (B2 + B4 v + B6 v² + …)
    lines, value = _horner(list(_BERNOULLI), "%v")
    series = [
        *lines,
        "  %uv = fmul double %u, %v",
        f"  %tail = fmul double {value}, %uv",
        "  %half = fmul double %v, 5.0e-01",
        "  %a = fadd double %tail, %half",
        "  %b = fadd double %a, %u",
        "  %right = fadd double %b, %sum",
    ]
    step = [
        "  %square = fmul double %t, %t",
        "  %reciprocal = fdiv double 1.0, %square",
        "  %sum.next = fadd double %sum, %reciprocal",
    ]
    reflect = [
        f"  %quotient = fdiv double {_PI}, %sine",
        "  %squared = fmul double %quotient, %quotient",
        "  %other = fsub double %squared, %right",
    ]
    return _filled("trigamma", step, series, reflect)


def _tetragamma() -> str:
    # -v - u v - v² (3 B2 + 5 B4 v + 7 B6 v² + …)
    coefficients = [-(2 * k + 1) * number for k, number in enumerate(_BERNOULLI, 1)]
    lines, value = _horner(coefficients, "%v")
    series = [
        *lines,
        "  %v2 = fmul double %v, %v",
        f"  %tail = fmul double {value}, %v2",
        "  %uv = fmul double %u, %v",
        "  %a = fsub double %tail, %uv",
        "  %b = fsub double %a, %v",
        "  %right = fadd double %b, %sum",
    ]
    step = [
        "  %square = fmul double %t, %t",
        "  %cube = fmul double %square, %t",
        "  %reciprocal = fdiv double 2.0, %cube",
        "  %sum.next = fsub double %sum, %reciprocal",
    ]
    reflect = [
        "  %cosine = call double @llvm.cos.f64(double %angle)",
        f"  %quotient = fdiv double {_PI}, %sine",
        "  %squared = fmul double %quotient, %quotient",
        "  %cubed = fmul double %squared, %quotient",
        "  %product = fmul double %cubed, %cosine",
        "  %doubled = fmul double %product, 2.0",
        "  %other = fsub double %right, %doubled",
    ]
    return _filled("tetragamma", step, series, reflect)


def _filled(name: str, step: list[str], series: list[str], reflect: list[str]) -> str:
    return _FRAME.format(
        name=name,
        attributes=_ATTRIBUTES,
        pi=_PI,
        step="\n".join(step),
        series="\n".join(series),
        reflect="\n".join(reflect),
    )


def _through_double(name: str, type_: str, suffix: str) -> Helper:
    there, back = ("fpext", "fptrunc") if suffix == "f32" else ("fptrunc", "fpext")
    text = f"""define internal {type_} @enzyme_build.{name}.{suffix}({type_} %x) {_ATTRIBUTES} {{
  %converted = {there} {type_} %x to double
  %y = call double @enzyme_build.{name}.f64(double %converted)
  %r = {back} double %y to {type_}
  ret {type_} %r
}}
"""
    return Helper(f"enzyme_build.{name}.{suffix}", text, helpers=(f"enzyme_build.{name}.f64",))


_INTRINSICS: Final = tuple(f"declare double @llvm.{name}.f64(double)" for name in ("log", "sin", "cos", "rint"))

#: The helpers by the symbol that `names.spelling` gives.
HELPERS: Final = {
    helper.symbol: helper
    for helper in (
        Helper("enzyme_build.digamma.f64", _digamma(), _INTRINSICS),
        Helper("enzyme_build.trigamma.f64", _trigamma(), (_INTRINSICS[1], _INTRINSICS[3])),
        Helper("enzyme_build.tetragamma.f64", _tetragamma(), _INTRINSICS[1:]),
        *(
            _through_double(name, type_, suffix)
            for name in ("digamma", "trigamma", "tetragamma")
            for type_, suffix in (("float", "f32"), ("x86_fp80", "f80"))
        ),
    )
}
