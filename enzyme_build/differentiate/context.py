"""Everything known about one function under one request, computed once and handed to the builders.

`FunctionFacts` holds analyses that depend on the function alone; `Context` adds activity and what follows from it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from enzyme_build.analysis.activity import Asked, activity
from enzyme_build.analysis.aliasing import Aliasing
from enzyme_build.analysis.dependence import Dependence
from enzyme_build.analysis.discarded import guarded
from enzyme_build.analysis.flow import Flow
from enzyme_build.analysis.request import Mode, Request
from enzyme_build.analysis.retyped import leads_to_retyped
from enzyme_build.analysis.snapshots import Snapshots
from enzyme_build.analysis.twins import Twins
from enzyme_build.ir.debug import location_of
from enzyme_build.ir.values import GlobalVariable
from enzyme_build.records import dataclass

from .changed_words import changed_words, moved_words
from .memory_scopes import MemoryScopes
from .parts_of_pointers import parts_apart

if TYPE_CHECKING:
    from enzyme_build.analysis.active import ActivityResult
    from enzyme_build.analysis.memory import Memory
    from enzyme_build.errors import SourceLocation
    from enzyme_build.ir.instructions import Instruction
    from enzyme_build.ir.values import Value


@dataclass(frozen=True, eq=False)
class FunctionFacts(Flow):
    """A function's flow and its memory."""

    memory: Memory

    def location(self, instruction: Instruction) -> SourceLocation | None:
        return location_of(self.module, instruction)


class Context:
    """The facts of a function under a request."""

    def __init__(self, facts: FunctionFacts, request: Request, *, moves_words: bool = False) -> None:
        self.facts = facts
        self.module = facts.module
        self.function = facts.function
        self.memory = facts.memory
        self.layout = facts.module.layout
        self.request = request
        variables = [self.module.globals[name] for name in request.globals]
        active_globals = [v for v in variables if isinstance(v, GlobalVariable) and v in facts.memory.globals]
        tangents = request.mode is Mode.FORWARD or request.replayed
        asked = Asked(request.arguments, request.result, active_globals, tangents, moves_words, request.guarded)
        self.activity: ActivityResult = activity(facts.memory, facts.cfg, asked)
        self.scopes = MemoryScopes(self.module)

    @cached_property
    def aliasing(self) -> Aliasing:
        facts = self.facts
        return Aliasing(
            self.memory,
            facts.returning,
            self.request.overwritten,
            Dependence(self.module, facts.readings, facts.loops, facts.returning),
            split=self.request.mode is Mode.SPLIT,
            retyped=self.request.retyped,
        )

    @cached_property
    def snapshots(self) -> Snapshots:
        facts = self.facts
        return Snapshots(self.memory, self.aliasing, facts.loops, facts.readings, facts.dominators)

    @cached_property
    def twins(self) -> Twins:
        return Twins(self.module, self.facts.returning, self.facts.dominators, self.facts.loops)

    @cached_property
    def guarded(self) -> frozenset[Value]:
        """Operations whose results are thrown away at times, and may be infinite there."""
        facts = self.facts
        return guarded(self.module, self.activity, facts.returning, facts.post_dominators, facts.users)

    @cached_property
    def changed_words(self) -> dict[Value, frozenset[Instruction]]:
        """Words that are read, changed as integers and stored, with what stores them."""
        return changed_words(self.function)

    @cached_property
    def has_retyped_memory(self) -> bool:
        """Does the function know of memory whose type changes?"""
        return self.request.retyped or leads_to_retyped(self.memory.regions)

    @cached_property
    def moved_words(self) -> frozenset[Value]:
        """Words that may be pointers or numbers, and are moved as integers."""
        return moved_words(self.function, self.memory)

    @cached_property
    def parts_apart(self) -> frozenset[Value]:
        """Integers that may be parts of a pointer, and are moved without each other."""
        return parts_apart(self.function, self.memory)

    def location(self, instruction: Instruction) -> SourceLocation | None:
        return self.facts.location(instruction)
