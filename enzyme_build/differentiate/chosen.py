"""What a loop chooses among the numbers that it sees is computed once more behind the loop.

A maximum is carried through its loop: m = x[i] > m ? x[i] : m. Its adjoint goes to the one element that was chosen
last, so reversing every iteration, with a note of each choice, is waste. In the model that the pass reads, the loop
carries the counter of its last choice beside the number, and the number itself is read again behind the loop:
r = x[last]. What is left in the loop only compares, and has no derivative.

This asks that nothing in the loop writes to memory, that what is chosen is made in every iteration of what the loop
reads and counts, and that the loop needs the number for its choices alone.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.cfg import control_flow
from enzyme_build.analysis.dominators import dominators
from enzyme_build.analysis.loops import loop_forest
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import remove_instructions, users
from enzyme_build.ir.types import I1, IntType, PointerType
from enzyme_build.ir.values import Constant, const_int
from enzyme_build.records import dataclass

from .by_value import may_write
from .memory_scopes import joined
from .metadata import kept_metadata

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.analysis.dominators import DominatorTree
    from enzyme_build.analysis.loops import Loop, LoopForest
    from enzyme_build.ir.function import Block, Function
    from enzyme_build.ir.values import Value

_MOST_STEPS: Final = 24
_MOST_COUNTERS: Final = 2
_EXTREMES: Final = {
    f"llvm.{name}.": order
    for order, names in (("oge", "maxnum maximumnum"), ("ole", "minnum minimumnum"))
    for name in names.split()
}
_PURE: Final = (ir.Binary, ir.Negate, ir.Cast, ir.Compare, ir.Select, ir.GetElementPtr, ir.Load)


@dataclass(frozen=True, eq=False)
class _Choice:
    """`carried` is the loop's phi, `selected` its next value, `fresh` what may be chosen. `made` are the instructions
    of the loop that compute `fresh`, in order, of `counters` (phis) and of what is the same in all iterations."""

    loop: Loop
    carried: ir.Phi
    selected: ir.Select | ir.Call
    fresh: Value
    made: tuple[ir.Instruction, ...]
    counters: tuple[ir.Phi, ...]
    results: tuple[ir.Phi, ...]
    """The phis behind the loop that are `selected`."""


def read_chosen_again(function: Function) -> bool:
    """Rewrite what loops choose; says whether there was something."""
    if not any(_selected(phi) for block in function.blocks for phi in block.phis):
        return False
    cfg = control_flow(function)
    tree = dominators(cfg)
    forest = loop_forest(cfg, tree)
    readers = users(function)
    done = False
    for loop in forest.loops:
        if _is_plain(loop, cfg.predecessors, forest):
            for phi in list(loop.header.phis):
                choice = _choice(loop, phi, readers, tree, forest)
                if choice is not None:
                    _rewrite(function, choice)
                    done = True
    return done


def _selected(phi: ir.Phi) -> ir.Select | ir.Call | None:
    """The choice between a number and its former value from which a phi gets the next one."""
    if not phi.type.is_float:
        return None
    for v in phi.operands:
        if isinstance(v, ir.Select | ir.Call) and (isinstance(v, ir.Select) or _extreme(v)) and phi in _choices(v):
            return v
    return None


def _extreme(v: Value) -> str:
    """How numbers compare of which the first is an extreme: "o…" where `v` is the larger or smaller of two that leaves
    out what is no number."""
    name = (getattr(v.callee, "name", None) or "") if isinstance(v, ir.Call) else ""
    return next((order for start, order in _EXTREMES.items() if name.startswith(start)), "")


def _choices(selected: ir.Select | ir.Call) -> tuple[Value, Value]:
    return tuple(selected.operands[1:] if isinstance(selected, ir.Select) else selected.arguments)  # type: ignore[return-value]


def _takes_fresh(b: Builder, choice: _Choice) -> Value:
    """Is the new number chosen? Of two equal ones, the first is, as in the rules of `fmax` and `fmin`."""
    selected, fresh, former = choice.selected, choice.fresh, choice.carried
    first = _choices(selected)[0] is fresh
    if isinstance(selected, ir.Select):
        condition = selected.operands[0]
        return condition if first else b.binary("xor", condition, const_int(I1, 1))
    order = _extreme(selected)
    if first:
        return b.binary("or", b.fcmp(order, fresh, former), b.fcmp("uno", former, former))
    lost = b.fcmp(order, former, fresh)
    return b.binary("and", b.binary("xor", lost, const_int(I1, 1)), b.fcmp("ord", fresh, fresh))


def _is_plain(loop: Loop, predecessors: Mapping[Block, tuple[Block, ...]], forest: LoopForest) -> bool:
    """Is every iteration whole, also the last, and does the loop only read?"""
    if loop.preheader is None or loop.latch is None or loop.exiting != (loop.latch,) or len(loop.exits) != 1:
        return False
    (behind,) = loop.exits
    if len(predecessors[behind]) != 1 or forest.loop_of(behind) is not loop.parent:
        return False
    return not any(_acts(i) for block in loop.blocks for i in block.instructions)


def _acts(i: ir.Instruction) -> bool:
    return may_write(i) or isinstance(i, ir.Fence) or (isinstance(i, ir.Load) and bool(i.volatile or i.ordering))


def _choice(
    loop: Loop,
    phi: ir.Phi,
    readers: dict[Value, list[ir.Instruction]],
    tree: DominatorTree,
    forest: LoopForest,
) -> _Choice | None:
    selected = _selected(phi)
    assert loop.latch is not None
    if selected is None or phi.incoming(loop.latch) is not selected:
        return None
    first, second = _choices(selected)
    fresh = second if first is phi else first
    if fresh is phi or not all(i is selected or isinstance(i, ir.Compare) for i in readers[phi]):
        return None
    (behind,) = loop.exits
    results = [i for i in readers[selected] if i is not phi]
    if not results or not all(isinstance(i, ir.Phi) and i.block is behind for i in results):
        return None
    found = _made_of(fresh, loop, tree, forest)
    if found is None or isinstance(fresh, Constant):
        return None
    return _Choice(loop, phi, selected, fresh, *found, tuple(results))  # type: ignore[arg-type]


def _made_of(
    fresh: Value, loop: Loop, tree: DominatorTree, forest: LoopForest
) -> tuple[tuple[ir.Instruction, ...], tuple[ir.Phi, ...]] | None:
    """The instructions of every iteration that compute a number, and the counters that they start from."""
    made: dict[ir.Instruction, None] = {}
    counters: dict[ir.Phi, None] = {}
    assert loop.latch is not None

    def follow(v: Value) -> bool:
        if not isinstance(v, ir.Instruction) or v in made or v in counters or v.block not in loop.blocks:
            return True
        assert v.block is not None
        if isinstance(v, ir.Phi):
            counters[v] = None
            counts = isinstance(v.type, IntType | PointerType)
            return v.block is loop.header and counts and len(counters) <= _MOST_COUNTERS
        repeatable = isinstance(v, _PURE) or (isinstance(v, ir.Call) and not may_write(v))
        always = forest.loop_of(v.block) is loop and tree.dominates(v.block, loop.latch)  # type: ignore[arg-type]
        if not repeatable or not always or len(made) >= _MOST_STEPS or not all(map(follow, v.operands)):
            return False
        made[v] = None
        return True

    return (tuple(made), tuple(counters)) if follow(fresh) else None


def _rewrite(function: Function, choice: _Choice) -> None:
    loop, selected = choice.loop, choice.selected
    assert loop.latch is not None
    assert loop.preheader is not None
    assert selected.block is not None
    (behind,) = loop.exits
    note = debug_attachment(selected)
    here = Builder(selected.block, note)
    here.position = selected.block.instructions.index(selected) + 1
    end = Builder(behind, note)
    chosen = _takes_fresh(here, choice)

    def carry(first: Value, now: Value, name: str) -> Value:
        """What a value was when the loop chose last: behind the loop."""
        phi = Builder(loop.header, note).phi(now.type, name)
        if loop.header is selected.block:
            assert here.position is not None
            here.position += 1
        last = here.select(chosen, now, phi)
        for value, block in ((first, loop.preheader), (last, loop.latch)):
            Builder.add_incoming(phi, value, block)  # type: ignore[arg-type]
        result = end.phi(now.type, name)
        Builder.add_incoming(result, last, loop.latch)  # type: ignore[arg-type]
        return result

    # Before the first choice, what is read again is what the first iteration read.
    known: dict[Value, Value] = {c: carry(c.incoming(loop.preheader), c, "chosen.at") for c in choice.counters}
    ever = carry(const_int(I1, 0), const_int(I1, 1), "chosen")
    end.position = sum(1 for _ in behind.phis)
    for i in choice.made:
        again = copy.copy(i)
        again.operands = [known.get(operand, operand) for operand in i.operands]
        again.name = None
        # Alias scopes are those of one iteration.
        again.metadata = joined(kept_metadata(i), debug_attachment(i))
        known[i] = end.insert(again)
    fresh = known.get(choice.fresh, choice.fresh)
    result = end.select(ever, fresh, choice.carried.incoming(loop.preheader))
    gone = set(choice.results)
    for i in function.instructions():
        i.operands[:] = [result if operand in gone else operand for operand in i.operands]
    remove_instructions(function, gone)
