"""What a function computes from constants that it is passed, with the same result for all of its callers.

Generic code that is not made anew for each type is told the size of elements, as Rust's hash tables without
optimisation: it moves them by words, and what is left by halves and bytes. Nothing is left where all sizes are whole
words, but in a function that stays a call each part would be one of a number or pointer. In the model that the pass
reads, such results are constants, and branches that they decide are none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import remove_instructions, replace_values
from enzyme_build.ir.types import I1, IntType
from enzyme_build.ir.values import ConstantInt, Value, const_int

from .loop_form import canonical_loops
from .passed_constants import never_shown
from .settled_branches import holds, leave_out

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from enzyme_build.ir.function import Function

    from .passed_constants import Calls

_MOST: Final = 16
"""Constants for one parameter that are looked at."""

_Values = frozenset[int]


def fold_passed_sizes(functions: Sequence[Function], fixed: Collection[Function], calls: Calls) -> None:
    """Put constants in the place of such results in these functions' models, but for `fixed` ones."""
    open_ = [function for function in functions if function not in fixed and never_shown(function)]
    passed = _passed(open_, calls)
    for function in open_:
        results: dict[Value, Value] = {}
        for parameter in function.arguments:
            if values := passed.get(parameter):
                results |= _results(function, parameter, tuple(sorted(values)))
        if results:
            replace_values(function, results)
            remove_instructions(function, {*results})
            leave_out(function)
            canonical_loops(function)


def _passed(functions: Sequence[Function], calls: Calls) -> Mapping[Value, _Values]:
    """The parameters that are nothing but constants in all calls, also such as are handed on, and which they are."""
    passed: dict[Value, _Values] = {
        parameter: frozenset()
        for function in functions
        if function.name in calls
        for parameter in function.arguments
        if isinstance(parameter.type, IntType)
    }
    changed = True
    while changed:
        changed = False
        for function in functions:
            for parameter in function.arguments:
                if parameter not in passed:
                    continue
                values: set[int] | None = set()
                for _, call in calls[function.name]:
                    more = _values(call.arguments[parameter.index], passed)
                    values = None if values is None or more is None else values | more
                if values is None or len(values) > _MOST:
                    del passed[parameter]
                    changed = True
                elif values != passed[parameter]:
                    passed[parameter] = frozenset(values)
                    changed = True
    return passed


def _values(given: Value, passed: Mapping[Value, _Values]) -> _Values | None:
    if isinstance(given, ConstantInt):
        return frozenset([_unsigned(given.type, given.value)])
    return passed.get(given)


def _results(function: Function, parameter: Value, values: tuple[int, ...]) -> dict[Value, Value]:
    """What is the same for all of a parameter's values."""
    known = {parameter: values}
    cases = len(values)
    results: dict[Value, Value] = {}
    for i in function.instructions():
        if not isinstance(i, ir.Binary | ir.Compare | ir.Cast) or not isinstance(i.type, IntType):
            continue
        operands = [_each(operand, known, cases) for operand in i.operands]
        if not any(operand in known for operand in i.operands) or not all(operands):
            continue
        computed = [_computed(i, each) for each in zip(*operands, strict=True)]
        found = tuple(value for value in computed if value is not None)
        if len(found) < cases:
            continue
        known[i] = found
        if len({*found}) == 1:
            results[i] = const_int(i.type, found[0])
    return results


def _each(operand: Value, known: Mapping[Value, tuple[int, ...]], cases: int) -> tuple[int, ...] | None:
    """What a value is in each case."""
    if isinstance(operand, ConstantInt):
        return (_unsigned(operand.type, operand.value),) * cases
    return known.get(operand)


def _computed(i: ir.Instruction, operands: Sequence[int]) -> int | None:
    """A result as an unsigned number; None where there is none, or one that this does not compute."""
    type_ = i.operands[0].type
    assert isinstance(type_, IntType)
    if isinstance(i, ir.Compare):
        a, b = (const_int(type_, operand) for operand in operands)
        return int(holds(i.predicate, a, b)) if i.type is I1 else None
    if isinstance(i, ir.Cast):
        (value,) = operands
        if i.op == "sext":
            return _unsigned(i.type, const_int(type_, value).value)
        return _unsigned(i.type, value) if i.op in {"zext", "trunc"} else None
    first, second = operands
    match i.op:  # type: ignore[attr-defined]
        case "add":
            result = first + second
        case "sub":
            result = first - second
        case "mul":
            result = first * second
        case "and":
            result = first & second
        case "or":
            result = first | second
        case "xor":
            result = first ^ second
        case "shl" if second < type_.bits:
            result = first << second
        case "lshr" if second < type_.bits:
            result = first >> second
        case "udiv" if second:
            result = first // second
        case "urem" if second:
            result = first % second
        case _:
            return None
    return _unsigned(type_, result)


def _unsigned(type_: object, value: int) -> int:
    assert isinstance(type_, IntType)
    return value & ((1 << type_.bits) - 1)
