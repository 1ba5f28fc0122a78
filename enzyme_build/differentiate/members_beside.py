"""Numbers beside an integer in one word that is stored: members of a struct that a calling convention packs.

Of `{ int; float; double }` the first two members are passed in one `i64`. Where the `float` has no derivative the word
is an integer like any other, but for the shadow: the tangent of the `float` is zero there, and an adjoint that was
there before ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir.values import const_int

if TYPE_CHECKING:
    from enzyme_build.ir import instructions as ir
    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

    from .context import Context
    from .engine import Engine

    Numbers = list[tuple[Type, int]]
    """Types and byte offsets."""


def numbers_beside(engine: Engine, context: Context, store: ir.Store) -> Numbers:
    """What lies in an integer that is stored and begins with something else, by its own bits and by the memory."""
    place, size = context.memory.place(store.pointer), context.layout.store_size(store.value.type)
    numbers: dict[int, Type] = dict(context.activity.packing.parts(store.value))
    if place is not None and size > 1:
        found = engine.known_fields.of([place], size)
        starts = range(0, size, found.period or size)
        numbers |= {start + at: type_ for start in starts for at, type_ in found.numbers if start + at < size}
    return [(type_, at) for at, type_ in sorted(numbers.items())]


def without_numbers(builder: Builder, layout: DataLayout, value: Value, numbers: Numbers) -> Value:
    """The integer with zeros in the place of such numbers."""
    mask = -1
    for type_, at in numbers:
        mask &= ~(((1 << layout.store_size(type_) * 8) - 1) << at * 8)
    return value if mask == -1 else builder.binary("and", value, const_int(value.type, mask))
