"""What the language says of copied bytes: declared variables, structs with tags for their members, Rust's types.

Objects of other classes that the pointers may lead to do not matter to it (see `copied_fields`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.claims import lies_on_moved_number
from enzyme_build.analysis.copied import FORTRAN_TEXT, access_kind, access_name, copied_parts
from enzyme_build.analysis.declared_bytes import declared_bytes
from enzyme_build.analysis.declared_text import DeclaredText
from enzyme_build.analysis.elements import elements
from enzyme_build.analysis.fields import Fields, kind_at
from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.offsets import at_most
from enzyme_build.analysis.shapes import declared_array
from enzyme_build.analysis.source_structs import copied_in_rust
from enzyme_build.ir.instructions import CallBase
from enzyme_build.ir.types import FloatType, IntType, PointerType
from enzyme_build.ir.values import ConstantInt

if TYPE_CHECKING:
    from enzyme_build.analysis.declared_bytes import Range
    from enzyme_build.analysis.regions import Place
    from enzyme_build.analysis.source_structs import Member
    from enzyme_build.ir.instructions import Instruction
    from enzyme_build.ir.values import Value

    from .context import Context

_WORD: Final = 8


class ToldFields:
    """Answers for one function."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.layout = context.layout
        self._texts: DeclaredText | None = None

    def variables(self, pointers: list[Value], sides: list[list[Place]]) -> Fields | None:
        """A variable declared as nothing but numbers holds numbers, whatever is known of other memory that the same
        pointers reach; unless pointers are certainly copied to it."""
        types = [declared_array(self.layout, pointer) for pointer in pointers]
        told = {*types} - {None}
        if len(told) != 1 or not all(sides):
            return None
        others = [place for side, type_ in zip(sides, types, strict=True) if type_ is None for place in side]
        if others and kind_at(self.layout, others, 0, 0)[0] is Kind.POINTER:
            return None
        (type_,) = told
        assert type_ is not None
        return Fields(self.layout.alloc_size(type_), ((0, type_),), ())

    def is_text(self, call: Instruction, pointers: list[Value], length: Value) -> bool:
        """Does Fortran declare what is on either side as nothing but text?"""
        if access_name(self.context.module, call.metadata) == FORTRAN_TEXT:
            return True
        if self._texts is None:
            self._texts = DeclaredText(self.context.module, self.context.function)
        most = at_most(length)
        return any(self._texts.covers(self.layout, pointer, most) for pointer in pointers)

    def of_loop(self, call: Instruction) -> Fields | None:
        """What the language says of each element, where the optimiser made a copy of a loop over them."""
        if not isinstance(call, CallBase) or copied_parts(self.context.module, call):
            return None
        kind, type_ = access_kind(self.context.module, call.metadata, _WORD) or (Kind.UNKNOWN, None)
        if kind is Kind.POINTER:
            return Fields(_WORD, (), (0,))
        return Fields(self.layout.alloc_size(type_), ((0, type_),), ()) if type_ is not None else None

    def members(
        self, call: Instruction, places: list[Place], length: int | None, found: Fields, *, declared: bool = False
    ) -> Fields | None:
        """What the language's types of the members say, whatever other objects hold that the pointers may lead to;
        integers may still be the bits of numbers. Of members that the language does not tell, what is `found`, or else
        what is `declared`."""
        parts = copied_parts(self.context.module, call) if isinstance(call, CallBase) else []
        if not parts and declared and length is not None:
            parts = [(0, length, None)]
        if not parts or length is None or found.period:
            return None
        members = [member for _, _, told in parts for member in told or ()]
        integers = [at for at, kind, _ in members if kind is Kind.INTEGER]
        moved = (place.moved(at) for place in places for at in integers)
        if any(lies_on_moved_number(self.layout, place, size) for place in moved for size in (4, 8)):
            return None
        numbers = [(at, type_) for at, _, type_ in members if type_ is not None]
        pointers = [at for at, kind, _ in members if kind is Kind.POINTER]
        doubtful: list[Range] = []
        for start, size, told in parts:
            if not told:
                part = found.inside(self.layout, start, start + size)
                if part is None and declared and isinstance(call, CallBase):
                    part = self._in_bytes(call, found, start, size, is_bytes=told is not None)
                if part is None:
                    return None
                numbers += part.numbers
                pointers += part.pointers
                doubtful += part.doubtful
        numbers.sort(key=lambda number: number[0])
        return Fields(
            0,
            tuple(numbers),
            tuple(sorted(pointers)),
            doubtful=tuple(declared_bytes(self.context.memory).joined(doubtful)),
        )

    def _in_bytes(self, call: CallBase, found: Fields, start: int, size: int, *, is_bytes: bool) -> Fields | None:
        """What is found in a part of a copied struct, and which bytes there are declared as such; None where others are
        not known."""
        known = found.inside(self.layout, start, start + size, doubtful=True)
        if known is None:
            return None
        members: list[Member] | None = [(0, size, None)]
        if not is_bytes:
            members = declared_bytes(self.context.memory).copied(call, start, size)
        if members is None and not start and declared_bytes(self.context.memory).has_bytes(size):
            # Nothing says that it is this struct, so all that is not known is looked at while the derivative runs.
            return replace(known, unknown=(), doubtful=tuple((at, 1) for at in known.unknown))
        if members is None:
            return None
        numbers, pointers = known.numbers, known.pointers
        doubtful: list[Range] = []
        for at, length, told in members:
            untold = known.unknown_in(start + at, start + at + length)
            if not untold or isinstance(told, IntType):
                continue
            if told is None:
                doubtful += [(byte, 1) for byte in untold]
            elif len(untold) < length:
                return None
            elif isinstance(told, FloatType):
                numbers += ((start + at, told),)
            elif isinstance(told, PointerType):
                pointers += (start + at,)
        return replace(known, numbers=numbers, pointers=pointers, unknown=(), doubtful=tuple(doubtful))

    def in_rust(self, call: Instruction, size: int | None) -> list[Member] | None:
        """What Rust says is copied; in all of `size` bytes, if these are so many."""
        typed = copied_in_rust(self.context.module, call)
        if typed is None or (size is not None and size % typed[0]):
            return None
        own, members = typed
        return [(start + at, width, type_) for start in range(0, size or own, own) for at, width, type_ in members]

    def completed(self, found: Fields, members: list[Member], length: int | None, *, checked: bool) -> Fields:
        """Where bytes are looked at one by one, as those of a table before its entries are, all that is known of others
        in the same memory is that they are bytes; the language tells which are pointers. Where it tells of numbers that
        nobody accesses there, the run looks at them."""
        if length is None or found.period or found.plain or found.anywhere or found.mixed or found.unknown:
            return found
        spans = [(at, self.layout.store_size(type_)) for at, type_ in found.numbers]
        spans += [(at, _WORD) for at in (*found.pointers, *found.words)] + [*found.doubtful]
        known = {byte for at, size in spans for byte in range(at, at + size)}
        missing = [(at, size, type_) for at, size, type_ in members if known.isdisjoint(range(at, at + size))]
        pointers = [at for at, _, type_ in missing if isinstance(type_, PointerType)]
        numbers = [(at, size) for at, size, type_ in missing if isinstance(type_, FloatType)] if checked else []
        if not pointers and not numbers:
            return found
        joined = declared_bytes(self.context.memory).joined(sorted((*found.doubtful, *numbers)))
        return replace(found, pointers=tuple(sorted((*found.pointers, *pointers))), doubtful=tuple(joined))

    def is_told(self, call: Instruction, length: Value) -> bool:
        """Does the language say what is copied here?"""
        if not isinstance(call, CallBase):
            return False
        pointers, each = call.arguments[:2], elements(self.context.memory)
        if copied_parts(self.context.module, call) or any(map(declared_bytes(self.context.memory).are_told, pointers)):
            return True
        constant = length.value if isinstance(length, ConstantInt) else None
        if self.in_rust(call, constant) is not None:
            return True
        known = each.copied(pointers, length) if constant is None else each.part(pointers, constant)
        return known is not None
