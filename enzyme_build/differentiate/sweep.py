"""The forward sweep that all modes share: the primal once more, with shadows beside it.

A shadow of a pointer points to the memory of tangents or adjoints laid out as the primal memory. In forward mode a
number's shadow is its tangent, so that moving data (phi, select, load, store, members of aggregates) is one and the
same thing for pointers and numbers. In reverse mode only pointers have shadows here, and shadow memory's numbers
are left alone: they belong to the reverse sweep.

Constant memory is its own shadow; where a pointer is *uncertain* (see `activity`), accesses compare at run time.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.bases import base_of
from enzyme_build.analysis.copied import ANY_TYPE, access_name
from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.mixed_words import holds_words
from enzyme_build.analysis.offsets import member_leaves
from enzyme_build.analysis.origins import is_count, is_unfollowed
from enzyme_build.analysis.strings import is_in_string, is_text, leads_to_characters, reads_or_writes_text
from enzyme_build.errors import UnsupportedError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.function import Block, Function
from enzyme_build.ir.types import I8, I64, VOID, IntType, PointerType, array_type
from enzyme_build.ir.values import (
    Constant,
    ConstantInt,
    Value,
    const_int,
    poison,
    zero,
)
from enzyme_build.rules.inactive import LONGJMP
from enzyme_build.rules.library_memory import SIGN

from .allocations import whole_words
from .atomic_sums import counted, is_sum, may_count, puts_pointer, refused_atomic, tangent
from .calls import lost_derivative
from .changed_words import refuse_merged_pointer, refuse_number_of_pointer, stop_at_changed_pointer, stop_at_held
from .constant_memory import look_at_store
from .counted_bits import check_bits, check_count, check_memory
from .kept import KeptShadows, kept_pointers
from .lost_addresses import unfollowed_address
from .math_errors import NOTHING
from .members_beside import numbers_beside, without_numbers
from .memory_checks import MemoryChecks, kept_in_string
from .memory_scopes import joined
from .metadata import kept_metadata, shadow_alignment, shadow_metadata
from .moved_parts import WORD, is_word, small_copy, stop_at_parts, without_counts, without_short_counts
from .noted import note_read, note_written
from .runtime import say, stop_if
from .sweep_values import SweepValues
from .transfer import Transfers
from .unwinding import is_setjmp
from .words import COUNTED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from enzyme_build.rules.memory import Transfer

    from .context import Context
    from .engine import Engine


_LEFT_BY: Final = {
    **dict.fromkeys(("__cxa_throw", "__cxa_rethrow"), "an exception is thrown"),
    **dict.fromkeys(LONGJMP, "'longjmp' is called"),
}


class Sweep(SweepValues):
    """Emits clones of the primal's blocks into `function`; subclasses say what else each instruction does."""

    again = False
    """Did a sweep of the same function go before?"""

    def __init__(
        self,
        engine: Engine,
        context: Context,
        function: Function,
        values: Mapping[Value, Value],
        shadows: Sequence[Mapping[Value, Value]],
    ) -> None:
        super().__init__(engine, context, function, values, shadows)
        self.blocks: dict[Block, Block] = {}
        self.checks = MemoryChecks(context, noted=bool(engine.options.noted))
        self.held: dict[ir.Instruction, list[tuple[Value, str]]] = {}
        """What ends the program in front of an instruction, where it is not zero, and with which message."""
        self._phis: list[tuple[ir.Phi, ir.Phi, int | None]] = []
        """Phi of the primal, phi of the derivative, and of which lane's shadow, if of any."""
        self._ends: dict[Block, Block] = {}
        self.transfers = Transfers(self)
        self.kept = KeptShadows(self)

    # Blocks --------------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Clone all reachable blocks and connect the setup block to the entry."""
        order = self.context.facts.cfg.order
        for block in order:
            self.blocks[block] = self.function.add_block(Block(block.name))
        for block in order:
            self.b.block = self.blocks[block]
            self.b.position = None
            if self.leaves_out(block):
                self.b.unreachable()
                continue
            self.enter_block(block)
            after_phis = False
            for instruction in block.instructions:
                if not after_phis and not isinstance(instruction, ir.Phi):
                    after_phis = True
                    self.after_phis(block)
                if isinstance(instruction, ir.TERMINATORS):
                    self.before_terminator(block)
                self.guarded(instruction)
            self._ends[block] = self.b.block
        for primal, clone, lane in self._phis:
            self.lanes.current = lane or 0
            for operand, source in zip(primal.operands, primal.blocks, strict=True):
                if source in self._ends:
                    self.at_end(source)
                    clone.operands.append(self.value(operand) if lane is None else self.shadow(operand))
                    clone.blocks.append(self.b.block)
        self.lanes.current = 0
        self.b.position = None

    def at_end(self, block: Block) -> None:
        """Insert in front of the terminator of a finished block."""
        self.b.block = self.exit_of(block)
        self.b.position = len(self.b.block.instructions) - 1

    def guarded(self, i: ir.Instruction) -> None:
        """Visit one instruction; after a refusal go on with poison in its place, to find what else is wrong."""
        try:
            self.visit(i)
        except UnsupportedError as error:
            self.engine.report(self.context, i, error)
            if i.type is not VOID:
                self.values.setdefault(i, poison(i.type))
                for _ in self.lanes.each():
                    self.shadows.setdefault(i, poison(i.type))

    def finish(self) -> None:
        """Let the setup block lead into the clone of the entry."""
        Builder(self.setup).jump(self.blocks[self.context.function.entry])
        self.context.scopes.declare(self.function)

    def exit_of(self, block: Block) -> Block:
        """The clone block that ends with the clone of `block`'s terminator."""
        return self._ends[block]

    def leaves_out(self, block: Block) -> bool:
        """Is this block never reached where the derivative runs?"""
        del block
        return False

    def enter_block(self, block: Block) -> None:
        """Called before the first instruction of a block."""

    def after_phis(self, block: Block) -> None:
        """Called between the phis of a block and the rest."""

    def before_terminator(self, block: Block) -> None:
        """Called before the last instruction of a block."""

    def visit(self, i: ir.Instruction) -> None:
        """Emit the clone of one instruction and what goes with it."""
        if isinstance(i, ir.Load):
            stop_at_changed_pointer(self, i)
        elif isinstance(i, ir.Cast):
            refuse_number_of_pointer(self.context, i)
            check_bits(self.context, i)
        check_memory(self.context, i)
        stop_at_held(self, i)
        match i:
            case ir.Phi():
                self.visit_phi(i)
            case ir.CallBase():
                if (left := _LEFT_BY.get(getattr(i.callee, "name", ""))) is not None:
                    where = self.context.location(i) or self.context.function.name
                    say(self.module, self.b, f"{where}: {left} in a function that is differentiated")
                self.visit_call(i)
                if is_setjmp(i):
                    self._returns_once(i)
            case ir.Return():
                self.visit_return(i)
            case ir.Alloca():
                self.visit_alloca(i)
            case ir.Store():
                if self.activity.memory_active(i.pointer) or reads_or_writes_text(i):
                    self.checks.store(i)
                self.clone(i)
                for _ in self.lanes.each():
                    self.visit_store(i)
            case ir.AtomicRMW() | ir.CompareExchange() if puts_pointer(self.context, i):
                raise refused_atomic(self.context, i)
            case ir.AtomicRMW() | ir.CompareExchange() if self._touches_shadow(i.operands[0]):
                self.visit_atomic(i)
            case ir.Load() if i in self.activity.spelled:
                raise kept_in_string(self.context.location(i))
            case ir.Load() if self.activity.is_active(i):
                if self.activity.is_lost(i.pointer) and i not in self.activity.watched:
                    raise lost_derivative(self.context, i)
                self.checks.type(i, i.type)
                self._visit_value(i)
            case ir.Cast(op="sitofp" | "uitofp") if i.operands[0] in self.activity.counted:
                check_count(self.context, i)
                self._visit_value(i)
            case _:
                self._visit_value(i)

    def _returns_once(self, setjmp: ir.CallBase) -> None:
        """End the program where it returns again: that is no way that a derivative could go."""
        result = self.value(setjmp)
        again = self.b.cast("zext", self.b.icmp("ne", result, zero(result.type)), I64)
        where = self.context.location(setjmp) or self.context.function.name
        text = f"{where}: 'longjmp' comes back to a function that is differentiated"
        stop_if(self.module, self.b, again, text)

    def _visit_value(self, i: ir.Instruction) -> None:
        self.clone(i)
        if self.has_shadow(i):
            for _ in self.lanes.each():
                self.visit_shadowed(i)

    def visit_shadowed(self, i: ir.Instruction) -> None:
        """The shadow of a value that moves or computes."""
        match i:
            case ir.Load():
                self.shadows[i] = self._load_shadow(i)
            case ir.GetElementPtr() if leads_to_characters(i.operands[0]):
                raise kept_in_string(self.context.location(i))  # to a member of the object, which would have no shadow
            case ir.GetElementPtr() if COUNTED in i.metadata:
                self.shadows[i] = zero(i.type)
            case ir.GetElementPtr():
                indices = [self.value(index) for index in i.operands[1:]]
                base = self.shadow(i.operands[0])
                self.shadows[i] = self.b.gep(i.source_type, base, indices, i.flags, shadow_name(i))
            case ir.Select():
                condition = self.value(i.operands[0])
                a, b = self.shadow(i.operands[1]), self.shadow(i.operands[2])
                self.shadows[i] = self.b.select(condition, a, b, name=shadow_name(i))
            case ir.Freeze():
                self.shadows[i] = self.b.freeze(self.shadow(i.operands[0]), shadow_name(i))
            case ir.Cast(op="inttoptr") if is_unfollowed(i) and not isinstance(i.operands[0], Constant):
                raise unfollowed_address(self.context.location(i))
            case ir.Cast(op="inttoptr") if is_count(i.operands[0]):
                self.shadows[i] = zero(i.type)
            case ir.Cast(op="inttoptr"):
                self.shadows[i] = self.values[i]  # a function
            case ir.Cast() if i.op in ("bitcast", "addrspacecast", "ptrtoint", "inttoptr"):
                self.shadows[i] = self.b.cast(i.op, self.shadow(i.operands[0]), i.type, name=shadow_name(i))
            case ir.ExtractValue():
                self.shadows[i] = self.b.extract_value(self.shadow(i.operands[0]), i.indices, shadow_name(i))
            case ir.InsertValue():
                aggregate, element = self.shadow(i.operands[0]), self.shadow(i.operands[1])
                self.shadows[i] = self.b.insert_value(aggregate, element, i.indices, shadow_name(i))
            case ir.ExtractElement() | ir.InsertElement() | ir.ShuffleVector():
                self._shuffle_shadow(i)
            case _:
                self.visit_number(i)

    def visit_number(self, i: ir.Instruction) -> None:
        """The tangent of an arithmetic instruction; only forward mode has these."""
        raise UnsupportedError(
            f"cannot differentiate pointers computed by '{type(i).__name__.lower()}'",
            location=self.context.location(i),
            code="E0110",
        )

    def _shuffle_shadow(self, i: ir.Instruction) -> None:
        match i:
            case ir.ExtractElement():
                self.shadows[i] = self.b.extract_element(self.shadow(i.operands[0]), self.value(i.operands[1]))
            case ir.InsertElement():
                vector, element = self.shadow(i.operands[0]), self.shadow(i.operands[1])
                self.shadows[i] = self.b.insert_element(vector, element, self.value(i.operands[2]))
            case _:
                a, b, mask = i.operands
                self.shadows[i] = self.b.shuffle_vector(self.shadow(a), self.shadow(b), mask)  # type: ignore[arg-type]

    def _load_shadow(self, i: ir.Load) -> Value:
        shadow = self.shadow(i.pointer)
        if self.activity.is_lost(i.pointer) or is_text(i):  # no character has a shadow
            return zero(i.type)
        if self.tangents:
            note_read(self.engine, self.context, self.b, i, (i.type, shadow))
        loaded: Value = self.b.load(
            i.type,
            shadow,
            shadow_alignment(self.context.layout, i),
            shadow_name(i),
            metadata=shadow_metadata(self.context, i),
        )
        if i in self.activity.watched and is_word(i) and self._is_integer(i):
            loaded = without_counts(self.context, self.b, i, loaded)
        elif i in self.activity.watched:
            loaded = without_short_counts(self.context, self.b, i, shadow, loaded)
        if self.activity.is_uncertain(i.pointer) and not isinstance(i.type, PointerType):
            constant = self.b.icmp("eq", shadow, self.value(i.pointer))
            return self.b.select(constant, zero(i.type), loaded)
        if not kept_pointers(self.context, i):
            return loaded
        return self.kept.loaded(i, self.value(i), loaded, again=self.again)

    def clone(self, i: ir.Instruction) -> ir.Instruction:
        """The same instruction on the clones of its operands."""
        new = copy.copy(i)
        new.operands = [self.value(operand) for operand in i.operands]
        new.metadata = kept_metadata(i)
        if isinstance(i, ir.Load | ir.Store):
            new.metadata = joined(new.metadata, self.context.scopes.primal)
        self._retarget(new)
        self.b.insert(new)
        if new.type.text != "void":
            self.values[i] = new
        return new

    def clone_math(self, i: ir.CallBase) -> None:
        """A call of a mathematical function. errno is nobody's result in a derivative (but see `math_errors`), nor is
        the sign of the gamma function where nobody asks for it: without them LLVM may drop, merge and move the call."""
        new = self.clone(i)
        assert isinstance(new, ir.CallBase)
        name = getattr(i.callee, "name", None) or ""
        if "llvm." not in name and not ("gamma" in name and SIGN in self.module.globals):
            new.function_attributes = f"{new.function_attributes} nounwind willreturn {NOTHING}".strip()

    def _retarget(self, new: ir.Instruction) -> None:
        match new:
            case ir.Jump():
                new.target = self.blocks[new.target]
            case ir.Branch():
                new.then, new.otherwise = self.blocks[new.then], self.blocks[new.otherwise]
            case ir.Switch():
                new.default = self.blocks[new.default]
                new.cases = [(value, self.blocks[target]) for value, target in new.cases]
            case ir.CallBranch():
                new.fallthrough = self.blocks[new.fallthrough]
                new.indirect = [self.blocks[target] for target in new.indirect]
            case _:
                pass

    # Instructions --------------------------------------------------------------------------------------------------

    def visit_phi(self, i: ir.Phi) -> None:
        clone = self.b.phi(i.type, i.name, i.flags)
        self.values[i] = clone
        self._phis.append((i, clone, None))
        if self.has_shadow(i):
            for lane in self.lanes.each():
                shadow = self.b.phi(i.type, shadow_name(i))
                self.shadows[i] = shadow
                self._phis.append((i, shadow, lane))

    def visit_alloca(self, i: ir.Alloca) -> None:
        here = self.b
        if is_static(self.context.function, i):
            # Only allocas of the entry block become registers.
            self.b = Builder(self.setup)
        self.clone(i)
        if self.has_shadow(i):
            for _ in self.lanes.each():
                self.shadows[i] = self.shadow_alloca(i)
        self.b = here

    def shadow_alloca(self, i: ir.Alloca) -> Value:
        """Zeroed memory on the stack beside an alloca."""
        size = self.shadow_size(i)
        if i.align % WORD or self.context.layout.alloc_size(i.allocated_type) % WORD:
            whole = array_type(I8, size.value) if isinstance(size, ConstantInt) else I8
            count = None if isinstance(size, ConstantInt) else size
            shadow = self.b.alloca(whole, count, max(i.align, WORD), shadow_name(i))
        else:
            count = self.value(i.operands[0]) if i.operands else None
            shadow = self.b.alloca(i.allocated_type, count, i.align, shadow_name(i))
        self.transfers.clear(shadow, size)
        return shadow

    def shadow_size(self, i: ir.Alloca) -> Value:
        """Bytes of the shadow."""
        size = self.alloca_size(i)
        if self.context.layout.alloc_size(i.allocated_type) % WORD == 0:
            return size
        return whole_words(self.b, size)

    def alloca_size(self, i: ir.Alloca) -> Value:
        """Bytes that an alloca takes."""
        each = const_int(I64, self.context.layout.alloc_size(i.allocated_type))
        if not i.operands:
            return each
        count = self.b.wide(self.value(i.operands[0]))
        return self.b.mul(count, each)

    def visit_store(self, i: ir.Store) -> None:
        """Shadow memory of the stored pointers (and tangents)."""
        if look_at_store(self, i):
            return
        if not self._touches_shadow(i.pointer) or is_in_string(i):
            return
        refuse_merged_pointer(self.context, i)
        if self.tangents:
            stored = self.shadow(i.value)
            if isinstance(i.value.type, IntType) and self._is_integer(i.value) and not self._among_words(i):
                stored = self._stored_integer(i, stored)
            target = self.access(i.pointer, self.shadow(i.pointer))
            note_written(self.engine, self.context, self.b, (i.value.type, target))
            self.b.store(
                stored,
                target,
                shadow_alignment(self.context.layout, i),
                volatile=i.volatile,
                metadata=shadow_metadata(self.context, i),
            )
            return
        leaves = member_leaves(self.context.layout, i.value.type)
        pointers = [(path, leaf, at) for path, leaf, at in leaves if isinstance(leaf.scalar, PointerType)]
        if not pointers:
            return
        target = self.access(i.pointer, self.shadow(i.pointer))
        stored = self.shadow(i.value)
        for path, _, offset in pointers:
            part = self.b.extract_value(stored, path) if path else stored
            self.b.store(part, self.b.ptradd(target, offset), metadata=kept_metadata(i) if not path else "")

    def notes_in(self, pointer: Value) -> Value | None:
        """The arena in which overwritten shadow pointers of this memory are noted; None where that needs not be."""
        del self, pointer
        return None

    def _among_words(self, i: ir.Store) -> bool:
        """Is this where words of a shadow are told apart by their bits? Those of integers are zero there."""
        place = self.context.memory.place(i.pointer)
        return i in self.activity.bit_flow.watched and place is not None and holds_words(place.region)

    def _stored_integer(self, i: ir.Store, tangent: Value) -> Value:
        """What forward mode stores of an integer, so that the shadow of an object is an object."""
        active = self.has_shadow(i.value)
        if active and not (is_word(i.value) and i.value in self.activity.watched):
            return tangent
        numbers = numbers_beside(self.engine, self.context, i)
        value = without_numbers(self.b, self.context.layout, self.value(i.value), numbers)
        # Where it may be a number, it has no tangent; and so may any member of a union be, and what callers see.
        seen = access_name(self.module, i.metadata) == ANY_TYPE or not isinstance(base_of(i.pointer), ir.Alloca)
        any_type = is_word(value) and seen and not reads_or_writes_text(i)
        if active or any_type or i in self.activity.bit_flow.watched:
            value = small_copy(self.context, self.b, value, i.pointer) if is_word(value) else zero(value.type)
        if not active:
            return value
        return self.b.select(self.b.icmp("eq", tangent, zero(tangent.type)), value, tangent)

    def stop_at_parts(self, i: ir.Instruction, bits: Value) -> None:
        """Parts of a tangent that cannot follow those of its number end the program."""
        stop_at_parts(self.context, self.b, i, bits)

    def copied_end(self, i: ir.CallBase, known: Transfer) -> Value:
        """The shadow of what a copying function returns: the destination, or the end of what was written."""
        target = self.shadow(i.arguments[known.destination])
        return target if known.returns != "end" else self.b.ptradd(target, self.value(i.arguments[known.length]))

    def _is_integer(self, v: Value) -> bool:
        """Is this certainly a number to count with, not the bits of a float?"""
        if isinstance(v, ConstantInt):
            return False
        return self.context.memory.integer_kind(v)[0] is Kind.INTEGER

    def _touches_shadow(self, pointer: Value) -> bool:
        return self.activity.has_shadow(pointer)

    def visit_atomic(self, i: ir.AtomicRMW | ir.CompareExchange) -> None:
        active = any(self.activity.is_active(v) or v in self.activity.watched for v in (i, *i.operands[1:]))
        if may_count(self.context, i):
            if self.tangents:
                counted(self, i)
        elif i.operands[1].type.scalar.is_float or active or i in self.activity.bit_flow.onto:
            if not is_sum(self.context, i):
                raise refused_atomic(self.context, i)
            assert isinstance(i, ir.AtomicRMW)
            if self.tangents:
                tangent(self, i)
        self.clone(i)

    def visit_return(self, i: ir.Return) -> None:
        raise NotImplementedError

    def visit_call(self, i: ir.CallBase) -> None:
        raise NotImplementedError


def is_static(function: Function, i: ir.Alloca) -> bool:
    """Is this one fixed place on the stack?"""
    return i.block is function.entry and (not i.operands or isinstance(i.operands[0], Constant))


def shadow_name(i: Value) -> str | None:
    """`x.shadow` for `x`."""
    name = getattr(i, "name", None)
    return f"{name}.shadow" if name else None
