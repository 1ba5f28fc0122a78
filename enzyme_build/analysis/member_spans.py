"""Which bytes of a struct an index leads to that is counted from one of its members.

`p->pool[i]` is some multiple of the size of an element behind the begin of `pool`, as far as scales tell: any member of
`*p` may be that. By the rules of C and C++ it is an element of `pool`. What members a struct has, addresses say that
were computed with its type, variables of it, or the tags of accesses to others of its members. Members side by side
that have the same type count as one: programs step through them. Of the last member nothing tells the end (structs
are allocated with more room than they declare), and a single number is no array.

Sources: C17 (ISO/IEC 9899:2018), 6.5.6 paragraph 8; LLVM language reference, "TBAA". clang calls the types of structs
and classes `%struct.` and `%class.`; other languages' compilers have no such names or tags.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from enzyme_build.ir.instructions import Alloca, GetElementPtr, Load, Store
from enzyme_build.ir.types import NamedStructType, Type, fields_of, innermost
from enzyme_build.ir.values import ConstantInt, GlobalVariable

from .copied import accessed_struct, told_members
from .offsets import element_offset, fixed_base
from .regions import ANYWHERE, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

_STRUCT: Final = re.compile(r'%"?(?:struct|class)\.')


class MemberSpans:
    """Answers for one function."""

    def __init__(self, module: Module, function: Function) -> None:
        self._module = module
        self._layout = module.layout
        self._runs: dict[tuple[Value, int], dict[Span, None]] = {}
        """Members, by the address of their struct and where the struct begins behind it."""
        for i in function.instructions():
            match i:
                case GetElementPtr(source_type=NamedStructType() as type_) if len(i.operands) > 2:
                    index = i.operands[1]
                    if isinstance(index, ConstantInt) and not index.value:
                        self._add_type(i.operands[0], type_)
                case Alloca(operands=[]):
                    self._add_type(i, i.allocated_type)
                case Load() | Store() if i.metadata:
                    node, offset = accessed_struct(module, i.metadata)
                    base, at = fixed_base(self._layout, i.pointer)
                    if node:
                        self._add(base, at - offset, told_members(module, node))
                case _:
                    pass

    def span(self, pointer: GetElementPtr) -> tuple[Span, int] | None:
        """The bytes that a pointer leads to which is counted by an index from a known distance behind another, and that
        distance: from there the bytes are counted. None where nothing bounds the index."""
        base, at = fixed_base(self._layout, pointer.operands[0])
        offset = element_offset(self._layout, pointer)
        at += offset.constant
        if isinstance(base, GlobalVariable):
            self._add_type(base, base.value_type)
        step = max((abs(scale) for _, scale in offset.terms), default=0)
        named = isinstance(pointer.source_type, NamedStructType)
        found = [
            run.moved(start)
            for (struct, start), runs in self._runs.items()
            if struct is base
            for run in runs
            if step and _is_array(run, at - start, step, named=named)
        ]
        whole = found[0] if found else ANYWHERE
        for other in found:  # members of members, too
            whole = whole.around(other)
        return (whole, at) if whole is not ANYWHERE else None

    def _add_type(self, pointer: Value, type_: Type) -> None:
        if not isinstance(type_, NamedStructType) or not _STRUCT.match(type_.text):
            return
        base, at = fixed_base(self._layout, pointer)
        fields = fields_of(type_)
        offsets = [self._layout.field_offset(type_, index) for index in range(len(fields))]
        self._add(base, at, [(start, str(innermost(field))) for start, field in zip(offsets, fields, strict=True)])

    def _add(self, base: Value, at: int, members: Sequence[tuple[int, str]]) -> None:
        self._runs.setdefault((base, at), {}).update(dict.fromkeys(_runs(members)))


def _runs(members: Sequence[tuple[int, str]]) -> list[Span]:
    """The bytes of members side by side of one type, by offsets and types of all."""
    begins = [at for number, (at, type_) in enumerate(members) if not number or members[number - 1][1] != type_]
    return [Span(begin, end) for begin, end in zip(begins, [*begins[1:], None], strict=True)]


def _is_array(run: Span, at: int, step: int, *, named: bool) -> bool:
    """Are more members side by side than one, so that an index which begins at one of them chooses another, and not
    another struct? What begins with a struct may be the address of the struct, as numbers, if what is chosen is not
    `named` by a type."""
    assert run.low is not None
    if at < run.low or not (run.low or named):
        return False
    return step <= run.low if run.high is None else at < run.high and step < run.high - run.low
