"""Which bits of integers are certainly zero."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from enzyme_build.analysis.bits import known_zero
from enzyme_build.ir.parser import parse_module

if TYPE_CHECKING:
    from enzyme_build.ir.values import Value

TEXT = """
declare i32 @llvm.smax.i32(i32, i32)
define i64 @f(i16 %n, i32 %i, i1 %c, i8 %b) {{
  %count = zext i1 %c to i32
  %wide = sext i16 %n to i32
  {code}
  %r = zext i32 %x to i64
  ret i64 %r
}}"""


def zeros(code: str, name: str = "x") -> int:
    function = parse_module(TEXT.format(code=code)).function("f")
    found: list[Value] = [i for i in function.instructions() if getattr(i, "name", None) == name]
    return known_zero(found[0])


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("%x = zext i8 %b to i32", 0xFFFFFF00),
        ("%x = zext nneg i8 %b to i32", 0xFFFFFF80),
        ("%x = call i32 @llvm.smax.i32(i32 %wide, i32 %count)", 0xFFFF8000),
        ("%x = call i32 @llvm.smax.i32(i32 %count, i32 %i)", 0x80000000),
        ("%x = call i32 @llvm.smax.i32(i32 %wide, i32 %i)", 0),
        ("%a = shl i32 %i, 8\n  %z = zext i8 %b to i32\n  %y = and i32 %z, 15\n  %x = add i32 %a, %y", 0xF0),
        ("%a = shl i32 %i, 8\n  %y = and i32 %i, 4095\n  %x = add i32 %a, %y", 0),
        ("%a = and i32 %i, 255\n  %y = and i32 %i, 4095\n  %x = add i32 %a, %y", 0xFFFFE000),
    ],
)
def test_zero_bits(code: str, expected: int) -> None:
    assert zeros(code) == expected


def test_they_are_zero() -> None:
    """The mask of a sum whose operands have no bit in common, for all values of a byte."""
    mask = zeros("%a = shl i32 %count, 7\n  %z = zext i8 %b to i32\n  %y = and i32 %z, 127\n  %x = add i32 %a, %y")
    assert all((((c << 7) + (b & 127)) & mask) == 0 for c in (0, 1) for b in range(256))
    assert mask == 0xFFFFFF00
