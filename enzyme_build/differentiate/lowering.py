"""Puts a call to the derivative in the place of a request.

Arguments are converted back from C's variadic promotions; results are handed over as the caller declared them: void,
the only value, a struct in registers (whatever the ABI made of it), or through the caller's `sret` memory.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.offsets import scalar_leaves
from enzyme_build.analysis.packing import packing
from enzyme_build.analysis.request import Activity, Mode
from enzyme_build.errors import RequestError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.metadata import attachments
from enzyme_build.ir.types import I1, I8, I64, PTR, VOID, IntType, PointerType, Type, fields_of, function_type
from enzyme_build.ir.values import Value, const_float, const_int, poison

from . import kept
from .declared_numbers import compare_declared
from .global_shadows import clear_shadow
from .markers import marker_name, parameter_place
from .request_call import Entry, missing_seed
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
_SRET = re.compile(r"sret\((.*?)\)(?: |$)")


def lower(engine: Engine, request: RequestCall) -> Value | None:
    """Build the derivative and replace the request's call; gives what stands in its place."""
    from . import split_lowering

    if request.entry is not Entry.BATCH:
        _settle_integers(engine, request)
        compare_declared(engine, request)
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
    parts = emit(arguments)
    if outer is not None:
        kept.end(engine.module, builder, outer, parts[0] if request.entry is Entry.AUGMENTED else None)
    value = _result(engine, builder, request, parts)
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
        return _variable(self.builder, self.request, type_, align=max(16, self.module.layout.alignment(type_)))

    def _copy(self, target: Value, source: Value, size: Value) -> None:
        copy = self.module.declare("llvm.memcpy.p0.p0.i64", function_type(VOID, (PTR, PTR, I64, I1)))
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


def _variable(
    builder: Builder, request: RequestCall, type_: Type, count: Value | None = None, align: int = 16
) -> Value:
    """Memory on the caller's stack."""
    entry = Builder(request.caller.entry)
    entry.position = 0
    memory = entry.alloca(type_, count, align)
    if builder.block is request.caller.entry and builder.position is not None:
        builder.position += 1
    return memory


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


def results_of(arguments: Arguments, derived: Derived, result: Value) -> list[Value]:
    """The results of the request in order: the primal's, its tangents, the adjoints of arguments."""
    request, signature = arguments.request, derived.signature
    parts: list[Value] = []
    adjoints: dict[int, list[Value]] = {}
    for number, actual in enumerate(request.actuals):
        if actual.value is None:
            if request.returns_primal or request.entry is Entry.AUGMENTED:
                parts += arguments.structs(Role.PRIMAL, number)
            if request.mode is Mode.FORWARD and actual.activity.has_shadow:
                parts += arguments.structs(Role.SHADOW, number)
        elif actual.returned and actual.in_memory is not None and request.entry is not Entry.AUGMENTED:
            adjoints[number] = arguments.structs(Role.SHADOW, number)
    for part in signature.results:
        extracted = signature.extract(arguments.builder, result, part.role, part.index, part.lane)
        assert extracted is not None
        if part.role is Role.ADJOINT:
            adjoints.setdefault(part.index, []).append(extracted)
        else:
            parts.append(extracted)
    return parts + [adjoint for number in sorted(adjoints) for adjoint in adjoints[number]]


def _result(engine: Engine, builder: Builder, request: RequestCall, parts: list[Value]) -> Value | None:
    """What the request's call returns; stores it where the caller wants it in memory."""
    for part, delivery in zip(parts, request.deliveries, strict=bool(request.deliveries)):
        before = builder.load(part.type, delivery.pointer) if delivery.adds else None
        builder.store(part if before is None else builder.fadd(before, part), delivery.pointer)
    declared = request.call.type
    target = request.result_pointer
    if target is not None:
        _check_size(engine, request, parts, declared_size(engine, request))
        _store_parts(engine, builder, parts, target)
        return None
    if declared is VOID:
        return None
    if not parts:
        if any(request.call in i.operands for i in request.caller.instructions()):
            raise RequestError(
                f"the derivative of '{request.primal.name}' returns nothing, but its result is used",
                location=request.location,
                hint="adjoints of dup arguments are in their shadows; those of out arguments are returned",
                code="E0312",
            )
        return None
    if len(parts) == 1 and parts[0].type is declared:
        return parts[0]
    if len(parts) == 1 and parts[0].type.is_float and declared.is_float:
        wider = declared.bits > parts[0].type.bits  # type: ignore[attr-defined]
        return builder.cast("fpext" if wider else "fptrunc", parts[0], declared)
    leaves = fields_of(declared)
    if [leaf.text for leaf in leaves] == [part.type.text for part in parts]:
        whole: Value = poison(declared)
        for index, value in enumerate(parts):
            whole = builder.insert_value(whole, value, (index,))
        return whole
    return _through_memory(engine, builder, request, parts)


def _declared_type(engine: Engine, request: RequestCall) -> Type:
    """The result that the caller declared, in registers or in memory."""
    if request.result_pointer is None:
        return request.call.type
    found = _SRET.search(request.call.argument_attributes[0])
    return engine.module.parse_type(found[1]) if found else VOID


def declared_size(engine: Engine, request: RequestCall) -> int:
    """Bytes of the result that the caller declared."""
    type_ = _declared_type(engine, request)
    return 0 if type_ is VOID else engine.module.layout.alloc_size(type_)


def layout_of(engine: Engine, parts: list[Value]) -> tuple[list[int], int]:
    """Offsets of the parts in a C struct of them, and its size."""
    layout = engine.module.layout
    offsets, at, widest = [], 0, 1
    for part in parts:
        align = layout.alignment(part.type)
        widest = max(widest, align)
        at = (at + align - 1) // align * align
        offsets.append(at)
        at += layout.alloc_size(part.type)
    return offsets, (at + widest - 1) // widest * widest


def _store_parts(engine: Engine, builder: Builder, parts: list[Value], target: Value) -> None:
    offsets, _ = layout_of(engine, parts)
    for part, offset in zip(parts, offsets, strict=True):
        builder.store(part, builder.ptradd(target, offset))


def _through_memory(engine: Engine, builder: Builder, request: RequestCall, parts: list[Value]) -> Value:
    """A struct in registers, as the ABI coerced it: {float, float} comes back as <2 x float>."""
    declared = request.call.type
    wanted = engine.module.layout.alloc_size(declared)
    size = _check_size(engine, request, parts, wanted)
    memory = _variable(builder, request, I8, const_int(I64, max(size, wanted)))
    _store_parts(engine, builder, parts, memory)
    return builder.load(declared, memory)


def _check_size(engine: Engine, request: RequestCall, parts: list[Value], wanted: int) -> int:
    """Bytes of the results; the struct that the caller declared must have as many."""
    _, size = layout_of(engine, parts)
    if size != wanted:
        raise RequestError(
            f"the derivative of '{request.primal.name}' returns {len(parts)} value(s) of {size} bytes, "
            f"but is declared to return {wanted} bytes",
            location=request.location,
            hint="declare the return type as a struct of the adjoints of the out arguments, in order",
            code="E0311",
        )
    _check_kinds(engine, request, parts)
    return size


def _check_kinds(engine: Engine, request: RequestCall, parts: list[Value]) -> None:
    """Numbers must not fill what is declared as integers; beside an integer the ABI puts some into the same word."""
    layout, declared = engine.module.layout, _declared_type(engine, request)
    numbers = {
        at: layout.store_size(leaf)
        for part, offset in zip(parts, layout_of(engine, parts)[0], strict=True)
        for _, leaf, at in scalar_leaves(layout, part.type, offset)
        if leaf.is_float
    }
    for _, leaf, start in scalar_leaves(layout, declared):
        end = start + layout.store_size(leaf)
        covered = sum(size for at, size in numbers.items() if start <= at < end)
        if isinstance(leaf, IntType) and covered == end - start:
            raise RequestError(
                f"the derivative of '{request.primal.name}' returns a number where an integer is declared",
                location=request.location,
                hint="declare the return type as the adjoint of the out argument, or a struct of several, in order",
                code="E0311",
            )


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
