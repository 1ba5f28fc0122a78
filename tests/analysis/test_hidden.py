"""Which calls may touch memory that they are not given."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.callgraph import call_graph
from enzyme_build.analysis.hidden import hidden_calls
from enzyme_build.ir.parser import parse_module


def ways(text: str) -> list[list[str]]:
    """For each hidden call of `f`, the names of the functions in which the calls are that lead to it."""
    module = parse_module(text)
    root = module.function("f")
    found = hidden_calls(module, call_graph(module, [root]))[root]
    return [[step.block.function.name for step in way if step.block] for way in found.values()]


def calls(line: str, declarations: str) -> list[list[str]]:
    return ways(f"{declarations}\ndefine void @f(ptr %p, double %x) {{\n  {line}\n  ret void\n}}")


@pytest.mark.parametrize(
    ("line", "declarations"),
    [
        ("call void @u()", "declare void @u()"),
        ("%r = call double @u()", "declare double @u() memory(read)"),
        ("call void @u()", "declare void @u() memory(readwrite, argmem: none)"),
        ("call void %p()", ""),
        ('call void asm sideeffect "syscall", "~{memory}"()', ""),
        ("call void @MPI_Start(ptr null)", "declare void @MPI_Start(ptr)"),
    ],
)
def test_hidden(line: str, declarations: str) -> None:
    assert calls(line, declarations) == [["f"]]


@pytest.mark.parametrize(
    ("line", "declarations"),
    [
        ("%r = call double @sin(double %x)", "declare double @sin(double)"),
        ("%r = call i32 @puts(ptr %p)", "declare i32 @puts(ptr)"),
        ("%r = call double @u()", "declare double @u() memory(none)"),
        ("call void @u(ptr %p)", "declare void @u(ptr) memory(argmem: readwrite, inaccessiblemem: readwrite)"),
        ("%r = call i32 @u()", "declare i32 @u() memory(read)"),
        ("call void @u()", "declare void @u()\n@__enzyme_inactivefn = global [1 x ptr] [ptr @u]"),
        ("call void @cblas_dscal()", "declare void @cblas_dscal()"),
        ('call void asm sideeffect "mfence", "~{memory}"()', ""),
        ("call void @__kmpc_flush(ptr null)", "declare void @__kmpc_flush(ptr)"),
    ],
)
def test_not_hidden(line: str, declarations: str) -> None:
    assert calls(line, declarations) == []


def test_calls_that_lead_there() -> None:
    text = (
        "declare void @u()\ndefine void @g() {\n  call void @u()\n  ret void\n}\n"
        "define void @h() {\n  call void @g()\n  call void @f()\n  ret void\n}\n"
        "define void @f() {\n  call void @h()\n  ret void\n}"
    )
    assert ways(text) == [["f", "h", "g"]]


def test_a_function_told_inactive_hides_what_it_calls() -> None:
    text = (
        "@__enzyme_inactivefn = global [1 x ptr] [ptr @g]\n"
        "declare void @u()\ndefine void @g() {\n  call void @u()\n  ret void\n}\n"
        "define void @f() {\n  call void @g()\n  ret void\n}"
    )
    assert ways(text) == []


@pytest.mark.parametrize(
    ("other", "expected"), [("_ZNKSt5ctypeIcE13_M_widen_initEv", []), ("_ZN3own5startEv", [["f"]])]
)
def test_virtual_functions_of_objects_of_the_library(other: str, expected: list[list[str]]) -> None:
    text = (
        f"declare void @{other}(ptr) memory(none)\ndefine void @f(ptr %o) {{\n  call void @{other}(ptr %o)\n"
        "  %t = load ptr, ptr %o\n  %s = getelementptr ptr, ptr %t, i64 6\n  %v = load ptr, ptr %s\n"
        "  %r = call i8 %v(ptr %o, i8 10)\n  ret void\n}"
    )
    assert ways(text) == expected


def test_what_is_before_the_end_of_the_program() -> None:
    text = (
        "declare void @u()\ndeclare void @abort() noreturn\n"
        "define void @f(i1 %c) {\n  br i1 %c, label %bad, label %good\n"
        "bad:\n  call void @u()\n  call void @abort()\n  unreachable\ngood:\n  ret void\n}"
    )
    assert ways(text) == []


def test_openmp_between_threads() -> None:
    """Those who look at the call of a region see what its threads do together, but not what else they call."""
    text = (
        "declare void @__kmpc_fork_call(ptr, i32, ptr, ...)\ndeclare void @__kmpc_barrier(ptr, i32)\n"
        "declare void @u()\n"
        "define void @region() {\n  call void @__kmpc_barrier(ptr null, i32 0)\n  call void @u()\n"
        "  ret void\n}\n"
        "define void @f() {\n  FIRST\n  ret void\n}"
    )
    started = "call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr null, i32 0, ptr @region)"
    assert ways(text.replace("FIRST", started)) == [["f", "region"]]
    assert ways(text.replace("FIRST", "call void @region()")) == [["f", "region"]] * 2
