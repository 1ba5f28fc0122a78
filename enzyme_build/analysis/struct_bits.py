"""Structs in registers that have bits of numbers among their integers.

What is put into a struct and taken out of it is followed member by member (see `bitflow`); whether the whole carries
anything is asked where it is passed, returned or merged. Structs that are read from memory or stored there as a whole,
or passed to and returned from what is not seen, are not followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import IntType, VectorType
from enzyme_build.ir.values import Argument, Value

from .kept_bits import may_hold_bits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from enzyme_build.ir.function import Function

    from .memory import Memory
    from .number_places import Sure
    from .regions import Region


def bits_in_structs(
    functions: Mapping[Function, Memory],
    sources: Callable[[Argument | ir.CallBase], Iterable[Value]],
    sure: dict[Value | Region, Sure],
) -> frozenset[Value]:
    """Add those of the functions to what is known of integers; `sources` are what arguments and results of calls are
    from, as far as that is seen. Gives the structs that are not followed, or made of or into such."""
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
    untold = _together(_untold(functions, sources), users)
    pending = list(found)
    while pending:
        value = pending.pop()
        pending += [user for user in users.get(value, ()) if _raise(found, user, found[value])]
    sure.update(found.items())
    return untold


def _untold(
    functions: Mapping[Function, Memory], sources: Callable[[Argument | ir.CallBase], Iterable[Value]]
) -> Iterator[Value]:
    """Structs that are read or stored as a whole, or come from code that is not seen or go there."""
    for function, model in functions.items():
        for value in (*function.arguments, *function.instructions()):
            given: Sequence[Value] = ()
            match value:
                case ir.Load() | Argument():
                    given = (value,)
                case ir.CallBase():
                    given = (value, *value.operands)
                case ir.Store():
                    given = value.operands
                case ir.Return() if model.is_root:
                    given = value.operands
            structs = [one for one in given if _is_struct(one)]
            # Sources are looked up last: most values are no structs.
            if structs and not (isinstance(value, Argument | ir.CallBase) and any(True for _ in sources(value))):
                yield from structs


def _together(some: Iterable[Value], users: Mapping[Value, Iterable[Value]]) -> frozenset[Value]:
    """With all that they are made of, and that is made of those."""
    linked: dict[Value, list[Value]] = {}
    for source, known in users.items():
        for user in known:
            linked.setdefault(source, []).append(user)
            linked.setdefault(user, []).append(source)
    found = set(some)
    pending = list(found)
    while pending:
        more = [other for other in linked.get(pending.pop(), ()) if other not in found]
        found.update(more)
        pending += more
    return frozenset(found)


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
