"""Everything known about one function under one request, computed once and handed to the builders.

`FunctionFacts` holds analyses that depend on the function alone; `Context` adds activity and what follows from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from enzyme_build.analysis.activity import ActivityResult, Asked, activity
from enzyme_build.analysis.aliasing import Aliasing
from enzyme_build.analysis.cfg import ControlFlow, control_flow, restricted, returning
from enzyme_build.analysis.dependence import Dependence
from enzyme_build.analysis.discarded import guarded
from enzyme_build.analysis.dominators import DominatorTree, PostDominatorTree, dominators, post_dominators
from enzyme_build.analysis.evolution import Evolution
from enzyme_build.analysis.loops import LoopForest, loop_forest
from enzyme_build.analysis.progress import Progress
from enzyme_build.analysis.readings import Readings
from enzyme_build.analysis.request import Mode, Request
from enzyme_build.analysis.snapshots import Snapshots
from enzyme_build.analysis.twins import Twins
from enzyme_build.ir.debug import location_of
from enzyme_build.ir.function import users
from enzyme_build.ir.values import GlobalVariable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.analysis.memory import Memory
    from enzyme_build.errors import SourceLocation
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.instructions import Instruction
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value


@dataclass(frozen=True, eq=False)
class FunctionFacts:
    """`cfg` has all reachable blocks; `returning` those from which a return is reached."""

    module: Module
    function: Function
    memory: Memory

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
        progress = Progress(self.module, self.function)
        return Evolution(self.dominators, self.loops, self.module.layout, progress, live=self.returning.index)

    @cached_property
    def readings(self) -> Readings:
        return Readings(self.evolution, self.loops, self.returning, self.dominators, self.module.layout)

    @cached_property
    def loops(self) -> LoopForest:
        return loop_forest(self.cfg, self.dominators)

    @cached_property
    def users(self) -> Mapping[Value, list[Instruction]]:
        return users(self.function)

    def location(self, instruction: Instruction) -> SourceLocation | None:
        return location_of(self.module, instruction)


class Context:
    """The facts of a function under a request."""

    def __init__(self, facts: FunctionFacts, request: Request) -> None:
        self.facts = facts
        self.module = facts.module
        self.function = facts.function
        self.memory = facts.memory
        self.layout = facts.module.layout
        self.request = request
        variables = [self.module.globals[name] for name in request.globals]
        active_globals = [v for v in variables if isinstance(v, GlobalVariable) and v in facts.memory.globals]
        tangents = request.mode is Mode.FORWARD or request.replayed
        asked = Asked(request.arguments, request.result, active_globals, tangents)
        self.activity: ActivityResult = activity(facts.memory, facts.cfg, asked)

    @cached_property
    def aliasing(self) -> Aliasing:
        facts = self.facts
        return Aliasing(
            self.memory,
            facts.returning,
            self.request.overwritten,
            Dependence(self.module, facts.readings, facts.loops, facts.returning),
            split=self.request.mode is Mode.SPLIT,
        )

    @cached_property
    def snapshots(self) -> Snapshots:
        facts = self.facts
        return Snapshots(self.memory, self.aliasing, facts.loops, facts.readings)

    @cached_property
    def twins(self) -> Twins:
        return Twins(self.module, self.facts.returning, self.facts.dominators, self.facts.loops)

    @cached_property
    def guarded(self) -> frozenset[Value]:
        """Operations whose results are thrown away at times, and may be infinite there."""
        facts = self.facts
        return guarded(self.module, self.activity, facts.returning, facts.post_dominators, facts.users)

    def location(self, instruction: Instruction) -> SourceLocation | None:
        return self.facts.location(instruction)
