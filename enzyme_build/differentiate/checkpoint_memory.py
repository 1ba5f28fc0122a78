"""What the marks in a checkpointed loop tell, and the memory whose size is known in front of the loop."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from enzyme_build.analysis.bases import base_of, bases_among, points_nowhere
from enzyme_build.analysis.cfg import reached_from
from enzyme_build.analysis.checkpoints import is_steered, refusal, tells_memory
from enzyme_build.analysis.known import call_effects
from enzyme_build.analysis.snapshots import own_allocation
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.types import I64, IntType, PointerType
from enzyme_build.ir.values import (
    Argument,
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
    from collections.abc import Mapping, Sequence

    from enzyme_build.analysis.checkpoints import MarkedLoop
    from enzyme_build.analysis.flow import Flow
    from enzyme_build.errors import UnsupportedError

    from .checkpoint_loops import CheckpointedLoop


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

    Both are computed in front of the loop. `extents` is what is known of the memory behind the host's arguments, and
    `taken` the loops that are functions already, by name.
    """

    def __init__(
        self,
        flow: Flow,
        marked: MarkedLoop,
        extents: Mapping[Value, Sequence[Whole]],
        taken: Mapping[str, CheckpointedLoop],
    ) -> None:
        self.module = flow.module
        self.cfg = flow.cfg
        self.dominators = flow.dominators
        self.marked = marked
        self.extents = extents
        self.taken = taken
        self._chosen: dict[Value, Value | None] = {}
        """Bytes of the objects that phis choose."""
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

    def objects(self, inputs: list[Value]) -> tuple[list[Whole], dict[Value, tuple[int, ...]]]:
        """Memory of known size that pointers given to the loop lead to: the objects, and the numbers of those that a
        pointer may be in."""
        objects = [Whole(base, size, told=True) for base, size in self.told]
        numbers: dict[Value, tuple[int, ...]] = {
            base_of(o.base): (n,) for n, o in enumerate(objects) if self._wholes(base_of(o.base)) is None
        }
        steered = [v for phi in self.marked.steered for v in (phi.incoming(self.marked.preheader), phi)]
        object_of: dict[Value, tuple[int, ...]] = {}
        for value in dict.fromkeys([*inputs, *steered, *(base for base, _ in self.told)]):
            if not isinstance(value.type, PointerType):
                continue
            base = base_of(value)
            if base not in numbers:
                wholes = self._wholes(base)
                if wholes is None:
                    continue
                for whole in wholes:
                    if whole.base not in numbers:
                        numbers[whole.base] = (len(objects),)
                        objects.append(whole)
                numbers[base] = tuple(dict.fromkeys(n for whole in wholes for n in numbers[whole.base]))
            object_of[value] = numbers[base]
        for number, whole in enumerate(objects):
            object_of.setdefault(whole.base, (number,))
        return objects, object_of

    def _wholes(self, base: Value) -> Sequence[Whole] | None:
        """The objects that addresses with this base are in; None where one of them is not known."""
        found = self.extents.get(base)
        if found is not None:
            return found
        among = self._among(base)
        if len(among) > 1 and self._may_be_freed(among):
            return None
        wholes: list[Whole] = []
        for one in self._among(base, whole=True):
            if one in self.extents:
                wholes += self.extents[one]
                continue
            if not self._is_there(one):
                return None
            plain = not isinstance(one, ir.Phi)
            size = self._size(one, self.start) if plain else self._chosen[one]
            if size is None:
                return None
            wholes.append(Whole(one, size, apart=plain, fresh=plain and not isinstance(one, GlobalVariable)))
        return wholes

    def _among(self, base: Value, *, whole: bool = False) -> list[Value]:
        """What the pointer may be, also where loops let pointers take turns; a choice of which the size is known is
        left as `whole` if that is asked."""

        def further(value: Value) -> Sequence[Value] | None:
            beginning = self._beginning(value) if whole else None
            if beginning is not None:
                return [] if beginning is value else [beginning]
            return self._returned(value)

        return bases_among(base, further)

    def _beginning(self, value: Value) -> ir.Phi | None:
        """The phi that chooses the object which this one chooses an address in, if its size is known: the end of a
        vector's numbers, beside their beginning."""
        if not isinstance(value, ir.Phi) or not self._is_there(value):
            return None
        bases = [base_of(value.incoming(source)) for source in value.blocks]
        for phi in (value, *value.block.phis):
            beside = [base_of(phi.incoming(source)) for source in value.blocks]
            same = all(one is other or points_nowhere(one) for one, other in zip(bases, beside, strict=True))
            if same and isinstance(phi.type, PointerType) and self._chosen_size(phi) is not None:
                return phi
        return None

    def _returned(self, value: Value) -> list[Value] | None:
        """What a loop that is a function already may return as this, of what it is given; None for other values."""
        call = value.operands[0] if isinstance(value, ir.ExtractValue) else value
        loop = self.taken.get(getattr(call.callee, "name", "")) if isinstance(call, ir.CallBase) else None
        if loop is None or not isinstance(call, ir.CallBase):
            return None
        place = value.indices[0] if isinstance(value, ir.ExtractValue) else 0
        given = [one for values in loop.exits if place in values for one in self._among(values[place])]
        return [call.arguments[one.index] if isinstance(one, Argument) else one for one in given]

    def _may_be_freed(self, objects: Sequence[Value]) -> bool:
        """May one of these be freed in front of the loop? The pointer leads to another one then."""
        for block in self.cfg.order:
            for i in block.instructions:
                effects = call_effects(self.module, i) if isinstance(i, ir.CallBase) else None
                freed = () if effects is None else (*effects.frees, *[n for n in (effects.resizes,) if n is not None])
                if (
                    isinstance(i, ir.CallBase)
                    and any(not set(objects).isdisjoint(self._among(i.arguments[n])) for n in freed)
                    and (block is self.marked.preheader or self.marked.preheader in reached_from(self.cfg, block))
                ):
                    return True
        return False

    def _is_there(self, base: Value) -> bool:
        """Is this object made whenever the loop is entered?"""
        return not isinstance(base, ir.Instruction) or self.dominators.dominates(base.block, self.marked.preheader)

    def _chosen_size(self, phi: ir.Phi) -> Value | None:
        """The bytes of one of several objects, or of none: what an empty vector has for an address."""
        if phi not in self._chosen:
            self._chosen[phi] = None if phi.block in self.marked.loop.blocks else self._size_behind(phi)
        return self._chosen[phi]

    def _size_behind(self, phi: ir.Phi) -> Value | None:
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
