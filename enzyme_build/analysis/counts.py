"""Integer expressions over values of the program: what a loop count is made of.

Each node has a width in bits and means an integer modulo 2^bits, as in LLVM; nothing is poison. A `Leaf` is a value
of the program; a pointer counts as its address. Constants are folded while building. Who emits them needs one case
for each of Const, Leaf, Extend, Truncate and Operation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from enzyme_build.ir.types import IntType
from enzyme_build.ir.values import ConstantInt, NullPointer, Value
from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Width of an address.
POINTER_BITS: Final = 64

Operator = Literal["add", "sub", "mul", "udiv", "smax", "smin", "umax", "umin"]


@dataclass(frozen=True, slots=True)
class Const:
    """`value` is in [0, 2^bits)."""

    value: int
    bits: int

    def __str__(self) -> str:
        return str(signed(self.value, self.bits))


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value of the program; of pointer type: its address."""

    value: Value
    bits: int

    def __str__(self) -> str:
        return f"%{getattr(self.value, 'name', None) or '?'}"


@dataclass(frozen=True, slots=True)
class Extend:
    """`zext`, or `sext` with `is_signed`, to `bits`."""

    a: Count
    bits: int
    is_signed: bool

    def __str__(self) -> str:
        return f"{'s' if self.is_signed else 'z'}ext({self.a})"


@dataclass(frozen=True, slots=True)
class Truncate:
    a: Count
    bits: int

    def __str__(self) -> str:
        return f"trunc({self.a})"


@dataclass(frozen=True, slots=True)
class Operation:
    """`add sub mul udiv` as LLVM's instructions, `smax smin umax umin` as its intrinsics."""

    operator: Operator
    a: Count
    b: Count

    @property
    def bits(self) -> int:
        return self.a.bits

    def __str__(self) -> str:
        return f"{self.operator}({self.a}, {self.b})"


Count = Const | Leaf | Extend | Truncate | Operation


def signed(value: int, bits: int) -> int:
    """The two's complement reading of a value modulo 2^bits."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def const(value: int, bits: int) -> Const:
    return Const(value & ((1 << bits) - 1), bits)


def leaf(value: Value) -> Count | None:
    """The value as a node; None for a type without a plain width."""
    if isinstance(value, ConstantInt) and isinstance(value.type, IntType):
        return const(value.value, value.type.bits)
    if isinstance(value, NullPointer):
        return const(0, POINTER_BITS)
    if isinstance(value.type, IntType):
        return Leaf(value, value.type.bits)
    return Leaf(value, POINTER_BITS) if value.type.text == "ptr" else None


def add(a: Count, b: Count) -> Count:
    match a, b:
        case Const(u), Const(v):
            return const(u + v, a.bits)
        case Const(0), _:
            return b
        case _, Const(0):
            return a
        # Constants to the right and together: (a + 1) - 1 is a.
        case Const(), _:
            return add(b, a)
        case Operation("add", inner, Const(u)), Const(v):
            return add(inner, const(u + v, a.bits))
    return Operation("add", a, b)


def sub(a: Count, b: Count) -> Count:
    if a == b:
        return const(0, a.bits)
    if isinstance(b, Const):
        return add(a, const(-b.value, a.bits))
    match a, b:
        case Operation("add", u, Const() as c), _:
            return add(sub(u, b), c)
        case _, Operation("add", v, Const() as c):
            return add(sub(a, v), const(-c.value, a.bits))
        case Operation("add", u, v), _ if b in (u, v):
            return v if b == u else u
    return Operation("sub", a, b)


def mul(a: Count, b: Count) -> Count:
    match a, b:
        case Const(u), Const(v):
            return const(u * v, a.bits)
        case (Const(0) as zero, _) | (_, Const(0) as zero):
            return zero
        case (Const(1), other) | (other, Const(1)):
            return other
        case Const(), _:
            return mul(b, a)
    return Operation("mul", a, b)


def udiv(a: Count, divisor: int) -> Count:
    if divisor == 1:
        return a
    if isinstance(a, Const):
        return const(a.value // divisor, a.bits)
    return Operation("udiv", a, const(divisor, a.bits))


def extreme(operator: Literal["smax", "smin", "umax", "umin"], a: Count, b: Count) -> Count:
    if a == b:
        return a
    if isinstance(a, Const) and isinstance(b, Const):
        return const(_extreme(operator, a.value, b.value, a.bits), a.bits)
    return Operation(operator, a, b)


def extend(a: Count, bits: int, *, is_signed: bool) -> Count:
    if a.bits == bits:
        return a
    if isinstance(a, Const):
        return const(signed(a.value, a.bits) if is_signed else a.value, bits)
    return Extend(a, bits, is_signed)


def truncate(a: Count, bits: int) -> Count:
    if a.bits == bits:
        return a
    match a:
        case Const(value):
            return const(value, bits)
        case Extend(inner) if inner.bits == bits:
            return inner
    return Truncate(a, bits)


def leaves(count: Count) -> Iterator[Value]:
    """The values the expression reads, with repetition."""
    stack = [count]
    while stack:
        match stack.pop():
            case Leaf(value):
                yield value
            case Extend(a) | Truncate(a):
                stack.append(a)
            case Operation(_, a, b):
                stack += (b, a)


def evaluate(count: Count, value_of: Callable[[Value], int]) -> int:
    """The number in [0, 2^bits), the values given by `value_of` (in any representation)."""
    mask = (1 << count.bits) - 1
    match count:
        case Const(value):
            return value
        case Leaf(value):
            return value_of(value) & mask
        case Extend(a, _, is_signed):
            inner = evaluate(a, value_of)
            return (signed(inner, a.bits) if is_signed else inner) & mask
        case Truncate(a):
            return evaluate(a, value_of) & mask
        case Operation(operator, a, b):
            u, v = evaluate(a, value_of), evaluate(b, value_of)
            match operator:
                case "add":
                    return (u + v) & mask
                case "sub":
                    return (u - v) & mask
                case "mul":
                    return (u * v) & mask
                case "udiv":
                    return u // v
                case _:
                    return _extreme(operator, u, v, count.bits) & mask


def _extreme(operator: str, u: int, v: int, bits: int) -> int:
    if operator[0] == "s":
        u, v = signed(u, bits), signed(v, bits)
    return max(u, v) if operator.endswith("max") else min(u, v)


def operation(operator: Operator, a: Count, b: Count) -> Count:
    """Any operation, folded."""
    match operator:
        case "add":
            return add(a, b)
        case "sub":
            return sub(a, b)
        case "mul":
            return mul(a, b)
        case "udiv":
            return udiv(a, b.value) if isinstance(b, Const) and b.value else Operation("udiv", a, b)
        case _:
            return extreme(operator, a, b)


@dataclass(frozen=True, slots=True)
class Affine:
    """start + k · step in iteration k; both have the width of the value, and a pointer counts as its address."""

    start: Count
    step: Count
    exact_signed: bool = False
    exact_unsigned: bool = False

    @property
    def bits(self) -> int:
        return self.start.bits

    @property
    def step_int(self) -> int | None:
        """The step as a signed number, if it is constant."""
        return signed(self.step.value, self.step.bits) if isinstance(self.step, Const) else None

    @property
    def start_value(self) -> Value | None:
        """The start, if it is a plain value of the program (constants are not)."""
        return self.start.value if isinstance(self.start, Leaf) else None
