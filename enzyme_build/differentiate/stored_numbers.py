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
        match store.value:
            case ir.Cast(op="inttoptr", operands=[word]) if is_number(module, word):
                b = in_front_of(store)
                number = word.operands[0] if isinstance(word, ir.Cast) else b.cast("bitcast", word, DOUBLE)
                b.store(number, store.pointer, store.align)
                gone.add(store)
            case _:
                pass
    if gone:
        remove_instructions(function, gone)


def is_number(module: Module, word: Value) -> bool:
    """Are these the bits of a number, cast from it or read as an integer?"""
    match word:
        case ir.Cast(op="bitcast", operands=[number]):
            return number.type is DOUBLE and word.type is I64
        case ir.Load() if word.type is I64:
            told = access_kind(module, word.metadata, _WORD)
            return told is not None and told[0] is Kind.FLOAT
        case _:
            return False
