"""Calls through pointers become choices among direct calls."""

from __future__ import annotations

from enzyme_build.analysis.targets import Targets
from enzyme_build.differentiate.known_targets import call_known_targets
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_module
from enzyme_build.llvm.context import parse_text

TEXT = """
@table = internal constant [2 x ptr] [ptr @a, ptr @b]
define double @a(double %x) {
  ret double %x
}
define double @b(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
define double @f(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr inbounds ptr, ptr @table, i64 %i
  %g = load ptr, ptr %p
  %r = call double %g(double %x)
  %more = fadd double %sum, %r
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %done
done:
  ret double %more
}
define void @nothing(ptr %g) {
  call void %g(i1 true, i8 1)
  ret void
}
"""


def test_each_target_is_called_by_name_and_the_module_stays_valid():
    module = parse_module(TEXT)
    function = module.replace_function("f")
    call_known_targets(module, function, Targets(module))
    calls = [i.callee for i in function.instructions() if isinstance(i, ir.Call)]
    assert [f.name for f in calls if isinstance(f, Function)] == ["a", "b", "enzyme_build.unknown_target"]
    assert len(calls) == 3
    text = print_module(module)
    parse_text(text, "the model").close()
    assert "a call through a pointer reached a function without a derivative" in text


def test_calls_without_known_targets_stay():
    module = parse_module(TEXT)
    function = module.function("nothing")
    before = list(function.instructions())
    call_known_targets(module, function, Targets(module))
    assert list(function.instructions()) == before
