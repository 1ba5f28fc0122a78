"""Loads of vectors of which the last lanes are not used are loads of the others.

Where it may, LLVM reads sixteen bytes instead of eight and takes out the first lanes: the real and the imaginary part
of a `float complex` at the begin of a struct, say, with what members come next in the other lanes. In the model that
the pass reads only what is used is read, so that integers there are not taken for numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import users
from enzyme_build.ir.parts import mask_lanes, shuffle_mask
from enzyme_build.ir.types import VectorType, vector_type
from enzyme_build.ir.values import ConstantInt, Undef, poison

from .mixed_lanes import reads_lanes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.ir.function import Function

_FEWEST = 2


def narrow_loads(function: Function) -> None:
    """Read no more lanes than are taken out."""
    loads = [i for i in function.instructions() if isinstance(i, ir.Load) and reads_lanes(i)]
    if not loads:
        return
    readers = users(function)
    for load in loads:
        assert isinstance(load.type, VectorType)
        used = readers.get(load, ())
        count = max(_lanes_used(load, used), _FEWEST)
        if count < load.type.count:
            _narrow(load, used, count)


def _lanes_used(load: ir.Load, readers: Sequence[ir.Instruction]) -> int:
    """How many lanes from the first one; all, where anything else than lanes is read."""
    assert isinstance(load.type, VectorType)
    most = 0
    for reader in readers:
        match reader:
            case ir.ShuffleVector(operands=[a, Undef(), _]) if a is load:
                lanes = [lane for lane in mask_lanes(reader) if lane is not None and lane < load.type.count]
            case ir.ExtractElement(operands=[a, ConstantInt() as lane]) if a is load:
                lanes = [lane.value]
            case _:
                return load.type.count
        most = max([most, *(lane + 1 for lane in lanes)])
    return most if readers else load.type.count


def _narrow(load: ir.Load, readers: Sequence[ir.Instruction], count: int) -> None:
    assert isinstance(load.type, VectorType)
    for reader in readers:
        if isinstance(reader, ir.ShuffleVector):
            lanes = [None if lane is None or lane >= count else lane for lane in mask_lanes(reader)]
            reader.operands[1:] = [poison(vector_type(load.type.element, count)), shuffle_mask(lanes)]
    load.type = vector_type(load.type.element, count)
