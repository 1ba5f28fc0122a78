"""Copies that were cut into a first byte and the rest are whole in the model."""

from __future__ import annotations

from enzyme_build.differentiate.split_copies import join_copies
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.values import ConstantInt

SPLIT = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %p, ptr %q, ptr %r) {
  %room = alloca [15 x i8], align 1
  %byte = load i8, ptr %p
  %rest = getelementptr i8, ptr %p, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %room, ptr %rest, i64 15, i1 false)
  store i8 %byte, ptr %q
  %behind = getelementptr i8, ptr %q, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %behind, ptr %room, i64 15, i1 false)
  ret void
}"""


def copies(text: str) -> tuple[list[tuple[str | None, str | None, int]], int]:
    """Destination, source and length of all copies in the model, and how many stores there are."""
    module = parse_module(text)
    function = module.function("f")
    join_copies(module, function)
    assert not check_function(module, function)
    found = []
    for i in function.instructions():
        if isinstance(i, ir.Call):
            to, source, length = i.arguments[:3]
            assert isinstance(length, ConstantInt)
            found.append((to.name, source.name, length.value))
    return found, sum(isinstance(i, ir.Store) for i in function.instructions())


def test_first_byte_goes_with_the_others():
    assert copies(SPLIT) == ([("room", "p", 16), ("q", "room", 16)], 0)


def test_byte_from_elsewhere_stays():
    whole = [("room", "rest", 15), ("behind", "room", 15)]
    assert copies(SPLIT.replace("load i8, ptr %p", "load i8, ptr %r")) == (whole, 1)
    assert copies(SPLIT.replace("ptr %q, i64 1", "ptr %q, i64 2")) == (whole, 1)


def test_what_is_written_in_between_counts():
    between = SPLIT.replace("  %rest =", "  store i8 7, ptr %r\n  %rest =")
    assert copies(between) == ([("room", "rest", 15), ("behind", "room", 15)], 2)


def test_memory_that_is_read_otherwise_stays():
    read = SPLIT.replace("  ret void", "  %v = load i8, ptr %room\n  store i8 %v, ptr %r\n  ret void")
    assert copies(read) == ([("room", "rest", 15), ("behind", "room", 15)], 2)


def test_what_is_read_in_between_counts():
    read = SPLIT.replace("  %behind", "  %v = load i8, ptr %q\n  %behind")
    assert copies(read) == ([("room", "rest", 15), ("behind", "room", 15)], 1)


def test_what_was_told_of_members_behind_the_byte_is_gone():
    told = SPLIT.replace("i64 15, i1 false)", "i64 15, i1 false), !tbaa.struct !0, !dbg !1")
    module = parse_module(told + "\n!0 = !{i64 7, i64 8, !1}\n!1 = !{}")
    function = module.function("f")
    join_copies(module, function)
    assert [i.metadata.strip(", ") for i in function.instructions() if isinstance(i, ir.Call)] == ["!dbg !1"] * 2
