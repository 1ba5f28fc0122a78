"""Loops whose iterations can be run again one at a time, and are worth it.

The derivative of such a loop goes through its iterations backwards, and runs each forwards once more just before: the
tape holds one iteration at a time instead of all of them. (Joint reversal of calls in Griewank and Walther,
"Evaluating Derivatives", 2008, chapter 12, where the body of the loop is the call.)

An iteration can be run again if it

* reads nothing that it, a later iteration or the code behind the loop overwrites, but for memory that is private to
  the iteration and numbers that go from one iteration to the next in registers;
* writes nothing but private memory;
* calls nothing that does more than compute, so that nobody notices.

It may end the program (Rust's checks of bounds): what was run once without it is run again without it.

It is worth it where inner loops make numbers that the reverse sweep needs: their number is not bounded by anything.
Where nothing but the derivative is asked for, iterations run as often as before, since the forward sweep needs nothing
of them; otherwise once more, which is dear where most of their work is functions of the mathematics library.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.values import Argument, Constant, GlobalValue
from enzyme_build.records import dataclass
from enzyme_build.rules.inactive_rows import Inactive
from enzyme_build.rules.memory import Allocation, Deallocation, Transfer
from enzyme_build.rules.registry import ScalarFunction

from .bases import base_of, object_of, points_nowhere
from .cfg import reached_from
from .flow import Flow
from .known import call_effects, is_cheap_intrinsic
from .private import Privacy, Uses, uses_of
from .snapshots import own_allocation

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from enzyme_build.ir.function import Block
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

    from .loops import Loop

_STEERING: Final = 12
"""Instructions that count iterations and test for the last one."""
_ROUNDS: Final = 32
"""Assumed rounds of a loop, for weighing."""
_DEAR: Final = 20
"""A function of the mathematics library, in units of an addition."""
_LINEAR: Final = frozenset({"fadd", "fsub"})
_FUSED: Final = ("llvm.fmuladd.", "llvm.fma.")
_NOTHING: Final = (
    "llvm.assume",
    "llvm.experimental.noalias.scope.decl",
    "llvm.lifetime.",
    "llvm.dbg.",
    "llvm.prefetch",
)


@dataclass(frozen=True, eq=False)
class Iteration:
    """What one round of `loop` is as a function.

    `counted` are phis of the header whose next values `steering` computes, together with the condition of going on;
    `carried` are the others, numbers that an iteration gets and gives on. `passed` of them are only added to, so that
    derivatives do not depend on their values. `own` are objects on the stack that only the loop uses, `scratch` other
    private ones. `ends` are blocks that end the program, outside the loop. `droppable`: does nobody need what the
    forward sweep computes?
    """

    loop: Loop
    latch: Block
    exit: Block
    ends: tuple[Block, ...]
    counted: tuple[ir.Phi, ...]
    carried: tuple[ir.Phi, ...]
    passed: frozenset[ir.Phi]
    steering: tuple[ir.Instruction, ...]
    own: tuple[ir.Alloca, ...]
    scratch: frozenset[Value]
    droppable: bool


def independent_iterations(module: Module, function: Function, *, value_wanted: bool) -> Sequence[Iteration]:
    """Such loops of a function, none inside another; is its value asked for, besides the derivative?"""
    finder = _Finder(module, function, value_wanted)
    return list(finder.find()) if not finder.forest.irreducible else []


class _Finder:
    def __init__(self, module: Module, function: Function, value_wanted: bool) -> None:  # noqa: FBT001
        self.module = module
        self.value_wanted = value_wanted
        self.flow = Flow(module, function)
        self.cfg = self.flow.cfg
        self.forest = self.flow.loops
        self.users = self.flow.users
        self._uses: dict[Value, Uses | None] = {}
        self._objects: dict[Value, Value] = {}
        self.ends: Collection[Block] = ()

    @cached_property
    def privacy(self) -> Privacy:
        return Privacy(self.module, self.flow)

    def find(self) -> Iterator[Iteration]:
        pending = list(self.forest.roots)
        while pending:
            loop = pending.pop(0)
            found = self._iteration(loop) if loop.children else None
            if found is not None:
                yield found
            else:
                pending = [*loop.children, *pending]

    def object_of(self, pointer: Value) -> Value:
        if pointer not in self._objects:
            self._objects[pointer] = object_of(self.flow.dominators, pointer)
        return self._objects[pointer]

    def uses(self, base: Value) -> Uses | None:
        if base not in self._uses:
            self._uses[base] = uses_of(self.module, self.users, base) if isinstance(base, ir.Instruction) else None
        return self._uses[base]

    def _iteration(self, loop: Loop) -> Iteration | None:
        latch = loop.latch
        self.ends = dict.fromkeys(block for _, block in loop.exit_edges if _ends_program(block))
        ways = [edge for edge in loop.exit_edges if edge[1] not in self.ends]
        if latch is None or loop.preheader is None or len(ways) != 1 or ways[0][0] is not latch:
            return None
        (_, exit_) = ways[0]
        if not isinstance(latch.terminator, ir.Branch) or len(self.cfg.predecessors[exit_]) != 1:
            return None
        steering = self._steering(loop, latch)
        if steering is None:
            return None
        counted = tuple(p for p in loop.header.phis if not p.type.is_float)
        carried = tuple(p for p in loop.header.phis if p.type.is_float)
        results = {p.incoming(latch) for p in carried}
        known: set[Value] = {*loop.header.phis, *steering, *results}
        if not carried or self._leaves(loop, known):
            return None
        memory = self._memory(loop)
        if memory is None or not self._needs_tape(loop, memory):
            return None
        inside = [b for b in memory if memory[b].accesses and b.block not in loop.blocks]
        passed = frozenset(p for p in carried if self._is_passed(p, loop))
        read = self._are_read_behind({*results, *carried}, loop)
        droppable = passed.issuperset(carried) and not self.value_wanted and not read
        droppable = droppable and all(i.block in loop.blocks for b in inside for i in memory[b].accesses)
        if not droppable and self._is_dear(loop):
            return None
        own = tuple(b for b in inside if isinstance(b, ir.Alloca) and self._is_own(b, memory[b], loop))
        return Iteration(
            loop,
            latch,
            exit_,
            tuple(self.ends),
            counted,
            carried,
            passed,
            steering,
            own,
            frozenset(b for b in inside if b not in own),
            droppable,
        )

    # Registers ------------------------------------------------------------------------------------------------------

    def _steering(self, loop: Loop, latch: Block) -> tuple[ir.Instruction, ...] | None:
        """What computes the next counters and the test; none of it reads memory."""
        carried = {phi.incoming(latch) for phi in loop.header.phis if phi.type.is_float}
        wanted: list[Value] = [*latch.terminator.operands]
        wanted += [phi.incoming(latch) for phi in loop.header.phis if not phi.type.is_float]
        found: dict[ir.Instruction, None] = {}
        while wanted:
            value = wanted.pop()
            if not isinstance(value, ir.Instruction) or value.block not in loop.blocks or value in found:
                continue
            if value in carried or (isinstance(value, ir.Phi) and value.block is loop.header):
                continue
            if not isinstance(value, ir.Binary | ir.Cast | ir.Compare | ir.Select | ir.GetElementPtr):
                return None
            found[value] = None
            wanted += value.operands
            if len(found) > _STEERING:
                return None
        place = {i: n for n, i in enumerate(i for b in self.cfg.order for i in b.instructions) if i in found}
        return tuple(sorted(found, key=place.__getitem__))

    def _are_read_behind(self, results: Collection[Value], loop: Loop) -> bool:
        """May a slope behind the loop depend on what it computes, or a branch?"""
        pending, seen = [*results], {*results}
        while pending:
            value = pending.pop()
            for user in self.users.get(value, ()):
                if user.block in loop.blocks or user.block in self.ends or user in seen or isinstance(user, ir.Return):
                    continue
                match user:
                    case ir.Phi() | ir.Select() | ir.Freeze() | ir.Negate() | ir.Binary(op="fadd" | "fsub"):
                        pass
                    case ir.Binary(op="fmul") if any(o is not value and _is_count(o) for o in user.operands):
                        pass
                    case ir.Binary(op="fdiv") if _is_count(user.operands[1]):
                        pass
                    case _:
                        if not _is_added(value, user):
                            return True
                seen.add(user)
                pending.append(user)
        return False

    def _leaves(self, loop: Loop, known: set[Value]) -> bool:
        """Is anything else that the loop computes used behind it?"""
        return any(
            user.block not in loop.blocks and user.block not in self.ends
            for block in loop.blocks
            for i in block.instructions
            if i not in known
            for user in self.users.get(i, ())
            if user.block in self.cfg.index
        )

    def _is_passed(self, phi: ir.Phi, loop: Loop) -> bool:
        """Does the number only get numbers added on its way through the iteration?"""
        pending: list[Value] = [phi]
        seen = {phi}
        while pending:
            value = pending.pop()
            for user in self.users.get(value, ()):
                if user.block in self.ends:
                    return False  # it is said what the number was
                if user.block not in loop.blocks or user in seen or user is phi:
                    continue
                added = isinstance(user, ir.Binary) and user.op in _LINEAR
                chosen = isinstance(user, ir.Select) and user.operands[0] is not value
                if not (added or chosen or isinstance(user, ir.Phi | ir.Negate) or _is_added(value, user)):
                    return False
                if isinstance(user, ir.Phi) and user.block is loop.header:
                    continue  # what another number is in the next iteration
                seen.add(user)  # type: ignore[arg-type]
                pending.append(user)
        return True

    # Memory ---------------------------------------------------------------------------------------------------------

    def _memory(self, loop: Loop) -> dict[ir.Instruction, Uses] | None:
        """The function's own objects that the loop writes, all of them private; None where it may do more than that."""
        written: dict[ir.Instruction, Uses] = {}
        read: set[Value] = set()
        for block in loop.blocks:
            for i in block.instructions:
                reads, writes = self._touched(i)
                if writes is None:
                    return None
                read.update(reads)
                for base in writes:
                    uses = self.uses(base)
                    if uses is None:
                        return None
                    written[base] = uses  # type: ignore[index]
        if not all(self.privacy.is_private(base, uses, loop) for base, uses in written.items()):
            return None
        return written if self._stays(loop, read - written.keys()) else None

    def _touched(self, i: ir.Instruction) -> tuple[list[Value], list[Value] | None]:
        """The objects that an instruction reads and writes; None for what must not happen twice."""
        match i:
            case ir.Load():
                return [self.object_of(i.pointer)], None if i.volatile or i.ordering else []
            case ir.Store():
                return [], None if i.volatile or i.ordering else [self.object_of(i.pointer)]
            case ir.CallBase():
                return self._touched_by_call(i)
            case ir.AtomicRMW() | ir.CompareExchange() | ir.Fence() | ir.VAArg() | ir.LandingPad() | ir.Alloca():
                return [], None
            case _ if isinstance(i, ir.TERMINATORS) and not isinstance(i, ir.Jump | ir.Branch | ir.Switch):
                return [], None
        return [], []

    def _touched_by_call(self, call: ir.CallBase) -> tuple[list[Value], list[Value] | None]:
        callee = call.callee
        if not isinstance(call, ir.Call) or not isinstance(callee, Function):
            return [], None
        if callee.name.startswith(_NOTHING):
            return [], []
        effects = call_effects(self.module, call)
        match effects.known if effects is not None else None:
            case ScalarFunction():
                return [], []
            case Transfer() as known if effects is not None:
                source = [self.object_of(call.arguments[effects.copies[1]])] if effects.copies is not None else []
                return source, [self.object_of(call.arguments[known.destination])]
            case Allocation():
                return [], [call] if own_allocation(self.module, call) is not None else None
            case Deallocation() if effects is not None:
                base = self.object_of(call.arguments[effects.frees[0]])
                loops = self.forest.nest_of(call.block), self.forest.nest_of(getattr(base, "block", call.block))
                return [], [base] if isinstance(base, ir.CallBase) and loops[0] == loops[1] else None
            case Inactive() if effects is not None and callee.name.startswith("llvm."):
                return [], None if effects.writes or effects.reads or effects.no_return else []
        return [], None

    def _stays(self, loop: Loop, read: set[Value]) -> bool:
        """Does nothing behind the loop's entry write what it reads? Inside it writes private memory only."""
        outside = [base for base in read if self.uses(base) is None]
        callers = all(isinstance(base, Argument | GlobalValue) for base in outside)
        later = reached_from(self.cfg, loop.header) - loop.blocks - {*self.ends}
        for block in later:
            for i in block.instructions:
                if self._writes_nothing(i):
                    continue
                _, writes = self._touched(i)
                for base in (None,) if writes is None else writes:
                    if base is None:
                        return False
                    if outside and self.uses(base) is None and not (callers and self._is_own_memory(base)):
                        return False
                    if base in read and not self._is_made_anew(base, i, loop):
                        return False
        return True

    def _is_own_memory(self, base: Value) -> bool:
        """Is it the function's own, which neither callers nor variables can lead to when it begins?"""
        if isinstance(base, ir.CallBase):
            return own_allocation(self.module, base) is not None
        return isinstance(base, ir.Alloca)

    def _is_made_anew(self, base: Value, write: ir.Instruction, loop: Loop) -> bool:
        """Is memory allocated again on each way from the loop to where it is written? What the loop reads stays then.
        On ways on which the pointer leads nowhere it is not written."""
        if not isinstance(base, ir.CallBase) or base.block is None or base.block in loop.blocks:
            return False
        phi = base_of(write.pointer) if isinstance(write, ir.Store) else None
        closed = (
            {(block, phi.block) for block, way in zip(phi.blocks, phi.operands, strict=True) if points_nowhere(way)}
            if isinstance(phi, ir.Phi)
            else set()
        )
        return write.block not in reached_from(self.cfg, loop.header, without=base.block, closed=closed)

    def _writes_nothing(self, i: ir.Instruction) -> bool:
        """Memory that is freed stays until the derivative is done."""
        if not isinstance(i, ir.CallBase):
            return isinstance(i, ir.Load | ir.Alloca | ir.Return | ir.Unreachable)
        effects = call_effects(self.module, i)
        if effects is None:
            return False
        return isinstance(effects.known, Deallocation) or (
            isinstance(effects.known, Inactive) and not effects.writes and not effects.frees
        )

    def _is_own(self, base: ir.Alloca, uses: Uses, loop: Loop) -> bool:
        used = (*uses.accesses, *uses.starts, *uses.ends, *uses.pointers[1:])
        return not base.operands and all(i.block in loop.blocks for i in used)

    # Worth ----------------------------------------------------------------------------------------------------------

    def _needs_tape(self, loop: Loop, memory: dict[ir.Instruction, Uses]) -> bool:
        """Does a derivative need what inner loops compute and nothing gives again?"""
        for block in loop.blocks:
            inner = self.forest.loop_of(block)
            if inner is loop:
                continue
            for i in block.instructions:
                for value in _slope_reads(i):
                    if self._is_kept(value, loop, memory):
                        return True
        return False

    def _is_dear(self, loop: Loop) -> bool:
        """Is most of an iteration's work in functions of the mathematics library?"""
        dear = total = 0
        for block in loop.blocks:
            times = _ROUNDS ** min(self.forest.depth_of(block) - loop.depth, 4)
            calls = sum(
                isinstance(i, ir.CallBase) and i.type.is_float and not is_cheap_intrinsic(i) for i in block.instructions
            )
            dear += _DEAR * calls * times
            total += len(block.instructions) * times
        return dear > total

    def _is_kept(self, value: Value, loop: Loop, memory: dict[ir.Instruction, Uses]) -> bool:
        """Does the value come from a call, a division, a recurrence or private memory, inside an inner loop?"""
        pending, seen = [value], {value}
        while pending:
            v = pending.pop()
            if not isinstance(v, ir.Instruction) or self.forest.loop_of(v.block) in (loop, None):
                continue
            if v.block not in loop.blocks:
                continue
            match v:
                case ir.Load():
                    if self.object_of(v.pointer) in memory:
                        return True
                    continue
                case ir.Phi() if v.type.is_float:
                    return True
                case ir.Binary() if v.op in ("fdiv", "frem"):
                    return True
                case ir.CallBase() if not is_cheap_intrinsic(v):
                    return v.type.is_float
            fresh = [o for o in v.operands if o not in seen and o.type.is_float]
            seen.update(fresh)
            pending += fresh
        return False


def _ends_program(block: Block) -> bool:
    """Is the end of the program behind this block, or behind the next one, where all such blocks meet?"""
    last = block.terminator
    meeting = last.target.instructions if isinstance(last, ir.Jump) else [last]
    return len(meeting) == 1 and isinstance(meeting[0], ir.Unreachable)


def _is_count(value: Value) -> bool:
    """Is this a number without a derivative, whoever asks?"""
    return isinstance(value, Constant) or (isinstance(value, ir.Cast) and value.op in ("sitofp", "uitofp"))


def _is_added(value: Value, call: ir.Instruction) -> bool:
    """Is the value what a fused multiplication adds to?"""
    fused = isinstance(call, ir.Call) and (getattr(call.callee, "name", None) or "").startswith(_FUSED)
    return fused and value not in call.operands[:2]


def _slope_reads(i: ir.Instruction) -> Sequence[Value]:
    """The operands that partial derivatives of an instruction read, and results that are their own slope."""
    match i:
        case ir.Binary(op="fmul"):
            return i.operands if not any(isinstance(o, Constant) for o in i.operands) else ()
        case ir.Binary(op="fdiv"):
            return i.operands
        case ir.CallBase() if i.type.is_float:
            name = getattr(i.callee, "name", None) or ""
            return (*i.arguments, i) if not name.startswith("llvm.fabs.") else ()
    return ()
