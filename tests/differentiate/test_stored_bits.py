"""Parts of the bits of a number that was just stored are read from where it was stored."""

from __future__ import annotations

from enzyme_build.differentiate.stored_bits import read_stored_bits
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module

UNION = """
define void @f(double %x, ptr %copy, i1 %is_number) {{
entry:
  %u = alloca [8 x i8]
  %v = alloca [8 x i8]
  store double %x, ptr %u, align 8
  {between}
  br i1 %is_number, label %done, label %integer
integer:
  %bits = bitcast double %x to i64
  {part}
  {use}
  br label %done
done:
  ret void
}}
"""
LOW = "%part = trunc i64 %bits to i32"
HIGH = "%shifted = lshr i64 %bits, 32\n  %part = trunc i64 %shifted to i32"
MOVED = "store i32 %part, ptr %copy"


def loads(between: str = "", part: str = LOW, use: str = MOVED) -> list[tuple[str, ir.Instruction]]:
    """(type, pointer) of what is read in the model."""
    module = parse_module(UNION.format(between=between, part=part, use=use))
    function = module.function("f")
    read_stored_bits(module, function)
    assert not check_function(module, function)
    return [(i.type.text, i.pointer) for i in function.instructions() if isinstance(i, ir.Load)]


def test_the_integer_is_read_again() -> None:
    ((type_, pointer),) = loads()
    assert type_ == "i32"
    assert isinstance(pointer, ir.Alloca)


def test_the_upper_half_lies_behind_the_lower() -> None:
    ((type_, pointer),) = loads(part=HIGH)
    assert type_ == "i32"
    assert isinstance(pointer, ir.GetElementPtr)
    assert pointer.operands[1].text == "4"


def test_other_memory_may_be_written_in_between() -> None:
    assert loads(between="store double 1.0, ptr %v, align 8")


def test_the_same_memory_may_not() -> None:
    assert not loads(between="%h = getelementptr i8, ptr %u, i64 4\n  store i32 1, ptr %h")
    assert not loads(between="store i8 1, ptr %copy")


def test_bits_that_are_computed_with_stay() -> None:
    assert not loads(use="%masked = and i32 %part, 7\n  store i32 %masked, ptr %copy")
