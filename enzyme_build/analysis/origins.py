"""Origins of memory of which nothing but its address is known: exceptions, code, integers made into pointers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.values import ConstantInt
from enzyme_build.rules.memory import ALLOCATIONS

from .bits import bits_of
from .kinds import Kind

if TYPE_CHECKING:
    from enzyme_build.ir.values import GlobalVariable, Value

    from .regions import Region

_SMALL: Final = 16
"""Bits of an integer that is too short for an address."""
_ADDRESSES: Final = 1 << 16
"""Devices and such things may have fixed addresses behind that."""
_TABLES: Final = ("_ZTV", "_ZTT", "_ZTC", "_ZTI", "_ZTS")


def is_table(variable: GlobalVariable) -> bool:
    """Is this a constant that C++ compilers make for a class: a table of functions, or a description?"""
    return variable.is_constant and variable.name.startswith(_TABLES)


def is_thrown(origin: Value) -> bool:
    """Is this the memory of an exception?"""
    return isinstance(origin, ir.CallBase) and getattr(origin.callee, "name", None) == "__cxa_allocate_exception"


def is_unfollowed(origin: Value) -> bool:
    """An integer made into a pointer to data that does not come from one."""
    if not isinstance(origin, ir.Cast) or origin.op != "inttoptr":
        return False
    return not is_count(origin.operands[0]) and not _only_called(origin)


def is_count(word: Value) -> bool:
    """Is this computed from small integers only, so that it leads nowhere? (Optimisers keep the members of different
    variants of a union in one register, as pointers.)"""
    seen: set[Value] = set()
    pending = [word]
    while pending:
        one = pending.pop()
        if one in seen:
            continue
        seen.add(one)
        match one:
            case ConstantInt() if abs(one.value) < _ADDRESSES:
                pass
            case ir.Cast(op="zext" | "sext") if bits_of(one.operands[0]) <= _SMALL:
                pass
            case ir.Binary(op="add" | "sub" | "and" | "or" | "udiv" | "urem" | "lshr"):
                pending += one.operands
            case ir.Phi() | ir.Select() | ir.Freeze():
                pending += ir.merged(one)
            case _:
                return False
    return True


def _only_called(address: ir.Cast) -> bool:
    """Is this the address of a function (a pointer to a member function is kept as integers)?"""
    function = address.block.function if address.block is not None else None
    if function is None:
        return False
    same: set[Value] = {address}
    size = 0
    while len(same) != size:
        size = len(same)
        same |= {
            i for i in function.instructions() if isinstance(i, ir.Phi | ir.Select) and not same.isdisjoint(i.operands)
        }
    for i in function.instructions():
        used = i.arguments if isinstance(i, ir.CallBase) else i.operands
        if not isinstance(i, ir.Phi | ir.Select | ir.Compare) and not same.isdisjoint(used):
            return False
    return True


def only_functions(region: Region) -> bool:
    return is_code(region) and not region.fields and not region.strided


def is_code(region: Region) -> bool:
    """Are these functions, and tables of them at most?"""
    functions = bool(region.globals) and all(isinstance(g, Function) for g in region.globals)
    contents = [*region.fields.values(), *region.strided.values()]
    return functions and not region.allocations and all(c.kind is Kind.POINTER for c in contents)


def begins_aligned(region: Region) -> bool:
    """Do all objects here begin at addresses that fit any number, as allocators give them? What is read from memory
    that nobody outside sees is one of them."""
    if region.external or region.shifted:
        return False
    made = [origin for origin in region.origins if not isinstance(origin, ir.Load)]
    return bool(made) and all(_gives_aligned(origin) for origin in made)


def _gives_aligned(origin: Value) -> bool:
    allocation = ALLOCATIONS.get(getattr(origin.callee, "name", "")) if isinstance(origin, ir.CallBase) else None
    return allocation is not None and allocation.alignment is None and allocation.stored is None
