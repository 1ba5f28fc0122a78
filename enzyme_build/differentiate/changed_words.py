"""Words that are pointers at times and counted on at others, watched while the derivative runs.

`tag == 1 ? word + k : word` becomes `word + (tag == 1 ? k : 0)`, also where the word is a pointer or a number. Of a
number the tangent tells it (see `moved_parts`); the shadow of a pointer has no bits where a number has its exponent,
and would get lost, as it would where the word goes to other functions as an integer. So before that the program ends
where the shadow leads elsewhere than the word itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import I64
from enzyme_build.ir.values import Value, const_int

from .parts_of_pointers import is_pointer_at
from .runtime import runtime_function, stop_if

if TYPE_CHECKING:
    from .sweep import Sweep

_WORD: Final = 8
_MOVES: Final = (ir.Cast, ir.InsertValue, ir.ExtractValue, *ir.MERGES)


def changed_words(function: Function) -> frozenset[ir.Load]:
    """The words that are read, changed as integers and stored, or passed or returned as integers."""
    pending: list[tuple[Value, bool]] = []
    for i in function.instructions():
        if isinstance(i, ir.Store) and i.value.type is I64:
            pending.append((i.value, False))
        elif isinstance(i, ir.Return):
            pending += [(value, True) for value in i.operands]
        elif isinstance(i, ir.CallBase) and isinstance(i.callee, Function) and not i.callee.is_declaration:
            pending += [(value, True) for value in i.arguments if value.type is I64]
    seen = set(pending)
    found: list[ir.Load] = []
    while pending:
        value, changed = pending.pop()
        if isinstance(value, ir.Load) and changed and value.type is I64:
            found.append(value)
        if isinstance(value, (*_MOVES, ir.Binary)):
            further = {(operand, changed or isinstance(value, ir.Binary)) for operand in value.operands} - seen
            seen |= further
            pending += further
    return frozenset(found)


def stop_at_changed_pointer(sweep: Sweep, load: ir.Load) -> None:
    """End the program if this is a pointer that has a shadow."""
    context, activity = sweep.context, sweep.activity
    if activity.has_shadow(load) and load not in activity.watched:
        return  # followed as a pointer
    if load.type is not I64 or not is_pointer_at(context.memory, load.pointer) or load not in context.changed_words:
        return
    for _ in sweep.lanes.each():
        if sweep.has_shadow(load.pointer):
            where = context.location(load) or context.function.name
            words = [sweep.value(load.pointer), sweep.shadow(load.pointer), const_int(I64, _WORD)]
            other = sweep.b.call(runtime_function(sweep.module, "words_other"), words)
            text = f"{where}: a pointer is changed or passed as an integer; keep it a pointer"
            stop_if(sweep.module, sweep.b, other, text)
