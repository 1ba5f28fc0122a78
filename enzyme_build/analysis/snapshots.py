"""Snapshots: arrays that are copied before a loop instead of keeping, one by one, what the loop reads of them.

Positions that n bodies have at a time are read n² times in a step, and overwritten at its end. What may be copied is
memory of the function's own, whose size it knows, and which the loop does not write. Whether a copy is less than what
is read decides the plan of the tape, by the weight given here: bytes, where a symbol of the size counts as the
iterations of a loop do.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.records import dataclass
from enzyme_build.rules.memory import Allocation

from .bases import base_of
from .cfg import reached_from
from .known import call_effects

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.ir.function import Block
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

    from .aliasing import Aliasing
    from .dominators import DominatorTree
    from .loops import Loop, LoopForest
    from .memory import Memory
    from .readings import Readings
    from .regions import Region


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A copy of the object that begins at `base`, made whenever `loop` is entered; also for reads behind it."""

    base: ir.Instruction
    loop: Loop

    @property
    def name(self) -> str:
        return f"{self.base.name} before {self.loop.header.name}"


class Snapshots:
    """Answers for one function; results are remembered."""

    def __init__(
        self, memory: Memory, aliasing: Aliasing, forest: LoopForest, readings: Readings, domtree: DominatorTree
    ) -> None:
        self._module = memory.module
        self._memory = memory
        self._aliasing = aliasing
        self._forest = forest
        self._cfg = aliasing.cfg
        self._readings = readings
        self._domtree = domtree
        self._found: dict[ir.Load, Snapshot | None] = {}
        self._bases: dict[Loop, frozenset[Value]] = {}

    def of(self, load: ir.Load) -> Snapshot | None:
        """The copy in which the value of the load can be read again, made as rarely as possible."""
        if load not in self._found:
            self._found[load] = self._find(load)
        return self._found[load]

    def weight(self, snapshot: Snapshot, iterations: int) -> int:
        """Bytes of one copy, each symbol of the size counted as `iterations`."""
        total = 0
        for polynomial in self._sizes(snapshot.base) or ():
            each = sum(abs(c) * iterations ** len(m) for m, c in polynomial.items())
            total = total * each if total else each
        return max(total, 1)

    def _find(self, load: ir.Load) -> Snapshot | None:
        if load.volatile or load.ordering or self._forest.irreducible:
            return None
        number, _ = self._readings.address(load.pointer, load.block)
        base = self._readings.symbols[number].subject
        if not isinstance(base, ir.Alloca | ir.CallBase) or self.size_of(base) is None:
            return None
        best = None
        loop = self._forest.loop_of(load.block)
        while loop is not None and base.block not in loop.blocks and self._aliasing.unwritten_in(load, loop.blocks):
            if loop.preheader is not None and not self._is_freed_before(base, loop.preheader):
                best = Snapshot(base, loop)
            loop = loop.parent
        return self._earlier(load, best) if best is not None else None

    def _earlier(self, load: ir.Load, snapshot: Snapshot) -> Snapshot:
        """The copy that is made for a loop in front of that one, in the same iteration of what is around both, if
        nothing writes what is read between them: one copy for both is less than two."""
        base, behind = snapshot.base, snapshot.loop
        around = behind.parent.children if behind.parent is not None else self._forest.roots
        assert behind.preheader is not None
        for loop in around:
            here = loop.preheader
            if loop is behind or here is None or base not in self._read_in(loop):
                continue
            known = self._domtree.dominates(base.block, here) and not self._is_freed_before(base, here)
            if (
                known
                and here is not behind.preheader
                and self._domtree.dominates(here, behind.preheader)
                and self._aliasing.unwritten_in(load, self._between(here, behind.preheader))
            ):
                return Snapshot(base, loop)
        return snapshot

    def _read_in(self, loop: Loop) -> frozenset[Value]:
        """The objects that a loop reads by what is computed from their addresses."""
        if loop not in self._bases:
            loads = (i for block in loop.blocks for i in block.instructions if isinstance(i, ir.Load))
            self._bases[loop] = frozenset(base_of(i.pointer) for i in loads)
        return self._bases[loop]

    def _between(self, above: Block, below: Block) -> set[Block]:
        """The blocks on the ways from the end of a block to the end of one that it dominates."""
        found = {below}
        pending = [below]
        while pending:
            new = {block for block in self._cfg.predecessors[pending.pop()] if block is not above} - found
            found |= new
            pending += new
        return found

    def size_of(self, base: Value) -> tuple[int, tuple[Value, ...]] | None:
        """The number of bytes of an object, as a number times values; None where it is not known."""
        match base:
            case ir.Alloca():
                size = self._module.layout.alloc_size(base.allocated_type)
                return (size, tuple(base.operands)) if size else None
            case ir.CallBase():
                known = own_allocation(self._module, base)
                if known is not None:
                    return 1, tuple(base.arguments[at] for at in known.sizes)
        return None

    def _sizes(self, base: ir.Instruction) -> list[dict[tuple[int, ...], int]] | None:
        """Factors of the number of bytes."""
        found = self.size_of(base)
        return found and [{(): found[0]}, *(self._readings.number(v, base.block) for v in found[1])]

    def _is_freed_before(self, base: ir.Instruction, block: Block) -> bool:
        """May this allocation be freed when control comes to the block?"""
        place = self._memory.place(base)
        if place is None:
            return True
        sources = self._frees.get(place.resolved().region, {})
        return any(s is block or block in reached_from(self._cfg, s, without=base.block) for s in sources)

    @cached_property
    def _frees(self) -> Mapping[Region, Mapping[Block, None]]:
        """The blocks in which memory of a region is freed."""
        found: dict[Region, dict[Block, None]] = {}
        for block in self._cfg.order:
            for i in block.instructions:
                effects = self._memory.effects.get(i) if isinstance(i, ir.CallBase) else None
                for place in effects.frees if effects is not None else ():
                    found.setdefault(place.resolved().region, {})[block] = None
        return found


def own_allocation(module: Module, call: ir.CallBase) -> Allocation | None:
    """What is known of a call that returns fresh memory of a size that its arguments tell; None for other calls."""
    effects = call_effects(module, call)
    known = effects.known if effects is not None else None
    if not isinstance(known, Allocation) or known.reallocated is not None or known.stored is not None:
        return None
    return known if known.sizes else None
