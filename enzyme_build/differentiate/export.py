"""Derivatives for other links: functions of a fixed calling convention around those of `engine`.

Such a function takes what its signature says (see `signature`), then the address of the tape if there is one, then the
address of a struct for what it returns. Nothing is returned in registers, so that no detail of how LLVM passes structs
matters. Each pattern of reverse mode is made twice: for arguments whose memory may change between the two passes, and,
with less tape, for those whose memory *lasts*.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.annotations import annotations_of
from enzyme_build.analysis.exported import PREFIX, ExportedDerivative
from enzyme_build.analysis.exported_memory import told_memory
from enzyme_build.analysis.offsets import scalar_leaves
from enzyme_build.analysis.regions import led_to
from enzyme_build.analysis.request import Activity, Mode, Request
from enzyme_build.errors import UnsupportedError
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import subprogram_of
from enzyme_build.ir.function import Block, Function
from enzyme_build.ir.names import global_text
from enzyme_build.ir.types import PTR, VOID, PointerType, Type, function_type, struct_type
from enzyme_build.ir.values import Argument, GlobalVariable, Value
from enzyme_build.records import dataclass

from .signature import Part, Role, Signature

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from enzyme_build.analysis.exported_memory import ToldMemory
    from enzyme_build.errors import SourceLocation
    from enzyme_build.ir.module import Module

    from .context import Context
    from .engine import Derived, Engine

WORD: Final = 8


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What is to be exported: derivatives of `function` for these activities."""

    function: str
    mode: Mode
    arguments: tuple[Activity, ...]
    by_pattern: bool = field(default=False, compare=False)
    """Is it meant by a pattern of names, not by its own?"""


@dataclass(slots=True)
class MadeExports:
    """What was made of a function, but for what is known only when it is optimised."""

    memory: ToldMemory
    derivatives: list[ExportedDerivative] = field(default_factory=list)


def export_derivatives(engine: Engine, requests: Sequence[ExportRequest]) -> dict[str, MadeExports]:
    """Add the derivatives to the module; by their functions."""
    made: dict[str, MadeExports] = {}
    for request in requests:
        location = _location(engine.module, request.function)
        try:
            exporter = _Exporter(engine, request)
            derivatives = exporter.run()
        except UnsupportedError as error:
            error.location = error.location or location
            engine.findings.append(error)
            continue
        if request.function not in made:
            made[request.function] = MadeExports(told_memory(engine.facts(exporter.primal.name).memory))
        made[request.function].derivatives += derivatives
    return made


def _location(module: Module, name: str) -> SourceLocation | None:
    program = subprogram_of(module, module.function(name))
    return program.location if program is not None else None


class _Exporter:
    def __init__(self, engine: Engine, request: ExportRequest) -> None:
        self.engine = engine
        self.module = engine.module
        self.wanted = request
        self.original = self.module.function(request.function)
        self.primal = primal_of(engine, request.function)
        self.result = result_activity(self.module, self.original)

    def run(self) -> list[ExportedDerivative]:
        base = Request(self.primal.name, self.wanted.mode, self.wanted.arguments, self.result)
        return [self._tangent(base)] if base.mode is Mode.FORWARD else self._passes(base)

    def _tangent(self, base: Request) -> ExportedDerivative:
        wanted = replace(base, returns_primal=True)
        derived = self.engine.forward(wanted)
        self._check_globals(wanted)
        made = ExportedDerivative(base.mode, base.arguments, base.result)
        return replace(made, symbols=(self._outer(derived, self._symbol("tangent", made)),))

    def _passes(self, base: Request) -> list[ExportedDerivative]:
        wanted = [replace(base, overwritten=(may_change,) * (len(base.arguments) + 1)) for may_change in (True, False)]
        changing, lasting = map(self.engine.split, wanted)
        self._check_globals(*wanted)
        # Without tape there is nothing to save, and without pointers nothing that may change.
        pointers = any(isinstance(a.type, PointerType) for a in self.original.arguments)
        both = [(changing, False), *([(lasting, True)] if changing.tape is not None and pointers else [])]
        made = []
        for split, lasts in both:
            words = 0 if split.tape is None else -(-self.module.layout.alloc_size(split.tape) // WORD)
            one = ExportedDerivative(base.mode, base.arguments, base.result, lasting=lasts, tape_words=words)
            passes = {"augmented": split.augmented, "reverse": split.reverse}
            symbols = tuple(self._outer(derived, self._symbol(kind, one)) for kind, derived in passes.items())
            made.append(replace(one, symbols=symbols))
        return made

    def _symbol(self, kind: str, made: ExportedDerivative) -> str:
        letters = "".join(activity.value[0] for activity in made.arguments) or "none"
        return ".".join([PREFIX, kind, letters, *(["lasting"] if made.lasting else []), self.wanted.function])

    def _outer(self, derived: Derived, name: str) -> str:
        """Add the function of that name that others call."""
        signature = derived.signature
        parameters = outer_parameters(signature)
        arguments = [Argument(type_, None, number) for number, type_ in enumerate(parameters)]
        type_ = function_type(VOID, tuple(parameters))
        suffix = derived.function.suffix
        function = Function(name, global_text(name), type_, arguments, prefix=self._linkage(), suffix=suffix)
        self.module.add_function(function)
        b = Builder(function.add_block(Block("entry")))
        values: list[Value] = list(arguments[: len(signature.parameters)])
        for number, part in enumerate(signature.parameters):
            if part.role is Role.TAPE:
                values[number] = b.load(part.type, arguments[number], align=WORD)
        result = b.call(derived.function, values)
        self._return(b, signature, result, arguments[len(signature.parameters) :])
        return name

    def _linkage(self) -> str:
        """As visible as the function, and as often defined."""
        words = self.original.prefix.split()
        weak = any(word.startswith(("weak", "linkonce")) for word in words)
        return " ".join([*(["weak_odr"] if weak else []), *(w for w in words if w in ("hidden", "protected"))])

    def _return(self, b: Builder, signature: Signature, result: Value, places: Sequence[Value]) -> None:
        """Put tape and results where the caller wants them."""
        rest = iter(places)
        tape = signature.extract(b, result, Role.TAPE)
        if tape is not None:
            b.store(tape, next(rest), align=WORD)
        returned = returned_parts(signature)
        memory, struct = next(rest, None), struct_type(tuple(part.type for part in returned))
        for number, part in enumerate(returned):
            value = signature.extract(b, result, part.role, part.index, part.lane)
            assert value is not None
            assert memory is not None
            b.store(value, b.ptradd(memory, self.module.layout.field_offset(struct, number)))
        b.ret()

    def _check_globals(self, *requests: Request) -> None:
        """Active numbers in global variables would need a shadow that the other link clears, and that the derivatives
        of other functions read."""
        contexts = [context for request in requests if (context := self.engine.contexts.get(request)) is not None]
        kept = next((name for context in contexts for name in _keeps(context)), "")
        if not kept and not self.engine.uses_kept:
            return
        what = f"the global variable '{kept}'" if kept else "memory that a global variable keeps"
        raise UnsupportedError(
            f"cannot export derivatives of '{self.wanted.function}': it leaves active numbers in {what}",
            hint="pass that memory as an argument; or link the code where it is differentiated, instead of exporting",
            code="E0353",
        )


def _keeps(context: Context) -> Iterator[str]:
    """Variables with memory, or pointers to it, that has a shadow, or that what depends on active arguments is put
    into."""
    activity = context.activity
    varied = {region.root for region in activity.varied_regions}
    shadowed = {region.root for region in activity.shadowed}
    for region in {region.root: None for region in context.memory.regions}:
        variables = [one.name for one in region.globals if isinstance(one, GlobalVariable) and not one.is_constant]
        reached = set(led_to([region])) if variables else set()
        if not reached.isdisjoint(shadowed) or any(one.writes for one in reached & varied):
            yield min(variables)


def primal_of(engine: Engine, name: str) -> Function:
    """The function to differentiate: one that calls it where a user's rule says how."""
    function = engine.module.function(name)
    overridden = annotations_of(engine.module).overrides(name)
    return engine.called(function, None) if overridden else function


def result_activity(module: Module, function: Function) -> Activity:
    """ACTIVE for numbers, DUPLICATED for pointers; refuses what is both."""
    type_ = function.function_type.result
    leaves = [] if type_ is VOID else [leaf for _, leaf, _ in scalar_leaves(module.layout, type_)]
    numbers = any(leaf.is_float for leaf in leaves)
    pointers = any(isinstance(leaf, PointerType) for leaf in leaves)
    if numbers and pointers:
        raise UnsupportedError(
            f"cannot export derivatives of '{function.name}': it returns pointers and numbers in one struct",
            hint="return the struct through a pointer argument",
            code="E0143",
        )
    return Activity.ACTIVE if numbers else Activity.DUPLICATED if pointers else Activity.CONSTANT


def outer_parameters(signature: Signature) -> list[Type]:
    """The parameters of an exported derivative, from those of the derivative itself."""
    found = [PTR if part.role is Role.TAPE else part.type for part in signature.parameters]
    found += [PTR for part in signature.results if part.role is Role.TAPE]
    return [*found, *([PTR] if returned_parts(signature) else [])]


def returned_parts(signature: Signature) -> list[Part]:
    """What comes back in the struct."""
    return [part for part in signature.results if part.role is not Role.TAPE]
