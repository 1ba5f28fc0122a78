"""What is known of a function without looking at its memory: control flow, loops, how integers change in them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from enzyme_build.ir.function import users
from enzyme_build.records import dataclass

from .cfg import ControlFlow, control_flow, restricted, returning
from .dominators import DominatorTree, PostDominatorTree, dominators, post_dominators
from .evolution import Evolution
from .loops import LoopForest, loop_forest
from .progress import Progress
from .readings import Readings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.ir.function import Function
    from enzyme_build.ir.instructions import Instruction
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value


@dataclass(frozen=True, eq=False)
class Flow:
    """What follows from a function's control flow and integers, each computed when it is asked for.

    `cfg` has all reachable blocks; `returning` those from which a return is reached.
    """

    module: Module
    function: Function

    @cached_property
    def cfg(self) -> ControlFlow:
        return control_flow(self.function)

    @cached_property
    def returning(self) -> ControlFlow:
        return restricted(self.cfg, returning(self.cfg) | {self.cfg.entry})

    @cached_property
    def dominators(self) -> DominatorTree:
        return dominators(self.cfg)

    @cached_property
    def post_dominators(self) -> PostDominatorTree:
        """Of the blocks from which a return is reached."""
        return post_dominators(self.returning)

    @cached_property
    def evolution(self) -> Evolution:
        return self.evolution_with({})

    def evolution_with(self, steady: Mapping[Value, Value]) -> Evolution:
        """How integers change if these values of loops, each given with one that equals it, never change there."""
        live = self.returning.index
        return Evolution(self.dominators, self.loops, self.module.layout, self._progress, live=live, steady=steady)

    @cached_property
    def _progress(self) -> Progress:
        return Progress(self.module, self.function)

    @cached_property
    def readings(self) -> Readings:
        return Readings(self.evolution, self.loops, self.returning, self.dominators, self.module.layout)

    @cached_property
    def loops(self) -> LoopForest:
        return loop_forest(self.cfg, self.dominators)

    @cached_property
    def users(self) -> Mapping[Value, list[Instruction]]:
        return users(self.function)
