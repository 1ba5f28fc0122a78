"""Trampolines of internal procedures, and the calls that may reach them."""

from __future__ import annotations

from enzyme_build.fortran.closures import with_visible_closures
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_module
from enzyme_build.llvm.context import parse_text
from enzyme_build.llvm.link import merge

PROGRAM = """
target triple = "x86_64-unknown-linux-gnu"
declare void @llvm.init.trampoline(ptr, ptr, ptr)
declare ptr @llvm.adjust.trampoline(ptr)
define internal double @inside(ptr %x, ptr nest %host) {
  %k = load double, ptr %host
  %v = load double, ptr %x
  %r = fmul double %k, %v
  ret double %r
}
define double @plain(ptr %x) {
  %v = load double, ptr %x
  ret double %v
}
define double @apply(ptr %f, ptr %x) {
  %r = call double %f(ptr %x)
  ret double %r
}
define i32 @other(ptr %f, ptr %x) {
  %r = call i32 %f(ptr %x)
  ret i32 %r
}
define double @host(ptr %x, i1 %choice) {
  %k = alloca double
  %room = alloca [32 x i8], align 1
  store double 3.0, ptr %k
  call void @llvm.init.trampoline(ptr %room, ptr @inside, ptr %k)
  %f = call ptr @llvm.adjust.trampoline(ptr %room)
  %g = select i1 %choice, ptr %f, ptr @plain
  %r = call double @apply(ptr %g, ptr %x)
  ret double %r
}
"""


def test_calls_find_procedure_and_host_behind_the_pointer() -> None:
    module = parse_module(PROGRAM)
    functions = with_visible_closures(module)
    changed = print_module(module)
    assert "call double %f(" not in changed
    assert "call i32 %f(" in changed  # no internal procedure is of that type
    assert "ptr %f, ptr @plain" not in changed  # what LLVM makes of the trampoline: the address with the mark behind it

    # What is left is code that LLVM accepts.
    merged = merge([("program", changed.encode()), ("functions", functions.encode())])
    parse_text(merged, "the program").close()


def test_programs_without_trampolines_stay_as_they_are() -> None:
    text = PROGRAM[: PROGRAM.index("define double @host")].replace("declare void @llvm.init", "declare void @llvm.some")
    module = parse_module(text)
    assert with_visible_closures(module) == ""
    assert not module.changed


def test_rooms_of_another_size_are_left_alone() -> None:
    module = parse_module(PROGRAM.replace("[32 x i8]", "[72 x i8]"))
    with_visible_closures(module)
    changed = print_module(module)
    assert "call double %f(" in changed
    assert "alloca [64 x i8]" not in changed
