"""What a request returns: the parts of the derivative's result, as the caller declared them.

They are handed over as the only value, a struct in registers (whatever the ABI made of it), or through the caller's
`sret` memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.offsets import scalar_leaves
from enzyme_build.analysis.request import Mode
from enzyme_build.errors import RequestError
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.types import (
    I8,
    I32,
    I64,
    VOID,
    IntType,
    PointerType,
    StructType,
    Type,
    VectorType,
    fields_of,
    struct_type,
)
from enzyme_build.ir.values import Value, const_int, zero
from enzyme_build.regex import regex

from .assemble import taken_apart
from .markers import structs
from .request_call import Entry
from .signature import Role

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .engine import Derived, Engine
    from .lowering import Arguments
    from .request_call import RequestCall

_WORD = 32
_SRET = regex(r"sret\((.*?)\)(?: |$)")


def stack_variable(
    builder: Builder, request: RequestCall, type_: Type, count: Value | None = None, align: int = 16
) -> Value:
    """Memory on the caller's stack."""
    entry = Builder(request.caller.entry)
    entry.position = 0
    memory = entry.alloca(type_, count, align)
    if builder.block is request.caller.entry and builder.position is not None:
        builder.position += 1
    return memory


def results_of(arguments: Arguments, derived: Derived, result: Value) -> list[Value]:
    """The results of the request in order: the primal's, its tangents, the adjoints of arguments."""
    engine, request, signature = arguments.engine, arguments.request, derived.signature
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

    flat = parts + [adjoint for number in sorted(adjoints) for adjoint in adjoints[number]]
    together = _together(arguments, adjoints)
    if together != adjoints:
        whole = parts + [adjoint for number in sorted(together) for adjoint in together[number]]
        if layout_of(engine, whole)[1] == declared_size(engine, request):
            return whole
    return as_declared(engine, arguments.builder, request, flat)


def as_declared(engine: Engine, builder: Builder, request: RequestCall, parts: list[Value]) -> list[Value]:
    """The parts, with structs of four-byte members as such where that is what fills the declared result: in registers
    the ABI has two of them in one, and so more alignment than in a struct."""
    wanted = declared_size(engine, request)
    if layout_of(engine, parts)[1] == wanted:
        return parts
    apart = [_of_words(builder, part) for part in parts]
    return apart if layout_of(engine, apart)[1] == wanted else parts


def _of_words(b: Builder, part: Value) -> Value:
    """A struct in registers of eight bytes, as one of four-byte members."""
    if not isinstance(part.type, StructType):
        return part
    members: list[Value] = []
    for at, type_ in enumerate(part.type.fields):
        member = b.extract_value(part, (at,))
        if type_ is I64:
            upper = b.cast("trunc", b.binary("lshr", member, const_int(I64, _WORD)), I32)
            members += [b.cast("trunc", member, I32), upper]
        else:
            members.append(taken_apart(b, member))
    return b.aggregate(struct_type(tuple(member.type for member in members)), members)


def _together(arguments: Arguments, adjoints: Mapping[int, list[Value]]) -> Mapping[int, list[Value]]:
    """The adjoints with one struct for each that came in several registers, where it is laid out otherwise than those
    are: with integers, which have no adjoints, or floats two to a register."""
    found = dict(adjoints)
    b, primal = arguments.builder, arguments.request.primal
    for numbers in structs(primal):
        types = [primal.arguments[number].type for number in numbers]
        odd = any(isinstance(type_, IntType | VectorType) for type_ in types)
        if len(numbers) == 1 or not odd or found.keys().isdisjoint(numbers):
            continue
        if not all(number in found or isinstance(type_, IntType) for number, type_ in zip(numbers, types, strict=True)):
            continue
        wholes: list[Value] = []
        for lane in range(arguments.request.width):
            members = [
                taken_apart(b, found[number][lane]) if number in found else zero(type_)
                for number, type_ in zip(numbers, types, strict=True)
            ]
            wholes.append(b.aggregate(struct_type(tuple(member.type for member in members)), members))
        for number in numbers:
            found.pop(number, None)
        found[numbers[0]] = wholes
    return found


def result_value(engine: Engine, builder: Builder, request: RequestCall, parts: list[Value]) -> Value | None:
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
        return builder.aggregate(declared, parts)
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
    memory = stack_variable(builder, request, I8, const_int(I64, max(size, wanted)))
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
    """Numbers must not fill what is declared as integers, nor pointers what is declared as numbers; beside an integer
    the ABI puts some into the same word."""
    layout, declared = engine.module.layout, _declared_type(engine, request)
    leaves = [
        (leaf, at)
        for part, offset in zip(parts, layout_of(engine, parts)[0], strict=True)
        for _, leaf, at in scalar_leaves(layout, part.type, offset)
    ]
    numbers = {at: layout.store_size(leaf) for leaf, at in leaves if leaf.is_float}
    pointers = [at for leaf, at in leaves if isinstance(leaf, PointerType)]
    for _, leaf, start in scalar_leaves(layout, declared):
        end = start + layout.store_size(leaf)
        if leaf.is_float and any(start <= at < end for at in pointers):
            raise RequestError(
                f"the derivative of '{request.primal.name}' returns a pointer where a number is declared",
                location=request.location,
                hint="declare a pointer there; '__enzyme_augmentfwd' returns the tape before the function's result",
                code="E0311",
            )
        covered = sum(size for at, size in numbers.items() if start <= at < end)
        if isinstance(leaf, IntType | PointerType) and covered == end - start:
            what = "a pointer" if isinstance(leaf, PointerType) else "an integer"
            raise RequestError(
                f"the derivative of '{request.primal.name}' returns a number where {what} is declared",
                location=request.location,
                hint="declare the return type as the adjoint of the out argument, or a struct of several, in order",
                code="E0311",
            )
