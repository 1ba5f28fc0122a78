"""Bodies of functions: one pattern for each ordinary line, and the `general` parser for every other.

The patterns accept what LLVM prints for the instructions that make up real programs; a line they do not match is
read word by word, so a pattern may be narrow but must never match what it does not understand. Continuation lines
(`invoke`, `landingpad`, `switch`) are joined first. An operand used before its definition is a `Forward` until the
function ends; the place of its user is noted, so that no instruction is visited twice.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from enzyme_build.errors import InputError

from . import patterns
from .calls import CallBase
from .cursor import Forward
from .function import Block, DebugRecord, Function
from .general import read_instruction
from .lines import HANDLERS, LineParser
from .names import local_text, unquote
from .values import MetadataOperand

if TYPE_CHECKING:
    from .module import Module
    from .values import Value


class BodyParser(LineParser):
    """Reads the lines of one function in order."""

    __slots__ = ()

    def lookup(self, text: str) -> Value | None:
        """The local or block that `text` names, once the function has been read."""
        return self.get(text) or self.blocks.get(text)

    def parse(self, function: Function, text: str) -> None:
        """Fill `function` from `text`, what stands between its braces."""
        unnamed = 0
        for argument in function.arguments:
            if argument.name is None:
                self.locals[f"%{unnamed}"] = argument
                unnamed += 1
            else:
                self.locals[local_text(argument.name)] = argument
        self._lines(function, _joined(text), f"%{unnamed}")
        self._resolve(function)

    def _lines(self, function: Function, text: str, first_label: str) -> None:
        block: Block | None = None
        handlers = HANDLERS
        locals_ = self.locals
        lookup = self.lookup
        for line in text.split("\n"):
            if line[:3] == "  %":
                name, _, rest = line.partition(" = ")
                op, _, rest = rest.partition(" ")
                name = name[2:]
            elif line[:8] == "    #dbg" and block is not None:
                block.records.append(DebugRecord(len(block.instructions), line, (), lookup))
                continue
            elif line[:2] != "  ":
                stripped = line.strip()
                if not stripped or stripped[0] == ";":
                    continue
                match = patterns.label.match(stripped)
                if match is None:
                    raise InputError(f"cannot read line '{stripped[:200]}' of function @{function.name}")
                block = function.add_block(self.blocks["%" + match[1]])
                self.instructions = block.instructions
                continue
            else:
                stripped = line.strip()
                name = ""
                op, _, rest = stripped.partition(" ")
                if op[:1] in "#;":
                    if op[:4] == "#dbg":
                        if block is None:
                            block = function.add_block(self.blocks[first_label])
                            self.instructions = block.instructions
                        block.records.append(DebugRecord(len(block.instructions), stripped, (), lookup))
                    continue
            if block is None:
                block = function.add_block(self.blocks[first_label])
                self.instructions = block.instructions
            handler = handlers.get(op)
            instruction = handler(self, op, rest) if handler is not None else None
            if instruction is None:
                name, instruction = read_instruction(self, line.strip())
            if name:
                second = name[1]
                instruction.name = None if second in "0123456789" else name[1:] if second != '"' else unquote(name[1:])
                locals_[name] = instruction
            instruction.block = block
            block.instructions.append(instruction)

    def _resolve(self, function: Function) -> None:
        """Put definitions in the place of forward references, and insist that every block exists."""
        for instructions, index in self.forwards:
            instruction = instructions[index]
            self._define(function, instruction.operands)
            if isinstance(instruction, CallBase) and instruction.bundles is not None:
                self._define(function, instruction.bundles.values)
        if len(function.blocks) != len(self.blocks):
            missing = next(t for t, b in self.blocks.items() if b.function is None)
            raise InputError(f"block {missing} is not defined in function @{function.name}")

    def _define(self, function: Function, operands: list[Value]) -> None:
        get = self.get
        for position, operand in enumerate(operands):
            if type(operand) is Forward:
                value = get(operand.text)
                if value is None:
                    raise InputError(f"{operand.text} is not defined in function @{function.name}")
                operands[position] = value
            elif type(operand) is MetadataOperand:
                operand.operands = tuple(get(o.text, o) if type(o) is Forward else o for o in operand.operands)


def _joined(text: str) -> str:
    """The body with every instruction on one line."""
    if "\n          " in text:
        text = text.replace("\n          ", " ")
    if "switch" in text:
        text = text.replace("\n    i", " i").replace("\n  ]", " ]")
    return text


def parse_body(module: Module, function: Function, text: str) -> None:
    """Read `text` into the blocks of `function`."""
    # Thousands of objects that all stay alive: the collector would only walk them again and again.
    collecting = gc.isenabled()
    gc.disable()
    try:
        BodyParser(module).parse(function, text)
    finally:
        if collecting:
            gc.enable()
