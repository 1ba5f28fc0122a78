"""What holds of a symbol of a reading because of the value that it stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from enzyme_build.ir.instructions import Binary
from enzyme_build.ir.types import IntType
from enzyme_build.ir.values import ConstantInt, Value

from .inequalities import Polynomial, constant, contradictory, plus, symbol, times

if TYPE_CHECKING:
    from enzyme_build.ir.function import Block

    from .loops import Loop, LoopForest
    from .readings import Readings

POINTER: Final = 64
_SMALL: Final = 32
"""Divisors that are worth a fact; of shifts, by so many bits."""


class Symbol(NamedTuple):
    """`subject` is the loop of a counter, or the value that is read as signed, unsigned, or as an address."""

    kind: Literal["counter", "signed", "unsigned", "address"]
    subject: Loop | Value
    level: int


class SymbolFacts:
    """The facts of the symbols of `readings`."""

    def __init__(self, readings: Readings, forest: LoopForest) -> None:
        self._readings = readings
        self._forest = forest
        self._dividing: set[Value] = set()

    def added(self, found: list[Polynomial], used: set[int]) -> list[Polynomial]:
        """`found` with what holds of the symbols in it, of those in `used`, and of what they depend on."""
        pending = set(used)
        for polynomial in found:
            pending.update(s for monomial in polynomial for s in monomial)
        divided = [fact for number in sorted(pending) for fact in self._quotient(number)]
        found += divided
        pending.update(s for polynomial in divided for monomial in polynomial for s in monomial)
        for number in sorted(pending):
            found += self._range(number)
        for number in sorted(pending):
            multiple = self._multiple(number)
            if multiple is not None and contradictory([*found, plus(multiple, constant(-(1 << POINTER)))]):
                found += [plus(symbol(number), multiple, -1), plus(multiple, symbol(number), -1)]
        for number in sorted(pending):
            twin = self._twin(number)
            if twin is not None:
                found.append(plus(symbol(number), twin, -1))
                if self._are_same(number, twin, found):
                    found.append(plus(twin, symbol(number), -1))
        return found

    def _twin(self, number: int) -> Polynomial | None:
        """Where a value is read as signed, too, that: never more than the unsigned number."""
        kind, subject, level = self._readings.symbols[number]
        return self._readings.known_symbol(Symbol("signed", subject, level)) if kind == "unsigned" else None

    def _are_same(self, number: int, twin: Polynomial, found: list[Polynomial]) -> bool:
        """Is the signed number not negative, or the unsigned one small enough?"""
        if contradictory([*found, plus(constant(-1), twin, -1)]):
            return True
        large = constant(-(1 << POINTER - 1))
        return self._readings.bits(number) == POINTER and contradictory([*found, plus(symbol(number), large)])

    def _multiple(self, number: int) -> Polynomial | None:
        """Of an unsigned number of bytes that is one of elements, this times their size: the same unless there are too
        many. `Vec` of Rust asks for both before it allocates."""
        kind, value, level = self._readings.symbols[number]
        if kind != "unsigned" or not isinstance(value, Binary) or not may_overflow(value):
            return None
        elements, by = value.operands
        if self._depth(value.block) != level or not isinstance(by, ConstantInt) or not 0 < by.value < _SMALL:
            return None
        if self._readings.bits(number) != POINTER:
            return None
        assert value.block is not None
        return times(self._readings.read("unsigned", elements, value.block), constant(1 << by.value))

    def _depth(self, block: Block | None) -> int:
        return len(self._forest.nest_of(block)) if block is not None else -1

    def _range(self, number: int) -> list[Polynomial]:
        kind, subject, _ = self._readings.symbols[number]
        type_ = subject.type if isinstance(subject, Value) else None
        if kind not in ("signed", "unsigned") or not isinstance(type_, IntType):
            return []
        bits = type_.bits
        itself = symbol(number)
        if kind == "unsigned":
            return [itself, plus(constant((1 << bits) - 1), itself, -1)]
        return [plus(itself, constant(1 << bits - 1)), plus(constant((1 << bits - 1) - 1), itself, -1)]

    def _quotient(self, number: int) -> list[Polynomial]:
        """How far a quotient is from what was divided by a constant: less than one."""
        kind, value, level = self._readings.symbols[number]
        if not isinstance(value, Binary) or value.op not in ("sdiv", "udiv", "ashr", "lshr") or value in self._dividing:
            return []
        by = value.operands[1]
        block = value.block
        if self._depth(block) != level or not isinstance(by, ConstantInt) or not 0 < by.value < _SMALL:
            return []
        divisor = by.value if value.op in ("sdiv", "udiv") else 1 << by.value
        sense: Literal["signed", "unsigned"] = "signed" if value.op in ("sdiv", "ashr") else "unsigned"
        if sense != kind and not (kind == "signed" and sense == "unsigned" and divisor > 1):
            return []
        self._dividing.add(value)
        assert block is not None
        rest = plus(self._readings.read(sense, value.operands[0], block), symbol(number), -divisor)
        self._dividing.discard(value)
        least = constant(divisor - 1) if value.op == "sdiv" else {}
        return [plus(rest, least), plus(constant(divisor - 1), rest, -1)]


def may_overflow(value: Value) -> bool:
    """Must be known what holds where the value is used, to know what it is?"""
    return isinstance(value, Binary) and value.op == "shl" and not value.flags
