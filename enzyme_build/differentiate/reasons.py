"""Why something is kept on the tape, read again or computed again, in users' words; and what they could do about it.

A reason is one of how the item could be had (`tape.Sources`): what only the forward sweep can give is kept for that;
what could be computed again is kept where that is less than keeping what it is made of. Advice is given only where
following it is known to let the plan keep less.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from enzyme_build.analysis.aliasing import Reason
from enzyme_build.analysis.known import call_effects
from enzyme_build.analysis.needed import Item, ItemKind, primal
from enzyme_build.analysis.snapshots import Snapshot
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.debug import language_of
from enzyme_build.ir.function import Block
from enzyme_build.ir.types import IntType, PointerType
from enzyme_build.ir.values import Argument, Value
from enzyme_build.rules.registry import MultipleFunction, ScalarFunction

from .checkpoint_loops import CARRIED, LOOP_NAME
from .heap import Release
from .report import Advice, Kept, What, Why
from .tape import Class, Kind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from enzyme_build.analysis.aliasing import Fate
    from enzyme_build.analysis.loops import Loop

    from .prepare import Cause, Prepared
    from .report import Chain
    from .source_names import SourceNames

_WORDS = {
    "fadd": "sum",
    "fsub": "difference",
    "fmul": "product",
    "fdiv": "quotient",
    "frem": "remainder",
}
_INTRINSICS = {"fmuladd": "product and sum", "fma": "product and sum", "fabs": "absolute value"}
_ADDRESSES = "it compares addresses, which the other pass may be given otherwise"
_FAR = 64
"""Steps of recomputation that are followed."""
_LISTED = 3
_QUALIFIERS = (("C_plus_plus", "__restrict"), ("C", "restrict"))
"""By the beginning of DWARF's names of languages."""
_LOOP = "the checkpointed loop"


class Reasons:
    """Answers for one function."""

    def __init__(self, prepared: Prepared, names: SourceNames, causes: Mapping[Item, Collection[Cause]]) -> None:
        """`causes`: what reads an item itself."""
        self.prepared = prepared
        self.context = prepared.context
        self.sources = prepared.sources
        self.tape = prepared.plan
        self.names = names
        self.causes = causes

    # What it is ----------------------------------------------------------------------------------------------------

    def name(self, item: Item) -> str:
        subject = item.subject
        match item.kind:
            case ItemKind.SHADOW:
                assert isinstance(subject, Value)
                return f"where the adjoints of {self._pointer(subject)} are"
            case ItemKind.EDGE:
                return "the branch taken"
            case ItemKind.COUNT:
                return "the number of iterations"
            case ItemKind.TAPE:
                assert isinstance(subject, ir.CallBase)
                if plain_name(subject) == _LOOP:
                    return f"where the snapshots of {_LOOP} are"
                return f"the tape of {plain_name(subject)}" if subject in self.prepared.derived else "the size before"
            case ItemKind.SNAPSHOT:
                assert isinstance(subject, Snapshot)
                return f"a copy of {self.names.memory(subject.base) or 'an array'}"
            case _:
                assert isinstance(subject, Value)
                return self._value(subject)

    def _carried(self, v: ir.Phi) -> str:
        """What an iteration has of the one before."""
        loop = self.context.facts.loops.loop_of(v.block)
        assert loop is not None
        before = v.incoming(loop.latch) if loop.latch is not None else v
        name = self.names.element(before.pointer) if isinstance(before, ir.Load) else self.names.variable(before)
        return f"{name or 'a value'} of the iteration before"

    def _pointer(self, v: Value) -> str:
        return self.names.element(v) or self.names.variable(v) or "memory without a name"

    def _value(self, v: Value) -> str:
        variable = self.names.variable(v)
        match v:
            case ir.Load():
                name = self.names.element(v.pointer)
                if variable and name and variable != name:
                    return f"{variable}, read from {name}"
                return variable or name or "a value read from memory"
            case ir.Phi() if self._begins_iteration(v):
                return f"{variable} at the start of an iteration" if variable else self._carried(v)
            case ir.Phi() if self._leaves_loop(v):
                return variable or f"{self.names.variable(v.operands[0]) or 'a value'} after the loop"
            case ir.Phi():
                return variable or "the value of the branch taken"
            case ir.Binary() | ir.Negate() | ir.CallBase():
                return f"{variable}, {self.operation(v)}" if variable else self.operation(v)
            case ir.Compare():
                return variable or "the outcome of a comparison"
            case ir.Select():
                return variable or "the value chosen"
            case ir.Cast():
                return variable or "a value converted"
        return variable or ("an address" if v.type.text == "ptr" else "a value")

    def operation(self, v: Value) -> str:
        """`the product`, `the result of exp`."""
        if isinstance(v.type, IntType):
            return "an integer"
        match v:
            case ir.Binary():
                return f"the {_WORDS.get(v.op, 'result of ' + v.op)}"
            case ir.Negate():
                return "the negative"
            case ir.CallBase():
                plain = plain_name(v)
                return f"the {_INTRINSICS[plain]}" if plain in _INTRINSICS else f"the result of {plain}"
        return self._value(v)

    def place(self, item: Item) -> Chain:
        subject = item.subject
        match subject:
            case Block():
                # The branch itself, not the place where both ways meet again.
                dominator = self.context.facts.dominators.idom.get(subject)
                own = self.names.own(dominator.terminator) if dominator is not None else ()
                return own or self.names.of_block(subject)
            case Snapshot():
                return self.names.of_loop(subject.loop)
            case ir.Instruction():
                return self.names.chain(subject)
        return self.names.of_loop(subject)  # type: ignore[arg-type]

    # Why it is kept ------------------------------------------------------------------------------------------------

    def kept(self, item: Item) -> tuple[Why, str, Chain]:
        """Why it is kept, in short and in words, and the place that the words are about."""
        kind, parts = self.sources.of(item)
        if kind is Kind.RECOMPUTED:
            return Why.LESS, self._made_of(parts), ()
        subject = item.subject
        match item.kind:
            case ItemKind.EDGE:
                return Why.BRANCH, "no condition that can be had again decides it alone", ()
            case ItemKind.COUNT if self.sources.count(subject) is not None:  # type: ignore[arg-type]
                return Why.MEMORY, _ADDRESSES, ()
            case ItemKind.COUNT:
                return Why.COUNT, "it is known only when the loop is left", ()
            case ItemKind.TAPE:
                return Why.CALL, self._snapshots(subject) or "the reverse pass of the call reads it", ()
            case ItemKind.SNAPSHOT:
                return Why.COPY, "the loop reads the array over and over, and it is overwritten later", ()
        match subject:
            case ir.Load():
                return self._lost(self.context.aliasing.fate(subject))
            case ir.Phi():
                return self._phi(subject)
            case ir.Binary():
                return Why.DEAR, f"{self.operation(subject)} costs more to compute again than to keep", ()
            case ir.CallBase() if self._is_math(subject):
                return Why.DEAR, f"{plain_name(subject)} costs more to call again than its result to keep", ()
            case ir.CallBase():
                return Why.CALL, "the call is not made again", ()
            case ir.Cast() | ir.Compare():
                return Why.MEMORY, _ADDRESSES, ()
            case ir.Alloca():
                return Why.MEMORY, "the address is known only in the forward sweep", ()
        return Why.OTHER, "only the forward sweep has it", ()

    def _snapshots(self, call: object) -> str:
        """What the snapshots of a checkpointed loop hold."""
        loop = self.prepared.engine.program.checkpoints.get(getattr(getattr(call, "callee", None), "name", ""))
        if loop is None or loop.state is None or not isinstance(call, ir.CallBase):
            return ""
        given = dict(zip(loop.loop.arguments, call.arguments, strict=True))
        bases = [given.get(base, base) for base, _ in loop.state.changing]  # type: ignore[call-overload]
        numbers = sum(isinstance(base, ir.Alloca) and (base.name or "").startswith(CARRIED) for base in bases)
        names = [self.names.memory(b) or "an array" for b in bases if not (b.name or "").startswith(CARRIED)]
        names += [f"{numbers} of the numbers that steps hand on"] if numbers else []
        return f"each snapshot holds {', '.join(names)}; steps are run again from there" if names else ""

    def _phi(self, v: ir.Phi) -> tuple[Why, str, Chain]:
        if self._begins_iteration(v):
            return Why.STEPWISE, "each iteration makes it from that of the one before", ()
        if self._leaves_loop(v):
            return Why.STEPWISE, "a loop makes it step by step", ()
        return Why.BRANCH, "it depends on the branch taken", ()

    def _begins_iteration(self, v: Value) -> bool:
        if not isinstance(v, ir.Phi):
            return False
        loop = self.context.facts.loops.loop_of(v.block)
        return loop is not None and loop.header is v.block

    def _leaves_loop(self, v: ir.Phi) -> bool:
        """Is it the last value that a loop made?"""
        if len(v.operands) != 1 or not isinstance(v.operands[0], ir.Instruction):
            return False
        forest = self.context.facts.loops
        return forest.loop_of(v.operands[0].block) is not forest.loop_of(v.block)

    def _made_of(self, parts: tuple[Item, ...]) -> str:
        """What would have to be kept instead."""
        found: dict[str, None] = {}
        pending, seen = list(parts), set(parts)
        while pending and len(seen) < _FAR:
            item = pending.pop(0)
            if self.tape.classes.get(item) is Class.KEPT:
                continue  # it is there anyway
            kind, further = self.sources.of(item)
            if kind is Kind.SOURCE:
                found[self._short(item) if self._is_named(item) else ""] = None
            fresh = [one for one in further if one not in seen]
            seen.update(fresh)
            pending += fresh
        names = list(filter(None, found))
        more = " and more" if len(names) > _LISTED or "" in found else ""
        listed = f"{', '.join(names[:_LISTED])}{more}" if names else "what it is computed from"
        return f"otherwise {listed} would have to be kept"

    def _is_named(self, item: Item) -> bool:
        subject = item.subject
        if item.kind is not ItemKind.PRIMAL or not isinstance(subject, ir.Instruction):
            return True
        if isinstance(subject, ir.Load):
            return bool(self.names.element(subject.pointer))
        return bool(self.names.variable(subject)) or not isinstance(subject.type, IntType | PointerType)

    def _short(self, item: Item) -> str:
        """A name without what follows from it."""
        return self.name(item).partition(", ")[0]

    def _lost(self, fate: Fate) -> tuple[Why, str, Chain]:
        """Why memory cannot be read again."""
        here = self.names.memory(fate.load.pointer) or "the memory"
        match fate.reason:
            case Reason.LIBRARY:
                return Why.OVERWRITTEN, f"a library may change {here} in any call", ()
            case Reason.CALLER:
                return Why.OVERWRITTEN, f"{here} may be changed between the two passes", ()
            case Reason.OVERWRITTEN:
                write = fate.writes[0]
                if isinstance(write, ir.CallBase):
                    text = f"{plain_name(write)} may overwrite it before the reverse sweep reads it"
                elif fate.other:
                    target = self.names.memory(write.pointer) if isinstance(write, ir.Store) else ""
                    text = f"{target or 'memory'} that is written may be the same as {here}"
                else:
                    text = f"{here} is written later, before the reverse sweep reads it"
                return Why.OVERWRITTEN, text, self.names.chain(write)
        return Why.OTHER, "the memory is volatile, or its address is not followed", ()

    # Why it is not kept --------------------------------------------------------------------------------------------

    def read_again(self, load: ir.Load) -> str:
        if self.sources.snapshot(load) is not None:
            return "from a copy of the array"
        match self.context.aliasing.fate(load).reason:
            case Reason.MOVES_ON:
                return "what is written later is elsewhere"
            case Reason.BEFORE:
                return "it is not overwritten afterwards"
            case Reason.CONSTANT:
                return "it is constant"
        return "nothing overwrites it"

    # Who needs it --------------------------------------------------------------------------------------------------

    def need(self, cause: Cause, item: Item) -> tuple[str, Chain]:
        """What in the reverse sweep reads an item, or what is computed from it."""
        match cause:
            case Block():
                return "going back the way that was taken", self.place(Item(ItemKind.EDGE, cause))
            case ir.Load() | ir.Store():
                where = self.names.element(cause.pointer)
                return f"finding the adjoint of {where}" if where else "finding an adjoint", self.names.chain(cause)
            case ir.Select():
                return "which value was chosen", self.names.chain(cause)
            case ir.CallBase():
                return self._call_needs(cause, item), self.names.chain(cause)
            case ir.Instruction():
                own = " (from the result)" if item.subject is cause else ""
                return f"the slope of {self.operation(cause)}{own}", self.names.chain(cause)
        return "going through the loop backwards", self.names.of_loop(cause)

    def _call_needs(self, call: ir.CallBase, item: Item) -> str:
        name = plain_name(call)
        if self._is_math(call):
            if item.subject is call:
                return f"the slope of {name} (from its result)"
            return f"the slope of {self.operation(call).removeprefix('the result of ')}"
        if call in self.prepared.joint:
            return "running an iteration again"
        if call in self.prepared.derived:
            return f"the reverse pass of {name}"
        return f"the reverse of {name}"

    def _is_math(self, call: ir.CallBase) -> bool:
        effects = call_effects(self.context.module, call)
        return effects is not None and isinstance(effects.known, ScalarFunction | MultipleFunction)

    # Memory --------------------------------------------------------------------------------------------------------

    def late_release(self, call: ir.CallBase) -> Kept | None:
        """Memory that the program frees here and the derivative in the end."""
        if self.prepared.heap.releases.get(call) is not Release.DEFERRED:
            return None
        loop = self.context.facts.loops.loop_of(call.block)
        numbers = {one: number for number, one in enumerate(self.context.facts.loops.loops)}
        return Kept(
            what=What.MEMORY,
            name=self.names.memory(call.arguments[0]) or "memory",
            bytes=None,
            type="",
            loop=None if loop is None else numbers[loop],
            place=self.names.chain(call),
            why=Why.MEMORY,
            reason="it is freed when the derivative is done, as the reverse sweep may read it",
        )

    # Advice --------------------------------------------------------------------------------------------------------

    def advice(self) -> Iterator[Advice]:
        """What would make the tape smaller for sure."""
        said = set()
        for slot in self.tape.slots.values():
            subject = slot.item.subject
            if slot.item.kind is not ItemKind.PRIMAL or slot.item.lane or not isinstance(subject, ir.Instruction):
                continue
            found = None
            if isinstance(subject, ir.Load):
                found = self._unshared(subject)
            elif isinstance(subject, ir.Binary) and slot.loop is not None:
                found = self._reciprocal(subject, slot.loop)
            if found is not None and found not in said:
                said.add(found)
                yield Advice(found, self.names.chain(subject))

    def _unshared(self, load: ir.Load) -> str | None:
        """A promise that arguments do not overlap, where nothing else keeps a load from being repeated."""
        fate = self.context.aliasing.fate(load)
        language = language_of(self.context.module, self.context.function)
        qualifier = next((word for start, word in _QUALIFIERS if re.match(rf"{start}(\d|_|$)", language)), None)
        if qualifier is None or not fate.other:
            return None
        origin = self._only_argument(load.pointer)
        one = self.names.variable(origin) if origin is not None else ""
        written = {self.names.memory(w.pointer) if isinstance(w, ir.Store) else "" for w in fate.writes}
        if not one or "" in written:
            return None
        others = " and ".join(sorted(written))
        return (
            f"if {one} never overlaps {others}, declare {one} '{qualifier}': "
            f"then {self.names.element(load.pointer) or one} is read again instead of being kept"
        )

    def _only_argument(self, pointer: Value) -> Argument | None:
        """The argument that all pointers to this memory are made from."""
        place = self.context.memory.place(pointer)
        origins = place.resolved().region.origins if place is not None else set()
        only = next(iter(origins)) if len(origins) == 1 else None
        return only if isinstance(only, Argument) else None

    def _reciprocal(self, v: ir.Binary, loop: Loop) -> str | None:
        """A division by the same number in each iteration, of something that can be had again."""
        if v.op != "fdiv" or self.tape.classes.get(primal(v)) is not Class.KEPT:
            return None
        dividend, divisor = v.operands
        fixed = not isinstance(divisor, ir.Instruction) or divisor.block not in loop.blocks
        if not fixed or not (self.sources.costs_nothing(primal(dividend)) or self._is_there_anyway(dividend, v)):
            return None
        name = self.names.variable(divisor) or "the divisor"
        return (
            f"multiply by 1/{name}, computed before the loop: then the quotient need not be kept (its last bit may "
            "differ)"
        )

    def _is_there_anyway(self, v: Value, reader: ir.Instruction) -> bool:
        """Is the value kept whatever `reader` reads, since others read it and only the forward sweep has it?"""
        others = [cause for cause in self.causes.get(primal(v), ()) if cause is not reader]
        return bool(others) and self.sources.of(primal(v))[0] is Kind.SOURCE


def plain_name(call: ir.Instruction) -> str:
    """The name of a function; of an intrinsic of LLVM, without what tells its type."""
    name = str(getattr(getattr(call, "callee", None), "name", None) or "a function called through a pointer")
    if name.startswith(LOOP_NAME):
        return _LOOP
    if name.startswith(("llvm.", "enzyme_build.")):  # ours stand for a library's function, or for memory
        name = name.partition(".")[2].partition(".")[0]
    return name
