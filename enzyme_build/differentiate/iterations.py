"""Makes functions of the iterations of loops that can be run again one at a time (see `analysis.iterations`).

In the model of the function that is differentiated, such a loop is one block then, which calls the function for each
iteration. The forward sweep makes these calls as they are; the reverse sweep calls the function's whole derivative,
both sweeps of it, which leaves nothing on the tape.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.bases import object_of
from enzyme_build.analysis.flow import Flow
from enzyme_build.analysis.iterations import independent_iterations
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import Block, Function
from enzyme_build.ir.types import IntType, function_type
from enzyme_build.ir.values import Argument, Value
from enzyme_build.records import dataclass

from .edges import drop_edge, redirect, remove_unreachable
from .lifetimes import drop_lifetimes_of_others
from .signature import packed_type

if TYPE_CHECKING:
    from enzyme_build.analysis.iterations import Iteration
    from enzyme_build.ir.module import Module


_DEPTH: Final = 4
_SIMPLE: Final = frozenset(("add", "sub", "mul", "shl"))


@dataclass(frozen=True, slots=True)
class IterationFunction:
    """A function that is one iteration of a loop of `host`.

    `passed` and `scratch` are numbers of arguments: numbers whose value does not matter to derivatives, and private
    memory. `droppable`: does the reverse sweep need nothing of what it computes?
    """

    function: Function
    host: Function
    passed: frozenset[int]
    scratch: frozenset[int]
    droppable: bool


def iterations_as_functions(
    module: Module, function: Function, suffix: str, *, value_wanted: bool
) -> list[IterationFunction]:
    """Take the iterations out of the function's model; `suffix` has the attributes of the new functions."""
    found = independent_iterations(module, function, value_wanted=value_wanted)
    return [_Outliner(module, function, iteration, suffix).run() for iteration in found]


class _Outliner:
    def __init__(self, module: Module, function: Function, iteration: Iteration, suffix: str) -> None:
        self.module = module
        self.host = function
        self.iteration = iteration
        self.suffix = suffix
        self.dominators = Flow(module, function).dominators
        loop = iteration.loop
        self.blocks = [block for block in function.blocks if block in loop.blocks]
        self.blocks += [self._own_end(end) for end in iteration.ends]
        self.header_phis = list(loop.header.phis)
        self.again: dict[ir.Instruction, None] = {}
        self.results = [phi.incoming(iteration.latch) for phi in iteration.carried]

    def run(self) -> IterationFunction:
        inputs = self._inputs()
        arguments = [Argument(v.type, getattr(v, "name", None), n) for n, v in enumerate(inputs)]
        objects = [object_of(self.dominators, value) for value in inputs]
        self._promise(objects, arguments)
        result = packed_type([value.type for value in self.results])
        name = self.module.unique_name(f"enzyme_build.iteration.{self.host.name}")
        type_ = function_type(result, tuple(a.type for a in arguments))
        body = Function(name, f'@"{name}"', type_, arguments, prefix="internal", suffix=self.suffix)
        self.module.add_function(body)
        round_ = self._round(body, inputs)
        self._move(body, dict(zip(inputs, arguments, strict=True)))
        self._close(round_)
        passed = frozenset(n for n, v in enumerate(inputs) if v in self.iteration.passed)
        scratch = frozenset(n for n, base in enumerate(objects) if base in self.iteration.scratch)
        return IterationFunction(body, self.host, passed, scratch, self.iteration.droppable)

    def _own_end(self, end: Block) -> Block:
        """A copy of a block that ends the program, for the loop alone."""
        own = Block(end.name)
        new: dict[Value, Value] = {}
        sources = [block for block in self.blocks if end in block.successors]
        for i in end.instructions:
            again = copy.copy(i)
            again.operands = [new.get(v, v) for v in i.operands]
            if isinstance(again, ir.Phi) and isinstance(i, ir.Phi):
                again.blocks, again.operands = [*sources], [i.incoming(source) for source in sources]
            new[i] = own.append(again)
        own.instructions.pop()
        Builder(own, debug_attachment(end.terminator)).unreachable()
        for source in sources:
            drop_edge(source, end)
            redirect(source, end, own)
        return own

    def _inputs(self) -> list[Value]:
        """What the iteration reads that it does not compute. Addresses and simple integers are computed again, so that
        each object comes in as one pointer, and what is known of numbers of rounds is known in the function, too."""
        phis = set(self.header_phis)
        read: dict[Value, None] = {}
        for block in self.blocks:
            for i in block.instructions:
                if i not in phis:
                    for operand in i.operands:
                        self._read(operand, read)
        for value in self.results:
            self._read(value, read)
        return [phi for phi in self.header_phis if phi in read] + [value for value in read if value not in phis]

    def _read(self, value: Value, read: dict[Value, None], depth: int = _DEPTH) -> None:
        if value not in self.header_phis and not self._is_local(value):
            return
        if not isinstance(value, ir.GetElementPtr) and not (depth and _is_simple(value)):
            read[value] = None
        elif value not in self.again:
            assert isinstance(value, ir.Instruction)
            for operand in value.operands:
                self._read(operand, read, max(depth - 1, 0))
            self.again[value] = None

    def _is_local(self, value: Value) -> bool:
        """Is it the host's, from outside the loop?"""
        if isinstance(value, ir.Instruction):
            return value.block not in self.blocks and value not in self.iteration.own
        return isinstance(value, Argument)

    def _promise(self, objects: list[Value], arguments: list[Argument]) -> None:
        """Memory that is reached through one argument only, as the host knows it, is apart from that of the others."""
        for base, argument in zip(objects, arguments, strict=True):
            promised = isinstance(base, Argument) and "noalias" in base.attributes.split()
            if objects.count(base) == 1 and (promised or base in self.iteration.scratch):
                argument.attributes = "noalias"

    def _round(self, body: Function, inputs: list[Value]) -> Block:
        """The block that stands for the loop: calls the function, counts, and goes on or leaves."""
        loop, latch = self.iteration.loop, self.iteration.latch
        round_ = Block(f"{loop.header.name or 'loop'}.round")
        for phi in self.header_phis:
            round_.append(phi)
            phi.blocks = [round_ if block is latch else block for block in phi.blocks]
        b = Builder(round_, debug_attachment(loop.header.instructions[len(self.header_phis)]))
        call = b.call(body, inputs, name="round")
        new: dict[Value, Value] = {}
        for number, value in enumerate(self.results):
            if isinstance(value, ir.Instruction) and value.block in loop.blocks and value not in self.header_phis:
                new[value] = call if len(self.results) == 1 else b.extract_value(call, (number,))
        for step in self.iteration.steering:
            again = copy.copy(step)
            again.operands = [new.get(v, v) for v in step.operands]
            new[step] = b.insert(again)
        last = latch.terminator
        assert isinstance(last, ir.Branch)
        exits = self.iteration.exit
        then, otherwise = (exits if block is exits else round_ for block in (last.then, last.otherwise))
        branch = b.branch(new.get(last.operands[0], last.operands[0]), then, otherwise)
        branch.metadata = last.metadata
        for phi in self.header_phis:
            phi.operands[:] = [new.get(v, v) for v in phi.operands]
        self.new = new
        return round_

    def _move(self, body: Function, inside: dict[Value, Value]) -> None:
        """The loop's blocks become the function's; `inside` is what the host's values are in it."""
        header, latch = self.iteration.loop.header, self.iteration.latch
        del header.instructions[: len(self.header_phis)]
        entry = body.add_block(Block("entry"))
        for own in self.iteration.own:
            at = own.block.instructions.index(own)
            for record in own.block.records:
                record.index -= record.index > at
            del own.block.instructions[at]
            entry.append(own)
        for i in self.again:
            again = copy.copy(i)
            again.operands = [inside.get(v, v) for v in i.operands]
            inside[i] = entry.append(again)
        Builder(entry).jump(header)
        for block in self.blocks:
            block.records.clear()
            body.add_block(block)
            for i in block.instructions:
                i.operands[:] = [inside.get(v, v) for v in i.operands]
        drop_lifetimes_of_others(body)
        results = [inside.get(v, v) for v in self.results]
        latch.instructions.pop()
        b = Builder(latch)
        b.ret(results[0] if len(results) == 1 else b.aggregate(body.function_type.result, results))

    def _close(self, round_: Block) -> None:
        """The block takes the loop's place among the host's blocks."""
        loop = self.iteration.loop
        at = self.host.blocks.index(loop.header)
        moved = set(self.blocks)
        self.host.blocks.insert(at, round_)
        round_.function = self.host
        self.host.blocks[:] = [block for block in self.host.blocks if block not in moved]
        assert loop.preheader is not None
        redirect(loop.preheader, loop.header, round_)
        left = {i for block in self.blocks for i in block.instructions} | set(self.new)
        for block in self.host.blocks:
            for i in block.instructions:
                i.operands[:] = [self.new.get(v, v) for v in i.operands]
                if isinstance(i, ir.Phi):
                    i.blocks = [round_ if b is self.iteration.latch else b for b in i.blocks]
            block.records[:] = [r for r in block.records if left.isdisjoint(r.operands)]
        remove_unreachable(self.host)


def _is_simple(value: Value) -> bool:
    """Is it an integer that costs nothing to compute again?"""
    if isinstance(value, ir.Binary):
        return isinstance(value.type, IntType) and value.op in _SIMPLE
    return isinstance(value, ir.Cast) and value.op in ("sext", "zext", "trunc")
