"""The derivative of a loop whose steps are checkpointed.

The augmented pass runs the steps as they are, and copies the memory that they change in front of some of them. The
reverse pass goes back step by step: it restores the last copy, runs the steps up to the one to reverse, with further
copies on the way, and calls the whole derivative of that step. `runtime_checkpoints` decides when to copy. So the tape
is that of one step, and the copies.

Memory is as the reverse pass found it when it is done: what comes before the loop may read what was left by code behind
it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.checkpoints import refusal
from enzyme_build.analysis.offsets import scalar_leaves
from enzyme_build.analysis.request import Mode
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.function import Block
from enzyme_build.ir.intrinsics import intrinsic
from enzyme_build.ir.types import I1, I32, I64, PTR, VOID, IntType, PointerType, function_type
from enzyme_build.ir.values import Argument, Value, const_int, null, zero
from enzyme_build.records import dataclass

from .callee_requests import callee_request
from .checkpoint_loops import packed
from .checkpoint_memory import Again
from .checkpoint_state import state_of
from .forward import return_parts
from .lanes import Lanes
from .numbers import add
from .runtime import runtime_function, stop_with
from .signature import Role, augmented_signature, reverse_signature

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from enzyme_build.ir.types import Type

    from .checkpoint_loops import CheckpointedLoop
    from .checkpoint_state import Extent, State
    from .context import Context
    from .engine import Derived, Engine, SplitDerived

RESTORE: Final = 1
KEEP: Final = 2
ADVANCE: Final = 3
REVERSE: Final = 4
COMPARE: Final = 5
"""What `checkpoint_next` tells the reverse pass to do; 0: it is done."""
_WORD: Final = 8
_LINE: Final = 16
_ONCE: Final = 112
"""Where a record of `checkpoint_new` has the address of what is copied once."""


def build_checkpointed(engine: Engine, context: Context, loop: CheckpointedLoop) -> SplitDerived:
    """Both passes of a checkpointed loop."""
    from .engine import SplitDerived

    state = loop.state = state_of(engine, context, loop)
    with engine.called_from(context, loop.call):
        step = engine.combined(callee_request(context, loop.call, Mode.COMBINED))
    if any(_holds_integers(context, part.type) for part in step.signature.results):
        raise refusal(
            engine.module,
            loop.mark,
            "a checkpointed loop is given active numbers packed into an integer",
            "take them apart in front of the loop",
            "E0141",
        )
    primal, request = context.function.function_type, context.request
    augmented = engine.new_function(context.facts, augmented_signature(primal, request, PTR), "augmented")
    reverse = engine.new_function(context.facts, reverse_signature(primal, request, PTR), "reverse")
    _Augmented(engine, context, loop, state, augmented).run()
    _Reverse(engine, context, loop, state, reverse).run(step)
    split = SplitDerived(augmented, reverse, PTR)
    split.used = reverse.used()
    return split


def _holds_integers(context: Context, type_: Type) -> bool:
    """Adjoints of such a type are no numbers that can be added."""
    return any(isinstance(leaf, IntType) for _, leaf, _ in scalar_leaves(context.layout, type_))


# What both passes emit ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Area:
    """Copies of memory: address, bytes and place of each, and the bytes of all."""

    parts: Sequence[tuple[Value, Value, Value]]
    bytes: Value


class _Pass:
    """One of the functions, and what of the loop is emitted in both."""

    def __init__(
        self, engine: Engine, context: Context, loop: CheckpointedLoop, state: State, derived: Derived
    ) -> None:
        from .engine import argument_maps

        self.engine = engine
        self.module = engine.module
        self.context = context
        self.loop = loop
        self.derived = derived
        self.lanes = Lanes(context.request.width)
        self.values, self.shadows = argument_maps(context, derived)
        self.entry = derived.function.add_block(Block("entry"))
        self.b = Builder(self.entry)
        self.places = {phi: [self.b.alloca(phi.type, name=phi.name)] for phi in loop.phis}
        """Of each steered value, and of its shadows."""
        for phi, places in self.places.items():
            start = phi.incoming(loop.loop.entry)
            self.b.store(self.values[start], places[0])
            if isinstance(phi.type, PointerType) and context.activity.has_shadow(phi):
                for lane in self.lanes.each():
                    places.append(self.b.alloca(PTR))
                    self.b.store(self.shadows[lane].get(start, self.values[start]), places[-1])
        self.head = sum(len(places) for places in self.places.values()) * _WORD
        self.snapshot = self._area(state.changing)
        told = set(state.told)
        self.told = [p for p, extent in zip(self.snapshot.parts, state.changing, strict=True) if extent in told]
        self.once = self._area(state.constant)
        self.aside = self._area([*state.changing, *state.constant, *state.results])

    def _area(self, extents: Sequence[Extent]) -> _Area:
        """Memory for copies, behind room for steered values."""
        at: Value = const_int(I64, -(-self.head // _LINE) * _LINE)
        parts = []
        for base, size in extents:
            bytes_ = self.values.get(size, size)
            parts.append((self.values.get(base, base), bytes_, at))
            rounded = self.b.binary("and", self.b.add(bytes_, const_int(I64, _LINE - 1)), const_int(I64, -_LINE))
            at = self.b.add(at, rounded)
        return _Area(parts, self.b.add(at, const_int(I64, _LINE)))

    def block(self, name: str) -> Block:
        return self.derived.function.add_block(Block(name))

    def go(self, block: Block) -> None:
        self.b = Builder(block)

    def helper(self, name: str, *arguments: Value) -> Value:
        return self.b.call(runtime_function(self.module, f"checkpoint_{name}"), list(arguments))

    def registers(self) -> dict[Value, Value]:
        """The loop's values in this step."""
        return self.values | {phi: self.b.load(phi.type, places[0]) for phi, places in self.places.items()}

    def shadow(self, v: Value, known: Again, lane: int) -> Value:
        """The shadow of a steered pointer, or of one that the loop was given."""
        if isinstance(v, ir.Phi) and v in self.places:
            places = self.places[v]
            return self.b.load(PTR, places[1 + lane]) if len(places) > 1 else known.value(v)
        match v:
            case Argument():
                return self.shadows[lane].get(v, known.value(v))
            case ir.Phi(operands=[only]):  # what closes the loop
                return self.shadow(only, known, lane)
            case ir.GetElementPtr():
                base = self.shadow(v.operands[0], known, lane)
                return self.b.gep(v.source_type, base, [known.value(o) for o in v.operands[1:]], v.flags)
            case ir.Select():
                then, otherwise = (self.shadow(o, known, lane) for o in v.operands[1:])
                return self.b.select(known.value(v.operands[0]), then, otherwise)
        return known.value(v)

    def step(self) -> None:
        """Run a step as it is."""
        known = self.registers()
        self.b.call(self.loop.step, [known[a] for a in self.loop.call.arguments])

    def advance(self, known: Again) -> None:
        """Steered values become those of the next step."""
        new: list[tuple[Value, Value]] = []
        for phi, value in zip(self.loop.phis, self.loop.following, strict=True):
            places = self.places[phi]
            new.append((known.value(value), places[0]))
            new += [(self.shadow(value, known, lane), place) for lane, place in enumerate(places[1:])]
        for value, place in new:
            self.b.store(value, place)

    def _move(self, to: Value, from_: Value, size: Value) -> None:
        move = intrinsic(self.module, "memcpy", PTR, PTR, I64)
        self.b.call(move, [to, from_, size, const_int(I1, 0)])

    def copy(self, area: _Area, memory: Value) -> None:
        for base, size, offset in area.parts:
            self._move(self.b.ptradd(memory, offset), base, size)

    def copy_back(self, area: _Area, memory: Value) -> None:
        for base, size, offset in area.parts:
            self._move(base, self.b.ptradd(memory, offset), size)

    def save(self, memory: Value) -> None:
        """Make a snapshot."""
        at = 0
        for phi, places in self.places.items():
            for place in places:
                self.b.store(self.b.load(phi.type, place), self.b.ptradd(memory, at))
                at += _WORD
        self.copy(self.snapshot, memory)

    def restore(self, memory: Value) -> None:
        at = 0
        for phi, places in self.places.items():
            for place in places:
                self.b.store(self.b.load(phi.type, self.b.ptradd(memory, at)), place)
                at += _WORD
        self.copy_back(self.snapshot, memory)

    def reserve(self, area: _Area) -> Value:
        return self.b.call(runtime_function(self.module, "reserve"), [null(PTR), area.bytes])

    def free(self, memory: Value) -> None:
        self.b.call(self.module.declare("free", function_type(VOID, (PTR,))), [memory])


class _Augmented(_Pass):
    """Runs the steps, with copies in front of some."""

    def run(self) -> None:
        loop, b = self.loop, self.b
        number = b.alloca(I64, name="steps")
        total = self._count() if loop.condition is not None else const_int(I64, -1)
        slots = self.values[loop.loop.arguments[loop.slots]]
        store = self.helper("new", self.snapshot.bytes, total, slots)
        if self.once.parts:
            once = self.reserve(self.once)
            self.copy(self.once, once)
            self.b.store(once, self.b.ptradd(store, _ONCE))
        self.b.store(const_int(I64, 0), number)
        head, kept, step, onward = (self.block(name) for name in ("head", "keep", "step", "next"))
        leaving = [self.block("left") for _ in loop.exits]
        self.b.jump(head)
        self.go(head)
        memory = self.helper("keep", store, self.b.load(I64, number))
        self.b.branch(self.b.icmp("eq", memory, null(PTR)), step, kept)
        self.go(kept)
        self.save(memory)
        self.b.jump(step)
        self.go(step)
        self.step()
        self.b.store(self.b.add(self.b.load(I64, number), const_int(I64, 1)), number)
        known = Again(self.b, self.registers())
        if loop.condition is not None:
            (left,) = leaving
            self.b.branch(known.value(loop.condition), *((left, onward) if loop.leaves else (onward, left)))
        else:
            assert loop.code is not None
            code = self.b.load(I32, self.values[loop.code])
            cases = [(const_int(I32, n + 1), block) for n, block in enumerate(leaving)]
            self.b.insert(ir.Switch(code, onward, cases))
        self.go(onward)
        self.advance(Again(self.b, self.registers()))
        self.b.jump(head)
        for block, values in zip(leaving, loop.exits, strict=True):
            self.go(block)
            self.helper("turn", store, self.b.load(I64, number))
            self._leave(store, values)

    def _count(self) -> Value:
        """How many steps there will be: the steered values alone, counted."""
        loop, b = self.loop, self.b
        assert loop.condition is not None
        count, counted = self.block("count"), self.block("counted")
        b.jump(count)
        self.go(count)
        steps = self.b.phi(I64, "step")
        copies = {phi: self.b.phi(phi.type, phi.name) for phi in loop.phis}
        known = Again(self.b, self.values | copies)
        more = self.b.add(steps, const_int(I64, 1))
        for phi, value in zip(loop.phis, loop.following, strict=True):
            Builder.add_incoming(copies[phi], self.values[phi.incoming(loop.loop.entry)], self.entry)
            Builder.add_incoming(copies[phi], known.value(value), count)
        Builder.add_incoming(steps, const_int(I64, 0), self.entry)
        Builder.add_incoming(steps, more, count)
        self.b.branch(known.value(loop.condition), *((counted, count) if loop.leaves else (count, counted)))
        self.go(counted)
        return more

    def _leave(self, store: Value, values: dict[int, Value]) -> None:
        result = self.context.function.function_type.result
        known = Again(self.b, self.registers())
        parts: list[Value] = []
        for part in self.lanes.of(self.derived.signature.results):
            match part.role:
                case Role.TAPE:
                    parts.append(store)
                case Role.RESULT:
                    parts.append(packed(self.b, result, {at: known.value(v) for at, v in values.items()}))
                case _:
                    shadows = {at: self.shadow(v, known, part.lane) for at, v in values.items()}
                    parts.append(packed(self.b, result, shadows))
        return_parts(self.b, self.derived.signature, parts)


class _Reverse(_Pass):
    """Goes back over the steps, as it is told."""

    def run(self, step: Derived) -> None:
        roles = self.derived.signature.parameters
        store = next(a for p, a in zip(roles, self.derived.function.arguments, strict=True) if p.role is Role.TAPE)
        adjoints = {
            (part.index, part.lane): self._variable(part.type) for part in self.lanes.of(self.derived.signature.results)
        }
        where = self.b.alloca(PTR, name="snapshot")
        aside = self.reserve(self.aside)
        self.copy(self.aside, aside)
        if self.once.parts:
            self.copy_back(self.once, self.b.load(PTR, self.b.ptradd(store, _ONCE)))
        act, done = self.block("act"), self.block("done")
        todo: dict[int, tuple[str, Callable[[], None]]] = {
            RESTORE: ("restore", lambda: self.restore(self.b.load(PTR, where))),
            KEEP: ("keep", lambda: self.save(self.b.load(PTR, where))),
            ADVANCE: ("advance", self._onward),
            REVERSE: ("reverse", lambda: self._back(step, adjoints)),
            COMPARE: ("compare", lambda: self._compare(self.b.load(PTR, where))),
        }
        blocks = {code: self.block(name) for code, (name, _) in todo.items()}
        self.b.jump(act)
        self.go(act)
        code = self.helper("next", store, where)
        self.b.insert(ir.Switch(code, done, [(const_int(I64, n), block) for n, block in blocks.items()]))
        for number, block in blocks.items():
            self.go(block)
            todo[number][1]()
            self.b.jump(act)
        self.go(done)
        self.copy_back(self.aside, aside)
        self.free(aside)
        parts = [
            self.b.load(part.type, adjoints[part.index, part.lane])
            for part in self.lanes.of(self.derived.signature.results)
        ]
        return_parts(self.b, self.derived.signature, parts)

    def _onward(self) -> None:
        self.step()
        self.advance(Again(self.b, self.registers()))

    def _variable(self, type_: Type) -> Value:
        place = self.b.alloca(type_)
        self.b.store(zero(type_), place)
        return place

    def _back(self, step: Derived, adjoints: dict[tuple[int, int], Value]) -> None:
        """The whole derivative of a step."""
        known = Again(self.b, self.registers())
        given = self.loop.call.arguments
        arguments = []
        for part in self.lanes.of(step.signature.parameters):
            actual = given[part.index]
            is_shadow = part.role is Role.SHADOW
            arguments.append(self.shadow(actual, known, part.lane) if is_shadow else known.value(actual))
        result = self.b.call(step.function, arguments)
        for part in self.lanes.of(step.signature.results):
            adjoint = step.signature.extract(self.b, result, part.role, part.index, part.lane)
            actual = given[part.index]
            place = adjoints.get((actual.index, part.lane)) if isinstance(actual, Argument) else None
            if adjoint is not None and place is not None:
                total = self.b.load(adjoint.type, place)
                self.b.store(add(self.b, total, adjoint), place)

    def _compare(self, expected: Value) -> None:
        """Run the step in front of a snapshot once more: it must end in what was copied then.

        Only the user's word can be wrong. In other memory there may be bytes that nobody wrote, as between members.
        """
        if not self.told:
            return
        aside = self.reserve(self.snapshot)
        self.save(aside)
        self.step()
        compare = self.module.declare("memcmp", function_type(I32, (PTR, PTR, I64)))
        differs: Value = const_int(I32, 0)
        for base, size, offset in self.told:
            difference = self.b.call(compare, [base, self.b.ptradd(expected, offset), size])
            differs = self.b.binary("or", differs, difference)
        stop, same = self.block("differs"), self.block("same")
        self.b.branch(self.b.icmp("ne", differs, const_int(I32, 0)), stop, same)
        self.go(stop)
        stop_with(self.module, self.b, "a step of a checkpointed loop did something else when it was run again")
        self.go(same)
        self.restore(aside)
        self.free(aside)
