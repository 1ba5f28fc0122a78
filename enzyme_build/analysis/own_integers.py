"""Integers in memory of which all uses are seen: what is stored there tells what they are.

What memory holds is judged by all values that it shares a register with: the counter of a list in one variant of an
enum, and the number of an error in another, are one variable where branches join. In memory that no other code reaches,
and at places where nothing but integers is stored, bits of numbers come from these integers only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import IntType, VectorType, fields_of
from enzyme_build.ir.values import Constant
from enzyme_build.rules.memory import Allocation, Deallocation, Transfer

from .known import call_effects
from .regions import led_to

if TYPE_CHECKING:
    from collections.abc import Iterable

    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value
    from enzyme_build.rules.registry import Known

    from .known import CallEffects
    from .memory import Memory
    from .regions import Place, Region
    from .slots import Slots, Span


class OwnIntegers:
    """Answers for the functions of a call graph, once `slots` knows what memory they share, and all copies."""

    def __init__(self, models: Iterable[Memory], slots: Slots) -> None:
        self._slots = slots
        self._others: dict[Region, dict[Span, None]] = {}
        """Where numbers, pointers, or anything unknown are written."""
        self._shown: set[Region] = set()
        """Memory that code may use which is not seen."""
        self._known: dict[Region, bool] = {}
        models = list(models)
        self._seen = {model.function.name for model in models}
        for model in models:
            self._shown |= {slots.find(region)[0] for region in model.regions if _is_shown(region.root)}
            for i in model.function.instructions():
                self._scan(model, i)

    def only(self, place: Place, size: int) -> bool:
        """Is nothing but integers stored to these bytes, or where they are copied from?"""
        return self.only_in(self._slots.at(place, size))

    def only_in(self, slot: Region) -> bool:
        known = self._known.get(slot)
        if known is None:
            known = self._known[slot] = self._look(slot)
        return known

    def _look(self, slot: Region) -> bool:
        pending = [slot]
        met = {slot}
        while pending:
            node = pending.pop()
            span = self._slots.span_of(node)
            if span.memory in self._shown or any(span.overlaps(other) for other in self._others.get(span.memory, ())):
                return False
            pending += (source for source in self._slots.copied_to(node) if source not in met)
            met.update(pending)
        return True

    def _scan(self, model: Memory, i: ir.Instruction) -> None:
        match i:
            case ir.Store() if not isinstance(i.value, Constant) and not _only_integers(i.value.type):
                self._write(model, i.pointer, model.layout.store_size(i.value.type))
            case ir.AtomicRMW() | ir.CompareExchange() if not _only_integers(i.operands[-1].type):
                self._write(model, i.operands[0], model.layout.store_size(i.operands[-1].type))
            case ir.CallBase() if getattr(i.callee, "name", None) not in self._seen:
                self._call(model, i)
            case _:
                pass

    def _write(self, model: Memory, pointer: Value, size: int) -> None:
        place = model.place(pointer)
        if place is not None:
            span = self._slots.span(place, size)
            self._others.setdefault(span.memory, {})[span] = None

    def _call(self, model: Memory, call: ir.CallBase) -> None:
        """What others write, and what is said to be numbers, is unknown; copies are told to `slots`."""
        known = call_effects(model.module, call)
        if known is not None and (_keeps_integers(known.known, call) or not (known.writes or _says_more(known))):
            return
        pointers = (place for value in call.operands if (place := model.place(value)) is not None)
        self._shown.update(self._slots.find(region)[0] for region in led_to(place.region for place in pointers))


def _is_shown(region: Region) -> bool:
    doubted = region.open or region.doubtful or region.linked or region.handed or region.kept
    return region.is_visible or doubted or bool(region.globals or region.told)


def _only_integers(type_: Type) -> bool:
    if isinstance(type_, VectorType):
        return isinstance(type_.element, IntType)
    return isinstance(type_, IntType) or (bool(fields := fields_of(type_)) and all(map(_only_integers, fields)))


def _says_more(known: CallEffects) -> bool:
    return bool(known.fields or known.everywhere)


def _keeps_integers(known: Known, call: ir.CallBase) -> bool:
    """Does this make memory, free, copy or move it, or fill it with a constant?"""
    if isinstance(known, Transfer):
        return known.value is None or isinstance(call.arguments[known.value], Constant)
    return isinstance(known, Allocation | Deallocation)
