"""Signatures of derivative functions, from the primal's type and the request.

Every primal argument stays, followed by its shadow where the request gives it one. Then come the seed of an active
result (reverse), the tape (reverse pass) and the arena (augmented pass; see `runtime`). A derivative returns the listed
`results` in order: nothing, the only one itself, or a struct of them. In vector mode shadows, seeds and adjoints
stand once per lane, one behind the other.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from enzyme_build.analysis.request import Activity, Request
from enzyme_build.ir.types import PTR, VOID, FunctionType, Type, function_type, struct_type
from enzyme_build.ir.values import Argument
from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.values import Value


class Role(Enum):
    """What a parameter or result of a derivative is; `index` of the pair is the primal argument's."""

    PRIMAL = "primal"
    SHADOW = "shadow"
    SEED = "seed"
    TAPE = "tape"
    ARENA = "arena"
    ADJOINT = "adjoint"
    RESULT = "result"
    RESULT_SHADOW = "result shadow"


@dataclass(frozen=True, slots=True)
class Part:
    role: Role
    type: Type
    index: int = -1
    lane: int = 0


@dataclass(frozen=True, slots=True)
class Signature:
    """Parameters and results in order."""

    parameters: tuple[Part, ...]
    results: tuple[Part, ...]

    @property
    def result_type(self) -> Type:
        return packed_type([part.type for part in self.results])

    @property
    def type(self) -> FunctionType:
        return function_type(self.result_type, tuple(part.type for part in self.parameters))

    def result_index(self, role: Role, index: int = -1, lane: int = 0) -> int | None:
        for number, part in enumerate(self.results):
            if part.role is role and part.index == index and part.lane == lane:
                return number
        return None

    def extract(self, builder: Builder, value: Value, role: Role, index: int = -1, lane: int = 0) -> Value | None:
        """One result out of what a call returned."""
        number = self.result_index(role, index, lane)
        if number is None:
            return None
        return value if len(self.results) == 1 else builder.extract_value(value, (number,))


def packed_type(types: Sequence[Type]) -> Type:
    """void, the only type, or a struct."""
    if not types:
        return VOID
    return types[0] if len(types) == 1 else struct_type(tuple(types))


def _with_shadows(primal: FunctionType, request: Request, *, tangents: bool = False) -> list[Part]:
    parts = []
    for index, (type_, activity) in enumerate(zip(primal.parameters, request.arguments, strict=True)):
        parts.append(Part(Role.PRIMAL, type_, index))
        if activity.has_shadow or (tangents and activity is Activity.ACTIVE):
            parts += _lanes(request, Role.SHADOW, type_, index)
    return parts


def _lanes(request: Request, role: Role, type_: Type, index: int = -1) -> list[Part]:
    return [Part(role, type_, index, lane) for lane in range(request.width)]


def forward_signature(primal: FunctionType, request: Request) -> Signature:
    results = []
    if primal.result is not VOID:
        if request.returns_primal:
            results.append(Part(Role.RESULT, primal.result))
        if request.result is not Activity.CONSTANT:
            results += _lanes(request, Role.RESULT_SHADOW, primal.result)
    return Signature(tuple(_with_shadows(primal, request, tangents=True)), tuple(results))


def _adjoints(primal: FunctionType, request: Request) -> list[Part]:
    return [
        part
        for index, (type_, activity) in enumerate(zip(primal.parameters, request.arguments, strict=True))
        if activity is Activity.ACTIVE
        for part in _lanes(request, Role.ADJOINT, type_, index)
    ]


def combined_signature(primal: FunctionType, request: Request) -> Signature:
    parameters = _with_shadows(primal, request)
    if request.result is Activity.ACTIVE:
        parameters += _lanes(request, Role.SEED, primal.result)
    results = []
    if request.returns_primal and primal.result is not VOID:
        results.append(Part(Role.RESULT, primal.result))
    return Signature(tuple(parameters), (*results, *_adjoints(primal, request)))


def augmented_signature(primal: FunctionType, request: Request, tape: Type | None) -> Signature:
    parameters = _with_shadows(primal, request)
    parameters.append(Part(Role.ARENA, PTR))
    results = []
    if tape is not None:
        results.append(Part(Role.TAPE, tape))
    if primal.result is not VOID:
        results.append(Part(Role.RESULT, primal.result))
        if request.result is Activity.DUPLICATED:
            results += _lanes(request, Role.RESULT_SHADOW, primal.result)
    return Signature(tuple(parameters), tuple(results))


def reverse_signature(primal: FunctionType, request: Request, tape: Type | None) -> Signature:
    parameters = _with_shadows(primal, request)
    if request.result is Activity.ACTIVE:
        parameters += _lanes(request, Role.SEED, primal.result)
    if tape is not None:
        parameters.append(Part(Role.TAPE, tape))
    return Signature(tuple(parameters), tuple(_adjoints(primal, request)))


def replay_signature(primal: FunctionType, request: Request, tape: Type | None) -> Signature:
    """That of the tangent from a tape."""
    parameters = _with_shadows(primal, request, tangents=True)
    if tape is not None:
        parameters.append(Part(Role.TAPE, tape))
    shadowed = primal.result is not VOID and request.result is not Activity.CONSTANT
    return Signature(tuple(parameters), tuple(_lanes(request, Role.RESULT_SHADOW, primal.result)) if shadowed else ())


def make_arguments(signature: Signature, names: Sequence[str | None]) -> list[Argument]:
    """Arguments for a new function, named after the primal's."""
    result = []
    for number, part in enumerate(signature.parameters):
        base = names[part.index] if part.index >= 0 else part.role.value
        name = f"{base or f'a{part.index}'}.shadow" if part.role is Role.SHADOW else base
        if part.lane:
            name = f"{name}.{part.lane}"
        result.append(Argument(part.type, name, number))
    return result
