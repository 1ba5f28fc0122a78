"""Structs of pointers and numbers that functions return."""

from __future__ import annotations

from enzyme_build.llvm import context
from enzyme_build.llvm.mixed_results import with_results_in_memory

RETURNED = """\
define internal fastcc { ptr, double } @next(ptr %p, double %d) unnamed_addr #0 {
  %1 = load double, ptr %p, align 8
  %2 = fmul double %1, %d
  %3 = getelementptr i8, ptr %p, i64 8
  %4 = insertvalue { ptr, double } poison, ptr %3, 0
  %5 = insertvalue { ptr, double } %4, double %2, 1
  ret { ptr, double } %5
}

define double @f(ptr %x) {
entry:
  %r = tail call fastcc { ptr, double } @next(ptr nonnull %x, double 2.0) #1
  %d = extractvalue { ptr, double } %r, 1
  ret double %d
}

attributes #0 = { noinline nounwind memory(argmem: read) "text"="#0" }
attributes #1 = { nounwind }
"""

SLICES = """\
define internal { ptr, i64 } @f(ptr %p) {
  %1 = insertvalue { ptr, i64 } { ptr undef, i64 4 }, ptr %p, 0
  ret { ptr, i64 } %1
}
"""

PACKED = """\
define internal { i64, ptr } @f(ptr %p, float %x) {
  %1 = bitcast float %x to i32
  %2 = zext i32 %1 to i64
  %3 = insertvalue { i64, ptr } poison, i64 %2, 0
  %4 = insertvalue { i64, ptr } %3, ptr %p, 1
  ret { i64, ptr } %4
}
"""


def changed(text: str) -> str:
    found = with_results_in_memory(text)
    context.parse_text(found, "the test's module").close()
    return found


def test_the_result_goes_through_memory_of_the_caller() -> None:
    found = changed(RETURNED)
    assert "define internal fastcc void @next(ptr noalias %result.in.memory, ptr %p, double %d)" in found
    assert "store { ptr, double } %5, ptr %result.in.memory\n  ret void" in found
    assert "entry:\n  %returned.in.memory.0 = alloca { ptr, double }\n" in found
    assert "  call fastcc void @next(ptr %returned.in.memory.0, ptr nonnull %x, double 2.0) #1\n  %r = load" in found


def test_the_function_writes_to_memory_now() -> None:
    head = changed(RETURNED).splitlines()[0]
    assert "memory(" not in head
    assert 'noinline nounwind "text"="#0"' in head


def test_other_functions_stay() -> None:
    referred = RETURNED + "@table = global ptr @next\n"
    assert changed(referred) == referred
    visible = RETURNED.replace("define internal", "define")
    assert changed(visible) == visible
    assert changed(SLICES) == SLICES


def test_numbers_packed_into_an_integer_count() -> None:
    assert "define internal void @f(ptr noalias %result.in.memory, ptr %p, float %x)" in changed(PACKED)


def test_names_of_an_earlier_round_are_left_alone() -> None:
    """Derivatives of derivatives come through twice: what was made for them must not be taken for new memory."""
    taken = "  %d = extractvalue { ptr, double } %r, 1\n"
    earlier = "  %returned.in.memory.0 = alloca double\n  store double %d, ptr %returned.in.memory.0\n"
    text = RETURNED.replace(taken, taken + earlier).replace("%p", "%result.in.memory")
    found = changed(text).replace("ptr nonnull %x", "ptr %x")
    assert "%returned.in.memory.1 = alloca { ptr, double }" in found
    assert "@next(ptr %returned.in.memory.1, ptr %x, double 2.0)" in found
    assert "@next(ptr noalias %result.in.memory.1, ptr %result.in.memory, double %d)" in found
