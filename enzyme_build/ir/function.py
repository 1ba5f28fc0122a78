"""Blocks and functions.

A function is a list of blocks, the first being the entry; a block is a list of instructions, the last being its
terminator. `FunctionHeader` holds what stands around the parameter list as text: it is copied, never interpreted,
except through the named accessors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .types import LABEL, FunctionType, PointerType, Type, pointer_type
from .values import Argument, GlobalValue, Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .instructions import Instruction, Phi


class DebugRecord:
    """A `#dbg_…` record; `text` with `{}` where the locals in `operands` stand. Printed before instruction `index`."""

    __slots__ = ("index", "operands", "text")

    def __init__(self, index: int, text: str, operands: Sequence[Value] = ()) -> None:
        self.index = index
        self.text = text
        self.operands = list(operands)


class Block(Value):
    """A basic block; as a value it is its label."""

    __slots__ = ("function", "instructions", "name", "records")

    def __init__(self, name: str | None = None) -> None:
        self.type = LABEL
        self.name = name
        self.instructions: list[Instruction] = []
        self.records: list[DebugRecord] = []
        self.function: Function | None = None

    def __repr__(self) -> str:
        return f"<block {self.name}>"

    @property
    def terminator(self) -> Instruction:
        return self.instructions[-1]

    @property
    def successors(self) -> Sequence[Block]:
        return self.instructions[-1].successors

    @property
    def phis(self) -> Iterator[Phi]:
        from .instructions import Phi

        for instruction in self.instructions:
            if not isinstance(instruction, Phi):
                return
            yield instruction

    def append(self, instruction: Instruction) -> Instruction:
        instruction.block = self
        self.instructions.append(instruction)
        return instruction


class Function(GlobalValue):
    """A function definition or declaration.

    `prefix` is the text between `define`/`declare` and the result type (linkage, visibility, calling convention,
    result attributes), `suffix` the text after the parameter list (`unnamed_addr #0 section … !dbg !5`).
    `blocks` is empty for declarations.
    """

    __slots__ = ("arguments", "blocks", "function_type", "is_declaration", "prefix", "suffix")

    def __init__(  # noqa: PLR0913
        self,
        name: str,
        text: str,
        function_type: FunctionType,
        arguments: Sequence[Argument],
        *,
        prefix: str = "",
        suffix: str = "",
        is_declaration: bool = False,
        address_type: PointerType | None = None,
    ) -> None:
        self.type: Type = address_type or pointer_type()
        self.name = name
        self.text = text
        self.function_type = function_type
        self.arguments = list(arguments)
        self.blocks: list[Block] = []
        self.prefix = prefix
        self.suffix = suffix
        self.linkage = prefix.split(" ", 1)[0] if prefix else ""
        self.is_declaration = is_declaration

    def __repr__(self) -> str:
        return f"<function @{self.name}>"

    @property
    def entry(self) -> Block:
        return self.blocks[0]

    def instructions(self) -> Iterator[Instruction]:
        for block in self.blocks:
            yield from block.instructions

    def add_block(self, block: Block) -> Block:
        block.function = self
        self.blocks.append(block)
        return block


def users(function: Function) -> dict[Value, list[Instruction]]:
    """Which instructions read each local value (an instruction appears once per use)."""
    result: dict[Value, list[Instruction]] = {}
    for block in function.blocks:
        for instruction in block.instructions:
            for operand in instruction.operands:
                result.setdefault(operand, []).append(instruction)
    return result
