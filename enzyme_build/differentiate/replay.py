"""Tangents from a tape: forward mode for a function whose primal ran before, as an augmented pass.

The control flow is the primal's, on conditions read from the tape; primal values are recalled as in the reverse sweep,
at iteration numbers that count up. Nothing of the primal is done again: no memory of it is written.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from enzyme_build.analysis.aliasing import closure
from enzyme_build.analysis.needed import Item, ItemKind, primal
from enzyme_build.errors import RequestError, UnsupportedError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.function import Block, Function
from enzyme_build.ir.types import I64, PointerType
from enzyme_build.ir.values import Argument, Constant, Value, const_int, poison

from .adjoint_calls import Again
from .forward import TangentSweep, return_parts
from .frame import Frame
from .recall import Recall
from .signature import Role, replay_signature
from .sweep import shadow_name

if TYPE_CHECKING:
    from enzyme_build.analysis.loops import Loop
    from enzyme_build.errors import SourceLocation
    from enzyme_build.ir.types import Type
    from enzyme_build.rules.multiple import MultipleRule

    from .context import Context
    from .engine import Derived, Engine
    from .forward import Results
    from .prepare import Prepared
    from .request_call import RequestCall


def no_replay(name: str, location: SourceLocation | None) -> UnsupportedError:
    """The refusal of tangents from a tape through a function whose passes are the user's."""
    return UnsupportedError(
        f"'{name}' has a registered gradient, and no rule for tangents from its tape",
        location=location,
        hint=f"register one: void *__enzyme_register_splitderivative_{name}[] = {{f, augmented_f, tangent_f}}; or use "
        "__enzyme_fwddiff",
        code="E0343",
    )


def check_links(request: RequestCall, context: Context) -> None:
    """Links of containers that the function was given are as the augmented pass left them: refuse to go through their
    changes again."""
    pointers = (argument for argument in context.function.arguments if isinstance(argument.type, PointerType))
    places = (place for pointer in pointers if (place := context.memory.place(pointer)) is not None)
    if any(region.linked for region in closure(*places)):
        raise RequestError(
            f"__enzyme_fwdsplit of '{request.primal.name}', which changes a std::list, std::map or std::set "
            "that it is given",
            location=request.location,
            hint="let the function change a copy, or use __enzyme_fwddiff",
            code="E0344",
        )


def build_replay(engine: Engine, context: Context, prepared: Prepared, derived: Derived, frame: Frame) -> None:
    """Fill in the function that computes tangents from a tape."""
    from .engine import argument_maps

    values, shadows = argument_maps(context, derived)
    sweep = ReplaySweep(engine, context, derived.function, values, shadows, signature=derived.signature)
    sweep.prepared, sweep.frame = prepared, frame
    sweep.recall = Recall(prepared.plan, sweep.b, frame, values, shadows, sweep)
    sweep.run()
    sweep.finish()
    Builder(frame.setup).jump(sweep.setup)


def replay_reads(engine: Engine, context: Context, prepared: Prepared) -> list[Item]:
    """What the tangents read of the tape: tried out on a function that is thrown away."""
    from .engine import Derived, argument_maps

    signature = replay_signature(context.function.function_type, context.request, None)
    arguments = [poison(part.type) for part in signature.parameters]
    function = Function("replay", "@replay", signature.type, [], prefix="internal")
    values, shadows = argument_maps(context, Derived(function, signature), arguments)
    sweep = ReplaySweep(engine, context, function, values, shadows, signature=signature)
    sweep.prepared, sweep.frame = prepared, Frame(function.add_block(Block("setup")))
    reads = sweep.recall = _Reads()
    sweep.run()
    return list(reads.items)


class _Reads:
    """Notes what is recalled, and gives nothing."""

    def __init__(self) -> None:
        self.items: dict[Item, None] = {}

    def value(self, v: Value) -> Value:
        if isinstance(v, Constant):
            return v
        self.item(primal(v))
        return poison(v.type)

    def item(self, item: Item) -> Value:
        if not isinstance(item.subject, Constant | Argument):
            self.items[item] = None
        return poison(I64)

    def iteration(self, loop: Loop) -> Value:
        del loop
        return const_int(I64, 0)

    def new_block(self) -> None:
        pass


class ReplaySweep(TangentSweep):
    """The forward sweep with tangents alone."""

    again = True
    prepared: Prepared
    frame: Frame
    recall: Recall | _Reads

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self._counting: dict[Block, int] = {}
        """How many instructions in front of a block's terminator number iterations."""

    def value(self, v: Value) -> Value:
        return self.recall.value(v)

    def clone(self, i: ir.Instruction) -> ir.Instruction:
        """Only control flow is gone through again."""
        if isinstance(i, ir.TERMINATORS):
            live = {block: None for block in i.successors if not self.leaves_out(block)}
            for operand in i.operands if len(live) > 1 else ():
                self.value(operand)
            start = len(self.b.block.instructions)
            self._count(i)
            self._counting[i.block] = len(self.b.block.instructions) - start
            if len(live) == 1:
                self.b.jump(self.blocks[next(iter(live))])
            else:
                super().clone(i)
        return i

    def clone_math(self, i: ir.CallBase) -> None:
        pass

    def guarded(self, i: ir.Instruction) -> None:
        """What is refused here was refused before, in the reverse pass or when this was tried out."""
        if isinstance(self.recall, _Reads):
            super().guarded(i)
            return
        self.visit(i)

    # Blocks --------------------------------------------------------------------------------------------------------

    def leaves_out(self, block: Block) -> bool:
        return block not in self.context.facts.returning.index

    def enter_block(self, block: Block) -> None:
        del block
        self.recall.new_block()

    def at_end(self, block: Block) -> None:
        """In front of the counters, which belong to what comes next."""
        super().at_end(block)
        assert self.b.position is not None
        self.b.position -= self._counting[block]
        self.recall.new_block()

    def after_phis(self, block: Block) -> None:
        """Count the iteration that begins; the elements of earlier entries of a loop stand before those of this one."""
        loop = self.context.facts.loops.loop_of(block)
        if loop is None or loop.header is not block:
            return
        counter = self.frame.variable(("reverse", loop), I64, name="iteration")
        iteration = self.b.load(I64, counter)
        if self._has_base(loop):
            base = self.b.load(I64, self.frame.variable(("base", loop), I64))
            total = self.b.add(self.b.add(base, iteration), const_int(I64, 1))
            self.b.store(total, self.frame.variable(("total", loop), I64, name="total"))

    def _count(self, terminator: ir.Instruction) -> None:
        """Number the iterations of the loops that are entered or go on behind a terminator."""
        block = terminator.block
        for successor in terminator.successors:
            loop = self.context.facts.loops.loop_of(successor)
            if loop is None or loop.header is not successor:
                continue
            counter = self.frame.variable(("reverse", loop), I64, name="reverse")
            if block in loop.blocks:
                self.b.store(self.b.add(self.b.load(I64, counter), const_int(I64, 1)), counter)
                continue
            self.b.store(const_int(I64, 0), counter)
            if self._has_base(loop):
                total = self.b.load(I64, self.frame.variable(("total", loop), I64, name="total"))
                self.b.store(total, self.frame.variable(("base", loop), I64))

    def _has_base(self, loop: Loop) -> bool:
        return isinstance(self.recall, Recall) and loop.parent is not None and loop in self.prepared.plan.loops

    # Instructions --------------------------------------------------------------------------------------------------

    def visit_phi(self, i: ir.Phi) -> None:
        if self.has_shadow(i):
            for lane in self.lanes.each():
                shadow = self.b.phi(i.type, shadow_name(i))
                self.shadows[i] = shadow
                self._phis.append((i, shadow, lane))

    def results_of(self, i: ir.CallBase, rule: MultipleRule, type_: Type) -> Results:
        del type_
        again = Again(self, i)
        return {name: partial(again.result, number) for number, name in enumerate("rs"[: len(rule.results)])}

    def _derive(self, i: ir.CallBase) -> None:
        split = self.prepared.derived.get(i)
        if split is None:
            return
        if split.replay is None:
            raise no_replay(getattr(i.callee, "name", ""), self.context.location(i))
        arguments: list[Value] = []
        signature = split.replay.signature
        for part, used in zip(self.lanes.of(signature.parameters), split.replay_used, strict=True):
            match part.role:
                case Role.SHADOW:
                    arguments.append(self.shadow(i.arguments[part.index]))
                case _ if not used:
                    arguments.append(poison(part.type))
                case Role.PRIMAL:
                    arguments.append(self.value(i.arguments[part.index]))
                case _:
                    tape = self.recall.item(Item(ItemKind.TAPE, i))
                    arguments.append(tape if isinstance(self.recall, Recall) else poison(part.type))
        result = self.b.call(split.replay.function, arguments)
        for lane in self.lanes.each():
            shadow = signature.extract(self.b, result, Role.RESULT_SHADOW, lane=lane)
            if shadow is not None:
                self.shadows[i] = shadow

    def visit_return(self, i: ir.Return) -> None:
        parts = [self.shadow(i.operands[0]) for _ in self.lanes.of(self.signature.results)]
        return_parts(self.b, self.signature, parts)
