"""Pointers that are read from local variables which have numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from enzyme_build.differentiate.number_slots import without_number_slots
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function


def rewritten(body: str) -> tuple[Function, list[str]]:
    """`f` in its model, whose local variable is `%s` with `%t` four bytes behind, and what was found."""
    lines = (line.strip() for line in body.splitlines())
    body = "\n".join(line if line.endswith(":") else f"  {line}" for line in lines)
    module = parse_module(f"""
define void @f(ptr %p, ptr %q, float %a, float %b, i32 %k, i1 %c) {{
  %s = alloca ptr, align 8
  %t = getelementptr i8, ptr %s, i64 4
{body}
}}
declare void @g(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
""")
    function = module.function("f")
    findings = without_number_slots(module, function)
    assert not check_function(module, function)
    return function, [finding.message for finding in findings]


def moved(function: Function) -> list[str]:
    """The types of what is stored through `%q`."""
    stores = [i for i in function.instructions() if isinstance(i, ir.Store)]
    return [i.value.type.text for i in stores if i.pointer.name == "q"]


FLOATS = """
  store float %a, ptr %s
  store float %b, ptr %t
"""
WAYS = f"""
  br i1 %c, label %one, label %two
one:
  store double 1.0, ptr %s
  br label %end
two:
  {FLOATS}
  br label %end
end:
"""
MOVE = """
  %w = load ptr, ptr %s
  store ptr %w, ptr %q
  ret void
"""


@pytest.mark.parametrize(
    "before",
    [
        FLOATS,
        "store float %a, ptr %s\nstore i32 %k, ptr %t",
        "store <2 x float> zeroinitializer, ptr %s",
        f"store ptr %p, ptr %s{FLOATS}",
        WAYS,
        "store float %a, ptr %s",  # what is not written is anything
    ],
)
def test_numbers_are_moved_as_an_integer(before):
    function, findings = rewritten(before + MOVE)
    assert moved(function) == ["i64"]
    assert findings == []


@pytest.mark.parametrize(
    "before",
    [
        "store ptr %p, ptr %s",
        f"{FLOATS}store ptr %p, ptr %s",
        f"{FLOATS}br i1 %c, label %one, label %end\none:\nstore ptr %p, ptr %s\nbr label %end\nend:",
        "store float %a, ptr %s\nstore ptr %p, ptr %s",
        "store i32 %k, ptr %s\nstore i32 %k, ptr %t",  # halves of a pointer, for all that is known
        f"call void @g(ptr %s){FLOATS}call void @g(ptr %s)",
    ],
)
def test_what_may_be_a_pointer_stays_one(before):
    function, findings = rewritten(before + MOVE)
    assert moved(function) == ["ptr"]
    assert findings == []


def test_a_pointer_that_is_followed_is_read_where_its_parts_were():
    function, findings = rewritten("""
  %second = getelementptr i8, ptr %p, i64 12
  %first = getelementptr i8, ptr %p, i64 8
  %x = load float, ptr %first
  %y = load float, ptr %second
  store float 0.0, ptr %first
  store float %x, ptr %s
  store float %y, ptr %t
  %w = load ptr, ptr %s
  store float %a, ptr %w
  ret void
""")
    store = [i for i in function.instructions() if isinstance(i, ir.Store)][-1]
    assert isinstance(store.pointer, ir.Load)
    assert store.pointer.pointer.name == "first"
    order = list(function.entry.instructions)
    overwritten = next(i for i in order if isinstance(i, ir.Store))
    assert order.index(store.pointer) < order.index(overwritten)
    assert findings == []


@pytest.mark.parametrize(
    "parts",
    [
        "%x = load float, ptr %p\n%y = load float, ptr %q",  # from two places
        "%o = getelementptr i8, ptr %p, i64 4\n%x = load float, ptr %p\nstore i32 %k, ptr %q\n%y = load float, ptr %o",
        "%x = fadd float %a, %b\n%y = fadd float %a, %b",
    ],
)
def test_a_pointer_made_of_numbers_is_told(parts):
    _, findings = rewritten(f"""
  {parts}
  store float %x, ptr %s
  store float %y, ptr %t
  %w = load ptr, ptr %s
  store float %a, ptr %w
  ret void
""")
    assert findings == ["a pointer is made of the bits of floating-point numbers, of which nothing tells the shadow"]


PADDING = """
  store i8 %tag, ptr %t
  %pad = getelementptr i8, ptr %s, i64 5
  call void @llvm.memcpy.p0.p0.i64(ptr %pad, ptr %q, i64 3, i1 false)
"""


def test_padding_that_is_copied_by_itself_may_be_part_of_a_pointer():
    read = "%tag = load i8, ptr %p\n%x = load float, ptr %p\nstore float %x, ptr %s\n"
    assert len(rewritten(read + PADDING + MOVE)[1]) == 1
    computed = "%tag = load i8, ptr %p\nstore float %a, ptr %s\n"
    function, findings = rewritten(computed + PADDING + MOVE)
    assert (moved(function), findings) == (["i64"], [])


def test_parts_that_are_read_anew_before_the_pointer_are_not_those_that_it_has():
    _, findings = rewritten("""
  br label %loop
loop:
  %o = getelementptr i8, ptr %p, i64 4
  %x = load float, ptr %p
  %y = load float, ptr %o
  br i1 %c, label %keep, label %next
keep:
  store float %x, ptr %s
  store float %y, ptr %t
  br label %next
next:
  br i1 %c, label %loop, label %end
end:
  %w = load ptr, ptr %s
  store float %a, ptr %w
  ret void
""")
    assert len(findings) == 1
