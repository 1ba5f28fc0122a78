"""Formulas as instructions: values by running them, sharing by counting them."""

from __future__ import annotations

import ctypes
import math

import pytest

from enzyme_build.differentiate.formula import Formula
from enzyme_build.differentiate.helpers import ensure_helpers
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.function import Block, Function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_module
from enzyme_build.ir.types import DOUBLE, FLOAT, HALF, X86_FP80, function_type, vector_type
from enzyme_build.ir.values import Argument
from enzyme_build.llvm.context import parse_text
from enzyme_build.rules.expr import Operand, call, gt, select
from enzyme_build.rules.scalar import PARTIALS

from .jit import Compiled

x, y, r = Operand("x"), Operand("y"), Operand("r")


def emit(expression, type_=DOUBLE, header=""):
    """The module with `f(x, y, r)` computing the expression, and its instructions' names."""
    module = parse_module(header)
    arguments = [Argument(type_, name, n) for n, name in enumerate("xyr")]
    function = Function("f", "@f", function_type(type_, (type_,) * 3), arguments)
    block = function.add_block(Block("entry"))
    builder = Builder(block)
    by_name = dict(zip("xyr", arguments, strict=True))
    builder.ret(Formula(module, builder, type_, by_name.__getitem__).emit(expression))
    module.add_function(function)
    ensure_helpers(module)
    return module, [getattr(i, "op", type(i).__name__) for i in block.instructions]


def run(expression, *values):
    module, _ = emit(expression)
    double = ctypes.c_double
    return Compiled(print_module(module))("f", double, double, double, double)(*values)


def test_arithmetic():
    assert run((x + 2 * y) / (x - y) * -r, 5.0, 3.0, 7.0) == -38.5


def test_functions_and_choice():
    assert run(call("cos", x), 0.5, 0, 0) == pytest.approx(math.cos(0.5), rel=1e-15)
    assert run(select(gt(x, y), x, r), 2.0, 1.0, 9.0) == 2.0
    assert run(select(gt(x, y), x, r), 1.0, 2.0, 9.0) == 9.0
    assert run(select(gt(x, y), x, r), math.nan, 2.0, 9.0) == 9.0


def test_equal_parts_are_computed_once():
    part = x * y
    _, found = emit(part + part * r)
    assert found.count("fmul") == 2
    assert found.count("fadd") == 1


def products(*expressions):
    """The instructions that multiply each expression by r."""
    module = parse_module("")
    arguments = [Argument(DOUBLE, name, n) for n, name in enumerate("xyr")]
    by_name = dict(zip("xyr", arguments, strict=True))
    block = Function("f", "@f", function_type(DOUBLE, (DOUBLE,) * 3), arguments).add_block(Block("entry"))
    formula = Formula(module, Builder(block), DOUBLE, by_name.__getitem__)
    for expression in expressions:
        formula.multiplied(expression, by_name["r"])
    return [getattr(i, "op", type(i).__name__) for i in block.instructions]


def test_a_product_by_the_same_factor_is_used_again():
    slope = 1 / y
    assert products(slope, -(x * slope)) == ["fdiv", "fmul", "fmul", "Negate"]
    assert products(slope, x * slope, slope * x) == ["fdiv", "fmul", "fmul", "fmul"]
    # Without one there is nothing to share: the slope first, then times the factor.
    assert products(-(x * slope)) == ["fdiv", "fmul", "Negate", "fmul"]


TYPES = [HALF, FLOAT, DOUBLE, X86_FP80, vector_type(FLOAT, 4), vector_type(DOUBLE, 2)]


@pytest.mark.parametrize("type_", TYPES, ids=str)
@pytest.mark.parametrize("name", ["fdiv", "sin", "sqrt", "pow", "fabs", "tanh", "erf", "log10", "atan2"])
def test_every_precision_and_lane(name, type_):
    """LLVM accepts what is emitted; precisions without a function go through a wider one or lane by lane."""
    for partial in PARTIALS[name]:
        module, _ = emit(partial, type_)
        parse_text(print_module(module), name)
