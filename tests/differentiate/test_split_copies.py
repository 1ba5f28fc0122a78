"""Copies that were cut into a first byte and the rest are whole in the model."""

from __future__ import annotations

import pytest

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
        if isinstance(i, ir.Call) and i.arguments:
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


BRANCHES = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @other()
define void @f(ptr %p, ptr %q, ptr %r, i1 %c) {
entry:
  %room = alloca [15 x i8], align 1
  %second = alloca [15 x i8], align 1
  br i1 %c, label %one, label %two
one:
  %byte = load i8, ptr %p
  %rest = getelementptr i8, ptr %p, i64 1
  br label %then
then:
  call void @llvm.memcpy.p0.p0.i64(ptr %room, ptr %rest, i64 15, i1 false)
  br label %end
two:
  %byte.2 = load i8, ptr %r
  %rest.2 = getelementptr i8, ptr %r, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %room, ptr %rest.2, i64 15, i1 false)
  br label %end
end:
  %either = phi i8 [ %byte, %then ], [ %byte.2, %two ]
  call void @other()
  call void @llvm.memcpy.p0.p0.i64(ptr %second, ptr %room, i64 15, i1 false)
  store i8 %either, ptr %q
  %behind = getelementptr i8, ptr %q, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %behind, ptr %second, i64 15, i1 false)
  ret void
}"""


def test_each_way_has_its_byte_and_rooms_are_copied():
    joined = [("room", "p", 16), ("room", "r", 16), ("second", "room", 16), ("q", "second", 16)]
    assert copies(BRANCHES) == (joined, 0)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[ %byte, %then ], [ %byte.2, %two ]", "[ %byte.2, %two ], [ 3, %then ]"),
        ("then:\n", "then:\n  call void @other()\n"),
        ("  br label %then\n", "  store i8 1, ptr %q\n  br label %then\n"),
        ("ptr %r, i64 1", "ptr %r, i64 2"),
        ("store i8 %either", "store i8 undef"),
    ],
)
def test_bytes_that_do_not_come_along_stay(old, new):
    found, _ = copies(BRANCHES.replace(old, new))
    assert {length for *_, length in found} == {15}


LOOP = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %p, ptr %q, i64 %n) {
entry:
  %room = alloca [15 x i8], align 1
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %again ]
  %best = phi i8 [ undef, %entry ], [ %better, %again ]
  %place = getelementptr [16 x i8], ptr %p, i64 %i
  %known = icmp ult i64 %i, 5
  br i1 %known, label %take, label %again
take:
  %byte = load i8, ptr %place
  %rest = getelementptr i8, ptr %place, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %room, ptr %rest, i64 15, i1 false)
  br label %again
again:
  %better = phi i8 [ %byte, %take ], [ %best, %loop ]
  %next = add i64 %i, 1
  %to = getelementptr i8, ptr %place, i64 16
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %last = phi i8 [ %better, %again ]
  %out = phi ptr [ %to, %again ]
  %from = phi ptr [ %place, %again ]
  store i8 %last, ptr %out
  %behind = getelementptr i8, ptr %from, i64 17
  call void @llvm.memcpy.p0.p0.i64(ptr %behind, ptr %room, i64 15, i1 false)
  ret void
}"""


def test_last_byte_of_a_loop_goes_with_the_others():
    assert copies(LOOP) == ([("room", "place", 16), ("out", "room", 16)], 0)


def test_byte_of_an_earlier_iteration_stays():
    earlier = LOOP.replace("[ %better, %again ]\n  %out", "[ %best, %again ]\n  %out")
    assert copies(earlier) == ([("room", "rest", 15), ("behind", "room", 15)], 1)
