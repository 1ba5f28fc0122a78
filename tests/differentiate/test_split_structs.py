"""Structs with words are read and written member by member."""

from __future__ import annotations

from enzyme_build.differentiate.split_structs import split_structs
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module

TEXT = """
define i64 @f(ptr %p, ptr %q, ptr %x, i64 %n) {
  %whole = load TYPE, ptr %p, align 8
  %word = extractvalue TYPE %whole, 1
  %first = insertvalue TYPE poison, ptr %x, 0
  %made = insertvalue TYPE %first, i64 %n, 1
  store TYPE %made, ptr %q, align 4
  store TYPE %whole, ptr %x, align 8
  ret i64 %word
}
"""


def accesses(text: str) -> list[tuple[str, str, int]]:
    module = parse_module(text)
    function = module.function("f")
    split_structs(module.layout, function)
    assert not check_function(module, function)
    return [
        ("load", i.type.text, i.align) if isinstance(i, ir.Load) else ("store", i.value.type.text, i.align)
        for i in function.instructions()
        if isinstance(i, ir.Load | ir.Store)
    ]


def test_each_member_is_read_and_written():
    assert accesses(TEXT.replace("TYPE", "{ ptr, i64 }")) == [
        ("load", "ptr", 8),
        ("load", "i64", 8),
        ("store", "ptr", 4),
        ("store", "i64", 4),
        ("store", "ptr", 8),
        ("store", "i64", 8),
    ]


def test_structs_put_together_are_gone():
    module = parse_module(TEXT.replace("TYPE", "{ ptr, i64 }"))
    function = module.function("f")
    split_structs(module.layout, function)
    assert not any(isinstance(i, ir.InsertValue | ir.ExtractValue) for i in function.instructions())


def test_structs_without_words_and_volatile_ones_stay():
    text = "define void @f(ptr %p, ptr %q) {{\n  %v = load {0}\n  store {1}\n  ret void\n}}"
    assert accesses(text.format("{ ptr, double }, ptr %p", "{ ptr, double } %v, ptr %q")) == [
        ("load", "{ ptr, double }", 0),
        ("store", "{ ptr, double }", 0),
    ]
    (first, *_) = accesses(text.format("volatile { ptr, i64 }, ptr %p", "volatile { ptr, i64 } %v, ptr %q"))
    assert first == ("load", "{ ptr, i64 }", 0)


def test_alignment_of_members():
    type_ = "{ i32, i64, float }"
    text = f"define void @f(ptr %p, {type_} %v) {{\n  store {type_} %v, ptr %p, align 16\n  ret void\n}}"
    assert accesses(text) == [("store", "i32", 16), ("store", "i64", 8), ("store", "float", 16)]
