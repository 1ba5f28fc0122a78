"""Which integers move parts of numbers, across functions and through memory."""

from __future__ import annotations

from enzyme_build.analysis.bitflow import bit_flow
from enzyme_build.analysis.number_places import Sure

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


def test_counters_beside_numbers_may_be_parts_as_far_as_anything_tells() -> None:
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
    assert sure(m, "word") is Sure.MAYBE
    assert sure(m, "more") is Sure.MAYBE


def test_counters_that_the_language_calls_integers_are_no_parts() -> None:
    m = Model(
        """
define double @f(ptr %x) {
  %first = load double, ptr %x
  %at = getelementptr i8, ptr %x, i64 8
  %word = load i64, ptr %at, !tbaa !0
  %more = add i64 %word, 1
  store i64 %more, ptr %at, !tbaa !0
  ret double %first
}
!0 = !{!1, !1, i64 0}
!1 = !{!"long"}
"""
    )
    assert sure(m, "word") is Sure.NO
    assert sure(m, "more") is Sure.NO


def test_integers_to_which_the_bytes_of_a_number_were_copied_may_be_parts() -> None:
    m = Model(
        """
define double @f(double %d) {
  %x = alloca i64
  store double %d, ptr %x
  %word = load i64, ptr %x, !tbaa !0
  %more = add i64 %word, 4503599627370496
  store i64 %more, ptr %x, !tbaa !0
  %r = load double, ptr %x
  ret double %r
}
!0 = !{!1, !1, i64 0}
!1 = !{!"long"}
"""
    )
    assert sure(m, "word") is Sure.MAYBE
    assert sure(m, "more") is Sure.MAYBE


def test_a_word_of_memory_that_nothing_tells_of_becomes_a_number() -> None:
    m = Model(
        """
define double @f(ptr %x) {
  %first = load double, ptr %x
  %at = getelementptr i8, ptr %x, i64 16
  %word = load i64, ptr %at
  %more = add i64 %word, 4503599627370496
  %second = bitcast i64 %more to double
  %r = fmul double %first, %second
  ret double %r
}
"""
    )
    assert sure(m, "word") is Sure.MAYBE


def test_bits_that_are_read_as_a_pointer_may_be_a_number() -> None:
    m = Model(
        """
define double @f(double %d, ptr %p, i1 %c) {
  %x = alloca i64
  br i1 %c, label %number, label %pointer
number:
  store double %d, ptr %x
  br label %both
pointer:
  store ptr %p, ptr %x
  br label %both
both:
  %at = load ptr, ptr %x
  %word = ptrtoint ptr %at to i64
  %more = add i64 %word, 4503599627370496
  %r = bitcast i64 %more to double
  ret double %r
}
"""
    )
    assert sure(m, "word") is not Sure.NO


def test_the_distance_of_two_pointers_is_no_number() -> None:
    m = Model(
        """
define double @f(double %d, ptr %p, ptr %q, i1 %c, ptr %counts) {
  %x = alloca { i64, i64 }
  %y = getelementptr i8, ptr %x, i64 8
  br i1 %c, label %number, label %pointer
number:
  store double %d, ptr %x
  store double %d, ptr %y
  br label %both
pointer:
  store ptr %p, ptr %x
  store ptr %q, ptr %y
  br label %both
both:
  %begin = load ptr, ptr %x
  %end = load ptr, ptr %y
  %first = ptrtoint ptr %begin to i64
  %last = ptrtoint ptr %end to i64
  %bytes = sub i64 %last, %first
  %sum = add i64 %last, %first
  store i64 %bytes, ptr %x
  store i64 %sum, ptr %y
  %r = load double, ptr %x
  ret double %r
}
"""
    )
    assert sure(m, "bytes") is Sure.NO
    assert sure(m, "sum") is not Sure.NO


COUNTED = """
define double @f(ptr %x) {{
entry:
  %y = alloca {{ double, [8 x i8] }}
  %first = load double, ptr %x
  store double %first, ptr %y
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr i8, ptr %x, i64 %k
  %byte = load i8, ptr %from
  %h = mul i8 %byte, 37
  %beside = getelementptr i8, ptr %y, i64 {start}
  %to = getelementptr i8, ptr %beside, i64 %k
  store i8 %h, ptr %to
  %next = add i64 %k, 1
  %end = icmp eq i64 %next, 3
  br i1 %end, label %out, label %loop
out:
  %r = load double, ptr %y
  ret double %r
}}
"""


def test_bytes_at_a_small_index_beside_a_number_are_not_stored_onto_it() -> None:
    assert not bit_flow(Model(COUNTED.format(start=8)).memory).onto
    assert bit_flow(Model(COUNTED.format(start=6)).memory).onto


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


ERROR_NUMBER = """
declare ptr @{where}()
define void @f() {{
  %p = call ptr @{where}()
  %saved = load i32, ptr %p
  %next = add i32 %saved, 1
  store i32 %next, ptr %p
  ret void
}}
"""


def test_memory_of_the_library_has_no_bits_of_numbers() -> None:
    assert bit_flow(Model(ERROR_NUMBER.format(where="somewhere")).memory).stores
    assert not bit_flow(Model(ERROR_NUMBER.format(where="__errno_location")).memory).stores


def test_two_floats_of_an_array_may_be_where_others_count() -> None:
    """A word is moved between two objects, of one of which the type says that it is an integer."""
    m = Model(
        """
define float @f(ptr %counts, i64 %i, float %d) {
  %x = alloca [4 x float]
  %y = alloca [16 x i8]
  %at = getelementptr float, ptr %x, i64 %i
  store float %d, ptr %at
  %word = load i64, ptr %x
  store i64 %word, ptr %y
  %n = load i64, ptr %y, !tbaa !0
  store i64 %n, ptr %counts, !tbaa !0
  %back = load i64, ptr %y
  store i64 %back, ptr %x
  %r = load float, ptr %at
  ret float %r
}
!0 = !{!1, !1, i64 0}
!1 = !{!"long", !2, i64 0}
!2 = !{!"omnipotent char"}
"""
    )
    assert sure(m, "word") is Sure.MAYBE
    assert sure(m, "back") is Sure.MAYBE
