"""Numbers that are stored as pointers are stored as numbers.

The optimiser merges the stores of an enum's or union's variants, of which one has a number where another has a
pointer, to one of the pointer's type: the number becomes an integer and that a pointer. Nothing follows it; where it
is read, it is a number. In the model that the pass reads it is stored as what it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.copied import access_kind
from enzyme_build.analysis.kinds import Kind
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import in_front_of
from enzyme_build.ir.function import remove_instructions
from enzyme_build.ir.types import DOUBLE, I64

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

_WORD: Final = 8


def store_numbers_as_such(module: Module, function: Function) -> None:
    """Replace such stores in the function's model."""
    stores = [i for i in function.instructions() if isinstance(i, ir.Store) and not (i.ordering or i.volatile)]
    gone: set[Value] = set()
    for store in stores:
        number = _number(module, store.value)
        if number is not None:
            b = in_front_of(store)
            b.store(number if number.type is DOUBLE else b.cast("bitcast", number, DOUBLE), store.pointer, store.align)
            gone.add(store)
    if gone:
        remove_instructions(function, gone)


def _number(module: Module, value: Value) -> Value | None:
    """The number whose bits a pointer is, or the word that moves them."""
    match value:
        case ir.Cast(op="inttoptr", operands=[ir.Cast(op="bitcast", operands=[number])]) if number.type is DOUBLE:
            return number
        case ir.Cast(op="inttoptr", operands=[ir.Load() as word]) if word.type is I64:
            told = access_kind(module, word.metadata, _WORD)
            return word if told is not None and told[0] is Kind.FLOAT else None
        case _:
            return None
