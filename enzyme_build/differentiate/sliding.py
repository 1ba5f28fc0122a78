"""Adjoints of stencils: loops that read neighbours, x[i - 1], x[i] and x[i + 1], in each iteration.

The adjoint of a neighbour gets its contributions in iterations that follow each other. As sums in memory these wait for
one another, each for the store of the iteration before, and no loop of vectors can be made of them. In a loop that is
reversed upward (see `ascending`), where nothing else adds to the same memory meanwhile, the adjoints between the first
and the last contribution are carried from iteration to iteration instead: an iteration loads the one that comes into
reach and stores the one that leaves it. The contributions are added in the same order.

(Scalar replacement: Callahan, Carr and Kennedy, "Improving register allocation for subscripted variables", 1990.)
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.inequalities import constant, plus
from enzyme_build.analysis.offsets import Linear, element_offset
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import FloatType
from enzyme_build.records import dataclass

from .foreign_bytes import takes_turns
from .memory_scopes import joined
from .metadata import shadow_scopes
from .numbers import add_adjoints

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from enzyme_build.analysis.loops import Loop
    from enzyme_build.ir.values import Value

    from .context import Context
    from .prepare import Prepared
    from .reverse import ReverseSweep

_WIDEST: Final = 4
"""Adjoints that are carried."""
_MOST: Final = 12
"""Reads in a loop: all of them are compared."""
_FAR: Final = 1 << 62
"""Distances below that are what they seem, modulo 2⁶⁴."""


@dataclass(eq=False)
class Window:
    """Reads of one array at neighbouring places, by how many iterations later than the first read the place is reached
    that is read last: 0 is what leaves the reach. `step` is the distance of elements in bytes, negative downwards."""

    loop: Loop
    step: int
    reads: dict[ir.Load, int]
    waiting: dict[ir.Load, Value] = field(default_factory=dict)

    @property
    def width(self) -> int:
        """How many adjoints are carried."""
        return max(self.reads.values())

    @property
    def last(self) -> ir.Load:
        """The read at the place that is reached last."""
        return next(read for read, at in self.reads.items() if not at)


class Windows:
    """The windows of a function's loops."""

    def __init__(self, context: Context, prepared: Prepared, *, noted: bool) -> None:
        self._context = context
        self._upward = prepared.reversal.upward if context.request.width == 1 and not noted else frozenset()
        self._found: dict[Loop, list[Window]] = {}

    def of(self, read: ir.Load) -> Window | None:
        """The window that a read belongs to."""
        loop = self._context.facts.loops.loop_of(read.block)
        if loop is None or loop not in self._upward:
            return None
        return next((window for window in self.of_loop(loop) if read in window.reads), None)

    def of_loop(self, loop: Loop) -> list[Window]:
        """All windows of a loop that is reversed upward."""
        if loop not in self._found:
            self._found[loop] = list(self._windows(loop)) if loop in self._upward else []
        return self._found[loop]

    def _windows(self, loop: Loop) -> Iterator[Window]:
        activity = self._context.activity
        if len(loop.blocks) != 1:
            return
        (block,) = loop.blocks
        reads = [i for i in block.instructions if isinstance(i, ir.Load) and activity.is_active(i)]
        if len(reads) > _MOST or not all(self._is_plain(read) for read in reads):
            return
        places = {read: self._place(read.pointer) for read in reads}
        groups: dict[object, list[ir.Load]] = {}
        for read, (base, offset) in places.items():
            groups.setdefault((base, frozenset(offset.terms), read.type), []).append(read)
        for group in groups.values():
            starts = {read: places[read][1].constant for read in group}
            step = self._step(places[group[0]], loop)
            size = self._context.layout.store_size(group[0].type)
            if len(group) < 2 or step is None or abs(step) != size:
                continue
            first = min(starts.values()) if step > 0 else max(starts.values())
            if any((start - first) % size for start in starts.values()):
                continue
            window = Window(loop, step, {read: (start - first) // step for read, start in starts.items()})
            if not 0 < window.width <= _WIDEST:
                continue
            if not all(self._context.aliasing.unwritten_in(read, loop.blocks) for read in group):
                continue
            if all(self._is_apart(read, group, places) for read in reads if read not in window.reads):
                yield window

    def _place(self, pointer: Value) -> tuple[Value, Linear]:
        """An address as another one and a number of bytes, modulo 2⁶⁴."""
        offset = Linear(0)
        while isinstance(pointer, ir.GetElementPtr):
            offset += element_offset(self._context.layout, pointer)
            pointer = pointer.operands[0]
        return pointer, offset

    def _step(self, place: tuple[Value, Linear], loop: Loop) -> int | None:
        """How far an address goes in an iteration."""
        total, (base, offset) = 0, place
        for value, scale in ((base, 1), *offset.terms):
            if not isinstance(value, ir.Instruction) or value.block not in loop.blocks:
                continue
            affine = self._context.facts.evolution.affine(value, loop) if value is not base else None
            if affine is None or affine.step_int is None:
                return None
            total += affine.step_int * scale
        return total

    def _is_plain(self, read: ir.Load) -> bool:
        activity = self._context.activity
        return (
            isinstance(read.type, FloatType)
            and read not in activity.bytes
            and not read.ordering
            and not read.volatile
            and not activity.is_uncertain(read.pointer)
            and not takes_turns(self._context, read.pointer, [(0, read.type)])
        )

    def _is_apart(self, read: ir.Load, group: list[ir.Load], places: Mapping[ir.Load, tuple[Value, Linear]]) -> bool:
        """Does another read never touch in an iteration what these read?"""
        if not self._context.aliasing.may_share(read, group[0]):
            return True
        (base, offset), (other, window) = places[read], places[group[0]]
        if base is not other:
            return False
        readings, layout = self._context.facts.readings, self._context.layout
        starts = [places[member][1].constant for member in group]
        distance = constant(offset.constant - min(starts))
        for value, scale in (*offset.terms, *window.scaled(-1).terms):
            distance = plus(distance, readings.signed_number(value, read.block), scale)
        reach = max(starts) - min(starts) + layout.store_size(group[0].type)
        behind = plus(distance, constant(reach), -1)
        before = plus({m: -c for m, c in distance.items()}, constant(layout.store_size(read.type)), -1)
        return any(
            readings.holds(way, read.block) and readings.holds(plus(constant(_FAR), way, -1), read.block)
            for way in (behind, before)
        )


# Emitting ----------------------------------------------------------------------------------------------------------


def enter(sweep: ReverseSweep, loop: Loop) -> None:
    """In front of the first iteration: load what its reads reach, but for what is reached last."""
    for window in sweep.windows.of_loop(loop):
        for at in range(window.width):
            sweep.b.store(_load(sweep, window, at), _carried(sweep, window, at))


def leave(sweep: ReverseSweep, loop: Loop) -> None:
    """Behind the last iteration: store what is still carried."""
    for window in sweep.windows.of_loop(loop):
        for at in range(window.width):
            value = sweep.b.load(window.last.type, _carried(sweep, window, at))
            _store(sweep, window, at + 1, value)


def contribute(sweep: ReverseSweep, window: Window, read: ir.Load, share: Value) -> None:
    """Take what the adjoint of a read gets; with the last one, all are added."""
    window.waiting[read] = share
    if len(window.waiting) < len(window.reads):
        return
    values: list[Value] = []
    values += [sweep.b.load(window.last.type, _carried(sweep, window, at)) for at in range(window.width)]
    values.append(_load(sweep, window, window.width))
    for other, waiting in window.waiting.items():
        at = window.reads[other]
        values[at] = add_adjoints(sweep.b, values[at], waiting, "nsz")
    window.waiting.clear()
    _store(sweep, window, 0, values[0])
    for at, value in enumerate(values[1:]):
        sweep.b.store(value, _carried(sweep, window, at))


def _carried(sweep: ReverseSweep, window: Window, at: int) -> Value:
    return sweep.frame.variable(("carried", window, at), window.last.type, name="carried")


def _load(sweep: ReverseSweep, window: Window, at: int) -> Value:
    address, align, tags = _place(sweep, window, at)
    return sweep.b.load(window.last.type, address, align, metadata=tags)


def _store(sweep: ReverseSweep, window: Window, at: int, value: Value) -> None:
    address, align, tags = _place(sweep, window, at)
    sweep.b.store(value, address, align, metadata=tags)


def _place(sweep: ReverseSweep, window: Window, at: int) -> tuple[Value, int, str]:
    """The address of an adjoint in the present iteration, its alignment and tags."""
    read = window.last
    tags = joined(sweep.tags_of_sums.of(read), shadow_scopes(sweep.context, read))
    address = sweep.b.ptradd(sweep.writable(read.pointer), at * window.step)
    return address, min(read.align or 1, sweep.context.layout.store_size(read.type)), tags
