"""Builds derivative functions on request, each once.

The engine owns what is shared between the derivatives of one module: the facts about primal functions, the memo of
derivatives, the shadows of globals, and the findings. It knows which builder makes which form; the builders ask it
for the derivatives of callees.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from enzyme_build.analysis.adrift import may_be_askew
from enzyme_build.analysis.annotations import annotations_of
from enzyme_build.analysis.hidden import hidden_calls
from enzyme_build.analysis.known_fields import KnownFields
from enzyme_build.analysis.narrowed import Narrowed
from enzyme_build.errors import EnzymeBuildError, FindingsError, SourceLocation, UnsupportedError
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import call_chain
from enzyme_build.ir.function import Block, Function
from enzyme_build.ir.types import PTR, VOID, Type
from enzyme_build.ir.values import Argument, GlobalVariable, Value
from enzyme_build.records import dataclass

from .context import Context, FunctionFacts
from .custom import CustomRules
from .doubts import Doubts
from .forward import TangentSweep
from .global_shadows import GlobalShadows
from .helpers import ensure_helpers
from .hidden_memory import look_at_hidden_calls
from .kept import define_named_memory, finder
from .math_errors import asks_for_errno, let_calls_write_errno
from .metadata import UNTAGGED, kept_attributes
from .options import DifferentiationOptions
from .places import show
from .program import Program
from .signature import (
    Signature,
    augmented_signature,
    combined_signature,
    forward_signature,
    make_arguments,
    replay_signature,
    reverse_signature,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from enzyme_build.analysis.hidden import Way
    from enzyme_build.analysis.memory import Memory
    from enzyme_build.analysis.regions import Region
    from enzyme_build.analysis.request import Request
    from enzyme_build.ir.instructions import CallBase, Instruction
    from enzyme_build.ir.module import Module

    from .prepare import Prepared
    from .report import FunctionPlan


@dataclass(slots=True)
class Derived:
    """One derivative function."""

    function: Function
    signature: Signature

    def used(self) -> tuple[bool, ...]:
        """Which parameters are read?"""
        read = {o for i in self.function.instructions() for o in i.operands}
        return tuple(argument in read for argument in self.function.arguments)


@dataclass(slots=True)
class SplitDerived:
    """An augmented forward pass and a reverse pass; `used[i]`: does the reverse pass read its parameter i?"""

    augmented: Derived
    reverse: Derived
    tape: Type | None
    used: tuple[bool, ...] = ()
    replay: Derived | None = None
    """The tangent from the tape, where one is asked for."""
    replay_used: tuple[bool, ...] = ()


class Engine:
    """Derivatives of one module."""

    def __init__(self, module: Module, options: DifferentiationOptions) -> None:
        self.module = module
        self.options = options
        if options.noted:
            module.cache[UNTAGGED] = True
        self.findings: list[EnzymeBuildError] = []
        self.doubts = Doubts(options.warnings)
        self.program = Program(module, options, self.findings, self.doubts)
        self.contexts: dict[Request, Context] = {}
        """Of what users asked for; those of callees are not kept, since analyses are large."""
        self.plans: list[FunctionPlan] = []
        """In words, where they are asked for."""
        self._plan_numbers: dict[Request, int] = {}
        self._calls: list[tuple[Context, Instruction]] = []
        self.known_fields = KnownFields(module.layout)
        self.narrowed = Narrowed()
        self._facts: dict[str, FunctionFacts] = {}
        self._may_be_askew: bool | None = None
        self.errno: Function | None = None
        """Gives the address of errno, where something that is differentiated asks for it."""
        self._hidden: Mapping[Function, Mapping[CallBase, Way]] = {}
        self._forward: dict[Request, Derived] = {}
        self._combined: dict[Request, Derived] = {}
        self._split: dict[Request, SplitDerived] = {}
        self.globals = GlobalShadows(module)
        self.last_order = True
        """Is what is made not differentiated again? Shadows of memory from before a call are made only then."""
        self.uses_kept = False
        self._finders: dict[tuple[frozenset[Value], int], Function] = {}
        self.custom = CustomRules(self)
        self._asked_at: dict[str, SourceLocation | None] = {}
        """Where the functions of `called` come from, which are in no source."""

    def analyse(self, roots: list[Function], reversed_: Mapping[Function, bool] | None = None) -> None:
        """Look at everything reachable from the functions to differentiate. Those in `reversed_` get both sweeps in one
        function, which returns the value, or not."""
        self.program.analyse(roots, reversed_ or {})
        self._facts.clear()
        self._may_be_askew = None
        self.errno = asks_for_errno(self.module, self.program.memory)
        self._hidden = hidden_calls(self.module, self.program.graph)

    def facts(self, name: str) -> FunctionFacts:
        found = self._facts.get(name)
        if found is None:
            function = self.module.function(name)
            found = self._facts[name] = FunctionFacts(self.module, function, self.program.memory[function])
        return found

    def memory_of(self, function: Function) -> Memory | None:
        """What is known of a function's memory; None where it has no body or nobody asked for its analysis."""
        return self.program.memory.get(function)

    @property
    def may_be_askew(self) -> bool:
        """Has the program numbers that may lie at addresses which are no multiples of their size?"""
        if self._may_be_askew is None:
            regions = {region.root: None for memory in self.program.memory.values() for region in memory.regions}
            self._may_be_askew = may_be_askew(regions)
        return self._may_be_askew

    def is_recursive(self, name: str) -> bool:
        return self.module.function(name) in self.program.graph.recursive

    # Plans in words ------------------------------------------------------------------------------------------------

    def note_plan(self, prepared: Prepared) -> None:
        """What was decided for reverse mode."""
        if self.options.explain and not self.findings:
            from .explain import explained

            self.plans.append(explained(self, prepared))

    def plan_number(self, request: Request) -> int:
        """What tells the plans of different requests apart."""
        return self._plan_numbers.setdefault(request, len(self._plan_numbers))

    def is_root(self, function: Function) -> bool:
        """Was the derivative of this function asked for?"""
        return function in self.program.roots

    # Findings ------------------------------------------------------------------------------------------------------

    def report(self, context: Context, instruction: Instruction, error: UnsupportedError) -> None:
        """Note a refusal at an instruction of the user's program."""
        name = context.function.name
        made = self.program.iterations.get(name) or self.program.checkpoints.get(name)
        host = made.host if made is not None else self.program.sorts.hosts.get(name, self.module.made_of.get(name))
        if host is not None:
            error.message = error.message.replace(f"'{context.function.name}'", f"'{host.name}'")
        if error.location is None:
            error.location = context.location(instruction) or self._asked_at.get(context.function.name)
        frames = self._way_here(instruction)
        while error.location is None and frames:
            # Without a line of its own, as in a library's function: the nearest call that has one.
            place, _ = frames.pop(0)
            if place.file and place.line:
                error.location = place
                if name not in self.program.sorts.hosts:
                    error.message += f" (in function '{context.function.name}', which is called here)"
        show(error, frames, next((name for _, name in call_chain(self.module, instruction)), ""))
        if error.location is None:
            error.message += f" (in function '{context.function.name}')"
            error.hint = (f"{error.hint}; " if error.hint else "") + "compile with -g to see the line"
        self.findings.append(error)

    def _way_here(self, instruction: Instruction) -> list[tuple[SourceLocation, str]]:
        """The calls that lead to an instruction: those it was inlined through, then those into its function."""
        frames = call_chain(self.module, instruction)[1:]
        for caller, call in reversed(self._calls):
            if (
                getattr(call.operands[-1], "name", None)
                in self.program.iterations.keys() | self.program.checkpoints.keys()
            ):
                continue
            frames += call_chain(self.module, call) or [(SourceLocation(""), caller.function.name)]
        return frames

    @contextmanager
    def called_from(self, context: Context, call: Instruction) -> Iterator[None]:
        """What is refused meanwhile is refused because of this call."""
        self._calls.append((context, call))
        try:
            yield
        finally:
            self._calls.pop()

    def finish(self, *, last: bool = True) -> None:
        """Add the functions that the derivatives call, unless those are to be differentiated again; raise what was
        found."""
        if self.findings or self.doubts.fatal():
            raise FindingsError([*self.findings, *self.doubts.fatal()])
        if last:
            self.program.sorts.call_library()
            if self.uses_kept:
                define_named_memory(self.module, self.program.memory.values())
            ensure_helpers(self.module)
        if self.errno is not None:
            let_calls_write_errno(self.module)

    # Globals -------------------------------------------------------------------------------------------------------

    @property
    def heads(self) -> list[tuple[GlobalVariable, int]]:
        """Heads of structures in global variables: the variable and the offset."""
        known = annotations_of(self.module).inactive_globals
        found = {head for memory in self.program.memory.values() for head in memory.heads}
        return sorted((h for h in found if h[0].name not in known), key=lambda h: (h[0].name, h[1]))

    def kept_finder(self, region: Region, lane: int) -> Function:
        """The function that gives shadows of kept memory of a region."""
        self.uses_kept = True
        key = (region.told | region.globals, lane)
        found = self._finders.get(key)
        if found is None:
            found = finder(self, self.module.unique_name("enzyme_build.kept"), region, lane)
            self._finders[key] = found
        return found

    # Derivatives ---------------------------------------------------------------------------------------------------

    def forward(self, request: Request) -> Derived:
        """The tangent function."""
        found = self._forward.get(request) or self.custom.forward(request)
        if found is not None:
            self._forward[request] = found
            return found
        facts = self.facts(request.function)
        signature = forward_signature(facts.function.function_type, request)
        derived = self.new_function(facts, signature, "forward")
        self._forward[request] = derived
        context = self.context(facts, request)
        values, shadows = argument_maps(context, derived)
        sweep = TangentSweep(self, context, derived.function, values, shadows, signature=signature)
        sweep.run()
        sweep.finish()
        if self.options.explain:
            from .explain import explained_forward

            self.plans.append(explained_forward(self, context))
        return derived

    def combined(self, request: Request) -> Derived:
        """Both sweeps of reverse mode in one function."""
        from .assemble import build_combined

        found = self._combined.get(request)
        if found is not None:
            return found
        facts = self.facts(request.function)
        signature = combined_signature(facts.function.function_type, request)
        derived = self.new_function(facts, signature, "reverse")
        self._combined[request] = derived
        build_combined(self, self.context(facts, request), derived)
        return derived

    def split(self, request: Request) -> SplitDerived:
        """Augmented forward pass and reverse pass."""
        from .assemble import build_split
        from .checkpointed import build_checkpointed

        found = self._split.get(request) or self.custom.split(request)
        if found is not None:
            self._split[request] = found
            return found
        facts = self.facts(request.function)
        if self._is_checkpointed(request):
            split = build_checkpointed(self, self.context(facts, request), self.program.checkpoints[request.function])
            self._split[request] = split
            return split
        if not self.is_recursive(request.function):
            split = self._split[request] = build_split(self, self.context(facts, request), None)
            return split
        # A recursive function's tape holds its callee's, of the same type: only a pointer can do that. Callers on
        # the cycle meet the functions while they are being built.
        primal = facts.function.function_type
        split = SplitDerived(
            self.new_function(facts, augmented_signature(primal, request, PTR), "augmented"),
            self.new_function(facts, reverse_signature(primal, request, PTR), "reverse"),
            PTR,
        )
        split.used = (True,) * len(split.reverse.signature.parameters)
        if request.replayed:
            split.replay = self.new_function(facts, replay_signature(primal, request, PTR), "replay")
            split.replay_used = (True,) * len(split.replay.signature.parameters)
        self._split[request] = split
        return build_split(self, self.context(facts, request), split)

    def _is_checkpointed(self, request: Request) -> bool:
        """Is this a checkpointed loop, whose derivative goes over its steps once, and is not differentiated again?"""
        loop = self.program.checkpoints.get(request.function)
        again = request.reusable or request.replayed or not self.last_order
        return loop is not None and request.function == loop.loop.name and not again

    def context(self, facts: FunctionFacts, request: Request) -> Context:
        """What is known of a function under a request."""
        context = Context(facts, request, moves_words=self.last_order)
        self.doubts.look_at_code(context)
        if facts.function in self.program.roots:
            self.contexts[request] = context
            look_at_hidden_calls(self, context, self._hidden[facts.function])
        return context

    def new_function(self, facts: FunctionFacts, signature: Signature, kind: str) -> Derived:
        return self.new_derivative(facts.function, signature, kind)

    def new_derivative(self, primal: Function, signature: Signature, kind: str) -> Derived:
        name = self.module.unique_name(f"enzyme_build.{kind}.{primal.name}")
        arguments = make_arguments(signature, [a.name for a in primal.arguments])
        function = Function(
            name,
            f'@"{name}"',
            signature.type,
            arguments,
            prefix="internal",
            suffix=kept_attributes(self.module, primal),
        )
        self.module.add_function(function)
        return Derived(function, signature)

    def called(self, primal: Function, location: SourceLocation | None) -> Function:
        """A function that does nothing but call `primal`: a request for one with a rule is a call like others."""
        name = f"enzyme_build.call.{primal.name}"
        if self.module.is_defined(name):
            return self.module.function(name)
        self._asked_at[name] = location
        arguments = [Argument(a.type, a.name, a.index, a.attributes) for a in primal.arguments]
        suffix = kept_attributes(self.module, primal)
        function = Function(name, f'@"{name}"', primal.function_type, arguments, prefix="internal", suffix=suffix)
        self.module.add_function(function)
        builder = Builder(function.add_block(Block("entry")))
        result = builder.call(primal, list(arguments))
        builder.ret(None if primal.function_type.result is VOID else result)
        return function


def argument_maps(
    context: Context, derived: Derived, arguments: Sequence[Value] = ()
) -> tuple[dict[Value, Value], list[dict[Value, Value]]]:
    """Primal arguments to the derivative's own (or those given), and to their shadows in each lane."""
    from .signature import Role

    values: dict[Value, Value] = {}
    primal = context.function
    shadows: list[dict[Value, Value]] = [{} for _ in range(context.request.width)]
    for part, argument in zip(derived.signature.parameters, arguments or derived.function.arguments, strict=True):
        if part.role is Role.PRIMAL:
            values[primal.arguments[part.index]] = argument
        elif part.role is Role.SHADOW:
            shadows[part.lane][primal.arguments[part.index]] = argument
    return values, shadows


def differentiate(
    module: Module, options: DifferentiationOptions | None = None, warnings: list[str] | None = None
) -> bool:
    """Replace every derivative request in the module by derivative functions.

    Returns whether requests are left that differentiate what was built just now: optimise and call again. Raises
    FindingsError with everything that is wrong; appends the texts of warnings to `warnings`.
    """
    from .requests import lower_requests

    return lower_requests(module, options or DifferentiationOptions(), [] if warnings is None else warnings)
