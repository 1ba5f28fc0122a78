"""Vectors of addresses become addresses one by one.

Vectorised code computes the addresses of several numbers at once, and takes them out again, or reads and writes there
with `llvm.masked.gather` and `llvm.masked.scatter`. What analyses know of memory they know of single pointers. In the
model that the pass reads there are no others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.errors import UnsupportedError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder, in_front_of
from enzyme_build.ir.debug import debug_attachment, location_of
from enzyme_build.ir.function import Function, remove_instructions, replace_values
from enzyme_build.ir.parts import mask_lanes
from enzyme_build.ir.types import VOID, PointerType, Type, VectorType, vector_type
from enzyme_build.ir.values import (
    Constant,
    ConstantAggregate,
    ConstantInt,
    ConstantSplat,
    Undef,
    Value,
    ZeroInitializer,
    const_int,
    poison,
    zero,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.module import Module

_GATHER: Final = "llvm.masked.gather."
_SCATTER: Final = "llvm.masked.scatter."


def single_pointers(layout: DataLayout, function: Function) -> None:
    """Take the vectors of addresses in the function's model apart, as far as that is known."""
    found = [i for i in function.instructions() if has_pointer_vectors(i)]
    if found:
        _Apart(layout, function, found).run()


def vectors_left(module: Module, functions: Iterable[Function]) -> Iterator[UnsupportedError]:
    """Refusals of vectors of addresses that stay: what is read and written there would have no derivative."""
    for function in functions:
        left = next((i for i in function.instructions() if has_pointer_vectors(i)), None)
        if left is not None:
            yield UnsupportedError(
                f"cannot differentiate '{function.name}': it keeps addresses in a vector",
                location=location_of(module, left),
                hint="compile it without vectorisation (-fno-vectorize -fno-slp-vectorize)",
                code="E0110",
            )


def has_pointer_vectors(i: ir.Instruction) -> bool:
    return any(_is_apart(value.type) for value in (i, *i.operands))


def _is_apart(type_: Type) -> bool:
    return isinstance(type_, VectorType) and isinstance(type_.element, PointerType)


class _Apart:
    def __init__(self, layout: DataLayout, function: Function, found: list[ir.Instruction]) -> None:
        self.layout = layout
        self.function = function
        self.found = found
        self.lanes: dict[Value, list[Value]] = {}
        self.phis: list[tuple[ir.Phi, list[ir.Phi]]] = []

    def run(self) -> None:
        known = self._known()
        for i in known:
            if isinstance(i, ir.Phi) and _is_apart(i.type):
                builder = Builder(i.block, debug_attachment(i))
                made = [builder.phi(i.type.scalar) for _ in range(_count(i.type))]
                self.phis.append((i, made))
                self.lanes[i] = [*made]
        replaced: dict[Value, Value] = {}
        for i in self.found:
            if i in known:
                value = self._user(i)
                if value is not None:
                    replaced[i] = value
        for phi, made in self.phis:
            for operand, block in zip(phi.operands, phi.blocks, strict=True):
                for one, lane in zip(made, self._of(operand), strict=True):
                    Builder.add_incoming(one, lane, block)
        replace_values(self.function, replaced)
        remove_instructions(self.function, known)

    def _known(self) -> set[ir.Instruction]:
        """Those that can be taken apart with all that they are made of, and all that is made of them."""
        known = {i for i in self.found if self._is_known(i)}
        while True:
            unknown = {*self.found} - known
            around = {operand for i in unknown for operand in i.operands}
            lost = {
                i
                for i in known
                if i in around
                or any(
                    _is_apart(operand.type) and operand not in known and not isinstance(operand, Constant)
                    for operand in i.operands
                )
            }
            if not lost:
                return known
            known -= lost

    def _is_known(self, i: ir.Instruction) -> bool:
        if any(_is_apart(v.type) and (v.type.scalable or not _has_lanes(v)) for v in (i, *i.operands)):  # type: ignore[attr-defined]
            return False
        match i:
            case ir.Load() | ir.Store():
                return not (i.ordering or i.volatile)
            case ir.Cast():
                return i.op in {"ptrtoint", "inttoptr"}
            case ir.Call():
                name = i.callee.name if isinstance(i.callee, Function) else ""
                return name.startswith((_GATHER, _SCATTER))
            case _:
                return isinstance(
                    i,
                    ir.GetElementPtr
                    | ir.InsertElement
                    | ir.ExtractElement
                    | ir.ShuffleVector
                    | ir.Select
                    | ir.Phi
                    | ir.Freeze
                    | ir.Compare,
                )

    def _of(self, value: Value) -> list[Value]:
        """The addresses in a vector."""
        if value not in self.lanes:
            self.lanes[value] = self._made(value)
        return self.lanes[value]

    def _made(self, i: Value) -> list[Value]:
        if isinstance(i, Constant):
            return _constants(i)
        assert isinstance(i, ir.Instruction)
        every = range(_count(i.type))
        element = i.type.scalar
        if isinstance(i, ir.GetElementPtr):
            parts = [self._all(operand, len(every), i) for operand in i.operands]
            b = in_front_of(i)
            return [b.gep(i.source_type, parts[0][at], [part[at] for part in parts[1:]], i.flags) for at in every]
        if isinstance(i, ir.Load):
            b, size = in_front_of(i), self.layout.store_size(element)
            return [b.load(element, b.ptradd(i.pointer, size * at), min(i.align or 1, size)) for at in every]
        if isinstance(i, ir.InsertElement):
            old, (_, new, index) = self._of(i.operands[0]), i.operands
            b = in_front_of(i)
            return [_chosen(b, index, at, new, old[at]) for at in every]
        if isinstance(i, ir.ShuffleVector):
            both = [*self._of(i.operands[0]), *self._of(i.operands[1])]
            return [poison(element) if at is None else both[at] for at in mask_lanes(i)]
        if isinstance(i, ir.Select):
            conditions = self._all(i.operands[0], len(every), i)
            ways = [self._of(operand) for operand in i.operands[1:]]
            b = in_front_of(i)
            return [b.select(conditions[at], ways[0][at], ways[1][at]) for at in every]
        if isinstance(i, ir.Freeze):
            lanes = self._of(i.operands[0])
            b = in_front_of(i)
            return [b.freeze(lane) for lane in lanes]
        if isinstance(i, ir.Cast):
            words = self._all(i.operands[0], len(every), i)
            b = in_front_of(i)
            return [b.cast(i.op, word, element) for word in words]
        assert isinstance(i, ir.Call)
        return self._gathered(i)

    def _user(self, i: ir.Instruction) -> Value | None:
        """What takes the place of an instruction that is no vector of addresses itself."""
        if _is_apart(i.type):
            if not isinstance(i, ir.Phi):
                self._of(i)
            return None
        match i:
            case ir.ExtractElement():
                lanes, index = self._of(i.operands[0]), i.operands[1]
                b = in_front_of(i)
                result: Value = lanes[0]
                for at in range(1, len(lanes)):
                    result = _chosen(b, index, at, lanes[at], result)
                return result
            case ir.Store():
                lanes = self._of(i.value)
                b = in_front_of(i)
                size = self.layout.store_size(lanes[0].type)
                for at, lane in enumerate(lanes):
                    b.store(lane, b.ptradd(i.pointer, size * at), min(i.align or 1, size))
                return None
            case ir.Compare():
                first, second = (self._of(operand) for operand in i.operands)
                b = in_front_of(i)
                results = [b.icmp(i.predicate, x, y) for x, y in zip(first, second, strict=True)]
                return _joined(b, i.type, results)
            case ir.Cast():
                lanes = self._of(i.operands[0])
                b = in_front_of(i)
                return _joined(b, i.type, [b.cast(i.op, lane, i.type.scalar) for lane in lanes])
            case _:
                assert isinstance(i, ir.Call)
                if i.type is VOID:
                    self._scatter(i)
                    return None
                lanes = self._gathered(i)
                return _joined(in_front_of(i), i.type, lanes)

    def _gathered(self, i: ir.Call) -> list[Value]:
        """What is read where the mask says so; a lane that is left out reads what it is then from memory of its own."""
        pointers, mask, others = i.arguments[0], i.arguments[-2], i.arguments[-1]
        addresses, count = self._of(pointers), _count(i.type)
        chosen, instead = self._all(mask, count, i), self._all(others, count, i)
        b, element = in_front_of(i), i.type.scalar
        result: list[Value] = []
        for at in range(count):
            address = addresses[at]
            if not _is_true(chosen[at]):
                room = self._room(element)
                b = in_front_of(i)
                b.store(instead[at], room)
                address = b.select(chosen[at], address, room)
            result.append(b.load(element, address, 1))
        return result

    def _scatter(self, i: ir.Call) -> None:
        """Lanes are stored in their order, as the last one counts where several have the same address."""
        values, pointers, mask = i.arguments[0], i.arguments[1], i.arguments[-1]
        count = _count(values.type)
        addresses, chosen, numbers = self._of(pointers), self._all(mask, count, i), self._all(values, count, i)
        for at in range(count):
            b, address = in_front_of(i), addresses[at]
            if not _is_true(chosen[at]):
                room = self._room(values.type.scalar)
                b = in_front_of(i)
                address = b.select(chosen[at], address, room)
            b.store(numbers[at], address, 1)

    def _room(self, type_: Type) -> Value:
        entry = Builder(self.function.entry)
        entry.position = 0
        return entry.alloca(type_, None, self.layout.store_size(type_))

    def _all(self, value: Value, count: int, before: ir.Instruction) -> list[Value]:
        """The lanes of any vector, or a value that is the same in all."""
        if not isinstance(value.type, VectorType):
            return [value] * count
        if _is_apart(value.type):
            return self._of(value)
        if isinstance(value, Constant) and _has_lanes(value):
            return _constants(value)
        b = in_front_of(before)
        return [b.extract_element(value, at) for at in range(count)]


def _has_lanes(value: Value) -> bool:
    """Are the lanes of a constant known, or is it none?"""
    if isinstance(value, Constant):
        return isinstance(value, ConstantSplat | ConstantAggregate | ZeroInitializer | Undef)
    return isinstance(value, ir.Instruction)


def _constants(value: Constant) -> list[Value]:
    element, count = value.type.scalar, _count(value.type)
    if isinstance(value, ConstantSplat):
        return [value.operands[0]] * count
    if isinstance(value, ConstantAggregate):
        return [*value.operands]
    return [zero(element) if isinstance(value, ZeroInitializer) else Undef(element, value.text)] * count


def _count(type_: Type) -> int:
    assert isinstance(type_, VectorType)
    return type_.count


def _is_true(condition: Value) -> bool:
    return isinstance(condition, ConstantInt) and condition.value != 0


def _chosen(b: Builder, index: Value, lane: int, value: Value, other: Value) -> Value:
    """`value` where the index is that of a lane."""
    if isinstance(index, ConstantInt):
        return value if index.value == lane else other
    return b.select(b.icmp("eq", index, const_int(index.type, lane)), value, other)


def _joined(b: Builder, type_: Type, lanes: Sequence[Value]) -> Value:
    result: Value = poison(vector_type(type_.scalar, len(lanes)))
    for at, lane in enumerate(lanes):
        result = b.insert_element(result, lane, at)
    return result
