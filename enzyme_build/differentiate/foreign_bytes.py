"""Bytes that a struct declares as characters, or as a union, where they are copied in reverse mode.

Mostly they are text or integers, which have neither adjoints nor shadows; but they may be numbers or pointers. Nothing
tells it of memory that callers hand over, and a member of a union that a function uses tells nothing of the others. The
run shows it. In the forward sweep no shadow of what is copied may have a pointer of its own; in the reverse sweep what
is in the shadow of the copy are adjoints. They are moved back without knowing their type, as long as nothing has to be
added to others (see `runtime_foreign`). Shadows that were made by copying an object hold its text, integers and
addresses: what cannot be a number is left alone, the rest is cleared where it is overwritten; text is characters that
can be printed, up to the first zero. All else ends the program with a message. Where the derivative is differentiated
again, or the program has numbers of which every bit may count, nothing but zeros and text may be there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.claims import claims_at, overlapped_numbers
from enzyme_build.analysis.declared_bytes import declared_bytes
from enzyme_build.analysis.unions import may_be_shared
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.merges import merged_from
from enzyme_build.ir.types import DOUBLE, FLOAT, I1, I8, I32, I64, PTR, IntType, Type
from enzyme_build.ir.values import Argument, Constant, ConstantInt, const_int, zero

from .askew import note_askew
from .moved_parts import GRANULE, granule_of
from .noted import note_untold
from .parts_of_pointers import is_own, may_point
from .runtime import runtime_function, stop_if, typed_function

EACH: Final = "_each"
"""Behind the names of what does the same in every element of an array."""
SEEN: Final = "words_seen"
ENDED: Final = "words_ended"
GONE: Final = "pointers_gone"
_DOUBLE: Final = 8
_WORDS: Final[dict[Type, Type]] = {I64: DOUBLE, I32: FLOAT}
"""The numbers that integers may be the bits of."""
_LONGEST: Final = 1 << 16
"""Bytes of an element of an array."""
_BYTES: Final = (
    "bytes of which nothing tells what they are (characters, unions, of either precision, or what nobody uses) are "
    "copied, and "
)
_OTHER: Final = (
    f"{_BYTES}there is a pointer in their shadow, or what is neither zero nor a copy of the text; set them to zero "
    "there, or copy the pointers by their names"
)
_SAME: Final = (
    f"{_BYTES}the shadow of what they overwrite is the same as that is: an adjoint, or left of an object that was "
    "copied; set integers and padding to zero in shadows"
)
_LEFT: Final = (
    f"{_BYTES}in their shadow they are neither zero nor a copy of the text; set them to zero there, or declare the "
    "numbers and pointers in them"
)
_POINTER: Final = (
    "a pointer that may be a member of a union is written where the shadow has a number; copy such numbers by their "
    "names"
)
_MOVED: Final = (ir.Load, Argument, ir.CallBase, ir.ExtractValue)
_AS_POINTER: Final = (
    "a number is moved as a pointer (the bits of a double in a void *), of which nothing tells the adjoint; keep "
    "pointers and numbers in separate memory"
)
_HALF: Final = (
    "an integer that may be a member of a union is written where the shadow has a number, of which it may be a half; "
    "set it to zero there"
)
_WRITTEN: Final = (
    "an integer or a pointer that may be a member of a union is written where the shadow has a number, in a derivative "
    "that is differentiated; set it to zero there"
)
_ADDED: Final = (
    f"{_BYTES}adjoints have to be added there of which nothing tells what type they are; copy the numbers by their "
    "names"
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from enzyme_build.analysis.declared_bytes import Range
    from enzyme_build.analysis.fields import Fields
    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

    from .augmented import AugmentedSweep
    from .context import Context
    from .engine import Engine
    from .reverse import ReverseSweep

    Every = tuple[int, Value]
    """How far the elements of an array lie apart, and the bytes of all."""


def read_words(sweep: AugmentedSweep, load: ir.Load) -> None:
    """Checks of a word that is read."""
    if load in sweep.activity.bytes and sweep.activity.has_shadow(load.pointer):
        for _ in sweep.lanes.each():
            check_source(sweep, load, load.pointer, _ranges(sweep.context, load.pointer, load))
    elif load in sweep.activity.watched and sweep.activity.has_shadow(load.pointer) and not sweep.engine.last_order:
        size = sweep.context.layout.store_size(load.type)
        for _ in sweep.lanes.each():
            mark_words(sweep.module, sweep.b, SEEN, sweep.shadow(load.pointer), size)


def mark_words(module: Module, b: Builder, mark: str, shadow: Value, size: int) -> None:
    """Mark shadow memory of parts of numbers in a derivative that is differentiated again: of less than four bytes,
    the four around them."""
    if size < GRANULE:
        shadow, size = granule_of(b, shadow), GRANULE
    b.call(runtime_function(module, mark), [shadow, const_int(I64, size)])


def mark_ended(sweep: ReverseSweep, store: ir.Store) -> None:
    """Parts are stored where adjoints are zero; their tangents and adjoints have to be, too."""
    if not sweep.engine.last_order:
        size = sweep.context.layout.store_size(store.value.type)
        mark_words(sweep.module, sweep.b, ENDED, sweep.recall.shadow(store.pointer), size)


def written_words(sweep: AugmentedSweep, store: ir.Store) -> None:
    """Checks of a word before it is written."""
    if store.value in sweep.activity.bytes and sweep.activity.memory_active(store.pointer):
        for _ in sweep.lanes.each():
            clear_text(sweep, store, store.pointer, _ranges(sweep.context, store.pointer, store.value))
    if _may_be_number(sweep, store):
        for _ in sweep.lanes.each():
            _stop_at_number(sweep, store, sweep.shadow(store.pointer))


def _stop_at_number(sweep: AugmentedSweep | ReverseSweep, store: ir.Store, shadow: Value) -> None:
    """Where a pointer of a union is written, another member may be a number, which this does not move."""
    bits = sweep.b.call(runtime_function(sweep.module, "pointer_left"), [shadow])
    stop_at_bits(sweep.context, sweep.b, store, bits, _POINTER)


def end_word(sweep: ReverseSweep, store: ir.Store) -> None:
    """An integer is written over a member of a union, or a word that is a pointer in some objects, or a pointer over
    such a word: the adjoint of a number ends there. Addresses, and the small integers that the shadow of an object may
    have as a copy, stay."""
    type_, pointer = store.value.type, store.pointer
    if not (isinstance(type_, IntType) or type_ is PTR) or not sweep.activity.memory_active(pointer):
        return
    memory, size = sweep.context.memory, sweep.context.layout.store_size(type_)
    shared = type_ is not PTR and size in (GRANULE, _DOUBLE) and may_be_shared(memory, store, pointer, size)
    if not shared and not _is_word(sweep, store, size):
        return
    name = "pointers_end"
    if size < _DOUBLE:
        # Half of a union may be half of a double: where the other half is a number, too, nothing tells what ends.
        inside, beyond = (declared_bytes(memory).unions(pointer, n) for n in (size, _DOUBLE))
        name = "words_end" if inside is not None and beyond is not None and inside == beyond[:1] else "halves_end"
    if name == "halves_end":
        bits = sweep.b.call(runtime_function(sweep.module, "half_left"), [sweep.recall.shadow(pointer)])
        stop_at_bits(sweep.context, sweep.b, store, bits, _HALF)
    if sweep.engine.last_order:
        shadow = sweep.writable(pointer)
        sweep.b.call(runtime_function(sweep.module, name), [shadow, const_int(I64, 1), const_int(I64, 0)])
        return
    shadow = sweep.recall.shadow(pointer)
    left, *rest = ("pointer_left",) if size == _DOUBLE else ("words_left", const_int(I64, size))
    bits = sweep.b.call(runtime_function(sweep.module, left), [shadow, *rest])
    stop_at_bits(sweep.context, sweep.b, store, bits, _WRITTEN)


def stop_at_moved_number(sweep: ReverseSweep, store: ir.Store) -> None:
    """A pointer is stored where numbers may be: end the program if one was read there, which went the pointer's way (a
    `void *` that a function is given or returns, and that nothing tells is a number). Addresses that are computed may
    be tagged, and integers that take turns with them anything, which looks like one."""
    leaves = [v for v in merged_from(store.value) if not isinstance(v, Constant)]
    if store.value.type is not PTR or not leaves or not all(isinstance(v, _MOVED) for v in leaves):
        return
    if not sweep.activity.memory_active(store.pointer) or not _is_word(sweep, store, _DOUBLE):
        return
    shadow = sweep.recall.shadow(store.pointer)
    bits: Value = sweep.b.call(runtime_function(sweep.module, "words_tangent"), [shadow, const_int(I64, _DOUBLE)])
    if sweep.activity.is_uncertain(store.pointer):
        constant = sweep.b.icmp("eq", shadow, sweep.recall.value(store.pointer))
        bits = sweep.b.select(constant, const_int(I64, 0), bits)
    stop_at_bits(sweep.context, sweep.b, store, bits, _AS_POINTER)


def _is_word(sweep: ReverseSweep, store: ir.Store, size: int) -> bool:
    """Is this written over a word that is a pointer in some objects and a number in others?"""
    place = sweep.context.memory.place(store.pointer)
    return place is not None and size == _DOUBLE and 0 in sweep.engine.known_fields.of([place], size).words


def forget_pointers(sweep: ReverseSweep, pointer: Value, shadow: Value, numbers: Sequence[tuple[int, Type]]) -> None:
    """Clear what a pointer left in the shadow of numbers (by where they lie) that take turns with it, as in a union:
    its half would be a large number, or its end the exponent of a long one. (As a double it is subnormal.)"""
    if takes_turns(sweep.context, pointer, numbers):
        own = const_int(I1, int(is_own(sweep.context.memory, pointer)))
        until = max(at + sweep.context.layout.store_size(type_) for at, type_ in numbers)
        sweep.b.call(runtime_function(sweep.module, GONE), [shadow, const_int(I64, until), own])


def takes_turns(context: Context, pointer: Value, numbers: Iterable[tuple[int, Type]]) -> bool:
    """May a pointer lie where these numbers do at other times, and be more than nothing as one of them?"""
    return any(
        type_.scalar is not DOUBLE and may_point(context.memory, pointer, at, context.layout.store_size(type_))
        for at, type_ in numbers
    )


def stop_at_numbers(
    sweep: AugmentedSweep | ReverseSweep, i: ir.Instruction, shadow: Value, found: Fields, length: Value
) -> None:
    """The same where pointers are copied that may be members of unions."""
    for arguments in _shared(sweep.b, shadow, found, length):
        bits = sweep.b.call(runtime_function(sweep.module, "pointers_left"), arguments)
        stop_at_bits(sweep.context, sweep.b, i, bits, _POINTER)


def end_shared(  # noqa: PLR0913, PLR0917
    sweep: ReverseSweep, i: ir.Instruction, shadow: Value, found: Fields, length: Value, where: Value | None
) -> None:
    """Clear the adjoints where such pointers are overwritten; `where` false does nothing."""
    b = sweep.b
    for start, count, step in _shared(b, shadow, found, length):
        ended = count if where is None else b.select(where, count, const_int(I64, 0))
        if sweep.engine.last_order:
            b.call(runtime_function(sweep.module, "pointers_end"), [start, ended, step])
        else:
            bits = b.call(runtime_function(sweep.module, "pointers_left"), [start, ended, step])
            stop_at_bits(sweep.context, b, i, bits, _WRITTEN)


def _shared(b: Builder, shadow: Value, found: Fields, length: Value) -> Iterable[list[Value]]:
    """Address, number and distance of the pointers in shadow memory that may be numbers."""
    for at in found.shared:
        count: Value = const_int(I64, 1)
        if found.period:
            # The run need not end with a whole period.
            wide = b.wide(length)
            until = const_int(I64, found.period - at - _DOUBLE)
            count = b.binary("sdiv", b.binary("add", wide, until), const_int(I64, found.period))
        yield [b.ptradd(shadow, at), count, const_int(I64, found.period)]


def _may_be_number(sweep: AugmentedSweep | ReverseSweep, store: ir.Store) -> bool:
    """Is a pointer stored that may be something else, and was read or passed rather than computed here?"""
    if store.value.type is not PTR or not sweep.activity.memory_active(store.pointer):
        return False
    moved = isinstance(store.value, (ir.Load, Argument, ir.CallBase, *ir.MERGES))
    return moved and may_be_shared(sweep.context.memory, store, store.pointer, _DOUBLE)


def taken_words(sweep: ReverseSweep, store: ir.Store) -> None:
    """Checks of a word that was written, in the reverse sweep, where its adjoint is not moved."""
    if sweep.activity.is_active(store.value):
        return
    if _may_be_number(sweep, store):
        _stop_at_number(sweep, store, sweep.recall.shadow(store.pointer))
    if store.value in sweep.activity.bytes and sweep.activity.memory_active(store.pointer):
        stop_at_adjoints(sweep, store, store.pointer, _ranges(sweep.context, store.pointer, store.value))


# Words -------------------------------------------------------------------------------------------------------------


def load_word(sweep: ReverseSweep, load: ir.Load) -> None:
    """The adjoint of a word goes to the shadow of where it was read."""
    address = sweep.writable(load.pointer)
    share = sweep.take(load)
    if number := _WORDS.get(share.type):
        note_askew(sweep.engine, sweep.b, number, address, load.align)
    note_untold(sweep.engine, sweep.b, address)
    sweep.b.store(sum_of_words(sweep, load, sweep.b.load(share.type, address, 1), share), address, 1)


def store_word(sweep: ReverseSweep, store: ir.Store) -> None:
    """The adjoint of a word is what the shadow holds of where it was written."""
    b, type_ = sweep.b, store.value.type
    address = sweep.writable(store.pointer)
    bar: Value = b.load(type_, address, 1)
    b.store(zero(type_), address, 1)
    if sweep.activity.is_uncertain(store.pointer):
        constant = b.icmp("eq", sweep.recall.shadow(store.pointer), sweep.recall.value(store.pointer))
        bar = b.select(constant, zero(type_), bar)
    sweep.add_to(store.value, bar)


def sum_of_words(sweep: ReverseSweep, v: Value, a: Value, b: Value) -> Value:
    """The sum of adjoints of unknown type, one of which must be zero."""
    assert isinstance(v, ir.Instruction)
    both = [sweep.b.wide(a), sweep.b.wide(b)]
    floats = _is_float(sweep.context, v) if a.type is not I64 else _has_no_double(sweep.context, v)
    if not floats:
        bits = sweep.b.call(runtime_function(sweep.module, "word_clash"), both)
        stop_at_bits(sweep.context, sweep.b, v, bits, _ADDED)
    total = sweep.b.call(runtime_function(sweep.module, "word_sum"), [*both, const_int(I1, int(floats))])
    return _narrow(sweep.b, total, a.type)


def _is_float(context: Context, word: ir.Instruction) -> bool:
    """Are four bytes a member of a struct or union, rather than half of a double that is copied in parts?"""
    words: list[Value] = [word]
    for v in words:
        words += [o for o in ir.merged(v) if o not in words] if isinstance(v, ir.MERGES) else ()
    loads = [v for v in words if isinstance(v, ir.Load)]
    return bool(loads) and all(_is_single(context, load) for load in loads)


def _is_single(context: Context, load: ir.Load) -> bool:
    """Are the four bytes that are read a float, if they are a number at all?"""
    place, larger = context.memory.place(load.pointer), lambda t: context.layout.store_size(t) > GRANULE
    if place is None or any(map(larger, overlapped_numbers(context.layout, place, GRANULE))):
        return False
    single = declared_bytes(context.memory).is_single(load.pointer, GRANULE)
    numbers = claims_at(context.layout, place, GRANULE)
    return single if single is not None else bool(numbers) and not any(map(larger, numbers))


def _has_no_double(context: Context, word: ir.Instruction) -> bool:
    """Is there an integer in one of its halves, so that the other may only be a float?"""
    if not isinstance(word, ir.Load):
        return False
    ranges = declared_bytes(context.memory).ranges(word.pointer, 8)
    return ranges is not None and all(size < 8 for _, size in ranges)


def _narrow(b: Builder, word: Value, type_: Type) -> Value:
    return word if type_ is I64 else b.cast("trunc", word, type_)


def _ranges(context: Context, pointer: Value, word: Value) -> list[Range]:
    size = context.layout.store_size(word.type)
    told = declared_bytes(context.memory).ranges(pointer, size)
    return [(0, size)] if told is None else told


def check_source(
    sweep: AugmentedSweep, i: ir.Instruction, pointer: Value, ranges: Iterable[Range], every: Every | None = None
) -> None:
    """The shadow of what is copied has no pointers of its own. Of such what is left where an integer is by now goes."""
    place = sweep.context.memory.place(pointer)
    if place is not None and not place.region.is_visible and not _is_exact(sweep.context):
        for arguments in _ranges_of(sweep.b, [sweep.value(pointer), sweep.shadow(pointer)], ranges, every):
            sweep.b.call(_function(sweep.module, "left_clear", every), arguments)
    name = "bytes_other" if _is_exact(sweep.context) else "words_other"
    for arguments in _ranges_of(sweep.b, [sweep.value(pointer), sweep.shadow(pointer)], ranges, every):
        bits = sweep.b.call(_function(sweep.module, name, every), arguments)
        stop_at_bits(sweep.context, sweep.b, i, bits, _OTHER)


def clear_text(
    sweep: AugmentedSweep, i: ir.Instruction, pointer: Value, ranges: Iterable[Range], every: Every | None = None
) -> None:
    """The shadow of an object may have its text and its addresses, which are no adjoints."""
    for arguments in _ranges_of(sweep.b, [sweep.value(pointer), sweep.shadow(pointer)], ranges, every):
        sweep.b.call(_function(sweep.module, "bytes_clear", every), arguments)
        if not _is_exact(sweep.context):
            bits = sweep.b.call(_function(sweep.module, "words_clear", every), arguments)
            stop_at_bits(sweep.context, sweep.b, i, bits, _SAME)


def stop_at_adjoints(
    sweep: ReverseSweep, i: ir.Instruction, pointer: Value, ranges: Iterable[Range], every: Every | None = None
) -> None:
    """What was overwritten has no adjoint."""
    b = sweep.b
    shadow = sweep.recall.shadow(pointer)
    left = _function(sweep.module, "bytes_left" if _is_exact(sweep.context) else "words_left", every)
    for arguments in _ranges_of(b, [shadow], ranges, every):
        bits: Value = b.call(left, arguments)
        if sweep.activity.is_uncertain(pointer):
            constant = b.icmp("eq", shadow, sweep.recall.value(pointer))
            bits = b.select(constant, const_int(I64, 0), bits)
        stop_at_bits(sweep.context, b, i, bits, _LEFT)


def moves_words(engine: Engine, context: Context) -> bool:
    """May adjoints of unknown type be moved? Derivatives of derivatives would have to know more of them."""
    return engine.last_order and not _is_exact(context)


def return_adjoints(  # noqa: PLR0913, PLR0917
    sweep: ReverseSweep,
    i: ir.CallBase,
    pointers: tuple[Value, Value],
    ranges: Sequence[Range],
    length: Value,
    every: Every | None,
    keep: Value,
    where: Value | None,
) -> None:
    """Move what adjoints there are at the first of two addresses back to the second, where bytes came from; `keep`
    false only ends them, `where` false does nothing, and so do addresses that are the same."""
    b = sweep.b
    nothing = const_int(I64, 0)
    apart: Value = b.icmp("ne", *pointers)
    where = apart if where is None else b.binary("and", apart, where)
    kept = b.binary("and", keep, where)
    for at in ranges:
        floats = const_int(I1, int(_are_floats(sweep.context, i, length, at[1])))
        for to, origin, size, *rest in _ranges_of(b, list(pointers), [at], every):
            moved = b.select(kept, size, nothing)
            name = _function(sweep.module, "words_return", every)
            bits = b.call(name, [to, origin, moved, floats, *rest])
            stop_at_bits(sweep.context, b, i, bits, _ADDED)
    end_adjoints(b, sweep.module, pointers[0], ranges, every, where)


def end_adjoints(  # noqa: PLR0913, PLR0917
    b: Builder, module: Module, pointer: Value, ranges: Iterable[Range], every: Every | None, where: Value | None
) -> None:
    """Clear what adjoints there are; `where` false does nothing."""
    clear = typed_function(module, "bytes_end", I8, 1)
    for to, size, *rest in _ranges_of(b, [pointer], ranges, every):
        ended = size if where is None else b.select(where, size, const_int(I64, 0))
        b.call(clear, [to, ended, *(rest or (ended, ended))])


def _are_floats(context: Context, i: ir.CallBase, length: Value, size: int) -> bool:
    """Is what is too short for a double none, rather than a part of one that is copied in parts?"""
    if size >= _DOUBLE:
        return False
    declared = declared_bytes(context.memory)
    whole = not isinstance(length, ConstantInt) or length.value >= _DOUBLE
    return whole or any(declared.is_single(pointer, size) for pointer in i.arguments[:2])


def every_element(b: Builder, found: Fields, length: Value) -> Every | None:
    """How often fields are repeated in a run."""
    if not found.period:
        return None
    return found.period, b.wide(length)


def whole_elements(b: Builder, found: Fields, length: Value) -> Every | None:
    """The same without what is left of a run behind its last whole element."""
    every = every_element(b, found, length)
    if every is None or every[0] > _LONGEST:
        return every
    step, room = every
    return step, b.binary("sub", room, b.binary("urem", room, const_int(I64, step)))


def _function(module: Module, name: str, every: Every | None) -> Function:
    return runtime_function(module, name if every is None else f"{name}{EACH}")


def _ranges_of(
    b: Builder, pointers: list[Value], ranges: Iterable[Range], every: Every | None = None
) -> Iterable[list[Value]]:
    """Addresses and size of each; then the bytes from there to the end of the run, and how far elements lie apart."""
    for start, size in ranges:
        rest: list[Value] = []
        if every is not None:
            step, length = every
            rest = [b.binary("sub", length, const_int(I64, start)), const_int(I64, step)]
        yield [*(b.ptradd(pointer, start) for pointer in pointers), const_int(I64, size), *rest]


def _is_exact(context: Context) -> bool:
    """Are there numbers of which every bit may count?"""
    return declared_bytes(context.memory).are_exact


def stop_at_bits(context: Context, b: Builder, i: ir.Instruction, bits: Value, why: str) -> None:
    """End the program, with the place and the reason, where these are not zero."""
    where = context.location(i) or context.function.name
    stop_if(context.module, b, bits, f"{where}: {why}")
