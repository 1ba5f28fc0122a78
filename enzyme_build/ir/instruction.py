"""The base of all instructions, below its families (see `instructions`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .values import Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .function import Block


class Instruction(Value):
    """Base of all instructions; never made itself."""

    __slots__ = ("block", "metadata", "name", "operands")
    block: Block
    operands: list[Value]
    name: str | None
    metadata: str

    @property
    def successors(self) -> Sequence[Block]:
        return ()
