"""Requests that leave the two passes of reverse mode to the caller, and batches of primal calls.

A tape in the caller's hands is one block of memory: the arena, from which everything of unknown size comes, a number
that tells which passes it belongs to, and the record that the augmented pass returns. The block is from the heap, or
storage of the caller's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.errors import RequestError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import I64, PTR, VOID, StructType, Type, fields_of, function_type, struct_type
from enzyme_build.ir.values import ConstantInt, Value, const_int, null, zero

from .lowering import convert, replace
from .replay import no_replay
from .request_call import Entry
from .results import as_declared, declared_size, layout_of, results_of
from .runtime import ARENA_TYPE, runtime_function
from .signature import Role

if TYPE_CHECKING:
    from enzyme_build.ir.builder import Builder

    from .engine import Derived, Engine, SplitDerived
    from .lowering import Arguments
    from .request_call import RequestCall


def lower(engine: Engine, request: RequestCall) -> Value | None:
    """Build the passes and replace the request's call."""
    if request.entry is Entry.BATCH:
        return replace(engine, request, _batch)
    split = engine.split(request.request())
    match request.entry:
        case Entry.AUGMENTED:
            return replace(engine, request, lambda arguments: _augmented(arguments, split))
        case Entry.REVERSE:
            return replace(engine, request, lambda arguments: _from_tape(arguments, split, split.reverse))
        case Entry.FORWARD_SPLIT:
            if split.replay is None:
                raise no_replay(request.primal.name, request.location)
            replay = split.replay
            return replace(engine, request, lambda arguments: _from_tape(arguments, split, replay))
        case _:
            size = _size(engine, split)
            return replace(engine, request, lambda _: [const_int(request.call.type, size)])


def _block_type(split: SplitDerived) -> StructType:
    return struct_type((ARENA_TYPE, I64, *([split.tape] if split.tape is not None else [])))


def _size(engine: Engine, split: SplitDerived) -> int:
    return engine.module.layout.alloc_size(_block_type(split))


def _record(arguments: Arguments, split: SplitDerived, block: Value) -> tuple[Value, Type] | None:
    """Where in the block the record is."""
    if split.tape is None:
        return None
    offset = arguments.module.layout.field_offset(_block_type(split), 2)
    return arguments.builder.ptradd(block, offset), split.tape


def _augmented(arguments: Arguments, split: SplitDerived) -> list[Value]:
    """Call the augmented pass: the tape, the primal's result, its shadow; as many as the caller declared."""
    engine, b, request = arguments.engine, arguments.builder, arguments.request
    size = const_int(I64, _size(engine, split))
    if request.tape is not None:
        _check_storage(engine, request, split)
        block = request.tape
    else:
        block = b.call(runtime_function(engine.module, "reserve"), [null(PTR), size])
    for index, field in enumerate(fields_of(ARENA_TYPE)):
        b.store(zero(field), b.ptradd(block, engine.module.layout.field_offset(ARENA_TYPE, index)))
    b.store(_stamp(request), b.ptradd(block, _stamp_offset(engine)))
    signature = split.augmented.signature
    result = b.call(split.augmented.function, arguments.of(signature, {Role.ARENA: block}))
    record = _record(arguments, split, block)
    if record is not None:
        tape = signature.extract(b, result, Role.TAPE)
        assert tape is not None
        b.store(tape, record[0])
    parts = [block]
    for number, actual in enumerate(request.actuals):
        if actual.value is None:
            parts += arguments.structs(Role.PRIMAL, number)
    for part in signature.results:
        if part.role is not Role.TAPE:
            value = signature.extract(b, result, part.role, part.index, part.lane)
            assert value is not None
            parts.append(value)
    return _declared(engine, b, request, parts)


def _declared(engine: Engine, builder: Builder, request: RequestCall, parts: list[Value]) -> list[Value]:
    """The leading parts that fill the declared result type."""
    declared = declared_size(engine, request)
    for count in range(len(parts), 0, -1):
        leading = as_declared(engine, builder, request, parts[:count])
        if layout_of(engine, leading)[1] == declared:
            return leading
    return parts if declared else []


def _check_storage(engine: Engine, request: RequestCall, split: SplitDerived) -> None:
    """The caller's storage must hold the tape."""
    given = request.allocated
    while isinstance(given, ir.Cast):
        given = given.operands[0]
    needed = _size(engine, split)
    if not isinstance(given, ConstantInt):
        raise RequestError(
            "the size of the storage for the tape is not known at compile time",
            location=request.location,
            hint=f"say 'enzyme_allocated, {needed}' or more, or the result of __enzyme_augmentsize",
            code="E0341",
        )
    if given.value < needed:
        raise RequestError(
            f"the storage for the tape of '{request.primal.name}' has {given.value} bytes, it needs {needed}",
            location=request.location,
            hint=f"say 'enzyme_allocated, {needed}' and pass as much memory, or use __enzyme_augmentsize",
            code="E0340",
        )


def _stamp(request: RequestCall) -> Value:
    """A number that is the same for passes that belong together, and for no others."""
    told = (request.request(), request.allocated is not None)  # what is in storage must not be given back
    import hashlib

    digest = hashlib.blake2b(repr(told).encode(), digest_size=8).digest()
    return const_int(I64, int.from_bytes(digest, "little", signed=True))


def _stamp_offset(engine: Engine) -> int:
    return engine.module.layout.alloc_size(ARENA_TYPE)


def _from_tape(arguments: Arguments, split: SplitDerived, derived: Derived) -> list[Value]:
    """Call a pass that reads the tape, then give the tape back unless it is to be used again."""
    engine, b, request = arguments.engine, arguments.builder, arguments.request
    assert request.tape is not None
    stamp = b.load(I64, b.ptradd(request.tape, _stamp_offset(engine)))
    b.call(runtime_function(engine.module, "check_tape"), [b.icmp("eq", stamp, _stamp(request))])
    record = _record(arguments, split, request.tape)
    given = {Role.TAPE: b.load(record[1], record[0])} if record is not None else {}
    if derived is split.replay:
        b.call(runtime_function(engine.module, "pointers_back"), [request.tape])
    result = b.call(derived.function, arguments.of(derived.signature, given))
    if derived is split.replay:
        b.call(runtime_function(engine.module, "pointers_forth"), [request.tape])
    if "enzyme_nofree" in request.flags:
        if engine.uses_kept:
            b.call(runtime_function(engine.module, "kept_clear"), [request.tape])
    else:
        b.call(runtime_function(engine.module, "release"), [request.tape])
        if request.allocated is None:
            free = engine.module.declare("free", function_type(VOID, (PTR,)))
            b.call(free, [request.tape])
    return results_of(arguments, derived, result)


def _batch(arguments: Arguments) -> list[Value]:
    """The primal for each set of arguments."""
    b, request = arguments.builder, arguments.request
    primal = request.primal
    results: list[Value] = []
    for lane in range(request.width):
        values: list[Value] = []
        for number, (actual, parameter) in enumerate(zip(request.actuals, primal.arguments, strict=True)):
            if actual.in_memory is not None:
                values.append(arguments.copies[Role.PRIMAL, number, 0])
            else:
                values.append(convert(b, actual.shadows[min(lane, len(actual.shadows) - 1)], parameter.type))
        result = b.call(primal, values)
        if primal.function_type.result is not VOID:
            results.append(result)
        for number, actual in enumerate(request.actuals):
            if actual.in_memory is not None:
                results += arguments.structs(Role.PRIMAL, number)
    return results
