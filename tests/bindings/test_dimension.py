"""Lengths as expressions."""

from __future__ import annotations

import pytest

from enzyme_build.bindings.dimension import Affine, affine, c_expression, evaluate, names
from enzyme_build.bindings.signature import parse_signature


def dimension(text):
    (argument,) = parse_signature(f"f(x[{text}])").arguments
    (parsed,) = argument.shape
    return parsed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n", Affine("n", 1, 0)),
        ("3*n", Affine("n", 3, 0)),
        ("n + 1", Affine("n", 1, 1)),
        ("2*(n + 1) - 3", Affine("n", 2, -1)),
        ("n + n", Affine("n", 2, 0)),
        ("7", None),
        ("n*n", None),
        ("n*m", None),
        ("n/2", None),
        ("4 - n", None),
        ("n - n", None),
    ],
)
def test_what_can_be_solved(text, expected):
    assert affine(dimension(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("k + k*d*(d + 1)/2", 3 + 3 * 4 * 5 // 2), ("2*k - d", 2), ("d/0", -1), ("(k + 1)*d", 16)]
)
def test_values(text, expected):
    assert evaluate(dimension(text), {"k": 3, "d": 4}) == expected


@pytest.mark.parametrize("text", ["k + k*d*(d + 1)/2", "a - (b - c)", "(a + b)*c", "a - b - c", "2*n/m"])
def test_text_reads_back(text):
    assert str(dimension(text)) == text


def test_c_divides_without_a_trap():
    assert c_expression(dimension("n*m/k"), lambda name: f"len_{name}") == "quotient((len_n * len_m), len_k)"


def test_names_from_left_to_right():
    assert list(names(dimension("b + a*b"))) == ["b", "a", "b"]
