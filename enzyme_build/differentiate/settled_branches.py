"""Leaves out branches that are never taken, since what they ask for is settled (see `analysis.settled`).

The program's own functions stay as they are; in the model that the pass reads, alternatives that an object does not
hold are gone, and with them what they would do to its bytes.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from enzyme_build.analysis.cfg import control_flow
from enzyme_build.analysis.known import call_effects
from enzyme_build.analysis.settled import is_settled, not_refuted, perhaps_settled
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import remove_instructions
from enzyme_build.ir.metadata import unconditional
from enzyme_build.ir.types import I1, IntType
from enzyme_build.ir.values import Constant, ConstantInt, NullPointer, const_int
from enzyme_build.rules.inactive_rows import Inactive

from .edges import drop_edge, remove_unreachable
from .loop_form import canonical_loops

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from enzyme_build.analysis.bytetypes import MemoryModels
    from enzyme_build.analysis.cfg import ControlFlow
    from enzyme_build.analysis.memory import Memory
    from enzyme_build.ir.function import Block, Function
    from enzyme_build.ir.values import Value

_UNUSED: Final = (
    *(ir.Cast, ir.Binary, ir.Compare, ir.GetElementPtr, ir.Phi, ir.Select, ir.Freeze),
    *(ir.ExtractValue, ir.InsertValue),
)
"""What does nothing but give a value."""
_TRIALS: Final = 3
_Assumed: TypeAlias = "dict[Function, dict[ir.Load, ConstantInt]]"


def settle_branches(memories: MemoryModels, look_again: Callable[[], MemoryModels]) -> MemoryModels:
    """Leave out what is never reached; gives what is known of the functions' memory then."""
    assumed = {f: found for f, memory in memories.items() if (found := _perhaps(memory, f))}
    assumed = _not_refuted(memories, assumed)
    for _ in range(_TRIALS):
        if not assumed:
            break
        before = [_Before(function) for function in assumed]
        for function, constants in assumed.items():
            leave_out(function, constants)
        known = look_again()
        proved = {function: _proved(function, known[function], constants) for function, constants in assumed.items()}
        if proved == assumed:
            for function, constants in assumed.items():
                _substitute(function, constants)
                canonical_loops(function)
            return look_again()
        for whole in before:
            whole.restore()
        assumed = {function: constants for function, constants in proved.items() if constants}
    return memories


def _not_refuted(memories: MemoryModels, assumed: _Assumed) -> _Assumed:
    """What may be proved of what is assumed, as far as is known before anything is left out."""
    while assumed:
        changing = memories.reaching(assumed)
        left: _Assumed = {}
        for function, constants in assumed.items():
            memory, cfg = memories[function], control_flow(function)
            reached = _reached(_ways(cfg, constants), cfg)
            kept = not_refuted(memory, cfg, constants, reached, changing)
            if kept and (len(kept) == len(constants) or _matters(memory, cfg, kept)):
                left[function] = kept
        if left == assumed:
            break
        assumed = left
    return assumed


def _perhaps(memory: Memory, function: Function) -> dict[ir.Load, ConstantInt]:
    """What may be settled, if anything that matters is never reached then."""
    cfg = control_flow(function)
    found = perhaps_settled(memory, cfg)
    return found if found and _matters(memory, cfg, found) else {}


def _matters(memory: Memory, cfg: ControlFlow, constants: Mapping[ir.Load, ConstantInt]) -> bool:
    """Does what is never reached then do more than to report, to give constants and to end the program, as failed
    assertions do?"""
    ways = _ways(cfg, constants)
    reached = _reached(ways, cfg)
    for block in cfg.order:
        if block not in reached and any(_acts(memory, i) for i in block.instructions):
            return True
        for successor in block.successors:
            if block in reached and successor in ways[block]:
                continue
            if any(not isinstance(phi.incoming(block), Constant) for phi in successor.phis):
                return True
    return False


def _ways(cfg: ControlFlow, constants: Mapping[ir.Load, ConstantInt]) -> dict[Block, tuple[Block, ...]]:
    """Where control goes from each block."""
    return {block: _targets(block, constants) for block in cfg.order}


def _reached(ways: Mapping[Block, tuple[Block, ...]], cfg: ControlFlow) -> set[Block]:
    reached = {cfg.entry}
    pending = [cfg.entry]
    while pending:
        more = [block for block in ways[pending.pop()] if block not in reached]
        reached.update(more)
        pending += more
    return reached


def _acts(memory: Memory, i: ir.Instruction) -> bool:
    if isinstance(i, ir.CallBase):
        effects = call_effects(memory.module, i)
        return effects is None or not isinstance(effects.known, Inactive)
    return not isinstance(i, ir.Jump | ir.Branch | ir.Switch | ir.Unreachable | ir.Return | ir.Phi | ir.Compare)


def _proved(function: Function, memory: Memory, assumed: Mapping[ir.Load, ConstantInt]) -> dict[ir.Load, ConstantInt]:
    """What is certain of what was assumed, or not asked for any more."""
    cfg = control_flow(function)
    return {
        load: constant
        for load, constant in assumed.items()
        if load.block not in cfg or is_settled(memory, cfg, load, assumed)
    }


class _Before:
    """A function as it was before branches were left out."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.blocks = list(function.blocks)
        self.contents = [(block, list(block.instructions), list(block.records)) for block in function.blocks]
        self.places = [(record, record.index) for block in function.blocks for record in block.records]
        self.merges = [(phi, list(phi.operands), list(phi.blocks)) for b in function.blocks for phi in b.phis]

    def restore(self) -> None:
        self.function.blocks[:] = self.blocks
        for block, instructions, records in self.contents:
            block.instructions[:] = instructions
            block.records[:] = records
        for record, index in self.places:
            record.index = index
        for phi, operands, blocks in self.merges:
            phi.operands[:], phi.blocks[:] = operands, blocks


def leave_out(function: Function, constants: Mapping[ir.Load, ConstantInt] = MappingProxyType({})) -> None:
    """Make branches that are decided jumps, and take out what is reached and used no more."""
    decided = False
    while [block for block in function.blocks if _fold(block, constants)]:
        decided = True
        remove_unreachable(function)  # where fewer ways meet, other branches may be decided
    if decided:
        _remove_unused(function)


def _substitute(function: Function, constants: Mapping[ir.Load, ConstantInt]) -> None:
    known: Mapping[Value, Value] = constants  # type: ignore[assignment]
    for i in function.instructions():
        i.operands[:] = [known.get(operand, operand) for operand in i.operands]
    remove_instructions(function, set(known))
    _remove_unused(function)


def _fold(block: Block, constants: Mapping[ir.Load, ConstantInt]) -> bool:
    """Make a branch that is decided a jump; was there one?"""
    last = block.terminator
    targets = _targets(block, constants)
    if not isinstance(last, ir.Branch | ir.Switch) or len(targets) > 1:
        return False
    (target,) = targets
    for successor in dict.fromkeys(block.successors):
        if successor is not target:
            drop_edge(block, successor)
    for phi in target.phis:  # several cases may have led there
        for at in [at for at, source in enumerate(phi.blocks) if source is block][:0:-1]:
            del phi.blocks[at], phi.operands[at]
    jump = ir.Jump(target, unconditional(last.metadata))
    jump.block = block
    block.instructions[-1] = jump
    return True


def _targets(block: Block, constants: Mapping[ir.Load, ConstantInt]) -> tuple[Block, ...]:
    """Where control may go from a block."""
    last = block.terminator
    condition = _constant(last.operands[0], constants) if isinstance(last, ir.Branch | ir.Switch) else None
    if condition is None:
        return tuple(block.successors)
    if isinstance(last, ir.Branch):
        return (last.then if condition.value else last.otherwise,)
    assert isinstance(last, ir.Switch)
    return (next((to for value, to in last.cases if value.value == condition.value), last.default),)


def _constant(value: Value, constants: Mapping[ir.Load, ConstantInt]) -> ConstantInt | None:
    match value:
        case ir.Load():
            return constants.get(value)
        case ConstantInt():
            return value
        case ir.Cast(op="zext" | "sext" | "trunc"):
            source = _constant(value.operands[0], constants)
            if source is None:
                return None
            return const_int(value.type, _unsigned(source) if value.op == "zext" else source.value)
        case ir.Compare(op="icmp"):
            if value.predicate in ("eq", "ne") and all(map(_is_null, value.operands)):
                return const_int(I1, value.predicate == "eq")
            a, b = (_constant(operand, constants) for operand in value.operands)
            return const_int(I1, holds(value.predicate, a, b)) if a is not None and b is not None else None
        case ir.Phi(operands=[only]):
            return _constant(only, constants)
        case _:
            return None


def _is_null(value: Value) -> bool:
    while isinstance(value, ir.Phi) and len(value.operands) == 1:
        (value,) = value.operands
    return isinstance(value, NullPointer)


def holds(predicate: str, a: ConstantInt, b: ConstantInt) -> bool:
    """Is the comparison of two constants true?"""
    x, y = (_unsigned(a), _unsigned(b)) if predicate[0] == "u" else (a.value, b.value)
    if predicate in ("eq", "ne"):
        return (x == y) is (predicate == "eq")
    return {"lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[predicate[1:]]


def _unsigned(constant: ConstantInt) -> int:
    assert isinstance(constant.type, IntType)
    return constant.value & ((1 << constant.type.bits) - 1)


def _remove_unused(function: Function) -> None:
    """Take out values that only what is gone used."""
    while True:
        used = {o for i in function.instructions() for o in i.operands}
        unused: set[Value] = {i for i in function.instructions() if isinstance(i, _UNUSED) and i not in used}
        if not unused:
            return
        remove_instructions(function, unused)
