"""Adjoints whose types are noted where they are added, for memory that holds `float` here and `double` there.

Where a copy moves bytes that accesses take for numbers of two precisions (states behind one pointer, pools of several
types, variants), nothing in the code tells which of them it moves. An adjoint gets its type from who reads the number:
where one is added to memory this is noted, and the adjoint of a copy looks there (`runtime_notes`): each number goes
back as what it is. What is not noted (of callers, of words that the program itself moves untold) is moved as bits as
long as nothing has to be added to it. A number that is read as another than it was written as ends the program.

It costs a call for each access, so it is done only where a program is refused otherwise (`options.noted`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.accessed import accessed_content
from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.number_places import Sure
from enzyme_build.analysis.objects import told_apart
from enzyme_build.errors import IntegerOverNumberError
from enzyme_build.ir.types import DOUBLE, FLOAT, I1, I8, I64, PTR, IntType
from enzyme_build.ir.values import const_int

from .runtime import runtime_function, stop_if

if TYPE_CHECKING:
    from collections.abc import Iterable

    from enzyme_build.errors import EnzymeBuildError
    from enzyme_build.ir import instructions as ir
    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

    from .context import Context
    from .doubts import Doubts
    from .engine import Engine

_CODES: Final = ("E0113", "E0114", "E0201", "E0202")
NOTES_REFUSED: Final = "-Wenzyme-noted-types"
"""The code of a warning about notes that was made an error."""
NOTED: Final = (FLOAT, DOUBLE)
"""Types that are noted, as 1 and 2."""
_READ: Final = "a number is read as float that was written as double, or the other way round; use it as what it is"
_PUT: Final = "a number is moved as an integer, which loses its derivative; copy it as what it is"
_MOVED: Final = (
    "bytes that may be float or double are copied, and adjoints have to be added there of which nothing tells the "
    "type, or of a part of one; give numbers that share memory one type, or copy them by their names (and align them: "
    "they must lie at multiples of their size)"
)
_GIVEN: Final = (
    "a float is where a pointer was, in memory that the derivative is given: its shadow would lose the pointer; use "
    "memory of its own for each"
)
_CUT: Final = (
    "bytes that may be float or double are copied, and there are pointers that lie at other distances from a multiple "
    "of eight than in the copy; align what they are copied to and from"
)


def warn(doubts: Doubts, refused: Iterable[EnzymeBuildError]) -> None:
    """Say that a derivative is slower than it might be."""
    for finding in refused:
        message = f"{finding.message}: types of adjoints are noted while the derivative runs, which makes it slower"
        doubts.add("noted-types", message, finding.location, finding.hint)


def may_be_noted(finding: EnzymeBuildError) -> bool:
    """May notes do without this refusal?"""
    return finding.code in _CODES or isinstance(finding, IntegerOverNumberError)


def all_can_be_noted(engine: Engine) -> bool:
    """Has memory no numbers but `float` and `double`, and does no code but ours move adjoints? Other numbers are not
    told by words, and rules of users note nothing."""
    if engine.custom.rules:
        return False
    regions = {region.root for memory in engine.program.memory.values() for region in memory.regions}
    return all(content.claimed_numbers <= {*NOTED} for region in regions for content in region.contents())


def note(  # noqa: PLR0913, PLR0917
    engine: Engine, context: Context, b: Builder, i: ir.Instruction, pointer: Value, access: tuple[Type, Value]
) -> None:
    """Adjoints of numbers of a type are accessed at an address of shadow memory by the reverse of `i`, which does so
    through `pointer`: end the program if there is one of the other type."""
    type_, address = access
    if not engine.options.noted or type_.scalar not in NOTED:
        return
    own = not _is_given(context, pointer)
    arguments = [*_noted(context, address, type_), const_int(I1, int(own))]
    bits = b.call(runtime_function(engine.module, "note_numbers"), arguments)
    where = context.location(i) or context.function.name
    stop_if(engine.module, b, b.binary("and", bits, const_int(I64, 1)), f"{where}: {_READ}")
    if not own and type_.scalar is FLOAT:
        stop_if(engine.module, b, b.binary("lshr", bits, const_int(I64, 1)), f"{where}: {_GIVEN}")


def _is_given(context: Context, pointer: Value) -> bool:
    """May this be memory of the derivative's caller, who has use for the pointers in its shadow?"""
    place = context.memory.place(pointer)
    return place is None or place.resolved().region.is_visible


def note_read(engine: Engine, context: Context, b: Builder, i: ir.Instruction, access: tuple[Type, Value]) -> None:
    """Tangents of numbers of a type are read there by `i`: end the program if there is one of the other type."""
    type_, address = access
    if engine.options.noted and type_.scalar in NOTED:
        bits = b.call(runtime_function(engine.module, "note_tangents"), _noted(context, address, type_))
        stop_if(engine.module, b, bits, f"{context.location(i) or context.function.name}: {_READ}")


def note_written(engine: Engine, context: Context, b: Builder, access: tuple[Type, Value]) -> None:
    """Tangents of numbers of a type are written there, or something of which nothing tells it."""
    type_, address = access
    if engine.options.noted:
        b.call(runtime_function(engine.module, "note_written"), _noted(context, address, type_))


def ends_others(context: Context, i: ir.Store) -> bool:
    """Is an integer written where callers may keep numbers? Notes tell what ends there."""
    place = context.memory.place(i.pointer)
    if place is None or not isinstance(i.value.type, IntType) or not context.activity.memory_active(i.pointer):
        return False
    places = told_apart(context.memory, i.pointer) or [place]
    contents = (accessed_content(one.region, one.offset, one.stride) for one in places)
    return any(found is not None and found.kind is Kind.INTEGER and found.carries_numbers for found in contents)


def end_noted(context: Context, b: Builder, i: ir.Store, address: Value) -> None:
    """End the adjoints where an integer is written; if that may have been the bits of one of them, the program."""
    size = const_int(I64, context.layout.store_size(i.value.type))
    bits: Value = b.call(runtime_function(context.module, "notes_end"), [address, size])
    if context.activity.bit_flow.sure(i.value) is not Sure.NO:
        if _is_given(context, i.pointer):  # nobody noted what callers seeded
            bits = b.binary("or", bits, b.call(runtime_function(context.module, "words_tangent"), [address, size]))
        stop_if(context.module, b, bits, f"{context.location(i) or context.function.name}: {_PUT}")


def _noted(context: Context, address: Value, type_: Type) -> list[Value]:
    number = 1 + NOTED.index(type_.scalar) if type_.scalar in NOTED else 0
    return [address, const_int(I64, context.layout.store_size(type_)), const_int(I8, number)]


def note_untold(engine: Engine, b: Builder, address: Value) -> None:
    """An adjoint of unknown type is added to a word."""
    if engine.options.noted:
        b.call(runtime_function(engine.module, "note_untold"), [address])


def return_noted(context: Context, b: Builder, i: ir.CallBase, arguments: tuple[Value, Value, Value, Value]) -> None:
    """Move the adjoints of a copied run back: from the first address to the second, so many bytes; if the last is false
    they only end."""
    destination, source, length, keep = arguments
    own = not any(_is_given(context, pointer) for pointer in i.arguments if pointer.type is PTR)
    values = [destination, source, b.wide(length), keep, const_int(I1, int(own))]
    bits = b.call(runtime_function(context.module, "noted_return"), values)
    stop_if(context.module, b, bits, f"{context.location(i) or context.function.name}: {_MOVED}")


def copy_noted_pointers(  # noqa: PLR0913, PLR0917
    context: Context, b: Builder, i: ir.Instruction, destination: Value, source: Value, own: Value, length: Value
) -> None:
    """Copy the shadow pointers of a run."""
    function = runtime_function(context.module, "noted_pointers")
    bits = b.call(function, [destination, source, own, b.wide(length)])
    stop_if(context.module, b, bits, f"{context.location(i) or context.function.name}: {_CUT}")


def clear_noted(module: Module, b: Builder, destination: Value, length: Value, *, pointers: bool) -> None:
    """Zero the shadow pointers of a run, or all else."""
    function = runtime_function(module, "noted_clear")
    b.call(function, [destination, b.wide(length), const_int(I1, int(pointers))])


def copy_notes(engine: Engine, b: Builder, destination: Value, source: Value, length: Value) -> None:
    """Tangents are copied, or moved with their memory."""
    if engine.options.noted:
        b.call(runtime_function(engine.module, "notes_copy"), [destination, source, b.wide(length)])


def drop_notes(engine: Engine, b: Builder) -> None:
    """A derivative begins, or is done."""
    if engine.options.noted:
        b.call(runtime_function(engine.module, "notes_drop"), [])
