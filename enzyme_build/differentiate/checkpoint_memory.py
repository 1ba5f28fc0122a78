"""What the marks in a checkpointed loop tell, and the memory whose size is known in front of the loop."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from enzyme_build.analysis.bases import base_of
from enzyme_build.analysis.checkpoints import is_steered, refusal, tells_memory
from enzyme_build.analysis.snapshots import own_allocation
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.types import I64, IntType, PointerType
from enzyme_build.ir.values import (
    Constant,
    ConstantExpression,
    ConstantInt,
    GlobalVariable,
    NullPointer,
    Value,
    const_int,
)
from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.analysis.checkpoints import MarkedLoop
    from enzyme_build.analysis.flow import Flow
    from enzyme_build.errors import UnsupportedError


@dataclass(frozen=True, slots=True)
class Whole:
    """An object in memory: address and bytes, whether the user told of it, whether it is apart from the others, and
    whether the host made it, so that its arguments do not point there."""

    base: Value
    size: Value
    told: bool = False
    apart: bool = False
    fresh: bool = False


class Again:
    """Steered values computed once more, from those of the phis given in `known`."""

    def __init__(self, b: Builder, known: Mapping[Value, Value]) -> None:
        self.b = b
        self.known = dict(known)

    def value(self, v: Value) -> Value:
        found = self.known.get(v)
        if found is not None or not isinstance(v, ir.Instruction):
            return v if found is None else found
        if isinstance(v, ir.Phi):
            (only,) = v.operands  # what closes the loop
            return self.value(only)
        new = copy.copy(v)
        new.operands = [self.value(o) for o in v.operands]
        self.known[v] = self.b.insert(new)
        return new


def _is_below(value: Value, least: int) -> bool:
    return isinstance(value, ConstantInt) and value.value < least


class Told:
    """`slots` is the number of snapshots asked for, `told` the memory that the user tells of: address and bytes.

    Both are computed in front of the loop. `extents` is what is known of the memory behind the host's arguments.
    """

    def __init__(self, flow: Flow, marked: MarkedLoop, extents: Mapping[Value, Whole]) -> None:
        self.module = flow.module
        self.marked = marked
        self.extents = extents
        self.header_phis = list(marked.loop.header.phis)
        self.start = Builder(marked.preheader, debug_attachment(marked.marks[0]))
        self.start.position = len(marked.preheader.instructions) - 1
        self.slots, self.told = self._told()

    def _told(self) -> tuple[Value, list[tuple[Value, Value]]]:
        """The number of snapshots asked for, and memory that the user tells, as they are when the loop is entered."""
        again = Again(self.start, {p: p.incoming(self.marked.preheader) for p in self.header_phis})
        slots: Value = const_int(I64, 0)
        told = []
        for mark in self.marked.marks:
            values = [self._at_entry(mark, a, again) for a in mark.arguments]
            if tells_memory(mark):
                if (
                    len(values) != 2
                    or not isinstance(values[0].type, PointerType)
                    or not isinstance(values[1].type, IntType)
                    or _is_below(values[1], 0)
                ):
                    raise self._misuse(mark)
                told.append((values[0], self._at_least_zero(_wide(values[1], self.start))))
            elif values:
                if not isinstance(values[0].type, IntType) or _is_below(values[0], -1):
                    raise self._misuse(mark)
                slots = _wide(values[0], self.start)
        return slots, told

    def _misuse(self, mark: ir.CallBase) -> UnsupportedError:
        return refusal(
            self.module,
            mark,
            "a checkpointed loop is told something that it does not take",
            "__enzyme_checkpoint takes the number of snapshots, 0 or -1; __enzyme_checkpoint_memory an address and "
            "the bytes",
            "E0362",
        )

    def _at_entry(self, mark: ir.CallBase, value: Value, again: Again) -> Value:
        entry = {p for p in self.header_phis if isinstance(p.type, IntType | PointerType)}
        if isinstance(value, Constant) or is_steered(value, self.marked.loop, entry):
            return (
                again.value(value)
                if not isinstance(value, ir.Instruction) or value.block in self.marked.loop.blocks
                else value
            )
        raise refusal(
            self.module,
            mark,
            "what a checkpointed loop is told is computed in the loop",
            "compute the number of snapshots, addresses and bytes in front of the loop",
            "E0362",
        )

    def _at_least_zero(self, value: Value) -> Value:
        none = const_int(I64, 0)
        return self.start.select(self.start.icmp("slt", value, none), none, value)

    def objects(self, inputs: list[Value]) -> tuple[list[Whole], dict[Value, int]]:
        """Memory of known size that pointers given to the loop lead to."""
        objects = [Whole(base, size, told=True) for base, size in self.told]
        by_base = {base_of(o.base): n for n, o in enumerate(objects) if self._whole(base_of(o.base)) is None}
        starts = [phi.incoming(self.marked.preheader) for phi in self.marked.steered]
        object_of: dict[Value, int] = {}
        for value in dict.fromkeys([*inputs, *starts, *(base for base, _ in self.told)]):
            if not isinstance(value.type, PointerType):
                continue
            base = base_of(value)
            if base not in by_base:
                whole = self._whole(base)
                if whole is None:
                    continue
                by_base[base] = len(objects)
                objects.append(whole)
            object_of[value] = by_base[base]
        return objects, object_of

    def _whole(self, base: Value) -> Whole | None:
        """The object that addresses with this base are in."""
        found = self.extents.get(base)
        if found is not None:
            return found
        if isinstance(base, ir.Phi):
            size = self._chosen_size(base)
            return None if size is None else Whole(base, size)
        size = self._size(base, self.start)
        return None if size is None else Whole(base, size, apart=True, fresh=not isinstance(base, GlobalVariable))

    def _chosen_size(self, phi: ir.Phi) -> Value | None:
        """The bytes of one of several objects, or of none: what an empty vector has for an address."""
        if phi.block in self.marked.loop.blocks:
            return None
        sizes = []
        for value, source in zip(phi.operands, phi.blocks, strict=True):
            at = Builder(source, self.start.metadata)
            at.position = len(source.instructions) - 1
            none = isinstance(value, NullPointer) or (isinstance(value, ConstantExpression) and value.op == "inttoptr")
            size = const_int(I64, 0) if none else self._size(value, at)
            if size is None:
                return None
            sizes.append((size, source))
        found = Builder(phi.block).phi(I64)
        for size, source in sizes:
            Builder.add_incoming(found, size, source)
        return found

    def _size(self, base: Value, at: Builder) -> Value | None:
        """The bytes of an object that begins at `base`."""
        layout = self.module.layout
        match base:
            case ir.Alloca():
                size = const_int(I64, layout.alloc_size(base.allocated_type))
                return at.mul(size, _wide(base.operands[0], at)) if base.operands else size
            case GlobalVariable() if base.initializer is not None:
                return const_int(I64, layout.alloc_size(base.value_type))
            case ir.CallBase():
                known = own_allocation(self.module, base)
                if known is None:
                    return None
                sizes = [_wide(base.arguments[n], at) for n in known.sizes]
                return sizes[0] if len(sizes) == 1 else at.mul(sizes[0], sizes[1])
        return None


def _wide(value: Value, at: Builder) -> Value:
    assert isinstance(value.type, IntType)
    if isinstance(value, ConstantInt):
        return const_int(I64, value.value)
    return value if value.type is I64 else at.cast("sext", value, I64)
