"""Loops of the reverse sweep that follow each other and become one.

Where the primal fills an array in one loop and reads it in the next, the reverse of the second adds to the array's
adjoints and the reverse of the first takes them. As two loops that is one pass over the memory to write and another to
read and clear it. As one, an adjoint is added to and taken in the same iteration, and LLVM keeps it in a register.

The loops are reversed upward (see `ascending`) and equally often, with nothing between them but what begins the second.
In one loop, iteration i of what came second precedes iteration j > i of what came first. That gives the same, if

- in memory, two such iterations only add to the same adjoints, or touch different ones;
- variables that both change are adjoints of values from outside, to which both only add.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import FloatType
from enzyme_build.records import dataclass

from .calls import CallKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from enzyme_build.analysis.counts import Affine
    from enzyme_build.analysis.loops import Loop
    from enzyme_build.ir.function import Block
    from enzyme_build.ir.values import Value

    from .reverse import ReverseSweep

_MOST_ACCESSES: Final = 12
"""Of active memory in both loops: each of one is compared with each of the other."""
_MOST_INSTRUCTIONS: Final = 160
"""In both reverse loops, and between them: registers are few."""
_LONGEST_WAY: Final = 3
"""Blocks between two loops."""
_CALCULATIONS: Final = (
    *(ir.Binary, ir.Negate, ir.Compare, ir.Cast, ir.Select, ir.Freeze),
    *(ir.GetElementPtr, ir.ExtractValue, ir.Load, ir.Store, ir.Jump, ir.Branch),
)
_INTRINSICS: Final = tuple(
    f"llvm.{name}." for name in ("fma", "fmuladd", "fabs", "sqrt", "copysign", "smax", "smin", "umax", "umin")
)
"""Without effects, and no hindrance for loops of vectors."""

_Access = ir.Load | ir.Store


@dataclass(frozen=True, slots=True)
class SimpleLoop:
    """The reverse of a loop of one block: the iteration, and where it goes behind the last one and behind others."""

    loop: Loop
    body: Block
    first: Block
    again: Block

    @property
    def blocks(self) -> tuple[Block, Block, Block]:
        return self.body, self.first, self.again


def join_loops(sweep: ReverseSweep) -> None:
    """Join what may be one loop; each loop with one other at most."""
    if sweep.context.request.width != 1 or len(sweep.prepared.reversal.upward) < 2:
        return
    parts = {part.body: part for loop in sweep.context.facts.loops.loops if (part := simple_loop(sweep, loop))}
    if len(parts) < 2:
        return
    predecessors = _predecessors(sweep)
    for part in list(parts.values()):
        if part.body not in parts:
            continue
        way = _way(part, parts, predecessors)
        if way is None:
            continue
        then = parts[_target(way[-1])]
        if _are_alike(sweep, part.loop, then.loop) and _Code(sweep, part, way, then).may_be_joined():
            _join(part, way, then, predecessors)
            del parts[part.body], parts[then.body]
            predecessors = _predecessors(sweep)


def simple_loop(sweep: ReverseSweep, loop: Loop) -> SimpleLoop | None:
    """The reverse of a loop that is one block and runs upward; None for others, and for one that was joined already."""
    body = sweep.blocks.get(loop.header)
    if body is None or loop not in sweep.prepared.reversal.upward or len(loop.blocks) != 1:
        return None
    branch = body.terminator
    if not isinstance(branch, ir.Branch) or branch.then is branch.otherwise:
        return None
    back = branch.otherwise.terminator
    if not isinstance(back, ir.Jump) or back.target is not body or not isinstance(branch.then.terminator, ir.Jump):
        return None
    return SimpleLoop(loop, body, branch.then, branch.otherwise)


def _predecessors(sweep: ReverseSweep) -> dict[Block, list[Block]]:
    found: dict[Block, list[Block]] = {}
    assert sweep.function is not None
    for block in sweep.function.blocks:
        if block.instructions:
            for successor in block.successors:
                found.setdefault(successor, []).append(block)
    return found


def _target(block: Block) -> Block:
    jump = block.terminator
    assert isinstance(jump, ir.Jump)
    return jump.target


def _way(part: SimpleLoop, parts: Iterable[Block], predecessors: dict[Block, list[Block]]) -> list[Block] | None:
    """The blocks between a loop and the one that always comes next, and only then."""
    way = [part.first]
    while (block := _target(way[-1])) not in parts:
        if len(way) > _LONGEST_WAY or predecessors[block] != [way[-1]] or not isinstance(block.terminator, ir.Jump):
            return None
        way.append(block)
    entries = [source for source in predecessors[block] if source is not way[-1]]
    return way[1:] if len(way) > 1 and len(entries) == 1 and block is not part.body else None


def _join(part: SimpleLoop, way: list[Block], then: SimpleLoop, predecessors: dict[Block, list[Block]]) -> None:
    """First what begins the second loop, then the iterations of both in turn, then what is behind each."""
    for source in predecessors[part.body]:
        if source is not part.again:
            _redirect(source, part.body, way[0])
    _redirect(way[-1], then.body, part.body)
    part.body.instructions[-1] = ir.Jump(then.body)
    part.body.instructions[-1].block = part.body
    end = then.body.terminator
    assert isinstance(end, ir.Branch)
    _redirect(then.again, then.body, part.again)
    _redirect(part.first, way[0], then.first)
    end.then = part.first


def _redirect(source: Block, old: Block, new: Block) -> None:
    end = source.terminator
    match end:
        case ir.Jump():
            end.target = new
        case ir.Branch():
            end.then = new if end.then is old else end.then
            end.otherwise = new if end.otherwise is old else end.otherwise
        case ir.Switch():
            end.default = new if end.default is old else end.default
            end.cases = [(number, new if target is old else target) for number, target in end.cases]
        case _:
            raise AssertionError(end)


# The primal's loops ------------------------------------------------------------------------------------------------


def _are_alike(sweep: ReverseSweep, later: Loop, earlier: Loop) -> bool:
    """Do both repeat equally often, share a pass over adjoints, and meet in memory only within an iteration?"""
    evolution = sweep.context.facts.evolution
    count = evolution.backedge_count(later)
    if count is None or count != evolution.backedge_count(earlier) or later.parent is not earlier.parent:
        return False
    if sweep.windows.of_loop(later) or sweep.windows.of_loop(earlier):
        return False  # adjoints are out of memory meanwhile
    a, b = _accesses(sweep, later), _accesses(sweep, earlier)
    if a is None or b is None or len(a) + len(b) > _MOST_ACCESSES:
        return False
    pairs = [(i, j, _advance_together(a[i], b[j])) for i in a for j in b]
    return any(together for _, _, together in pairs) and all(
        together or (isinstance(i, ir.Load) and isinstance(j, ir.Load)) or sweep.context.aliasing.never_share(i, j)
        for i, j, together in pairs
    )


def _accesses(sweep: ReverseSweep, loop: Loop) -> dict[_Access, tuple[Affine, int]] | None:
    """The accesses whose reverse touches memory, with how their addresses advance, and their sizes."""
    activity, found = sweep.activity, dict[_Access, tuple["Affine", int]]()
    for i in loop.header.instructions:
        match i:
            case ir.Load():
                if not activity.is_active(i):
                    continue
                value: Value = i
            case ir.Store():
                if not activity.memory_active(i.pointer):
                    continue
                value = i.value
            case ir.CallBase() if sweep.prepared.kinds[i][0] not in (CallKind.MATH, CallKind.DROPPED):
                return None
            case ir.AtomicRMW() | ir.CompareExchange():
                return None
            case _:
                continue
        if not isinstance(value.type, FloatType) or value in activity.bytes or value in activity.watched:
            return None
        if i.ordering or i.volatile or activity.is_uncertain(i.pointer):
            return None
        affine = sweep.context.facts.evolution.affine(i.pointer, loop)
        size = sweep.context.layout.store_size(value.type)
        if affine is None or abs(affine.step_int or 0) < size:
            return None  # one address in all iterations, or any: not what LLVM makes loops of vectors of
        found[i] = affine, size
    return found


def _advance_together(a: tuple[Affine, int], b: tuple[Affine, int]) -> bool:
    """Are two accesses at the same place in the same iteration, and apart in any others? (Steps are of their size at
    least, and no loop comes around the address space.)"""
    return a[1] == b[1] and a[0].start == b[0].start and a[0].step == b[0].step


# What was emitted --------------------------------------------------------------------------------------------------


class _Code:
    """The instructions of two reverse loops and of the way between."""

    def __init__(self, sweep: ReverseSweep, part: SimpleLoop, way: list[Block], then: SimpleLoop) -> None:
        self._sweep = sweep
        self._part, self._way, self._then = part, way, then
        self._keys = sweep.frame.keys

    def may_be_joined(self) -> bool:
        before, between, behind = (
            list(_instructions(blocks)) for blocks in (self._part.blocks, self._way, self._then.blocks)
        )
        everything = [*before, *between, *behind]
        if len(everything) > _MOST_INSTRUCTIONS or not all(map(_is_calculation, everything)):
            return False
        own = set(self._part.blocks)
        if any(getattr(operand, "block", None) in own for i in [*between, *behind] for operand in i.operands):
            return False
        return (
            self._begins_before(before, between) and self._only_add(before, behind) and self._is_all([*before, *behind])
        )

    def _is_all(self, both: list[ir.Instruction]) -> bool:
        """Is memory written by the reverse of the accesses that were compared, and by nothing else?"""
        accesses = [_accesses(self._sweep, part.loop) or {} for part in (self._part, self._then)]
        stores = [i for i in both if isinstance(i, ir.Store) and self._key(i.pointer) is None]
        return len(stores) == sum(map(len, accesses))

    def _begins_before(self, before: list[ir.Instruction], between: list[ir.Instruction]) -> bool:
        """May the way come in front of the first loop?"""
        read, written = self._variables(before)
        read_between, written_between = self._variables(between)
        memory = (i for i in between if isinstance(i, ir.Load | ir.Store))
        if any(self._key(i.pointer) is None for i in memory):
            return False
        return written.isdisjoint(read_between | written_between) and read.isdisjoint(written_between)

    def _only_add(self, before: list[ir.Instruction], behind: list[ir.Instruction]) -> bool:
        """Are variables that both loops know unchanged, or adjoints of values from outside?"""
        (read, written), (read_behind, written_behind) = self._variables(before), self._variables(behind)
        shared = (written & (read_behind | written_behind)) | (written_behind & read)
        inside = (self._part.loop.header, self._then.loop.header)
        for variable in shared:
            match self._key(variable):
                case ("bar", value, _) if getattr(value, "block", None) not in inside:
                    pass
                case _:
                    return False
        return True

    @staticmethod
    def _variables(instructions: list[ir.Instruction]) -> tuple[set[Value], set[Value]]:
        """Those that are read, and those that are written."""
        read: set[Value] = {
            i.pointer for i in instructions if isinstance(i, ir.Load) and isinstance(i.pointer, ir.Alloca)
        }
        written: set[Value] = {
            i.pointer for i in instructions if isinstance(i, ir.Store) and isinstance(i.pointer, ir.Alloca)
        }
        return read, written

    def _key(self, variable: Value) -> object:
        return self._keys.get(variable)


def _instructions(blocks: Iterable[Block]) -> Iterator[ir.Instruction]:
    return (i for block in blocks for i in block.instructions)


def _is_calculation(i: ir.Instruction) -> bool:
    """Has this no effects but on memory that it names?"""
    if isinstance(i, ir.CallBase):
        return (getattr(i.callee, "name", None) or "").startswith(_INTRINSICS)
    return isinstance(i, _CALCULATIONS)
