"""Instructions that take aggregates and vectors apart and put them together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .instruction import Instruction
from .types import I32, VectorType, vector_type
from .values import ConstantAggregate, ConstantInt, Undef, const_int, poison

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .types import Type
    from .values import Constant, Value


class ExtractValue(Instruction):
    __slots__ = ("indices",)

    def __init__(
        self, type_: Type, aggregate: Value, indices: Sequence[int], name: str | None = None, metadata: str = ""
    ) -> None:
        self.type = type_
        self.operands = [aggregate]
        self.indices = tuple(indices)
        self.name = name
        self.metadata = metadata


class InsertValue(Instruction):
    """Operands: aggregate, element."""

    __slots__ = ("indices",)

    def __init__(
        self, aggregate: Value, element: Value, indices: Sequence[int], name: str | None = None, metadata: str = ""
    ) -> None:
        self.type = aggregate.type
        self.operands = [aggregate, element]
        self.indices = tuple(indices)
        self.name = name
        self.metadata = metadata


class ExtractElement(Instruction):
    """Operands: vector, index."""

    __slots__ = ()

    def __init__(self, vector: Value, index: Value, name: str | None = None, metadata: str = "") -> None:
        self.type = vector.type.scalar
        self.operands = [vector, index]
        self.name = name
        self.metadata = metadata


class InsertElement(Instruction):
    """Operands: vector, element, index."""

    __slots__ = ()

    def __init__(
        self, vector: Value, element: Value, index: Value, name: str | None = None, metadata: str = ""
    ) -> None:
        self.type = vector.type
        self.operands = [vector, element, index]
        self.name = name
        self.metadata = metadata


class ShuffleVector(Instruction):
    """Operands: a, b, mask (a constant vector of i32)."""

    __slots__ = ()

    def __init__(  # noqa: PLR0913, PLR0917
        self, type_: Type, a: Value, b: Value, mask: Constant, name: str | None = None, metadata: str = ""
    ) -> None:
        self.type = type_
        self.operands = [a, b, mask]
        self.name = name
        self.metadata = metadata


def mask_lanes(i: ShuffleVector) -> list[int | None]:
    """Which lane of both operands together each lane of the result is; None for poison."""
    assert isinstance(i.type, VectorType)
    mask = i.operands[2]
    if isinstance(mask, ConstantAggregate):
        return [o.value if isinstance(o, ConstantInt) else None for o in mask.operands]
    if isinstance(mask, Undef):
        return [None] * i.type.count
    splat = getattr(mask, "operands", ())
    return [splat[0].value if splat else 0] * i.type.count


def shuffle_mask(lanes: Sequence[int | None]) -> Constant:
    """The mask that says so."""
    members = [poison(I32) if lane is None else const_int(I32, lane) for lane in lanes]
    text = ", ".join(f"i32 {member.text}" for member in members)
    return ConstantAggregate(vector_type(I32, len(lanes)), f"<{text}>", members)
