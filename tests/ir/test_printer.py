"""Names and numbers at print time."""

from __future__ import annotations

import pytest

from enzyme_build.errors import InternalError
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.function import Block, DebugRecord, Function, remove_instructions
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_function
from enzyme_build.ir.types import DOUBLE, I32, VOID, function_type
from enzyme_build.ir.values import Argument, const_float, const_int

from .reading import llvm_text


def function_of(*arguments: Argument) -> tuple[Function, Builder]:
    types = tuple(argument.type for argument in arguments)
    function = Function("f", "@f", function_type(DOUBLE, types), arguments)
    return function, Builder(function.add_block(Block()))


def test_unnamed_locals_are_numbered_in_order() -> None:
    x = Argument(DOUBLE, None, 0)
    function, builder = function_of(x)
    y = builder.fadd(x, x)
    following = function.add_block(Block())
    builder.jump(following)
    builder.block = following
    builder.ret(builder.fmul(y, y))
    assert print_function(function) == (
        "define double @f(double %0) {\n  %2 = fadd double %0, %0\n  br label %3\n\n3:\n"
        "  %4 = fmul double %2, %2\n  ret double %4\n}\n"
    )
    llvm_text(print_function(function))


def test_equal_hints_become_different_names() -> None:
    x = Argument(DOUBLE, "x", 0)
    function, builder = function_of(x)
    a = builder.fadd(x, x, name="x")
    b = builder.fadd(a, a, name="x")
    c = builder.fadd(b, b, name="x.1")
    builder.ret(c)
    text = print_function(function)
    assert "%x.1 = fadd double %x, %x\n" in text
    assert "%x.2 = fadd double %x.1, %x.1\n" in text
    assert "%x.1.1 = fadd double %x.2, %x.2\n" in text
    llvm_text(text)


@pytest.mark.parametrize("name", ["a b", "12", 'quote"d', "back\\slash", "umläut", "semi;colon", "$dollar"])
def test_odd_names_are_quoted(name: str) -> None:
    x = Argument(DOUBLE, name, 0)
    function, builder = function_of(x)
    builder.block.name = name
    builder.ret(builder.fadd(x, x, name=name))
    llvm_text(print_function(function))


def test_a_foreign_operand_is_an_internal_error() -> None:
    function, builder = function_of()
    builder.ret(builder.fadd(Argument(DOUBLE, "other", 0), const_float(DOUBLE, 0.0)))
    with pytest.raises(InternalError, match="other"):
        print_function(function)


def test_debug_records_follow_renaming() -> None:
    x = Argument(DOUBLE, "x", 0)
    function, builder = function_of(x)
    y = builder.fadd(x, x)
    builder.ret(y)
    builder.block.records = [DebugRecord(1, "#dbg_value(double {}, !{{}}, !DIExpression(), !2)", [y])]
    assert "    #dbg_value(double %1, !{}, !DIExpression(), !2)\n  ret double %1" in print_function(function)


def test_records_of_values_that_are_gone_vanish() -> None:
    x = Argument(DOUBLE, "x", 0)
    function, builder = function_of(x)
    y = builder.fadd(x, x)
    builder.ret(x)
    builder.block.records = [DebugRecord(1, "#dbg_value(double {}, !1, !DIExpression(), !2)", [y])]
    builder.block.instructions.remove(y)
    assert "#dbg" not in print_function(function)


def test_records_stay_behind_phis() -> None:
    x = Argument(DOUBLE, "x", 0)
    function, builder = function_of(x)
    builder.block.records = [DebugRecord(0, "#dbg_value(double {}, !1, !DIExpression(), !2)", [x])]
    builder.ret(builder.phi(DOUBLE, "p"))
    assert "  %p = phi double \n    #dbg_value(double %x" in print_function(function)


def test_a_switch_is_printed_over_several_lines() -> None:
    k = Argument(I32, "k", 0)
    function = Function("f", "@f", function_type(VOID, (I32,)), [k])
    builder = Builder(function.add_block(Block("entry")))
    leave = function.add_block(Block("leave"))
    builder.switch(k, leave, [(const_int(I32, -1), leave)])
    builder.block = leave
    builder.ret()
    assert "switch i32 %k, label %leave [\n    i32 -1, label %leave\n  ]\n" in print_function(function)
    llvm_text(print_function(function))


ASSUMED = """
define void @f(ptr %0, ptr %1) {
  %3 = load ptr, ptr %0
  call void @llvm.assume(i1 true) [ "align"(ptr %3, i64 64), "nonnull"(ptr %1) ]
  br label %4
4:
  call void @llvm.assume(i1 true) [ "align"(ptr %7, i64 8) ]
  ret void
5:
  %6 = load i64, ptr %1
  %7 = load ptr, ptr %3
  br label %4
}
declare void @llvm.assume(i1)
"""


def test_operand_bundles_follow_their_values() -> None:
    module = parse_module(ASSUMED)
    function = module.function("f")
    function.arguments[0].name = "p"
    text = print_function(function)
    assert '[ "align"(ptr %2, i64 64), "nonnull"(ptr %0) ]' in text
    assert '[ "align"(ptr %6, i64 8) ]' in text
    loaded = function.blocks[0].instructions[0]
    remove_instructions(function, [loaded])
    for i in function.instructions():
        i.operands[:] = [function.arguments[0] if o is loaded else o for o in i.operands]
    assert print_function(function).count("[") == 1  # nothing is assumed of what is gone
