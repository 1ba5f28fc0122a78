"""Vectors of integers that only move numbers become vectors of those numbers.

Optimised code loads a vector as `<4 x i32>` and casts it to `<2 x double>` where it is used, or shuffles numbers as
integers of the same or another width. In the model that the pass reads such loads, merges and shuffles are of numbers.
Integers that are used as such are cast from them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder, in_front_of
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.metadata import retyped
from enzyme_build.ir.parts import mask_lanes, shuffle_mask
from enzyme_build.ir.types import FloatType, IntType, Type, VectorType, vector_type
from enzyme_build.ir.values import Undef, Value, is_zero, poison, zero

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.ir.function import Function

_MOVES = (ir.Load, ir.Phi, ir.Select, ir.Freeze, ir.ShuffleVector, ir.InsertElement)
_WIDTHS = {"half": 16, "bfloat": 16, "float": 32, "double": 64}


def numbers_for_vectors(function: Function) -> None:
    """Retype the vectors of the function's model that are certainly the bits of numbers."""
    moves = [i for i in function.instructions() if isinstance(i, _MOVES) and _is_words(i.type)]
    if moves:
        chosen = _chosen(function, moves)
        if chosen:
            _Retyping(function, chosen).run()


def _chosen(function: Function, moves: Sequence[ir.Instruction]) -> dict[Value, Type]:
    """Moves, and the vectors of numbers that they are."""
    while True:
        numbers = _groups(function, moves)
        unfit = {i for i, number in numbers.items() if not _fits(i, number)}
        if not unfit:
            return {i: _as_numbers(i.type, number) for i, number in numbers.items()}
        moves = [i for i in moves if i not in unfit]


def _groups(function: Function, moves: Sequence[ir.Instruction]) -> dict[ir.Instruction, FloatType]:
    """The numbers that each move is of, by what it is moved from and to: casts say of which type."""
    parent: dict[Value, Value] = {i: i for i in moves}

    def root(value: Value) -> Value:
        while parent[value] is not value:
            parent[value] = value = parent[parent[value]]
        return value

    told: list[tuple[Value, Type]] = []
    for i in moves:
        for operand in _moved(i):
            if operand in parent:
                parent[root(operand)] = root(i)
            elif _is_cast(operand) and operand.operands[0] in parent:  # type: ignore[attr-defined]
                parent[root(operand.operands[0])] = root(i)  # type: ignore[attr-defined]
            elif _is_cast(operand) and operand.operands[0].type.is_float_like:  # type: ignore[attr-defined]
                told.append((i, operand.operands[0].type.scalar))  # type: ignore[attr-defined]
    casts = [i for i in function.instructions() if _is_cast(i) and i.type.is_float_like and i.operands[0] in parent]
    told += [(cast.operands[0], cast.type.scalar) for cast in casts]
    found: dict[Value, set[Type]] = {}
    for value, scalar in told:
        found.setdefault(root(value), set()).add(scalar)
    only = {at: next(iter(types)) for at, types in found.items() if len(types) == 1}
    return {i: number for i in moves if isinstance(number := only.get(root(i)), FloatType) and number.text in _WIDTHS}


def _fits(i: ir.Instruction, number: FloatType) -> bool:
    assert isinstance(i.type, VectorType)
    lane, width = _width(i.type), _WIDTHS[number.text]
    if i.type.count * lane % width:
        return False
    match i:
        case ir.ShuffleVector():
            source = i.operands[0].type
            assert isinstance(source, VectorType)
            return source.count * lane % width == 0 and _mask(i, width) is not None
        case ir.InsertElement():
            return lane == width
        case ir.Select():
            return not isinstance(i.operands[0].type, VectorType) or lane == width
        case _:
            return True


def _mask(i: ir.ShuffleVector, width: int) -> list[int | None] | None:
    """The mask for lanes of another width."""
    lanes = mask_lanes(i)
    own = _width(i.type)
    if own % width == 0:
        times = own // width
        return [None if lane is None else lane * times + at for lane in lanes for at in range(times)]
    times = width // own
    result: list[int | None] = []
    for start in range(0, len(lanes), times):
        part = lanes[start : start + times]
        first = {lane - at for at, lane in enumerate(part) if lane is not None}
        if len(first) > 1 or any(lane % times for lane in first):
            return None
        result.append(first.pop() // times if first else None)
    return result


class _Retyping:
    def __init__(self, function: Function, chosen: dict[Value, Type]) -> None:
        self.function = function
        self.chosen = chosen
        self.made: dict[Value, ir.Instruction] = {}
        self.words: dict[Value, Value] = {}
        """Old instructions to the bits of the new ones."""

    def run(self) -> None:
        for old, type_ in self.chosen.items():
            assert isinstance(old, ir.Instruction)
            self._put(old, _empty(old, type_))
        for old, new in self.made.items():
            assert isinstance(old, ir.Instruction)
            self._fill(old, new)
        for i in self.function.instructions():
            if isinstance(i, ir.Store) and i.value in self.made:
                i.operands[0] = self.made[i.value]
        casts = {
            i: self.made[i.operands[0]]
            for i in self.function.instructions()
            if _is_cast(i) and i.operands[0] in self.made and i.type is self.made[i.operands[0]].type
        }
        replaced = self.words | casts
        used: set[Value] = set()
        for i in self.function.instructions():
            i.operands[:] = [replaced.get(operand, operand) for operand in i.operands]
            used.update(i.operands)
        unused = {*casts, *self.words.values()} - used
        for block in self.function.blocks:
            if not unused.isdisjoint(block.instructions):
                block.instructions[:] = [i for i in block.instructions if i not in unused]

    def _put(self, old: ir.Instruction, new: ir.Instruction) -> None:
        """The numbers in the place of the words, and behind them the words for other uses."""
        block = old.block
        at = block.instructions.index(old)
        block.instructions[at] = new
        new.block = block
        builder = Builder(block, debug_attachment(old))
        builder.position = sum(1 for _ in block.phis) if isinstance(new, ir.Phi) else at + 1
        self.made[old] = new
        self.words[old] = builder.cast("bitcast", new, old.type)

    def _fill(self, old: ir.Instruction, new: ir.Instruction) -> None:
        match old:
            case ir.Load():
                pass
            case ir.Phi():
                new.operands[:] = [
                    self._number(operand, new.type, block.instructions[-1])
                    for operand, block in zip(old.operands, old.blocks, strict=True)
                ]
            case ir.ShuffleVector():
                for at, operand in enumerate(_moved(old)):
                    new.operands[at] = self._number(operand, _as_numbers(operand.type, new.type.scalar), new)
            case _:
                moved = _moved(old)
                start = old.operands.index(moved[0])
                for at, operand in enumerate(moved, start):
                    type_ = new.type if isinstance(operand.type, VectorType) else new.type.scalar
                    new.operands[at] = self._number(operand, type_, new)

    def _number(self, word: Value, type_: Type, before: ir.Instruction) -> Value:
        """The numbers of which a word is the bits."""
        if word in self.made:
            return self.made[word]
        if _is_cast(word) and word.operands[0] in self.made:  # type: ignore[attr-defined]
            return self.made[word.operands[0]]  # type: ignore[attr-defined]
        if _is_cast(word) and word.operands[0].type is type_:  # type: ignore[attr-defined]
            return word.operands[0]  # type: ignore[attr-defined,no-any-return]
        if isinstance(word, Undef):
            return poison(type_) if word.text == "poison" else Undef(type_, word.text)
        if is_zero(word):
            return zero(type_)
        return in_front_of(before).cast("bitcast", word, type_)


def _empty(old: ir.Instruction, type_: Type) -> ir.Instruction:
    """The instruction on numbers, whose operands are still to come."""
    nothing = poison(type_)
    match old:
        case ir.Load():
            return ir.Load(
                type_, old.pointer, old.align, ordering=old.ordering, volatile=old.volatile, name=old.name,
                metadata=retyped(old.metadata),
            )  # fmt: skip
        case ir.Phi():
            return ir.Phi(type_, [], old.blocks, name=old.name, metadata=old.metadata)
        case ir.Select():
            return ir.Select(old.operands[0], nothing, nothing, name=old.name, metadata=old.metadata)
        case ir.Freeze():
            return ir.Freeze(nothing, old.name, old.metadata)
        case ir.InsertElement():
            element = poison(type_.scalar)
            return ir.InsertElement(nothing, element, old.operands[2], old.name, old.metadata)
        case _:
            assert isinstance(old, ir.ShuffleVector)
            source = poison(_as_numbers(old.operands[0].type, type_.scalar))
            lanes = _mask(old, _WIDTHS[type_.scalar.text])
            assert lanes is not None
            return ir.ShuffleVector(type_, source, source, shuffle_mask(lanes), old.name, old.metadata)


def _moved(i: ir.Instruction) -> list[Value]:
    """The operands of which the result is made."""
    match i:
        case ir.Load():
            return []
        case ir.Select():
            return i.operands[1:]
        case ir.ShuffleVector() | ir.InsertElement():
            return i.operands[:2]
        case _:
            return i.operands


def _is_words(type_: Type) -> bool:
    return isinstance(type_, VectorType) and isinstance(type_.element, IntType) and not type_.scalable


def _is_cast(value: Value) -> bool:
    return isinstance(value, ir.Cast) and value.op == "bitcast"


def _width(type_: Type) -> int:
    assert isinstance(type_.scalar, IntType)
    return type_.scalar.bits


def _as_numbers(type_: Type, number: Type) -> Type:
    """A vector of as many bits."""
    assert isinstance(type_, VectorType)
    return vector_type(number, type_.count * _width(type_) // _WIDTHS[number.text])
