"""Constants that functions are passed by their address."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.passed_constants import calls_by_name, fold_passed_constants
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.values import ConstantInt

OFFSET = 24
OTHER_CALL = "  %s = call fastcc double @member(ptr %x, ptr %o)"
TEXT = """
define internal fastcc double @member(ptr %x, ptr readonly captures(none) %offset) {
  %at = load i64, ptr %offset
  %p = getelementptr i8, ptr %x, i64 %at
  %r = load double, ptr %p
  ret double %r
}
define internal fastcc double @down(ptr %x, i32 %depth, ptr readonly captures(none) %offset) {
entry:
  %end = icmp eq i32 %depth, 0
  br i1 %end, label %last, label %more
last:
  %r = call fastcc double @member(ptr %x, ptr %offset)
  ret double %r
more:
  %less = add i32 %depth, -1
  %s = call fastcc double @down(ptr %x, i32 %less, ptr %offset)
  ret double %s
}
define double @f(ptr %x, i64 %n) {
  %offset = alloca i64
  store i64 24, ptr %offset
  %r = call fastcc double @down(ptr %x, i32 3, ptr %offset)
  ret double %r
}
"""


def folded(text: str, *, fixed: str = "") -> bool:
    """Is the offset of the member a constant in the end?"""
    module = parse_module(text)
    functions = [module.function(function.name) for function in module.functions if not function.is_declaration]
    fold_passed_constants(functions, [f for f in functions if f.name == fixed], calls_by_name(functions))
    for function in functions:
        assert not check_function(module, function)
    member = module.function("member")
    address = next(i for i in member.instructions() if isinstance(i, ir.GetElementPtr))
    return isinstance(address.operands[1], ConstantInt) and address.operands[1].value == OFFSET


def test_constants_go_down_by_reference() -> None:
    assert folded(TEXT)


@pytest.mark.parametrize(
    ("instead", "of"),
    [
        ("store i64 %n, ptr %offset", "store i64 24, ptr %offset"),
        ("store i64 24, ptr %offset\n  store i64 32, ptr %offset", "store i64 24, ptr %offset"),
        ("%offset = alloca i64\n  store ptr %offset, ptr %x", "%offset = alloca i64"),
        ("load volatile i64, ptr %offset", "load i64, ptr %offset"),
        ("load i32, ptr %offset\n  %wide = zext i32 %at to i64", "load i64, ptr %offset"),
        ("define internal double @member", "define internal fastcc double @member"),
        ("ptr captures(none) %offset) {\nentry:", "ptr readonly captures(none) %offset) {\nentry:"),
        ("readonly %offset) {\n  %at", "readonly captures(none) %offset) {\n  %at"),
        (
            "%r = call fastcc double @down(ptr %x, i32 3, ptr %offset)\n  store i64 24, ptr %offset",
            "store i64 24, ptr %offset\n  %r = call fastcc double @down(ptr %x, i32 3, ptr %offset)",
        ),
        (
            "store i64 24, ptr %offset\n  %o = alloca i64\n  store i64 8, ptr %o\n" + OTHER_CALL,
            "store i64 24, ptr %offset",
        ),
    ],
)
def test_what_may_be_something_else_stays(instead: str, of: str) -> None:
    assert of in TEXT
    text = TEXT.replace(of, instead)
    assert not folded(text.replace("i64 %at\n", "i64 %wide\n") if "%wide" in text else text)


def test_functions_that_users_call_stay_as_they_are() -> None:
    assert not folded(TEXT, fixed="member")
    assert not folded(TEXT, fixed="down")
