"""One derivative request, read: which function, in which mode, with what for each of its parameters."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from enzyme_build.analysis.request import Activity, Mode, Request
from enzyme_build.ir.types import VOID, FloatType, IntType, PointerType, Type

if TYPE_CHECKING:
    from enzyme_build.errors import SourceLocation
    from enzyme_build.ir import instructions as ir
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.values import Value

ENTRY_POINTS = {"__enzyme_autodiff": Mode.COMBINED, "__enzyme_fwddiff": Mode.FORWARD}
NOT_YET = (
    "__enzyme_augmentfwd",
    "__enzyme_reverse",
    "__enzyme_fwdsplit",
    "__enzyme_augmentsize",
    "__enzyme_batch",
    "__enzyme_virtualreverse",
)


def entry_point(name: str) -> str | None:
    """The entry point that a function's name contains."""
    if "__enzyme_" not in name:
        return None
    return next((entry for entry in (*ENTRY_POINTS, *NOT_YET) if entry in name), None)


@dataclass(slots=True)
class Actual:
    """What a request passes for one parameter of the primal."""

    activity: Activity
    value: Value | None
    """None where the derivative gets memory of ours: that of a struct result."""
    shadows: list[Value] = field(default_factory=list)
    """One per lane, or only the first of a run `stride` bytes apart."""
    stride: Value | None = None
    in_memory: Type | None = None
    """The type of a struct that the ABI passes or returns in memory."""
    returned: bool = False
    """Is its adjoint a result of the request?"""
    may_pack: bool = False
    """May this integer be a struct that the ABI packs numbers into? (Nobody called it constant.)"""


@dataclass(slots=True)
class RequestCall:
    """One request, read."""

    call: ir.CallBase
    caller: Function
    mode: Mode
    primal: Function
    location: SourceLocation | None
    width: int = 1
    result_type: Type = VOID
    """What the primal returns, be it in registers or in memory."""
    actuals: list[Actual] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    seeds: list[Value] = field(default_factory=list)
    globals: tuple[str, ...] = ()
    """Variables whose shadows the user gave."""
    packed_result: bool = False
    """Is the result an integer that the ABI packs numbers into?"""

    @property
    def result_pointer(self) -> Value | None:
        """The caller's memory for a struct result."""
        return self.call.operands[0] if "sret" in self.call.argument_attributes[0] else None

    @property
    def returns_primal(self) -> bool:
        return "enzyme_primal_return" in self.flags

    @property
    def has_constant_result(self) -> bool:
        return not self.flags.isdisjoint(("enzyme_const_return", "enzyme_noret"))

    def result_activity(self) -> Activity:
        """That of the result in registers."""
        result = self.primal.function_type.result
        if self.has_constant_result or result is VOID:
            return Activity.CONSTANT
        if self.packed_result:
            return Activity.ACTIVE
        if self.mode is Mode.COMBINED:
            seeded = bool(self.seeds) and not isinstance(result, IntType | PointerType)
            return Activity.ACTIVE if seeded or isinstance(result, FloatType) else Activity.CONSTANT
        return Activity.CONSTANT if isinstance(result, IntType) else Activity.ACTIVE

    def request(self) -> Request:
        return Request(
            self.primal.name,
            self.mode,
            tuple(actual.activity for actual in self.actuals),
            self.result_activity(),
            width=self.width,
            returns_primal=self.returns_primal,
            strong_zero="enzyme_strong_zero" in self.flags,
            globals=self.globals,
        )
