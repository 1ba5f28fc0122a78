"""Unions of numbers of two precisions that callers hand over, where they are copied in reverse mode.

A function that uses one member only says nothing of the others, and the caller may have another one. Where the adjoint
of the copy is one of the other precision, it cannot be added as the member that is used: that ends the program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.copied import ANY_TYPE, copied_entries
from enzyme_build.analysis.kinds import Trust
from enzyme_build.ir.types import DOUBLE, FLOAT, I32, I64
from enzyme_build.ir.values import ConstantInt, const_int

from .parts_of_pointers import is_own
from .runtime import stop_if

if TYPE_CHECKING:
    from enzyme_build.analysis.fields import Fields
    from enzyme_build.analysis.memory import Memory
    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.instructions import CallBase
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

    from .reverse import ReverseSweep

_WORD: Final = 8
_HALF: Final = 4
_OTHER: Final = (
    "a union is copied whose adjoint is one of a number of another precision than that of the member that is used "
    "here; copy its members by their names"
)


def stop_at_other_precision(
    sweep: ReverseSweep, i: CallBase, found: Fields, target: Value, where: Value | None
) -> None:
    """End the program where the adjoint of a copied union, in the shadow `target`, is not of the precision found."""
    entries = [(begin, size) for begin, size, name in copied_entries(sweep.module, i) if name == ANY_TYPE]
    if not entries or not isinstance(i.arguments[2], ConstantInt):
        return
    memory, pointers, length = sweep.context.memory, i.arguments[:2], i.arguments[2].value
    if all(is_own(memory, pointer) for pointer in pointers):
        return
    untold = [word for begin, size in entries for word in range(begin, min(begin + size, length) - _WORD + 1, _WORD)]
    for word in untold:
        inside = [(at, type_) for at, type_ in found.numbers if word <= at < word + _WORD]
        if len(inside) == 1 and any(_is_member(memory, pointer, *inside[0]) for pointer in pointers):
            bits = _others(sweep.b, *inside[0], word, target)
            told = bits if where is None else sweep.b.select(where, bits, const_int(I64, 0))
            place = sweep.context.location(i) or sweep.context.function.name
            stop_if(sweep.module, sweep.b, told, f"{place}: {_OTHER}")


def _is_member(memory: Memory, pointer: Value, at: int, type_: Type) -> bool:
    """Is a number there that some access takes for one, of which the language does not say that it is?"""
    place = memory.place(pointer)
    content = place.moved(at).content if place is not None else None
    return content is not None and type_ in content.float_types and content.trust(type_) is Trust.OTHER


def _others(b: Builder, at: int, type_: Type, word: int, target: Value) -> Value:
    """Bits that are not zero where a word of a shadow is no adjoint of the one number in it."""
    if type_ is FLOAT:
        return b.cast("zext", b.load(I32, b.ptradd(target, word + _HALF if at == word else word), 1), I64)
    if type_ is DOUBLE and at == word:
        whole = b.load(I64, b.ptradd(target, word), 1)
        upper = b.binary("lshr", whole, const_int(I64, 32))
        return b.select(b.icmp("eq", upper, const_int(I64, 0)), whole, const_int(I64, 0))
    return const_int(I64, 0)
