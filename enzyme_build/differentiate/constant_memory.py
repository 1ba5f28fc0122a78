"""Active numbers that are stored in memory without a shadow, and read from it again: derivatives would get lost.

Where the memory certainly has none (an argument that is `enzyme_const`, and what is found in it), that is refused.
Where it may be such memory or other (`n <= 4 ? local : work`), only the run tells: its shadow is that memory itself
then, and a message ends the program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.offsets import member_leaves
from enzyme_build.ir.types import I64, PointerType

from .calls import lost_derivative
from .runtime import stop_if

if TYPE_CHECKING:
    from enzyme_build.analysis.known import CallEffects
    from enzyme_build.ir import instructions as ir
    from enzyme_build.ir.values import Value

    from .sweep import Sweep

_LOST: Final = (
    "numbers with derivatives are stored in memory that is constant, and may be read from it again: the derivatives "
    "would get lost; pass the memory with a shadow (enzyme_dup, enzyme::Duplicated)"
)

_HELD: Final = (
    "a pointer to memory with derivatives is stored in memory that is constant, and may be read from it again: what it "
    "leads to would seem constant; pass the memory with a shadow (enzyme_dup, enzyme::Duplicated)"
)


def look_at_store(sweep: Sweep, i: ir.Store) -> bool:
    """See that no derivative of what is stored gets lost; is nothing left to be done, as the program ends where the
    integer that is stored is a part of a number?"""
    activity = sweep.activity
    if activity.is_held(i.pointer):
        _look_at_pointers(sweep, i)
    if not activity.is_active(i.value):
        return False
    if activity.is_lost(i.pointer):
        if i.value not in activity.watched:
            raise lost_derivative(sweep.context, i)
        sweep.stop_at_parts(i, sweep.shadow(i.value))
        return True
    if i.value not in activity.watched:
        _stop_at_constant(sweep, i, i.pointer)
    return False


def _look_at_pointers(sweep: Sweep, i: ir.Store) -> None:
    """Memory with a shadow would look as if it had none to who finds it in constant memory."""
    b = sweep.b
    for path, leaf, _ in member_leaves(sweep.context.layout, i.value.type):
        if isinstance(leaf, PointerType) and sweep.activity.has_shadow(i.value, path):
            pair = (sweep.shadow(i.value), sweep.value(i.value))
            shadow, pointer = (b.extract_value(v, path) if path else v for v in pair)
            other = b.icmp("ne", shadow, pointer)
            _stop_if(sweep, i, b.binary("and", _is_constant(sweep, i.pointer), other), _HELD)


def look_at_copy(sweep: Sweep, i: ir.CallBase, effects: CallEffects) -> None:
    """The same of what is copied."""
    if effects.copies is None:
        return
    destination, source = (i.arguments[at] for at in effects.copies[:2])
    if sweep.activity.memory_active(source):
        if sweep.activity.is_lost(destination):
            raise lost_derivative(sweep.context, i)
        _stop_at_constant(sweep, i, destination)
    if sweep.activity.is_held(destination) and sweep.activity.has_shadow(source):
        other = sweep.b.icmp("ne", sweep.shadow(source), sweep.value(source))
        _stop_if(sweep, i, sweep.b.binary("and", _is_constant(sweep, destination), other), _HELD)


def _stop_at_constant(sweep: Sweep, i: ir.Instruction, pointer: Value) -> None:
    if sweep.activity.is_guarded(pointer):
        _stop_if(sweep, i, _is_constant(sweep, pointer), _LOST)


def _is_constant(sweep: Sweep, pointer: Value) -> Value:
    return sweep.b.icmp("eq", sweep.shadow(pointer), sweep.value(pointer))


def _stop_if(sweep: Sweep, i: ir.Instruction, bit: Value, why: str) -> None:
    where = sweep.context.location(i) or sweep.context.function.name
    stop_if(sweep.module, sweep.b, sweep.b.cast("zext", bit, I64), f"{where}: {why}")
