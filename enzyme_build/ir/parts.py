"""Instructions that take aggregates and vectors apart and put them together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .instruction import Instruction

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
