"""Building, folding and reading of expressions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from enzyme_build.rules.expr import (
    ONE,
    ZERO,
    Const,
    Mul,
    Operand,
    Select,
    Sub,
    ToFloat,
    call,
    evaluate,
    isnan,
    lt,
    reads,
    select,
)

x, y, r = Operand("x"), Operand("y"), Operand("r")
n = Operand("n", is_integer=True)


@pytest.mark.parametrize(
    ("built", "expected"),
    [
        (x + 0, x),
        (0 + x, x),
        (x - 0, x),
        (0 - x, -x),
        (1 * x, x),
        (x * 0, ZERO),
        (-1 * x, -x),
        (x / 1, x),
        (x / 4, Mul(x, Const(Fraction(1, 4)))),
        (0 / x, ZERO),
        (-(0 - x), x),
        (x - (-y), x + y),
        (x + (-y), Sub(x, y)),
        (-(x - y), y - x),
        (Const(Fraction(2)) * 3 + 1, Const(Fraction(7))),
        (select(lt(x, y), 1, 1), ONE),
    ],
)
def test_trivial_arithmetic_is_folded(built, expected):
    assert built == expected


def test_reads():
    assert reads(x * call("exp", y) - 1) == {"x", "y"}
    assert reads(select(isnan(x), 1, r)) == {"x", "r"}
    assert reads(ONE) == frozenset()


def test_equal_expressions_hash_alike():
    assert {x * y + r: 1}[x * y + r] == 1
    assert x * y != y * x


def test_integer_arithmetic_is_marked():
    assert (n - 1).integer
    assert (-n).integer
    assert not ToFloat(n - 1).integer
    assert not call("powi", x, n - 1).integer
    assert not (x * ToFloat(n)).integer


def test_evaluation_takes_one_side_of_a_select():
    formula = select(lt(x, 0), call("log", x), x / 2)
    assert isinstance(formula, Select)
    assert evaluate(formula, {"x": 3.0}, {}) == 1.5


def test_constants_follow_the_number_type():
    assert evaluate(x / 3, {"x": Fraction(1)}, {}) == Fraction(1, 3)


def test_text():
    assert str(-r / y) == "(-r / y)"
    assert str(select(isnan(x), 0, y)) == "(0 if isnan(x) else y)"
