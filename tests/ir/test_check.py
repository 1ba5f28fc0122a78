"""The checker finds what LLVM's verifier does not, and nothing in programs that are right."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from enzyme_build.ir.builder import Builder
from enzyme_build.ir.check import check_function
from enzyme_build.ir.function import Block
from enzyme_build.ir.instructions import Binary, Call, Jump, Phi
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.types import DOUBLE, I32, VOID, function_type
from enzyme_build.ir.values import Argument, const_float, const_int

from .reading import llvm_text

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module

TEXT = """
declare double @sin(double)
declare double @llvm.sqrt.f64(double)

define double @f(double %x, i1 %c) {
entry:
  %a = fadd double %x, 1.000000e+00, !dbg !0
  br i1 %c, label %left, label %right

left:
  %b = call double @sin(double %a)
  br label %join

right:
  br label %join

join:
  %p = phi double [ %b, %left ], [ %a, %right ]
  ret double %p
}

!0 = !DILocation(line: 14, column: 5, scope: !1)
!1 = distinct !DISubprogram(name: "f", file: !2, line: 1, unit: !3)
!2 = !DIFile(filename: "loss.c", directory: "")
!3 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2)
"""


@pytest.fixture
def module() -> Module:
    return parse_module(TEXT)


@pytest.fixture
def function(module: Module) -> Function:
    return module.function("f")


def findings(module: Module) -> str:
    return "\n".join(map(str, check_function(module, module.function("f"))))


def test_right_programs_have_no_findings() -> None:
    module = parse_module(llvm_text((Path(__file__).parent / "every_instruction.ll").read_text()))
    for name in module.bodies:
        assert check_function(module, module.function(name)) == [], name


def test_a_missing_terminator(module: Module, function: Function) -> None:
    function.blocks[2].instructions.pop()
    assert "<block right> has no terminator" in findings(module)


def test_a_terminator_in_the_middle(module: Module, function: Function) -> None:
    left = function.blocks[1]
    jump = Jump(function.blocks[3])
    jump.block = left
    left.instructions.insert(0, jump)
    assert "a terminator in the middle of a block: br label %join" in findings(module)


def test_a_phi_that_lacks_a_predecessor(module: Module, function: Function) -> None:
    phi = function.blocks[3].instructions[0]
    assert isinstance(phi, Phi)
    phi.blocks[1] = function.entry
    assert "lacks [%right] and has [%entry]" in findings(module)


def test_a_phi_behind_other_instructions(module: Module, function: Function) -> None:
    instructions = function.blocks[3].instructions
    add = Binary("fadd", function.arguments[0], function.arguments[0])
    add.block = function.blocks[3]
    instructions.insert(0, add)
    assert "a phi behind other instructions" in findings(module)


def test_a_use_that_its_definition_does_not_dominate(module: Module, function: Function) -> None:
    function.blocks[3].terminator.operands = [function.blocks[1].instructions[0]]
    assert "%b does not dominate its use: ret double %b" in findings(module)


def test_a_use_before_the_definition(module: Module, function: Function) -> None:
    a = function.entry.instructions[0]
    add = Binary("fadd", a, a)
    add.block = function.entry
    function.entry.instructions.insert(0, add)
    assert "%a is used before it is defined" in findings(module)


def test_a_value_of_another_function(module: Module, function: Function) -> None:
    function.blocks[3].terminator.operands = [Argument(DOUBLE, "stranger", 0)]
    assert "argument of another function or was removed (stranger)" in findings(module)


def test_a_jump_out_of_the_function(module: Module, function: Function) -> None:
    jump = function.blocks[2].terminator
    assert isinstance(jump, Jump)
    jump.target = Block("elsewhere")
    assert "a jump to <block elsewhere>, which is not in the function" in findings(module)


def test_wrong_calls(module: Module, function: Function) -> None:
    call = function.blocks[1].instructions[0]
    assert isinstance(call, Call)
    call.operands = [const_int(I32, 1), call.callee]
    assert "argument 1 is i32, the parameter double" in findings(module)
    call.operands = [call.callee]
    assert "0 arguments for 1 parameters" in findings(module)
    call.function_type = function_type(DOUBLE, ())
    call.argument_attributes = []
    assert "@sin is called as double () and is double (double)" in findings(module)


def test_wrong_intrinsics(module: Module, function: Function) -> None:
    builder = Builder(function.entry)
    builder.position = 1
    one = const_float(DOUBLE, 1.0)
    builder.call(module.declare("llvm.sqrt.f32", function_type(DOUBLE, (DOUBLE,))), [one])
    builder.call(module.declare("llvm.fma.f64", function_type(DOUBLE, (DOUBLE,))), [one])
    builder.call(module.declare("llvm.invented", function_type(VOID, (DOUBLE,))), [one])
    found = findings(module)
    assert "whose name is llvm.sqrt.f64" in found
    assert "llvm.fma.f64 takes 3 arguments, not 1" in found
    assert "unknown intrinsic llvm.invented" in found


def test_wrong_types(module: Module, function: Function) -> None:
    add = function.entry.instructions[0]
    add.operands = [add.operands[0], const_int(I32, 1)]
    function.blocks[3].terminator.operands = [const_int(I32, 1)]
    found = findings(module)
    assert "loss.c:14:5: error: internal error: @f: fadd of double and i32: %a = fadd double %x, 1" in found
    assert "a return of i32 instead of double" in found


def test_a_removed_global(module: Module) -> None:
    module.function("f")
    module.remove("sin")
    assert "@sin is not part of the module" in findings(module)
