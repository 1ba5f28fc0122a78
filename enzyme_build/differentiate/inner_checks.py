"""The checks of an inner derivative (see `foreign_bytes`), where that is differentiated: an adjoint that is zero may
have a tangent, or an adjoint of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir.function import Function
from enzyme_build.ir.values import ConstantInt

from .foreign_bytes import EACH, ENDED, GONE, SEEN, stop_at_adjoints
from .moved_parts import stop_at_parts
from .runtime import runtime_function

if TYPE_CHECKING:
    from enzyme_build.ir import instructions as ir
    from enzyme_build.ir.values import Value

    from .foreign_bytes import Every
    from .forward import TangentSweep
    from .reverse import ReverseSweep

_CHECKS: Final = ("bytes_left", "words_left")
_SOURCES: Final = ("bytes_other", "words_other")
_CLEARS: Final = ("bytes_clear", "words_clear")


def checked_tangents(sweep: TangentSweep, i: ir.CallBase) -> None:
    """The checks of a derivative that is differentiated: an adjoint that is zero may have a tangent."""
    name = _checked_name(i)
    if name in _CHECKS and sweep.activity.has_shadow(i.arguments[0]):
        shadow, *rest = i.arguments
        bits = sweep.b.call(i.callee, [sweep.shadow(shadow), *map(sweep.value, rest)])
        sweep.values[i] = sweep.b.binary("or", sweep.value(i), bits)
    elif name in _CLEARS and sweep.activity.has_shadow(i.arguments[1]):
        memory, shadow, *rest = i.arguments
        sweep.b.call(i.callee, [sweep.value(memory), sweep.shadow(shadow), *map(sweep.value, rest)])
    elif name == GONE and sweep.activity.has_shadow(i.arguments[0]):
        sweep.b.call(i.callee, [sweep.shadow(i.arguments[0]), *map(sweep.value, i.arguments[1:])])
    elif name == ENDED and sweep.activity.has_shadow(i.arguments[0]):
        _stop_at_tangent(sweep, i, sweep.shadow(i.arguments[0]), sweep.value(i.arguments[1]))


def _stop_at_tangent(sweep: TangentSweep | ReverseSweep, i: ir.CallBase, shadow: Value, size: Value) -> None:
    bits = sweep.b.call(runtime_function(sweep.module, "words_tangent"), [shadow, size])
    stop_at_parts(sweep.context, sweep.b, i, bits)


def _checked_name(i: ir.CallBase) -> str:
    name = i.callee.name if isinstance(i.callee, Function) else ""
    return name.removeprefix("enzyme_build.").removesuffix(EACH)


def checked_shadow(i: ir.CallBase) -> Value | None:
    """The memory that a check of an inner derivative looks at, if it is one."""
    name = _checked_name(i)
    if name in _SOURCES:
        return i.arguments[1]
    return i.arguments[0] if name in (*_CHECKS, SEEN, ENDED) else None


def checked_length(i: ir.CallBase) -> Value | None:
    """How many bytes a check of an inner derivative looks at, where only the run tells it."""
    name = i.callee.name if isinstance(i.callee, Function) else ""
    return i.arguments[-2] if checked_shadow(i) is not None and name.endswith(EACH) else None


def checked_adjoints(sweep: ReverseSweep, i: ir.CallBase) -> None:
    """The same of adjoints: one of what was copied, or of where it was copied to."""
    shadow = checked_shadow(i)
    if shadow is None or not sweep.activity.memory_active(shadow):
        return
    size, *rest = i.arguments[i.arguments.index(shadow) + 1 :]
    assert isinstance(size, ConstantInt)
    for _ in sweep.lanes.each():
        every: Every | None = None
        if rest:
            room, step = rest
            assert isinstance(step, ConstantInt)
            every = step.value, sweep.recall.value(room)
        if _checked_name(i) in (SEEN, ENDED):
            _stop_at_tangent(sweep, i, sweep.recall.shadow(shadow), size)
        else:
            stop_at_adjoints(sweep, i, shadow, [(0, size.value)], every)
