"""Our verifier: what LLVM's own does not find, or finds by aborting.

It is run on functions that we made, so each finding is a bug of ours: the message shows the instruction. Checked are
terminators, phis against predecessors, dominance, operands that belong to nobody, and calls against the callee's type
and, for `llvm.*`, against the table of intrinsics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.errors import EnzymeBuildError, InternalError

from .debug import location_of
from .function import Block, Function
from .instructions import TERMINATORS, Binary, CallBase, Compare, Instruction, Invoke, Load, Phi, Return, Store
from .intrinsics import base_name, wrong_intrinsic
from .printer import Names, print_instruction
from .types import VOID, FloatType, IntType, PointerType, Type
from .values import Argument, Constant, GlobalValue, MetadataOperand, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .module import Module


def check_function(module: Module, function: Function) -> list[EnzymeBuildError]:
    """Everything that is wrong with `function`, in the order of its instructions."""
    return _Check(module, function).run()


class _Check:
    def __init__(self, module: Module, function: Function) -> None:
        self.module = module
        self.function = function
        self.names = Names(function)
        self.findings: list[EnzymeBuildError] = []
        self.places: dict[Value, tuple[Block, int]] = {}
        self.predecessors: dict[Block, list[Block]] = {block: [] for block in function.blocks}

    def report(self, message: str, instruction: Instruction | None = None) -> None:
        """Note a finding at `instruction`."""
        location = None
        if instruction is not None:
            location = location_of(self.module, instruction)
            try:
                message = f"{message}: {print_instruction(instruction, self.names)}"
            except (InternalError, ValueError):
                # An instruction can be too broken to be printed.
                message = f"{message}: {type(instruction).__name__} in {instruction.block!r}"
        self.findings.append(InternalError(f"@{self.function.name}: {message}", location=location))

    def run(self) -> list[EnzymeBuildError]:
        function = self.function
        if not function.blocks:
            if not function.is_declaration:
                self.report("a definition without blocks")
            return self.findings
        if not self._collect():
            # Without terminators there is no control flow to check.
            return self.findings
        if self.predecessors[function.entry]:
            self.report("the entry block has predecessors")
        dominators = _immediate_dominators(function, self.predecessors)
        for block in function.blocks:
            for position, instruction in enumerate(block.instructions):
                self._types(instruction)
                if isinstance(instruction, Phi):
                    self._phi(instruction, dominators)
                else:
                    for operand in instruction.operands:
                        self._operand(instruction, operand, (block, position), dominators)
        return self.findings

    def _collect(self) -> bool:
        """Where values are defined, who precedes whom; False when a block does not end as it must."""
        good = True
        for argument in self.function.arguments:
            self.places[argument] = (self.function.entry, -1)
        for block in self.function.blocks:
            if not block.instructions or not isinstance(block.instructions[-1], TERMINATORS):
                self.report(f"{block!r} has no terminator")
                good = False
                continue
            behind_phis = False
            for position, instruction in enumerate(block.instructions):
                if instruction.block is not block:
                    self.report("an instruction that thinks it is in another block", instruction)
                if instruction in self.places:
                    self.report("an instruction that stands in two places", instruction)
                self.places[instruction] = (block, position)
                if isinstance(instruction, Phi) and behind_phis:
                    self.report("a phi behind other instructions", instruction)
                behind_phis = behind_phis or not isinstance(instruction, Phi)
                if isinstance(instruction, TERMINATORS) and position + 1 < len(block.instructions):
                    self.report("a terminator in the middle of a block", instruction)
                    good = False
            for successor in dict.fromkeys(block.successors):
                if successor not in self.predecessors:
                    self.report(f"a jump to {successor!r}, which is not in the function", block.terminator)
                    good = False
                else:
                    self.predecessors[successor].append(block)
        return good

    def _phi(self, phi: Phi, dominators: dict[Block, Block]) -> None:
        block = phi.block
        if len(phi.blocks) != len(phi.operands):
            self.report(f"a phi with {len(phi.operands)} values and {len(phi.blocks)} blocks", phi)
            return
        expected = set(self.predecessors[block])
        if set(phi.blocks) != expected:
            missing = ", ".join(sorted(self.names.texts[b] for b in expected - set(phi.blocks)))
            extra = ", ".join(sorted(self.names.texts.get(b, repr(b)) for b in set(phi.blocks) - expected))
            self.report(f"a phi that lacks [{missing}] and has [{extra}] beside the block's predecessors", phi)
            return
        for value, source in zip(phi.operands, phi.blocks, strict=True):
            if value.type is not phi.type:
                self.report(f"a phi of {phi.type} with a value of type {value.type}", phi)
            self._operand(phi, value, (source, len(source.instructions)), dominators)

    def _operand(
        self, instruction: Instruction, operand: Value, use: tuple[Block, int], dominators: dict[Block, Block]
    ) -> None:
        if isinstance(operand, Constant):
            for inner in _globals(operand):
                if self.module.globals.get(inner.name) is not inner:
                    self.report(f"{inner.text} is not part of the module", instruction)
            return
        place = self.places.get(operand)
        if place is None:
            kind = "argument" if isinstance(operand, Argument) else "value"
            name = getattr(operand, "name", None) or "without name"
            self.report(f"an operand is a {kind} of another function or was removed ({name})", instruction)
            return
        block, position = use
        if block not in dominators:
            return
        if place[0] is block:
            if place[1] >= position and not (isinstance(operand, Invoke) and position > place[1]):
                self.report(f"{self.names(operand)} is used before it is defined", instruction)
        elif not _dominates(place[0], block, dominators):
            self.report(f"{self.names(operand)} does not dominate its use", instruction)

    def _types(self, instruction: Instruction) -> None:
        match instruction:
            case Binary():
                a, b = instruction.operands
                wanted = FloatType if instruction.op[0] == "f" else IntType
                if a.type is not b.type or not isinstance(a.type.scalar, wanted):
                    self.report(f"{instruction.op} of {a.type} and {b.type}", instruction)
            case Compare():
                a, b = instruction.operands
                if a.type is not b.type or isinstance(a.type.scalar, FloatType) != (instruction.op == "fcmp"):
                    self.report(f"{instruction.op} of {a.type} and {b.type}", instruction)
            case Load() | Store():
                if not isinstance(instruction.pointer.type, PointerType):
                    self.report(f"memory access through {instruction.pointer.type}", instruction)
            case CallBase():
                self._call(instruction)
            case Return():
                given = instruction.operands[0].type if instruction.operands else VOID
                if given is not self.function.function_type.result:
                    self.report(f"a return of {given} instead of {self.function.function_type.result}", instruction)

    def _call(self, call: CallBase) -> None:
        type_ = call.function_type
        arguments = call.operands[:-1]
        if len(call.argument_attributes) != len(arguments):
            self.report("a call whose list of attributes has another length than its arguments", call)
        self._arguments(call, type_.parameters, arguments, variadic=type_.variadic)
        callee = call.callee
        if not isinstance(callee, Function):
            return
        known = callee.function_type
        if known is not type_:
            message = f"@{callee.name} is called as {type_} and is {known}"
            # C calls functions through other types; only a call that passes too little is surely wrong.
            if len(arguments) < len(known.parameters) or callee.name.startswith("llvm."):
                self.report(message, call)
        if callee.name.startswith("llvm."):
            wrong = wrong_intrinsic(callee.name, type_)
            if wrong is not None:
                self.report(wrong, call)
            elif base_name(callee.name) is None and callee.name not in self.module.spans:
                self.report(f"unknown intrinsic {callee.name}", call)

    def _arguments(
        self, call: CallBase, parameters: tuple[Type, ...], arguments: list[Value], *, variadic: bool
    ) -> None:
        if len(arguments) < len(parameters) or (len(arguments) > len(parameters) and not variadic):
            self.report(f"{len(arguments)} arguments for {len(parameters)} parameters", call)
        for number, (argument, parameter) in enumerate(zip(arguments, parameters, strict=False), 1):
            if argument.type is not parameter:
                self.report(f"argument {number} is {argument.type}, the parameter {parameter}", call)


def _globals(constant: Constant) -> Iterator[GlobalValue]:
    if isinstance(constant, GlobalValue):
        yield constant
    elif not isinstance(constant, MetadataOperand):
        for operand in constant.operands:
            if isinstance(operand, Constant):
                yield from _globals(operand)


def _immediate_dominators(function: Function, predecessors: dict[Block, list[Block]]) -> dict[Block, Block]:
    """Cooper, Harvey and Kennedy's iteration; only blocks that can be reached are in the result."""
    order: list[Block] = []
    seen = {function.entry}
    stack = [(function.entry, iter(function.entry.successors))]
    while stack:
        block, successors = stack[-1]
        for successor in successors:
            if successor not in seen:
                seen.add(successor)
                stack.append((successor, iter(successor.successors)))
                break
        else:
            order.append(block)
            stack.pop()
    number = {block: index for index, block in enumerate(order)}
    immediate = {function.entry: function.entry}
    changed = True
    while changed:
        changed = False
        for block in reversed(order[:-1]):
            best: Block | None = None
            for predecessor in predecessors[block]:
                if predecessor not in immediate:
                    continue
                best = predecessor if best is None else _common(best, predecessor, immediate, number)
            if best is not None and immediate.get(block) is not best:
                immediate[block] = best
                changed = True
    return immediate


def _common(a: Block, b: Block, immediate: dict[Block, Block], number: dict[Block, int]) -> Block:
    while a is not b:
        while number[a] < number[b]:
            a = immediate[a]
        while number[b] < number[a]:
            b = immediate[b]
    return a


def _dominates(a: Block, b: Block, immediate: dict[Block, Block]) -> bool:
    while b is not a:
        above = immediate[b]
        if above is b:
            return False
        b = above
    return True
