"""Makes functions of checkpointed loops and of their steps (see `analysis.checkpoints`).

In the model of the function that is differentiated, the loop becomes a call: of a function that is the loop, whose body
is the call of another, the step. Numbers that go from step to step, or from the loop to what is behind it, lie in
variables on the host's stack, each of one type, which both functions get the addresses of. Steered values stay in the
loop's registers; pointers that are used behind the loop are what it returns.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.bases import base_of
from enzyme_build.analysis.checkpoints import is_mark, is_steered, marked_loop, marks, refusal
from enzyme_build.analysis.flow import Flow
from enzyme_build.analysis.offsets import has_pointers
from enzyme_build.analysis.snapshots import own_allocation
from enzyme_build.errors import UnsupportedError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import Block, Function, remove_instructions, replace_values
from enzyme_build.ir.types import I32, VOID, PointerType, Type, function_type
from enzyme_build.ir.values import Argument, GlobalVariable, Value, const_int, poison, zero
from enzyme_build.records import dataclass

from .checkpoint_memory import Again, Told, Whole
from .edges import redirect
from .lifetimes import drop_lifetimes_of_others
from .loop_form import canonical_loops
from .metadata import kept_attributes
from .signature import packed_type
from .step_variables import take_variables

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from enzyme_build.analysis.checkpoints import MarkedLoop
    from enzyme_build.ir.module import Module

    from .checkpoint_state import State
    from .program import Program


LOOP_NAME: Final = "enzyme_build.checkpointed_loop."
"""Beginning of the names of the loops' functions."""
CARRIED: Final = "carried."
"""Beginning of the names of the variables that numbers are handed on in."""
_STEP_NAME: Final = "enzyme_build.checkpointed_step."


@dataclass(frozen=True, slots=True)
class Object:
    """Memory that the loop gets (see `Whole`): address and bytes are numbers of arguments of its function."""

    base: int
    size: int
    told: bool
    apart: bool
    fresh: bool


@dataclass(eq=False, slots=True)
class CheckpointedLoop:
    """A loop of `host` as a function, and its step, called by `call`.

    `phis` are the steered values, `following` what they are in the next step; `slots` is the number of the argument
    that says how many snapshots are asked for; `objects` is the memory whose size is known, `object_of` has the
    arguments that point into such memory, with the numbers of the objects, and `foreign` those that the host made of
    arguments of its own. `code` is the address of the number of the exit that a step took, one more than the index in
    `exits`, or 0; a loop without it is left where `condition` is `leaves`. `exits` are the pointers that are
    returned, by place in the result.
    """

    loop: Function
    step: Function
    host: Function
    mark: ir.CallBase
    call: ir.Call
    phis: list[ir.Phi]
    following: list[Value]
    slots: int
    objects: list[Object]
    foreign: set[int]
    object_of: dict[int, tuple[int, ...]]
    code: Value | None
    condition: Value | None
    leaves: bool
    exits: list[dict[int, Value]] = field(default_factory=list)
    extents: dict[Value, list[Whole]] = field(default_factory=dict)
    """For loops inside the step: its arguments that point into memory of known size, with addresses and bytes."""
    state: State | None = None
    """What snapshots hold, where derivatives of the loop were made."""


def take_out_loops(program: Program, function: Function) -> None:
    """Take the marked loops out of the function's model, and the marks."""
    if next(marks(function), None) is None:
        return
    module, around = program.module, program.checkpoints.get(function.name)
    extents = around.extents if around is not None else {}
    promise = "mustprogress" if "mustprogress" in module.attributes_of(function) else ""
    # A step that is run again has to give the same to the last bit: it is compiled once.
    suffixes = kept_attributes(module, function, promise), kept_attributes(module, function, "noinline noduplicate")
    try:
        while (marked := marked_loop(flow := Flow(module, function))) is not None:
            found = _Outliner(flow, marked, suffixes, extents, program.checkpoints).run()
            program.checkpoints |= {found.loop.name: found, found.step.name: found}
    except UnsupportedError as error:
        error.message += "" if error.location is not None else f" (in function '{function.name}')"
        program.findings.append(error)
    remove_instructions(function, set(marks(function)))


def define_marks(module: Module) -> None:
    """What is left of the marks in the program's own functions does nothing."""
    for function in [f for f in module.functions if is_mark(f)]:
        function.prefix = "internal"
        function.suffix = module.add_attribute_group("nounwind alwaysinline")
        function.is_declaration = False
        result = function.function_type.result
        Builder(function.add_block(Block("entry"))).ret(None if result is VOID else poison(result))
        module.replace_function(function.name)


class _Outliner:
    def __init__(
        self,
        flow: Flow,
        marked: MarkedLoop,
        suffixes: tuple[str, str],
        extents: Mapping[Value, Sequence[Whole]],
        taken: Mapping[str, CheckpointedLoop],
    ) -> None:
        self.flow = flow
        self.module = flow.module
        self.host = flow.function
        self.marked = marked
        self.inside = marked.loop.blocks
        self.blocks = [block for block in self.host.blocks if block in self.inside]
        self.suffixes = suffixes
        self.extents = extents
        self.taken = taken
        self.where = debug_attachment(marked.marks[0])
        self.outer: dict[Value, Value] = {}
        """Values of the host that are arguments of the loop's function, and these."""
        self.cells: dict[object, ir.Alloca] = {}
        self.header_phis = list(marked.loop.header.phis)
        self.own = take_variables(flow, marked.loop)

    def run(self) -> CheckpointedLoop:
        self._take_pointers()
        memory = Told(self.flow, self.marked, self.extents, self.taken)
        exits = self._exits()
        carried = [phi for phi in self.header_phis if phi not in self.marked.steered]
        for phi in carried:
            self._cell(phi, phi.type)
        if not self.marked.counted:
            self._cell("code", I32)
        remove_instructions(self.host, {*self.marked.marks})
        inputs = self._inputs()
        objects, object_of = memory.objects([*inputs, *self.cells.values()])
        starts = [phi.incoming(self.marked.preheader) for phi in self.marked.steered]
        sizes = [value for o in objects for value in (o.base, o.size)]
        listed = list(dict.fromkeys([*inputs, *starts, *sizes, memory.slots, *self.cells.values()]))
        pointers = [[(phi, v) for phi, v in edge if has_pointers(self.module.layout, v.type)] for edge in exits]
        result = packed_type([v.type for edge in pointers for _, v in edge])
        loop = self._function(LOOP_NAME, result, listed, self.suffixes[0])
        self.outer = dict(zip(listed, loop.arguments, strict=True))
        self._promise(listed, loop.arguments)
        known = [*inputs, *self.marked.steered, *self.cells.values()]
        inner = any(isinstance(i, ir.CallBase) and is_mark(i.callee) for b in self.blocks for i in b.instructions)
        if inner:
            known = list(dict.fromkeys([*known, *sizes]))
        step = self._function(_STEP_NAME, VOID, known, self.suffixes[1])
        for value, argument in zip(known, step.arguments, strict=True):
            argument.attributes = getattr(self.outer.get(value), "attributes", "")
        made = self._fill_loop(loop, step, known, pointers)
        made.slots = listed.index(memory.slots)
        made.objects = [Object(listed.index(o.base), listed.index(o.size), o.told, o.apart, o.fresh) for o in objects]
        made.foreign = {n for n, v in enumerate(listed) if isinstance(base_of(v), Argument)}
        made.object_of = {n: object_of[v] for n, v in enumerate(listed) if v in object_of}
        if inner:
            given = dict(zip(known, step.arguments, strict=True))
            whole = [Whole(given[o.base], given[o.size], apart=o.apart) for o in objects]
            made.extents = {given[v]: [whole[n] for n in numbers] for v, numbers in object_of.items() if v in given}
        self._replace(loop, listed, exits, pointers)
        self._fill_step(step, known, exits, carried)
        canonical_loops(loop)
        return made

    # What the loop takes and gives ----------------------------------------------------------------------------------

    def _take_pointers(self) -> None:
        """Behind the loop, integers are made there of pointers that they are made of in its steps."""
        for block, exit_ in self.marked.loop.exit_edges:
            for phi in list(exit_.phis):
                word = phi.incoming(block)
                made = isinstance(word, ir.Cast) and word.op == "ptrtoint" and word.block in self.inside
                if not made or len(phi.operands) != 1 or not isinstance(word, ir.Cast):
                    continue
                pointer = word.operands[0]
                b = Builder(exit_, self.where)
                taken = b.phi(pointer.type)
                Builder.add_incoming(taken, pointer, block)
                b.position = len(list(exit_.phis))
                replace_values(self.host, {phi: b.cast("ptrtoint", taken, phi.type)})
                remove_instructions(self.host, {phi})

    def _exits(self) -> list[list[tuple[ir.Phi, Value]]]:
        """By edge that leaves the loop: the phis behind it that take something from the loop, and what."""
        found = []
        for number, (block, exit_) in enumerate(self.marked.loop.exit_edges):
            taken: list[tuple[ir.Phi, Value]] = []
            for phi in exit_.phis:
                value = phi.incoming(block)
                if isinstance(value, ir.Instruction) and value.block in self.inside:
                    taken.append((phi, value))
                    if not has_pointers(self.module.layout, value.type):
                        self._cell((number, phi), value.type)
                    elif not is_steered(value, self.marked.loop, set(self.marked.steered)):
                        raise refusal(
                            self.module,
                            self.marked.marks[0],
                            "a pointer that is computed in a step of a checkpointed loop is used behind the loop",
                            "compute it again behind the loop",
                            "E0362",
                        )
            found.append(taken)
        return found

    def _cell(self, key: object, type_: Type) -> None:
        b = Builder(self.host.entry, self.where)
        b.position = 0
        self.cells[key] = b.alloca(type_, name=f"{CARRIED}{len(self.cells)}")

    def _inputs(self) -> list[Value]:
        """What the steps read that they do not compute."""
        inputs: dict[Value, None] = {}
        phis = set(self.header_phis)
        for block in self.blocks:
            for i in block.instructions:
                operands = [i.incoming(self.marked.latch)] if i in phis else i.operands
                for operand in operands:
                    outside = isinstance(operand, ir.Instruction) and operand.block not in self.inside
                    if operand in self.own:
                        continue
                    if isinstance(operand, Argument) or outside:
                        inputs[operand] = None
        return list(inputs)

    def _promise(self, listed: list[Value], arguments: list[Argument]) -> None:
        """Memory that is reached through one argument only, as the host knows it, is apart from that of the others."""
        bases = [base_of(v) for v in listed]
        plain = all(self._begins_object(base) for base in bases if isinstance(base.type, PointerType))
        moving = {base_of(phi.incoming(self.marked.preheader)) for phi in self.marked.steered}
        for value, base, argument in zip(listed, bases, arguments, strict=True):
            promised = isinstance(base, Argument) and "noalias" in base.attributes.split()
            only = bases.count(base) == 1 and value is base and base not in moving
            if only and ((promised and plain) or base in self.cells.values()):
                argument.attributes = "noalias"

    def _begins_object(self, base: Value) -> bool:
        """Or may this pointer be one into the memory of another?"""
        own = isinstance(base, ir.CallBase) and own_allocation(self.module, base) is not None
        return own or isinstance(base, Argument | ir.Alloca | GlobalVariable)

    def _function(self, prefix: str, result: Type, values: list[Value], suffix: str) -> Function:
        arguments = [Argument(v.type, getattr(v, "name", None), n) for n, v in enumerate(values)]
        name = self.module.unique_name(f"{prefix}{self.host.name}")
        type_ = function_type(result, tuple(a.type for a in arguments))
        made = Function(name, f'@"{name}"', type_, arguments, prefix="internal", suffix=suffix)
        self.module.add_function(made)
        return made

    # The loop -------------------------------------------------------------------------------------------------------

    def _fill_loop(
        self, loop: Function, step: Function, known: list[Value], pointers: list[list[tuple[ir.Phi, Value]]]
    ) -> CheckpointedLoop:
        """The function that calls the step until one leaves."""
        marked = self.marked
        entry, round_, end = (loop.add_block(Block(name)) for name in ("entry", "round", "end"))
        Builder(entry, self.where).jump(round_)
        b = Builder(round_, self.where)
        inside: dict[Value, Value] = dict(self.outer)
        phis = []
        for phi in marked.steered:
            new = b.phi(phi.type, phi.name)
            start = phi.incoming(marked.preheader)
            Builder.add_incoming(new, self.outer.get(start, start), entry)
            inside[phi] = new
            phis.append(new)
        call = b.call(step, [inside[v] for v in known], name=None)
        again = Again(b, inside)
        made = CheckpointedLoop(
            loop, step, self.host, marked.marks[0], call, phis, [], 0, [], set(), {}, None, None, leaves=False
        )
        returns = Builder(end, self.where)
        result = returns.phi(loop.function_type.result) if loop.function_type.result is not VOID else None
        if marked.counted:
            made.following = [again.value(p.incoming(marked.latch)) for p in marked.steered]
            last = marked.latch.terminator
            assert isinstance(last, ir.Branch)
            made.leaves = last.then not in self.inside
            made.condition = again.value(last.operands[0])
            done = loop.add_block(Block("left"))
            b.branch(made.condition, *((done, round_) if made.leaves else (round_, done)))
            back, leaving = round_, [done]
        else:
            made.code = self.outer[self.cells["code"]]
            code = b.load(I32, made.code)
            back = loop.add_block(Block("next"))
            leaving = [loop.add_block(Block(f"left.{n}")) for n in range(len(pointers))]
            cases = [(const_int(I32, n + 1), block) for n, block in enumerate(leaving)]
            b.insert(ir.Switch(code, back, cases, self.where))
            onward = Again(Builder(back, self.where), inside)
            made.following = [onward.value(p.incoming(marked.latch)) for p in marked.steered]
            onward.b.jump(round_)
        for phi, value in zip(phis, made.following, strict=True):
            Builder.add_incoming(phi, value, back)
        place = 0
        for block, edge in zip(leaving, pointers, strict=True):
            b = Builder(block, self.where)
            given = Again(b, again.known if marked.counted else inside)
            values = {place + n: given.value(v) for n, (_, v) in enumerate(edge)}
            place += len(edge)
            made.exits.append(values)
            if result is not None:
                Builder.add_incoming(result, packed(b, loop.function_type.result, values), block)
            b.jump(end)
        returns.ret(result)
        return made

    def _replace(
        self,
        loop: Function,
        listed: list[Value],
        exits: list[list[tuple[ir.Phi, Value]]],
        pointers: list[list[tuple[ir.Phi, Value]]],
    ) -> None:
        """In the host, a call of the function takes the loop's place."""
        marked, edges = self.marked, self.marked.loop.exit_edges
        round_ = Block(f"{marked.loop.header.name or 'loop'}.checkpointed")
        b = Builder(round_, self.where)
        for phi in self.header_phis:
            if phi in self.cells:
                b.store(phi.incoming(marked.preheader), self.cells[phi])
        for key, cell in self.cells.items():
            if key not in self.header_phis:  # written when the loop is left; until then it is copied along
                b.store(zero(cell.allocated_type), cell)
        call = b.call(loop, listed)
        count = sum(map(len, pointers))
        landings = []
        place = 0
        for number, (block, exit_) in enumerate(edges):
            landing = Block(f"{round_.name}.left")
            at = Builder(landing, self.where)
            taken: dict[ir.Phi, Value] = {}
            for phi, value in exits[number]:
                if has_pointers(self.module.layout, value.type):
                    taken[phi] = call if count == 1 else at.extract_value(call, (place,))
                    place += 1
                else:
                    taken[phi] = at.load(value.type, self.cells[number, phi])
            for phi in exit_.phis:
                value = taken.get(phi, phi.incoming(block))
                others = [(v, from_) for v, from_ in zip(phi.operands, phi.blocks, strict=True) if from_ is not block]
                phi.operands[:], phi.blocks = [v for v, _ in others], [from_ for _, from_ in others]
                Builder.add_incoming(phi, value, landing)
            at.jump(exit_)
            landings.append(landing)
        if len(landings) == 1:
            b.jump(landings[0])
        else:
            code = b.load(I32, self.cells["code"])
            cases = [(const_int(I32, n + 1), landing) for n, landing in enumerate(landings)]
            b.insert(ir.Switch(code, landings[0], cases[1:], self.where))
        redirect(marked.preheader, marked.loop.header, round_)
        at_block = self.host.blocks.index(marked.loop.header)
        new = [round_, *landings]
        for block in new:
            block.function = self.host
        self.host.blocks[at_block:at_block] = new
        self.host.blocks[:] = [block for block in self.host.blocks if block not in self.inside]
        left = {i for block in self.blocks for i in block.instructions}
        for block in self.host.blocks:
            block.records[:] = [r for r in block.records if left.isdisjoint(r.operands)]

    # The step -------------------------------------------------------------------------------------------------------

    def _fill_step(
        self, step: Function, known: list[Value], exits: list[list[tuple[ir.Phi, Value]]], carried: list[ir.Phi]
    ) -> None:
        """The loop's blocks become the function's."""
        marked = self.marked
        inside: dict[Value, Value] = dict(zip(known, step.arguments, strict=True))
        following = {phi: phi.incoming(marked.latch) for phi in carried}
        del marked.loop.header.instructions[: len(self.header_phis)]
        entry = step.add_block(Block("entry"))
        b = Builder(entry, self.where)
        remove_instructions(self.host, set(self.own))
        for variable in self.own:
            b.insert(variable)
        for phi in carried:
            inside[phi] = b.load(phi.type, inside[self.cells[phi]], name=phi.name)
        b.jump(marked.loop.header)
        for block in self.blocks:
            block.records.clear()
            step.add_block(block)
        end = step.add_block(Block("end"))
        Builder(end, self.where).ret()
        for number, (block, exit_) in enumerate(marked.loop.exit_edges):
            stored = [(v, self.cells[number, phi]) for phi, v in exits[number] if (number, phi) in self.cells]
            if marked.counted:
                stored += [(following[phi], self.cells[phi]) for phi in carried]
            leaving = self._leave((block, exit_), end, stored, number + 1)
        if marked.counted:  # a step ends in the same way whether it is the last or not
            last = marked.latch.instructions[-1] = ir.Jump(leaving, self.where)
            last.block = marked.latch
        else:
            stored = [(following[phi], self.cells[phi]) for phi in carried]
            self._leave((marked.latch, marked.loop.header), end, stored, 0)
        drop_lifetimes_of_others(step)
        for block in step.blocks:
            for i in block.instructions:
                i.operands[:] = [inside.get(v, v) for v in i.operands]

    def _leave(self, edge: tuple[Block, Block], end: Block, stored: list[tuple[Value, ir.Alloca]], code: int) -> Block:
        """On an edge out of the step, write what others take from it."""
        step, (block, target) = end.function, edge
        assert step is not None
        leaving = step.add_block(Block(f"{block.name or 'b'}.left"))
        b = Builder(leaving, self.where)
        for value, cell in stored:
            b.store(value, cell)
        if not self.marked.counted:
            b.store(const_int(I32, code), self.cells["code"])
        b.jump(end)
        redirect(block, target, leaving)
        return leaving


def packed(b: Builder, type_: Type, values: Mapping[int, Value]) -> Value:
    """What the loop returns, of which an exit gives some."""
    if isinstance(type_, PointerType):
        return next(iter(values.values()), poison(type_))
    whole: Value = poison(type_)
    for place, value in values.items():
        whole = b.insert_value(whole, value, (place,))
    return whole
