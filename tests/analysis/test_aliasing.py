"""Which loads give the same again after the last instruction."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.aliasing import Reason

from .models import Model


def straight(arguments: str, *lines: str, header: str = "") -> Model:
    return Model("\n".join([header, f"define void @f({arguments}) {{", *lines, "  ret void", "}"]))


def loop(arguments: str, *body: str) -> Model:
    return Model("\n".join([
        f"define void @f({arguments}) {{",
        "entry:", "  br label %loop",
        "loop:", "  %i = phi i64 [ 0, %entry ], [ %n, %loop ]", *body,
        "  %n = add i64 %i, 1", "  %more = icmp ult i64 %n, 10",
        "  br i1 %more, label %loop, label %exit",
        "exit:", "  ret void", "}",
    ]))  # fmt: skip


LOAD_THEN_STORE = ("  %v = load double, ptr %p", "  store double 1.0, ptr %q")


def test_a_write_before_the_load_does_no_harm():
    assert straight("ptr %p", "  store double 1.0, ptr %p", "  %v = load double, ptr %p").survives("v")


def test_a_write_after_the_load_of_the_same_bytes():
    assert not straight("ptr %p", "  %v = load double, ptr %p", "  store double 1.0, ptr %p").survives("v")


def test_two_arguments_may_be_the_same_memory():
    assert not straight("ptr %p, ptr %q", *LOAD_THEN_STORE).survives("v")


@pytest.mark.parametrize("arguments", ["ptr noalias %p, ptr %q", "ptr %p, ptr noalias %q"])
def test_noalias_on_either_side(arguments):
    assert straight(arguments, *LOAD_THEN_STORE).survives("v")


def test_noalias_does_not_tell_two_offsets_of_one_argument_apart():
    lines = ("  %v = load double, ptr %p", "  %q = getelementptr i8, ptr %p, i64 4", "  store double 1.0, ptr %q")
    assert not straight("ptr noalias %p", *lines).survives("v")


@pytest.mark.parametrize(("distance", "survives"), [(8, True), (7, False), (-8, True), (-7, False), (0, False)])
def test_overlap_of_exact_offsets(distance, survives):
    lines = (
        "  %v = load double, ptr %p",
        f"  %q = getelementptr i8, ptr %p, i64 {distance}",
        "  store double 1.0, ptr %q",
    )
    assert straight("ptr %p", *lines).survives("v") is survives


@pytest.mark.parametrize(
    ("offset", "type_", "survives"),
    [(8, "double", True), (0, "double", False), (16, "double", False), (4, "double", False), (12, "float", True)],
)
def test_members_of_array_elements(offset, type_, survives):
    """p[i].first (8 of 16 bytes) read, another member of any element written."""
    lines = (
        "  %a = getelementptr { double, double }, ptr %p, i64 %i",
        "  %v = load double, ptr %a",
        f"  %b = getelementptr i8, ptr %a, i64 {offset}",
        f"  store {type_} 1.0, ptr %b",
    )
    assert loop("ptr %p", *lines).survives("v") is survives


def test_a_write_in_front_of_the_load_in_a_loop_comes_after_it_too():
    assert not loop("ptr %p", "  store double 1.0, ptr %p", "  %v = load double, ptr %p").survives("v")


def test_a_write_in_the_other_branch_never_comes_after():
    m = Model("""
define void @f(ptr %p, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %v = load double, ptr %p
  br label %end
b:
  store double 1.0, ptr %p
  br label %end
end:
  ret void
}""")
    assert m.survives("v")


def test_private_memory_is_no_outsiders():
    assert straight("ptr %q", "  %p = alloca double", *LOAD_THEN_STORE).survives("v")


def test_stack_memory_that_escaped_may_be_written_by_unknown_calls():
    header = "declare void @keep(ptr)\ndeclare void @other()"
    keep = "  call void @keep(ptr %p)"
    lines = ("  %p = alloca double", keep, "  %v = load double, ptr %p", keep)
    assert not straight("", *lines, header=header).survives("v")


def test_distinct_globals():
    header = "@a = global double 0.0\n@b = global double 0.0"
    lines = ("  %v = load double, ptr @a", "  store double 1.0, ptr @b")
    assert straight("", *lines, header=header).survives("v")


def test_an_argument_may_point_to_a_global():
    header = "@a = global double 0.0"
    lines = ("  %v = load double, ptr @a", "  store double 1.0, ptr %q")
    assert not straight("ptr %q", *lines, header=header).survives("v")


def test_constants_never_change():
    header = "@a = constant double 2.0"
    lines = ("  %v = load double, ptr @a", "  store double 1.0, ptr %q")
    assert straight("ptr %q", *lines, header=header).survives("v")


def test_a_constant_or_memory_that_changes():
    header = "@a = constant double 2.0"
    chosen = "  %p = select i1 %c, ptr @a, ptr %r"
    lines = (chosen, "  %v = load double, ptr %p", "  store double 1.0, ptr %q")
    assert not straight("ptr %q, ptr %r, i1 %c", *lines, header=header).survives("v")
    both = "  %p = select i1 %c, ptr @a, ptr @b"
    found = straight("ptr %q, i1 %c", both, *lines[1:], header=f"{header}\n@b = constant double 3.0")
    assert found.survives("v")


TBAA = """
!1 = !{!2, !2, i64 0}
!2 = !{!"double", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
!5 = !{!6, !6, i64 0}
!6 = !{!"float", !3, i64 0}
!7 = !{!3, !3, i64 0}
"""


@pytest.mark.parametrize(("tag", "survives"), [("!5", True), ("!1", False), ("!7", False)])
def test_types_tell_accesses_apart(tag, survives):
    m = Model(f"""
define void @f(ptr %p, ptr %q) {{
  %v = load double, ptr %p, !tbaa !1
  store float 1.0, ptr %q, !tbaa {tag}
  ret void
}}
{TBAA}""")
    assert m.survives("v") is survives


@pytest.mark.parametrize(("pointer", "survives"), [("%q", False), ("%own", True), ("@g", True)])
def test_types_tell_nothing_where_callers_use_memory_again(pointer, survives):
    """But variables keep the type that they are declared with, and nobody else has memory of one's own."""
    m = Model(f"""
@g = internal global float 0.0
declare noalias ptr @malloc(i64)
define void @f(ptr %p, ptr %q) {{
  %own = call ptr @malloc(i64 4)
  %v = load double, ptr %p, !tbaa !1
  store float 1.0, ptr {pointer}, !tbaa !5
  ret void
}}
{TBAA}""")
    assert m.survives("v")
    assert m.survives("v", retyped=True) is survives


def test_volatile_and_atomic_loads_are_not_repeated():
    assert not straight("ptr %p", "  %v = load volatile double, ptr %p").survives("v")
    assert not straight("ptr %p", "  %v = load atomic i64, ptr %p acquire, align 8").survives("v")


def test_invariant_loads_are_promised():
    m = Model("""
define void @f(ptr %p, ptr %q) {
  %v = load double, ptr %p, !invariant.load !0
  store double 1.0, ptr %q
  ret void
}
!0 = !{}""")
    assert m.survives("v")


def test_calls_write_what_their_bodies_write():
    header = """
define internal void @g(ptr %x, ptr %y) {
  %v = load double, ptr %x
  store double %v, ptr %y
  ret void
}"""
    lines = ("  %v = load double, ptr %a", "  %w = load double, ptr %b", "  call void @g(ptr %a, ptr %b)")
    m = straight("ptr noalias %a, ptr noalias %b", *lines, header=header)
    assert m.survives("v")
    assert not m.survives("w")


def test_memcpy_writes_its_destination():
    header = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
    copy = "  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 8, i1 false)"
    lines = ("  %v = load double, ptr %a", "  %w = load double, ptr %b", copy)
    m = straight("ptr noalias %a, ptr noalias %b", *lines, header=header)
    assert m.survives("v")
    assert not m.survives("w")


def test_atomic_additions_write():
    lines = ("  %v = load double, ptr %p", "  %o = atomicrmw fadd ptr %p, double 1.0 seq_cst")
    assert not straight("ptr %p", *lines).survives("v")


def test_freed_memory_is_still_there():
    """Our own derivative postpones deallocations."""
    header = "declare void @free(ptr)"
    assert straight("ptr %p", "  %v = load double, ptr %p", "  call void @free(ptr %p)", header=header).survives("v")


# Split mode: what the caller does between the passes ----------------------------------------------------------------

READS = ("  %v = load double, ptr %p", "  %w = load double, ptr %q")


def test_split_callers_may_overwrite_some_arguments():
    m = straight("ptr %p, ptr %q", *READS)
    assert not m.survives("v", (True, False), split=True)
    assert m.survives("w", (True, False), split=True)


def test_split_without_a_word_trusts_nobody():
    m = straight("ptr %p, ptr %q", *READS)
    assert not m.survives("v", split=True)


def test_split_covers_what_is_reachable():
    m = straight("ptr %p, ptr %q", "  %a = load ptr, ptr %p", "  %v = load double, ptr %a")
    assert not m.survives("v", (True, False), split=True)
    assert m.survives("v", (False, True), split=True)


@pytest.mark.parametrize(
    ("result", "returned"),
    [
        ("ptr", ["ret ptr %m"]),
        ("{ i64, ptr }", ["%r = insertvalue { i64, ptr } { i64 3, ptr null }, ptr %m, 1", "ret { i64, ptr } %r"]),
        ("i64", ["%r = ptrtoint ptr %m to i64", "ret i64 %r"]),
        ("ptr", ["%r = call ptr @malloc(i64 8)", "store ptr %m, ptr %r", "ret ptr %r"]),
    ],
)
def test_split_covers_own_memory_that_is_returned(result, returned):
    lines = "\n  ".join(returned)
    m = Model(f"""
declare noalias ptr @malloc(i64)
define {result} @f(ptr noalias %p) {{
entry:
  %m = call ptr @malloc(i64 8)
  %s = load double, ptr %p
  store double %s, ptr %m
  %v = load double, ptr %m
  {lines}
}}
""")
    assert not m.survives("v", (True,), split=True)
    assert not m.survives("v", (True, True), split=True)
    assert not m.survives("s", (True, False), split=True)
    assert m.survives("v", (True, False), split=True) is (result != "i64")  # nobody follows integers
    assert m.survives("v")


def test_split_globals_may_change():
    header = "@a = global double 0.0\n@c = constant double 0.0"
    m = straight("", "  %v = load double, ptr @a", "  %w = load double, ptr @c", header=header)
    assert not m.survives("v", split=True)
    assert m.survives("w", split=True)


def test_memory_reachable_from_a_pointer():
    m = Model("""
define void @f(ptr noalias %p, ptr noalias %q, i1 %c) {
entry:
  %a = load ptr, ptr %p
  %v = load double, ptr %a
  %w = load double, ptr %q
  br label %end
end:
  store double 1.0, ptr %a
  ret void
}""")
    aliasing = m.aliasing()
    assert not aliasing.memory_survives(m["w"], m.place("p"))
    assert aliasing.memory_survives(m["w"], m.place("q"))


def test_pointer_loaded_from_memory_may_be_an_argument():
    lines = ("  %a = load ptr, ptr %t", "  %v = load double, ptr %a", "  store double 1.0, ptr %q")
    assert not straight("ptr %t, ptr %q", *lines).survives("v")


def test_noalias_argument_does_not_protect_what_it_points_to():
    lines = ("  %a = load ptr, ptr %t", "  %v = load double, ptr %a", "  store double 1.0, ptr %q")
    assert not straight("ptr noalias %t, ptr %q", *lines).survives("v")


@pytest.mark.parametrize(
    ("header", "call", "survives"),
    [
        ("declare i32 @pthread_mutex_unlock(ptr)", "call i32 @pthread_mutex_unlock(ptr %q)", False),
        ("declare i32 @pthread_cond_wait(ptr, ptr)", "call i32 @pthread_cond_wait(ptr %q, ptr %q)", False),
        ("declare double @sin(double)", "call double @sin(double %v)", True),
    ],
    ids=["unlock", "wait", "no thread"],
)
def test_other_threads_may_write_where_a_call_lets_them(header, call, survives):
    load = "  %v = load double, ptr @g"
    text = f"@g = internal global double 0.0\n{header}"
    assert straight("ptr %q", load, f"  {call}", header=text).survives("v") is survives


def test_other_threads_write_to_no_variables_of_the_function():
    lines = ("  %a = alloca double", "  %v = load double, ptr %a", "  %r = call i32 @pthread_mutex_unlock(ptr %q)")
    assert straight("ptr %q", *lines, header="declare i32 @pthread_mutex_unlock(ptr)").survives("v")


OF_LIBRARY = """
@signgam = external global i32
@stdout = external global ptr
@own.signgam = global i32 0
declare ptr @__errno_location()
declare ptr @gmtime(ptr)
declare i32 @setvbuf(ptr, ptr, i32, i64)
declare ptr @strtok(ptr, ptr)
declare i32 @fflush(ptr)"""


@pytest.mark.parametrize(
    "lines",
    [
        ("  %v = load i32, ptr @signgam",),
        ("  %q = call ptr @__errno_location()", "  %v = load i32, ptr %q"),
        ("  %q = call ptr @gmtime(ptr %p)", "  %v = load i32, ptr %q"),
        ("  %q = alloca [8 x i8]", "  call i32 @setvbuf(ptr %p, ptr %q, i32 0, i64 8)", "  %v = load i32, ptr %q"),
        ("  %q = alloca [8 x i8]", "  call ptr @strtok(ptr %q, ptr %p)", "  %v = load i32, ptr %q"),
    ],
)
def test_memory_of_a_library_may_change_at_any_time(lines):
    found = straight("ptr %p", *lines, header=OF_LIBRARY)
    assert not found.survives("v")
    assert found.aliasing(split=False).fate(found["v"]).reason is Reason.LIBRARY


@pytest.mark.parametrize("variable", ["stdout", "own.signgam"])
def test_variables_that_libraries_do_not_write(variable):
    lines = (f"  %v = load ptr, ptr @{variable}", "  call i32 @fflush(ptr null)")
    assert straight("ptr %p", *lines, header=OF_LIBRARY).survives("v")


def test_memory_that_a_callee_gives_to_a_library():
    callee = "define void @g(ptr %b) {\n  call i32 @setvbuf(ptr null, ptr %b, i32 0, i64 8)\n  ret void\n}"
    lines = ("  %q = alloca [8 x i8]", "  call void @g(ptr %q)", "  %v = load i32, ptr %q")
    assert not straight("ptr %p", *lines, header=OF_LIBRARY + "\n" + callee).survives("v")


PRINTS = """
@count = private constant [5 x i8] c"%d%n\\00"
@other = private constant [8 x i8] c"%%n %s\\0A\\00"
declare i32 @printf(ptr, ...)
declare i32 @vprintf(ptr, ptr)"""


@pytest.mark.parametrize(
    ("format_", "survives"),
    [("@other", True), ("@count", False), ("%q", False)],
)
def test_printf_writes_where_its_format_counts(format_, survives):
    lines = ("  %v = load i32, ptr %p", f"  call i32 (ptr, ...) @printf(ptr {format_}, i32 1, ptr %p)")
    assert straight("ptr %p, ptr noalias %q", *lines, header=PRINTS).survives("v") is survives


@pytest.mark.parametrize(("format_", "survives"), [("@other", True), ("@count", False)])
def test_vprintf_writes_what_the_list_leads_to(format_, survives):
    lines = (
        "  %list = alloca ptr",
        "  store ptr %p, ptr %list",
        "  %v = load i32, ptr %p",
        f"  call i32 @vprintf(ptr {format_}, ptr %list)",
    )
    assert straight("ptr %p", *lines, header=PRINTS).survives("v") is survives


@pytest.mark.parametrize(("read", "written"), [("%p", "%q"), ("%q", "%p")])
def test_a_pointer_into_an_argument_that_a_library_returns(read, written):
    lines = (
        "  %q = alloca [8 x i8]",
        "  %p = call ptr @strchr(ptr %q, i32 48)",
        f"  %v = load i8, ptr {read}",
        f"  store i8 0, ptr {written}",
    )
    assert not straight("", *lines, header="declare ptr @strchr(ptr, i32)").survives("v")


def test_a_pointer_that_is_only_compared():
    lines = (
        "  %q = alloca [8 x i8]",
        "  %p = call ptr @strchr(ptr %q, i32 48)",
        "  %none = icmp eq ptr %p, null",
        "  %v = load i8, ptr %q",
    )
    assert straight("", *lines, header="declare ptr @strchr(ptr, i32)").survives("v")
