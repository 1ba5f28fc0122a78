"""Which bits of its operands an integer is made of: never fewer than flipping them shows."""

from __future__ import annotations

import random

import pytest

from enzyme_build.analysis.bits import counter, known_zero, never_negative
from enzyme_build.analysis.number_places import Sure
from enzyme_build.analysis.used_bits import used_bits

from .interpret import Run
from .models import Model
from .test_bitflow import sure


def result(m: Model, *arguments: int) -> int:
    run = Run(m.function, arguments)
    run.run()
    return run.result


FULL = (1 << 16) - 1
OPERATIONS = [
    ("or i16 %a, %b", True), ("xor i16 %a, %b", True), ("and i16 %a, 240", True), ("and i16 %a, %b", True),
    ("add i16 %a, %b", True), ("sub i16 %a, %b", True), ("mul i16 %a, %b", True), ("shl i16 %a, 5", True),
    ("lshr i16 %a, 5", True), ("ashr i16 %a, 5", True), ("udiv i16 %a, 3", True), ("shl i16 %a, %b", False),
    ("trunc i16 %a to i8", True), ("sext i16 %a to i32", True), ("zext i16 %a to i32", True),
]  # fmt: skip


@pytest.mark.parametrize(("operation", "runs"), OPERATIONS)
def test_bits_that_change_a_result_are_used(operation, runs):
    width = 8 if "i8" in operation else 32 if "i32" in operation else 16
    m = Model(f"define i{width} @f(i16 %a, i16 %b) {{\n  %r = {operation}\n  ret i{width} %r\n}}")
    pick = random.Random(operation)
    for bits in (1, 1 << (width - 1), 0xF0, (1 << width) - 1, 0x30):
        used = dict(used_bits(m["r"], bits))
        if not runs:
            assert used[m["b"]] == -1
            continue
        for _ in range(60):
            a, b = pick.randint(0, FULL), pick.randint(0, FULL)
            before = result(m, a, b)
            for operand, (x, y) in ((m["a"], (1, 0)), (m["b"], (0, 1))):
                flip = 1 << pick.randrange(16)
                after = result(m, a ^ flip * x, b ^ flip * y)
                if (before ^ after) & bits:
                    assert used.get(operand, 0) & flip


WORD = """
define float @f(ptr %p, float %x, i32 %n) {
  %cell = alloca i32, align 4
  store float %x, ptr %cell, align 4
  %low = load i32, ptr %cell, align 4
  %wide = zext i32 %low to i64
  %bits = bitcast float %x to i32
  %high = zext i32 %bits to i64
  %up = shl i64 %high, 32
  %word = or i64 %up, %wide
  %down = lshr i64 %word, SHIFT
  %end = trunc i64 %down to i32
  %number = bitcast i32 %end to float
  ret float %number
}"""


@pytest.mark.parametrize(("shift", "expected"), [(32, Sure.NO), (0, Sure.YES), (16, Sure.YES)])
def test_what_lies_beside_a_number_does_not_come_along(shift, expected):
    assert sure(Model(WORD.replace("SHIFT", str(shift))), "low") is expected


COUNTER = """
define i64 @f(i64 %n, i64 %any, i32 %small) {
entry:
  %wide = zext i32 %small to i64
  br label %loop
loop:
  %i = phi i64 [ START, %entry ], [ %next, %loop ]
  %next = add FLAGS i64 %i, STEP
  %stop = icmp eq i64 %next, %n
  br i1 %stop, label %out, label %loop
out:
  ret i64 %i
}"""


@pytest.mark.parametrize(
    ("start", "flags", "step", "expected"),
    [("0", "nuw nsw", "1", True), ("%wide", "nsw", "%wide", True), ("0", "nuw", "1", False),
     ("%any", "nsw", "1", False),     ("0", "nsw", "-1", False), ("-1", "nsw", "1", False)],
)  # fmt: skip
def test_counters_without_sign(start, flags, step, expected):
    text = COUNTER.replace("START", start).replace("FLAGS", flags).replace("STEP", step)
    assert never_negative(Model(text)["i"]) is expected


@pytest.mark.parametrize(
    ("start", "flags", "end", "expected"),
    [("0", "nuw", "%wide", True), ("0", "", "%wide", False), ("5", "nuw", "%wide", False), ("0", "nuw", "%n", False)],
)
def test_a_counter_is_not_greater_than_the_end_of_its_loop(start, flags, end, expected):
    text = COUNTER.replace("START", start).replace("FLAGS", flags).replace("STEP", "1")
    high = known_zero(Model(text.replace("icmp eq i64 %next, %n", f"icmp eq i64 %next, {end}"))["i"]) >> 32
    assert (high == (1 << 32) - 1) is expected


@pytest.mark.parametrize(
    ("start", "flags", "step", "test", "expected"),
    [
        ("0", "nsw", "1", "slt i64 %next, %signed", (1 << 33) - 1),
        ("5", "nsw", "3", "slt i64 %next, %signed", (1 << 33) - 1),
        ("0", "nuw", "1", "ult i64 %next, %wide", (1 << 32) - 1 << 1),
        ("0", "nuw", "1", "slt i64 %next, %signed", 0),  # 2^63 is below it
        ("0", "nsw", "1", "ult i64 %next, %signed", 0),
        ("0", "nsw", "1", "ult i64 %next, %wide", 0),
        ("0", "nsw", "1", "slt i64 %next, %n", 1 << 32),
        ("-1", "nsw", "1", "slt i64 %next, %signed", 0),
        ("0", "nsw", "-1", "slt i64 %next, %signed", 0),
        ("0", "nsw", "1", "slt i64 %i, %signed", 0),
        ("0", "nsw", "1", "sgt i64 %next, %signed", 0),
        ("8589934592", "nsw", "1", "slt i64 %next, %signed", (1 << 30) - 1 << 3),
    ],
)
def test_a_counter_stays_below_the_end_of_its_loop(start, flags, step, test, expected):
    text = COUNTER.replace("START", start).replace("FLAGS", flags).replace("STEP", step)
    text = text.replace("icmp eq i64 %next, %n", f"icmp {test}").replace("%out, label %loop", "%loop, label %out")
    model = Model(text.replace("  br label %loop\nloop", "  %signed = sext i32 %small to i64\n  br label %loop\nloop"))
    assert known_zero(model["i"]) >> 31 == expected


GUARDED = """
define i64 @f(i32 %n, i1 %c) {
entry:
  %guard = icmp GUARD
  br i1 %guard, label %ahead, label %none
ahead:
  %wide = zext i32 %n to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %ahead ], [ %next, %latch ]
  %next = add nuw nsw i64 %i, 1
  br i1 %c, label %latch, label %none
latch:
  %stop = icmp eq i64 %next, %wide
  br i1 %stop, label %none, label %loop
none:
  ret i64 0
}"""


@pytest.mark.parametrize(
    ("guard", "expected"),
    [("sgt i32 %n, 0", True), ("ne i32 %n, 0", True), ("sgt i32 %n, 1", False), ("eq i32 %n, 0", False),
     ("slt i32 %n, 1", False), ("uge i32 %n, 1", True), ("sge i32 %n, 0", False)],
)  # fmt: skip
def test_a_loop_with_several_ways_out_is_entered_where_its_end_is_not_zero(guard, expected):
    """If it is zero the counter goes on until another way out is taken."""
    high = known_zero(Model(GUARDED.replace("GUARD", guard))["i"]) >> 32
    assert (high == (1 << 32) - 1) is expected


@pytest.mark.parametrize(
    ("aside", "expected"),
    [("br label %latch", True), ("br i1 %c, label %latch, label %none", False), ("unreachable", False),
     ("br i1 %c, label %latch, label %loop", False)],
)  # fmt: skip
def test_a_loop_with_one_way_out_counts_to_its_end(aside, expected):
    text = GUARDED.replace("GUARD", "sgt i32 %n, 1").replace(
        "%guard, label %ahead, label %none", "%c, label %ahead, label %none"
    )
    text = text.replace(
        "br i1 %c, label %latch, label %none", f"br i1 %c, label %latch, label %aside\naside:\n  {aside}"
    )
    if aside.endswith("%loop"):
        text = text.replace("[ %next, %latch ]", "[ %next, %latch ], [ 7, %aside ]")
    high = known_zero(Model(text)["i"]) >> 32
    assert (high == (1 << 32) - 1) is expected


def test_an_end_that_changes_is_none():
    text = COUNTER.replace("START", "0").replace("FLAGS", "nuw").replace("STEP", "1")
    inside = "  %end = zext i32 %less to i64\n  %less = trunc i64 %i to i32\n".splitlines(keepends=True)
    text = text.replace("  %stop =", inside[1] + inside[0] + "  %stop =").replace(
        "eq i64 %next, %n", "eq i64 %next, %end"
    )
    assert known_zero(Model(text)["i"]) == 0


SEVERAL = """
define i64 @f(i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %again ]
  br i1 %c, label %a, label %b
a:
  %more = add nuw i64 %i, 1
  %stop = icmp eq i64 %more, 3
  br i1 %stop, label %out, label %again
b:
  %other = add nuw i64 %i, 1
  %end = icmp eq i64 %other, ENDS
  br i1 %end, label %out, label %again
again:
  %next = phi i64 [ %more, %a ], [ %other, %b ]
  br label %loop
out:
  ret i64 %i
}"""


@pytest.mark.parametrize(("ends", "expected"), [("3", (0, 3, 1)), ("4", None)])
def test_a_counter_of_a_loop_that_goes_on_from_several_blocks(ends, expected):
    m = Model(SEVERAL.replace("ENDS", ends))
    assert counter(m["i"]) == expected


def test_low_bits_of_a_difference():
    m = Model(
        "define i64 @f(i64 %a, i64 %b) {\n  %x = shl i64 %a, 8\n  %y = shl i64 %b, 4\n  %d = sub i64 %x, %y\n"
        "  ret i64 %d\n}"
    )
    assert known_zero(m["d"]) == 15


CHOSEN = """
define i64 @f(i64 %word, i1 %flag, i64 %n) {
entry:
  %masked = and i64 %word, 4294967296
  br i1 %flag, label %then, label %out
then:
  br label %out
out:
  %phi = phi i64 [ %masked, %entry ], [ 8589934592, %then ]
  %both = select i1 %flag, i64 %phi, i64 5
  %rest = srem i64 %phi, %n
  %any = select i1 %flag, i64 %word, i64 5
  ret i64 %both
}"""


def test_bits_that_are_zero_in_all_that_branches_choose_among():
    m, everything = Model(CHOSEN), (1 << 64) - 1
    assert known_zero(m["phi"]) == everything & ~(3 << 32)
    assert known_zero(m["both"]) == everything & ~(3 << 32 | 5)


@pytest.mark.parametrize(("name", "expected"), [("phi", True), ("both", True), ("rest", True), ("any", False)])
def test_choices_without_sign(name, expected):
    assert never_negative(Model(CHOSEN)[name]) is expected


MEMBERS = """
declare void @use(i32)
define internal { i32, i32 } @g(float %x) {
  %n = fptosi float %x to i32
  %bits = bitcast float %x to i32
  %one = insertvalue { i32, i32 } poison, i32 %bits, 0
  %both = insertvalue { i32, i32 } %one, i32 %n, 1
  ret { i32, i32 } %both
}
define float @f(float %x) {
  %pair = call { i32, i32 } @g(float %x)
  %member = extractvalue { i32, i32 } %pair, AT
  %number = bitcast i32 %member to float
  ret float %number
}"""


@pytest.mark.parametrize(("at", "expected"), [("0", Sure.YES), ("1", Sure.NO)])
def test_members_of_what_is_returned(at, expected):
    assert sure(Model(MEMBERS.replace("AT", at)), "member") is expected
