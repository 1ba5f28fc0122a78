"""What follows from the code of a function alone, kept while that stays the same.

The memory of a module is looked at again whenever the pass has changed some functions. Those that it left alone flow as
before, and their indices are within the bounds that were found before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir.function import users
from enzyme_build.ir.instructions import GetElementPtr, Instruction

from .bits import never_negative
from .chosen_offsets import accessed_bytes, chosen_distances
from .flow import Flow
from .member_spans import MemberSpans
from .multiples import step_of
from .offsets import element_offset
from .spans import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from enzyme_build.ir.function import Block, Function
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

    from .offsets import Linear
    from .regions import Place
    from .spread import Chain

_KEPT: Final = "what follows from code"
_WRITTEN: Final[dict[type[Instruction], tuple[str, ...]]] = {}


class CodeFacts:
    """Of one function."""

    def __init__(self, module: Module, function: Function) -> None:
        self.flow = Flow(module, function)
        self.few_values: dict[tuple[Value, Block | None], tuple[int, int] | None] = {}
        """The least and the largest value of integers, where blocks use them (see `ranges`)."""
        self.chains: dict[tuple[Value, Block | None], Chain] = {}
        """How addresses are counted, where blocks use them (see `spread`)."""
        self._layout = module.layout
        self._offsets: dict[GetElementPtr, Linear] = {}
        self._steps: dict[object, int] = {}
        self._spans: dict[GetElementPtr, tuple[Span, int] | None] = {}
        self._ahead: dict[GetElementPtr, bool] = {}
        self._rooms: dict[tuple[Value, Block], int | None] = {}
        self._members = MemberSpans(self.flow)
        self._users: Mapping[Value, Sequence[Instruction]] | None = None

    def offset(self, gep: GetElementPtr) -> Linear:
        """The byte offset that a getelementptr adds to its base."""
        known = self._offsets.get(gep)
        if known is None:
            known = self._offsets[gep] = element_offset(self._layout, gep)
        return known

    def span(self, gep: GetElementPtr) -> tuple[Span, int] | None:
        """The bytes that an index leads to, and how far behind where those are counted from the constants lead: the
        members of a struct (see `member_spans`), or the bytes that are chosen (see `chosen_offsets`)."""
        if gep not in self._spans:
            self._spans[gep] = self._members.span(gep, self.offset(gep)) or self._chosen(gep)
        return self._spans[gep]

    def _chosen(self, gep: GetElementPtr) -> tuple[Span, int] | None:
        distances = chosen_distances(self.offset(gep))
        if distances is None:
            return None
        if self._users is None:
            self._users = users(self.flow.function)
        size = accessed_bytes(self._layout, gep, self._users.get(gep, ()))
        least, most = distances
        return (Span(least, most + size), 0) if size else None

    def goes_ahead(self, gep: GetElementPtr) -> bool:
        """Are the indices never negative, so that it leads to nothing in front of what its constants lead to?"""
        if gep not in self._ahead:
            self._ahead[gep] = all(scale > 0 and self._is_index(value, gep) for value, scale in self.offset(gep).terms)
        return self._ahead[gep]

    def _is_index(self, value: Value, gep: GetElementPtr) -> bool:
        if never_negative(value):
            return True
        block = gep.block
        return block in self.flow.returning.index and self.flow.readings.is_at_least(value, 0, block)

    def room(self, pointer: Value, here: Block) -> int | None:
        """The bytes behind a pointer into a member of a struct that others follow (see `member_spans`)."""
        key = (pointer, here)
        if key not in self._rooms:
            self._rooms[key] = self._members.room(pointer, here)
        return self._rooms[key]

    def step(self, of: object, offset: Linear, place: Callable[[Value], Place | None]) -> int:
        """A divisor of the variable part of the offset of something (see `multiples.step_of`). Only where it is a
        difference of addresses does it depend on places, which are not known for good."""
        known = self._steps.get(of)
        if known is not None:
            return known
        asked = False

        def ask(value: Value) -> Place | None:
            nonlocal asked
            asked = True
            return place(value)

        step = step_of(offset, ask)
        if not asked:
            self._steps[of] = step
        return step


def code_facts(module: Module, function: Function) -> CodeFacts:
    """Those that are known of the function as it is now."""
    kept = module.cache.setdefault(_KEPT, {})
    assert isinstance(kept, dict)
    code = _code(function)
    known: tuple[list[object], CodeFacts] | None = kept.get(function)
    if known is None or known[0] != code:
        known = kept[function] = code, CodeFacts(module, function)
    return known[1]


def _code(function: Function) -> list[object]:
    """All that control flow and values follow from. Values and blocks are equal to themselves only."""
    code: list[object] = []
    for block in function.blocks:
        code += (block, *block.successors)
        for i in block.instructions:
            code += (i, i.type, *i.operands)
            for name in _written(type(i)):
                said = getattr(i, name)
                code.append(tuple(said) if isinstance(said, list) else said)
    return code


def _written(kind: type[Instruction]) -> tuple[str, ...]:
    """What instructions of a kind say beside their operands."""
    told = _WRITTEN.get(kind)
    if told is None:
        kinds = [c for c in kind.__mro__ if c not in Instruction.__mro__]
        told = _WRITTEN[kind] = tuple(name for c in kinds for name in getattr(c, "__slots__", ()))
    return told
