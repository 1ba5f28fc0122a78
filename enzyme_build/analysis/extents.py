"""The bytes that a function may access behind each of its parameters, where it accesses no other memory than that and
its own: [low, high) from the parameter's address, as constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import PointerType
from enzyme_build.ir.values import Argument
from enzyme_build.records import dataclass
from enzyme_build.rules.registry import ScalarFunction, lookup

from .bits import counter
from .cfg import control_flow
from .offsets import Linear, element_offset

if TYPE_CHECKING:
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.values import Value

_LIFETIMES = ("llvm.lifetime.start", "llvm.lifetime.end")


@dataclass(slots=True)
class Extent:
    low: int
    high: int
    reads: bool = False
    writes: bool = False


def extents(function: Function, layout: DataLayout) -> dict[int, Extent] | None:
    """By the parameter's number; None where the function does anything but compute, branch, call functions of numbers,
    and access its parameters' memory and its own at places that are known, or may not end."""
    if not _ends(function):
        return None
    found: dict[int, Extent] = {}
    for i in function.instructions():
        match i:
            case ir.Load() | ir.Store():
                stored = i.operands[0].type if isinstance(i, ir.Store) else i.type
                if i.volatile or i.ordering or isinstance(stored.scalar, PointerType):
                    return None
                if not _access(found, i, layout.store_size(stored), layout):
                    return None
            case ir.Call():
                if not (_is_lifetime(i) or _is_of_numbers(i)):
                    return None
            case ir.GetElementPtr() | ir.Alloca() | ir.Jump() | ir.Branch() | ir.Return():
                pass
            case ir.Phi() | ir.Binary() | ir.Negate() | ir.Cast() | ir.Compare() | ir.Select():
                if any(isinstance(v.type.scalar, PointerType) for v in (i, *i.operands)):
                    return None
            case _:
                return None
    return found


def _ends(function: Function) -> bool:
    """Does every loop count from a constant to a constant?"""
    cfg = control_flow(function)
    place = {block: number for number, block in enumerate(cfg.order)}
    entered_again = {after for block in cfg.order for after in cfg.successors[block] if place[after] <= place[block]}
    return all(any(counter(phi) is not None for phi in block.phis) for block in entered_again)


def _access(found: dict[int, Extent], i: ir.Load | ir.Store, size: int, layout: DataLayout) -> bool:
    """Note an access; is its place known?"""
    pointer, at = i.pointer, Linear(0)
    while isinstance(pointer, ir.GetElementPtr):
        at += element_offset(layout, pointer)
        pointer = pointer.operands[0]
    if isinstance(pointer, ir.Alloca):
        return True
    low = high = at.constant
    for value, scale in at.terms:
        bounds = counter(value) if isinstance(value, ir.Phi) else None
        if bounds is None:
            return False
        start, until, step = bounds
        ends = (start * scale, (until - step) * scale)
        low, high = low + min(ends), high + max(ends)
    if not isinstance(pointer, Argument):
        return False
    extent = found.setdefault(pointer.index, Extent(low, high + size))
    extent.low, extent.high = min(extent.low, low), max(extent.high, high + size)
    extent.reads |= isinstance(i, ir.Load)
    extent.writes |= isinstance(i, ir.Store)
    return True


def _is_lifetime(i: ir.Call) -> bool:
    return isinstance(i.callee, Function) and i.callee.name.startswith(_LIFETIMES)


def _is_of_numbers(i: ir.Call) -> bool:
    """Is it a known function from numbers to a number?"""
    if not isinstance(i.callee, Function) or any(isinstance(a.type.scalar, PointerType) for a in i.arguments):
        return False
    return i.callee.is_declaration and isinstance(lookup(i.callee.name, i.function_type), ScalarFunction)


def own_memory(value: Value) -> Value:
    """What a pointer was made of."""
    while isinstance(value, ir.GetElementPtr):
        value = value.operands[0]
    return value
