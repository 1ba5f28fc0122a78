"""Numbers that are computed and then thrown away, which may be infinite or NaN there.

Optimised code computes `x > 0 ? sqrt(x) : 0` with both sides, and a select throws one away. The adjoint of what was
thrown away is zero, and stands for nothing; but the slope of `sqrt` at 0 is infinite, and zero times infinite would
reach x as NaN, where the program as written never called `sqrt`. There zero must stay zero.

A value is *discarded at times* if all its uses that carry derivatives are: a select's side, code or edges that are not
always reached behind it, or values that are discarded at times themselves. Among those only operations matter that can
make numbers that are not finite out of finite ones (division, `log`, `exp` …), and what is computed from them before it
is thrown away: all others multiply by finite slopes. A product's slopes are its factors. What is read may be infinite
or NaN (missing data, an edge that is not there), and so may be what is computed from that without going round a loop.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.values import ConstantFloat
from enzyme_build.rules.inactive_rows import Inactive
from enzyme_build.rules.registry import ScalarFunction

from .known import call_effects

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.ir.function import Block
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

    from .active import ActivityResult
    from .cfg import ControlFlow
    from .dominators import PostDominatorTree

_DEPTH = 8
_PRODUCTS = frozenset(("fmul", "fma", "fmuladd"))
#: Finite for finite operands (unless they overflow), and their slopes are finite.
_TAME = frozenset(
    """fadd fsub fneg fabs copysign fmax fmin maximum minimum maximumnum minimumnum fdim sin cos atan
    tanh erf erfc floor ceil trunc round roundeven rint nearbyint ldexp scalbln canonicalize""".split()  # noqa: SIM905
)


def guarded(
    module: Module,
    activity: ActivityResult,
    cfg: ControlFlow,
    ends: PostDominatorTree,
    users: Mapping[Value, list[ir.Instruction]],
) -> frozenset[Value]:
    """Operations in whose adjoint zero times anything must be zero. `cfg` has the blocks from which a return is
    reached."""
    discarded: set[Value] = set()
    for block in reversed(cfg.order):
        for i in reversed(block.instructions):
            if activity.is_active(i) and _is_discarded(module, i, block, activity, cfg, ends, users, discarded):
                discarded.add(i)
    found: set[Value] = set()
    for block in cfg.order:
        for i in block.instructions:
            if i in discarded and (not _is_tame(module, activity, i) or not found.isdisjoint(i.operands)):
                found.add(i)
    return frozenset(found)


def _is_discarded(  # noqa: PLR0913, PLR0917
    module: Module,
    i: ir.Instruction,
    block: Block,
    activity: ActivityResult,
    cfg: ControlFlow,
    ends: PostDominatorTree,
    users: Mapping[Value, list[ir.Instruction]],
    discarded: set[Value],
) -> bool:
    relevant = False
    for user in dict.fromkeys(users.get(i, ())):
        if user.block not in cfg.index:
            continue
        if activity.is_active(user) or _takes_number(module, user):
            relevant = True
            if user in discarded or isinstance(user, ir.Select):
                continue
            if isinstance(user, ir.Phi):
                if all(_is_chance(source, user, block, cfg, ends) for source in _sources(user, i)):
                    continue
                return False
            if ends.dominates(user.block, block):
                return False
    return relevant


def _takes_number(module: Module, user: ir.Instruction) -> bool:
    """May a number have a derivative by this use, whether the result has one or not? Functions that only compute have
    none by themselves (`fabs(y) > 1e300`), nor what has none at all (`isfinite`, `printf`)."""
    if not isinstance(user, ir.CallBase):
        return isinstance(user, ir.Store | ir.Return)
    effects = call_effects(module, user)
    return effects is None or not isinstance(effects.known, ScalarFunction | Inactive)


def _sources(phi: ir.Phi, value: Value) -> list[Block]:
    return [source for operand, source in zip(phi.operands, phi.blocks, strict=True) if operand is value]


def _is_chance(source: Block, phi: ir.Phi, block: Block, cfg: ControlFlow, ends: PostDominatorTree) -> bool:
    """Is the edge into the phi not always taken behind `block`? What goes round a loop counts as used."""
    if source not in cfg.index or phi.block is None:
        return True
    if cfg.index[phi.block] <= cfg.index[source]:
        return False
    return len(cfg.successors[source]) > 1 or not ends.dominates(source, block)


def _is_tame(module: Module, activity: ActivityResult, i: ir.Instruction) -> bool:
    name = _operation(module, i)
    if name in _PRODUCTS:
        a, b = i.operands[:2]
        slopes = [factor for value, factor in ((a, b), (b, a)) if activity.is_active(value)]
        flags = {*getattr(i, "flags", "").split()}
        return "fast" in flags or {"nnan", "ninf"} <= flags or not any(map(_may_be_infinite, slopes))
    return name is None or name in _TAME


def _operation(module: Module, i: ir.Instruction) -> str | None:
    """What it computes, empty if that is not known; None if it only moves numbers."""
    match i:
        case ir.Binary():
            return i.op
        case ir.CallBase():
            effects = call_effects(module, i)
            known = effects.known if effects is not None else None
            return known.name if isinstance(known, ScalarFunction) else ""
        case _:
            return None


def _may_be_infinite(value: Value, depth: int = _DEPTH) -> bool:
    """May this be infinite or NaN as what it is read from is?"""
    if not depth or not value.type.is_float_like:
        return False
    match value:
        case ir.Load():
            return True
        case ConstantFloat():
            return value.value is not None and not isfinite(value.value)
        case ir.Phi():
            return any(isinstance(way, ConstantFloat) and _may_be_infinite(way) for way in value.operands)
        case ir.Binary() | ir.Negate() | ir.Cast() | ir.Freeze() | ir.ExtractValue():
            return any(_may_be_infinite(operand, depth - 1) for operand in value.operands)
        case ir.Select():
            return any(_may_be_infinite(operand, depth - 1) for operand in value.operands[1:])
        case _:
            return False
