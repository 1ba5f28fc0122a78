"""How large memory is that a program allocates or resizes, how much of its shadow is cleared, and when inner
derivatives give it back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir.function import Function
from enzyme_build.ir.types import I64, PTR, IntType, function_type
from enzyme_build.ir.values import Constant, ConstantInt, const_int
from enzyme_build.rules.memory import ALLOCATIONS

from .moved_parts import WORD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.ir import instructions as ir
    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value
    from enzyme_build.rules.memory import Allocation

    from .sweep import Sweep

_USABLE: Final = "malloc_usable_size"
_RESIZES: Final = "memory of unknown size is resized"


def allocation_size(sweep: Sweep, i: ir.CallBase, known: Allocation) -> Value:
    """Bytes that an allocation asks for."""
    total: Value | None = None
    for at in known.sizes:
        size = sweep.value(i.arguments[at])
        if isinstance(size.type, IntType) and size.type.bits < 64:
            size = sweep.b.cast("zext", size, I64)
        total = size if total is None else sweep.b.mul(total, size)
    assert total is not None
    return total


def present_size(sweep: Sweep, i: ir.CallBase, known: Allocation, shadow: Value | None = None) -> Value:
    """Bytes of the memory that is resized, or of its shadow, or at most those that the allocator has for it."""
    assert known.reallocated is not None
    if known.old_size is not None:
        return sweep.value(i.arguments[known.old_size])
    return _usable(sweep.module, sweep.b, shadow or sweep.value(i.arguments[known.reallocated]))


def moved_shadow(sweep: Sweep, i: ir.CallBase, known: Allocation, shadow: Value, moved: Value) -> Value:
    """How much of the shadow of memory that is resized can be moved, if the memory may be `moved` bytes large. The
    allocator may have more room for the one than for the other."""
    assert known.reallocated is not None
    old = i.arguments[known.reallocated]
    if known.old_size is not None or isinstance(old, Constant):
        return moved
    room = sweep.kept.room(old, shadow) or _usable(sweep.module, sweep.b, shadow)
    return sweep.b.select(sweep.b.icmp("ult", room, moved), room, moved)


def defer_shadow(sweep: Sweep, i: ir.CallBase, arena: Value | None = None) -> None:
    """If this is memory of the program that an inner derivative gives back at its end, give back its shadow at that of
    an `arena`, or else of the same."""
    if getattr(i.callee, "name", None) != "enzyme_build.defer":
        return
    inner, memory, free = i.arguments
    ours = isinstance(free, Function) and free.name.startswith("enzyme_build.")
    if not ours and sweep.activity.has_shadow(memory) and not sweep.kept.owns(memory):
        shadow = sweep.transfers.own_shadow(sweep.b, memory, sweep.shadow(memory), sweep.value(memory))
        sweep.b.call(i.callee, [arena or sweep.value(inner), shadow, free])


def shadow_size(sweep: Sweep, i: ir.CallBase, known: Allocation) -> Value:
    """Bytes of the shadow of an allocation. Where memory is resized and nothing tells how large it is, all that the
    allocator has for it may be moved: the shadow is as large, and clear."""
    if known.deallocator == "free" and known.stored is None and _resizes(sweep.module):
        return _usable(sweep.module, sweep.b, sweep.value(i))
    return whole_words(sweep.b, allocation_size(sweep, i, known))


def whole_words(b: Builder, size: Value) -> Value:
    """The bytes of a shadow: where parts of numbers are looked for, the aligned word around them is read."""
    if not isinstance(size.type, IntType):
        return size
    if isinstance(size, ConstantInt):
        return const_int(size.type, -(-size.value // WORD) * WORD)
    return b.binary("and", b.add(size, const_int(size.type, WORD - 1)), const_int(size.type, -WORD))


def shadow_arguments(sweep: Sweep, i: ir.CallBase, known: Allocation, size: Value) -> list[Value]:
    """What the allocator gets for a shadow of `size` bytes."""
    arguments = [sweep.value(a) for a in i.arguments]
    first, *factors = known.sizes
    type_ = arguments[first].type
    arguments[first] = size if type_ is I64 else sweep.b.cast("trunc", size, type_)
    for at in factors:
        arguments[at] = const_int(type_, 1)
    if known.old_size is not None:
        arguments[known.old_size] = whole_words(sweep.b, arguments[known.old_size])
    return arguments


def freed_shadow(b: Builder, arguments: Sequence[Value], pointer: int) -> list[Value]:
    """What the deallocator gets for a shadow: behind its address there may be its size, and then its alignment."""
    found = list(arguments)
    if pointer == 0 and len(found) > 1:
        found[1] = whole_words(b, found[1])
    return found


def _usable(module: Module, b: Builder, memory: Value) -> Value:
    return b.call(module.declare(_USABLE, function_type(I64, (PTR,))), [memory])


def _resizes(module: Module) -> bool:
    """Does the program resize memory, or derivatives of one that does, which ask the allocator themselves?"""
    if _RESIZES not in module.cache:
        names = {n for n, known in ALLOCATIONS.items() if known.reallocated is not None and known.old_size is None}
        names.add(_USABLE)
        module.cache[_RESIZES] = not names.isdisjoint(function.name for function in module.functions)
    return bool(module.cache[_RESIZES])
