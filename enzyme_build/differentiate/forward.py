"""Forward mode: one tangent instruction beside each active instruction.

r_dot = Σ ∂r/∂xₖ · xₖ_dot, with the partials of the rule tables. No tape, no work on control flow.
"""

from __future__ import annotations

from functools import partial
from math import inf
from typing import TYPE_CHECKING, TypeAlias

from enzyme_build.analysis.kept_bits import kept_by
from enzyme_build.analysis.needed import OPERAND_NAMES, rule_name
from enzyme_build.analysis.request import Activity
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.intrinsics import intrinsic
from enzyme_build.ir.types import I64, PTR, VOID, IntType, PointerType, Type, VectorType, function_type
from enzyme_build.ir.values import Value, const_float, const_int, null, zero
from enzyme_build.rules import expr as e
from enzyme_build.rules.memory import Allocation, Transfer
from enzyme_build.rules.mirrored import mirrored_function
from enzyme_build.rules.multiple import Member, MultipleRule, Result, Returned, Stored
from enzyme_build.rules.registry import MultipleFunction, ScalarFunction
from enzyme_build.rules.scalar import PARTIALS, STEEP_ENDS

from .allocations import (
    defer_shadow,
    freed_shadow,
    moved_shadow,
    present_size,
    shadow_arguments,
    shadow_size,
)
from .callee_requests import callee_request
from .calls import CallKind, classify, unsupported_number
from .constant_memory import look_at_copy
from .formula import Formula
from .inner_checks import checked_tangents
from .math_errors import errno_kept
from .metadata import kept_metadata
from .moved_parts import is_changed, is_word, marked, stop_at_parts, weighty, without_counts
from .noted import copy_notes, note_written
from .numbers import add
from .overlaps import stop_at_overlap
from .runtime import runtime_function
from .signature import Role, Signature
from .sweep import Sweep, shadow_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from enzyme_build.analysis.known import CallEffects


Results: TypeAlias = "Mapping[str, Callable[[], Value]]"
"""What the results r and s of an operation are had from, by name."""


class TangentSweep(Sweep):
    """The forward sweep with tangents."""

    tangents = True

    def __init__(self, *args: object, signature: Signature, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.signature = signature
        self.strong_zero = self.context.request.strong_zero

    # Arithmetic ----------------------------------------------------------------------------------------------------

    def visit_number(self, i: ir.Instruction) -> None:
        if isinstance(i, ir.Cast) and i.op in ("fpext", "fptrunc"):
            self.shadows[i] = self.b.cast(i.op, self.shadow(i.operands[0]), i.type, name=shadow_name(i))
            return
        if i in self.activity.watched:
            self._watched(i, i.operands)
            return
        if isinstance(i, ir.Cast | ir.Binary) and isinstance(i.type, IntType):
            self._packed(i)
            return
        name = rule_name(i)
        if name is None:
            raise unsupported_number(self.context.location(i), i)
        self.shadows[i] = self._tangent(i, PARTIALS[name], i.operands, {"r": lambda: self.value(i)}, i.type)

    def _watched(self, i: ir.Instruction, operands: Sequence[Value]) -> None:
        """Parts of numbers keep their tangents where they are moved; where they are changed, they are marked."""
        if isinstance(i, ir.Cast):
            tangent, word = self.shadow(operands[0]), operands[0]
            if i.op == "trunc" and isinstance(word, ir.Load) and word in self.activity.watched and is_word(word):
                # The half of a word of two counts is no part of a number.
                tangent = without_counts(self.context, self.b, word, tangent)
            self.shadows[i] = self.b.cast(i.op, tangent, i.type, name=shadow_name(i))
            return
        if not isinstance(i.type.scalar, IntType):
            raise unsupported_number(self.context.location(i), i)
        parts = [(o, self.shadow(o)) for o in operands if self.activity.is_active(o)]
        self.shadows[i] = marked(self.context, self.b, parts, i.type)

    def _plain(self, i: ir.CallBase) -> None:
        """Parts of numbers in a call that knows nothing of tangents."""
        if self.activity.is_active(i):
            self._watched(i, i.arguments)
        parts = [a for a in i.arguments if a in self.activity.watched and self.activity.is_active(a)]
        parts = [a for a in parts if a not in self.activity.bit_flow.scaled]
        if parts and kept_by(self.context.memory, i):
            for part in parts:
                stop_at_parts(self.context, self.b, i, weighty(self.context, self.b, part, self.shadow(part)))

    def _handed_on(self, i: ir.Instruction, value: Value) -> Value:
        """The shadow of what leaves the function or its registers."""
        shadow = self.shadow(value)
        if value in self.activity.watched and self._must_be_zero(i, value):
            stop_at_parts(self.context, self.b, i, weighty(self.context, self.b, value, shadow))
        return shadow

    def _must_be_zero(self, i: ir.Instruction, part: Value) -> bool:
        """Is it wrong to hand on the tangent of this part? A hash keeps a mark, unless it goes where numbers are."""
        flow = self.activity.bit_flow
        if part in flow.scaled:
            return part in flow.joined or i in flow.onto
        return is_changed(part)

    def visit_shadowed(self, i: ir.Instruction) -> None:
        if isinstance(i, ir.InsertValue) and (member := i.operands[1]) in self.activity.watched:
            # Where the struct goes, nobody knows how its members were made.
            stop_at_parts(self.context, self.b, i, weighty(self.context, self.b, member, self.shadow(member)))
        super().visit_shadowed(i)

    def visit_store(self, i: ir.Store) -> None:
        self._handed_on(i, i.value)
        super().visit_store(i)

    def _packed(self, i: ir.Cast | ir.Binary) -> None:
        """Numbers that are moved inside integers: their tangents move in the same way."""
        if self.activity.packing.tears(i, [o for o in i.operands if self.activity.is_active(o)]):
            raise unsupported_number(self.context.location(i), i)
        if isinstance(i, ir.Cast):
            self.shadows[i] = self.b.cast(i.op, self.shadow(i.operands[0]), i.type, name=shadow_name(i))
            return
        a, b = i.operands
        if i.op in ("or", "add"):
            # An addition that moves numbers has no carries at them.
            self.shadows[i] = self.b.binary("or", self.shadow(a), self.shadow(b), name=shadow_name(i))
        else:
            self.shadows[i] = self.b.binary(i.op, self.shadow(a), b, name=shadow_name(i))

    def _tangent(  # noqa: PLR0913 - the last one names an exception to the formula
        self,
        i: ir.Instruction,
        partials: Sequence[e.Expr],
        operands: Sequence[Value],
        results: Results,
        type_: Type,
        *,
        guarded: bool = False,
    ) -> Value:
        """Σ partial · tangent over the active operands; with `guarded`, nothing where the tangent is zero."""
        flags = getattr(i, "flags", "")

        def operand_value(name: str) -> Value:
            return results[name]() if name in results else self.value(operands[OPERAND_NAMES.index(name)])

        formula = Formula(self.module, self.b, type_, operand_value, flags)
        total: Value | None = None
        for operand, factor in zip(operands, partials, strict=False):
            if e.is_zero(factor) or not self.activity.is_active(operand):
                continue
            share = times(formula, factor, self.shadow(operand), strong_zero=self.strong_zero, guarded=guarded)
            total = share if total is None else add(self.b, total, share, flags)
        return total if total is not None else zero(type_)

    # Calls ---------------------------------------------------------------------------------------------------------

    def visit_call(self, i: ir.CallBase) -> None:
        kind, effects = classify(self.context, i)
        match kind:
            case CallKind.DROPPED:
                if i.type.text != "void":
                    self.clone(i)
            case CallKind.PLAIN:
                stop_at_overlap(self, i)
                self.clone(i)
                for _ in self.lanes.each():
                    self._plain(i)
                    defer_shadow(self, i)
                    checked_tangents(self, i)
            case CallKind.MATH:
                self._math(i, effects)
            case CallKind.MULTIPLE:
                self._multiple(i, effects)
            case CallKind.TRANSFER:
                self._transfer(i, effects)
            case CallKind.ALLOCATION:
                self._allocation(i, effects)
            case CallKind.DEALLOCATION:
                self._deallocation(i, effects)
            case CallKind.MIRRORED:
                self._mirrored(i)
            case CallKind.DERIVE:
                self._derive(i)

    def _math(self, i: ir.CallBase, effects: CallEffects | None) -> None:
        self.clone_math(i)
        if effects is not None and isinstance(effects.known, ScalarFunction) and self.has_shadow(i):
            partials = self.context.twins.partials(i, effects.known, before=True)
            results = {name: partial(self.value, call) for name, call in [("r", i), *partials.twins.items()]}
            with errno_kept(self):
                for _ in self.lanes.each():
                    steep = effects.known.name in STEEP_ENDS
                    self.shadows[i] = self._tangent(i, partials.formulas, i.arguments, results, i.type, guarded=steep)

    def _multiple(self, i: ir.CallBase, effects: CallEffects | None) -> None:
        assert effects is not None
        assert isinstance(effects.known, MultipleFunction)
        rule, type_ = effects.known.rule, effects.known.type
        self.clone(i)
        operands = [i.arguments[at] for at in rule.operands]
        results = self.results_of(i, rule, type_)
        for _ in self.lanes.each():
            self._multiple_tangents(i, rule, operands, results, type_)

    def results_of(self, i: ir.CallBase, rule: MultipleRule, type_: Type) -> Results:
        """The results r and s of a call, as it left them."""
        return {
            name: partial(_result_value, self, i, result, type_)
            for name, result in zip("rs", rule.results, strict=False)
        }

    def _multiple_tangents(
        self, i: ir.CallBase, rule: MultipleRule, operands: Sequence[Value], results: Results, type_: Type
    ) -> None:
        whole: Value | None = None
        for result in rule.results:
            if result.integer:
                continue
            tangent = self._tangent(i, result.partials, operands, results, type_)
            match result.place:
                case Stored():
                    pointer = i.arguments[result.place.argument]
                    if self.activity.has_shadow(pointer):
                        target = self.access(pointer, self.shadow(pointer))
                        note_written(self.engine, self.context, self.b, (type_, target))
                        self.b.store(tangent, target)
                case Member():
                    base = whole if whole is not None else zero(i.type)
                    whole = self.b.insert_value(base, tangent, (result.place.index,))
                case Returned():
                    whole = tangent
        if whole is not None and self.has_shadow(i):
            self.shadows[i] = whole

    def _transfer(self, i: ir.CallBase, effects: CallEffects | None) -> None:
        self.clone(i)
        assert effects is not None
        assert isinstance(effects.known, Transfer)
        if not self.activity.has_shadow(i.arguments[effects.known.destination]):
            return
        for _ in self.lanes.each():
            look_at_copy(self, i, effects)
            self.transfers.forward(i, effects)
            if self.has_shadow(i):
                self.shadows[i] = self.copied_end(i, effects.known)

    def _allocation(self, i: ir.CallBase, effects: CallEffects | None) -> None:
        assert effects is not None
        known = effects.known
        assert isinstance(known, Allocation)
        present = self._present(i, known)
        self.clone(i)
        if known.stored is not None:
            pointer = i.arguments[known.stored]
            if self.activity.has_shadow(pointer):
                for _ in self.lanes.each():
                    stored_allocation(self, i, known)
            return
        if self.has_shadow(i):
            for _ in self.lanes.each():
                if present is not None:
                    self._shadow_of_kept(i, known, present)
                else:
                    self._shadow_allocation(i, known)

    def _present(self, i: ir.CallBase, known: Allocation) -> Value | None:
        """The size of memory that is resized, whose shadow is not from the same allocator."""
        if known.reallocated is None or not self.has_shadow(i):
            return None
        if not self.kept.is_kept(i) and not self.kept.owns(i):
            return None
        return present_size(self, i, known)

    def _shadow_of_kept(self, i: ir.CallBase, known: Allocation, present: Value) -> None:
        """A new shadow, which takes over what the old one holds."""
        assert known.reallocated is not None
        old = i.arguments[known.reallocated]
        size = shadow_size(self, i, known)
        source = self.transfers.own_shadow(self.b, old, self.shadow(old), self.value(old))
        none = self.b.icmp("eq", source, null(PTR))
        less: Value = self.b.select(self.b.icmp("ult", present, size), present, size)
        less = moved_shadow(self, i, known, source, less)
        if self.kept.owns(i):
            self.shadows[i] = self.kept.take(size)
        else:
            self.shadows[i] = self.b.call(runtime_function(self.module, "reserve"), [null(PTR), size])
            self.transfers.clear(self.shadows[i], size)
        moved = self.b.select(none, const_int(I64, 0), less)
        self.transfers.copy(self.shadows[i], source, moved)
        copy_notes(self.engine, self.b, self.shadows[i], source, moved)
        self.transfers.continued(i, old, self.shadows[i], size)
        if self.kept.owns(i):
            self.kept.give(source)
        else:
            free = self.module.declare("free", function_type(VOID, (PTR,)))
            self.b.call(free, [self.kept.to_free(old, source)])

    def _shadow_allocation(self, i: ir.CallBase, known: Allocation) -> None:
        size = shadow_size(self, i, known)
        arguments = shadow_arguments(self, i, known, size)
        if known.reallocated is not None:
            old = i.arguments[known.reallocated]
            # Constant memory has no shadow that could grow: its continuation gets one, without tangents.
            arguments[known.reallocated] = self.transfers.own_shadow(self.b, old, self.shadow(old), self.value(old))
        if self.kept.owns(i):
            self.shadows[i] = self.kept.take_beside(i, known, size)
            return
        present: Value | None = None
        if known.reallocated is not None:
            present = present_size(self, i, known, arguments[known.reallocated])
        shadow = repeat_call(self, i, arguments)
        shadow.name = shadow_name(i)
        self.shadows[i] = shadow
        if known.reallocated is not None and present is not None:
            # What nobody writes, as padding, is moved with what is beside it: it must not look like a tangent.
            present = self.b.select(self.b.icmp("ult", present, size), present, size)
            self.transfers.clear(self.b.ptradd(shadow, present), self.b.sub(size, present))
            copy_notes(self.engine, self.b, shadow, arguments[known.reallocated], present)
            self.transfers.continued(i, i.arguments[known.reallocated], shadow, size)
        elif not known.zeroed:
            self.transfers.clear(shadow, size)

    def _deallocation(self, i: ir.CallBase, effects: CallEffects | None) -> None:
        assert effects is not None
        at = effects.frees[0]
        pointer = i.arguments[at]
        if self.activity.has_shadow(pointer):
            for _ in self.lanes.each():
                shadow = self.shadow(pointer)
                shadow = self.transfers.own_shadow(self.b, pointer, shadow, self.value(pointer))
                if self.kept.owns(pointer):
                    self.kept.give(shadow)
                    continue
                arguments = [self.value(a) for a in i.arguments]
                arguments[at] = self.kept.to_free(pointer, shadow)
                repeat_call(self, i, freed_shadow(self.b, arguments, at))
        self.clone(i)

    def _mirrored(self, i: ir.CallBase) -> None:
        mirror(self, i)

    def _derive(self, i: ir.CallBase) -> None:
        request = callee_request(self.context, i, self.context.request.mode)
        with self.engine.called_from(self.context, i):
            derived = self.engine.forward(request)
        arguments: list[Value] = []
        for argument, activity in zip(i.arguments, request.arguments, strict=True):
            arguments.append(self.value(argument))
            if activity is not Activity.CONSTANT:
                arguments += [self._handed_on(i, argument) for _ in self.lanes.each()]
        result = self.b.call(derived.function, arguments)
        primal = derived.signature.extract(self.b, result, Role.RESULT) if derived.signature.results else None
        if primal is not None:
            self.values[i] = primal
            for lane in self.lanes.each():
                shadow = derived.signature.extract(self.b, result, Role.RESULT_SHADOW, lane=lane)
                if shadow is not None:
                    self.shadows[i] = shadow

    def visit_return(self, i: ir.Return) -> None:
        values: dict[tuple[Role, int], Value] = {}
        if i.operands:
            values[Role.RESULT, 0] = self.value(i.operands[0])
            if self.context.request.result is not Activity.CONSTANT:
                for lane in self.lanes.each():
                    values[Role.RESULT_SHADOW, lane] = self._handed_on(i, i.operands[0])
        return_parts(self.b, self.signature, [values[part.role, part.lane] for part in self.signature.results])


def times(formula: Formula, partial: e.Expr, factor: Value, *, strong_zero: bool, guarded: bool = False) -> Value:
    """partial · factor, without multiplying by one.

    With `strong_zero`, zero times anything is zero; with `guarded`, where the factor is. That is said only where the
    other one is infinite or NaN: the product is differentiated again.
    """
    if e.is_one(partial):
        return factor
    if isinstance(partial, e.Const) and partial.value == -1:
        return formula.builder.fneg(factor, formula.flags)
    b = formula.builder
    slope = formula.emit(partial) if strong_zero or guarded else None
    product = b.fmul(slope, factor, formula.flags) if slope and strong_zero else formula.multiplied(partial, factor)
    if slope is None or isinstance(partial, e.Const):
        return product
    for side, other in [(slope, factor), (factor, slope)] if strong_zero else [(factor, slope)]:
        absolute = b.call(intrinsic(formula.module, "fabs", other.type), [other])
        endless = b.fcmp("ueq", absolute, const_float(other.type, inf))
        none = b.fcmp("oeq", side, zero(side.type))
        product = b.select(b.binary("and", none, endless), side, product)
    return product


def mirror(sweep: Sweep, i: ir.CallBase) -> None:
    """Make the call, and once more for each shadow."""
    sweep.kept.links(i)
    if not sweep.again:
        _colour(sweep, i)
    sweep.clone(i)
    for _ in sweep.lanes.each():
        mirrored = [sweep.shadow(a) if isinstance(a.type, PointerType) else sweep.value(a) for a in i.arguments]
        shadow = repeat_call(sweep, i, mirrored)
        if sweep.has_shadow(i):
            sweep.shadows[i] = shadow


def _colour(sweep: Sweep, i: ir.CallBase) -> None:
    """Give a shadow tree the colours that the call will go by: not all shadows have the integers that are stored."""
    known = mirrored_function(getattr(i.callee, "name", None) or "")
    if known is None or not known.colours or not sweep.has_shadow(i.arguments[known.nodes[0]]):
        return
    node = i.arguments[known.nodes[0]]
    for _ in sweep.lanes.each():
        arguments = [sweep.value(node), sweep.shadow(node)]
        if known.colours == "colours":
            sweep.b.call(runtime_function(sweep.module, "tree_colours"), [*arguments, const_int(I64, 0)])
        else:
            sweep.b.call(runtime_function(sweep.module, f"tree_{known.colours}"), arguments)


def return_parts(builder: object, signature: Signature, values: Sequence[Value]) -> None:
    """`ret` of nothing, the only value, or a struct."""
    from enzyme_build.ir.builder import Builder

    assert isinstance(builder, Builder)
    if not values:
        builder.ret()
        return
    if len(values) == 1:
        builder.ret(values[0])
        return
    builder.ret(builder.aggregate(signature.result_type, values))


def _result_value(sweep: Sweep, i: ir.CallBase, result: Result, type_: Type) -> Value:
    from enzyme_build.ir.types import I32

    match result.place:
        case Returned():
            return sweep.values[i]
        case Member():
            if isinstance(i.type, VectorType):
                return sweep.b.extract_element(sweep.values[i], result.place.index)
            return sweep.b.extract_value(sweep.values[i], (result.place.index,))
        case Stored():
            pointer = sweep.value(i.arguments[result.place.argument])
            return sweep.b.load(I32 if result.integer else type_, pointer)


def repeat_call(sweep: Sweep, i: ir.CallBase, arguments: Sequence[Value]) -> ir.Call:
    """The same call with other arguments."""
    call = ir.Call(
        i.function_type,
        i.callee,
        arguments,
        argument_attributes=[_without_facts(a) for a in i.argument_attributes],
        convention=i.convention,
        result_attributes=_without_facts(i.result_attributes),
        function_attributes=i.function_attributes,
        metadata=kept_metadata(i),
    )
    return sweep.b.insert(call)


def _without_facts(attributes: str) -> str:
    """Attributes that hold for any call: facts about this call's values are dropped."""
    kept = ("noalias", "allocptr", "allocalign", "signext", "zeroext")
    return " ".join(word for word in attributes.split() if word in kept)


def stored_allocation(sweep: Sweep, i: ir.CallBase, known: Allocation) -> None:
    """A shadow allocation whose address goes to shadow memory."""
    assert known.stored is not None
    pointer = i.arguments[known.stored]
    target = sweep.access(pointer, sweep.shadow(pointer))
    size = shadow_size(sweep, i, known)
    if sweep.kept.owns_stored(pointer):
        sweep.b.store(sweep.kept.take_beside(i, known, size), target)
        return
    arguments = shadow_arguments(sweep, i, known, size)
    arguments[known.stored] = target
    repeat_call(sweep, i, arguments)
    sweep.transfers.clear(sweep.b.load(PTR, sweep.shadow(pointer)), size)
