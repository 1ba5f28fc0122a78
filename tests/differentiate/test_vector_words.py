"""Vectors of integers that move numbers are vectors of numbers in the model."""

from __future__ import annotations

from enzyme_build.differentiate.vector_words import numbers_for_vectors
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.parts import mask_lanes


def rewritten(text: str) -> dict[str, ir.Instruction]:
    """The named instructions of `f` in its model."""
    module = parse_module(text)
    function = module.function("f")
    numbers_for_vectors(function)
    assert not check_function(module, function)
    return {i.name: i for i in function.instructions() if i.name}


def test_load_that_is_cast_twice():
    found = rewritten("""
define <2 x double> @f(ptr %p) {
  %v = load <4 x i32>, ptr %p, align 16
  %a = bitcast <4 x i32> %v to <2 x double>
  %b = bitcast <4 x i32> %v to <2 x double>
  %r = fadd <2 x double> %a, %b
  ret <2 x double> %r
}""")
    assert found["v"].type.text == "<2 x double>"
    assert found["r"].operands == [found["v"], found["v"]]


def test_integers_of_a_load_are_cast_from_its_numbers():
    found = rewritten("""
define <4 x i32> @f(ptr %p, ptr %q) {
  %v = load <4 x i32>, ptr %p
  %a = bitcast <4 x i32> %v to <2 x double>
  store <2 x double> %a, ptr %q
  %n = add <4 x i32> %v, splat (i32 1)
  ret <4 x i32> %n
}""")
    word = found["n"].operands[0]
    assert isinstance(word, ir.Cast)
    assert word.operands[0] is found["v"]


def test_merges_and_stores():
    module = parse_module("""
define void @f(ptr %p, i1 %c, <2 x double> %x) {
entry:
  br i1 %c, label %a, label %b
a:
  %v = load <2 x i64>, ptr %p
  br label %b
b:
  %m = phi <2 x i64> [ zeroinitializer, %entry ], [ %v, %a ]
  %w = bitcast <2 x double> %x to <2 x i64>
  %s = select i1 %c, <2 x i64> %m, <2 x i64> %w
  store <2 x i64> %s, ptr %p
  ret void
}""")
    function = module.function("f")
    numbers_for_vectors(function)
    assert not check_function(module, function)
    stored = [i.value.type.text for i in function.instructions() if isinstance(i, ir.Store)]
    assert stored == ["<2 x double>"]


def test_shuffles_of_other_widths():
    """Pairs of halves are lanes; lanes that are torn are integers."""
    text = """
define <2 x double> @f(<2 x double> %x) {
  %w = bitcast <2 x double> %x to <4 x i32>
  %s = shufflevector <4 x i32> %w, <4 x i32> poison, <4 x i32> <i32 MASK>
  %r = bitcast <4 x i32> %s to <2 x double>
  ret <2 x double> %r
}"""
    whole = rewritten(text.replace("MASK", "2, i32 3, i32 0, i32 1"))["s"]
    assert whole.type.text == "<2 x double>"
    assert mask_lanes(whole) == [1, 0]
    assert rewritten(text.replace("MASK", "1, i32 2, i32 0, i32 1"))["s"].type.text == "<4 x i32>"


def test_wide_lanes_are_several_numbers():
    found = rewritten("""
define <4 x float> @f(<4 x float> %x) {
  %w = bitcast <4 x float> %x to <2 x i64>
  %s = shufflevector <2 x i64> %w, <2 x i64> poison, <2 x i32> <i32 1, i32 poison>
  %r = bitcast <2 x i64> %s to <4 x float>
  ret <4 x float> %r
}""")
    assert mask_lanes(found["s"]) == [2, 3, None, None]


def test_vectors_used_as_numbers_of_two_types_stay_integers():
    found = rewritten("""
define <2 x double> @f(ptr %p, ptr %q) {
  %v = load <4 x i32>, ptr %p
  %a = bitcast <4 x i32> %v to <2 x double>
  %b = bitcast <4 x i32> %v to <4 x float>
  store <4 x float> %b, ptr %q
  ret <2 x double> %a
}""")
    assert found["v"].type.text == "<4 x i32>"


LAST_BYTES = ", ".join(f"i32 {at}" for at in range(8, 24))


def test_shuffles_at_three_widths_move_the_same_numbers():
    found = rewritten(f"""
define <2 x double> @f(<2 x double> %x) {{
  %a = bitcast <2 x double> %x to <4 x i32>
  %s = shufflevector <4 x i32> %a, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 1>
  %b = bitcast <4 x i32> %s to <2 x i64>
  %t = shufflevector <2 x i64> %b, <2 x i64> poison, <2 x i32> <i32 1, i32 1>
  %c = bitcast <2 x i64> %t to <16 x i8>
  %u = shufflevector <16 x i8> %c, <16 x i8> zeroinitializer, <16 x i32> <{LAST_BYTES}>
  %r = bitcast <16 x i8> %u to <2 x double>
  ret <2 x double> %r
}}""")
    assert [found[name].type.text for name in "stu"] == ["<2 x double>"] * 3
    assert found["t"].operands[0] is found["s"]
    assert found["u"].operands[0] is found["t"]
