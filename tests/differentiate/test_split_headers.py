"""Copies of an array with a header become one of the header and one of the elements."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.bytetypes import memory_models
from enzyme_build.analysis.callgraph import call_graph
from enzyme_build.differentiate.split_headers import split_headers
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module

TEXT = """
declare void @llvm.COPY.p0.p0.i64(ptr, ptr, i64, i1)
define double @f(ptr %to, ptr %from, i64 %n, i64 %k) {
  %scale = getelementptr i8, ptr %from, i64 8
  %s = load float, ptr %scale
  %x = load double, ptr %from
  %items = getelementptr i8, ptr %from, i64 16
  %i = and i64 %k, MASK
  %item = getelementptr double, ptr %items, i64 %i
  %y = load double, ptr %item
  call void @llvm.COPY.p0.p0.i64(ptr %to, ptr %from, i64 LENGTH, i1 false)
  %r = fadd double %x, %y
  ret double %r
}
"""


def copies(copy: str = "memcpy", mask: int = 255, length: str = "%n", text: str = TEXT) -> list[tuple[str, str, str]]:
    """Kind, destination and length of each copy afterwards."""
    module = parse_module(text.replace("COPY", copy).replace("MASK", str(mask)).replace("LENGTH", length))
    function = module.function("f")
    memory = memory_models(module, call_graph(module, [function]), {function})[function]
    split_headers(module, function, memory)
    assert not check_function(module, function)
    found = []
    for i in function.instructions():
        if isinstance(i, ir.Call) and i.callee.name.startswith(("llvm.memcpy", "llvm.memmove")):
            to, _, size = i.arguments[:3]
            behind = isinstance(to, ir.GetElementPtr)
            how_long = "header" if isinstance(size, ir.Call) else "rest" if isinstance(size, ir.Binary) else "all"
            room = "room" if isinstance(to, ir.Alloca) else "items" if behind else "begin"
            found.append((i.callee.name.split(".")[1], room, how_long))
    return found


def test_the_header_is_copied_by_itself():
    assert copies() == [("memcpy", "begin", "header"), ("memcpy", "items", "rest")]


def test_where_both_may_overlap_the_header_waits():
    assert copies("memmove") == [
        ("memcpy", "room", "header"),
        ("memmove", "items", "rest"),
        ("memcpy", "begin", "header"),
    ]


@pytest.mark.parametrize(("mask", "length"), [(-1, "%n"), (255, "64")])
def test_others_stay(mask, length):
    assert copies(mask=mask, length=length) == [("memcpy", "begin", "all")]


def test_elements_like_the_header_need_no_split():
    text = TEXT.replace("load float, ptr %scale", "load double, ptr %scale")
    assert copies(text=text) == [("memcpy", "begin", "all")]
