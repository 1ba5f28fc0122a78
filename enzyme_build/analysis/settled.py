"""Constants that are certainly in memory where a branch asks for them.

What a `std::variant` holds is noted beside it, and asked for soon after. Where the note has just been written the
answer is known, but LLVM does not always find it: an object with a string leads to itself, so that its address may be
anywhere and any store may change it. What is left then are branches for the other alternatives, which take the bits of
a number for a pointer or a length.

A load is *settled* if a store of the same constant stands on every way to it, and nothing between writes there. That is
shown of the code without the branches that are never taken if all such loads are settled, where pointers lead to fewer
objects. It holds of all runs: the first load to give something else would come behind a run of that code only, of which
it was shown that it cannot. (Wegman and Zadeck, "Constant propagation with conditional branches", 1991.)
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import IntType
from enzyme_build.ir.values import ConstantInt
from enzyme_build.rules.memory import Transfer

from .known import call_effects
from .objects import objects
from .offsets import fixed_base
from .other_threads import lets_others_act
from .writes import TypeTags, may_be_same, type_tag

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from enzyme_build.ir.function import Block
    from enzyme_build.ir.values import Value

    from .cfg import ControlFlow
    from .memory import Memory
    from .regions import Region

_MOST_STEPS: Final = 2000
"""Instructions that are looked at for one load."""


def perhaps_settled(memory: Memory, cfg: ControlFlow) -> dict[ir.Load, ConstantInt]:
    """The loads that decide a branch and find a store of the same constant on every way, with what they find."""
    found: dict[ir.Load, ConstantInt] = {}
    candidates = list(_deciding(cfg))
    before = -1
    while len(found) != before:
        before = len(found)
        for load in candidates:
            constant = _Search(memory, cfg, load, found).constant() if load not in found else None
            if constant is not None:
                found[load] = constant
    return found


def is_settled(memory: Memory, cfg: ControlFlow, load: ir.Load, assumed: Mapping[ir.Load, ConstantInt]) -> bool:
    """Does nothing else reach the load, as long as the others give what is assumed of them?"""
    search = _Search(memory, cfg, load, assumed)
    return search.constant() is assumed[load] and all(map(search.is_elsewhere, search.doubtful))


def not_refuted(
    memory: Memory,
    cfg: ControlFlow,
    assumed: Mapping[ir.Load, ConstantInt],
    reached: Collection[Block],
    changing: Collection[str],
) -> dict[ir.Load, ConstantInt]:
    """The loads but for those whose object is given, on a way through the blocks that are `reached`, to a function that
    writes it. Whatever is left out then, of functions that are not `changing`, such a load cannot be shown to be
    settled: knowing it beforehand saves looking at the memory of the whole program to find out."""
    left: dict[ir.Load, ConstantInt] = {}
    for load, constant in assumed.items():
        search = _Search(memory, cfg, load, assumed, reached)
        search.constant()
        if not any(search.is_given(i, changing) for i in search.doubtful if isinstance(i, ir.CallBase)):
            left[load] = constant
    return left


def _deciding(cfg: ControlFlow) -> Iterator[ir.Load]:
    for block in cfg.order:
        last = block.terminator
        if not isinstance(last, ir.Branch | ir.Switch):
            continue
        value = last.operands[0]
        if isinstance(value, ir.Compare) and isinstance(value.operands[1], ConstantInt):
            value = value.operands[0]
        while isinstance(value, ir.Cast) and value.op in ("zext", "sext", "trunc"):
            value = value.operands[0]
        if isinstance(value, ir.Load) and isinstance(value.type, IntType) and not value.volatile and not value.ordering:
            yield value


class _Search:
    """Goes back from a load, on all ways, to the stores that wrote what it reads."""

    def __init__(
        self,
        memory: Memory,
        cfg: ControlFlow,
        load: ir.Load,
        assumed: Mapping[ir.Load, ConstantInt],
        reached: Collection[Block] | None = None,
    ) -> None:
        self.memory = memory
        self.cfg = cfg
        self.reached = reached
        self.load = load
        self.assumed: Mapping[Value, ConstantInt] = assumed  # type: ignore[assignment]
        self.size = memory.layout.store_size(load.type)
        self.base, self.at = fixed_base(memory.layout, load.pointer)
        self.stored: set[ConstantInt] = set()
        self.doubtful: dict[ir.Instruction, None] = {}
        """What lies between, and must be elsewhere."""

    @cached_property
    def lent(self) -> Mapping[Region, None]:
        """What any call of a library may write: asked for where a call is in the way."""
        return self.memory.lent()

    def constant(self) -> ConstantInt | None:
        """The one constant that is stored on every way to the load."""
        block = self.load.block
        pending: list[tuple[Block, int]] = [(block, block.instructions.index(self.load))]
        entered: set[Block] = set()
        steps = 0
        while pending and len(self.stored) < 2:
            block, end = pending.pop()
            steps += end
            if steps > _MOST_STEPS:
                return None
            found = self._last_store(block, end)
            if found is not None:
                constant = self.assumed.get(found.value, found.value)
                if not self._is_whole(found) or not isinstance(constant, ConstantInt):
                    return None
                self.stored.add(constant)
                continue
            reached = self.reached
            before = [b for b in self.cfg.predecessors[block] if reached is None or b in reached]
            if not before or self.base in block.instructions[:end]:  # before that, the pointer was another one
                return None
            pending += [(source, len(source.instructions)) for source in before if source not in entered]
            entered.update(before)
        return next(iter(self.stored)) if len(self.stored) == 1 else None

    def _last_store(self, block: Block, end: int) -> ir.Store | None:
        """The last store to the load's place in front of an instruction."""
        for i in reversed(block.instructions[:end]):
            if i is self.base:
                return None
            if isinstance(i, ir.Store):
                base, at = fixed_base(self.memory.layout, i.pointer)
                if base is not self.base:
                    self.doubtful[i] = None
                elif -self.memory.layout.store_size(i.value.type) < at - self.at < self.size:
                    return i
            elif isinstance(i, ir.CallBase | ir.AtomicRMW | ir.CompareExchange):
                self.doubtful[i] = None
        return None

    def _is_whole(self, store: ir.Store) -> bool:
        """Is all that the load reads what this stores?"""
        return store.value.type is self.load.type and fixed_base(self.memory.layout, store.pointer)[1] == self.at

    def is_given(self, call: ir.CallBase, changing: Collection[str]) -> bool:
        """Is the load's object passed to a function that writes to it, and that is not `changing`?"""
        callee, module = call.callee, self.memory.module
        if not isinstance(callee, Function) or callee.name in changing or not module.is_defined(callee.name):
            return False
        body = self.memory.others.get(module.function(callee.name))
        known = call_effects(module, call)
        if body is None or (known is not None and known.overrides_body):
            return False
        for passed, argument in zip(call.arguments, body.function.arguments, strict=False):
            place = body.place(argument) if fixed_base(self.memory.layout, passed)[0] is self.base else None
            if place is not None and place.region.writes:
                return True
        return False

    def is_elsewhere(self, i: ir.Instruction) -> bool:
        """Does this certainly not write what the load reads?"""
        match i:
            case ir.Store():
                size = self.memory.layout.store_size(i.value.type)
                disjoint = TypeTags(self.memory.module).disjoint(type_tag(self.load), type_tag(i))
                return disjoint or self._apart(i.pointer, size)
            case ir.CallBase():
                return self._call_is_elsewhere(i)
            case _:
                return self._apart(i.operands[0], 1)

    def _call_is_elsewhere(self, call: ir.CallBase) -> bool:
        effects = self.memory.effects.get(call)
        place = self.memory.place(self.load.pointer)
        if effects is None or place is None or (place.region.external and lets_others_act(self.memory, call)):
            return False
        own = isinstance(call.callee, Function) and not self.memory.module.is_defined(call.callee.name)
        if place.region in self.lent:
            return False
        written = {p.resolved().region for p in (effects.writes if own else [*effects.writes, *effects.frees])}
        if place.region not in written and not any(may_be_same(place.region, region) for region in written):
            return True
        known = call_effects(self.memory.module, call)
        transfer = known.known if known is not None else None
        return isinstance(transfer, Transfer) and self._apart(call.arguments[transfer.destination], 1)

    def _apart(self, pointer: Value, size: int) -> bool:
        """Does a pointer lead to other objects than the load's?"""
        mine, other = self.memory.place(self.load.pointer), self.memory.place(pointer)
        if mine is None or other is None:
            return False
        if mine.region is not other.region and not may_be_same(mine.region, other.region):
            return True
        found = objects(self.memory)
        ours, others = found.places(self.load.pointer, self.size), found.places(pointer, size)
        if not ours or not others:
            return False
        return not any(a.region is b.region or (a.region.external and b.region.external) for a in ours for b in others)
