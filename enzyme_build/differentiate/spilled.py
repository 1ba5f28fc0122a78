"""Structs in a request's call for which no registers were left.

The ABI passes a small struct in registers only while there are enough of them. A request has more arguments than its
primal (markers and shadows), so the same struct may be passed in registers to the primal and in memory, or as an
integer, by the request. What the primal's parameters are is read from there, in front of the call.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.types import I64, IntType, PointerType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from enzyme_build.ir import instructions as ir
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

_EIGHTBYTE: Final = 8
"""Bytes of a struct that go into one register."""
_REGISTERS: Final = 6
"""For integers and pointers."""


class _Passed(Enum):
    REGISTER = auto()
    MEMORY = auto()
    WORD = auto()
    """An integer behind the last that had a register."""


class Spilled:
    """The arguments of one call, those in memory spread into registers where they are asked for."""

    def __init__(self, module: Module, caller: Function, call: ir.CallBase) -> None:
        self.module = module
        self.caller = caller
        self.call = call
        self.arguments: list[Value] = call.arguments
        self._passed = list(_passed(call))
        self._size = module.layout.alloc_size

    def spread(self, at: int, types: Sequence[Type]) -> None:
        """Argument `at` as the values of `types`, parameters that are one struct, if there were no registers for it."""
        if at >= len(self.arguments):
            return
        given, passed = self.arguments[at], self._passed[at]
        if passed is _Passed.MEMORY:
            b = self._builder()
            parts: list[Value] = [
                b.load(type_, b.ptradd(given, number * _EIGHTBYTE), 1) for number, type_ in enumerate(types)
            ]
        elif passed is _Passed.WORD and self._is_other_word(types):
            op = "inttoptr" if isinstance(types[0], PointerType) else "bitcast"
            parts = [self._builder().cast(op, given, types[0])]
        else:
            return
        self.arguments[at : at + 1] = parts
        self._passed[at : at + 1] = [_Passed.REGISTER] * len(parts)

    def _is_other_word(self, types: Sequence[Type]) -> bool:
        """One eightbyte, and no integer?"""
        return len(types) == 1 and not isinstance(types[0], IntType) and self._size(types[0]) == _EIGHTBYTE

    def _builder(self) -> Builder:
        """In front of the call."""
        self.module.replace_function(self.caller.name)
        builder = Builder(self.call.block, debug_attachment(self.call))
        builder.position = self.call.block.instructions.index(self.call)
        return builder


def _passed(call: ir.CallBase) -> Iterator[_Passed]:
    """How each argument is passed."""
    used = 0
    for value, attributes in zip(call.arguments, call.argument_attributes, strict=True):
        if "byval(" in attributes:
            yield _Passed.MEMORY
            continue
        spilled = used >= _REGISTERS and value.type is I64
        yield _Passed.WORD if spilled else _Passed.REGISTER
        used += isinstance(value.type, IntType | PointerType)
