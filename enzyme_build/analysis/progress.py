"""What a program promises about coming to an end: calls that return, loops that do not run forever.

Counts of loops rest on it. A call may never return (`exit`, an exception, an endless loop inside), so that a loop ends
in the middle of an iteration. LLVM's `mustprogress` (C++ everywhere, C where the condition is not constant) makes an
endless loop without input, output, volatile or atomic accesses undefined behaviour, so that a loop that nothing else
ends must come to its exit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir.function import Function
from enzyme_build.ir.instructions import AtomicRMW, CallBase, CompareExchange, Fence, Load, Store
from enzyme_build.ir.metadata import attachments
from enzyme_build.regex import regex
from enzyme_build.rules.memory import Allocation, memory_function
from enzyme_build.rules.names import canonical

if TYPE_CHECKING:
    from enzyme_build.ir.function import Block
    from enzyme_build.ir.instructions import Instruction
    from enzyme_build.ir.module import Module

    from .loops import Loop

_GROUP: Final = regex(r"#\d+")


class Progress:
    """Answers for one function; without a module only names and the instructions' own texts are known."""

    def __init__(self, module: Module | None = None, function: Function | None = None) -> None:
        self._module = module
        self._everywhere = function is not None and "mustprogress" in self._expanded(function.suffix)
        self._blocks: dict[Block, tuple[bool, bool]] = {}

    def returns(self, block: Block) -> bool:
        """Does control that enters the block certainly reach its end?"""
        return self._facts(block)[0]

    def must_end(self, loop: Loop) -> bool:
        """Is running round this loop forever undefined behaviour?"""
        promised = self._everywhere or any(self._says_so(latch.terminator) for latch in loop.latches)
        return promised and all(self._facts(block) == (True, True) for block in loop.blocks)

    def _facts(self, block: Block) -> tuple[bool, bool]:
        """Whether all calls return, and whether nothing in the block is visible from outside."""
        found = self._blocks.get(block)
        if found is None:
            found = self._blocks[block] = (
                all(self._call_returns(i) for i in block.instructions if isinstance(i, CallBase)),
                not any(_is_visible(i) for i in block.instructions),
            )
        return found

    def _call_returns(self, call: CallBase) -> bool:
        callee = call.callee
        attributes = self._expanded(call.function_attributes)
        if not isinstance(callee, Function):
            return "willreturn" in attributes and "nounwind" in attributes
        attributes += self._expanded(callee.suffix)
        if "willreturn" in attributes and "nounwind" in attributes:
            return True
        if not callee.is_declaration:
            return False
        memory = memory_function(callee.name)
        if isinstance(memory, Allocation):
            # operator new throws.
            return memory.may_be_null
        return memory is not None or callee.name.startswith("llvm.") or canonical(callee.name) is not None

    def _says_so(self, terminator: Instruction) -> bool:
        reference = attachments(terminator).get("llvm.loop") if terminator.metadata else None
        node = self._module.find_node(reference) if self._module is not None and reference is not None else None
        if node is None or self._module is None:
            return False
        texts = (self._module.metadata_definition(operand) for operand in node.operands if operand != reference)
        return any(text is not None and "llvm.loop.mustprogress" in text for text in texts)

    def _expanded(self, text: str) -> str:
        groups = self._module.attribute_groups if self._module is not None else {}
        return _GROUP.sub(lambda match: groups.get(match[0], ""), text)


def _is_visible(instruction: Instruction) -> bool:
    """Does the instruction talk to the world or to other threads? (Calls that do are not known to return.)"""
    if isinstance(instruction, Load | Store):
        return instruction.volatile or bool(instruction.ordering)
    return isinstance(instruction, AtomicRMW | CompareExchange | Fence)
