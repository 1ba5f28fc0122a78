"""What calls do that nobody looks into."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.known import call_effects
from enzyme_build.ir.instructions import CallBase
from enzyme_build.ir.types import DOUBLE

from .models import Model


def effects(declaration: str, call: str, attributes: str = ""):
    header = "define void @f(ptr %p, ptr %q, i64 %n, double %x)"
    m = Model(f"{declaration}\n{header} {{\n  {call}\n  ret void\n}}\n{attributes}")
    return call_effects(m.module, next(i for i in m.function.instructions() if isinstance(i, CallBase)))


def test_mathematics():
    found = effects("declare double @pow(double, double)", "%r = call double @pow(double %x, double %x)")
    assert not found.inactive
    assert not found.reads
    assert not found.writes


def test_a_function_of_that_name_and_other_type_is_not_it():
    assert effects("declare i64 @pow(i64, i64)", "%r = call i64 @pow(i64 %n, i64 %n)") is None


def test_results_through_pointers():
    found = effects("declare void @sincos(double, ptr, ptr)", "call void @sincos(double %x, ptr %p, ptr %q)")
    assert found.writes == (1, 2)
    assert found.fields == ((1, 0, Kind.FLOAT, DOUBLE), (2, 0, Kind.FLOAT, DOUBLE))
    found = effects("declare double @frexp(double, ptr)", "%r = call double @frexp(double %x, ptr %p)")
    assert found.fields == ((1, 0, Kind.INTEGER, None),)


def test_memory_functions():
    found = effects("declare ptr @memcpy(ptr, ptr, i64)", "%r = call ptr @memcpy(ptr %p, ptr %q, i64 %n)")
    assert (found.writes, found.reads, found.copies, found.returns_argument) == ((0,), (1,), (0, 1, 2), 0)
    found = effects("declare ptr @memset(ptr, i32, i64)", "%r = call ptr @memset(ptr %p, i32 0, i64 %n)")
    assert (found.writes, found.copies) == ((0,), None)


def test_allocation():
    assert effects("declare ptr @malloc(i64)", "%r = call ptr @malloc(i64 %n)").allocates
    assert effects("declare void @free(ptr)", "call void @free(ptr %p)").frees == (0,)
    found = effects("declare ptr @realloc(ptr, i64)", "%r = call ptr @realloc(ptr %p, i64 %n)")
    assert found.resizes == 0
    assert not found.allocates
    call = "%r = call i32 @posix_memalign(ptr %p, i64 %n, i64 %n)"
    found = effects("declare i32 @posix_memalign(ptr, i64, i64)", call)
    assert found.writes == (0,)


def test_allocators_by_their_attributes():
    found = effects(
        "declare ptr @grab(i64) #0", "%r = call ptr @grab(i64 %n)",
        'attributes #0 = { allockind("alloc,uninitialized") allocsize(0) "alloc-family"="grab" }',
    )  # fmt: skip
    assert found.allocates


def test_output_is_inactive():
    found = effects("declare i32 @puts(ptr)", "%r = call i32 @puts(ptr %p)")
    assert found.inactive
    assert found.integer_result


def test_the_end_is_inactive():
    assert effects("declare void @die() noreturn", "call void @die()").no_return
    assert effects("declare void @abort()", "call void @abort()").inactive


@pytest.mark.parametrize(
    ("declaration", "call"),
    [
        ("declare double @mystery(double)", "%r = call double @mystery(double %x)"),
        ("declare void @mystery(ptr)", "call void @mystery(ptr %p)"),
        ("declare ptr @mystery(i64) memory(none)", "%r = call ptr @mystery(i64 %n)"),
        ("declare i64 @mystery(ptr)", "%r = call i64 @mystery(ptr %p)"),
        ("define double @sin(double %y) {\n  ret double %y\n}", "%r = call double @sin(double %x)"),
    ],
)
def test_nothing_is_assumed(declaration, call):
    assert effects(declaration, call) is None


def test_integers_from_what_is_only_read_carry_no_derivative():
    assert effects("declare i64 @count(ptr) memory(read)", "%r = call i64 @count(ptr %p)").inactive
    assert effects("declare i64 @count(ptr) memory(argmem: read)", "%r = call i64 @count(ptr %p)").inactive
    assert effects("declare i64 @count(ptr) memory(argmem: readwrite)", "%r = call i64 @count(ptr %p)") is None


def test_calls_through_pointers_are_unknown():
    assert effects("", "%r = call double %p(double %x)") is None
