"""Sums over iterations whose rounding nobody sees, so that LLVM may add their terms in any order, several at once.

The forward sweep computes the primal again, and often only for the derivative: the norm that a vector is divided by,
where the caller asks for the gradient alone. Such a sum differs from the primal's own by rounding, as an adjoint does
that is added up in another order. That must not be so where the sum itself is a result, or decides which way the
program goes; nor where the loop looks at what it has added up so far, as compensated summation (Kahan 1965) does.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.rules.registry import ScalarFunction

from .known import call_effects
from .request import Activity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from enzyme_build.ir.values import Value

    from .flow import Flow
    from .loops import Loop
    from .memory import Memory
    from .regions import Place, Region
    from .request import Request

_CONTINUOUS = frozenset("fadd fsub fmul fdiv fpext fptrunc".split())  # noqa: SIM905
_CONTINUOUS_FUNCTIONS = frozenset(
    """fma fmuladd fabs sqrt cbrt hypot exp exp2 exp10 expm1 log log2 log10 log1p pow sin cos tan asin acos atan sinh
    cosh tanh asinh acosh atanh erf erfc tgamma lgamma""".split()  # noqa: SIM905
)
_TERMS = {"fadd": (0, 1), "fsub": (0,)}
"""By operation: the operands that may be what was added up before."""


class UnseenSums:
    """Which numbers of one function only its derivative depends on, under a request whose primal result is `seen`."""

    def __init__(self, flow: Flow, memory: Memory, request: Request, *, seen: bool) -> None:
        self.flow = flow
        self.memory = memory
        self.request = request
        self.seen = seen

    def steps(self) -> frozenset[ir.Instruction]:
        """The additions of sums that are unseen."""
        found: set[ir.Instruction] = set()
        for loop in self.flow.loops.loops:
            for phi in loop.header.phis:
                if phi.type.is_float_like and phi not in found:
                    found |= self._steps(loop, phi)
        return frozenset(i for i in found if not isinstance(i, ir.Phi))

    def is_unseen(self, value: Value) -> bool:
        """Does nothing but the derivative depend on how this number is rounded?"""
        return value not in self._seen

    @cached_property
    def _seen(self) -> set[Value]:
        """What is a result, or decides something; and what such numbers are computed from."""
        found: set[Value] = set()
        todo: list[Value] = []

        def see(value: Value) -> None:
            if isinstance(value, ir.Instruction) and value not in found:
                found.add(value)
                todo.append(value)

        stored: dict[Region, list[Value]] = {}
        for i in self._instructions():
            match i:
                case ir.Return() if not self.seen:
                    pass
                case ir.Store() if (region := self._unwanted(i.pointer)) is not None:
                    stored.setdefault(region, []).append(i.value)
                case _:
                    for operand in {*i.operands} - {*_continued(self.memory, i)}:
                        see(operand)
        for i in self._instructions():
            if not _is_number(i):
                self._see_read(i, stored, see)
        while todo:
            value = todo.pop()
            assert isinstance(value, ir.Instruction)
            for operand in _continued(self.memory, value):
                see(operand)
            self._see_read(value, stored, see)
        return found

    def _see_read(self, i: ir.Instruction, stored: Mapping[Region, list[Value]], see: Callable[[Value], None]) -> None:
        """What an instruction reads is seen: so is what was stored there."""
        for region in self._read(i) & stored.keys():
            for value in stored[region]:
                see(value)

    def _unwanted(self, pointer: Value) -> Region | None:
        """Memory whose primal numbers the caller does not want."""
        place = self.memory.place(pointer)
        region = None if place is None else place.resolved().region
        if region is None or region.globals or not region.origins:
            return None
        return region if all(origin in self._unwanted_arguments for origin in region.origins) else None

    @cached_property
    def _unwanted_arguments(self) -> set[Value]:
        """Regions are those of all functions that call each other in a cycle: they may come from others' arguments."""
        pairs = zip(self.flow.function.arguments, self.request.arguments, strict=True)
        return {argument for argument, activity in pairs if activity is Activity.DUPLICATED_NO_PRIMAL}

    def _read(self, i: ir.Instruction) -> set[Region]:
        places: list[Place | None] = []
        match i:
            case ir.Load():
                places = [self.memory.place(i.pointer)]
            case ir.AtomicRMW() | ir.CompareExchange():
                places = [self.memory.place(i.operands[0])]
            case ir.CallBase() if (effects := self.memory.effects.get(i)) is not None:
                places = [*effects.reads]
            case _:
                pass
        return {place.resolved().region for place in places if place is not None}

    def _instructions(self) -> Iterator[ir.Instruction]:
        for block in self.flow.cfg.order:
            yield from block.instructions

    def _steps(self, loop: Loop, phi: ir.Phi) -> set[ir.Instruction]:
        """The additions of the sum that this phi of a loop's header holds, with the phis between them."""
        found: set[ir.Instruction] = {phi}
        results: list[ir.Instruction] = []
        todo: list[ir.Instruction] = [phi]
        while todo:
            value = todo.pop()
            for user in self.flow.users.get(value, ()):
                if user.block not in loop.blocks:
                    results.append(value)
                elif not _adds_to(user, value):
                    return set()
                elif user not in found:
                    found.add(user)
                    todo.append(user)
        for i in found:
            if not isinstance(i, ir.Phi) and sum(operand in found for operand in i.operands) != 1:
                return set()
        return found if all(self.is_unseen(value) for value in results) else set()


def _adds_to(user: ir.Instruction, value: Value) -> bool:
    """Is this one more step of the sum `value`, or a choice between steps of it?"""
    if isinstance(user, ir.Phi):
        return True
    if isinstance(user, ir.CallBase):
        name = getattr(user.callee, "name", "")
        return name.startswith("llvm.fmuladd.") and user.arguments[2] is value
    return isinstance(user, ir.Binary) and any(user.operands[at] is value for at in _TERMS.get(user.op, ()))


def _is_number(i: ir.Instruction) -> bool:
    """Is this a number that is read, of which `_seen` knows whether it is seen?"""
    return isinstance(i, ir.Load) and i.type.is_float_like


def _continued(memory: Memory, i: ir.Instruction) -> Iterator[Value]:
    """Numbers of which the result changes as little as they do."""
    match i:
        case ir.Phi() | ir.Freeze() | ir.Negate():
            yield from i.operands
        case ir.Select():
            yield from i.operands[1:]
        case ir.CallBase():
            effects = call_effects(memory.module, i)
            known = None if effects is None else effects.known
            if isinstance(known, ScalarFunction) and known.name in _CONTINUOUS_FUNCTIONS:
                yield from i.arguments
        case ir.Binary() | ir.Cast() if i.op in _CONTINUOUS:
            yield from i.operands
        case _:
            pass
