"""Blocks and functions.

A function is a list of blocks, the first being the entry; a block is a list of instructions, the last being its
terminator.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.errors import InputError
from enzyme_build.regex import regex

from .types import LABEL, FunctionType, PointerType, Type, pointer_type
from .values import Argument, GlobalValue, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from .instructions import Instruction, Phi


_RECORD_LOCAL: Final = regex(r"%(?:[-\w.$]+|\"[^\"]*\")(?=[,)])")


class DebugRecord:
    """A `#dbg_…` record; `text` with `{}` where the locals in `operands` stand. Printed before instruction `index`.

    Records are more than half of a module with debug information and few are ever looked at: a parsed one keeps its
    line, and finds its locals by `lookup` when it is asked for text or operands.
    """

    __slots__ = ("_lookup", "_operands", "_text", "index")

    def __init__(
        self,
        index: int,
        text: str,
        operands: Sequence[Value] = (),
        lookup: Callable[[str], Value | None] | None = None,
    ) -> None:
        self.index = index
        self._text = text
        self._operands = operands
        self._lookup = lookup

    @property
    def text(self) -> str:
        if self._lookup is not None:
            self._read(self._lookup)
        return self._text

    @property
    def operands(self) -> list[Value]:
        """The locals in `text`; the list may be changed."""
        if self._lookup is not None:
            self._read(self._lookup)
        if not isinstance(self._operands, list):
            self._operands = list(self._operands)
        return self._operands

    def _read(self, lookup: Callable[[str], Value | None]) -> None:
        line = self._text.strip()
        pieces: list[str] = []
        operands: list[Value] = []
        place = 0
        for match in _RECORD_LOCAL.finditer(line):
            value = lookup(match[0])
            if value is None:
                raise InputError(f"{match[0]} is not defined, in debug record {line}")
            operands.append(value)
            pieces += (line[place : match.start()].replace("{", "{{").replace("}", "}}"), "{}")
            place = match.end()
        pieces.append(line[place:].replace("{", "{{").replace("}", "}}"))
        self._text = "".join(pieces)
        self._operands = operands
        self._lookup = None


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


def replace_values(function: Function, replaced: Mapping[Value, Value]) -> None:
    """Have others in the place of values, also in debug records; what takes a place may be replaced itself."""
    if not replaced:
        return  # records are only read where they must be

    def last(value: Value) -> Value:
        while value in replaced:
            value = replaced[value]
        return value

    for block in function.blocks:
        for instruction in block.instructions:
            instruction.operands[:] = [last(operand) for operand in instruction.operands]
        for record in block.records:
            record.operands[:] = [last(operand) for operand in record.operands]


def remove_instructions(function: Function, gone: AbstractSet[Value]) -> None:
    """Take instructions out of a function, and what debug records say of them."""
    if not gone:
        return
    for block in function.blocks:
        for at in reversed(range(len(block.instructions))):
            if block.instructions[at] in gone:
                del block.instructions[at]
                for record in block.records:
                    record.index -= record.index > at
        block.records[:] = [record for record in block.records if gone.isdisjoint(record.operands)]
