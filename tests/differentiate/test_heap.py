"""When freed memory is given back."""

from __future__ import annotations

from enzyme_build.differentiate.heap import Release

from .plans import Decisions

HEADER = "declare ptr @malloc(i64)\ndeclare void @free(ptr)\ndeclare ptr @realloc(ptr, i64)\n"


def releases(body: str, activities: str = "out const", arguments: str = "double %x, i1 %c") -> list[str]:
    """What is decided for each deallocation, in the order of the text."""
    d = Decisions(f"{HEADER}define double @f({arguments}) {{\n{body}\n}}", activities)
    heap = d.prepared.heap
    return [heap.releases[i].value for i in d.function.instructions() if i in heap.releases]


def test_allocated_and_freed_in_one_block():
    assert releases("""
  %p = call ptr @malloc(i64 8)
  store double %x, ptr %p
  %v = load double, ptr %p
  call void @free(ptr %p)
  ret double %v""") == ["matched"]  # fmt: skip


def test_once_in_every_iteration():
    assert releases("""
entry:
  br label %loop
loop:
  %s = phi double [ %x, %entry ], [ %v, %loop ]
  %p = call ptr @malloc(i64 8)
  store double %s, ptr %p
  %v = load double, ptr %p
  call void @free(ptr %p)
  %more = fcmp olt double %v, 9.0
  br i1 %more, label %loop, label %exit
exit:
  ret double %v""") == ["matched"]  # fmt: skip


def test_freed_in_one_branch_only():
    assert releases("""
entry:
  %p = call ptr @malloc(i64 8)
  store double %x, ptr %p
  %v = load double, ptr %p
  br i1 %c, label %a, label %b
a:
  call void @free(ptr %p)
  br label %b
b:
  ret double %v""") == ["deferred"]  # fmt: skip


def test_allocated_in_a_loop_and_freed_after_it():
    assert releases("""
entry:
  br label %loop
loop:
  %p = call ptr @malloc(i64 8)
  store double %x, ptr %p
  br i1 %c, label %loop, label %exit
exit:
  %q = phi ptr [ %p, %loop ]
  %v = load double, ptr %q
  call void @free(ptr %q)
  ret double %v""") == ["deferred"]  # fmt: skip


def test_memory_of_the_caller():
    body = "  %v = load double, ptr %p\n  call void @free(ptr %p)\n  ret double %v"
    assert releases(body, "dup", "ptr %p") == ["deferred"]


def test_one_of_two_allocations():
    assert releases("""
  %p = call ptr @malloc(i64 8)
  %q = call ptr @malloc(i64 8)
  %r = select i1 %c, ptr %p, ptr %q
  store double %x, ptr %r
  %v = load double, ptr %r
  call void @free(ptr %r)
  ret double %v""") == ["deferred"]  # fmt: skip


def test_null():
    assert releases("  call void @free(ptr null)\n  ret double %x") == ["immediate"]


def test_all_kinds_are_used_above():
    assert {kind.value for kind in Release} == {"immediate", "matched", "deferred"}
