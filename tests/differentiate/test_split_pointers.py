"""Pointers that are kept in two registers are merged as one word."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.split_pointers import NO_ADDRESS, join_split_pointers
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module

LOOP = """
declare align {align} ptr @made()

define void @f(ptr %q, i64 %n, i1 %which) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %store ]
  %before = phi {high} [ undef, %entry ], [ %h, %store ]
  br i1 %which, label %pointer, label %count
pointer:
  %p = call align {align} ptr @made()
  %word = ptrtoint ptr %p to i64
  %above = lshr i64 %word, {bits}
  %high = trunc nuw i64 %above to {high}
  {low}
  br label %store
count:
  br label %store
store:
  %l = phi {type} [ %low, %pointer ], [ 2, %count ]
  %h = phi {high} [ %high, %pointer ], [ %before, %count ]
  %wide = zext {high} %h to i64
  %upper = shl nuw i64 %wide, {bits}
  {lower}
  %both = or disjoint i64 %upper, {name}
  store i64 %both, ptr %q
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}}
"""


def stored(bits: int, low: str, align: int = 8, *, masked: bool) -> ir.Phi | ir.Binary:
    text = LOOP.format(
        align=align,
        bits=bits,
        high=f"i{64 - bits}",
        low=low,
        type="i64" if masked else f"i{bits}",
        lower="" if masked else f"%lower = zext i{bits} %l to i64",
        name="%l" if masked else "%lower",
    )
    module = parse_module(text)
    function = module.function("f")
    join_split_pointers(function)
    assert not check_function(module, function)
    (store,) = (i for i in function.instructions() if isinstance(i, ir.Store))
    assert isinstance(store.value, ir.Phi | ir.Binary)
    return store.value


@pytest.mark.parametrize(
    ("bits", "low", "masked"),
    [
        (32, "%low = trunc i64 %word to i32", False),
        (8, "%low = trunc i64 %word to i8", False),
        (32, "%low = and i64 %word, 4294967288", True),
        (8, "%low = and i64 %word, 248", True),
    ],
)
def test_the_pointer_is_one_of_the_words(bits: int, low: str, *, masked: bool) -> None:
    whole = stored(bits, low, masked=masked)
    assert isinstance(whole, ir.Phi)
    pointer, other = whole.operands
    assert isinstance(pointer, ir.Cast)
    assert pointer.op == "ptrtoint"
    assert isinstance(other, ir.Binary)
    assert other.op == "or"
    assert NO_ADDRESS in other.metadata  # made of the other variant's integer


@pytest.mark.parametrize(
    ("low", "align"), [("%low = and i64 %word, 4294967288", 4), ("%low = and i64 %word, 4294967295000", 8)]
)
def test_bits_that_a_pointer_may_have_are_not_lost(low: str, align: int) -> None:
    assert isinstance(stored(32, low, align, masked=True), ir.Binary)


APART = """
declare ptr @made()

define void @f(ptr %q, i32 %n, i1 %c, i1 %d) {{
entry:
  br i1 %c, label %pointer, label %join
pointer:
  %p = call ptr @made()
  %word = ptrtoint ptr %p to i64
  %low = trunc i64 %word to i32
  %high = {high} i64 %word, {operand}
  br label %join
join:
  %l = phi i32 [ %low, %pointer ], [ %n, %entry ]
  %h = phi i64 [ %high, %pointer ], [ 0, %entry ]
  br i1 %d, label %other, label %end
other:
  %m = load i32, ptr %q
  br label %end
end:
  %l2 = phi i32 [ %l, %join ], [ %m, %other ]
  %wide = zext i32 %l2 to i64
  %upper = {upper}
  %both = or disjoint i64 %wide, %upper
  store i64 %both, ptr %q
  ret void
}}
"""


@pytest.mark.parametrize(
    ("high", "operand", "upper"),
    [("lshr", 32, "shl i64 %h, 32"), ("and", -(1 << 32), "phi i64 [ %h, %join ], [ %h, %other ]")],
)
def test_the_parts_are_merged_in_different_places(high: str, operand: int, upper: str) -> None:
    text = APART.format(high=high, operand=operand, upper=upper)
    if high == "and":  # phis come first
        text = text.replace("  %wide = zext i32 %l2 to i64\n", "").replace(
            "  %both", "  %wide = zext i32 %l2 to i64\n  %both"
        )
    module = parse_module(text)
    function = module.function("f")
    join_split_pointers(function)
    assert not check_function(module, function)
    (store,) = (i for i in function.instructions() if isinstance(i, ir.Store))
    outer = store.value
    assert isinstance(outer, ir.Phi)
    inner, replaced = outer.operands
    assert isinstance(replaced, ir.Binary)
    assert isinstance(inner, ir.Phi)
    assert [o.op for o in inner.operands if isinstance(o, ir.Cast)] == ["ptrtoint"]
