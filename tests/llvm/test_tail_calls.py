"""Calls that must be tail calls."""

from __future__ import annotations

from enzyme_build.llvm.tail_calls import that_may_return

TEXT = """define double @f(ptr %s, i32 %i) {
  %a = load ptr, ptr %s
  %call = musttail call noundef double %a(ptr noundef nonnull %s, i32 %i), !dbg !8
  ret double %call
}

define void @g(ptr %s, ...) {
  musttail call void (ptr, ...) @h(ptr %s, ...)
  ret void
}

@text = constant [13 x i8] c"  musttail call"
"""


def test_calls_that_must_return_are_calls_that_may():
    changed = that_may_return(TEXT)
    assert "%call = tail call noundef double %a(ptr noundef nonnull %s, i32 %i), !dbg !8\n" in changed
    assert changed.replace("%call = tail", "%call = musttail") == TEXT
