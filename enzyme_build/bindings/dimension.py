"""Lengths of arrays as expressions over integer names: `n`, `3*n`, `k + k*d*(d + 1)/2`.

An expression affine in one name, `scale*n + offset` with whole numbers, can be solved: the length of an array then
gives `n`. Any other is only compared. Division truncates, in Python and in C alike for the non-negative numbers that
lengths are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_PRECEDENCE: Final = {"+": 1, "-": 1, "*": 2, "/": 2}


def _quotient(a: int, b: int) -> int:
    # No length; as in the generated C.
    return a // b if b else -1


_EVALUATE: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _quotient,
}


@dataclass(frozen=True)
class Affine:
    """`scale * name + offset`."""

    name: str
    scale: int
    offset: int


@dataclass(frozen=True)
class Number:
    value: int

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True)
class Name:
    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Operation:
    operator: str
    left: Dimension
    right: Dimension

    def __str__(self) -> str:
        strength = _PRECEDENCE[self.operator]
        spaced = f" {self.operator} " if strength == 1 else self.operator
        return f"{_inside(self.left, strength)}{spaced}{_inside(self.right, strength + 1)}"


Dimension = Number | Name | Operation


def _inside(part: Dimension, strength: int) -> str:
    weaker = isinstance(part, Operation) and _PRECEDENCE[part.operator] < strength
    return f"({part})" if weaker else str(part)


def names(dimension: Dimension) -> Iterator[str]:
    """Every name in the expression, from left to right, repeated as it stands there."""
    match dimension:
        case Number():
            return
        case Name(name):
            yield name
        case Operation(_, left, right):
            yield from names(left)
            yield from names(right)


def evaluate(dimension: Dimension, values: Mapping[str, int]) -> int:
    match dimension:
        case Number(value):
            return value
        case Name(name):
            return values[name]
        case Operation(operator, left, right):
            return _EVALUATE[operator](evaluate(left, values), evaluate(right, values))


def affine(dimension: Dimension) -> Affine | None:
    """The expression as `scale*n + offset` with `scale` above 0, if it is that."""
    variables = set(names(dimension))
    if len(variables) != 1:
        return None
    (name,) = variables
    coefficients = _linear(dimension)
    if coefficients is None or coefficients[0] <= 0:
        return None
    return Affine(name, *coefficients)


def _linear(dimension: Dimension) -> tuple[int, int] | None:
    match dimension:
        case Number(value):
            return 0, value
        case Name():
            return 1, 0
        case Operation(operator, left, right):
            a, b = _linear(left), _linear(right)
            if a is None or b is None:
                return None
            if operator == "+":
                return a[0] + b[0], a[1] + b[1]
            if operator == "-":
                return a[0] - b[0], a[1] - b[1]
            if operator == "*" and not (a[0] and b[0]):
                return a[0] * b[1] + b[0] * a[1], a[1] * b[1]
    return None


def c_expression(dimension: Dimension, variable: Callable[[str], str]) -> str:
    """The expression in C, fully parenthesised; `variable` spells a name, `quotient` divides without a trap."""
    match dimension:
        case Number(value):
            return str(value)
        case Name(name):
            return variable(name)
        case Operation("/", left, right):
            return f"quotient({c_expression(left, variable)}, {c_expression(right, variable)})"
        case Operation(operator, left, right):
            return f"({c_expression(left, variable)} {operator} {c_expression(right, variable)})"
