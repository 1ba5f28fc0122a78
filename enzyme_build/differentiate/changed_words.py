"""Words that are pointers at times and counted on at others, watched while the derivative runs.

`tag == 1 ? word + k : word` becomes `word + (tag == 1 ? k : 0)`, also where the word is a pointer or a number. Of a
number the tangent tells it (see `moved_parts`); the shadow of a pointer has no bits where a number has its exponent,
and would get lost, as it would where the word goes to other functions as an integer, or to other memory in parts or as
a number. So before that the program ends where the shadow leads elsewhere than the word itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from enzyme_build.analysis.accessed import content_behind
from enzyme_build.analysis.copied import says_type
from enzyme_build.analysis.kinds import Kind
from enzyme_build.errors import UnsupportedError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.merges import merged_from
from enzyme_build.ir.types import DOUBLE, I1, I64, FloatType, IntType, PointerType, Type
from enzyme_build.ir.values import Value, const_int

from .moved_parts import word_around
from .parts_of_pointers import is_integer, is_pointer_at, read_as
from .runtime import runtime_function, stop_if

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from enzyme_build.analysis.memory import Memory

    from .context import Context
    from .sweep import Sweep

_Step: TypeAlias = "tuple[Value, bool, ir.Instruction | None]"
"""A value, whether it is changed on the way, and where it arrives; None where others do, too."""
_WORD: Final = 8
_ADDRESS: Final = frozenset((Kind.POINTER, Kind.INTEGER))
_MOVES: Final = (ir.InsertValue, ir.ExtractValue, *ir.MERGES)
_PUT_TOGETHER: Final = frozenset(("or", "and", "shl", "lshr", "add"))
_CONVERSIONS: Final = frozenset(("sitofp", "uitofp", "fptosi", "fptoui", "fpext", "fptrunc"))


def changed_words(function: Function) -> dict[Value, frozenset[ir.Instruction]]:
    """The words that are read, changed as integers and stored, or passed or returned as integers, each with what does
    so; none where it may be another value that arrives there."""
    pending: list[_Step] = []
    for i in function.instructions():
        if isinstance(i, ir.Store) and i.value.type is I64:
            pending.append((i.value, False, i))
        elif isinstance(i, ir.Return):
            pending += [(value, True, i) for value in i.operands]
        elif isinstance(i, ir.CallBase) and isinstance(i.callee, Function) and not i.callee.is_declaration:
            pending += [(value, True, i) for value in i.arguments if value.type is I64]
    seen = set(pending)
    found: dict[Value, set[ir.Instruction | None]] = {}
    while pending:
        value, changed, end = pending.pop()
        if isinstance(value, ir.Load) and changed and value.type is I64:
            found.setdefault(value, set()).add(end)
        if isinstance(value, ir.Instruction) and _keeps_bits(value):
            way = None if isinstance(value, ir.Phi) else end
            further = {(operand, changed or isinstance(value, ir.Binary), way) for operand in value.operands} - seen
            seen |= further
            pending += further
    return {
        load: frozenset(end for end in ends if end is not None) if None not in ends else frozenset()
        for load, ends in found.items()
    }


def _keeps_bits(value: ir.Instruction) -> bool:
    """Does a pointer's address go on from here, be it moved by some bytes? A number made of its value is none."""
    match value:
        case ir.Cast():
            return value.op not in _CONVERSIONS
        case ir.Binary():
            return isinstance(value.type, IntType)
        case _:
            return isinstance(value, _MOVES)


def moved_words(function: Function, memory: Memory) -> frozenset[ir.Load]:
    """The words that are read and stored as integers or numbers, and may be pointers or numbers, as far as analyses
    tell. (What the program reads as a number, and what is copied as bytes in its model, is none of them.)"""
    stores = [i for i in function.instructions() if isinstance(i, ir.Store)]
    loads = {load for i in stores if _is_word(i.value) and not is_integer(memory, i) for load in read_as(i.value)}
    contents = {load: memory.contents.get((load, ())) for load in loads if not is_integer(memory, load)}
    untold = (i.value for i in stores if i.value.type is DOUBLE and not says_type(memory.module, i.metadata))
    numbers = (load for value in untold for load in read_as(value) if not says_type(memory.module, load.metadata))
    contents |= {load: content_behind(memory, load.pointer) for load in numbers}
    return frozenset(
        load
        for load, content in contents.items()
        if content is not None and Kind.POINTER in content.claims and not content.claims <= _ADDRESS
    )


def refuse_merged_pointer(context: Context, i: ir.Store) -> None:
    """A pointer that is stored as an integer, where another integer may arrive instead, has no shadow."""
    if _is_word(i.value) and any(pointers_in(i.value)):
        raise UnsupportedError(
            "a pointer is moved as an integer, of which nothing tells the shadow",
            location=context.location(i),
            hint="keep pointers and integers in separate memory",
            code="E0110",
        )


def refuse_number_of_pointer(context: Context, i: ir.Cast) -> None:
    """A number whose bits went through a pointer, which has a shadow instead of an adjoint."""
    if not context.facts.users.get(i):
        return
    bits, activity = i.operands[0], context.activity
    if i.op == "inttoptr":
        short = (v for v in _put_together(bits) if _is_short_number(v.type))
        lost = not activity.varied.isdisjoint((*numbers_in(bits), *short))
    else:
        pointers: Iterable[Value] = pointers_in(bits) if i.type is DOUBLE else ()
        if _is_short_number(i.type):
            pointers = (v for v in _put_together(bits) if isinstance(v.type, PointerType))
        lost = i.op == "bitcast" and any(map(activity.has_shadow, pointers))
    if lost:
        raise UnsupportedError(
            "a number is moved as a pointer, of which nothing tells the adjoint",
            location=context.location(i),
            hint="keep pointers and numbers in separate memory",
            code="E0110",
        )


def pointers_in(word: Value) -> Iterator[Value]:
    """The pointers whose bits a word may be."""
    return (leaf.operands[0] for leaf in merged_from(word) if isinstance(leaf, ir.Cast) and leaf.op == "ptrtoint")


def numbers_in(word: Value) -> Iterator[Value]:
    """The words that are the bits of numbers among what a word may be."""
    for leaf in merged_from(word):
        if isinstance(leaf, ir.Cast) and leaf.op == "bitcast" and leaf.operands[0].type is DOUBLE:
            yield leaf


def _put_together(word: Value) -> Iterator[Value]:
    """What a word, or a part of one, is made of by moving bits: integers on the way, and the short numbers and pointers
    whose bits they are."""
    seen, pending = {word}, [word]
    while pending:
        at = pending.pop()
        yield at
        if isinstance(at, (*ir.MERGES, ir.Cast)) or (isinstance(at, ir.Binary) and at.op in _PUT_TOGETHER):
            whole = isinstance(at, ir.Cast) and (at.op in _CONVERSIONS or at.operands[0].type is DOUBLE)
            before = set() if whole else {v for v in at.operands if v.type is not I1} - seen
            seen |= before
            pending += before


def _is_short_number(type_: Type) -> bool:
    return isinstance(type_, FloatType) and type_.bits < I64.bits


def _is_word(value: Value) -> bool:
    return isinstance(value.type, IntType) and value.type.bits >= I64.bits


def stop_at_changed_pointer(sweep: Sweep, load: ir.Load) -> None:
    """End the program if this is a pointer that has a shadow."""
    context, activity = sweep.context, sweep.activity
    if activity.has_shadow(load) and load not in activity.watched:
        return  # followed as a pointer
    moved = load in context.moved_words
    changed = load.type is I64 and is_pointer_at(context.memory, load.pointer) and load in context.changed_words
    if load in context.parts_apart:
        for _ in sweep.lanes.each():
            if sweep.has_shadow(load.pointer):
                stop_at_part(sweep, load, sweep.value(load.pointer), sweep.shadow(load.pointer))
        return
    if load.type is DOUBLE and sweep.tangents and activity.is_active(load):
        return  # its shadow moves along as a tangent, whatever the bits are
    if not changed and not moved:
        return
    what = "changed or passed as an integer; keep it a pointer"
    if not changed:
        type_ = "a number" if load.type is DOUBLE else "an integer"
        what = f"moved as {type_}; keep pointers and numbers in separate memory"
    for _ in sweep.lanes.each():
        if sweep.has_shadow(load.pointer):
            where = context.location(load) or context.function.name
            size = max(_WORD, context.layout.store_size(load.type))
            other = _leads_elsewhere(sweep, sweep.value(load.pointer), sweep.shadow(load.pointer), size)
            text = f"{where}: a pointer is {what}"
            ends = context.changed_words[load] if changed and not moved else ()
            # What of several variants is changed shows where that is stored or passed.
            for end in ends:
                sweep.held.setdefault(end, []).append((other, text))
            if not ends:
                stop_if(sweep.module, sweep.b, other, text)


def stop_at_part(sweep: Sweep, i: ir.Instruction, memory: Value, shadow: Value, *, edge: Value | None = None) -> None:
    """End the program if the word around an address, of which `i` moves a part, is a pointer that has a shadow; not so
    if the `edge` of what is moved lies between two words."""
    b = sweep.b
    other = _leads_elsewhere(sweep, word_around(b, memory), word_around(b, shadow), _WORD)
    if edge is not None:
        low = b.binary("and", b.cast("ptrtoint", edge, I64), const_int(I64, _WORD - 1))
        other = b.select(b.icmp("ne", low, const_int(I64, 0)), other, const_int(I64, 0))
    where = sweep.context.location(i) or sweep.context.function.name
    stop_if(sweep.module, b, other, f"{where}: a pointer is moved in parts; copy it as a whole")


def _leads_elsewhere(sweep: Sweep, memory: Value, shadow: Value, size: int) -> Value:
    """Not zero where the shadow has a pointer that is not the memory's."""
    return sweep.b.call(runtime_function(sweep.module, "pointers_other"), [memory, shadow, const_int(I64, size)])


def stop_at_held(sweep: Sweep, i: ir.Instruction) -> None:
    """End the program if a pointer was changed to what `i` stores, passes or returns."""
    for other, text in sweep.held.pop(i, ()):
        stop_if(sweep.module, sweep.b, other, text)
