"""Numbers of iterations and lengths as texts over names of the source: `n - 1`, `max(n, 1)`, `2*m*n`.

Expressions are opened down to values with names; what is linear is added up. A counter of a loop around has no one
value: a number that depends on it is given for its first and its last iteration.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Final, TypeAlias

from enzyme_build.analysis.counts import Const, Extend, Leaf, Truncate, signed
from enzyme_build.analysis.offsets import element_offset
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import IntType, PointerType
from enzyme_build.ir.values import ConstantInt
from enzyme_build.records import dataclass
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.analysis.counts import Count
    from enzyme_build.analysis.loops import Loop
    from enzyme_build.ir.function import Block
    from enzyme_build.ir.values import Value

    from .source_names import SourceNames

_FACTOR: Final = regex(r"[\w*]+|\w+\([^()]*\)")
_DEPTH: Final = 6
_EXTREMES: Final = {"smax": "max", "umax": "max", "smin": "min", "umin": "min"}

Terms: TypeAlias = dict[str, int]
"""A sum: its names with their coefficients; that of the empty text is the constant."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a number is asked for: where control comes to the block `at`, in the `last` iteration of what counts or in
    the first; how deep expressions are opened."""

    at: Block | None = None
    last: bool = False
    depth: int = _DEPTH

    @property
    def below(self) -> _Asked:
        return _Asked(self.at, self.last, self.depth - 1)


class NamedNumbers:
    """Texts for the numbers of one function."""

    def __init__(self, names: SourceNames) -> None:
        self.names = names
        self.context = names.context

    def iterations(self, backedges: Count | None, loop: Loop) -> tuple[str | None, str | None]:
        """How often a loop is run once it is entered, from how often it goes round: at first, and at last."""
        found = [
            None if backedges is None else self._count(backedges, _Asked(loop.preheader, last))
            for last in (False, True)
        ]
        first, last = (None if one is None else sum_text(plus(one, {"": 1})) for one in found)
        return first, last

    def number(self, v: Value) -> str | None:
        """An integer."""
        found = self._value(v, _Asked())
        return None if found is None else sum_text(found)

    def _count(self, count: Count, asked: _Asked) -> Terms | None:
        match count:
            case Const():
                return {"": signed(count.value, count.bits)}
            case Leaf():
                return self._value(count.value, asked)
            case Extend() | Truncate():
                return self._count(count.a, asked)
        a, b = self._count(count.a, asked), self._count(count.b, asked)
        if a is None or b is None:
            return None
        if count.operator in _EXTREMES:
            for one, other, greater, lesser in ((count.a, count.b, a, b), (count.b, count.a, b, a)):
                if asked.at is not None and self._is_settled(one, other, asked.at):
                    return greater if _EXTREMES[count.operator] == "max" else lesser
        return combined(count.operator, a, b)

    def _value(self, v: Value, asked: _Asked) -> Terms | None:
        if isinstance(v, ConstantInt):
            return {"": v.value}
        pointer = isinstance(v.type, PointerType)
        if not pointer and (name := self.names.number_name(v)):
            return {name: 1}
        found = self._opened(v, asked.below) if asked.depth else None
        # Where the same address is taken away again, it needs no name.
        return {f"&{id(v)}": 1} if found is None and pointer else found

    def _opened(self, v: Value, asked: _Asked) -> Terms | None:
        match v:
            case ir.Cast(op="zext" | "sext" | "trunc"):
                return self._value(v.operands[0], asked)
            case ir.Binary(op="add" | "sub" | "mul"):
                return self._joined(v.op, v.operands, asked)
            case ir.Binary(op="shl") if isinstance(v.operands[1], ConstantInt):
                found = self._value(v.operands[0], asked)
                return None if found is None else plus({}, found, 1 << v.operands[1].value)
            case ir.GetElementPtr():
                return self._address(v, asked)
            case ir.Call() if (operator := _intrinsic(v)) in _EXTREMES:
                return self._joined(operator, v.arguments, asked)
            case ir.Phi():
                return self._counter(v, asked)
            case ir.Select() if isinstance(v.operands[1], ConstantInt) and v.operands[1].value == -1:
                return self._value(v.operands[2], asked)  # a size, or more than there is
            case ir.ExtractValue(operands=[ir.Call() as wide]) if _intrinsic(wide) == "umul":
                return self._joined("mul", wide.arguments, asked)
        return None

    def _joined(self, operator: str, operands: Sequence[Value], asked: _Asked) -> Terms | None:
        a, b = (self._value(operand, asked) for operand in operands)
        return None if a is None or b is None else combined(operator, a, b)

    def _address(self, v: ir.GetElementPtr, asked: _Asked) -> Terms | None:
        offset = element_offset(self.context.layout, v)
        total = self._value(v.operands[0], asked)
        for value, scale in ((None, offset.constant), *offset.terms):
            part = {"": 1} if value is None else self._value(value, asked)
            if total is None or part is None:
                return None
            total = plus(total, part, scale)
        return total

    def _counter(self, v: ir.Phi, asked: _Asked) -> Terms | None:
        """What counts the iterations of a loop, in the first one or the last."""
        loop = self.context.facts.loops.loop_of(v.block)
        if loop is None or loop.header is not v.block or loop.preheader is None:
            return None
        evolution = self.context.facts.evolution
        affine, count = evolution.affine(v, loop), evolution.backedge_count(loop)
        step = affine.step_int if affine is not None else None
        start = self._count(affine.start, asked) if affine is not None else None
        if start is None or step is None or not asked.last or not asked.depth:
            return start if step is not None else None
        rounds = self._count(count, _Asked(loop.preheader, asked.last, asked.depth - 1)) if count is not None else None
        return None if rounds is None else plus(start, rounds, step)

    def _is_settled(self, a: Count, b: Count, at: Block) -> bool:
        """Is `a` at least the constant `b` wherever the block is executed, as a branch in front of it says?"""
        while isinstance(a, Extend):
            a = a.a
        if not isinstance(a, Leaf) or not isinstance(b, Const) or not isinstance(a.value.type, IntType):
            return False
        value, bound = a.value, signed(b.value, b.bits)
        while isinstance(value, ir.Cast | ir.Binary) and value.op in ("zext", "sext", "add"):
            if isinstance(value, ir.Binary):
                number = value.operands[1]
                if not isinstance(number, ConstantInt) or number.value > 0:
                    break
                bound -= number.value  # cannot wrap where there is enough to take away from
            value = value.operands[0]
        return self.context.facts.readings.is_at_least(value, bound, at)


def in_product(text: str) -> str:
    """A sum in brackets."""
    return text if _FACTOR.fullmatch(text) else f"({text})"


# Sums ----------------------------------------------------------------------------------------------------------------


def _intrinsic(call: ir.Call) -> str:
    """`smax` for a call of `llvm.smax.i32`."""
    name = getattr(call.callee, "name", None) or ""
    return name.split(".")[1] if name.startswith("llvm.") else ""


def plus(a: Terms, b: Terms, factor: int = 1) -> Terms:
    total = {name: a.get(name, 0) + factor * b.get(name, 0) for name in {**a, **b}}
    return {name: times for name, times in total.items() if times}


def combined(operator: str, a: Terms, b: Terms) -> Terms:
    match operator:
        case "add" | "sub":
            return plus(a, b, 1 if operator == "add" else -1)
        case "mul" if a.keys() <= {""} or b.keys() <= {""}:
            factor, other = (a, b) if a.keys() <= {""} else (b, a)
            return plus({}, other, factor.get("", 0))
        case "mul":
            return {f"{in_product(_text(a))}*{in_product(_text(b))}": 1}
        case "udiv":
            divisor = b.get("", 0) if b.keys() <= {""} else 0
            if divisor and all(times % divisor == 0 for times in a.values()):
                return {name: times // divisor for name, times in a.items()}
            return {f"{in_product(_text(a))}//{in_product(_text(b))}": 1}
    return _chosen(_EXTREMES[operator], a, b)


def _chosen(extreme: str, a: Terms, b: Terms) -> Terms:
    """`max` or `min`. What both have in common stands before the choice, and so does a common factor."""
    common = {name: times for name, times in a.items() if name and b.get(name) == times}
    a, b = plus(a, common, -1), plus(b, common, -1)
    factor = gcd(*a.values(), *b.values()) or 1
    a, b = ({name: times // factor for name, times in one.items()} for one in (a, b))
    if a.keys() <= {""} and b.keys() <= {""}:
        number = (max if extreme == "max" else min)(a.get("", 0), b.get("", 0))
        return plus(common, {"": factor * number})
    if len(a) == 1 and next(iter(a)).startswith(f"{extreme}(") and next(iter(a)).endswith(f", {_text(b)})"):
        return plus(common, a, factor)  # the choice was made before
    return plus(common, {f"{extreme}({_text(a)}, {_text(b)})": factor})


def sum_text(found: Terms) -> str | None:
    """`2*n - 1` for {n: 2, "": -1}; None where an address is left."""
    text = _text(found)
    return None if "&" in text else text


def _text(found: Terms) -> str:
    text = ""
    for name, times in sorted(found.items(), key=lambda item: (item[1] < 0, not item[0])):
        size = str(abs(times)) if not name else name if abs(times) == 1 else f"{abs(times)}*{name}"
        sign = "-" if times < 0 else "+"
        text = f"{text} {sign} {size}" if text else ("-" if times < 0 else "") + size
    return text or "0"
