"""Objects that pointers may lead to, and the cells of objects: how many there are, and that it ends."""

import pytest

from enzyme_build.analysis.provenance import Provenance
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
