"""What of a vector is not used is not read."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.widened_loads import narrow_loads
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module

FIRST = "shufflevector <4 x float> %v, <4 x float> poison, <2 x i32>"


@pytest.mark.parametrize(
    ("used", "lanes"),
    [
        (f"%w = {FIRST} <i32 0, i32 1>", 2),
        (f"%w = {FIRST} <i32 1, i32 poison>\n  %l = extractelement <4 x float> %v, i64 2", 3),
        ("%w = extractelement <4 x float> %v, i64 0", 2),
        (f"%w = {FIRST} <i32 0, i32 3>", 4),
        ("%w = shufflevector <4 x float> %v, <4 x float> %v, <2 x i32> <i32 0, i32 5>", 4),
        ("%w = extractelement <4 x float> %v, i64 %n", 4),
        ("%w = fadd <4 x float> %v, %v", 4),
        (f"%w = {FIRST} <i32 0, i32 1>\n  store <4 x float> %v, ptr %p", 4),
    ],
)
def test_as_many_lanes_are_read_as_are_used(used: str, lanes: int):
    module = parse_module(f"""
define void @f(ptr %p, i64 %n) {{
  %v = load <4 x float>, ptr %p, align 4
  {used}
  ret void
}}""")
    function = module.function("f")
    narrow_loads(function)
    assert not check_function(module, function)
    loads = [i for i in function.instructions() if isinstance(i, ir.Load)]
    assert [load.type.count for load in loads] == [lanes]


def test_volatile_loads_are_left_alone():
    module = parse_module(f"""
define <2 x float> @f(ptr %p) {{
  %v = load volatile <4 x float>, ptr %p, align 4
  %w = {FIRST} <i32 0, i32 1>
  ret <2 x float> %w
}}""")
    narrow_loads(module.function("f"))
    assert next(iter(module.function("f").instructions())).type.count == 4
