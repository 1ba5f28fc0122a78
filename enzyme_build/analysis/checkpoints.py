"""Loops whose steps the user asks to checkpoint, by a call of `__enzyme_checkpoint(n)` inside.

What such a loop carries from step to step goes through memory, so that a step is a function of memory; only numbers of
iterations and pointers stay in registers, where the next ones follow from the present ones and from nothing that a
step computes (*steered* values). A step can be run again from a copy of the memory it starts from if it has no effect
but on memory, and asks nobody for anything but memory.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import UnsupportedError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.debug import location_of
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import IntType, PointerType
from enzyme_build.ir.values import Constant, ConstantInt, NullPointer
from enzyme_build.records import dataclass
from enzyme_build.rules.inactive_rows import Comparison, Inactive, Why
from enzyme_build.rules.memory import Allocation, Deallocation, Transfer
from enzyme_build.rules.registry import MultipleFunction, ScalarFunction, lookup

from .annotations import annotations_of
from .callgraph import used_functions
from .known import call_effects
from .offsets import has_pointers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enzyme_build.ir.function import Block
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

    from .flow import Flow
    from .loops import Loop

MARK: Final = "enzyme_checkpoint"
MEMORY_MARK: Final = "enzyme_checkpoint_memory"
_NO_EFFECT: Final = (
    "llvm.assume",
    "llvm.experimental.noalias.scope.decl",
    "llvm.lifetime.",
    "llvm.dbg.",
    "llvm.prefetch",
)
_WORD_BITS: Final = 64
_CASTS: Final = frozenset({"zext", "sext", "trunc"})
_ELSEWHERE: Final = frozenset({Why.IO, Why.TIME, Why.RANDOM, Why.SYSTEM})
_ENVIRONMENT: Final = "fe"
"""Beginning of the names of functions on the state of floating-point arithmetic."""


def is_mark(callee: Value) -> bool:
    """Is this a function whose calls say how a loop is checkpointed?"""
    return isinstance(callee, Function) and callee.is_declaration and MARK in callee.name


def tells_memory(call: ir.CallBase) -> bool:
    return MEMORY_MARK in (getattr(call.callee, "name", None) or "")


def marks(function: Function) -> Iterator[ir.CallBase]:
    for i in function.instructions():
        if isinstance(i, ir.CallBase) and is_mark(i.callee):
            yield i


@dataclass(frozen=True, eq=False)
class MarkedLoop:
    """`marks` are the calls in the loop itself. `steered` are phis of the header; with `counted`, they also tell when
    the loop ends, and it ends nowhere else."""

    loop: Loop
    latch: Block
    preheader: Block
    marks: tuple[ir.CallBase, ...]
    steered: tuple[ir.Phi, ...]
    counted: bool


def marked_loop(flow: Flow) -> MarkedLoop | None:
    """A loop with marks that is inside no other such loop."""
    found: dict[Loop, list[ir.CallBase]] = {}
    for call in marks(flow.function):
        loop = flow.loops.loop_of(call.block) if call.block in flow.cfg.index else None
        if loop is not None:
            found.setdefault(loop, []).append(call)
    outer = [loop for loop in found if not any(o is not loop and o.encloses(loop) for o in found)]
    if not outer:
        return None
    loop = outer[0]
    refuse = partial(refusal, flow.module, found[loop][0], code="E0362")
    if not any(not tells_memory(call) for call in found[loop]):
        raise refuse(
            "the memory of a checkpointed loop is told where no loop is checkpointed",
            "call __enzyme_checkpoint(n) in the same loop",
        )
    if loop.latch is None or loop.preheader is None or flow.loops.irreducible:
        raise refuse(
            "a loop that is entered or repeated by jumps cannot be checkpointed", "write it as a for or while loop"
        )
    for block in loop.blocks:
        for i in block.instructions:
            for user in flow.users.get(i, ()):
                outside = user.block not in loop.blocks and user.block in flow.cfg.index
                if outside and not (
                    isinstance(user, ir.Phi)
                    and all(b in loop.blocks for b, v in zip(user.blocks, user.operands, strict=True) if v is i)
                ):
                    raise refuse("a loop of this form cannot be checkpointed", "write it as a for or while loop")
    steered = _steered(loop, loop.latch)
    for phi in loop.header.phis:
        if phi not in steered and has_pointers(flow.module.layout, phi.type):
            raise refuse(
                "a pointer that is computed in a step of a checkpointed loop goes on to the next step",
                "let pointers change in each step in the same way, as when two arrays are swapped, and keep those that "
                "stay the same in local variables",
            )
    last = loop.latch.terminator
    counted = len(loop.exit_edges) == 1 and loop.exit_edges[0][0] is loop.latch and isinstance(last, ir.Branch)
    counted = counted and is_steered(last.operands[0], loop, steered)
    return MarkedLoop(
        loop,
        loop.latch,
        loop.preheader,
        tuple(found[loop]),
        tuple(p for p in loop.header.phis if p in steered),
        counted,
    )


def _steered(loop: Loop, latch: Block) -> set[ir.Phi]:
    """Integers and pointers of which the next follow from the present ones: the largest set that does so by itself."""
    found = {phi for phi in loop.header.phis if _fits_word(phi.type)}
    while True:
        failing = {phi for phi in found if not is_steered(phi.incoming(latch), loop, found)}
        if not failing:
            return found
        found -= failing


def _fits_word(type_: Type) -> bool:
    return isinstance(type_, PointerType) or (isinstance(type_, IntType) and type_.bits <= _WORD_BITS)


def is_steered(value: Value, loop: Loop, steered: set[ir.Phi]) -> bool:
    """Does the value follow from these phis and what is known in front of the loop?"""
    pending, seen = [value], {value}
    while pending:
        v = pending.pop()
        if isinstance(v, Constant):
            if isinstance(v.type, PointerType) and not isinstance(v, NullPointer):
                return False
            continue
        if not isinstance(v, ir.Instruction) or v.block not in loop.blocks or v in steered:
            continue
        match v:
            case ir.Binary(op=op) if isinstance(v.type, IntType) and "div" not in op and "rem" not in op:
                pass
            case ir.Cast() if v.op in _CASTS:
                pass
            case ir.Compare(op="icmp") | ir.Select() | ir.GetElementPtr():
                pass
            case _:
                return False
        fresh = [o for o in v.operands if o not in seen]
        seen.update(fresh)
        pending += fresh
    return True


def refusal(module: Module, at: ir.Instruction, message: str, hint: str, code: str) -> UnsupportedError:
    return UnsupportedError(message, location=location_of(module, at), hint=hint, code=code)


# Running a step again ------------------------------------------------------------------------------------------------


def unrepeatable(module: Module, step: Function) -> tuple[ir.Instruction, str] | None:
    """What a step, or a function that it calls, must not do twice, and in words what that is."""
    pending, seen = [step], {step}
    while pending:
        function = pending.pop()
        for i in function.instructions():
            said = _unrepeatable(module, i)
            if said is not None:
                return i, said
        fresh = [f for f in used_functions(module, function) if f not in seen]
        seen.update(fresh)
        pending += fresh
    return None


def _unrepeatable(module: Module, i: ir.Instruction) -> str | None:
    match i:
        case ir.Load() | ir.Store() if i.volatile or i.ordering:
            return "accesses volatile or atomic memory"
        case ir.AtomicRMW() | ir.CompareExchange() | ir.Fence():
            return "accesses atomic memory"
        case ir.VAArg():
            return "takes arguments of a variadic function"
        case ir.CallBase():
            return _unrepeatable_call(module, i)
    return None


def _unrepeatable_call(module: Module, call: ir.CallBase) -> str | None:
    callee = call.callee
    if not isinstance(callee, Function):
        return "runs inline assembly, or a function that is only known at run time"
    if callee.name.startswith(_NO_EFFECT) or is_mark(callee):
        return None
    effects = call_effects(module, call)
    if effects is None or annotations_of(module).rules.get(callee.name) is not None:
        return None if module.is_defined(callee.name) else f"calls '{callee.name}', of which nothing is known"
    match effects.known:
        case ScalarFunction() | MultipleFunction() | Transfer() | Allocation() | Deallocation():
            return None
        case Inactive() if effects.no_return:
            return None
        case Inactive(why=Why.CLASSIFY | Why.INTEGER | Why.COMPILER) if _looks_at_nothing(module, callee):
            return None
        case Inactive(compares=Comparison(copied=True)):
            return "sorts by callback"
        case Inactive(compares=Comparison(known=at)) if _is_seen(module, call, at):
            return None  # what compares is looked at as well
        case Inactive(compares=Comparison()):
            return "searches by a function that is only known at run time"
        case Inactive(why=why) if callee.name.startswith("llvm.") and not effects.writes and why not in _ELSEWHERE:
            return None
        case _:
            return f"calls '{callee.name}', which may do something else the second time"


def _is_seen(module: Module, call: ir.CallBase, known: int) -> bool:
    """Has the link the bodies of all functions that compare?"""
    told = call.arguments[known]
    functions = [a for a in call.arguments if isinstance(a, Function)]
    return isinstance(told, ConstantInt) and bool(told.value) and all(module.is_defined(f.name) for f in functions)


def _looks_at_nothing(module: Module, callee: Function) -> bool:
    """Does a function of numbers and integers depend on its arguments only?"""
    if lookup(callee.name, callee.function_type) is None:
        return "memory(none)" in module.attributes_of(callee)
    return not callee.name.startswith(_ENVIRONMENT)
