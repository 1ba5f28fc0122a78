"""Origins of memory of which nothing but its address is known: exceptions, code, integers made into pointers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function

from .regions import Kind

if TYPE_CHECKING:
    from enzyme_build.ir.values import GlobalVariable, Value

    from .regions import Region

_TABLES: Final = ("_ZTV", "_ZTT", "_ZTC", "_ZTI", "_ZTS")


def is_table(variable: GlobalVariable) -> bool:
    """Is this a constant that C++ compilers make for a class: a table of functions, or a description?"""
    return variable.is_constant and variable.name.startswith(_TABLES)


def is_thrown(origin: Value) -> bool:
    """Is this the memory of an exception?"""
    return isinstance(origin, ir.CallBase) and getattr(origin.callee, "name", None) == "__cxa_allocate_exception"


def is_unfollowed(origin: Value) -> bool:
    """An integer made into a pointer to data that does not come from one."""
    return isinstance(origin, ir.Cast) and origin.op == "inttoptr" and not _only_called(origin)


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
