"""Unions of numbers of two precisions that callers hand over, where they are copied in reverse mode.

A function that uses one member only says nothing of the others, and the caller may have another one. Where the adjoint
of the copy is one of the other precision, it cannot be added as the member that is used: that ends the program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.declared_bytes import declared_bytes
from enzyme_build.analysis.kinds import Trust
from enzyme_build.ir.types import DOUBLE, FLOAT, I32, I64
from enzyme_build.ir.values import ConstantInt, const_int

from .foreign_bytes import stop_at_bits
from .parts_of_pointers import is_own

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
_MOST: Final = 16
"""Elements of an array that are looked at."""
_UPPER_EXPONENT: Final = 0x7FF00000
"""Of a double, in its upper half."""
_FLOAT_EXPONENT: Final = 0x7F800000
_OTHER: Final = (
    "a union is copied whose adjoint is one of a number of another precision than that of the member that is used "
    "here; copy its members by their names"
)


def stop_at_other_precision(
    sweep: ReverseSweep, i: CallBase, found: Fields, target: Value, where: Value | None
) -> None:
    """End the program where the adjoint of a copied union, in the shadow `target`, is not of the precision found."""
    size = i.arguments[2] if len(i.arguments) > 2 else None
    if not found.numbers or not isinstance(size, ConstantInt):
        return
    memory, pointers = sweep.context.memory, i.arguments[:2]
    if all(is_own(memory, pointer) for pointer in pointers):
        return
    declared = declared_bytes(memory)
    for word in sorted({at - at % _WORD for at, _ in found.numbers}):
        if word + _WORD > size.value or declared.copied(i, word, _WORD) != [(0, _WORD, None)]:
            continue  # none that may be a double
        inside = [(at, type_) for at, type_ in found.numbers if word <= at < word + _WORD]
        if len(inside) == 1 and any(_is_member(memory, pointer, *inside[0]) for pointer in pointers):
            at, type_ = inside[0]
            for element in range(0, size.value - word, found.period or size.value)[:_MOST]:
                bits = _others(sweep.b, at - word, type_, sweep.b.ptradd(target, element + word))
                told = bits if where is None else sweep.b.select(where, bits, const_int(I64, 0))
                stop_at_bits(sweep.context, sweep.b, i, told, _OTHER)


def _is_member(memory: Memory, pointer: Value, at: int, type_: Type) -> bool:
    """Is a number there that some access takes for one, of which the language does not say that it is?"""
    place = memory.place(pointer)
    content = place.moved(at).content if place is not None else None
    return content is not None and type_ in content.float_types and content.trust(type_) is Trust.OTHER


def _others(b: Builder, at: int, type_: Type, word: Value) -> Value:
    """Bits that are not zero where a word of a shadow is no adjoint of the one number in it. Small integers may stay in
    shadows that were made by copying objects: they have no bits where a number has its exponent."""
    if type_ is FLOAT:
        beside = b.load(I32, b.ptradd(word, 0 if at else _HALF), 1)
        return b.cast("zext", b.binary("and", beside, const_int(I32, _UPPER_EXPONENT)), I64)
    if type_ is DOUBLE and not at:
        whole = b.load(I64, word, 1)
        upper = b.binary("lshr", whole, const_int(I64, 32))
        exponent = b.binary("and", whole, const_int(I64, _FLOAT_EXPONENT))
        return b.select(b.icmp("eq", upper, const_int(I64, 0)), exponent, const_int(I64, 0))
    return const_int(I64, 0)
