"""Copying and filling of memory, on the shadow side.

Forward mode copies and clears shadow memory as the primal memory. In reverse mode the forward sweep copies only the
shadow pointers among the bytes, and the reverse sweep moves adjoints back number by number, for which the types of
the copied bytes must be known (see `analysis.fields`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.fields import Fields, fields
from enzyme_build.errors import UnsupportedError
from enzyme_build.ir.types import I1, I8, I64, PTR, VOID, function_type
from enzyme_build.ir.values import ConstantInt, Value, const_int

from .runtime import typed_function

if TYPE_CHECKING:
    from collections.abc import Callable

    from enzyme_build.analysis.regions import Place
    from enzyme_build.errors import SourceLocation
    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.instructions import CallBase
    from enzyme_build.ir.types import Type

    from .sweep import Sweep


class Transfers:
    """Emits memory operations on shadows at the sweep's builder, or at a builder given."""

    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        self.module = sweep.module
        self.layout = sweep.context.layout

    def clear(self, pointer: Value, size: Value, builder: Builder | None = None) -> None:
        """Fill with zero bytes."""
        b = builder or self.sweep.b
        type_ = function_type(VOID, (PTR, I8, size.type, I1))
        memset = self.module.declare(f"llvm.memset.p0.{size.type}", type_)
        b.call(memset, [pointer, const_int(I8, 0), size, const_int(I1, 0)])

    def copy(self, destination: Value, source: Value, size: Value, builder: Builder | None = None) -> None:
        """memmove."""
        b = builder or self.sweep.b
        type_ = function_type(VOID, (PTR, PTR, size.type, I1))
        move = self.module.declare(f"llvm.memmove.p0.p0.{size.type}", type_)
        b.call(move, [destination, source, size, const_int(I1, 0)])

    def fields_of(self, call: CallBase, pointers: list[Value], length: Value, *, overwritten: bool = False) -> Fields:
        """The fields of a copied run; refuses bytes whose type is not known, unless they are only `overwritten`."""
        places: list[Place] = []
        for pointer in pointers:
            place = self.sweep.context.memory.place(pointer)
            if place is not None:
                places.append(place)
        constant = length.value if isinstance(length, ConstantInt) else None
        found = fields(self.layout, places, constant, loose=self.sweep.engine.options.loose_types)
        if overwritten:
            return found
        location = self.sweep.context.location(call)
        if found.mixed:
            raise UnsupportedError(
                f"bytes copied here are used as different types (offset {found.mixed[0]})",
                location=location,
                hint="copy the members one by one, or use separate memory for each type",
                code="E0201",
            )
        if found.unknown:
            raise UnsupportedError(
                f"cannot tell the type of the bytes copied here (offset {found.unknown[0]})",
                location=location,
                hint="copy with an assignment of the struct or of its members, so that the compiler knows their types",
                code="E0202",
            )
        return found

    def copy_pointers(self, found: Fields, destination: Value, source: Value, length: Value) -> None:
        """Copy the shadow pointers among the copied bytes."""
        function = typed_function(self.module, "field_copy", PTR, 8)
        for offset in found.pointers:
            self._each(found, function, [destination, source], offset, PTR, length, ())

    def return_adjoints(  # noqa: PLR0913, PLR0917
        self, builder: Builder, found: Fields, destination: Value, source: Value, length: Value, keep: Value
    ) -> None:
        """source += destination, destination = 0, in every number; `keep` false only clears."""
        for offset, type_ in found.numbers:
            function = typed_function(self.module, "adjoint_copy", type_, self.layout.store_size(type_))
            self._each(found, function, [destination, source], offset, type_, length, (keep,), builder)

    def clear_numbers(self, builder: Builder, found: Fields, destination: Value, length: Value) -> None:
        """Zero every number of a run, and what may be one."""
        if found.unknown or found.mixed:
            self._clear_doubtful(builder, found, destination, length)
        if _dense(self.layout.alloc_size, found):
            self.clear(destination, length, builder)
            return
        for offset, type_ in found.numbers:
            function = typed_function(self.module, "field_clear", type_, self.layout.store_size(type_))
            self._each(found, function, [destination], offset, type_, length, (), builder)

    def _clear_doubtful(self, builder: Builder, found: Fields, destination: Value, length: Value) -> None:
        """Bytes of unknown type that are overwritten: a number's adjoint ends there, an integer has none."""
        if found.period or not isinstance(length, ConstantInt):
            if not found.pointers:
                self.clear(destination, length, builder)
            return
        start = end = -1
        for at in [*sorted({*found.unknown, *found.mixed}), -1]:
            if at != end:
                if end > start:
                    self.clear(builder.ptradd(destination, start), const_int(I64, end - start), builder)
                start = at
            end = at + 1

    def _each(  # noqa: PLR0913, PLR0917
        self,
        found: Fields,
        function: Value,
        pointers: list[Value],
        offset: int,
        type_: Type,
        length: Value,
        extra: tuple[Value, ...],
        builder: Builder | None = None,
    ) -> None:
        b = builder or self.sweep.b
        if found.period:
            wide = length if length.type is I64 else b.cast("zext", length, I64)
            # The run need not end with a whole period: count the fields that end inside it.
            until = const_int(I64, found.period - offset - self.layout.store_size(type_))
            count: Value = b.binary("sdiv", b.binary("add", wide, until), const_int(I64, found.period))
        else:
            count = const_int(I64, 1)
        moved = [b.ptradd(pointer, offset) for pointer in pointers]
        b.call(function, [*moved, count, const_int(I64, found.period or 1), *extra])


def _dense(size_of: Callable[[Type], int], found: Fields) -> bool:
    """Do the numbers fill the run?"""
    if found.pointers or not found.period or len(found.numbers) != 1:
        return False
    return size_of(found.numbers[0][1]) == found.period


def uncertain_copy(location: SourceLocation | None) -> UnsupportedError:
    """The refusal of a copy whose shadows would have to be compared at run time."""
    return UnsupportedError(
        "cannot differentiate a copy between memory that may be constant and memory that may not",
        location=location,
        hint="pass both as dup with a shadow",
        code="E0203",
    )
