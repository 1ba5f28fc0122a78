"""Which bytes of integers are numbers."""

from __future__ import annotations

from enzyme_build.analysis.bits import known_zero
from enzyme_build.analysis.packing import packing

from .models import Model

PACKED = """
define internal float @user(i64 %v) {
  %low = trunc i64 %v to i32
  %number = bitcast i32 %low to float
  %high = lshr i64 %v, 32
  %count = trunc i64 %high to i32
  %factor = sitofp i32 %count to float
  %r = fmul float %number, %factor
  ret float %r
}
define float @f(float %x) {
  %bits = bitcast float %x to i32
  %wide = zext i32 %bits to i64
  %v = or disjoint i64 %wide, 8589934592
  %r = call float @user(i64 %v)
  ret float %r
}"""


def parts(model, name):
    return {at: type_.text for at, type_ in packing(model.memory).parts(model[name]).items()}


def test_put_together_and_taken_apart():
    m = Model(PACKED, "f")
    assert parts(m, "bits") == parts(m, "wide") == parts(m, "v") == {0: "float"}


def test_what_is_left_without_the_numbers_counts():
    m = Model(PACKED, "user")
    found = packing(m.memory)
    assert parts(m, "v") == {0: "float"}
    assert parts(m, "high") == parts(m, "count") == {}
    assert {m["high"], m["count"]} <= found.emptied


def test_lanes_follow_the_bytes():
    m = Model(PACKED, "f")
    assert packing(m.memory).lanes(m["v"]).text == "<2 x float>"
    assert packing(m.memory).lanes(m["bits"]).text == "float"


SHIFTED = """
define float @f(float %x, i64 %other) {
  %bits = bitcast float %x to i32
  %wide = zext i32 %bits to i64
  %up = shl i64 %wide, 32
  %odd = shl i64 %wide, 4
  %low = and i64 %other, 65535
  %both = or i64 %up, %low
  %unknown = or i64 %up, %other
  %sum = add i64 %both, 1
  %tag = and i64 %sum, 65535
  %back = lshr i64 %both, 32
  %again = trunc i64 %back to i32
  %r = bitcast i32 %again to float
  ret float %r
}"""


def test_shifts_by_bytes_move_and_others_tear():
    m = Model(SHIFTED, "f")
    found = packing(m.memory)
    assert parts(m, "up") == parts(m, "both") == {4: "float"}
    assert found.tears(m["odd"], [m["wide"]])
    assert not found.tears(m["both"], [m["up"]])


def test_or_with_unknown_bits_tears():
    m = Model(SHIFTED, "f")
    assert packing(m.memory).tears(m["unknown"], [m["up"]])


def test_arithmetic_below_a_number_does_not_reach_it_where_nobody_looks():
    m = Model(SHIFTED, "f")
    found = packing(m.memory)
    assert not found.tears(m["sum"], [m["both"]])
    assert m["tag"] in found.emptied


def test_known_zero_bits():
    m = Model(SHIFTED, "f")
    assert known_zero(m["wide"]) == 0xFFFFFFFF00000000
    assert known_zero(m["up"]) == 0x00000000FFFFFFFF
    assert known_zero(m["low"]) == 0xFFFFFFFFFFFF0000


POINTERS = """
define double @f(ptr %objects, i64 %i, float %x, ptr %y, i1 %c) {
entry:
  %a = alloca [16 x i8], align 8
  br i1 %c, label %numbers, label %pointer
numbers:
  store float %x, ptr %a, align 8
  %second = getelementptr i8, ptr %a, i64 4
  store float %x, ptr %second, align 4
  br label %moved
pointer:
  store ptr %y, ptr %a, align 8
  br label %moved
moved:
  %word = load i64, ptr %a, align 8
  %to = getelementptr i8, ptr %a, i64 8
  store i64 %word, ptr %to, align 8
  ret double 0.0
}"""


def test_short_numbers_of_a_word_that_is_a_pointer_elsewhere():
    m = Model(POINTERS, "f")
    assert parts(m, "word") == {0: "float", 4: "float"}
    assert not packing(m.memory).is_doubtful(m["word"])


def test_numbers_of_two_precisions_in_a_word_are_doubtful():
    m = Model(POINTERS.replace("store ptr %y, ptr %a", "store double 1.0, ptr %a"), "f")
    assert packing(m.memory).is_doubtful(m["word"])
