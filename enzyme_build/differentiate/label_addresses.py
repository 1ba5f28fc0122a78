"""Computed gotos as switches.

The address of a label means something to `indirectbr` in its own function only: the derivative has other blocks, and
LLVM does not promise that two such addresses can be compared. So in the model that the pass reads, each label whose
address is taken is a byte of one constant array, and a computed goto is a `switch` over the places in that array.
Constant tables of labels are copied with these addresses; the program's own functions and tables stay as they are. An
address that comes from them at run time, kept in memory, ends the program with a message.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import UnsupportedError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment, location_of
from enzyme_build.ir.function import Block
from enzyme_build.ir.printer import Names
from enzyme_build.ir.types import I64
from enzyme_build.ir.values import Constant, GlobalVariable, InlineAssembly, const_int
from enzyme_build.regex import regex

from .edges import drop_edge
from .runtime import stop_with

if TYPE_CHECKING:
    from enzyme_build.errors import EnzymeBuildError
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

_NAME: Final = r'(?:"[^"]*"|[-\w.$]+)'
_LABEL: Final = regex(rf"blockaddress\((@{_NAME}), (%{_NAME})\)")
_GLOBAL: Final = regex(rf"@{_NAME}")


class LabelAddresses:
    """The labels of one module; what cannot be rewritten is added to `findings`."""

    def __init__(self, module: Module, findings: list[EnzymeBuildError]) -> None:
        self.module = module
        self.findings = findings
        self.numbers: dict[str, int] = {}
        """By the text of the constant."""
        if "blockaddress(" in module.text:
            for label in _LABEL.finditer(module.text):
                self.numbers.setdefault(label[0], len(self.numbers))
        self._copies: dict[str, str] = {}

    def replace_gotos(self, function: Function) -> None:
        """Rewrite the model of a function, which nothing has changed yet."""
        if not self.numbers:
            return
        names = Names(function)
        labels = {block: f"blockaddress({function.text}, {names(block)})" for block in function.blocks}
        for i in function.instructions():
            try:
                self._rename(i)
            except UnsupportedError as error:
                error.location = location_of(self.module, i)
                self.findings.append(error)
        for block in [block for block in function.blocks if isinstance(block.terminator, ir.IndirectBranch)]:
            self._switch(function, block, labels)

    # Addresses -----------------------------------------------------------------------------------------------------

    def _rename(self, i: ir.Instruction) -> None:
        """Use our addresses and tables in place of the program's."""
        for at, operand in enumerate(i.operands):
            if not isinstance(operand, Constant) or "@" not in operand.text:
                continue
            text = self._renamed(operand.text)
            if text != operand.text:
                if isinstance(i, ir.CallBase) and isinstance(i.callee, InlineAssembly):
                    raise UnsupportedError(
                        "cannot differentiate inline assembly that is given the address of a label", code="E0120"
                    )
                i.operands[at] = self.module.constant(operand.type, text)

    def _renamed(self, text: str) -> str:
        text = _LABEL.sub(lambda label: self._address(self.numbers[label[0]]), text)
        return _GLOBAL.sub(lambda name: self._copy(name[0]) if name[0] in self._tables else name[0], text)

    def _address(self, number: int) -> str:
        return f"getelementptr (i8, ptr {self._bytes.text}, i64 {number})"

    @cached_property
    def _bytes(self) -> GlobalVariable:
        name = self.module.unique_name("enzyme_build.labels")
        line = f'@"{name}" = internal constant [{len(self.numbers)} x i8] zeroinitializer, align 1'
        added = self.module.add_global(line)
        assert isinstance(added, GlobalVariable)
        return added

    @cached_property
    def _tables(self) -> dict[str, GlobalVariable]:
        """Variables whose initial value has addresses of labels, or of another such variable."""
        variables = {v.text: v for v in self.module.globals.values() if isinstance(v, GlobalVariable) and v.initializer}
        found = {text: v for text, v in variables.items() if "blockaddress(" in (v.initializer or "")}
        more = dict(found)
        while more:
            more = {
                text: v
                for text, v in variables.items()
                if text not in found and any(name in more for name in _GLOBAL.findall(v.initializer or ""))
            }
            found |= more
        return found

    def _copy(self, text: str) -> str:
        """The name of a table that has our addresses."""
        done = self._copies.get(text)
        if done is not None:
            return done
        table = self._tables[text]
        if not table.is_constant:
            raise UnsupportedError(
                f"cannot differentiate computed gotos by '{table.name}', which holds addresses of labels and is not"
                " constant",
                hint="make the table const, also its elements (static const void *const labels[])",
                code="E0120",
            )
        name = self.module.unique_name(f"enzyme_build.labels.{table.name}")
        copy = self._copies[text] = f'@"{name}"'
        assert table.initializer is not None
        value = self._renamed(table.initializer)
        self.module.add_global(f"{copy} = internal constant {table.value_type} {value}")
        return copy

    # Branches ------------------------------------------------------------------------------------------------------

    def _switch(self, function: Function, block: Block, labels: dict[Block, str]) -> None:
        last = block.instructions.pop()
        assert isinstance(last, ir.IndirectBranch)
        where = debug_attachment(last)
        location = location_of(self.module, last)
        place = f"{location.file}:{location.line}" if location else f"'{function.name}'"
        stop = function.add_block(Block(f"{block.name or 'b'}.no_label"))
        stop_with(
            self.module,
            Builder(stop, where),
            f"{place}: a computed goto reached an address that was taken outside of the derivative",
        )
        cases: dict[Block, int] = {}
        for target in dict.fromkeys(last.targets):
            number = self.numbers.get(labels[target])
            if number is None:
                drop_edge(block, target)
            else:
                cases[target] = number
        builder = Builder(block, where)
        start = self.module.constant(I64, f"ptrtoint (ptr {self._bytes.text} to i64)")
        address: Value = builder.cast("ptrtoint", last.operands[0], I64)
        number_ = builder.sub(address, start)
        builder.switch(number_, stop, [(const_int(I64, number), target) for target, number in cases.items()])
