"""Objects that pointers may lead to, and the cells of objects: how many there are, and that it ends."""

import pytest

from enzyme_build.analysis.provenance import Provenance, Whose
from tests.analysis.models import Model

HEAD = """
declare ptr @malloc(i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
@outer = internal global [8 x ptr] zeroinitializer
@declared = external global [0 x ptr]
"""


def provenance(text: str) -> tuple[Model, Provenance]:
    model = Model(HEAD + text)
    models = {model.function: model.memory}
    return model, Provenance(model.module, model.graph, models, {model.function})


@pytest.mark.parametrize("size", ["40", "%n"])
def test_objects_that_hold_copies_of_themselves_come_to_an_end(size: str) -> None:
    """Each copy moves the pointers in an object by a word, as those of a tree whose nodes hold nodes."""
    model, found = provenance(
        """
define ptr @f(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %old = phi ptr [ %x, %entry ], [ %node, %loop ]
  %node = call ptr @malloc(i64 SIZE)
  store ptr %x, ptr %node
  %inner = getelementptr i8, ptr %node, i64 8
  call void @llvm.memcpy.p0.p0.i64(ptr %inner, ptr %old, i64 %n, i1 false)
  %c = icmp eq ptr %old, null
  br i1 %c, label %out, label %loop
out:
  ret ptr %node
}""".replace("SIZE", size)
    )
    assert found.settled
    cells = found.cells[model["node"]]
    assert len(cells) <= 33
    assert set(cells) >= {0, 8, 16, 24, 32}
    assert all(at is None or at < 40 for at in cells) or size == "%n"


@pytest.mark.parametrize(("variable", "kept"), [("@outer", False), ("@declared", True)])
def test_nothing_is_behind_the_end_of_a_variable_that_is_known(variable: str, kept: bool) -> None:  # noqa: FBT001
    model, found = provenance(f"""
define void @f(ptr %x) {{
  %p = getelementptr i8, ptr {variable}, i64 64
  store ptr %x, ptr %p
  ret void
}}""")
    assert (64 in found.cells.get(model[variable], {})) is kept


def test_a_copy_brings_what_all_its_sources_hold() -> None:
    model, found = provenance("""
define void @f(i1 %c) {
  %a = alloca [2 x ptr]
  %b = alloca [2 x ptr]
  %to = alloca [2 x ptr]
  %one = alloca double
  %two = alloca double
  %b1 = getelementptr i8, ptr %b, i64 8
  store ptr %one, ptr %a
  store ptr %two, ptr %b1
  %s = select i1 %c, ptr %a, ptr %b
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %s, i64 16, i1 false)
  ret void
}""")
    cells = found.cells[model["to"]]
    assert {at: {o.name for o, _ in cell} for at, cell in cells.items()} == {0: {"one"}, 8: {"two"}}


STRINGS = """
@_ZL4kept = internal global ptr null
declare ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(ptr, ptr, i64)
define void @f(ptr %x, i64 %n) {
  %s = alloca [32 x i8]
  %size = alloca i64
  %long = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(ptr %s, ptr %size, i64 0)
  store ptr %long, ptr %s
  %text = load ptr, ptr %s
  FILL
  %found = load ptr, ptr @_ZL4kept
  %named = load ptr, ptr %found
  store ptr %text, ptr %found
  ret void
}"""


@pytest.mark.parametrize(
    ("fill", "own"),
    [
        ("call void @llvm.memcpy.p0.p0.i64(ptr %text, ptr %x, i64 %n, i1 false), !enzyme.text !{}", True),
        ("store i8 0, ptr %text, !enzyme.text !{}", True),
        ("call void @llvm.memcpy.p0.p0.i64(ptr %text, ptr %x, i64 %n, i1 false)", False),
        ("store ptr %x, ptr %text", False),
    ],
)
def test_characters_of_strings_are_no_pointers(fill: str, own: bool) -> None:  # noqa: FBT001
    """A table that keeps strings made of text that the user passes does not keep memory of the user's."""
    model, found = provenance(STRINGS.replace("FILL", fill))
    assert found.own(model["found"])
    assert {o.name for o, _ in found.pointers[model["text"]] if hasattr(o, "name")} >= {"long"}
    content = {o for o, _ in found.cells.get(model["long"], {}).get(None, ())} | {
        o for cell in found.cells.get(model["long"], {}).values() for o, _ in cell
    }
    assert (Whose.USER not in content) is own


def test_characters_that_leave_a_string_may_be_any_pointer() -> None:
    model, found = provenance("""
define void @f(ptr %x, i64 %n) {
  %to = alloca ptr
  %text = call ptr @malloc(i64 %n)
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %text, i64 8, i1 false), !enzyme.text !{}, !enzyme.other_than_text.0 !{}
  %p = load ptr, ptr %to
  ret void
}""")
    assert {o for o, _ in found.pointers[model["p"]]} == {Whose.ANYBODY}
