"""Expressions: formulas of the rule tables as data.

The leaves are the operands of an operation, `x` first, `y` second, `z` third, `w` fourth, its result `r` (a second
result: `s`), and exact constants. Python's operators build them: `-r / y`. Nodes are immutable and compare by
structure, so equal subexpressions are found by a dictionary.

An expression has the floating-point type of the operation, except where `integer` is true: integer operands (the
exponent of `powi`) and arithmetic on them, which reaches floating point through `ToFloat` or as an argument of a
function. A constant has the type of the node beside it. Trivial arithmetic (`0 * a`, `1 * a`, `a + 0`, constants
alone) is folded while building, so that at most one side of a binary node is constant.
"""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Number = int | Fraction


class Expr:
    """Base of all nodes; never made itself."""

    __slots__ = ()

    @property
    def integer(self) -> bool:
        return False

    @property
    def children(self) -> tuple[Expr, ...]:
        return ()

    def __add__(self, other: Expr | Number) -> Expr:
        return _add(self, _expr(other))

    def __radd__(self, other: Number) -> Expr:
        return _add(_expr(other), self)

    def __sub__(self, other: Expr | Number) -> Expr:
        return _sub(self, _expr(other))

    def __rsub__(self, other: Number) -> Expr:
        return _sub(_expr(other), self)

    def __mul__(self, other: Expr | Number) -> Expr:
        return _mul(self, _expr(other))

    def __rmul__(self, other: Number) -> Expr:
        return _mul(_expr(other), self)

    def __truediv__(self, other: Expr | Number) -> Expr:
        return _div(self, _expr(other))

    def __rtruediv__(self, other: Number) -> Expr:
        return _div(_expr(other), self)

    def __neg__(self) -> Expr:
        return _neg(self)


@dataclass(frozen=True, slots=True)
class Operand(Expr):
    """`x`, `y`, `z`, `w`: operands in order; `r`, `s`: results."""

    name: str
    is_integer: bool = False

    @property
    def integer(self) -> bool:
        return self.is_integer

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Const(Expr):
    """An exact constant, rounded where it is emitted."""

    value: Fraction

    def __str__(self) -> str:
        return str(self.value if self.value.denominator < 1000 else float(self.value))


@dataclass(frozen=True, slots=True)
class _Binary(Expr):
    a: Expr
    b: Expr

    @property
    def integer(self) -> bool:
        return self.a.integer or self.b.integer

    @property
    def children(self) -> tuple[Expr, ...]:
        return (self.a, self.b)


class Add(_Binary):
    __slots__ = ()

    def __str__(self) -> str:
        return f"({self.a} + {self.b})"


class Sub(_Binary):
    __slots__ = ()

    def __str__(self) -> str:
        return f"({self.a} - {self.b})"


class Mul(_Binary):
    __slots__ = ()

    def __str__(self) -> str:
        return f"{self.a} * {self.b}"


class Div(_Binary):
    """Floating point only."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"({self.a} / {self.b})"


@dataclass(frozen=True, slots=True)
class Neg(Expr):
    a: Expr

    @property
    def integer(self) -> bool:
        return self.a.integer

    @property
    def children(self) -> tuple[Expr, ...]:
        return (self.a,)

    def __str__(self) -> str:
        return f"-{self.a}"


@dataclass(frozen=True, slots=True)
class ToFloat(Expr):
    """A signed integer converted to the floating-point type of the operation (`sitofp`)."""

    a: Expr

    @property
    def children(self) -> tuple[Expr, ...]:
        return (self.a,)

    def __str__(self) -> str:
        return f"float({self.a})"


@dataclass(frozen=True, slots=True)
class Apply(Expr):
    """A call of a function by its canonical name; `names.spelling` says what to call."""

    function: str
    args: tuple[Expr, ...]

    @property
    def children(self) -> tuple[Expr, ...]:
        return self.args

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(str, self.args))})"


@dataclass(frozen=True, slots=True)
class Compare(Expr):
    """`lt`, `le`, `gt`, `ge`, `eq`: false where an operand is NaN; or `isnan` (of a; b is the same).

    Stands only as the condition of a `Select`.
    """

    predicate: str
    a: Expr
    b: Expr

    @property
    def children(self) -> tuple[Expr, ...]:
        return (self.a, self.b)

    def __str__(self) -> str:
        return f"isnan({self.a})" if self.predicate == "isnan" else f"{self.a} {_SIGNS[self.predicate]} {self.b}"


@dataclass(frozen=True, slots=True)
class Select(Expr):
    """`a` where the condition holds, otherwise `b`; both are computed."""

    condition: Compare
    a: Expr
    b: Expr

    @property
    def children(self) -> tuple[Expr, ...]:
        return (self.condition, self.a, self.b)

    def __str__(self) -> str:
        return f"({self.a} if {self.condition} else {self.b})"


_SIGNS: Final = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "=="}

ZERO: Final = Const(Fraction(0))
ONE: Final = Const(Fraction(1))


def is_zero(expr: Expr) -> bool:
    return isinstance(expr, Const) and not expr.value


def is_one(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.value == 1


def call(function: str, *args: Expr | Number) -> Apply:
    return Apply(function, tuple(_expr(arg) for arg in args))


def select(condition: Compare, a: Expr | Number, b: Expr | Number) -> Expr:
    first, second = _expr(a), _expr(b)
    return first if first == second else Select(condition, first, second)


def lt(a: Expr | Number, b: Expr | Number) -> Compare:
    return Compare("lt", _expr(a), _expr(b))


def le(a: Expr | Number, b: Expr | Number) -> Compare:
    return Compare("le", _expr(a), _expr(b))


def gt(a: Expr | Number, b: Expr | Number) -> Compare:
    return Compare("gt", _expr(a), _expr(b))


def ge(a: Expr | Number, b: Expr | Number) -> Compare:
    return Compare("ge", _expr(a), _expr(b))


def eq(a: Expr | Number, b: Expr | Number) -> Compare:
    return Compare("eq", _expr(a), _expr(b))


def isnan(a: Expr) -> Compare:
    return Compare("isnan", a, a)


def walk(expr: Expr) -> Iterator[Expr]:
    """All nodes, children before parents."""
    for child in expr.children:
        yield from walk(child)
    yield expr


def rebuilt(expr: Expr, of: Callable[[Expr], Expr]) -> Expr:
    """The same node with `of` its children; nothing is folded again."""
    changes: dict[str, Any] = {}
    for field in fields(expr):  # type: ignore[arg-type]
        value = getattr(expr, field.name)
        if isinstance(value, Expr):
            changes[field.name] = of(value)
        elif isinstance(value, tuple):
            changes[field.name] = tuple(of(child) for child in value)
    return replace(expr, **changes) if changes else expr  # type: ignore[type-var]


def reads(expr: Expr) -> frozenset[str]:
    """The symbols of the operands and results that the expression reads."""
    return frozenset(node.name for node in walk(expr) if isinstance(node, Operand))


def evaluate(expr: Expr, env: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> Any:
    """The value over any number type, that of the operands in `env`; selects evaluate one side only."""

    def value(node: Expr) -> Any:
        match node:
            case Operand(name):
                return env[name]
            case Const(constant):
                # Through division in the caller's number type: a Fraction would mix with few of them.
                return _like(env, constant)
            case Add(a, b):
                return value(a) + value(b)
            case Sub(a, b):
                return value(a) - value(b)
            case Mul(a, b):
                return value(a) * value(b)
            case Div(a, b):
                return value(a) / value(b)
            case Neg(a):
                return -value(a)
            case ToFloat(a):
                return value(a)
            case Apply(function, args):
                return functions[function](*map(value, args))
            case Compare(predicate, a, b):
                return _compare(predicate, value(a), value(b))
            case Select(condition, a, b):
                return value(a) if value(condition) else value(b)
        raise TypeError(f"unknown expression {node!r}")

    return value(expr)


def _like(env: Mapping[str, Any], constant: Fraction) -> Any:
    if constant.denominator == 1:
        return constant.numerator
    one = next((type(number)(1) for number in env.values() if not isinstance(number, int)), 1.0)
    return one * constant.numerator / constant.denominator


def _compare(predicate: str, a: Any, b: Any) -> bool:
    if predicate == "isnan":
        return bool(a != a)  # noqa: PLR0124  (only NaN differs from itself)
    return bool({"lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b, "eq": a == b}[predicate])


def _expr(value: Expr | Number) -> Expr:
    return value if isinstance(value, Expr) else Const(Fraction(value))


def _add(a: Expr, b: Expr) -> Expr:
    match a, b:
        case Const(u), Const(v):
            return Const(u + v)
        case Const(u), _ if not u:
            return b
        case _, Const(v) if not v:
            return a
        case _, Neg(inner):
            return Sub(a, inner)
    return Add(a, b)


def _sub(a: Expr, b: Expr) -> Expr:
    match a, b:
        case Const(u), Const(v):
            return Const(u - v)
        case Const(u), _ if not u:
            return _neg(b)
        case _, Const(v) if not v:
            return a
        case _, Neg(inner):
            return Add(a, inner)
    return Sub(a, b)


def _mul(a: Expr, b: Expr) -> Expr:
    match a, b:
        case Const(u), Const(v):
            return Const(u * v)
        case (Const(u), _) | (_, Const(u)) if not u:
            return ZERO
        case (Const(u), other) | (other, Const(u)) if u == 1:
            return other
        case (Const(u), other) | (other, Const(u)) if u == -1:
            return _neg(other)
    return Mul(a, b)


def _div(a: Expr, b: Expr) -> Expr:
    match a, b:
        case Const(u), Const(v) if v:
            return Const(u / v)
        case Const(u), _ if not u:
            return ZERO
        case _, Const(v) if v:
            # Multiplying by the reciprocal is cheaper; exact for powers of two, within an ulp otherwise.
            return _mul(a, Const(1 / v))
    return Div(a, b)


def _neg(a: Expr) -> Expr:
    match a:
        case Const(u):
            return Const(-u)
        case Neg(inner):
            return inner
        case Sub(u, v):
            return Sub(v, u)
    return Neg(a)
