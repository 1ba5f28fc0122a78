"""Needed: what the reverse sweep reads of the forward sweep (differential use).

An *item* is something the forward sweep knows: a primal value, a shadow pointer, which edge led into a block, how
often a loop went round, or the tape of a call. `reads` lists the items that the adjoint of one instruction reads,
from the rule table itself. Linear code needs nothing.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.values import Constant, Value
from enzyme_build.records import dataclass
from enzyme_build.rules import expr as e
from enzyme_build.rules.scalar import BY_CONSTANT, PARTIALS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from enzyme_build.rules.registry import ScalarFunction

    from .active import ActivityResult

OPERAND_NAMES = "xyzw"


class ItemKind(Enum):
    PRIMAL = "primal"
    SHADOW = "shadow"
    EDGE = "edge"
    COUNT = "count"
    TAPE = "tape"
    SNAPSHOT = "snapshot"


@dataclass(frozen=True, slots=True)
class Item:
    """`subject` is a value, a block (EDGE), a loop (COUNT), a call (TAPE) or a Snapshot.

    A shadow is that of one `lane`.
    """

    kind: ItemKind
    subject: object
    lane: int = 0

    def __str__(self) -> str:
        name = getattr(self.subject, "name", None) or getattr(self.subject, "text", None) or repr(self.subject)
        return f"{self.kind.value} {name}"


def primal(value: Value) -> Item:
    return Item(ItemKind.PRIMAL, value)


def shadow(value: Value, lane: int = 0) -> Item:
    return Item(ItemKind.SHADOW, value, lane)


def rule_name(i: ir.Instruction) -> str | None:
    """The row of the table for an arithmetic instruction."""
    if isinstance(i, ir.Binary) and i.op in PARTIALS:
        return i.op
    return "fneg" if isinstance(i, ir.Negate) else None


def call_partials(known: ScalarFunction, arguments: Sequence[Value]) -> tuple[e.Expr, ...]:
    """The row of a known function, for these arguments."""
    if known.name in BY_CONSTANT and isinstance(arguments[1], Constant):
        return BY_CONSTANT[known.name]
    return known.partials


@dataclass(frozen=True, slots=True)
class Partials:
    """The slopes of an operation: `formulas`, and the calls whose results stand in them under the names of `twins`."""

    formulas: Sequence[e.Expr]
    twins: Mapping[str, Value] = field(default_factory=dict)

    def named(self, name: str, i: Value, operands: Sequence[Value]) -> Value:
        """What stands in a formula by this name."""
        if name == "r":
            return i
        return self.twins[name] if name in self.twins else operands[OPERAND_NAMES.index(name)]


def rule_reads(activity: ActivityResult, i: Value, partials: Partials, operands: Sequence[Value]) -> Iterator[Item]:
    """What the partials by active operands read."""
    for operand, formula in zip(operands, partials.formulas, strict=False):
        if activity.is_active(operand):
            for name in sorted(e.reads(formula)):  # in order, as are the places of the tape
                value = partials.named(name, i, operands)
                if not isinstance(value, Constant):
                    yield primal(value)


def usual_partials(i: ir.Instruction) -> Partials | None:
    """The row of the table for an arithmetic instruction; None for others."""
    name = rule_name(i)
    return Partials(PARTIALS[name]) if name is not None else None


def reads(
    activity: ActivityResult,
    i: ir.Instruction,
    partials_of: Callable[[ir.Instruction], Partials | None] = usual_partials,
) -> Iterator[Item]:
    """Items read by the adjoint of an instruction other than a call."""
    match i:
        case ir.Load() if activity.is_active(i):
            yield from accessed(activity, i.pointer)
        case ir.Store() if activity.memory_active(i.pointer):
            yield from accessed(activity, i.pointer)
        case ir.AtomicRMW() | ir.CompareExchange() if activity.memory_active(i.operands[0]):
            yield from accessed(activity, i.operands[0])
        case ir.Select() if activity.is_active(i):
            yield primal(i.operands[0])
        case ir.ExtractElement() if activity.is_active(i):
            yield primal(i.operands[1])
        case ir.InsertElement() if activity.is_active(i):
            yield primal(i.operands[2])
        case ir.Binary() | ir.Negate() if activity.is_active(i):
            partials = partials_of(i)
            if partials is not None:
                yield from rule_reads(activity, i, partials, i.operands)
        case _:
            pass


def accessed(activity: ActivityResult, pointer: Value) -> Iterator[Item]:
    """What it takes to reach the adjoint behind a pointer."""
    yield shadow(pointer)
    if activity.is_uncertain(pointer):
        yield primal(pointer)
