"""Activity: which values and which memory carry derivatives.

A value is *varied* if it depends on an active argument, *useful* if an active result depends on it, and *active* if
both; the same for regions of memory. Memory is judged as a whole region and without regard to order: unknown is
active, since a needless adjoint is slow and a missing one is wrong.

A region is *shadowed* if it is active or holds pointers to shadowed regions: pointers to it have shadows. Where a
shadowed region may also be memory that has no shadow (constant arguments, constant tables), its pointers are
*uncertain*: the shadow of constant memory is that memory itself, and every access compares the two at run time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import IntType, PointerType
from enzyme_build.ir.values import Constant, GlobalVariable, Value
from enzyme_build.records import dataclass
from enzyme_build.rules.inactive import CHECKS, compares

from .active import ActivityResult
from .annotations import annotations_of
from .bit_sources import Varied
from .bitflow import bit_flow
from .bits import words_of
from .carriers import Carriers
from .counted_memory import taken_as_counts
from .declared_bytes import declared_bytes
from .inactive_places import InactivePlaces
from .kept_bits import kept_by, may_hold_bits
from .kinds import Kind
from .known import keeps_bits
from .moved_pointers import MovedPointers
from .number_places import Sure
from .offsets import scalar_leaves
from .origins import is_code, is_table, is_thrown, is_unfollowed, only_functions
from .packing import packing
from .regions import led_to, may_hold_numbers
from .request import Activity
from .rounded_memory import read_as_numbers
from .roundings import is_count
from .shadows import Shadows
from .strings import is_untold
from .targets import reads_table
from .untold_words import carried_words, moved_bytes, moved_integers

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from .cfg import ControlFlow
    from .known import CallEffects
    from .memory import Memory
    from .regions import Place, Region


_NUMBERS: Final = (Kind.FLOAT, Kind.MIXED)


@dataclass(frozen=True, slots=True)
class Asked:
    """Which derivatives of a function are asked for: what is active of it, and whether tangents move along."""

    arguments: Sequence[Activity]
    result: Activity
    active_globals: Collection[GlobalVariable] = ()
    tangents: bool = False
    moves_words: bool = False
    """Does the derivative move adjoints of bytes of unknown type?"""
    guarded: bool = False
    """Does a caller read numbers again that are stored here, perhaps in memory without a shadow?"""


def activity(memory: Memory, cfg: ControlFlow, asked: Asked) -> ActivityResult:
    """Activity of a function under the activities of its arguments and result."""
    return _Solver(memory, cfg, asked).solve()


class _Solver:
    def __init__(self, memory: Memory, cfg: ControlFlow, asked: Asked) -> None:
        self.memory = memory
        self.packing = packing(memory)
        self.bit_flow = bit_flow(memory)
        self.tangents = asked.tangents
        self.moves_words = asked.moves_words and not declared_bytes(memory).are_exact
        self.carriers = Carriers(memory, self.packing, self.bit_flow)
        self.cfg = cfg
        kinds = dict(zip(memory.function.arguments, asked.arguments, strict=True))
        self.shadows = Shadows(memory, cfg, kinds)
        self.arguments = asked.arguments
        self.result = asked.result
        self.varied: set[Value] = set()
        self.moved = MovedPointers(memory)
        self.useful: set[Value] = set()
        self.varied_regions: set[Region] = set()
        self.useful_regions: set[Region] = set()
        self.read: set[Region] = set()
        """Memory from which numbers are read on which a result depends."""
        self.guarded = asked.guarded
        self.changed = False
        self.active_globals = asked.active_globals
        self.inactive_globals = annotations_of(memory.module).inactive_globals
        self.inactive_places = InactivePlaces(memory, cfg)
        regions = {r.root for r in memory.regions}
        # What is thrown is read by handlers, which derivatives do not reach.
        self.thrown = {r for r in regions if r.origins and all(map(is_thrown, r.origins))}
        # Code that we do not see may hand out the same memory each time.
        self.elsewhere = {r for r in regions - self.thrown if any(self.shadows.is_handed_out(o) for o in r.origins)}
        # What code elsewhere let two global variables lead to may be the same memory, too.
        self.open = {r for r in regions if r.open}

    def solve(self) -> ActivityResult:
        for argument, kind in zip(self.memory.function.arguments, self.arguments, strict=True):
            if not self.tangents and self.carriers.may_be_part(argument):
                self.varied.add(argument)  # its adjoint, of which callers know nothing, must not get lost
            if kind is not Activity.CONSTANT:
                self.varied.add(argument)
                for region in self._reachable(argument):
                    self.varied_regions.add(region)
                    self.useful_regions.add(region)
        # An address of unknown origin may be that of anything active.
        self.varied_regions |= {
            r for r in self.elsewhere if any(is_unfollowed(o) for o in r.origins) and not is_code(r)
        }
        for variable in self.active_globals:
            for region in self._reachable(variable):
                self.varied_regions.add(region)
                self.useful_regions.add(region)
        if self.result is not Activity.CONSTANT:
            # Memory handed out has a shadow because the caller wants one, whatever is stored there later.
            for block in self.cfg.exits:
                for operand in block.terminator.operands:
                    for region in self._reachable(operand):
                        self.varied_regions.add(region)
                        self.useful_regions.add(region)
        for found in (self.varied_regions, self.useful_regions):
            if not found.isdisjoint(self.open):
                found.update(self.open)
        instructions = [i for block in self.cfg.order for i in block.instructions]
        self._iterate(self._forward, instructions)
        self._iterate(self._backward, [i for block in reversed(self.cfg.order) for i in reversed(block.instructions)])
        active = self.varied_regions & self.useful_regions
        values = frozenset(v for v in self.varied & self.useful if self.carriers.number(v))
        watched = self.carriers.only_watched(self.varied, values)
        moved = frozenset[Value]()
        if not self.tangents:
            moved = moved_bytes(self.memory, values, watched, moves=self.moves_words)
            watched -= moved
            values -= watched | moved
            moved |= moved_integers(self.memory) - values
            if self.moves_words:
                values |= carried_words(instructions, moved, lambda pointer: self._region(pointer) in active)
        carried = self.moved.led_to(instructions, self.varied_regions, self.useful)
        shadowed = self.shadows.shadowed_with(active | carried)
        uncertain = self.shadows.uncertain_among(shadowed)
        # What is stored there is looked at when the derivative runs: has this memory a shadow?
        bare = shadowed if self.guarded else frozenset(filter(self.shadows.may_be_constant, shadowed))
        varied = Varied(self.varied, self.varied_regions)
        return ActivityResult(
            memory=self.memory,
            values=values,
            regions=frozenset(active),
            shadowed=shadowed,
            uncertain=uncertain,
            doubted=self.shadows.doubted(shadowed, uncertain),
            counted_memory=self.shadows.counted(shadowed),
            guarded=frozenset(r for r in active & uncertain & bare if self.guarded or r in self.read),
            held=self._led_from(instructions, bare, shadowed),
            lost=frozenset(region for region in active if self.shadows.has_no_shadow(region)),
            inactive_places=self.inactive_places,
            varied_regions=frozenset(self.varied_regions),
            varied=frozenset(self.varied),
            counted=frozenset(i.operands[0] for i in self.useful if isinstance(i, ir.Cast) and _takes_integer(i)),
            rounded=read_as_numbers(self.memory, instructions, varied, self.useful),
            taken_as_counts=taken_as_counts(self.memory, instructions, varied, self.useful),
            packing=self.packing,
            bit_flow=self.bit_flow,
            watched=watched,
            bytes=moved,
            spelled=frozenset(
                i for i in self.useful if isinstance(i, ir.Load) and is_untold(i) and i.type.is_float_like
            ),
        )

    def _iterate(self, visit: object, instructions: Sequence[ir.Instruction]) -> None:
        self.changed = True
        while self.changed:
            self.changed = False
            for instruction in instructions:
                visit(instruction)  # type: ignore[operator]

    def _region(self, pointer: Value) -> Region | None:
        place = self.memory.place(pointer)
        return place.region if place is not None else None

    def _reachable(self, value: Value) -> list[Region]:
        found: dict[Region, None] = {}
        pending: list[Place] = []
        for path, type_, _ in scalar_leaves(self.memory.layout, value.type):
            if isinstance(type_, PointerType):
                place = self.memory.place(value, path)
                if place is not None:
                    pending.append(place)
        while pending:
            region = pending.pop().resolved().region
            if region not in found and not only_functions(region) and not self._is_told_inactive(region):
                found[region] = None
                pending.extend(region.targets())
        return list(found)

    # Varied: forward -----------------------------------------------------------------------------------------------

    def _vary(self, value: Value) -> None:
        if value not in self.varied and self.carriers.number(value):
            self.varied.add(value)
            self.changed = True

    def _move(self, pointer: Value) -> None:
        self.changed |= self.moved.add(pointer)

    def _is_told_inactive(self, region: Region) -> bool:
        """Is this nothing but variables that carry no derivative, as their user says, or the compiler's tables?"""
        origins = region.origins | region.globals
        return bool(origins) and all(
            isinstance(origin, GlobalVariable) and (origin.name in self.inactive_globals or is_table(origin))
            for origin in origins
        )

    def _same_memory(self, region: Region) -> set[Region]:
        """The regions that may be this one."""
        found = {region}
        for group in (self.elsewhere, self.open, self.elsewhere):
            if not found.isdisjoint(group):
                found |= group
        return found

    def _vary_region(self, region: Region | None) -> None:
        if region is None or region in self.varied_regions or region in self.thrown:
            return
        if not self._is_told_inactive(region):
            self.varied_regions |= self._same_memory(region)
            self.changed = True

    def _forward(self, i: ir.Instruction) -> None:
        match i:
            case ir.Load():
                varies = self._region(i.pointer) in self.varied_regions and i not in self.inactive_places.accesses
                if varies and not reads_table(self.memory.module, i):
                    self._vary(i)
            case ir.Store():
                varies = i.value in self.varied and not self._is_counted(i)
                if (varies or self.moved.lies_beside_numbers(i)) and i not in self.inactive_places.accesses:
                    self._vary_region(self._region(i.pointer))
            case ir.CallBase():
                self._forward_call(i)
            case ir.Compare():
                pass
            case ir.Cast(op="ptrtoint"):
                if any(self._region(load.pointer) in self.varied_regions for load in words_of(i)):
                    self._vary(i)
            case ir.Cast(op="fptosi" | "fptoui" | "sitofp" | "uitofp" | "inttoptr"):
                pass
            case ir.AtomicRMW() | ir.CompareExchange():
                if not self.varied.isdisjoint(i.operands[1:]):
                    self._vary_region(self._region(i.operands[0]))
                if self._region(i.operands[0]) in self.varied_regions:
                    self._vary(i)
            case ir.Phi() | ir.Select() | ir.Freeze() if i not in self.packing.emptied:
                if not self.varied.isdisjoint(i.operands):
                    self._vary(i)
                if not self.moved.values.isdisjoint(i.operands):
                    self._move(i)
            case ir.Binary() | ir.Cast() | ir.Phi() | ir.Select() | ir.Freeze() if isinstance(i.type.scalar, IntType):
                if not self.varied.isdisjoint(i.operands) and i not in self.varied:
                    # The bits of a number, taken apart or put together: not to be lost on the way.
                    varied = self.varied.intersection(i.operands)
                    if not all(map(self.carriers.is_watched, varied)):
                        rest = i in self.packing.emptied or not any(map(self.carriers.number, varied))
                        self.carriers.decide(i, carries=not rest or self.carriers.may_be_number(i))
                    elif not self.carriers.number(i):
                        return
                    self.varied.add(i)
                    self.changed = True
            case _:
                if not self.varied.isdisjoint(i.operands):
                    self._vary(i)
                if isinstance(i, (ir.ExtractValue, ir.InsertValue)) and not self.moved.values.isdisjoint(i.operands):
                    self._move(i)

    def _is_counted(self, i: ir.Store) -> bool:
        """Is an integer stored of which no bit becomes a number, as a hash beside the numbers that it was made of?"""
        if not isinstance(i.value, ir.Binary) or not isinstance(i.value.type, IntType) or i in self.bit_flow.stores:
            return False
        counts = self.memory.integer_kind(i.value)[0] is Kind.INTEGER and not self.packing.parts(i.value)
        return counts and self.bit_flow.sure(i.value) is Sure.NO

    def _forward_call(self, i: ir.CallBase) -> None:
        known = self.shadows.effects_of(i)
        if known is not None and known.inactive:
            # It may find its result in the memory that it is given.
            if isinstance(i.type, PointerType) and any(self._region(a) in self.varied_regions for a in i.arguments):
                self._vary_region(self._region(i))
            if self._keeps_bits(i) and not self.varied.isdisjoint(i.arguments):
                self._vary(i)
            if not self.varied.isdisjoint(i.arguments):
                for region in kept_by(self.memory, i):
                    self._vary_region(region)
            if compares(known.known):
                self._vary_by_comparison(i, known)
            return
        if known is not None and known.copies is not None:
            destination, source, _ = known.copies
            if self._region(i.arguments[source]) in self.varied_regions:
                self._vary_region(self._region(i.arguments[destination]))
            return
        effects = self.memory.effects[i]
        for load in self.moved.given(i, self.varied_regions):
            self._move(load)
        inputs = any(a in self.varied or a in self.moved.values for a in i.arguments) or any(
            p.resolved().region in self.varied_regions for p in effects.reads
        )
        if inputs:
            self._vary(i)
            if self.moved.may_return(i, self.varied_regions):
                self._move(i)
            written = {place.resolved().region: None for place in effects.writes}
            untold = [region for region in written if region not in self.varied_regions and not _holds_numbers(region)]
            spared = set(untold).difference(self._varied_by(i)) if untold and i in self.memory.handed else set()
            for region in written:
                if region not in spared:
                    self._vary_region(region)

    def _vary_by_comparison(self, i: ir.CallBase, known: CallEffects) -> None:
        """What a function that compares changes beside comparing may depend on all that it can see."""
        effects = self.memory.effects[i]
        if any(place.resolved().region in self.varied_regions for place in effects.reads):
            order = [self._region(i.arguments[at]) for at in known.writes]
            for region in (place.resolved().region for place in effects.writes):
                if region not in order and may_hold_numbers(region):
                    self._vary_region(region)

    def _varied_by(self, i: ir.CallBase) -> Collection[Region]:
        """What a callee makes of what varies here, by its body."""
        copy = self.memory.handed[i]
        varies = (self.varied, self.moved.values)
        arguments = frozenset(at for at, a in enumerate(i.arguments) if any(a in values for values in varies))
        given = frozenset(theirs.root for theirs, mine in copy.regions.items() if mine.root in self.varied_regions)
        key = (arguments, given, self.tangents, self.moves_words, tuple(self.active_globals))
        found = copy.source.forward.get(key)
        if found is None:
            function = copy.source.function
            constant = [Activity.CONSTANT] * len(function.arguments)
            asked = Asked(constant, Activity.CONSTANT, self.active_globals, self.tangents, self.moves_words)
            inner = _Solver(copy.source, copy.source.code.flow.returning, asked)
            found = copy.source.forward[key] = inner.varied_from(arguments, given)
        return {mine.root for theirs, mine in copy.regions.items() if theirs.root in found}

    def varied_from(self, arguments: Collection[int], regions: Collection[Region]) -> frozenset[Region]:
        """The memory that varies behind the function, where these arguments and this memory do."""
        fixed = self.memory.function.arguments
        self.varied.update(fixed[at] for at in arguments if at < len(fixed))
        self.varied_regions.update(regions)
        instructions = [i for block in self.cfg.order for i in block.instructions]
        if any(at >= len(fixed) for at in arguments):
            self._vary_variadic(instructions)
        self._iterate(self._forward, instructions)
        return frozenset(self.varied_regions)

    def _vary_variadic(self, instructions: Sequence[ir.Instruction]) -> None:
        """What is read of arguments behind `...` varies."""
        for i in instructions:
            if isinstance(i, ir.VAArg):
                self.varied.add(i)
            elif isinstance(i, ir.CallBase) and (getattr(i.callee, "name", "") or "").startswith("llvm.va_start"):
                region = self._region(i.arguments[0])
                self.varied_regions.update(led_to([region] if region is not None else []))

    def _keeps_bits(self, i: ir.CallBase) -> bool:
        return may_hold_bits(i.type) and keeps_bits(self.memory.module, i)

    # Useful: backward ----------------------------------------------------------------------------------------------

    def _use(self, value: Value) -> None:
        if value not in self.useful and not isinstance(value, Constant):
            self.useful.add(value)
            self.changed = True

    def _use_region(self, region: Region | None) -> None:
        if region is None:
            return
        self.read.add(region)
        if region not in self.useful_regions:
            self.useful_regions |= self._same_memory(region)
            self.changed = True

    def _led_from(
        self, instructions: Sequence[ir.Instruction], holders: frozenset[Region], shadowed: frozenset[Region]
    ) -> frozenset[Region]:
        """From which of the holders pointers to memory with a shadow are read, also by what is called, or may be read
        by callers."""
        if self.guarded:
            return holders
        found: set[Region | None] = set()
        for i in instructions if holders else ():
            if isinstance(i, ir.Load) and isinstance(i.type, PointerType) and self._region(i) in shadowed:
                found.add(self._region(i.pointer))
            elif isinstance(i, ir.CallBase) and self.shadows.effects_of(i) is None:
                found |= {place.resolved().region for place in self.memory.effects[i].reads}
        return holders & found

    def _backward(self, i: ir.Instruction) -> None:
        match i:
            case ir.Return():
                if self.result is not Activity.CONSTANT:
                    for operand in i.operands:
                        self._use(operand)
            case ir.Store():
                if self._region(i.pointer) in self.useful_regions and not self._is_counted(i):
                    self._use(i.value)
            case ir.CallBase():
                self._backward_call(i)
            case ir.Load():
                if i in self.useful:
                    self._use_region(self._region(i.pointer))
            case ir.AtomicRMW() | ir.CompareExchange():
                region = self._region(i.operands[0])
                if i in self.useful:
                    self._use_region(region)
                if region in self.useful_regions:
                    for operand in i.operands[1:]:
                        self._use(operand)
            case ir.Compare() | ir.Alloca():
                pass
            case ir.Cast(op="fptosi" | "fptoui" | "sitofp" | "uitofp"):
                pass
            case ir.GetElementPtr():
                if i in self.useful:  # no derivative goes into an index
                    self._use(i.operands[0])
            case _:
                if i in self.useful:
                    for operand in i.operands:
                        self._use(operand)

    def _backward_call(self, i: ir.CallBase) -> None:
        known = self.shadows.effects_of(i)
        if known is not None and known.inactive:
            if isinstance(i.callee, Function) and i.callee.name in CHECKS:
                for argument in i.arguments:
                    self._use_region(self._region(argument))
            if isinstance(i.type, PointerType) and self._region(i) in self.useful_regions:
                for argument in i.arguments:
                    self._use_region(self._region(argument))
            kept = i in self.useful and self._keeps_bits(i)
            if kept or not self.useful_regions.isdisjoint(kept_by(self.memory, i)):
                for argument in i.arguments:
                    self._use(argument)
            return
        if known is not None and known.copies is not None:
            destination, source, _ = known.copies
            if self._region(i.arguments[destination]) in self.useful_regions:
                self._use_region(self._region(i.arguments[source]))
            return
        effects = self.memory.effects[i]
        if i in self.useful or any(p.resolved().region in self.useful_regions for p in effects.writes):
            counted = known.integers if known is not None else ()
            for index, argument in enumerate(i.arguments):
                if index not in counted:  # no derivative goes into a size
                    self._use(argument)
            for place in effects.reads:
                self._use_region(place.resolved().region)


def _holds_numbers(region: Region) -> bool:
    return any(content.float_types or content.kind in _NUMBERS for content in region.contents())


def _takes_integer(i: ir.Cast) -> bool:
    """Is this a number made of an integer, by its value or by its bits?"""
    bits = i.op == "bitcast" and i.type.is_float_like and isinstance(i.operands[0].type.scalar, IntType)
    return bits or is_count(i)
