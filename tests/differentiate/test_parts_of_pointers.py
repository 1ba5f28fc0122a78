"""Pointers that are moved in parts: whole again, or refused."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.lost_addresses import cut_addresses
from enzyme_build.differentiate.parts_of_pointers import join_odd_parts, join_parts, parts_apart
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import I64, PTR
from enzyme_build.ir.values import ConstantInt
from tests.analysis.models import Model

USED = """
  %q = load ptr, ptr %to
  %v = load double, ptr %q
  ret double %v
}
"""
HEAD = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define double @f(ptr %from, ptr %other) {
  %to = alloca [16 x i8], align 8
"""
FIRST = f"""{HEAD}
  %p = load ptr, ptr %from
  WRITTEN
  %bits = ptrtoint ptr %p to i64
  %byte = trunc i64 %bits to i8
  %rest = getelementptr i8, ptr %from, i64 1
  %behind = getelementptr i8, ptr %to, i64 AT
  call void @llvm.memcpy.p0.p0.i64(ptr %behind, ptr %rest, i64 15, i1 false)
  store i8 %byte, ptr %to
  {USED}"""
PARTS = f"""{HEAD}
  %rest = getelementptr i8, ptr %from, i64 BYTES
  %behind = getelementptr i8, ptr %to, i64 BYTES
  %low = load iLOW, ptr %from
  BETWEEN
  %high = load iHIGH, ptr %rest, align 1
  WRITTEN
  store iHIGH %high, ptr %behind, align 1
  store iLOW %low, ptr %to
  {USED}"""


def first(*, written: str = "", at: int = 1) -> Model:
    return Model(FIRST.replace("WRITTEN", written).replace("AT", str(at)))


def parts(low: int, *, between: str = "", written: str = "") -> Model:
    text = PARTS.replace("LOW", str(low)).replace("HIGH", str(64 - low)).replace("BYTES", str(low // 8))
    return Model(text.replace("BETWEEN", between).replace("WRITTEN", written))


def lengths(m: Model) -> list[int]:
    copies = [i for i in m.function.instructions() if isinstance(i, ir.Call)]
    found = (copy.operands[2] for copy in copies)
    return [length.value for length in found if isinstance(length, ConstantInt)]


def stored(m: Model) -> list[str]:
    return [i.value.type.text for i in m.function.instructions() if isinstance(i, ir.Store)]


def test_first_byte_is_copied_with_the_rest():
    m = first()
    assert join_parts(m.function, m.memory)
    assert (lengths(m), stored(m)) == ([16], [])


@pytest.mark.parametrize(("written", "at"), [("store i64 7, ptr %from", 1), ("store i64 7, ptr %other", 1), ("", 2)])
def test_what_may_be_another_byte_is_refused(written, at):
    m = first(written=written, at=at)
    assert not join_parts(m.function, m.memory)
    assert (lengths(m), stored(m)[-1]) == ([15], "i8")
    (finding,) = cut_addresses(m.module, {m.function: m.memory})
    assert "a pointer is kept in parts" in str(finding)


COUNTS = """
!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
"""
HALF = f"""{HEAD.replace("%other)", "%other, i1 %c)")}
  %p = load i32, ptr %from TAG
  br i1 %c, label %next, label %out
out:
  ret double 0.0
next:
  WRITTEN
  %rest = getelementptr i8, ptr %from, i64 4
  %behind = getelementptr i8, ptr %to, i64 4
  call void @llvm.memcpy.p0.p0.i64(ptr %behind, ptr %rest, i64 12, i1 false)
  store i32 %p, ptr %to
  {USED}"""


@pytest.mark.parametrize(
    ("written", "tag", "joined"), [("", "", True), ("store i64 7, ptr %from", "", False), ("", ", !tbaa !0", False)]
)
def test_first_half_is_copied_with_the_rest(written, tag, joined):
    """It may be read in a block that leads there, where it is shared with another variant."""
    m = Model(HALF.replace("WRITTEN", written).replace(" TAG", tag) + COUNTS)
    assert join_parts(m.function, m.memory) == joined
    assert lengths(m) == ([16] if joined else [12])


def test_parts_are_moved_as_a_word():
    m = parts(32)
    assert join_parts(m.function, m.memory)
    assert stored(m) == [PTR.text]
    assert not join_parts(m.function, m.memory)


def test_parts_that_were_read_may_be_overwritten_where_they_were():
    """As in a node that is made empty before its entry is put elsewhere."""
    m = parts(32, written="store i64 7, ptr %from")
    assert join_parts(m.function, m.memory)
    instructions = list(m.function.instructions())
    (word,) = (i for i in instructions if isinstance(i, ir.Load) and i.pointer is m["from"] and i.type is PTR)
    (written,) = (i for i in instructions if isinstance(i, ir.Store) and i.pointer is m["from"])
    assert instructions.index(word) < instructions.index(written)


def test_parts_that_may_be_overwritten_are_refused():
    m = parts(32, between="store i64 7, ptr %from")
    assert not join_parts(m.function, m.memory)
    (finding,) = cut_addresses(m.module, {m.function: m.memory})
    assert "a pointer is kept in parts" in str(finding)


LEAVE = "br i1 %c, label %next, label %out\nout:\n  ret double 0.0\nnext:\n  WRITTEN"


def in_two_blocks(*, written: str = "") -> Model:
    text = PARTS.replace("%other)", "%other, i1 %c)").replace("LOW", "32").replace("HIGH", "32").replace("BYTES", "4")
    return Model(text.replace("BETWEEN", LEAVE.replace("WRITTEN", written)).replace("WRITTEN", ""))


def test_parts_that_are_read_in_two_blocks():
    m = in_two_blocks()
    assert join_parts(m.function, m.memory)
    assert stored(m) == [PTR.text]


@pytest.mark.parametrize("written", ["store i64 7, ptr %from", "store i64 7, ptr %other"])
def test_parts_in_two_blocks_that_may_be_overwritten(written):
    """The run shows whether they are parts of a pointer: others may look at the first as a tag."""
    m = in_two_blocks(written=written)
    assert not join_parts(m.function, m.memory)
    assert not cut_addresses(m.module, {m.function: m.memory})
    assert {load.name for load in parts_apart(m.function, m.memory)} == {"low", "high"}


def test_integers_by_the_rules_of_the_language_are_no_parts():
    text = (
        PARTS.replace("LOW", "32")
        .replace("HIGH", "32")
        .replace("BYTES", "4")
        .replace("BETWEEN", "")
        .replace("WRITTEN", "")
    )
    m = Model(text.replace("%low = load i32, ptr %from", "%low = load i32, ptr %from, !tbaa !0") + COUNTS)
    assert not join_parts(m.function, m.memory)
    assert not cut_addresses(m.module, {m.function: m.memory})
    assert not parts_apart(m.function, m.memory)


THREE = f"""{HEAD}
  %from.4 = getelementptr i8, ptr %from, i64 4
  %from.8 = getelementptr i8, ptr %from, i64 8
  %to.4 = getelementptr i8, ptr %to, i64 4
  %to.8 = getelementptr i8, ptr %to, i64 8
  %a = load i32, ptr %from
  %b = load i32, ptr %from.4
  %c = load i32, ptr %from.8
  store i32 %a, ptr %to
  store i32 %b, ptr %to.4
  store i32 %c, ptr %to.8
  {USED}"""


def test_words_of_parts_do_not_overlap():
    m = Model(THREE)
    assert join_parts(m.function, m.memory)
    assert stored(m) == ["i32", PTR.text] or stored(m) == [PTR.text, "i32"]


@pytest.mark.parametrize("low", [8, 24, 56])
def test_integers_that_no_language_has_are_moved_as_a_word(low):
    m = parts(low)
    join_odd_parts(m.module.layout, m.function)
    assert stored(m) == [I64.text]


def test_usual_integers_are_left_to_what_memory_tells():
    m = parts(32)
    join_odd_parts(m.module.layout, m.function)
    assert stored(m) == ["i32", "i32"]


@pytest.mark.parametrize("written", ["store i8 7, ptr %to", "store i8 7, ptr %other"])
def test_writes_in_between_count(written):
    m = parts(8, written=written)
    join_odd_parts(m.module.layout, m.function)
    assert stored(m) == ["i8", "i56", "i8"]


KEY = f"""{HEAD}
  %p = load ptr, ptr %from
  %bits = ptrtoint ptr %p to i64
  %key = trunc i64 %bits to iLOW
  store iLOW %key, ptr %to
  REST
  {USED}"""


@pytest.mark.parametrize("low", [8, 16, 32])
@pytest.mark.parametrize(
    ("rest", "refused"),
    [
        ("", 0),
        ("%other.low = load i32, ptr %other\n  store i32 %other.low, ptr %other", 0),
        ("%upper = lshr i64 %bits, 32\n  store i64 %upper, ptr %other", 1),
        ("%behind = getelementptr i8, ptr %from, i64 4\n  %upper = load i32, ptr %behind", 1),
        ("call void @llvm.memcpy.p0.p0.i64(ptr %other, ptr %from, i64 7, i1 false)", 1),
        ("call void @llvm.memcpy.p0.p0.i64(ptr %other, ptr %from, i64 8, i1 false)", 0),
    ],
)
def test_key_where_a_pointer_may_lie_is_no_part_of_one(low, rest, refused):
    m = Model(KEY.replace("LOW", str(low)).replace("REST", rest))
    assert len(cut_addresses(m.module, {m.function: m.memory})) == refused


WALK = f"""{HEAD}
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %i.next, %loop ]
  %j = phi i64 [ 0, %0 ], [ %j.next, %loop ]
  %target = getelementptr i8, ptr %to, i64 TARGET
  %source = getelementptr i8, ptr %to, i64 %i
  %byte = load i8, ptr %source
  store i8 %byte, ptr %target
  %less = icmp PREDICATE i8 %byte, 7
  %one = zext i1 %less to i64
  %j.next = add i64 %j, %one
  %i.next = add i64 %i, 1
  %turned = sub i64 15, %i
  %more = icmp ult i64 %i.next, 16
  br i1 %more, label %loop, label %out
out:
  {USED}"""


@pytest.mark.parametrize(
    ("target", "predicate", "refused"),
    [
        ("%i", "ult", 1),
        ("%j", "eq", 1),  # as bytes are left out
        ("%j", "ult", 0),  # as bytes are sorted
        ("%turned", "eq", 0),
    ],
)
def test_bytes_that_are_sorted_or_turned_round_are_no_parts(target, predicate, refused):
    text = WALK.replace("TARGET", target).replace("PREDICATE", predicate)
    text = text.replace("  %turned = sub i64 15, %i\n", "").replace(
        "  %target", "  %turned = sub i64 15, %i\n  %target"
    )
    m = Model(text)
    assert len(cut_addresses(m.module, {m.function: m.memory})) == refused


NODES = f"""{HEAD}
  br label %loop
loop:
  %node = phi ptr [ %from, %0 ], [ %parent, %loop ]
  %i = load i64, ptr %other
  %source = getelementptr i8, ptr %to, i64 %i
  %byte = load i8, ptr %source
  %keys = getelementptr i8, ptr BASE, i64 8
  %target = getelementptr i8, ptr %keys, i64 %i
  store i8 %byte, ptr %target
  %parent = load ptr, ptr %node
  %kept = load ptr, ptr %keys
  %used = load double, ptr %kept
  %last = icmp eq ptr %parent, null
  br i1 %last, label %out, label %loop
out:
  {USED}"""


@pytest.mark.parametrize(("base", "refused"), [("%node", 0), ("%from", 1)])
def test_one_byte_of_each_node_is_no_walk(base, refused):
    m = Model(NODES.replace("BASE", base))
    assert len(cut_addresses(m.module, {m.function: m.memory})) == refused
