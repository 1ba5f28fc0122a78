"""Twins: calls whose results are what the derivative of another call asks for.

The slope of sin x is cos x, and whoever computes one often computes the other. The formulas of the rule table are
searched for functions of the call's own operands, and the function for calls of those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir.instructions import CallBase
from enzyme_build.ir.values import Constant
from enzyme_build.rules import expr as e
from enzyme_build.rules.registry import ScalarFunction

from .known import call_effects
from .needed import OPERAND_NAMES, Partials, call_partials

if TYPE_CHECKING:
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

    from .cfg import ControlFlow
    from .dominators import DominatorTree
    from .loops import LoopForest


class Twins:
    """Answers for one function."""

    def __init__(self, module: Module, cfg: ControlFlow, domtree: DominatorTree, forest: LoopForest) -> None:
        self._domtree = domtree
        self._forest = forest
        self._order: dict[CallBase, int] = {}
        self._calls: dict[tuple[str, Type, tuple[Value, ...]], list[CallBase]] = {}
        for block in cfg.order:
            for number, i in enumerate(block.instructions):
                effects = call_effects(module, i) if isinstance(i, CallBase) and i.type.is_float_like else None
                if isinstance(i, CallBase) and effects is not None and isinstance(effects.known, ScalarFunction):
                    self._order[i] = number
                    self._calls.setdefault((effects.known.name, i.type, tuple(i.arguments)), []).append(i)

    def partials(self, call: CallBase, known: ScalarFunction, *, before: bool) -> Partials:
        """The row of a known function for this call; with `before`, only calls that come before it count.

        Calls count that have been made whenever the block of this one was left, in the same iteration of all loops
        around them: a sweep that reads them from the tape has values of an iteration there only.
        """
        found: dict[str, CallBase] = {}
        formulas = tuple(self._replaced(f, call, found, before=before) for f in call_partials(known, call.arguments))
        return Partials(formulas, found)

    def _replaced(self, expr: e.Expr, call: CallBase, found: dict[str, CallBase], *, before: bool) -> e.Expr:
        if isinstance(expr, e.Apply) and all(isinstance(a, e.Operand) and a.name in OPERAND_NAMES for a in expr.args):
            values = tuple(call.arguments[OPERAND_NAMES.index(a.name)] for a in expr.args if isinstance(a, e.Operand))
            for other in self._calls.get((expr.function, call.type, values), ()):
                if not all(isinstance(v, Constant) for v in values) and self._is_made(other, call, before=before):
                    found[str(expr)] = other
                    return e.Operand(str(expr))
            return expr
        return e.rebuilt(expr, lambda child: self._replaced(child, call, found, before=before))

    def _is_made(self, other: CallBase, call: CallBase, *, before: bool) -> bool:
        if other.block is call.block:
            return not before or self._order[other] < self._order[call]
        if not self._domtree.dominates(other.block, call.block):
            return False
        loop = self._forest.loop_of(other.block)
        return loop is None or call.block in loop.blocks
