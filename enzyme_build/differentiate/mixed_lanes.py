"""Vectors of which some lanes are numbers and some are pointers are read and written lane by lane.

LLVM may read a struct of a number and a pointer as `<2 x double>`, and take the pointer out by casts. In the model that
the pass reads each lane is read as what it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import users
from enzyme_build.ir.types import I64, PTR, FloatType, IntType, VectorType
from enzyme_build.ir.values import ConstantInt, const_int, poison

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.ir.function import Function
    from enzyme_build.ir.values import Value

_WORD = 8


def split_mixed_lanes(function: Function) -> None:
    """Split the loads of vectors one of whose lanes becomes a pointer."""
    candidates = [i for i in function.instructions() if isinstance(i, ir.Load) and _has_words(i)]
    if not candidates:
        return
    readers = users(function)
    replaced: dict[Value, Value] = {}
    for load in candidates:
        pointers = _pointer_lanes(load, readers)
        if pointers:
            replaced |= _split(load, pointers, readers)
    if replaced:
        for i in function.instructions():
            i.operands[:] = [replaced.get(operand, operand) for operand in i.operands]


def reads_lanes(i: ir.Load) -> bool:
    """Is this a plain load of a vector of as many lanes as its type says?"""
    return isinstance(i.type, VectorType) and not (i.ordering or i.volatile or i.type.scalable)


def _has_words(i: ir.Load) -> bool:
    if not reads_lanes(i):
        return False
    assert isinstance(i.type, VectorType)
    return i.type.element is I64 or (isinstance(i.type.element, FloatType) and i.type.element.text == "double")


def _pointer_lanes(load: ir.Load, readers: Mapping[Value, list[ir.Instruction]]) -> set[int]:
    """Lanes that are taken out and made pointers."""
    return {
        lane.operands[1].value
        for lane in readers.get(load, ())
        if isinstance(lane, ir.ExtractElement)
        and isinstance(lane.operands[1], ConstantInt)
        and any(_is_to_pointer(i) for word in _words(lane, readers) for i in readers.get(word, ()))
    }


def _words(lane: ir.Instruction, readers: Mapping[Value, list[ir.Instruction]]) -> list[ir.Instruction]:
    """A lane as an integer."""
    if isinstance(lane.type, IntType):
        return [lane]
    return [i for i in readers.get(lane, ()) if isinstance(i, ir.Cast) and i.op == "bitcast" and i.type is I64]


def _is_to_pointer(i: ir.Instruction) -> bool:
    return isinstance(i, ir.Cast) and i.op == "inttoptr"


def _split(load: ir.Load, pointers: set[int], readers: Mapping[Value, list[ir.Instruction]]) -> dict[Value, Value]:
    """Load each lane; what takes its place."""
    assert isinstance(load.type, VectorType)
    block = load.block
    builder = Builder(block, debug_attachment(load))
    builder.position = block.instructions.index(load) + 1
    replaced: dict[Value, Value] = {}
    lanes: list[Value] = []
    whole: Value = poison(load.type)
    for at in range(load.type.count):
        address = builder.ptradd(load.pointer, at * _WORD) if at else load.pointer
        lane: Value
        if at in pointers:
            word = builder.cast("ptrtoint", builder.load(PTR, address, min(load.align, _WORD)), I64)
            lane = word if load.type.element is I64 else builder.cast("bitcast", word, load.type.element)
            replaced |= {bits: word for taken in _taken(load, at, readers) for bits in _words(taken, readers)}
        else:
            lane = builder.load(load.type.element, address, min(load.align, _WORD))
        lanes.append(lane)
        whole = builder.insert_element(whole, lane, const_int(I64, at))
        replaced |= {taken: lane for taken in _taken(load, at, readers) if taken not in replaced}
    replaced[load] = whole
    block.instructions.remove(load)
    return replaced


def _taken(load: ir.Load, lane: int, readers: Mapping[Value, list[ir.Instruction]]) -> list[ir.Instruction]:
    """Where a lane is taken out."""
    return [
        i
        for i in readers.get(load, ())
        if isinstance(i, ir.ExtractElement) and isinstance(i.operands[1], ConstantInt) and i.operands[1].value == lane
    ]
