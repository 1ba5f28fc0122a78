"""Characters of `std::string`, which are no numbers, whatever memory their object lies in.

A short string keeps its characters inside itself, where a long one keeps how much room it has, and leads to them by a
pointer like a long one. So runs of characters of any length begin in the middle of structs that have a string as a
member, and nothing but the library's own word says that they end before the next member. Here this word is taken:
accesses that are tagged as those of `std::string` tell where such an object is. Accesses and copies through pointers to
its characters are marked as `TEXT`, and these pointers as `CHARACTERS`, which have no shadow: the library may give a
string other memory at any time, which no shadow would follow. So a shadow of an object keeps what strings it had.

Sources: libstdc++, `bits/basic_string.h` (members of `basic_string`: pointer, length, and the union of 16 bytes for
characters or the capacity); LLVM language reference, "TBAA" (struct-path tags name the object that is accessed).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeGuard

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import I8, I64, IntType, PointerType
from enzyme_build.ir.values import Constant, NullPointer, Undef
from enzyme_build.regex import regex

from .copied import ANY_TYPE, LENGTH, TEXT, access_name, accessed_object
from .offsets import element_offset, fixed_base, linear

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from enzyme_build.ir.function import Block
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

MOST_INSIDE: Final = 16
"""Bytes of characters that an object has room for itself."""
BUFFER: Final = 16
"""Where in the object they are."""
WIDTH: Final = 4
"""What sizes of objects with strings, and of numbers but the shortest, are multiples of."""
_STRING: Final = regex(r"_ZTSNSt7__cxx1112basic_stringI(c|w|D[sui])St11char_traitsI\1ESaI\1EE(?:12_Alloc_hiderE|E)")
CHARACTERS: Final = "!enzyme.characters"
"""Mark of a pointer to characters, and of a store that makes it that of a string."""
_OTHER: Final = regex(r"!enzyme\.other_than_text\.(\d)\b")
_UNTOLD: Final = "!enzyme.untold_text"
_MARKED: Final = regex(r"!enzyme\.(?:text|string_length|untold_text|characters)\b")
_REFERENCE: Final = "dereferenceable(32)"
"""What is said of references to strings."""
_POINTER: Final = "p1 omnipotent char"
_TRANSFERS: Final = ("llvm.memcpy.", "llvm.memmove.")
_STEPS: Final = 64


def is_transfer(i: ir.Instruction) -> TypeGuard[ir.CallBase]:
    """Does it copy bytes, whatever they are?"""
    return isinstance(i, ir.CallBase) and (getattr(i.callee, "name", None) or "").startswith(_TRANSFERS)


def other_side(i: ir.CallBase) -> int | None:
    """Which of the two pointers of a copy is not known to lead to characters."""
    found = _OTHER.search(i.metadata)
    return int(found[1]) if found is not None else None


def is_in_string(i: ir.Instruction) -> bool:
    """Is this an access to a string's members or characters, of which no shadow is kept?"""
    return is_text(i) or is_length(i) or leads_to_characters(i)


def is_length(i: ir.Instruction) -> bool:
    """Is this an access to how long a string is, or to how much room it has?"""
    return LENGTH in i.metadata


def reads_or_writes_text(i: ir.Instruction) -> bool:
    """Is this an access to characters, as such or as something else?"""
    return is_text(i) or is_untold(i)


def is_untold(i: ir.Instruction) -> bool:
    """Is this an access to characters as something of which the program does not say the type?"""
    return _UNTOLD in i.metadata


def is_text(i: ir.Instruction) -> bool:
    """Is this an access to characters of a string, or a copy of some?"""
    return TEXT in i.metadata


def string_arguments(i: ir.CallBase) -> list[int]:
    """Which arguments of a library function on strings are strings: the first, and references to as many bytes."""
    formals = i.callee.arguments if isinstance(i.callee, Function) else []
    return [
        at
        for at, actual in enumerate(i.arguments)
        if isinstance(actual.type, PointerType)
        and (not at or (at < len(formals) and _REFERENCE in formals[at].attributes))
    ]


def copied_characters(size: Value) -> int:
    """How many bytes a copy of characters copies at most, as far as it begins inside a string: it ends there, too."""
    form = linear(size)
    return MOST_INSIDE if form.terms else min(form.constant, MOST_INSIDE)


def is_of_text(value: Value) -> bool:
    """Is this integer made of nothing but characters of strings?"""
    found: dict[Value, None] = {}
    pending = [value]
    while pending:
        source = pending.pop()
        if isinstance(source, Constant) or source in found:
            continue
        found[source] = None
        if isinstance(source, ir.Load) and reads_or_writes_text(source):
            continue
        if not isinstance(source, ir.Cast | ir.Binary | ir.Phi | ir.Select | ir.Freeze) or len(found) > _STEPS:
            return False
        pending += source.operands
    return True


def leads_to_characters(value: Value) -> bool:
    """Is this a pointer to the characters of a string (or the store of one into a string)?"""
    return isinstance(value, ir.Instruction) and CHARACTERS in value.metadata


def _counts_characters(i: ir.GetElementPtr, scales: list[int]) -> bool:
    """Is the pointer moved by a number of bytes, and neither from object to object nor along numbers behind one?"""
    return scales == [1] or (i.source_type == I8 and all(scale == 1 or scale % WIDTH for scale in scales))


def mark_text(module: Module, function: Function) -> None:
    """Mark what the function does with characters; what it calls must have been marked before."""
    returning = module.cache.setdefault("functions that return characters", set())
    assert isinstance(returning, set)
    objects = _with_remains(module, function, set(_objects(module, function)))
    calls = (i for i in function.instructions() if isinstance(i, ir.CallBase))
    if not objects and not any(getattr(i.callee, "name", None) in returning for i in calls):
        return
    text = _Text(module, function, objects, returning)
    for i in function.instructions():
        if not _MARKED.search(i.metadata):
            i.metadata = ", ".join(filter(None, (i.metadata, *(f"{mark} !{{}}" for mark in text.marks(i)))))
    results = [i.operands[0] for i in function.instructions() if isinstance(i, ir.Return) and i.operands]
    if results and all(map(text.is_characters, results)):
        returning.add(function.name)


def _objects(module: Module, function: Function) -> Iterable[tuple[Value, int]]:
    """Pointers and offsets behind which there is a string: an access to a member says so."""
    for i in function.instructions():
        if isinstance(i, ir.Load | ir.Store) and i.metadata:
            offset = _member(module, i)
            if offset is not None:
                base, at = fixed_base(module.layout, i.pointer)
                yield base, at - offset


def _with_remains(module: Module, function: Function, objects: set[tuple[Value, int]]) -> set[tuple[Value, int]]:
    """These, and those of which only the room for characters is left: a string that is made of another and moved on has
    its pointer and length in registers, and a variable may begin at its room. What is copied to or from the room of
    another is characters, too."""
    moves = [
        [fixed_base(module.layout, pointer) for pointer in i.arguments[:2]]
        for i in function.instructions()
        if is_transfer(i) and not isinstance(i.arguments[2], Constant)
    ]
    count = -1
    while count != len(objects):
        count = len(objects)
        for sides in moves:
            strings = [(base, at - BUFFER) for base, at in sides]
            if any(string in objects for string in strings):
                objects.update(string for string in strings if _may_have(*string))
    return objects


def _may_have(base: Value, at: int) -> bool:
    """May this be (what is left of) a string, and not the characters of one?"""
    return isinstance(base, ir.Alloca) or (isinstance(base, ir.CallBase) and at >= 0)


def _member(module: Module, i: ir.Load | ir.Store) -> int | None:
    """Where in a string this access is, by its own tag."""
    name, offset = accessed_object(module, i.metadata)
    return offset if _STRING.fullmatch(name) else None


class _Text:
    """Which pointers lead to characters. All are taken to, until one of what they may be does not."""

    def __init__(
        self, module: Module, function: Function, objects: set[tuple[Value, int]], returning: Collection[str]
    ) -> None:
        self.module = module
        self.objects = objects
        self.returning = returning
        self.starts = {base: [at for other, at in objects if other is base] for base, _ in objects}
        self.stored = self._stored(function)
        self.elsewhere = set(self._elsewhere(function))
        self.no_text: set[Value] = set()
        merges = [i for i in function.instructions() if isinstance(i, ir.MERGES) and isinstance(i.type, PointerType)]
        found = True
        while found:
            found = False
            for i in merges:
                if i not in self.no_text and not self._merged(i):
                    self.no_text.add(i)
                    found = True

    def marks(self, i: ir.Instruction) -> Iterable[str]:
        """What is to be said of an instruction. (What is of a certain type, by the language, is no character.)"""
        match i:
            case ir.Load() | ir.Store():
                value = i if isinstance(i, ir.Load) else i.value
                name = access_name(self.module, i.metadata)
                if isinstance(value.type, PointerType):
                    if self._is_of_string(i):
                        yield CHARACTERS
                elif _member(self.module, i) is not None:
                    yield LENGTH
                elif isinstance(i, ir.Store) and self._is_capacity(i):
                    yield from (TEXT, LENGTH)
                elif name in ("", ANY_TYPE) and self.leads(i.pointer):
                    yield TEXT if name == ANY_TYPE and isinstance(value.type.scalar, IntType) else _UNTOLD
            case ir.CallBase() if is_transfer(i):
                sides = [at for at in range(2) if self.leads(i.arguments[at])]
                if sides:
                    yield TEXT
                if len(sides) == 1:
                    yield f"!enzyme.other_than_text.{1 - sides[0]}"
            case _:
                if self.is_characters(i):
                    yield CHARACTERS

    def leads(self, pointer: Value) -> bool:
        """Does this pointer lead to characters, be they inside an object or not?"""
        base, at = fixed_base(self.module.layout, pointer)
        if base in self.starts:
            return any(BUFFER <= at - start < BUFFER + MOST_INSIDE for start in self.starts[base])
        return self.is_characters(pointer)

    def is_characters(self, pointer: Value) -> bool:
        """Is it certainly a pointer to nothing else, wherever it is moved by arithmetic?"""
        base, at = fixed_base(self.module.layout, pointer)
        if not isinstance(base.type, PointerType) or base in self.starts:
            return False
        if abs(at) >= MOST_INSIDE and self._may_be_inside(base):
            return False  # it may be a pointer to another member now
        match base:
            case ir.Load():
                return self._is_of_string(base)
            case ir.Phi() | ir.Select() | ir.Freeze():
                return base not in self.no_text
            case ir.GetElementPtr():
                scales = [scale for _, scale in element_offset(self.module.layout, base).terms]
                source = base.operands[0]
                return self.leads(source) and (_counts_characters(base, scales) or not self._may_be_inside(source))
            case ir.CallBase():
                return base in self.stored or getattr(base.callee, "name", None) in self.returning
            case _:
                return False

    def _may_be_inside(self, pointer: Value) -> bool:
        """May these characters be those inside a string?"""
        while isinstance(pointer, ir.GetElementPtr):
            pointer = pointer.operands[0]
        return not isinstance(pointer, ir.Load | ir.CallBase)

    def _merged(self, i: ir.Instruction) -> bool:
        real = [operand for operand in ir.merged(i) if not isinstance(operand, NullPointer | Undef)]
        return bool(real) and all(map(self.leads, real))

    def _stored(self, function: Function) -> set[Value]:
        """New memory that becomes that of a string."""
        stores = (i for i in function.instructions() if isinstance(i, ir.Store))
        return {i.value for i in stores if isinstance(i.value, ir.CallBase) and self._is_of_string(i)}

    def _elsewhere(self, function: Function) -> Iterable[tuple[Block | None, Value, int]]:
        """Strings that are given new memory, or that of another string, and where."""
        for i in function.instructions():
            if isinstance(i, ir.Store) and isinstance(i.value.type, PointerType) and self._is_of_string(i):
                place = fixed_base(self.module.layout, i.pointer)
                if self._is_elsewhere(i.value, place):
                    yield (i.block, *place)

    def _is_elsewhere(self, value: Value, string: tuple[Value, int]) -> bool:
        """Are these certainly not the characters inside the string itself? Where a string was moved twice, they may be
        those inside the one between, which is not there any more."""
        match value:
            case ir.Load():
                return fixed_base(self.module.layout, value.pointer) != string
            case ir.CallBase() | ir.Alloca():
                return value is not string[0]
            case ir.Phi() | ir.Select():
                bases = [fixed_base(self.module.layout, operand)[0] for operand in ir.merged(value)]
                return all(not isinstance(base, ir.MERGES) and self._is_elsewhere(base, string) for base in bases)
        return False

    def _is_capacity(self, i: ir.Store) -> bool:
        """Is this how much room a string has? It lies where the characters are otherwise."""
        base, at = fixed_base(self.module.layout, i.pointer)
        return (
            i.value.type == I64
            and access_name(self.module, i.metadata) in ("", ANY_TYPE)
            and (i.block, base, at - BUFFER) in self.elsewhere
        )

    def _is_of_string(self, i: ir.Load | ir.Store) -> bool:
        """Is this the pointer in a string? Accesses of several types that are one now say less than theirs did."""
        if _member(self.module, i) is not None:
            return _member(self.module, i) == 0
        is_pointer = access_name(self.module, i.metadata) == _POINTER
        return is_pointer and fixed_base(self.module.layout, i.pointer) in self.objects
