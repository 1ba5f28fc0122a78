"""Every row of the scalar table as a compiled function with its derivatives, in one precision.

For a row `f` the library has `check.f(in, out)`: `in` holds the operands and a direction, `out` receives the value, the
tangent, the adjoints of the operands, and the tangents of the adjoints (second derivatives along the direction).
"""

from __future__ import annotations

import ctypes
import subprocess  # noqa: TID251 - to make a library of the object
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from enzyme_build.ir.types import DOUBLE, FLOAT, X86_FP80
from enzyme_build.jobs import LinkJob, Product
from enzyme_build.pipeline import link
from enzyme_build.rules.names import spelling
from enzyme_build.rules.scalar import INTEGER_OPERANDS, PARTIALS
from enzyme_build.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from enzyme_build.ir.types import FloatType

PRECISIONS = {"float": (FLOAT, np.float32), "double": (DOUBLE, np.float64), "long double": (X86_FP80, np.longdouble)}
_INSTRUCTIONS = ("fadd", "fsub", "fmul", "fdiv", "frem")
# Of the optimiser only, or of a processor: they have no code of their own.
_NOT_COMPILED = {"ssa.copy", "arithmetic.fence", "rcp", "carg", "creal", "cimag"}
# Its derivative, the last of the line, has no row.
FIRST_ORDER_ONLY = {"trigamma"}
_HEAD = """target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
"""


@cache
def _libm() -> ctypes.CDLL:
    return ctypes.CDLL("libm.so.6")


def compiled_rows(type_: FloatType) -> list[str]:
    """The rows that something computes in this precision here."""
    return [row for row in PARTIALS if row not in _NOT_COMPILED and _has_code(row, type_)]


def _has_code(row: str, type_: FloatType) -> bool:
    if row in _INSTRUCTIONS or row == "fneg":
        return True
    if row in ("maximum", "minimum") and type_ is X86_FP80:
        return False  # LLVM 22 has no code for these
    callee = spelling(row, type_)
    if callee is None:
        return False
    return callee.name.startswith(("llvm.", "enzyme_build.")) or hasattr(_libm(), callee.name)


def _primal(row: str, t: str, type_: FloatType) -> tuple[str, list[str], str]:
    """The line that computes the row, its operand types, and a declaration."""
    count = len(PARTIALS[row])
    if row == "fneg":
        return f"%r = fneg {t} %x", [t], ""
    if row in _INSTRUCTIONS:
        return f"%r = {row} {t} %x, %y", [t, t], ""
    callee = spelling(row, type_)
    assert callee is not None
    types = [parameter.text for parameter in callee.type.parameters]
    arguments = ", ".join(f"{type_} %{name}" for type_, name in zip(types, "xyz"[:count], strict=True))
    declaration = f"declare {t} @{callee.name}({', '.join(types)})\n"
    return f"%r = call {t} @{callee.name}({arguments})", types, declaration


def _row_text(row: str, type_: FloatType) -> str:
    t, size = type_.text, 16 if type_ is X86_FP80 else type_.bits // 8
    line, types, declaration = _primal(row, t, type_)
    names = "xyz"[: len(types)]
    parameters = ", ".join(f"{kind} %{name}" for kind, name in zip(types, names, strict=True))
    active = [name for name, kind in zip(names, types, strict=True) if kind == t]
    result = t if len(active) == 1 else "{ " + ", ".join([t] * len(active)) + " }"
    reverse, forward, second = (f'@"__enzyme_{kind}.{row}"' for kind in ("autodiff", "fwddiff", "fwddiff.second"))
    text = [
        declaration,
        f"declare {result} {reverse}(ptr, ...)\ndeclare {t} {forward}(ptr, ...)\ndeclare void {second}(ptr, ...)",
        f'define internal {t} @"f.{row}"({parameters}) {{\n  {line}\n  ret {t} %r\n}}',
        f'define internal void @"g.{row}"({parameters}, ptr %bar) {{',
        f'  %all = call {result} (ptr, ...) {reverse}(ptr @"f.{row}", {parameters})',
    ]
    for at in range(len(active)):
        value = "%all"
        if len(active) > 1:
            text.append(f"  %bar.{at} = extractvalue {result} %all, {at}")
            value = f"%bar.{at}"
        text.append(f"  %to.{at} = getelementptr i8, ptr %bar, i64 {at * size}\n  store {t} {value}, ptr %to.{at}")
    text += ["  ret void\n}", f'define void @"check.{row}"(ptr %in, ptr %out) {{', f"  %dot = alloca [3 x {t}]"]
    duplicated = []
    for at, (name, kind) in enumerate(zip(names, types, strict=True)):
        read = name if kind == t else f"{name}.number"
        text.append(f"  %at.{name} = getelementptr i8, ptr %in, i64 {at * size}\n  %{read} = load {t}, ptr %at.{name}")
        if kind == t:
            text.append(f"  %dot.at.{name} = getelementptr i8, ptr %in, i64 {(at + len(names)) * size}")
            text.append(f"  %{name}.dot = load {t}, ptr %dot.at.{name}")
            duplicated += [f"{t} %{name}", f"{t} %{name}.dot"]
        else:
            text.append(f"  %{name} = fptosi {t} %{read} to {kind}")
            duplicated.append(f"{kind} %{name}")
    both = ", ".join(duplicated)
    text += [
        f'  %value = call {t} @"f.{row}"({parameters})',
        f"  store {t} %value, ptr %out",
        f'  %tangent = call {t} (ptr, ...) {forward}(ptr @"f.{row}", {both})',
        f"  %out.1 = getelementptr i8, ptr %out, i64 {size}\n  store {t} %tangent, ptr %out.1",
        f"  %out.2 = getelementptr i8, ptr %out, i64 {2 * size}",
        f'  call void @"g.{row}"({parameters}, ptr %out.2)',
        f"  %out.3 = getelementptr i8, ptr %out, i64 {(2 + len(active)) * size}",
    ]
    if row not in FIRST_ORDER_ONLY:
        text.append(f'  call void (ptr, ...) {second}(ptr @"g.{row}", {both}, ptr %dot, ptr %out.3)')
    text.append("  ret void\n}")
    return "\n".join(text)


class Rows:
    """The compiled rows of one precision."""

    def __init__(self, type_: FloatType, number: type, folder: Path) -> None:
        self.number = number
        self.rows = compiled_rows(type_)
        text = _HEAD + "\n".join(_row_text(row, type_) for row in self.rows)
        exports = tuple(f"check.{row}" for row in self.rows)
        job = LinkJob((), folder / "rows.o", Product.NAMED, exports, extra_ir=(_unique_declarations(text),))
        link(job, Settings())
        library = folder / "rows.so"
        subprocess.run(["clang-22", "-shared", str(folder / "rows.o"), "-lm", "-o", str(library)], check=True)
        self.library = ctypes.CDLL(str(library))

    def derivatives(self, row: str, point: list, direction: list) -> tuple[object, object, list, list]:
        """Value, tangent, adjoints and their tangents; adjoints only of operands that are no integers."""
        given = np.array([*point, *direction], dtype=self.number)
        active = len(point) - (row in INTEGER_OPERANDS)
        out = np.zeros(2 + 2 * active, dtype=self.number)
        getattr(self.library, f"check.{row}")(
            given.ctypes.data_as(ctypes.c_void_p), out.ctypes.data_as(ctypes.c_void_p)
        )
        return out[0], out[1], list(out[2 : 2 + active]), list(out[2 + active :])


def _unique_declarations(text: str) -> str:
    seen: set[str] = set()
    lines = []
    for line in text.split("\n"):
        if not line.startswith("declare") or line not in seen:
            lines.append(line)
            seen.add(line)
    return "\n".join(lines)
