"""One derivative request, read: which function, in which mode, with what for each of its parameters."""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING

from enzyme_build.analysis.request import Activity, Mode, Request
from enzyme_build.errors import RequestError
from enzyme_build.ir.types import VOID, FloatType, IntType, PointerType, Type
from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.errors import SourceLocation
    from enzyme_build.ir import instructions as ir
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.values import Value


class Entry(Enum):
    """What a request asks for: the text that the name of the called function contains."""

    AUTODIFF = "__enzyme_autodiff"
    FWDDIFF = "__enzyme_fwddiff"
    AUGMENTED = "__enzyme_augmentfwd"
    REVERSE = "__enzyme_reverse"
    TAPE_SIZE = "__enzyme_augmentsize"
    BATCH = "__enzyme_batch"
    FORWARD_SPLIT = "__enzyme_fwdsplit"
    VIRTUAL_REVERSE = "__enzyme_virtualreverse"

    @property
    def mode(self) -> Mode:
        match self:
            case Entry.AUTODIFF:
                return Mode.COMBINED
            case Entry.AUGMENTED | Entry.REVERSE | Entry.TAPE_SIZE:
                return Mode.SPLIT
            case _:
                return Mode.FORWARD

    @property
    def has_tape(self) -> bool:
        return self.mode is Mode.SPLIT or self is Entry.FORWARD_SPLIT


def entry_point(name: str) -> Entry | None:
    """The entry point that a function's name contains."""
    if "__enzyme_" not in name:
        return None
    return next((entry for entry in Entry if entry.value in name), None)


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
    is_told_integer: bool = False
    """Is it memory that only the source's declaration says to be without numbers?"""
    is_host: bool = False
    """Is it where the variables of an internal procedure's host are?"""
    may_pack: bool = False
    """May this integer be a struct that the ABI packs numbers into? (Nobody called it constant.)"""


@dataclass(frozen=True, slots=True)
class Delivery:
    """The caller's memory that one result of a request goes to."""

    pointer: Value
    adds: bool = False


@dataclass(slots=True)
class RequestCall:
    """One request, read."""

    call: ir.CallBase
    caller: Function
    entry: Entry
    primal: Function
    location: SourceLocation | None
    width: int = 1
    result_type: Type = VOID
    """What the primal returns, be it in registers or in memory."""
    has_number_result: bool = False
    actuals: list[Actual] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    seeds: list[Value] = field(default_factory=list)
    globals: tuple[str, ...] = ()
    """Variables whose shadows the user gave."""
    packed_result: bool = False
    """Is the result an integer that the ABI packs numbers into?"""

    deliveries: list[Delivery] = field(default_factory=list)
    """Where the results go, in order, of a request that returns none itself (from Fortran)."""
    tape: Value | None = None
    reusable: bool = False
    """Is there a request that leaves the tape of this function for another run of the reverse pass?"""
    replayed: bool = False
    """Is there a request for tangents from a tape of this function?"""
    unreversed: bool = False
    """Is there no request for the reverse pass of this function?"""
    allocated: Value | None = None
    """The size of the caller's storage for the tape."""

    @property
    def mode(self) -> Mode:
        return self.entry.mode

    def resolve(self, replaced: Mapping[Value, Value]) -> None:
        """Put results of earlier requests, which are replaced by now, in the place of their calls."""

        def resolved(value: Value) -> Value:
            while value in replaced:
                value = replaced[value]
            return value

        for actual in self.actuals:
            actual.value = resolved(actual.value) if actual.value is not None else None
            actual.stride = resolved(actual.stride) if actual.stride is not None else None
            actual.shadows = [resolved(shadow) for shadow in actual.shadows]
        self.seeds = [resolved(seed) for seed in self.seeds]
        self.tape = resolved(self.tape) if self.tape is not None else None
        self.allocated = resolved(self.allocated) if self.allocated is not None else None

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
        if isinstance(result, IntType):
            return Activity.CONSTANT
        match Mode.SPLIT if self.entry.has_tape else self.mode:
            case Mode.FORWARD:
                return Activity.ACTIVE
            case Mode.COMBINED:
                seeded = bool(self.seeds) and not isinstance(result, PointerType)
                return Activity.ACTIVE if seeded or isinstance(result, FloatType) else Activity.CONSTANT
            case Mode.SPLIT:
                return Activity.ACTIVE if self.has_number_result else Activity.DUPLICATED

    def _activity(self, actual: Actual) -> Activity:
        """With `enzyme_runtime_activity` users may pass constant memory as its own shadow."""
        may_be_constant = actual.value is not None and "enzyme_runtime_activity" in self.flags
        return Activity.RUNTIME if may_be_constant and actual.activity.has_shadow else actual.activity

    def request(self) -> Request:
        split = self.entry.has_tape
        return Request(
            self.primal.name,
            Mode.SPLIT if split else self.mode,
            tuple(self._activity(actual) for actual in self.actuals),
            self.result_activity(),
            # What the caller does between the two passes is not seen.
            overwritten=(True,) * len(self.actuals) if split else (),
            width=self.width,
            returns_primal=self.returns_primal and not split,
            strong_zero="enzyme_strong_zero" in self.flags,
            reusable=self.reusable,
            replayed=self.replayed,
            unreversed=self.unreversed,
            globals=self.globals,
        )


def missing_seed(request: RequestCall) -> RequestError:
    """The error for a struct result without its adjoint."""
    place = "" if request.location else f" (in function '{request.caller.name}')"
    return RequestError(
        f"'{request.primal.name}' returns several numbers: reverse mode needs to know their adjoints{place}",
        location=request.location,
        hint="say 'enzyme_seed, &adjoint' with the adjoint in a variable of the result's type, or 'enzyme_noret'",
        code="E0320",
    )
