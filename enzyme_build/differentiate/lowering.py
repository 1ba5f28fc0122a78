"""Puts a call to the derivative in the place of a request.

Arguments are converted back from C's variadic promotions; results are handed over as the caller declared them: void,
the only value, a struct in registers (whatever the ABI made of it), or through the caller's `sret` memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.packing import packing
from enzyme_build.analysis.request import Activity, Mode
from enzyme_build.errors import RequestError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.intrinsics import intrinsic
from enzyme_build.ir.metadata import attachments
from enzyme_build.ir.types import (
    I1,
    I8,
    I64,
    PTR,
    VOID,
    IntType,
    PointerType,
    Type,
    function_type,
)
from enzyme_build.ir.values import Value, const_float, const_int

from . import kept
from .declared_numbers import compare_declared
from .global_shadows import clear_shadow, compare_shadows
from .markers import marker_name, parameter_place
from .noted import drop_notes
from .request_call import Entry, missing_seed
from .results import result_value, results_of, stack_variable
from .signature import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from enzyme_build.analysis.regions import Place
    from enzyme_build.ir.function import Block

    from .engine import Derived, Engine
    from .request_call import Actual, RequestCall
    from .signature import Part, Signature


_OUTERMOST = frozenset((Entry.AUTODIFF, Entry.FWDDIFF, Entry.AUGMENTED, Entry.FORWARD_SPLIT))
"""Calls that find shadows of kept memory; a reverse pass has them in its tape."""


def lower(engine: Engine, request: RequestCall) -> Value | None:
    """Build the derivative and replace the request's call; gives what stands in its place."""
    from . import split_lowering

    if request.entry is not Entry.BATCH:
        _settle_integers(engine, request)
        compare_declared(engine, request)
        compare_shadows(engine, request)
    match request.entry:
        case Entry.AUTODIFF | Entry.FWDDIFF:
            wanted = request.request()
            derived = engine.combined(wanted) if request.mode is Mode.COMBINED else engine.forward(wanted)
            return replace(engine, request, lambda arguments: _derivative(arguments, derived))
        case _:
            return split_lowering.lower(engine, request)


def _derivative(arguments: Arguments, derived: Derived) -> list[Value]:
    result = arguments.builder.call(derived.function, arguments.of(derived.signature))
    return results_of(arguments, derived, result)


def _settle_integers(engine: Engine, request: RequestCall) -> None:
    """Integers that are really numbers packed by the ABI are active; others have no derivative."""
    facts = engine.facts(request.primal.name)
    found = packing(facts.memory)
    for number, (actual, argument) in enumerate(zip(request.actuals, facts.function.arguments, strict=True)):
        if actual.is_told_integer:
            _refuse_numbers(request, number, facts.memory.place(argument))
        if not actual.may_pack:
            continue
        if not found.parts(argument):
            actual.activity, actual.shadows = Activity.CONSTANT, []
        elif actual.shadows if request.mode is Mode.FORWARD else not actual.shadows:
            actual.activity = Activity.ACTIVE
        else:
            place, _ = parameter_place(request.primal, number)
            marker = "enzyme_dup and a shadow struct" if request.mode is Mode.FORWARD else "enzyme_out"
            raise RequestError(
                f"argument {place} of '{request.primal.name}' is a struct with numbers packed into an integer",
                location=request.location,
                hint=f"say {marker}, or enzyme_const",
                code="E0141",
            )
    if isinstance(request.result_type, IntType) and found.results.get(()) and not request.has_constant_result:
        request.packed_result = True
        if request.mode is not Mode.FORWARD and request.entry is not Entry.AUGMENTED and not request.seeds:
            raise missing_seed(request)


def _refuse_numbers(request: RequestCall, number: int, place: Place | None) -> None:
    """What is declared as integers may be anything (`type(*)`), or the address of anything (`type(c_ptr), value`)."""
    contents = place.resolved().region.contents() if place is not None else []
    if any(content.float_types or content.kind in {Kind.FLOAT, Kind.POINTER} for content in contents):
        at, _ = parameter_place(request.primal, number)
        raise RequestError(
            f"argument {at} of '{request.primal.name}' is no integer, though debug information says so",
            location=request.location,
            hint="say enzyme_dup or enzyme_const in front of type(*); take a type(c_ptr) by reference, not by value",
            code="E0314",
        )


def replace(engine: Engine, request: RequestCall, emit: Callable[[Arguments], list[Value]]) -> Value | None:
    """Put what `emit` makes in the place of the request's call; gives the value that it has now."""
    engine.module.replace_function(request.caller.name)
    call = request.call
    block = call.block
    # LLVM's inliner gives inlined code without location that of the call, which must therefore have one.
    location = attachments(call).get("dbg")
    builder = Builder(block, f"!dbg {location}" if location else "")
    builder.position = block.instructions.index(call)
    for (variable, _), shadow in engine.globals.made.items():
        clear_shadow(engine.module, builder, variable, shadow)
    arguments = Arguments(engine, builder, request)
    keeps = engine.uses_kept and request.entry in _OUTERMOST
    outer = kept.begin(engine.module, builder) if keeps else None
    drop_notes(engine, builder)
    parts = emit(arguments)
    drop_notes(engine, builder)
    if outer is not None:
        kept.end(engine.module, builder, outer, parts[0] if request.entry is Entry.AUGMENTED else None)
    value = result_value(engine, builder, request, parts)
    block.instructions.remove(call)
    if isinstance(call, ir.Invoke):
        go_on(block, call)
    if value is not None:
        replace_uses(request.caller, call, value)
    _drop_dead_markers(request)
    return value


class Arguments:
    """What the derivative is called with. Structs passed by value in memory are copied first, as the callee's own; a
    struct result gets memory of ours."""

    def __init__(self, engine: Engine, builder: Builder, request: RequestCall) -> None:
        self.engine = engine
        self.module = engine.module
        self.builder = builder
        self.request = request
        self.copies: dict[tuple[Role, int, int], Value] = {}
        for number, actual in enumerate(request.actuals):
            if actual.in_memory is not None:
                self._own(number, actual, actual.in_memory)

    def _own(self, number: int, actual: Actual, type_: Type) -> None:
        size = const_int(I64, self.module.layout.alloc_size(type_))
        memory = self.copies[Role.PRIMAL, number, 0] = self._memory(type_)
        if actual.value is not None:
            self._copy(memory, actual.value, size)
        if not actual.activity.has_shadow:
            return
        is_result = actual.value is None
        seeds = self.request.seeds if is_result else []
        for lane in range(self.request.width):
            if actual.shadows:
                self.copies[Role.SHADOW, number, lane] = self._shadow(actual, lane)
                continue
            shadow = self.copies[Role.SHADOW, number, lane] = self._memory(type_)
            if seeds:
                self._copy(shadow, seeds[lane], size)
            else:
                clear = self.module.declare("llvm.memset.p0.i64", function_type(VOID, (PTR, I8, I64, I1)))
                self.builder.call(clear, [shadow, const_int(I8, 0), size, const_int(I1, 0)])

    def _memory(self, type_: Type) -> Value:
        return stack_variable(self.builder, self.request, type_, align=max(16, self.module.layout.alignment(type_)))

    def _copy(self, target: Value, source: Value, size: Value) -> None:
        copy = intrinsic(self.module, "memcpy", PTR, PTR, I64)
        self.builder.call(copy, [target, source, size, const_int(I1, 0)])

    def _shadow(self, actual: Actual, lane: int) -> Value:
        if actual.stride is None:
            return actual.shadows[lane]
        if lane == 0:
            return actual.shadows[0]
        stride = convert(self.builder, actual.stride, I64)
        return self.builder.gep(I8, actual.shadows[0], [self.builder.mul(stride, const_int(I64, lane))])

    def of(self, signature: Signature, given: Mapping[Role, Value] | None = None) -> list[Value]:
        """One value for each parameter; `given` are the tape or the arena."""
        return [self._part(part, given or {}) for part in signature.parameters]

    def _part(self, part: Part, given: Mapping[Role, Value]) -> Value:
        found = self.copies.get((part.role, part.index, part.lane)) or given.get(part.role)
        if found is not None:
            return found
        match part.role:
            case Role.PRIMAL:
                value = self.request.actuals[part.index].value
                assert value is not None
                return convert(self.builder, value, part.type)
            case Role.SHADOW:
                return convert(self.builder, self._shadow(self.request.actuals[part.index], part.lane), part.type)
            case Role.SEED:
                if not self.request.seeds:
                    return const_float(part.type, 1.0)
                return convert(self.builder, self.request.seeds[part.lane], part.type)
            case _:
                raise AssertionError(part)

    def structs(self, role: Role, number: int) -> list[Value]:
        """What the derivative left in the memory of a struct."""
        type_ = self.request.actuals[number].in_memory
        assert type_ is not None
        lanes = range(self.request.width if role is Role.SHADOW else 1)
        return [self.builder.load(type_, self.copies[role, number, lane]) for lane in lanes]


def convert(builder: Builder, value: Value, type_: Type) -> Value:
    if value.type is type_:
        return value
    if isinstance(value.type, PointerType):
        return builder.load(type_, value, 1)
    if type_.is_float:
        return builder.cast("fptrunc", value, type_)
    assert isinstance(value.type, IntType)
    assert isinstance(type_, IntType)
    return builder.cast("trunc" if value.type.bits > type_.bits else "sext", value, type_)


def replace_uses(function: object, old: Value, new: Value) -> None:
    """Put `new` in the place of every use of `old`."""
    from enzyme_build.ir.function import Function

    assert isinstance(function, Function)
    for instruction in function.instructions():
        operands = instruction.operands
        for index, operand in enumerate(operands):
            if operand is old:
                operands[index] = new
    for block in function.blocks:
        for record in block.records:
            record.operands[:] = [new if operand is old else operand for operand in record.operands]


def go_on(block: Block, call: ir.Invoke) -> None:
    """End a block where the call that was there would return: what took its place does not throw."""
    block.append(ir.Jump(call.normal))
    for phi in call.unwind.phis:
        index = phi.blocks.index(block)
        del phi.blocks[index], phi.operands[index]


def _drop_dead_markers(request: RequestCall) -> None:
    """The loads of markers have no other purpose; the markers are defined nowhere."""
    markers = {a for a in request.call.arguments if isinstance(a, ir.Load) and marker_name(a) is not None}
    if not markers:
        return
    used = {operand for i in request.caller.instructions() for operand in i.operands}
    for block in request.caller.blocks:
        block.records[:] = [r for r in block.records if markers.isdisjoint(r.operands)]
        block.instructions[:] = [i for i in block.instructions if i not in markers or i in used]
