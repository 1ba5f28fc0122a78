"""Which bytes of a struct an index leads to that is counted from one of its members.

`p->pool[i]` is some multiple of the size of an element behind the begin of `pool`, as far as scales tell: any member of
`*p` may be that. By the rules of C and C++ it is an element of `pool`. What members a struct has, variables of it say,
and on every way to the index an address that was computed with its type, or an access whose tag names it (in
unoptimised code our own, see `llvm.struct_marks`): elsewhere the
same memory may be another variant. Members side by side that have the same type count as one, since programs step
through them, and bytes are counted from anything but characters to anywhere. Of the last member nothing tells the end
(structs are allocated with more room than they declare), and a single number is no array.

Sources: C17 (ISO/IEC 9899:2018), 6.5.6 paragraph 8; LLVM language reference, "TBAA". clang calls the types of structs
and classes `%struct.` and `%class.`; other languages' compilers have no such names or tags.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir.instructions import Alloca, GetElementPtr, Load, Store
from enzyme_build.ir.types import ArrayType, NamedStructType, Type, fields_of, innermost, member_type
from enzyme_build.ir.values import ConstantInt, GlobalVariable
from enzyme_build.records import dataclass
from enzyme_build.regex import regex

from .copied import ANY_TYPE, named_struct, told_members
from .kinds import LONGEST_NUMBER
from .offsets import fixed_base, linear
from .spans import ANYWHERE, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.ir.function import Block
    from enzyme_build.ir.values import Value

    from .flow import Flow
    from .offsets import Linear

_STRUCT: Final = regex(r'%"?(?:struct|class)\.')
_ELEMENT: Final = "!enzyme.element_of "
_CHARACTERS: Final = frozenset(("i8", ANY_TYPE))


@dataclass(frozen=True, slots=True)
class _Told:
    """Members of the struct at `start` bytes behind an address, side by side; where that is said (None: anywhere)."""

    start: int
    run: Span
    type_: str
    block: Block | None


class MemberSpans:
    """Answers for one function."""

    def __init__(self, flow: Flow) -> None:
        module = self._module = flow.module
        self._layout = module.layout
        self._flow = flow
        self._told: dict[Value, dict[_Told, None]] = {}
        self._elements: set[Value] = set()
        """Pointers to what unoptimised code calls an element of a member."""
        for i in flow.function.instructions():
            match i:
                case GetElementPtr(source_type=NamedStructType() as type_) if len(i.operands) > 2:
                    index = i.operands[1]
                    if isinstance(index, ConstantInt) and not index.value:
                        self._add_type(i.operands[0], type_, i.block)
                case Alloca(operands=[]):
                    self._add_type(i, i.allocated_type, None)
                case Load() | Store() if i.metadata:
                    node, offset = named_struct(module, i.metadata)
                    base, at = fixed_base(self._layout, i.pointer)
                    if node:
                        self._add(base, at - offset, told_members(module, node), i.block)
                    if _ELEMENT in i.metadata and getattr(i.pointer, "block", None) is i.block:
                        self._elements.add(i.pointer)
                case _:
                    pass

    def span(self, pointer: GetElementPtr, offset: Linear) -> tuple[Span, int] | None:
        """The bytes that a pointer leads to which is counted by an index from a known distance behind another, and that
        distance: from there the bytes are counted. `offset` is what it adds to the other. None where nothing bounds the
        index."""
        base, begin = fixed_base(self._layout, pointer.operands[0])
        at = begin + offset.constant - self._counted(pointer)  # `i - 1` begins where `i` does
        if isinstance(base, GlobalVariable):
            self._add_type(base, base.value_type, None)
        step = max((abs(scale) for _, scale in offset.terms), default=0)
        named = pointer in self._elements or _chooses_part(pointer)
        found = [
            told.run.moved(told.start)
            for told in self._told.get(base, ())
            if step and _is_array(told, at - told.start, step, named=named) and self._is_sure(told, pointer.block)
        ]
        whole = found[0] if found else ANYWHERE
        for other in found:  # members of members, too
            whole = whole.around(other)
        return (whole, begin + offset.constant) if whole is not ANYWHERE else None

    def _counted(self, pointer: GetElementPtr) -> int:
        """The constants in indices that are not constant, in bytes."""
        assert pointer.source_type is not None
        total = 0
        type_ = pointer.source_type
        for number, index in enumerate(pointer.operands[1:]):
            if number:
                type_ = member_type(type_, index.value if isinstance(index, ConstantInt) else 0)
            if not isinstance(index, ConstantInt):
                total += linear(index).constant * self._layout.alloc_size(type_)
        return total

    def room(self, pointer: Value, here: Block) -> int | None:
        """How many bytes behind a pointer at most lie in the array that it leads into, where that is a member with
        others behind it: copies of a length that is not known end there. (A member that begins with its struct does not
        count: its address is that of the struct.)"""
        base, at = fixed_base(self._layout, pointer)
        rooms = [
            told.start + told.run.high - at
            for told in self._told.get(base, ())
            if told.run.high is not None
            and max(told.run.low or 0, 1) <= at - told.start < told.run.high
            and told.run.high - (told.run.low or 0) > LONGEST_NUMBER
            and self._is_sure(told, here)
        ]
        return max(rooms, default=None)

    def _is_sure(self, told: _Told, here: Block | None) -> bool:
        there = told.block
        assert here is not None
        if there is None or there is here:
            return True
        reached = self._flow.cfg.index
        return there in reached and here in reached and self._flow.dominators.dominates(there, here)

    def _add_type(self, pointer: Value, type_: Type, block: Block | None) -> None:
        if not isinstance(type_, NamedStructType) or not _STRUCT.match(type_.text):
            return
        base, at = fixed_base(self._layout, pointer)
        fields = fields_of(type_)
        offsets = [self._layout.field_offset(type_, index) for index in range(len(fields))]
        members = [(start, str(innermost(field))) for start, field in zip(offsets, fields, strict=True)]
        self._add(base, at, members, block)

    def _add(self, base: Value, at: int, members: Sequence[tuple[int, str]], block: Block | None) -> None:
        told = self._told.setdefault(base, {})
        told.update(dict.fromkeys(_Told(at, run, type_, block) for run, type_ in _runs(members)))


def _chooses_part(pointer: GetElementPtr) -> bool:
    """Does its type say that it leads to a part of what is at an address, as far as a struct or array goes?"""
    if isinstance(pointer.source_type, NamedStructType):
        return True
    first = pointer.operands[1]
    return isinstance(pointer.source_type, ArrayType) and isinstance(first, ConstantInt) and not first.value


def _runs(members: Sequence[tuple[int, str]]) -> list[tuple[Span, str]]:
    """The bytes of members side by side of one type, by offsets and types of all."""
    begins = [entry for number, entry in enumerate(members) if not number or members[number - 1][1] != entry[1]]
    ends = [*(at for at, _ in begins[1:]), None]
    return [(Span(begin, end), type_) for (begin, type_), end in zip(begins, ends, strict=True)]


def _is_array(told: _Told, at: int, step: int, *, named: bool) -> bool:
    """Are more members side by side than one, so that an index which begins at one of them chooses another, and not
    another struct? What begins with a struct may be the address of the struct, as numbers, if what is chosen is not
    `named` by a type."""
    low, high = told.run.low, told.run.high
    assert low is not None
    if at < low or not (low or named) or (step == 1 and told.type_ not in _CHARACTERS):
        return False
    return step <= low if high is None else at < high and step < high - low
