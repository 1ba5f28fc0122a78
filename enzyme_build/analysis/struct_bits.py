"""Structs in registers that have bits of numbers among their integers.

What is put into a struct and taken out of it is followed member by member (see `bitflow`); whether the whole carries
anything is asked where it is passed, returned or merged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import IntType, VectorType
from enzyme_build.ir.values import Argument, Value

from .kept_bits import may_hold_bits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from enzyme_build.ir.function import Function

    from .number_places import Sure
    from .regions import Region


def bits_in_structs(
    functions: Iterable[Function],
    sources: Callable[[Argument | ir.CallBase], Iterable[Value]],
    sure: dict[Value | Region, Sure],
) -> None:
    """Add those of the functions to what is known of integers; `sources` are what arguments and results of calls are
    from, as far as that is seen."""
    users: dict[Value, list[Value]] = {}
    found: dict[Value, Sure] = {}
    for function in functions:
        for value in (*function.arguments, *function.instructions()):
            if isinstance(value, ir.ExtractValue) and value in sure:
                _raise(found, value.operands[0], sure[value])
            if not _is_struct(value):
                continue
            for source in _moved_from(value, sources):
                if _is_struct(source):
                    users.setdefault(source, []).append(value)
                elif source in sure:
                    _raise(found, value, sure[source])
    pending = list(found)
    while pending:
        value = pending.pop()
        pending += [user for user in users.get(value, ()) if _raise(found, user, found[value])]
    sure.update(found.items())


def _moved_from(value: Value, sources: Callable[[Argument | ir.CallBase], Iterable[Value]]) -> Iterable[Value]:
    match value:
        case ir.InsertValue() | ir.ExtractValue() | ir.Phi() | ir.Freeze():
            return value.operands
        case ir.Select():
            return value.operands[1:]
        case Argument() | ir.CallBase():
            return sources(value)
        case _:
            return ()


def _raise(found: dict[Value, Sure], value: Value, sure: Sure) -> bool:
    """Note the surer of two; was it news?"""
    before = found.get(value)
    if before is not None and before >= sure:
        return False
    found[value] = sure
    return True


def _is_struct(value: Value) -> bool:
    return not isinstance(value.type, IntType | VectorType) and may_hold_bits(value.type)
