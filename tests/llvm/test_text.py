"""Edits of LLVM assembly, each on a module of a few lines that LLVM reads again."""

from __future__ import annotations

import re

import llvmlite.binding as ll  # noqa: TID251
import pytest

from enzyme_build.llvm import text
from enzyme_build.llvm.context import parse_text


def read_again(module: str) -> str:
    """What LLVM makes of a text: an edit must leave something it accepts."""
    return str(parse_text(module, "a test"))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("define void @f() {", "define internal void @f() {"),
        ("define dso_local void @f() {", "define internal void @f() {"),
        ("define hidden void @f() {", "define internal void @f() {"),
        ("define linkonce_odr dso_local void @f() comdat {", "define internal void @f() {"),
        ("define weak_odr void @f() comdat($g) {", "define internal void @f() {"),
        (
            'define weak_odr void @f() section "x" comdat($g) align 4 {',
            'define internal void @f() section "x" align 4 {',
        ),
        ("define internal void @f() {", "define internal void @f() {"),
        ("define available_externally void @f() {", "define available_externally void @f() {"),
        ("define range(i32 0, 2) i32 @f() {", "define internal range(i32 0, 2) i32 @f() {"),
    ],
)
def test_functions_become_internal(line: str, expected: str) -> None:
    body = f"\n  {'ret i32 0' if 'i32 @f' in line else 'ret void'}\n}}\n"
    comdats = "$f = comdat any\n$g = comdat any\n"
    edited = text.internalise(comdats + line + body, frozenset())
    assert edited == comdats + expected + body
    read_again(edited)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("@x = global i32 1", "@x = internal global i32 1"),
        ("@x = dso_local global i32 1, align 4", "@x = internal global i32 1, align 4"),
        ("@x = common global i32 0, align 4", "@x = internal global i32 0, align 4"),
        ("@x = linkonce_odr constant i32 1, comdat, align 4", "@x = internal constant i32 1, align 4"),
        ('@x = weak constant [9 x i8] c", comdat\\00", comdat($y)', '@x = internal constant [9 x i8] c", comdat\\00"'),
        ("@x = hidden thread_local global i32 1", "@x = internal thread_local global i32 1"),
        ("@x = external global i32", "@x = external global i32"),
        ("@x = extern_weak global i32", "@x = extern_weak global i32"),
        ("@x = private constant i32 1", "@x = private constant i32 1"),
    ],
)
def test_variables_become_internal(line: str, expected: str) -> None:
    comdats = "$x = comdat any\n$y = comdat any\n"
    edited = text.internalise(comdats + line + "\n", frozenset())
    assert edited == comdats + expected + "\n"
    read_again(edited)


def test_indices_of_fortran_may_move_backwards() -> None:
    line, count = "  %4 = add nuw nsw i64 %2, %3", "  %5 = add nuw nsw i64 %2, 1"
    module = f"{line}\n{count}\n"
    assert text.signed_shifts(module) == module
    root = '!1 = !{!"Flang function root f"}\n'
    assert text.signed_shifts(module + root) == f"  %4 = add nsw i64 %2, %3\n{count}\n{root}"


def test_aliases_become_internal() -> None:
    module = "@a = dso_local unnamed_addr alias void (), ptr @f\n\ndefine void @f() {\n  ret void\n}\n"
    edited = text.internalise(module, frozenset())
    assert "@a = internal unnamed_addr alias" in edited
    read_again(edited)


@pytest.mark.parametrize("name", ["kept", "malloc", "_ZnwmRKSt9nothrow_t", "llvm.used"])
def test_what_others_need_stays(name: str) -> None:
    line = f"@{name} = global i32 1"
    assert text.internalise(line, frozenset({"kept"})) == line


@pytest.mark.parametrize(
    "reason",
    [
        '@llvm.used = appending global [1 x ptr] [ptr @x], section "llvm.metadata"',
        'module asm ".globl y"\nmodule asm "y = x + 1"',
        'define void @f() {\n  call void asm sideeffect "nop\\0Amovsd x(%rip), %xmm0", "~{memory}"()\n  ret void\n}',
    ],
)
def test_what_llvm_cannot_see_used_stays(reason: str) -> None:
    line = "@x = global i32 1"
    assert line in text.internalise(f"{reason}\n{line}\n", frozenset())


def test_tables_in_named_sections_stay() -> None:
    table, plain = '@x = global i32 1, section "my_table"', '@x = global i32 1, section ".data.x"'
    assert text.internalise(table, frozenset()) == table
    assert text.internalise(plain, frozenset()) == plain.replace("global", "internal global")


def test_quoted_names_are_compared_unquoted() -> None:
    line = 'define void @"a\\22b"() {'
    assert text.internalise(line, frozenset({'a"b'})) == line
    assert "internal" in text.internalise(line, frozenset())


def test_a_global_constructor_table_stays() -> None:
    line = "@llvm.global_ctors = appending global [0 x { i32, ptr, ptr }] zeroinitializer"
    assert text.internalise(line, frozenset()) == line


SYMBOLS = """
@x = global i32 1
@h = hidden global i32 1
@s = internal global i32 1
@e = external global i32
@w = extern_weak global i32
@llvm.used = appending global [1 x ptr] [ptr @x], section "llvm.metadata"
@a = alias i32, ptr @x
define void @f() {
  call void @g()
  ret void
}
define hidden void @k() {
  ret void
}
declare void @g()
declare extern_weak void @maybe()
declare void @llvm.donothing()
"""


def test_symbols() -> None:
    read_again(SYMBOLS)
    defined, undefined, exported = text.symbols(SYMBOLS)
    assert defined == {"x", "h", "a", "f", "k"}
    assert undefined == {"e", "g"}
    assert exported == {"x", "a", "f"}


TARGETS = """
define void @f() #0 {
  ret void
}
define void @g() #1 {
  ret void
}
define void @h() #2 {
  ret void
}
attributes #0 = { nounwind "target-cpu"="x86-64" "target-features"="+sse,+sse2" "tune-cpu"="generic" }
attributes #1 = { "target-cpu"="x86-64" }
attributes #2 = { "target-cpu"="x86-64" "target-features"="+avx2,+sse,+sse2" "tune-cpu"="generic" }
attributes #3 = { noreturn "target-cpu"="x86-64" "target-features"="+sse,+sse2" }
"""


def groups(module: str) -> list[str]:
    return [line for line in module.splitlines() if line.startswith("attributes")]


def test_targets_are_unified_and_richer_ones_left_alone() -> None:
    edited = text.unify_targets(TARGETS)
    read_again(edited)
    common = '"target-cpu"="x86-64" "target-features"="+sse,+sse2"'
    assert common in groups(edited)[1]
    assert '"+avx2,+sse,+sse2"' in groups(edited)[2]


def test_a_given_cpu_is_for_all() -> None:
    edited = text.unify_targets(TARGETS, "znver4")
    assert all('"target-cpu"="znver4"' in group and "target-features" not in group for group in groups(edited))
    read_again(edited)


def test_the_common_target() -> None:
    assert text.common_target(TARGETS) == ("x86-64", "+sse,+sse2")
    assert text.common_target("") == ("", "")


@pytest.mark.parametrize("richer", ['"target-features"="+avx2,+avx512f,+sse"', ""])
def test_processors_with_avx512_are_told_that_scattered_stores_are_dear(richer: str) -> None:
    cpu = "x86-64" if richer else "skylake-avx512"
    module = TARGETS + f'attributes #4 = {{ "target-cpu"="{cpu}" {richer} "tune-cpu"="generic" }}\n'
    edited = text.without_scatters(module)
    read_again(edited)
    assert groups(edited)[:4] == groups(module)[:4]
    features = "+avx2,+avx512f,+sse,+prefer-no-scatter" if richer else "+prefer-no-scatter"
    assert f'"target-features"="{features}"' in groups(edited)[4]
    assert text.without_scatters(edited) == edited


PERSONALITIES = """
declare i32 @__gxx_personality_v0(...)
declare void @may_throw()
define void @none() personality ptr @__gxx_personality_v0 {
  ret void
}
define void @pad() personality ptr @__gxx_personality_v0 {
  invoke void @may_throw()
          to label %ok unwind label %bad
ok:
  ret void
bad:
  %1 = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %1
}
"""


def test_personalities_go_where_no_landing_pad_needs_them() -> None:
    edited = text.drop_unused_personalities(PERSONALITIES)
    read_again(edited)
    assert "define void @none() {" in edited
    assert "define void @pad() personality" in edited


def test_loops_may_be_unrolled_again() -> None:
    module = '!0 = distinct !{!0, !1}\n!1 = !{!"llvm.loop.unroll.disable"}\n'
    edited = text.allow_unrolling(module)
    assert "unroll.disable" not in edited
    ll.parse_assembly(edited)


OPAQUE = """
@table = internal constant [1 x i32] [i32 7]
@__enzyme_inactivefn = internal global [1 x ptr] [ptr @f]
@llvm.compiler.used = appending global [3 x ptr] [ptr @table, ptr @__enzyme_inactivefn, ptr @g], section "llvm.metadata"
define internal double @f(double %x) #0 {
  ret double %x
}
define dso_local double @g(double %x) #1 {
  %y = call double @f(double %x)
  ret double %y
}
attributes #0 = { noinline optnone }
attributes #1 = { nounwind }
"""


def test_opaque_functions_are_made_transparent_again() -> None:
    opaque, linkages = text.opaque(OPAQUE, {"f", "g", "not there"})
    read_again(text.without_attribute(opaque, {"#0"}, "optnone"))
    assert "define weak double @f(" in opaque
    assert "define weak dso_local double @g(" in opaque
    assert text.transparent(opaque, linkages) == OPAQUE


def test_an_attribute_leaves_only_the_groups_that_are_named() -> None:
    edited = text.without_attribute(OPAQUE, {"#0"}, "optnone")
    assert "attributes #0 = { noinline }" in edited
    assert "attributes #1 = { nounwind }" in edited


def test_only_variables_of_rules_are_kept_though_unused() -> None:
    edited = read_again(text.without_kept_variables(OPAQUE, "__enzyme_"))
    assert "[2 x ptr] [ptr @__enzyme_inactivefn, ptr @g]" in edited
    assert text.without_kept_variables("define void @f() {\n", "__enzyme_") == "define void @f() {\n"


def test_memory_is_as_before_behind_calls_that_are_apart_from_it() -> None:
    module = """
    declare void @__enzyme_checkpoint(i64 noundef) local_unnamed_addr #0
    declare void @other(i64)
    define void @f() { ret void }
    attributes #0 = { nounwind }
    """.replace("\n    ", "\n")
    found = read_again(text.apart_from_memory(module, "enzyme_checkpoint"))
    (group,) = re.findall(r"@__enzyme_checkpoint\(i64 noundef\) local_unnamed_addr #(\d)", found)
    assert re.search(rf"attributes #{group} = {{[^}}]*memory\(inaccessiblemem: readwrite\)", found)
    assert "declare void @other(i64)\n" in found
    assert text.apart_from_memory(module, "nowhere") == module


GROWTH = """
define internal void @push(ptr %v) unnamed_addr #1 {
  call void @grow(ptr %v)
  ret void
}
define internal void @grow(ptr %v) unnamed_addr #0 {
  call void @finish(ptr %v)
  ret void
}
define internal void @finish(ptr %v) unnamed_addr #0 {
  %new = call ptr @__rust_realloc(ptr %v, i64 8)
  ret void
}
declare ptr @__rust_realloc(ptr, i64) unnamed_addr #2
attributes #0 = { cold nounwind }
attributes #1 = { cold noinline nounwind }
attributes #2 = { nounwind allockind("realloc,aligned") "alloc-family"="FAMILY" }
"""


@pytest.mark.parametrize(("family", "inlined"), [("__rust_alloc", {"grow", "finish"}), ("malloc", set())])
def test_what_grows_vectors_of_all_types_is_inlined(family: str, inlined: set[str]) -> None:
    changed = text.inline_growth(GROWTH.replace("FAMILY", family))
    parse_text(changed, "the module").close()
    assert set(re.findall(r"^define [^\n]*@(\w+)\([^\n]* alwaysinline", changed, re.MULTILINE)) == inlined
