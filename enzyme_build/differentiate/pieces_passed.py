"""Words with numbers that functions are passed and return: what one side knows of them, the other is told. What
structs declare in memory is known as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.bits import bits_of
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function

from .declared_pieces import declared_numbers
from .word_pieces import Words, is_bits, is_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

    from .word_pieces import Piece

    Place = tuple[int, ...]
    """Members of a struct that is returned; empty for what is returned as a whole."""


def words_of(module: Module, functions: Sequence[Function], width: int) -> Mapping[Function, Words]:
    """The words with numbers of one width, of the functions that have such."""
    return _Passing(module, functions, width).found


class _Passing:
    def __init__(self, module: Module, functions: Sequence[Function], width: int) -> None:
        self.width = width
        self.told: dict[Function, dict[Piece, set[Type]]] = {}
        for function in functions:
            for word, at, type_ in declared_numbers(module.layout, function, width):
                self.told.setdefault(function, {}).setdefault((word, at), set()).add(type_)
        self.found: dict[Function, Words] = {}
        self.pending = {function: None for function in functions if function in self.told or self._has_casts(function)}
        self.calls: dict[Function, list[tuple[Function, ir.Call]]] = {}
        """The functions that call one, and where."""
        if not self.pending:
            return
        known = set(functions)
        for function in functions:
            for i in function.instructions():
                if isinstance(i, ir.Call) and isinstance(i.callee, Function) and i.callee in known:
                    self.calls.setdefault(i.callee, []).append((function, i))
        while self.pending:
            function = next(iter(self.pending))
            del self.pending[function]
            self.found[function] = words = Words(function, width, self.told.get(function, {}))
            self._tell_callees(function, words)
            self._tell_callers(function, words)

    def _has_casts(self, function: Function) -> bool:
        """Are there casts between numbers and integers of this width, and wider integers?"""
        casts = (i for i in function.instructions() if isinstance(i, ir.Cast))
        return any(
            (is_bits(i) and bits_of(i) == self.width) or (is_number(i) and bits_of(i.operands[0]) == self.width)
            for i in casts
        )

    def _tell_callees(self, function: Function, words: Words) -> None:
        numbers = words.numbers
        for i in function.instructions():
            if not isinstance(i, ir.Call) or not isinstance(i.callee, Function) or i.callee not in self.calls:
                continue
            callee = i.callee
            for own, given in zip(callee.arguments, i.arguments, strict=False):
                for at in range(words.count(own) if own.type is given.type else 0):
                    self._tell(callee, own, at, numbers.get((given, at)))
            for place, value in _results(i, words.used.get(i, ())):
                for at in range(words.count(value)):
                    for returned in _returned(callee, place):
                        self._tell(callee, returned, at, numbers.get((value, at)))

    def _tell_callers(self, function: Function, words: Words) -> None:
        numbers = words.numbers
        for caller, call in self.calls.get(function, ()):
            for own, given in zip(function.arguments, call.arguments, strict=False):
                for at in range(words.count(own) if own.type is given.type else 0):
                    self._tell(caller, given, at, numbers.get((own, at)))
            for place, value in _results(call, list(caller.instructions())):
                for at in range(words.count(value)):
                    for returned in _returned(function, place):
                        self._tell(caller, value, at, numbers.get((returned, at)))

    def _tell(self, function: Function, word: Value, at: int, type_: Type | None) -> None:
        """A piece of a wider word is a number, which may be news."""
        if type_ is None or bits_of(word) <= self.width:
            return
        types = self.told.setdefault(function, {}).setdefault((word, at), set())
        if type_ not in types:
            types.add(type_)
            self.pending[function] = None


def _results(call: ir.Call, users: Sequence[ir.Instruction]) -> Iterator[tuple[Place, Value]]:
    """The integers that a call returns: itself, or members of it that are taken out."""
    yield (), call
    for i in users:
        if isinstance(i, ir.ExtractValue) and i.operands[0] is call:
            yield tuple(i.indices), i


def _returned(function: Function, place: Place) -> Iterator[Value]:
    """What a function returns there."""
    for block in function.blocks:
        end = block.instructions[-1]
        if not isinstance(end, ir.Return) or not end.operands:
            continue
        value: Value | None = end.operands[0]
        while place and isinstance(value, ir.InsertValue):
            if tuple(value.indices) == place:
                value = value.operands[1]
                yield value
                break
            value = value.operands[0]
        if not place and value is not None:
            yield value
