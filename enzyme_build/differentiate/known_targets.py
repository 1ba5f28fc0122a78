"""Calls through pointers as choices among direct calls.

In the model that the pass reads, a call of `p` whose possible targets are known (`analysis.targets`) compares `p` with
each of them and calls that one directly, so that every analysis and both modes see direct calls only, and nothing ever
looks into the shadow of a table of functions. A pointer to any other function ends the program with a message that
names the call: without the function's body there is no derivative. The program's own functions stay as they are.

Where no function of the link fits a pointer that is read from memory, as of an operation that a program may set and
does not, the program ends with that message, too. A warning tells so. It is done only where the call would be refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.offsets import fixed_base
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment, location_of
from enzyme_build.ir.function import Block, Function, replace_values
from enzyme_build.ir.types import I64, PTR, VOID
from enzyme_build.ir.values import ConstantExpression, GlobalVariable, NullPointer

from .edges import drop_edge, split_at
from .runtime import stop_with

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from enzyme_build.analysis.targets import Targets
    from enzyme_build.errors import EnzymeBuildError, SourceLocation
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value


def call_known_targets(
    module: Module, function: Function, targets: Targets, untargeted: Collection[SourceLocation | None] = ()
) -> list[SourceLocation | None]:
    """Replace the function's calls through pointers to known functions; which of those at `untargeted` have none?"""
    found: list[SourceLocation | None] = []
    ended: set[Block | None] = set()
    for call in [i for i in function.instructions() if isinstance(i, ir.Call)]:
        if call.block in ended:
            continue  # behind one that ends the program
        candidates = targets.of(call)
        if candidates:
            choose(module, call, -1, candidates)
        elif isinstance(call.callee, ir.Load) and _is_tested(function, call.callee):
            ended.add(call.block)
            _stop_at(module, call)
        elif untargeted and isinstance(call.callee, ir.Load) and _is_of_link(module, call.callee):
            location = location_of(module, call)
            if location in untargeted:
                found.append(location)
                ended.add(call.block)
                _stop_at(module, call)
    return found


def without_targets(errors: Iterable[EnzymeBuildError]) -> frozenset[SourceLocation | None]:
    """Where calls were refused because no function of the link fits a pointer."""
    return frozenset(error.inside or error.location for error in errors if error.code == "E0102")


def _is_of_link(module: Module, pointer: ir.Load) -> bool:
    """Is the pointer read from memory that the link has? In a variable that is declared only, other code put it."""
    base, _ = fixed_base(module.layout, pointer.pointer)
    while isinstance(base, ir.GetElementPtr | ConstantExpression):
        base = base.operands[0]
    return not isinstance(base, GlobalVariable) or base.initializer is not None


def _is_tested(function: Function, pointer: Value) -> bool:
    """Is the pointer compared with null, since there may be no function to call? (Rust's tables have none for types
    that need no destructor.)"""
    tests = (i for i in function.instructions() if isinstance(i, ir.Compare) and pointer in i.operands)
    return any(isinstance(operand, NullPointer) for i in tests for operand in i.operands)


def _stop_at(module: Module, call: ir.Call) -> None:
    """End the program where a call has no function to reach."""
    block = call.block
    for successor in block.successors:
        drop_edge(block, successor)
    at = block.instructions.index(call)
    del block.instructions[at:]
    block.records[:] = [record for record in block.records if record.index <= at]
    _stop(module, block, call, debug_attachment(call))


def choose(module: Module, call: ir.Call, at: int, candidates: Sequence[Function]) -> None:
    """Make `call` once for each candidate that its operand number `at` may be, with that function instead."""
    block = call.block
    function = block.function
    assert function is not None
    pointer, dead = _compared(call.operands[at])
    rest = split_at(function, call, "called")
    results: list[tuple[Value, Block]] = []
    test = block
    where = debug_attachment(call)
    for number, candidate in enumerate(candidates):
        chosen = Block(f"{block.name or 'b'}.target{number}")
        other = Block(f"{block.name or 'b'}.other{number}")
        builder = Builder(test, where)
        known = candidate if pointer.type is PTR else module.constant(I64, f"ptrtoint (ptr {candidate.text} to i64)")
        builder.branch(builder.icmp("eq", pointer, known), chosen, other)
        if candidate.function_type is call.function_type or at >= 0:
            direct = _direct(call, candidate, at)
            chosen.append(direct)
            results.append((direct, chosen))
        Builder(chosen, where).jump(rest)  # what is of another type does nothing
        for new in (chosen, other):
            function.blocks.insert(function.blocks.index(rest), new)
            new.function = function
        test = other
    _stop(module, test, call, where)
    _drop(function, dead)
    if call.type is VOID or not any(call in i.operands for i in function.instructions()):
        return
    result = Builder(rest, where).phi(call.type)
    for value, source in results:
        Builder.add_incoming(result, value, source)
    replace_values(function, {call: result})


def _compared(pointer: Value) -> tuple[Value, list[ir.Instruction]]:
    """What to compare, and what then has no other use: the integers that addresses of functions are kept in (pointers
    to members), rather than pointers made of them, which nobody could follow to a shadow."""
    if _kept(pointer) is not None:
        return _kept(pointer) or pointer, [pointer]  # type: ignore[list-item]
    if not isinstance(pointer, ir.Phi) or all(_kept(operand) is None for operand in pointer.operands):
        return pointer, []
    word = Builder(pointer.block, pointer.metadata).phi(I64)
    for operand, source in zip(pointer.operands, pointer.blocks, strict=True):
        value = _kept(operand)
        if value is None:
            builder = Builder(source, pointer.metadata)
            builder.position = len(source.instructions) - 1
            value = builder.cast("ptrtoint", operand, I64)
        Builder.add_incoming(word, value, source)
    return word, [pointer, *(o for o in pointer.operands if isinstance(o, ir.Cast))]


def _kept(pointer: Value) -> Value | None:
    """The integer that a pointer is made of."""
    if isinstance(pointer, ir.Cast) and pointer.op == "inttoptr" and pointer.operands[0].type is I64:
        return pointer.operands[0]
    return None


def _drop(function: Function, dead: Sequence[ir.Instruction]) -> None:
    for i in dead:
        block = i.block
        if i not in block.instructions or any(i in user.operands for user in function.instructions()):
            continue
        at = block.instructions.index(i)
        del block.instructions[at]
        block.records[:] = [record for record in block.records if i not in record.operands]
        for record in block.records:
            record.index -= record.index > at


def _direct(call: ir.Call, candidate: Function, at: int) -> ir.Call:
    operands = list(call.operands)
    operands[at] = candidate
    return ir.Call(
        call.function_type,
        operands[-1],
        operands[:-1],
        argument_attributes=call.argument_attributes,
        flags=call.flags,
        convention=call.convention,
        result_attributes=call.result_attributes,
        function_attributes=call.function_attributes,
        metadata=debug_attachment(call),
    )


def _stop(module: Module, block: Block, call: ir.Call, where: str) -> None:
    """End the program, saying which call it was."""
    location = location_of(module, call)
    function = block.function
    place = f"{location.file}:{location.line}" if location else f"'{function.name if function else ''}'"
    stop_with(
        module, Builder(block, where), f"{place}: a call through a pointer reached a function without a derivative"
    )
