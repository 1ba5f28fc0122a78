"""Bytes of structs that are declared as characters, or as a union: mostly they are text, but they may be storage for
anything.

What a struct is, variables and addresses of elements say, or accesses to its members, which tell all but arrays; what
these are, the struct of that name tells. Where something less sure tells it, any byte may be anything: memory behind
which elements are looked up may begin with an array of them and have other members next, or be a union; and a struct
with the same members may have other arrays. All that is learnt here is where such bytes lie. What they hold is decided
while the derivative runs (see `differentiate.foreign_bytes`).

Sources: LLVM language reference, "TBAA" and "tbaa.struct Metadata". clang calls the types of structs and classes
`%struct.` and `%class.`, unions `%union.`, and tells nothing of arrays.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final, cast

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.debug import language_of
from enzyme_build.ir.types import (
    DOUBLE,
    FLOAT,
    I8,
    X86_FP80,
    ArrayType,
    FloatType,
    IntType,
    NamedStructType,
    PointerType,
    StructType,
    Type,
    innermost,
)
from enzyme_build.ir.values import GlobalVariable
from enzyme_build.regex import regex

from .copied import ANY_TYPE, accessed_struct, copied_entries
from .fields import joined
from .offsets import element_offset, fixed_base
from .source_structs import Member, is_union, plain_name, structs_of_rust

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

    from .memory import Memory

_STRUCT: Final = regex(r'%"?(?:struct|class)\.')
"""Other compilers may have unions that look like structs."""
_STRING: Final = regex(r'%"class\.std::(?:__cxx11::)?basic_string[".]')
_NUMBERS: Final = {"double": DOUBLE, "float": FLOAT, "long double": X86_FP80}
_MOST: Final = 1024
_STEPS: Final = 64
_INDICES: Final = (16, 32)
"""Bits of integers in arrays; arrays of characters or words may be storage for anything."""
_WORD: Final = 8
_RUST: Final = "Rust"
_RUSTC: Final = '"rustc version '
_STRUCTS: Final = "members of structs"
_BEHIND: Final = "structs with a number behind an integer"
_TOLD_STRUCT: Final = regex(r'!\d+ = !\{!"[^"]*"((?:, !\d+, i64 \d+)+)\}$')
_SHORTEST: Final = 4
_HALF: Final = 2
"""Fewer bytes are no number; that small ones are only where the program computes with such."""
_SMALL: Final = regex(r"(?<![-\w.$%@\"])(?:half|bfloat)(?![-\w.$])")
_LARGE: Final = regex(r"(?<![-\w.$%@\"])(?:x86_fp80|fp128|ppc_fp128)(?![-\w.$])")
"""Numbers that are longer than eight bytes."""
_EXACT: Final = "numbers of which every bit may count"
_OF_SOURCE: Final = regex(r"[A-Za-z_]\w*?(?:\.i)?\d*")
"""The names of variables; what the optimiser makes of them is called `.sroa.`, and nothing where names are lost."""
_NUMBERED: Final = regex(r"\.\d+$")
"""What is put behind the names of types that are the same in several sources."""

Range = tuple[int, int]
"""Where bytes begin, and how many they are."""
_Struct = tuple[list[Member], int]
"""The members of a struct, an array as one, and its size."""
_Told = tuple[int, str]
"""Offset and name of a member's type."""
_Offsets = tuple[int, ...]
_Known = tuple[dict[Type, list[Member]], dict[str, _Struct | None], dict[_Offsets, list[Type]]]
"""The members of types, the structs that access types describe, and which structs have members at such offsets."""


class DeclaredBytes:
    """Answers for one function."""

    def __init__(self, module: Module, function: Function) -> None:
        self._module = module
        self._layout = module.layout
        self._named: dict[Value, set[Type]] = {}
        self._accessed: dict[Value, set[str]] = {}
        # Of all functions: some programs have thousands of structs.
        self._wholes, self._described, self._offsets = cast("_Known", module.cache.setdefault(_STRUCTS, ({}, {}, {})))
        self.shortest = _smallest(module)
        """The bytes of the smallest number."""
        language = language_of(module, function)
        self._is_rust = language == _RUST or (not language and _RUSTC in module.text)
        for i in function.instructions():
            match i:
                case ir.GetElementPtr() if i.source_type is not None:
                    self._add(i.operands[0], i.source_type)
                    if len(i.operands) == 2:
                        self._add(i, i.source_type)
                case ir.Alloca():
                    self._add(i, i.allocated_type)
                case ir.CallBase():
                    for variable in i.arguments:
                        if isinstance(variable, GlobalVariable):
                            self._add(variable, variable.value_type)
                case ir.Load() | ir.Store() if i.metadata:
                    node, offset = accessed_struct(module, i.metadata)
                    base, at = fixed_base(self._layout, i.pointer)
                    if node and offset == at:
                        self._accessed.setdefault(base, set()).add(node)
                case _:
                    pass

    def _add(self, pointer: Value, type_: Type) -> None:
        type_ = innermost(type_)
        if _is_struct(type_) or is_union(type_):
            self._named.setdefault(pointer, set()).add(type_)

    def ranges(self, pointer: Value, size: int) -> list[Range] | None:
        """Which of so many bytes behind a pointer may be a number, if all others are integers and padding; None where
        that is not so, or not known."""
        for struct, at in self._structs(pointer):
            inside = self.part(struct, at, size)
            if inside is not None and all(told is None or isinstance(told, IntType) for _, _, told in inside):
                return self.joined([(start, length) for start, length, told in inside if told is None])
        return None

    def unions(self, pointer: Value, size: int) -> list[Range] | None:
        """Which of so many bytes behind a pointer lie in unions; None where that is not known. The optimiser gives
        parts of variables the types of some of their members."""
        base, _ = fixed_base(self._layout, pointer)
        if isinstance(base, ir.Alloca) and not _OF_SOURCE.fullmatch(base.name or ""):
            return None
        for struct, at in self._structs(pointer, guess=False):
            inside = self.part(struct, at, size, unions=True)
            if inside is not None:
                return self.joined([(start, length) for start, length, told in inside if is_union(told)])
        return None

    def are_told(self, pointer: Value) -> bool:
        """Is the struct known that a pointer leads into?"""
        return any(True for _ in self._structs(pointer, guess=False))

    def is_single(self, pointer: Value, size: int) -> bool | None:
        """Are so many bytes behind a pointer a whole member of a struct, or a whole union, rather than a part? None
        where that is not known."""
        for struct, at in self._structs(pointer, guess=False):
            if at + size <= struct[1]:
                around = [one for whole in struct[0] for one in self._elements(whole) if one[0] <= at < sum(one[:2])]
                return any((start, length) == (at, size) for start, length, _ in around)
        return None

    def without_numbers(self, pointer: Value, size: int) -> frozenset[int]:
        """Which of so many bytes behind a pointer are no number: padding, integers, and too few for one."""
        for struct, at in self._structs(pointer):
            inside = self.part(struct, at, size)
            if inside is not None:
                taken = [(start, length) for start, length, told in inside if told and not isinstance(told, IntType)]
                taken += self.joined([(start, length) for start, length, told in inside if told is None])
                return frozenset(range(size)).difference(*(range(at, at + length) for at, length in taken))
        return frozenset()

    def copied(self, call: ir.CallBase, start: int, size: int) -> list[Member] | None:
        """What lies in a part of a copied struct of which the compiler does not tell the types."""
        for pointer in call.arguments[:2]:
            for struct, at in self._structs(pointer):
                inside = self.part(struct, at + start, size)
                if inside is not None:
                    return inside
        untold = ((at, length) for at, length, name in copied_entries(self._module, call) if name == ANY_TYPE)
        return [(0, size, None)] if any(at <= start and start + size <= at + length for at, length in untold) else None

    def members(self, type_: Type) -> _Struct | None:
        """The scalars of a struct, and its size; None for what is none, or too large."""
        if not _is_struct(type_):
            return None
        return self._scalars_of(self._whole(type_), self._layout.alloc_size(type_))

    def accessed_members(self, node: str) -> _Struct | None:
        """The same of the struct that an access type describes."""
        struct = self._accessed_struct(node)
        return self._scalars_of(*struct) if struct is not None else None

    def named_members(self, name: str) -> _Struct | None:
        """The same of the only struct that the language calls so, as access types have names."""
        types = [
            type_ for type_ in self._module.types.values() if _is_struct(type_) and _name(type_) == plain_name(name)
        ]
        return self.members(types[0]) if len(types) == 1 else None

    def _scalars_of(self, whole: list[Member], size: int) -> _Struct | None:
        scalars = self.part((whole, size), 0, size) if whole else None
        return (scalars, size) if scalars and len(scalars) <= _MOST else None

    def surely(self, pointer: Value, size: int) -> tuple[list[Member], int] | None:
        """What lies in so many bytes of a struct that variables and addresses name, and how large that is."""
        for struct, at in self._structs(pointer, guess=False):
            inside = self.part(struct, at, size)
            if inside is not None:
                return inside, struct[1]
        return None

    def has_bytes(self, size: int) -> bool:
        """Are there bytes that may be anything in the only struct of a size?"""
        types = self._of_size(size)
        if not types or any(self._whole(type_) != self._whole(types[0]) for type_ in types):
            return False
        return any(told is None for _, _, told in self.part((self._whole(types[0]), size), 0, size) or ())

    @property
    def are_exact(self) -> bool:
        """Has the program numbers of which any four bytes count, or that may lie at odd places?"""
        cache = self._module.cache
        if _EXACT not in cache:
            packed = (t for t in self._module.types.values() if isinstance(t, NamedStructType) and t.packed)
            scalars = (scalar for type_ in packed for member in self._whole(type_) for scalar in self._elements(member))
            odd = any(isinstance(type_, FloatType) and at % size for at, size, type_ in scalars)
            code = self._module.text, 0, self._module.metadata_start
            cache[_EXACT] = odd or self.shortest < _SHORTEST or _LARGE.search(*code) is not None
        return bool(cache[_EXACT])

    @property
    def has_numbers_behind_integers(self) -> bool:
        """Has any struct a number in the same eight bytes as an integer before it?"""
        cache, key = self._module.cache, f"{_BEHIND} in Rust" if self._is_rust else _BEHIND
        if key not in cache:
            cache[key] = self._any_behind_in_rust() if self._is_rust else self._any_behind()
        return bool(cache[key])

    def _any_behind_in_rust(self) -> bool:
        """Without debug information there may be some."""
        structs = structs_of_rust(self._module)
        return not structs or any(self._is_behind(members) for _, members in structs)

    def _any_behind(self) -> bool:
        types = (self._whole(type_) for type_ in self._module.types.values() if _is_struct(type_))
        told = (m for line in self._module.metadata_lines('= !{!"') if (m := _TOLD_STRUCT.match(line)))
        return any(map(self._is_behind, types)) or any(self._is_told_behind(match[1]) for match in told)

    def _is_behind(self, members: list[Member]) -> bool:
        scalars = [scalar for member in members for scalar in self._elements(member)]
        return any(
            isinstance(type_, FloatType)
            and (before is None or isinstance(before, IntType) or is_union(before))
            and start + size > at - at % _WORD
            for (start, size, before), (at, _, type_) in pairwise(scalars)
        )

    def _is_told_behind(self, members: str) -> bool:
        """The same of an access type, of which arrays are not told."""
        told = re.findall(r"(!\d+), i64 (\d+)", members)
        names = [self._module.metadata_node(node).operands[0].strip('!"') for node, _ in told]
        behind = [int(at) - int(at) % _WORD for _, at in told]
        others = {*_NUMBERS, "any pointer"}
        return any(
            names[i] in _NUMBERS and names[i - 1] not in others and int(told[i - 1][1]) >= behind[i]
            for i in range(1, len(told))
        )

    def numbers_of(self, size: int, fits: Callable[[int, Type | None], bool]) -> list[tuple[int, Type]] | None:
        """The numbers in the struct of a size of which all members fit; None where there is none, or several have
        others."""
        structs = [members for of, members in structs_of_rust(self._module) if of == size] if self._is_rust else []
        structs += [self.part((self._whole(type_), size), 0, size) or [] for type_ in self._of_size(size)]
        found: list[list[tuple[int, Type]]] = [
            [(at, own) for at, _, own in scalars if isinstance(own, FloatType)]
            for scalars in structs
            if scalars and all(fits(at, own) for at, _, own in scalars)
        ]
        return found[0] if found and all(numbers == found[0] for numbers in found) else None

    def may_be_floats(self, size: int, at: int) -> bool:
        """Has a struct of this size floats in the eight bytes from there on?"""
        structs = [members for of, members in structs_of_rust(self._module) if of == size] if self._is_rust else []
        structs += [self.part((self._whole(type_), size), 0, size) or [] for type_ in self._of_size(size)]
        return any(own is FLOAT and at <= start < at + _WORD for members in structs for start, _, own in members)

    def _of_size(self, size: int) -> list[Type]:
        """The structs of a size."""
        return [t for t in self._module.types.values() if _is_struct(t) and self._layout.alloc_size(t) == size]

    def joined(self, ranges: Sequence[Range]) -> list[Range]:
        """Ranges in order, neighbours as one, without what is too short for a number."""
        return [(at, size) for at, size in joined(ranges) if size >= self.shortest]

    # Structs -------------------------------------------------------------------------------------------------------

    def _structs(self, pointer: Value, *, guess: bool = True) -> Iterator[tuple[_Struct, int]]:
        """The struct that a pointer leads into, and where it does; last what only accesses tell, or is a guess."""
        base, at = pointer, 0
        maybe: list[tuple[_Struct, int]] = []
        surely = False
        for _ in range(_STEPS):
            named = self._named.get(base, ())
            size = 0
            if len(named) == 1:
                (type_,) = named
                size = self._layout.alloc_size(type_)
                if self._is_sure(base, type_, at):
                    surely = True
                    yield (self._whole(type_), size), at % size
                else:
                    maybe.append((([(0, size, None)], size), at % size))
            if not isinstance(base, ir.GetElementPtr):
                break
            offset = element_offset(self._layout, base)
            if any(not size or scale % size for _, scale in offset.terms):
                break
            base, at = base.operands[0], at + offset.constant
        if not guess:
            return
        base, at = fixed_base(self._layout, pointer)
        nodes = self._accessed.get(base, ())
        if len(nodes) == 1:
            (node,) = nodes
            struct = self._accessed_struct(node)
            if struct is not None:
                surely = True
                yield struct, at
        if not surely:
            yield from maybe

    def _is_sure(self, base: Value, type_: Type, at: int) -> bool:
        """Is there such a struct, so many bytes behind this pointer? Where elements are only looked up behind it, there
        may be others as well."""
        match base:
            case ir.Alloca() | GlobalVariable():
                whole = base.allocated_type if isinstance(base, ir.Alloca) else base.value_type
                return innermost(whole) is type_ and at < self._layout.alloc_size(whole)
            case ir.GetElementPtr() if base.source_type is not None:
                inside = 0 <= at < self._layout.alloc_size(type_)
                return len(base.operands) == 2 and base.source_type is type_ and inside
            case _:
                return False

    def _accessed_struct(self, node: str) -> _Struct | None:
        """The struct that an access type describes: the one of its name, or one with its members of which the arrays
        may be others. An object of a derived class may have members in the padding at its end."""
        if node not in self._described:
            self._described[node] = self._described_struct(node)
        return self._described[node]

    def _described_struct(self, node: str) -> _Struct | None:
        told = self._members_told(node)
        name = self._module.metadata_node(node).operands[0].removeprefix("!").strip('"')
        alike = self._with_members_at(tuple(at for at, _ in told))
        types = [type_ for type_ in alike if all(map(_is, self._whole(type_), told))]
        same = [type_ for type_ in types if _name(type_) == plain_name(name)]
        types = same or types
        if not types or any(self._whole(type_) != self._whole(types[0]) for type_ in types):
            return None
        members = self._whole(types[0])
        ends = [at for at, _, _ in members[1:]] + [self._layout.alloc_size(types[0])]
        if not same:
            members = [
                (at, end - at, type_ if is_union(type_) else None) if own == ANY_TYPE else (at, size, type_)
                for (at, size, type_), (_, own), end in zip(members, told, ends, strict=True)
            ]
        at, size, _ = members[-1]
        if name.startswith("_ZTS") and at + size < ends[-1]:
            members = [*members, (at + size, ends[-1] - at - size, None)]
        return members, ends[-1]

    def part(self, struct: _Struct, at: int, size: int, *, unions: bool = False) -> list[Member] | None:
        """The members that lie in a part of a struct, counted from its begin; None where one that is no integer is cut
        through, or something sticks out. Unions as such where they are asked for."""
        members, end = struct
        if at < 0 or at + size > end:
            return None
        found: list[Member] = []
        for whole in members:
            for start, length, told in self._elements(whole):
                first, last = max(start, at), min(start + length, at + size)
                if first >= last:
                    continue
                is_bytes = told is None or is_union(told)
                if (first, last) != (start, start + length) and not (is_bytes or isinstance(told, IntType)):
                    return None
                found.append((first - at, last - first, None if is_bytes and not unions else told))
        return found

    def _whole(self, type_: Type) -> list[Member]:
        """The members of a struct in order, an array as one; none where they are too many."""
        if type_ not in self._wholes:
            found = list(self._members(type_, 0))
            self._wholes[type_] = found if len(found) <= _MOST else []
        return self._wholes[type_]

    def _members(self, type_: Type, at: int) -> Iterator[Member]:
        match type_:
            case NamedStructType() | StructType() if not is_union(type_):
                for index, field in enumerate(type_.fields or ()):
                    for start, size, told in self._members(field, at + self._layout.field_offset(type_, index)):
                        yield start, size, None if is_union(told) and is_string(type_) else told
            case NamedStructType():
                yield at, self._layout.alloc_size(type_), type_
            case _:
                yield at, self._layout.store_size(type_), type_

    def _elements(self, whole: Member) -> Iterator[Member]:
        """The scalars of an array."""
        at, size, type_ = whole
        if not isinstance(type_, ArrayType):
            yield whole
        elif isinstance(type_.element, IntType) and type_.element.bits not in _INDICES:
            yield at, size, None
        else:
            each = self._layout.alloc_size(type_.element)
            for index in range(min(type_.count, _MOST)):
                for inner in self._members(type_.element, at + index * each):
                    yield from self._elements(inner)

    # What is told --------------------------------------------------------------------------------------------------

    def _with_members_at(self, offsets: _Offsets) -> Sequence[Type]:
        """The structs that have members, more than one, at just these offsets: each access type asks, and comparing it
        with all structs would take time that grows as the square of the program."""
        if not self._offsets:
            self._offsets[()] = []
            for type_ in self._module.types.values():
                found = tuple(at for at, _, _ in self._whole(type_)) if _is_struct(type_) else ()
                if len(found) > 1:
                    self._offsets.setdefault(found, []).append(type_)
        return self._offsets.get(offsets, ())

    def _members_told(self, node: str, at: int = 0) -> list[_Told]:
        """The members of a struct as its access type has them."""
        found: list[_Told] = []
        operands = self._module.metadata_node(node).operands
        for index in range(1, len(operands) - 1, 2):
            member, offset = operands[index], at + int(operands[index + 1].split()[-1])
            inner = self._module.metadata_node(member).operands
            if len(inner) > 3:
                found += self._members_told(member, offset)
            else:
                found.append((offset, inner[0].removeprefix("!").strip('"') if inner else ""))
        return found


def _is_struct(type_: Type) -> bool:
    return isinstance(type_, NamedStructType) and bool(type_.fields) and _STRUCT.match(type_.text) is not None


def is_string(type_: Type) -> bool:
    """Is this a string of C++? Its union holds characters, or how many there may be."""
    return _STRING.match(type_.text) is not None


def _is(member: Member, told: _Told) -> bool:
    """Is a member of a type as clang has it one that is told to be there?"""
    _, _, type_ = member
    _, name = told
    if name == ANY_TYPE:
        return type_ is None or isinstance(type_, ArrayType) or type_ is I8 or is_union(type_)
    if name in _NUMBERS:
        return type_ is _NUMBERS[name]
    return isinstance(type_, PointerType if name.startswith("p") or name == "any pointer" else IntType)


def _smallest(module: Module) -> int:
    """The bytes of the smallest number that a program may have."""
    found = module.cache.get(__name__)
    if not isinstance(found, int):
        found = _HALF if _SMALL.search(module.text, 0, module.metadata_start) is not None else _SHORTEST
        module.cache[__name__] = found
    return found


def _name(type_: Type) -> str:
    """What the language calls a struct."""
    return _NUMBERED.sub("", _STRUCT.sub("", type_.text.strip('"')).strip('"'))


def declared_bytes(memory: Memory) -> DeclaredBytes:
    """Those of a function."""
    if memory.declared_bytes is None:
        memory.declared_bytes = DeclaredBytes(memory.module, memory.function)
    return memory.declared_bytes
