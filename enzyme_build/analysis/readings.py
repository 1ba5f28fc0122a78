"""Integers and addresses of the program as polynomials over loop counters and values that are not opened.

A *reading* is exact: the integer that the bits mean, signed or unsigned, not modulo anything. LLVM's flags allow that,
since an address that comes from an overflow is poison, and an access through it undefined; without flags it is so where
numbers of few bits are added up.

A loop's counter is 0 in its first iteration. The symbols of a reading stand for one execution of one access: counters
of the loops around it and values as the access sees them. Each has a *level*: the depth of the innermost loop around
the access that changes it, 0 for none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from enzyme_build.ir.instructions import Binary, Branch, Cast, Compare, GetElementPtr, Instruction, Phi, Select
from enzyme_build.ir.types import IntType
from enzyme_build.ir.values import ConstantInt, Value

from .counts import Const, Extend, Leaf, Operation, signed
from .evolution import indices, stays_in_address_space
from .exits import INVERTED
from .inequalities import Polynomial, constant, contradictory, plus, symbol, times
from .symbol_facts import POINTER, Symbol, SymbolFacts, may_overflow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enzyme_build.ir.function import Block
    from enzyme_build.ir.layout import DataLayout

    from .cfg import ControlFlow
    from .counts import Count, Operator
    from .dominators import DominatorTree
    from .evolution import Evolution
    from .loops import Loop, LoopForest

_DEPTH: Final = 24
_MOST_TERMS: Final = 16
_NARROW: Final = 32
_COUNTER: Final = 44
"""Bits of a loop's counter: hours of rounds. A few such terms stay far from 2^62, a product may not."""
_MOST_GUARDS: Final = 12
_SHORT: Final = 56
"""Bits of a number of bytes that is added to an address."""


class Readings:
    """Readings in one function; results are remembered."""

    def __init__(
        self, evolution: Evolution, forest: LoopForest, cfg: ControlFlow, domtree: DominatorTree, layout: DataLayout
    ) -> None:
        self.symbols: list[Symbol] = []
        self._evolution = evolution
        self._forest = forest
        self._cfg = cfg
        self._domtree = domtree
        self._layout = layout
        self._numbers: dict[Symbol, int] = {}
        self._symbol_facts = SymbolFacts(self, forest)
        self._known: dict[tuple[str, Value, Block], Polynomial] = {}
        self._bounds: dict[Loop, Polynomial | None] = {}
        self._guards: dict[Block, list[Polynomial]] = {}
        self._returns: dict[Loop, list[Polynomial]] = {}
        self._opening: set[Loop | Block] = set()

    def address(self, pointer: Value, at: Block) -> tuple[int, Polynomial]:
        """(symbol of the base, bytes from there) as an access in the block sees it."""
        base, total, _ = self._address(pointer, at, _DEPTH)
        return base, total

    def modular_address(self, pointer: Value, at: Block) -> tuple[int, Polynomial, bool]:
        """(symbol of the base, bytes from there, are they exact?): if not, then modulo 2^64, as for parts of addresses
        of which nobody promises that they stay in the address space."""
        return self._address(pointer, at, _DEPTH, modular=True)

    def number(self, value: Value, at: Block) -> Polynomial:
        """A number of bytes or elements, as the block sees it."""
        return self._read("unsigned", value, at, _DEPTH)

    def is_at_least(self, value: Value, bound: int, at: Block) -> bool:
        """Is the signed value never less than the bound where the block is executed?"""
        return self._holds(plus(self._read("signed", value, at, _DEPTH), constant(bound), -1), at)

    def least_bound(
        self, value: Value, bound: int, at: Block, kind: Literal["signed", "unsigned"] = "signed"
    ) -> int | None:
        """The least number from 0 to the bound that the value never exceeds where the block is executed."""
        read = self._read(kind, value, at, _DEPTH)
        facts = self.facts(at, {s for monomial in read for s in monomial})

        def exceeds(number: int) -> bool:
            return not contradictory([*facts, plus(read, constant(-number - 1))])

        if exceeds(bound):
            return None
        low, high = 0, bound
        while low < high:
            middle = (low + high) // 2
            if exceeds(middle):
                low = middle + 1
            else:
                high = middle
        return high

    def holds(self, polynomial: Polynomial, at: Block) -> bool:
        """Is the polynomial never negative where the block is executed?"""
        return self._holds(polynomial, at)

    def signed_number(self, value: Value, at: Block) -> Polynomial:
        """A number that is known to be small enough to be the same as a signed one."""
        return self._read("signed", value, at, _DEPTH)

    def rounds(self, loop: Loop) -> Polynomial | None:
        """How often the loop goes round whenever it is entered, exactly; over counters of the loops around it."""
        return self._bound(loop) if self._evolution.backedge_count(loop) is not None else None

    def read(self, kind: Literal["signed", "unsigned"], value: Value, at: Block) -> Polynomial:
        """The value as the block sees it, in one of the senses."""
        return self._read(kind, value, at, _DEPTH)

    def known_symbol(self, key: Symbol) -> Polynomial | None:
        """A symbol that stands in some reading."""
        number = self._numbers.get(key)
        return symbol(number) if number is not None else None

    def counter(self, loop: Loop) -> Polynomial:
        return self._symbol("counter", loop, loop.depth)

    def facts(self, at: Block, used: set[int]) -> list[Polynomial]:
        """Polynomials that are not negative whenever the block is executed; over `used` and what they depend on."""
        found: list[Polynomial] = []
        for loop in self._forest.nest_of(at):
            counter = self.counter(loop)
            found.append(counter)
            bound = self._bound(loop)
            if bound is not None:
                found.append(plus(bound, counter, -1))
            else:
                found += self._came_back(loop)
        found += self._guards_of(at)
        return self._symbol_facts.added(found, used)

    # Values ---------------------------------------------------------------------------------------------------------

    def _read(self, kind: Literal["signed", "unsigned"], value: Value, at: Block, depth: int) -> Polynomial:
        loop = self._forest.loop_of(at)
        if loop is not None and not may_overflow(value):
            at = loop.header  # what holds there holds in the whole iteration
        key = (kind, value, at)
        known = self._known.get(key)
        if known is None:
            opened = self._opened(kind, value, at, depth - 1) if depth else None
            if opened is None or len(opened) > _MOST_TERMS:
                opened = self._plain(kind, value, at)
            known = opened
            if not self._opening:  # what is just being read may make it better
                self._known[key] = opened
        return known

    def _plain(self, kind: Literal["signed", "unsigned"], value: Value, at: Block) -> Polynomial:
        """The value as a symbol; one that is not negative is the same in both senses."""
        level = self._level(value, at)
        if kind == "unsigned":
            itself = self._symbol("signed", value, level)
            if self._holds(itself, at):
                return itself
        return self._symbol(kind, value, level)

    def _opened(self, kind: Literal["signed", "unsigned"], value: Value, at: Block, depth: int) -> Polynomial | None:
        match value:
            case ConstantInt(type=IntType(bits=bits)):
                return constant(signed(value.value, bits) if kind == "signed" else value.value & ((1 << bits) - 1))
            case Cast():
                return self._cast(kind, value, at, depth)
            case Binary():
                return self._binary(kind, value, at, depth)
            case Phi():
                return self._counted(kind, value, at, depth)
        return None

    def _cast(self, kind: Literal["signed", "unsigned"], value: Cast, at: Block, depth: int) -> Polynomial | None:
        inner = value.operands[0]
        if not isinstance(inner.type, IntType) or not isinstance(value.type, IntType):
            return None
        flags = value.flags.split()
        match value.op:
            case "zext":
                return self._read("signed" if "nneg" in flags else "unsigned", inner, at, depth)
            case "sext" if kind == "signed":
                return self._read("signed", inner, at, depth)
            case "trunc":
                if ("nsw" if kind == "signed" else "nuw") in flags:
                    return self._read(kind, inner, at, depth)
                whole = self._read("signed", inner, at, depth)
                bits = value.type.bits
                low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if kind == "signed" else (0, (1 << bits) - 1)
                return whole if self._is_within(whole, low, high, at) else None
        return None

    def _is_within(self, polynomial: Polynomial, low: int, high: int, at: Block) -> bool:
        """Is the value in [low, high] whenever the block is executed?"""
        return self._holds(plus(polynomial, constant(-low)), at) and self._holds(
            plus(constant(high), polynomial, -1), at
        )

    def _holds(self, polynomial: Polynomial, at: Block) -> bool:
        """Is the polynomial not negative whenever the block is executed?"""
        facts = self.facts(at, {s for monomial in polynomial for s in monomial})
        return contradictory([*facts, plus(constant(-1), polynomial, -1)])

    def _binary(self, kind: Literal["signed", "unsigned"], value: Binary, at: Block, depth: int) -> Polynomial | None:
        flags = value.flags.split()
        op = value.op
        first, second = value.operands
        if op == "or":
            if "disjoint" not in flags:
                return None
            op = "add"
        elif op != "shl" and ("nsw" if kind == "signed" else "nuw") not in flags:
            return None
        if not isinstance(value.type, IntType):
            return None
        if op == "shl":
            bits = value.type.bits
            if not isinstance(second, ConstantInt) or not 0 <= second.value < bits - 1:
                return None
            factor = 1 << second.value
            whole = self._read(kind, first, at, depth)
            if ("nsw" if kind == "signed" else "nuw") not in flags:
                # Rust's `Vec` asks beforehand whether so many bytes are too many.
                low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if kind == "signed" else (0, (1 << bits) - 1)
                if not self._is_within(whole, low // factor, high // factor, at):
                    return None
            return times(whole, constant(factor))
        if op not in ("add", "sub", "mul"):
            return None
        a, b = self._read(kind, first, at, depth), self._read(kind, second, at, depth)
        return times(a, b) if op == "mul" else plus(a, b, 1 if op == "add" else -1)

    def _counted(self, kind: Literal["signed", "unsigned"], phi: Phi, at: Block, depth: int) -> Polynomial | None:
        """A phi of a loop around the access that adds a constant in each iteration."""
        found = self._recurrence(phi, at)
        if found is None:
            return None
        loop, start, step, exact_signed, exact_unsigned = found
        if not (exact_signed if kind == "signed" else exact_unsigned):
            return None
        counter = self.counter(loop)
        return plus(self._read(kind, start, loop.header, depth), counter, step)

    def _recurrence(self, phi: Phi, at: Block) -> tuple[Loop, Value, int, bool, bool] | None:
        loop = self._forest.loop_of(phi.block)
        if loop is None or phi.block is not loop.header or at not in loop.blocks or loop.preheader is None:
            return None
        affine = self._evolution.affine(phi, loop)
        if affine is None or affine.step_int is None:
            return None
        return loop, phi.incoming(loop.preheader), affine.step_int, affine.exact_signed, affine.exact_unsigned

    # Addresses ------------------------------------------------------------------------------------------------------

    def _address(self, pointer: Value, at: Block, depth: int, *, modular: bool = False) -> tuple[int, Polynomial, bool]:
        if depth and isinstance(pointer, GetElementPtr):
            steps = [
                (index, self._index(index, pointer, at, depth - 1), scale)
                for index, scale in indices(pointer, self._layout)
            ]
            stays = stays_in_address_space(pointer) or all(self._is_short(*step) for step in steps)
            if stays or modular:
                base, total, exact = self._address(pointer.operands[0], at, depth - 1, modular=modular)
                for _, read, scale in steps:
                    total = plus(total, read, scale)
                return base, total, exact and stays
        if depth and isinstance(pointer, Phi):
            found = self._recurrence(pointer, at)
            if found is not None and found[4]:
                loop, start, step, _, _ = found
                base, total, exact = self._address(start, loop.header, depth - 1, modular=modular)
                return base, plus(total, self.counter(loop), step), exact
        return self._number(Symbol("address", pointer, self._level(pointer, at))), {}, True

    def _index(self, index: Value, pointer: GetElementPtr, at: Block, depth: int) -> Polynomial:
        """An index of an address that stays in the address space: where the sum of unsigned numbers does so, too, it is
        not negative, and either sense is right."""
        found = self._read("signed", index, at, depth)
        if "nuw" in pointer.flags.split() and found == self._symbol("signed", index, self._level(index, at)):
            opened = self._read("unsigned", index, at, depth)
            return found if opened == self._symbol("unsigned", index, self._level(index, at)) else opened
        return found

    def _is_short(self, index: Value, read: Polynomial, scale: int) -> bool:
        """Is this so few bytes that sums of such stay far from 2^64? Then an address modulo that is where it seems to
        be, whether or not anybody promises that it stays in the address space. (LLVM's loop-invariant code motion
        splits addresses, and keeps no promise for the parts.)"""
        source = index.operands[0] if isinstance(index, Cast) and index.op in ("zext", "sext") else index
        bits = source.type.bits if isinstance(source.type, IntType) else POINTER
        terms = [coefficient.bit_length() + sum(map(self.bits, monomial)) for monomial, coefficient in read.items()]
        return min(bits, max(terms, default=0) + len(terms)) + scale.bit_length() <= _SHORT

    # Symbols --------------------------------------------------------------------------------------------------------

    def _number(self, key: Symbol) -> int:
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.symbols)
            self.symbols.append(key)
        return number

    def _symbol(self, kind: Literal["counter", "signed", "unsigned"], subject: Loop | Value, level: int) -> Polynomial:
        return symbol(self._number(Symbol(kind, subject, level)))

    def _level(self, value: Value, at: Block) -> int:
        """The value is the same for two executions of the block that agree in the counters of that many loops."""
        if not isinstance(value, Instruction):
            return 0
        common = self._forest.common(value.block, at)
        return common.depth if common is not None else 0

    # Bounds of counters ---------------------------------------------------------------------------------------------

    def _bound(self, loop: Loop) -> Polynomial | None:
        """What the counter never exceeds, over counters of the loops around it; None also while it is being read."""
        if loop not in self._bounds and loop not in self._opening:
            if loop.parent is not None:
                self._bound(loop.parent)
            self._opening.add(loop)
            count = self._evolution.entered_count(loop) or self._evolution.backedge_bound(loop)
            found = self._exact(count, loop.preheader) if count is not None and loop.preheader is not None else None
            self._opening.discard(loop)
            # No loop makes 2^62 rounds, so of the integers that are equal modulo 2^64 it is the polynomial itself,
            # unless that leaves the 64 bits: for which two wide terms were needed.
            self._bounds[loop] = found if found is not None and self._is_narrow(found) else None
        return self._bounds.get(loop)

    def _exact(self, count: Count, at: Block) -> Polynomial | None:
        match count:
            case Const(value, bits):
                return constant(signed(value, bits))
            case Leaf(value) if isinstance(value.type, IntType) and value.type.bits == POINTER:
                return self._read("signed", value, at, _DEPTH)
            case Extend(Leaf(value), _, is_signed):
                return self._read("signed" if is_signed else "unsigned", value, at, _DEPTH)
            case Operation(operator, a, b) if count.bits == POINTER:
                first, second = self._exact(a, at), self._exact(b, at)
                if first is not None and second is not None:
                    return self._combined(operator, first, second, at)
        return None

    def _combined(self, operator: Operator, a: Polynomial, b: Polynomial, at: Block) -> Polynomial | None:
        match operator:
            case "add" | "sub":
                return plus(a, b, 1 if operator == "add" else -1)
            case "mul":
                return times(a, b)
            case "smax" | "smin":
                if operator == "smin":
                    a, b = b, a
                if self._holds(plus(a, b, -1), at):
                    return a if operator == "smax" else b
                if self._holds(plus(b, a, -1), at):
                    return b if operator == "smax" else a
        return None

    def _is_narrow(self, polynomial: Polynomial) -> bool:
        """Is at most one term wide, and that one as it is?"""
        wide = 0
        for monomial, coefficient in polynomial.items():
            if not monomial:
                if abs(coefficient) >= 1 << 40:
                    return False
            elif len(monomial) > 1 or (self.bits(monomial[0]) > _NARROW and not self._is_counter(monomial[0])):
                wide += 1
                if abs(coefficient) != 1 or sum(map(self.bits, monomial)) > POINTER:
                    return False
            elif abs(coefficient) >= 1 << 20:
                return False
        return wide <= 1

    def _is_counter(self, number: int) -> bool:
        return self.symbols[number].kind == "counter"

    def bits(self, number: int) -> int:
        subject = self.symbols[number].subject
        return subject.type.bits if isinstance(subject, Value) and isinstance(subject.type, IntType) else _COUNTER

    def _came_back(self, loop: Loop) -> list[Polynomial]:
        """What the branch back to the header says of the iteration before, if it holds of the first one, too."""
        if loop in self._returns or loop in self._opening or loop.latch is None or loop.preheader is None:
            return self._returns.get(loop, [])
        self._opening.add(loop)
        ((monomial, _),) = self.counter(loop).items()
        found: list[Polynomial] = []
        for fact in self.said(loop.latch, loop.header):
            before = _replaced(fact, monomial[0], plus(self.counter(loop), constant(-1)))
            first = _replaced(before, monomial[0], {})
            if not self.is_deeper(first, loop.depth - 1) and self._holds(first, loop.preheader):
                found.append(before)
        self._opening.discard(loop)
        self._returns[loop] = found
        return found

    # Guards ---------------------------------------------------------------------------------------------------------

    def _guards_of(self, at: Block) -> list[Polynomial]:
        """What the branches say that lead to the block in each iteration; nothing while it is being read."""
        if at not in self._guards:
            if at in self._opening:
                return []
            self._opening.add(at)
            found: list[Polynomial] = []
            block = at
            above = self._domtree.idom[at]
            while above is not None and len(found) < _MOST_GUARDS:
                outer = self._forest.common(above, at)
                depth = outer.depth if outer is not None else 0  # what a loop behind us changes, it changed later, too
                found += [fact for fact in self._said(above, block) if not self.is_deeper(fact, depth)]
                block, above = above, self._domtree.idom[above]
            self._opening.discard(at)
            self._guards[at] = found
        return self._guards[at]

    def is_deeper(self, polynomial: Polynomial, depth: int) -> bool:
        """Does it change within an iteration of that many loops around?"""
        return any(self.symbols[s].level > depth for monomial in polynomial for s in monomial)

    def _said(self, above: Block, below: Block) -> list[Polynomial]:
        """What the branch at the end of `above` says in a block that it immediately dominates."""
        return self.said(above, below) if self._cfg.predecessors[below] == (above,) else []

    def said(self, above: Block, below: Block) -> list[Polynomial]:
        """What holds whenever the branch at the end of `above` goes to `below`."""
        branch = above.instructions[-1]
        if not isinstance(branch, Branch) or branch.then is branch.otherwise:
            return []
        return [fact for compare, holds in _compared(branch.operands[0], holds=below is branch.then)
                for fact in self._compares(compare, above, holds=holds)]  # fmt: skip

    def _compares(self, compare: Compare, above: Block, *, holds: bool) -> list[Polynomial]:
        if compare.op != "icmp" or not isinstance(compare.operands[0].type, IntType):
            return []
        predicate = compare.predicate if holds else INVERTED[compare.predicate]
        is_unsigned = predicate[0] == "u" and "samesign" not in compare.flags
        a, b = (self._read("unsigned" if is_unsigned else "signed", v, above, _DEPTH) for v in compare.operands)
        match predicate[-2:]:
            case "gt":
                return [plus(plus(a, b, -1), constant(-1))]
            case "ge":
                return [plus(a, b, -1)]
            case "lt":
                return [plus(plus(b, a, -1), constant(-1))]
            case "le":
                return [plus(b, a, -1)]
            case "eq":
                return [plus(a, b, -1), plus(b, a, -1)]
        for more, less in ((a, b), (b, a)):
            if self._holds(plus(more, less, -1), above):
                return [plus(plus(more, less, -1), constant(-1))]
        return []


def _compared(condition: Value, *, holds: bool) -> Iterator[tuple[Compare, bool]]:
    """Comparisons of which the outcome is known with that of a condition."""
    match condition:
        case Compare():
            yield condition, holds
        case Binary(op="and" | "or") if (condition.op == "and") == holds:
            for part in condition.operands:
                yield from _compared(part, holds=holds)
        case Select():  # `and` and `or` that look at the second only where it counts
            first, *others = condition.operands
            at = next((n for n, part in enumerate(others) if isinstance(part, ConstantInt)), None)
            if at == int(holds) and bool(getattr(others[at], "value", None)) != holds:
                yield from _compared(first, holds=holds)
                yield from _compared(others[1 - at], holds=holds)


def _replaced(polynomial: Polynomial, number: int, by: Polynomial) -> Polynomial:
    """With another polynomial in place of a symbol."""
    total: Polynomial = {}
    for monomial, coefficient in polynomial.items():
        term: Polynomial = {tuple(s for s in monomial if s != number): coefficient}
        for _ in range(monomial.count(number)):
            term = times(term, by)
        total = plus(total, term)
    return total
