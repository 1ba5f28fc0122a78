"""What the source calls the values and arrays of a function, and where they are, as far as anything tells.

Debug records name the variables whose values survived optimisation; parameters, globals and variables on the stack
have names of their own. A pointer is called after the memory it was made from.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.debug import call_chain, debug_attachment, subprogram_of
from enzyme_build.ir.function import Function
from enzyme_build.ir.values import Argument, ConstantExpression, GlobalVariable, NullPointer, Undef, Value
from enzyme_build.regex import regex

from .report import Chain, Frame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enzyme_build.analysis.loops import Loop
    from enzyme_build.ir.function import Block
    from enzyme_build.ir.metadata import MetadataNode

    from .context import Context

_RECORD: Final = regex(r"#dbg_(value|declare)\(\S+ \{\}, (!\d+), !DIExpression\((.*?)\), (!\d+)\)")
_STEPS: Final = 64


class _Rank(IntEnum):
    """The smaller, the better a name: of a variable of the function, of a part of one, of one that the compiler made,
    of one of a function that was inlined."""

    OWN = 0
    PART = 1
    ARTIFICIAL = 2
    INLINED = 3


class SourceNames:
    """Names and places in one function."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.module = context.module
        self.function = context.function
        self._variables: dict[Value, str] = {}
        """What values are called."""
        self._memory: dict[Value, str] = {}
        """What the memory is called that values point to."""
        found = [named for block in self.function.blocks for named in self._recorded(block)]
        self._values: dict[str, set[Value]] = {}
        self._foreign: set[Value] = set()
        """Values with names of functions that were inlined."""
        for rank, is_memory, value, name in sorted(found, key=lambda named: named[0]):
            (self._memory if is_memory else self._variables).setdefault(value, name)
            if not is_memory:
                self._values.setdefault(name, set()).add(value)
                if rank is _Rank.INLINED and self._variables[value] is name:
                    self._foreign.add(value)
        subprogram = subprogram_of(self.module, self.function)
        self.name = subprogram.name if subprogram is not None and subprogram.name else self.function.name
        self.place: Chain = ()
        if subprogram is not None and subprogram.location.line:
            self.place = (Frame(subprogram.location.file, subprogram.location.line, 0, self.name),)

    def _recorded(self, block: Block) -> Iterator[tuple[_Rank, bool, Value, str]]:
        """What debug records call values, or the memory that they point to."""
        for record in block.records:
            found = _RECORD.match(record.text)
            node = self.module.find_node(found[2]) if found is not None and len(record.operands) == 1 else None
            if found is None or node is None or not node.string("name"):
                continue
            at = self.module.find_node(found[4])
            expression = found[3]
            is_memory = found[1] == "declare" or expression == "DW_OP_deref"
            if at is None or "inlinedAt" in at.fields:
                if self._subprogram(node) != self._maker(record.operands[0]):
                    continue  # an argument's name in the callee
                rank = _Rank.INLINED
            elif "DIFlagArtificial" in node.fields.get("flags", ""):
                rank = _Rank.ARTIFICIAL
            else:
                rank = _Rank.OWN
            if expression.startswith("DW_OP_LLVM_fragment"):
                # Of a pointer in an object, such as the beginning of a vector: the object's memory.
                rank, is_memory = max(rank, _Rank.PART), True
            elif expression and not is_memory:
                continue
            if not (is_memory and record.operands[0].type.text != "ptr"):
                yield rank, is_memory, record.operands[0], node.string("name")

    def _subprogram(self, node: MetadataNode | None) -> MetadataNode | None:
        """The function that a variable or place is in."""
        while node is not None and node.kind != "DISubprogram":
            node = self.module.find_node(node.fields.get("scope", "null"))
        return node

    def _maker(self, v: Value) -> MetadataNode | None:
        """The function of the source that computes a value."""
        attachment = debug_attachment(v) if isinstance(v, ir.Instruction) else ""
        return self._subprogram(self.module.find_node(attachment.removeprefix("!dbg "))) if attachment else None

    # Places --------------------------------------------------------------------------------------------------------

    def chain(self, i: ir.Instruction) -> Chain:
        """Where an instruction is from; without a place of its own, where its value is first used."""
        found = self.own(i)
        if found:
            return found
        if isinstance(i, ir.Phi):
            loop = self.context.facts.loops.loop_of(i.block)
            return self.of_loop(loop) if loop is not None and loop.header is i.block else self.of_block(i.block)
        for user in self.context.facts.users.get(i, ()):
            found = self.own(user)
            if found:
                return found
        return ()

    def own(self, i: ir.Instruction) -> Chain:
        frames = [Frame(at.file, at.line, at.column, name) for at, name in call_chain(self.module, i) if at.line]
        return tuple(frames)

    def of_block(self, block: Block) -> Chain:
        return next((found for i in block.instructions if (found := self.own(i))), ())

    def of_loop(self, loop: Loop) -> Chain:
        """The line in which the loop begins: where its test or its counting is."""
        branches = [block.terminator for block in (*loop.latches, *loop.exiting)]
        found = [place for branch in branches if (place := self.own(branch))]
        return min(found, key=lambda place: (-len(place), place[0].line)) if found else self.of_block(loop.header)

    # Names ---------------------------------------------------------------------------------------------------------

    def variable(self, v: Value) -> str:
        """The variable whose value this is; empty if none is known."""
        if v in self._variables:
            return self._variables[v]
        if isinstance(v, Argument | GlobalVariable):
            return v.name or ""
        return self.memory(v.pointer) if isinstance(v, ir.Load) and not self._is_inside(v.pointer) else ""

    def number_name(self, v: Value) -> str:
        """The name of a number that means it without doubt: no other number has it."""
        name = self.variable(v)
        several = isinstance(v, ir.Phi) or len(self._values.get(name, ())) > 1 or v in self._foreign
        if v in self._variables and several and not isinstance(v, Argument):
            return ""
        return name if name.isidentifier() else ""

    def element(self, pointer: Value) -> str:
        """What is behind a pointer: `x`, or with an index `x[…]`."""
        name = self.memory(pointer)
        return f"{name}[…]" if name and self._is_inside(pointer) else name

    def memory(self, pointer: Value) -> str:
        """The array, variable or object that a pointer was made from; empty if it has no name."""
        base = self.base(pointer)
        name = self._memory.get(base) or self._variables.get(base)
        if name is None and isinstance(base, Argument | GlobalVariable | Function | ir.Alloca):
            name = base.name
        if name is None and isinstance(base, ir.Load):
            owner = self.element(base.pointer)
            name = owner and f"what {owner} points to"
        return name or ""

    def base(self, pointer: Value) -> Value:
        """The pointer that others were computed from."""
        for _ in range(_STEPS):
            match pointer:
                case ir.GetElementPtr() | ConstantExpression() if pointer.operands:
                    pointer = pointer.operands[0]
                case ir.Cast(op="addrspacecast"):
                    pointer = pointer.operands[0]
                case ir.Phi():
                    found = self._incoming(pointer)
                    if found is None:
                        return pointer
                    pointer = found
                case _:
                    return pointer
        return pointer

    def _incoming(self, pointer: ir.Phi) -> Value | None:
        """What a pointer starts from in a loop, or is on every way where it is not null."""
        loop = self.context.facts.loops.loop_of(pointer.block)
        if loop is not None and loop.header is pointer.block:
            return pointer.incoming(loop.preheader) if loop.preheader is not None else None
        found = {operand for operand in pointer.operands if not isinstance(operand, NullPointer | Undef)}
        return found.pop() if len(found) == 1 else None

    def _is_inside(self, pointer: Value) -> bool:
        return isinstance(pointer, ir.GetElementPtr | ConstantExpression | ir.Phi)
