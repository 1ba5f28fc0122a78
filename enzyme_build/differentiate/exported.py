"""Derivatives that were compiled before, in the form that the builders use ours.

The counterpart of `export`: for a request the pattern of activities that serves it is chosen, and functions of our
signatures are built around the compiled ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.known import writes_nothing
from enzyme_build.analysis.request import Activity, Mode, Request
from enzyme_build.errors import UnsupportedError
from enzyme_build.ir.types import I64, VOID, Type, array_type, function_type, struct_type
from enzyme_build.ir.values import Value, zero

from .export import outer_parameters, returned_parts
from .forward import return_parts
from .rule_adapter import begin, packed_lanes, values_of_lane
from .signature import Role, Signature, augmented_signature, forward_signature, reverse_signature

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from enzyme_build.analysis.exported import ExportedDerivative, ExportedFunction
    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.function import Function

    from .engine import Derived, Engine, SplitDerived

Found = dict[tuple[Role, int], Value]
"""What a derivative returns in one lane, by role and argument."""

_TAPE_ALIGN = 16


class ExportAdapter:
    """Builds the functions around compiled derivatives for one request."""

    def __init__(self, engine: Engine, function: ExportedFunction, request: Request) -> None:
        self.engine = engine
        self.module = engine.module
        self.function = function
        self.primal = engine.module.function(request.function)
        self.request = request
        self._check()
        self.chosen = self._choose()
        self.pattern = Request(
            request.function,
            request.mode,
            self.chosen.arguments,
            self.chosen.result,
            returns_primal=request.mode is Mode.FORWARD,
        )

    # Which one ------------------------------------------------------------------------------------------------------

    def _check(self) -> None:
        """Refuse what no compiled derivative can do."""
        request, name = self.request, self.function.name
        problem = hint = ""
        if request.strong_zero:
            problem, hint = "do not know enzyme_strong_zero", "ask without it"
        elif request.replayed or request.reusable:
            problem, hint = "run once on each tape, adjoints only", "use each tape for one reverse pass"
        elif request.globals:
            problem = f"take global variables as constant, and '{request.globals[0]}' carries derivatives"
            hint = "pass it as an argument"
        elif request.width > 1 and not writes_nothing(self.module.attributes_of(self.primal)):
            problem = f"run once for each of the {request.width} directions, and the function writes memory"
            hint = "ask for one direction at a time (without enzyme_width)"
        if problem:
            raise UnsupportedError(
                f"the exported derivatives of '{name}' {problem}",
                hint=f"{hint}; or link the code of '{name}' compiled with enzyme-cc",
                code="E0352",
            )

    def _choose(self) -> ExportedDerivative:
        """The derivative for the request's activities: as they are, with the smaller tape where that may be."""
        request = self.request
        of_mode = [one for one in self.function.derivatives if one.mode is request.mode]
        fitting = [one for one in of_mode if self._serves(one) and not (one.lasting and any(request.overwritten))]
        if fitting:
            return min(fitting, key=lambda one: (self._distance(one), not one.lasting))
        wanted = ", ".join(activity.value for activity in request.arguments)
        mode = "forward" if request.mode is Mode.FORWARD else "reverse"
        shown = dict.fromkeys(f"{one.mode_name}({one.words})" for one in self.function.derivatives)
        raise UnsupportedError(
            f"no exported derivative of '{self.function.name}' is for {mode}({wanted})",
            hint=f"pass what these take, or export this one as well (--function with {self._options()})",
            notes=[f"exported: {one}" for one in shown],
            code="E0350",
        )

    def _options(self) -> str:
        """How to ask for the pattern when exporting."""
        mode = "forward" if self.request.mode is Mode.FORWARD else "reverse"
        words = [f"{index + 1}={activity.value}" for index, activity in enumerate(self.request.arguments)]
        return f"'{self.function.name}:{mode}:{','.join(words)}'"

    def _serves(self, one: ExportedDerivative) -> bool:
        if self.request.result is not Activity.CONSTANT and one.result is not self.request.result:
            return False
        pairs = zip(self.request.arguments, one.arguments, one.shadows_used, strict=True)
        return all(_covers(given, wanted, used=used) for wanted, given, used in pairs)

    def _distance(self, one: ExportedDerivative) -> int:
        return sum(given is not wanted for wanted, given in zip(self.request.arguments, one.arguments, strict=True))

    # The functions around it ----------------------------------------------------------------------------------------

    def forward(self) -> Derived:
        primal, request = self.primal.function_type, self.request
        derived, b = self._begin(forward_signature(primal, request), "forward")
        theirs = forward_signature(primal, self.pattern)
        found = [
            self._call(b, self.chosen.symbols[0], theirs, values_of_lane(derived, lane))[0]
            for lane in range(request.width)
        ]
        self._finish(b, derived.signature, found)
        return derived

    def split(self) -> SplitDerived:
        from .engine import SplitDerived

        primal, request = self.primal.function_type, self.request
        words = self.chosen.tape_words
        own = array_type(I64, words) if words else None
        tape: Type | None = own
        if own is not None and request.width > 1:
            tape = struct_type((own,) * request.width)
        augmented, b = self._begin(augmented_signature(primal, request, tape), "augmented")
        theirs = augmented_signature(primal, self.pattern, own)
        found, tapes = [], []
        for lane in range(request.width):
            results, filled = self._call(b, self.chosen.symbols[0], theirs, values_of_lane(augmented, lane))
            found.append(results)
            tapes += [filled] if filled is not None else []
        if tapes:
            found[0][Role.TAPE, -1] = packed_lanes(b, tapes)
        self._finish(b, augmented.signature, found)
        reverse = self._reverse(own, tape)
        split = SplitDerived(augmented, reverse, tape)
        split.used = reverse.used()
        return split

    def _reverse(self, own: Type | None, tape: Type | None) -> Derived:
        primal, request = self.primal.function_type, self.request
        derived, b = self._begin(reverse_signature(primal, request, tape), "reverse")
        theirs = reverse_signature(primal, self.pattern, own)
        found = []
        for lane in range(request.width):
            values = values_of_lane(derived, lane)
            if tape is not own:
                values[Role.TAPE, -1] = b.extract_value(values[Role.TAPE, -1], (lane,))
            results, _ = self._call(b, self.chosen.symbols[1], theirs, values, self.chosen.reverse_reads)
            found.append(results)
        self._finish(b, derived.signature, found)
        return derived

    def _begin(self, signature: Signature, kind: str) -> tuple[Derived, Builder]:
        return begin(self.engine, self.primal, signature, kind)

    def _call(
        self,
        b: Builder,
        symbol: str,
        theirs: Signature,
        values: Mapping[tuple[Role, int], Value],
        reads: Sequence[bool] = (),
    ) -> tuple[Found, Value | None]:
        """Call a compiled derivative: what it returns, and the tape that it fills. What it does not read is left out,
        and so is what its pattern has and the request has not."""
        passed: list[Value] = []
        for number, part in enumerate(theirs.parameters):
            value = values.get((part.role, part.index))
            if value is None or (reads and not reads[number]):
                passed.append(zero(outer_parameters(theirs)[number]))
            elif part.role is Role.TAPE:
                passed.append(b.alloca(part.type, None, _TAPE_ALIGN))
                b.store(value, passed[-1])
            else:
                passed.append(value)
        tape = next((part.type for part in theirs.results if part.role is Role.TAPE), None)
        filled = b.alloca(tape, None, _TAPE_ALIGN) if tape is not None else None
        parts = returned_parts(theirs)
        type_ = struct_type(tuple(part.type for part in parts))
        memory = b.alloca(type_, None, _TAPE_ALIGN) if parts else None
        passed += [one for one in (filled, memory) if one is not None]
        b.call(self._compiled(symbol, theirs), passed)
        found: Found = {}
        for number, part in enumerate(parts):
            assert memory is not None
            at = b.ptradd(memory, self.module.layout.field_offset(type_, number))
            found[part.role, part.index] = b.load(part.type, at)
        return found, None if tape is None or filled is None else b.load(tape, filled)

    def _compiled(self, symbol: str, theirs: Signature) -> Function:
        type_ = function_type(VOID, tuple(outer_parameters(theirs)))
        return self.module.declare(symbol, type_, self.module.add_attribute_group("nounwind"))

    @staticmethod
    def _finish(b: Builder, signature: Signature, found: Sequence[Found]) -> None:
        return_parts(b, signature, [found[part.lane][part.role, part.index] for part in signature.results])


def _covers(given: Activity, wanted: Activity, *, used: bool) -> bool:
    """Does a derivative for an argument that is `given` do where it is `wanted`?"""
    if given is Activity.DUPLICATED and not used:  # it is the same for whatever is passed
        return wanted is Activity.CONSTANT or wanted.has_shadow
    match wanted:
        case Activity.CONSTANT:  # the adjoint of a number is not taken, its tangent is zero
            return given is not Activity.DUPLICATED
        case Activity.DUPLICATED:  # `runtime` asks itself whether the memory has adjoints
            return given in {wanted, Activity.RUNTIME}
        case Activity.DUPLICATED_NO_PRIMAL:
            return given is Activity.DUPLICATED
        case _:
            return given is wanted
