"""Words with numbers are computed piece by piece, and mean the same."""

from __future__ import annotations

import ctypes
import random
import struct

import pytest

from enzyme_build.differentiate.word_pieces import Words
from enzyme_build.differentiate.words_apart import words_apart
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_function
from enzyme_build.ir.types import FLOAT

from .jit import Compiled

LAYOUT = 'target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"\n'


def apart(text: str, name: str = "f") -> str:
    """The function with its words taken apart."""
    module = parse_module(LAYOUT + text)
    words_apart(module, [module.function(known.name) for known in module.functions if module.is_defined(known.name)])
    function = module.function(name)
    assert not check_function(module, function)
    return print_function(function)


CHANGED = """
define void @f(ptr %p) {
  %word = load i64, ptr %p, align 8
  %more = add i64 %word, 1
  %high = lshr i64 %word, 32
  %bits = trunc i64 %high to i32
  %w = bitcast i32 %bits to float
  %square = fmul float %w, %w
  %low = and i64 %more, 4294967295
  %new = bitcast float %square to i32
  %wide = zext i32 %new to i64
  %up = shl nuw i64 %wide, 32
  %both = or disjoint i64 %up, %low
  store i64 %both, ptr %p, align 8
  ret void
}"""


def test_an_integer_beside_a_number_is_changed_by_itself():
    text = apart(CHANGED)
    assert "i64 %" not in text  # no word is left
    assert "load float, ptr" in text
    assert "store float %square, ptr" in text
    assert "= add i32 %" in text


MASKED = """
define i64 @f(i64 %word) {
  %high = lshr i64 %word, 32
  %bits = trunc i64 %high to i32
  %w = bitcast i32 %bits to float
  %square = fmul float %w, %w
  %new = bitcast float %square to i32
  %wide = zext i32 %new to i64
  %up = shl nuw i64 %wide, 32
  %down = lshr i64 %word, 13
  %field = and i64 %down, 520192
  %both = or disjoint i64 %up, %field
  ret i64 %both
}"""


def test_bits_that_nobody_uses_are_not_taken_along():
    # Shifted down by 13, the lower half has bits of the number, of which the mask leaves none.
    text = apart(MASKED)
    assert "shl i32" not in text
    assert "lshr i32" in text


EXCHANGED = """
declare i64 @llvm.fshl.i64(i64, i64, i64)
define i64 @f(i64 %word) {
  %bits = trunc i64 %word to i32
  %w = bitcast i32 %bits to float
  %square = fmul float %w, %w
  %new = bitcast float %square to i32
  %wide = zext i32 %new to i64
  %other = xor i64 %word, -1
  %both = call i64 @llvm.fshl.i64(i64 %wide, i64 %other, i64 32)
  ret i64 %both
}"""


def test_members_that_change_places():
    text = apart(EXCHANGED)
    assert "fshl.i64(" not in text
    assert "xor i32" in text
    assert "xor i64" not in text


ODD = """
define void @f(ptr %p, ptr %q) {
  %word = load i48, ptr %p, align 8
  %wide = zext i48 %word to i64
  %bits = trunc i64 %wide to i32
  %w = bitcast i32 %bits to float
  %more = add i64 %wide, 4294967296
  %narrow = trunc i64 %more to i48
  store i48 %narrow, ptr %q, align 8
  ret void
}"""


def test_integers_of_odd_sizes_are_read_and_written_in_parts():
    text = apart(ODD)
    assert "i48, ptr" not in text
    assert "store i48" not in text
    assert "store float" in text
    assert "store i16" in text


DECLARED = """
%struct.S = type { float, i8, i8 }
%union.U = type { float, [4 x i8] }
define void @f(ptr %p, i64 %i) {
  %local = alloca TYPE, align 8
  %word = load i64, ptr %local, align 8
  %more = add i64 %word, 4294967296
  store i64 %more, ptr %p, align 8
  ret void
}"""


@pytest.mark.parametrize(("type_", "known"), [("%struct.S", True), ("%union.U", False), ("i64", False)])
def test_what_a_struct_declares_is_known(type_, known):
    assert ("load float" in apart(DECLARED.replace("TYPE", type_))) is known


def test_alignment_of_pieces():
    text = apart(CHANGED)
    assert "load i32, ptr %p, align 8" in text
    assert "align 4" in text


def test_words_as_a_whole_are_put_together():
    text = apart(CHANGED.replace("ret void", "call void @g(i64 %both)\n  ret void") + "\ndeclare void @g(i64)\n")
    assert "or disjoint i64" in text
    assert "call void @g(i64 %" in text


def test_volatile_words_stay():
    assert "load volatile i64" in apart(CHANGED.replace("load i64", "load volatile i64"))


PASSED = """
define internal i64 @g(i64 %word) {
  %bits = trunc i64 %word to i32
  %w = bitcast i32 %bits to float
  %twice = fadd float %w, %w
  %new = bitcast float %twice to i32
  %wide = zext i32 %new to i64
  %count = and i64 %word, -4294967296
  %both = or disjoint i64 %wide, %count
  ret i64 %both
}
define void @f(ptr %p) {
  %word = load i64, ptr %p, align 8
  %new = call i64 @g(i64 %word)
  store i64 %new, ptr %p, align 8
  ret void
}"""


def test_callers_and_callees_tell_each_other_what_is_a_number():
    text = apart(PASSED)
    assert "load float, ptr %p, align 8" in text
    assert "store float %" in text
    assert "store i32 %" in text


def test_numbers_of_one_width_are_told_by_casts():
    module = parse_module(LAYOUT + CHANGED)
    words = Words(module.function("f"), 32, {})
    named = {(word.name, at) for (word, at), type_ in words.numbers.items() if type_ is FLOAT}
    assert {("word", 1), ("high", 0), ("wide", 0), ("up", 1), ("both", 1)} <= named
    assert all(at == 1 for name, at in named if name in {"word", "up", "both"})
    assert "more" not in {name for name, _ in named}


def test_what_could_carry_into_a_number_is_no_move():
    module = parse_module(LAYOUT + CHANGED.replace("lshr i64 %word", "lshr i64 %more"))
    function = module.function("f")
    words = Words(function, 32, {})
    more = next(i for i in function.instructions() if isinstance(i, ir.Binary) and i.name == "more")
    assert words.is_open(more, 0)
    assert not words.is_open(more, 1)


@pytest.mark.parametrize(
    ("sign", "zero"),
    [("%n = zext i8 %a to i64", True), ("%n = and i64 %word, -9223372036854775808", False)],
)
def test_a_sign_beside_a_number_is_kept(sign, zero):
    """`or disjoint` with the bits of a number whose sign is known does not make the other operand's sign zero."""
    text = f"""
define i64 @f(i64 %word, float %x, i8 %a) {{
  {sign}
  %bits = bitcast float %x to i32
  %wide = zext i32 %bits to i64
  %up = shl nuw i64 %wide, 32
  %both = or disjoint i64 %up, %n
  ret i64 %both
}}"""
    function = parse_module(LAYOUT + text).function("f")
    words = Words(function, 32, {})
    values = {i.name: i for i in function.instructions()}
    assert words.is_zero(values["n"], 1, values["both"]) is zero


ELEMENTS = """
%struct.P = type { float, i32 }
%struct.U = type { %union.number, i32 }
%union.number = type { float }
define void @f(ptr %p, i64 %i) {
  %at = getelementptr inbounds nuw %struct.P, ptr %p, i64 %i
  %word = load i64, ptr %at, align 4
  %more = add i64 %word, 4294967296
  store i64 %more, ptr %at, align 4
  ret void
}"""


def test_a_struct_declares_numbers_that_nobody_uses():
    text = apart(ELEMENTS)
    assert "load float, ptr %at, align 4" in text
    assert "add i32" in text
    assert "!enzyme.member" in text


INTEGERS = """
%struct.P = type { double, i32, i32 }
%struct.U = type { double, %union.number }
%union.number = type { i32, i32 }
define void @f(ptr %p, i64 %i) {
  %at = getelementptr inbounds nuw %struct.P, ptr %p, i64 %i
  %behind = getelementptr inbounds nuw i8, ptr %at, i64 8
  %word = load i64, ptr %behind, align 8
  store i64 %word, ptr %at, align 8
  ret void
}"""


def test_words_of_declared_integers_are_marked():
    load, store = (
        line for line in apart(INTEGERS).splitlines() if "i64" in line and ("load" in line or "store" in line)
    )
    assert "!enzyme.member" in load
    assert "!enzyme.member" not in store  # there a number is declared
    assert "!enzyme.member" not in apart(INTEGERS.replace("%struct.P, ptr", "%struct.U, ptr"))


def test_variables_of_integers_declare_nothing():
    """The optimiser makes such of any bytes that are moved."""
    text = apart("""
define i64 @f(ptr %p) {
  %v = alloca i64, align 8
  %both = alloca { i64, i64 }, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %v, ptr %p, i64 8, i1 false)
  %word = load i64, ptr %v, align 8
  store i64 %word, ptr %both, align 8
  ret i64 %word
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
""")
    assert "load i64" in text
    assert "!enzyme.member" not in text


def test_a_union_declares_nothing():
    assert "load i64" in apart(ELEMENTS.replace("%struct.P, ptr", "%struct.U, ptr"))


# The same results ---------------------------------------------------------------------------------------------------

CONSTANTS = (1, 7, -1, 1 << 32, (1 << 32) - 1, -(1 << 32), 3 << 30, 255 << 24, 1 << 63)


def random_function(seed: int) -> str:
    """Words put together of numbers and integers, computed with in two blocks and a loop, and written to memory."""
    pick = random.Random(seed)
    lines = [
        "%b0 = bitcast float %x to i32", "%z0 = zext i32 %b0 to i64", f"%s0 = shl i64 %z0, {pick.choice((0, 32))}",
        "%z1 = zext i32 %n to i64", f"%s1 = shl i64 %z1, {pick.choice((0, 0, 32, 8))}", "%w = or i64 %s0, %s1",
        "%m = load i64, ptr %p, align 8",
    ]  # fmt: skip
    words = ["%w", "%m", "%word", "%s1"]
    for number in range(pick.randint(4, 12)):
        a, b = pick.choice(words), pick.choice([*words, *map(str, CONSTANTS)])
        op = pick.choice(("or", "and", "xor", "add", "sub", "mul", "shl", "lshr", "ashr", "select", "sext", "freeze",
                          "funnel", "odd", "masked"))  # fmt: skip
        if op in {"shl", "lshr", "ashr"}:
            lines.append(f"%v{number} = {op} i64 {a}, {pick.choice((32, 32, 8, 40, 1, 63))}")
        elif op == "select":
            lines.append(f"%v{number} = select i1 %flag, i64 {a}, i64 {b}")
        elif op == "sext":
            lines += [f"%t{number} = trunc i64 {a} to i{(width := pick.choice((8, 16, 32)))}"]
            lines += [f"%v{number} = {pick.choice(('sext', 'zext'))} i{width} %t{number} to i64"]
        elif op == "funnel":
            call = f"call i64 @llvm.{pick.choice(('fshl', 'fshr'))}.i64"
            lines.append(f"%v{number} = {call}(i64 {a}, i64 {b}, i64 {pick.choice((0, 32, 16, 8, 7, 64, 41))})")
        elif op == "odd":
            lines += [f"%t{number} = trunc i64 {a} to i{(width := pick.choice((40, 48, 56)))}"]
            lines += [f"store i{width} %t{number}, ptr %p, align 4", f"%l{number} = load i{width}, ptr %p, align 8"]
            lines += [f"%v{number} = zext i{width} %{pick.choice('tl')}{number} to i64"]
        elif op == "masked":  # fewer bits than a piece has
            lines += [f"%t{number} = {pick.choice(('lshr', 'mul', 'shl', 'add'))} i64 {a}, {pick.choice((8, 16, 12))}"]
            lines += [f"%v{number} = and i64 %t{number}, {pick.choice((255, 65280, 255 << 32, -65536))}"]
        elif op == "freeze":
            lines.append(f"%v{number} = freeze i64 {a}")
        else:
            lines.append(f"%v{number} = {op} i64 {a}, {b}")
        words.append(f"%v{number}")
    first, step = words[-1], pick.choice(CONSTANTS)
    ends = [
        "%end = trunc i64 %next to i32", "%low = bitcast i32 %end to float", f"%h = lshr i64 {pick.choice(words)}, 32",
        "%ht = trunc i64 %h to i32", "%high = bitcast i32 %ht to float", "store float %low, ptr %q, align 4",
        "%q1 = getelementptr i8, ptr %q, i64 4", "store float %high, ptr %q1, align 4",
    ]  # fmt: skip
    body, tail = "\n  ".join(lines), "\n  ".join(ends)
    return f"""
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i64 @llvm.fshr.i64(i64, i64, i64)
define i64 @f(i64 %word, ptr %p, ptr %q, float %x, i32 %n) {{
entry:
  %flag = icmp sgt i32 %n, 5
  {body}
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %phi = phi i64 [ {first}, %entry ], [ %next, %loop ]
  %next = {pick.choice(("add", "xor", "or", "and"))} i64 %phi, {step}
  store i64 %next, ptr %p, align 8
  %i1 = add i32 %i, 1
  %stop = icmp eq i32 %i1, 3
  br i1 %stop, label %out, label %loop
out:
  {tail}
  %equal = icmp ult i64 %next, {pick.choice(words[1:3])}
  %result = select i1 %equal, i64 %next, i64 {words[-2]}
  ret i64 %result
}}"""


def results(text: str) -> list[bytes]:
    """What the function returns and leaves in memory, for some arguments."""
    word, pointer = ctypes.c_uint64, ctypes.c_void_p
    function = Compiled(text, opt=0)("f", word, word, pointer, pointer, ctypes.c_float, ctypes.c_uint32)
    found = []
    for word, memory, x, n in (
        (0, 0, 1.5, 3),
        (1 << 63 | 5, (1 << 64) - 1, -2.25, 900),
        (0x3F8000007F, 77 << 33, 1e-40, 2**31),
    ):
        p, q = ctypes.create_string_buffer(struct.pack("<Q", memory), 8), ctypes.create_string_buffer(8)
        result = function(word, ctypes.addressof(p), ctypes.addressof(q), x, n)
        found.append(struct.pack("<Q", result) + p.raw + q.raw)
    return found


def test_random_words_mean_the_same():
    changed = 0
    for seed in range(150):
        text = random_function(seed)
        new = apart(text)
        changed += "trunc" in new and new.count("i32") > text.count("i32")
        assert results(text) == results(new), text
    assert changed > 50
