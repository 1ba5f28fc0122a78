"""Numbers at addresses that are no multiples of their size, among bytes of which only the run tells where they lie.

Where the run tells numbers, pointers and integers apart (`analysis.mixed_words`), adjoints are moved by aligned words;
where an array of bytes has numbers at places of which nothing tells, those that are known have to do
(`analysis.adrift`). A program may put a number anywhere in such an array, by copies that do not know what they move. An
adjoint comes to such a place where the number is read from it, or a copy of known type puts it there: this is noted,
and what moves such bytes afterwards ends the program if any adjoint is among them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir.types import DOUBLE, FLOAT, I1, I64
from enzyme_build.ir.values import const_int

from .runtime import runtime_function, stop_if

if TYPE_CHECKING:
    from enzyme_build.analysis.fields import Fields
    from enzyme_build.ir import instructions as ir
    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

    from .context import Context
    from .engine import Engine

_ASKEW: Final = (
    "bytes are copied of which only the run tells where numbers lie, and some lie at addresses that are no multiples "
    "of their size; align the numbers in arrays of bytes"
)


def note_askew(  # noqa: PLR0913, PLR0917
    engine: Engine, b: Builder, type_: Type, address: Value, align: int, length: Value | None = None
) -> None:
    """Note that an adjoint is put at an address which is known to be a multiple of `align`, if that matters; or several
    in as many bytes."""
    layout = engine.module.layout
    size = layout.store_size(type_.scalar)
    if type_.scalar in (DOUBLE, FLOAT) and align % size and engine.may_be_askew:
        wide = const_int(I64, layout.store_size(type_)) if length is None else b.wide(length)
        b.call(runtime_function(engine.module, "number_askew"), [address, const_int(I64, size - 1), wide])


def stop_at_askew(  # noqa: PLR0913, PLR0917
    context: Context, b: Builder, i: ir.Instruction, found: Fields, shadow: Value, length: Value, where: Value | None
) -> None:
    """End the program if adjoints in a run may lie elsewhere than where its fields say; nothing if `where` is false."""
    if not found.anywhere and not found.adrift:
        return
    wide = b.wide(length)
    if where is not None:
        wide = b.select(where, wide, const_int(I64, 0))
    askew: Value = const_int(I1, 0)
    sizes = {(at % size, size) for at, type_ in found.numbers for size in [context.layout.store_size(type_)]}
    for at, size in sorted(sizes) if found.adrift else ():
        by = b.binary("and", b.cast("ptrtoint", b.ptradd(shadow, at), I64), const_int(I64, size - 1))
        askew = b.binary("or", askew, b.icmp("ne", by, const_int(I64, 0)))
    bits = b.call(runtime_function(context.module, "adjoints_askew"), [shadow, wide, askew])
    stop_if(context.module, b, bits, f"{context.location(i) or context.function.name}: {_ASKEW}")
