"""Merges of numbers that are counts at times become merges of words."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.counted_numbers import counts, only_counts, words_for_numbers
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.types import DOUBLE, I64

FOLD = """
define double @f(double %x, i64 %n, i1 %c) {{
entry:
  br label %loop
loop:
  %v = phi double [ {first}, %entry ], [ %next, %merge ]
  br i1 %c, label %count, label %number
count:
  %bits = bitcast double %v to i64
  %k = {operation}
  %counted = bitcast i64 %k to double
  br label %merge
number:
  %y = fmul double %v, %x
  br label %merge
merge:
  %next = phi double [ %counted, %count ], [ %y, %number ]
  %again = icmp slt i64 %n, 5
  br i1 %again, label %loop, label %exit
exit:
  ret double %next
}}
"""


def retyped(text: str):
    module = parse_module(text)
    function = module.function("f")
    words_for_numbers(function)
    return {i.name: i.type for i in function.instructions() if isinstance(i, ir.Phi)}, function


@pytest.mark.parametrize(
    "operation",
    ["mul i64 %bits, %n", "and i64 %bits, %n", "shl i64 %bits, 3", "xor i64 %bits, -1", "and i64 %bits, 255"],
)
def test_a_count_among_numbers_is_a_word(operation):
    phis, function = retyped(FOLD.format(first="0x0000000000000007", operation=operation))
    assert phis == {"v": I64, "next": I64}
    first = next(i for i in function.instructions() if i.name == "v")
    assert isinstance(first, ir.Phi)
    assert first.operands[0].text == "7"
    # Where the number was used, its bits are one again.
    product = next(i for i in function.instructions() if i.name == "y")
    assert product.operands[0].type is DOUBLE
    assert product.operands[0].operands[0] is first
    # The bits that were taken of the number are the word itself.
    assert all(i.name != "bits" for i in function.instructions())


@pytest.mark.parametrize(
    "operation",
    [
        "and i64 %bits, 9223372036854775807",  # the absolute value
        "xor i64 %bits, -9223372036854775808",  # another sign
        "add i64 %bits, 4503599627370496",  # twice as much
        "lshr i64 %bits, 52",  # the exponent
    ],
)
def test_tricks_with_the_bits_of_numbers_are_left(operation):
    phis, _ = retyped(FOLD.format(first="1.0", operation=operation))
    assert phis == {"v": DOUBLE, "next": DOUBLE}


def test_what_counts():
    module = parse_module("""
declare i64 @llvm.smax.i64(i64, i64)
define void @f(i64 %a, i64 %b, double %x) {
  %yes.1 = sub i64 %a, 3
  %yes.2 = fptosi double %x to i64
  %yes.3 = call i64 @llvm.smax.i64(i64 %a, i64 %b)
  %no.1 = sub i64 %a, 9007199254740992
  %no.2 = fmul double %x, %x
  %no.3 = shl i64 %a, 12
  ret void
}""")
    told = {i.name: counts(i) for i in module.function("f").instructions() if i.name}
    assert told == {name: name.startswith("yes") for name in told}
    assert len(told) == 6


def test_what_merges_nothing_but_counts():
    module = parse_module("""
define i64 @f(i64 %a, ptr %p, i1 %c) {
entry:
  br label %loop
loop:
  %counter = phi i64 [ 0, %entry ], [ %same, %loop ]
  %next = add i64 %counter, 1
  %same = select i1 %c, i64 %counter, i64 %next
  %word = load i64, ptr %p
  %stored = select i1 %c, i64 %word, i64 %counter
  %given = phi i64 [ %a, %entry ], [ %next, %loop ]
  %constants = select i1 %c, i64 1, i64 2
  br i1 %c, label %loop, label %exit
exit:
  ret i64 %stored
}""")
    told = {i.name for i in module.function("f").instructions() if only_counts(i)}
    assert told == {"counter", "same"}
