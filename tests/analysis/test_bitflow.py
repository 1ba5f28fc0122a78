"""Which integers move parts of numbers, across functions and through memory."""

from __future__ import annotations

from enzyme_build.analysis.bitflow import Sure, bit_flow

from .models import Model

GETTER = """
define internal i8 @get(ptr %p, i64 %i) {
  %at = getelementptr i8, ptr %p, i64 %i
  %byte = load i8, ptr %at
  ret i8 %byte
}
"""


def sure(model: Model, name: str) -> Sure:
    return bit_flow(model.memory).sure(model[name])


def test_a_byte_that_a_function_returns_goes_to_a_number() -> None:
    m = Model(
        GETTER
        + """
define double @f(ptr %x) {
  %y = alloca double
  %first = load double, ptr %x
  store double %first, ptr %y
  %b = call i8 @get(ptr %x, i64 3)
  %at = getelementptr i8, ptr %y, i64 3
  store i8 %b, ptr %at
  %r = load double, ptr %y
  ret double %r
}
"""
    )
    assert sure(m, "b") is Sure.YES


def test_a_hash_of_bytes_goes_nowhere() -> None:
    m = Model(
        GETTER
        + """
define double @f(ptr %x) {
  %first = load double, ptr %x
  %b = call i8 @get(ptr %x, i64 3)
  %h = zext i8 %b to i64
  %even = icmp eq i64 %h, 2
  %r = select i1 %even, double %first, double 1.0
  ret double %r
}
"""
    )
    assert sure(m, "b") is Sure.NO


def test_bytes_of_which_nothing_tells_may_be_a_number() -> None:
    m = Model(
        """
define void @f(ptr %to, ptr %from) {
  %b = load i8, ptr %from
  store i8 %b, ptr %to
  ret void
}
"""
    )
    assert sure(m, "b") is Sure.MAYBE


def test_halves_meet_again_in_a_cast() -> None:
    m = Model(
        """
define internal i32 @low(double %d) {
  %bits = bitcast double %d to i64
  %half = trunc i64 %bits to i32
  ret i32 %half
}
define double @f(double %x) {
  %h = call i32 @low(double %x)
  %w = zext i32 %h to i64
  %r = bitcast i64 %w to double
  ret double %r
}
"""
    )
    assert sure(m, "h") is Sure.YES


def test_a_buffer_of_bytes_keeps_what_is_stored_in_it() -> None:
    m = Model(
        """
define double @f(ptr %x) {
  %buffer = alloca i8
  %y = alloca double
  %first = load double, ptr %x
  store double %first, ptr %y
  %b = load i8, ptr %x
  store i8 %b, ptr %buffer
  %c = load i8, ptr %buffer
  store i8 %c, ptr %y
  %r = load double, ptr %y
  ret double %r
}
"""
    )
    assert sure(m, "b") is Sure.YES
    assert sure(m, "c") is Sure.YES


def test_words_of_arrays_of_numbers_are_parts_although_they_are_computed_with() -> None:
    m = Model(
        """
define double @f(ptr %x, i64 %i) {
  %first = load double, ptr %x
  %at = getelementptr i64, ptr %x, i64 %i
  %word = load i64, ptr %at
  %more = add i64 %word, 4503599627370496
  store i64 %more, ptr %at
  ret double %first
}
"""
    )
    assert sure(m, "word") is Sure.YES
    assert sure(m, "more") is Sure.YES


def test_counters_beside_numbers_are_no_parts() -> None:
    m = Model(
        """
define double @f(ptr %x, i64 %i) {
  %value = getelementptr {double, i64}, ptr %x, i64 %i, i32 0
  %first = load double, ptr %value
  %at = getelementptr {double, i64}, ptr %x, i64 %i, i32 1
  %word = load i64, ptr %at
  %more = add i64 %word, 1
  store i64 %more, ptr %at
  ret double %first
}
"""
    )
    assert sure(m, "word") is Sure.NO
    assert sure(m, "more") is Sure.NO


def test_what_was_multiplied_is_told_apart() -> None:
    m = Model(
        """
define void @f(ptr %to, ptr %from) {
  %b = load i8, ptr %from
  %h = mul i8 %b, 37
  store i8 %h, ptr %to
  ret void
}
"""
    )
    flow = bit_flow(m.memory)
    assert m["h"] in flow.scaled
    assert m["b"] not in flow.scaled
    assert not flow.joined
