"""Members of structs that are marked `enzyme_inactive`: what leads to them has no shadow, and what is read there no
derivative.

clang passes the member's address through `llvm.ptr.annotation` (LLVM language reference); all that is computed from
the result leads into the member. In loops LLVM goes on with the address that was passed, and counts from the struct's
when it wants an element: then it takes the struct's type to know how long the member is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import users
from enzyme_build.ir.types import NamedStructType, PointerType, fields_of
from enzyme_build.ir.values import Constant

from .annotations import is_inactive_place
from .offsets import fixed_base

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.ir.values import Value

    from .cfg import ControlFlow
    from .memory import Memory


class InactivePlaces:
    """Those of one function."""

    def __init__(self, memory: Memory, cfg: ControlFlow) -> None:
        self._layout = memory.layout
        instructions = [i for block in cfg.order for i in block.instructions]
        self.marks = [
            i
            for i in instructions
            if isinstance(i, ir.CallBase) and isinstance(i.type, PointerType) and is_inactive_place(i)
        ]
        self.pointers: frozenset[Value] = frozenset()
        """What leads into such members, and nowhere else."""
        self.accesses: frozenset[Value] = frozenset()
        """Loads and stores of such members."""
        self.lost: ir.Instruction | None = None
        """What takes their addresses to where nothing tells that they lead there."""
        if self.marks:
            self._find(instructions, users(memory.function))

    def _find(self, instructions: list[ir.Instruction], readers: Mapping[Value, list[ir.Instruction]]) -> None:
        passed = {mark.arguments[0] for mark in self.marks if not isinstance(mark.arguments[0], Constant)}
        found = {*self.marks, *(address for address in passed if all(_is_direct(i, address) for i in readers[address]))}
        replaced = [
            (mark, *fixed_base(self._layout, mark.arguments[0]))
            for mark in self.marks
            if not readers.get(mark) and not any(isinstance(i, ir.Load | ir.Store) for i in readers[mark.arguments[0]])
        ]
        sizes = {(base, at): self._member_size(base, at) for _, base, at in replaced}
        for i in instructions:
            if isinstance(i, ir.GetElementPtr):
                base, at = fixed_base(self._layout, i)
                if any(base is struct and begin <= at < begin + size for (struct, begin), size in sizes.items()):
                    found.add(i)
        while more := {i for i in instructions if i not in found and _leads_on(i, found)}:
            found |= more
        self.pointers = frozenset(found)
        accesses = [i for i in instructions if isinstance(i, ir.Load | ir.Store)]
        self.accesses = frozenset(i for i in accesses if i.pointer in {*found, *passed})
        for mark, base, at in replaced:
            others = (fixed_base(self._layout, i.pointer) for i in accesses if i not in self.accesses)
            if not sizes[base, at] and any(struct is base and behind > at for struct, behind in others):
                self.lost = mark
        for i in instructions:
            if (i not in found and _takes_away(i, found)) or self._is_stored_beside(i):
                self.lost = i

    def _member_size(self, base: Value, at: int) -> int:
        """Bytes of the member that begins so far behind the address of a struct; 0 where its type is not told."""
        type_ = base.source_type if isinstance(base, ir.GetElementPtr) and len(base.operands) == 2 else None
        if isinstance(base, ir.Alloca) and not base.operands:
            type_ = base.allocated_type
        if isinstance(type_, NamedStructType):
            for index, field in enumerate(fields_of(type_)):
                if self._layout.field_offset(type_, index) == at:
                    return self._layout.alloc_size(field)
        return 0

    def _is_stored_beside(self, i: ir.Instruction) -> bool:
        """Is a number stored in a member at an address that is one of its struct, which has a shadow?"""
        return (
            isinstance(i, ir.Store)
            and i in self.accesses
            and i.pointer not in self.pointers
            and i.value.type.is_float_like
        )


def _is_direct(i: ir.Instruction, address: Value) -> bool:
    """Is this an access at the address, or its mark?"""
    match i:
        case ir.Load():
            return True
        case ir.Store():
            return i.value is not address
        case ir.CallBase():
            return is_inactive_place(i)
        case _:
            return False


def _leads_on(i: ir.Instruction, found: set[Value]) -> bool:
    if isinstance(i, ir.MERGES):
        return all(o in found or isinstance(o, Constant) for o in ir.merged(i)) and not found.isdisjoint(ir.merged(i))
    return isinstance(i, ir.GetElementPtr | ir.Cast) and isinstance(i.type, PointerType) and i.operands[0] in found


def _takes_away(i: ir.Instruction, found: set[Value]) -> bool:
    match i:
        case ir.Store():
            return i.value in found
        case ir.Phi() | ir.Select() | ir.Freeze() | ir.Return() | ir.InsertValue():
            return not found.isdisjoint(i.operands)
        case _:
            return False
