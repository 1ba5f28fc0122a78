"""Functions of our signatures around the functions of a registered rule.

What the user's functions take and return by value goes through memory on the stack (*images*), where it has the layout
of C whatever the calling convention made of it; LLVM makes registers of it again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from enzyme_build.analysis.offsets import scalar_leaves
from enzyme_build.analysis.request import Mode
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.function import Block, Function
from enzyme_build.ir.intrinsics import intrinsic
from enzyme_build.ir.legality import abi_attributes
from enzyme_build.ir.types import I1, I8, I64, PTR, VOID, Type, array_type, struct_type
from enzyme_build.ir.values import Value, const_int, zero

from .convention import (
    EIGHTBYTE,
    Kind,
    Pattern,
    arguments_of,
    c_struct,
    in_memory,
)
from .forward import return_parts
from .rule_form import Reader, Returned, RuleForm
from .signature import Role, Signature, augmented_signature, forward_signature, replay_signature, reverse_signature

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.ir.values import Argument

    from .engine import Derived, Engine, SplitDerived

Values = dict[tuple[Role, int], Value]
"""A derivative's parameters in one lane; those that are no argument's have the number -1."""

Parts = dict[tuple[Role, int], Value]
"""What a derivative returns, by lane."""

_IMAGE_ALIGN = 16


def begin(engine: Engine, primal: Function, signature: Signature, kind: str) -> tuple[Derived, Builder]:
    """A new derivative, and its first block."""
    derived = engine.new_derivative(primal, signature, kind)
    return derived, Builder(derived.function.add_block(Block("entry")))


def values_of_lane(derived: Derived, lane: int) -> Values:
    """A derivative's parameters in one lane."""
    parts = zip(derived.signature.parameters, derived.function.arguments, strict=True)
    shared = (Role.PRIMAL, Role.TAPE, Role.ARENA)
    return {(part.role, part.index): a for part, a in parts if part.lane == lane or part.role in shared}


def packed_lanes(b: Builder, tapes: Sequence[Value]) -> Value:
    """The tapes of all lanes in one."""
    if len(tapes) == 1:
        return tapes[0]
    return b.aggregate(struct_type(tuple(tape.type for tape in tapes)), tapes)


class Adapter(RuleForm):
    """Builds the functions around one rule for one request."""

    # Reverse mode ---------------------------------------------------------------------------------------------------

    def split(self) -> SplitDerived:
        """All passes on one tape; those that nobody runs may have no body."""
        from .engine import SplitDerived

        self._check_lanes()
        reverse = self.reader(self.rule.reverse) if self.rule.reverse is not None else None
        replayed = self._replayed()
        tangent = replayed.reader(self.rule.split_tangent) if replayed and self.rule.split_tangent else None
        first = reverse or tangent
        assert first is not None
        if tangent is not None and tangent.size != first.size:
            raise self._mismatch(tangent.function, tangents=True)
        primal, width = self.primal.function_type, self.request.width
        tapes = first.tape if first.tape is None or width == 1 else struct_type((first.tape,) * width)
        augmented = self._augmented(augmented_signature(primal, self.request, tapes), first)
        signature = reverse_signature(primal, self.request, tapes)
        split = SplitDerived(augmented, self._reverse(reverse, signature), tapes)
        split.used = split.reverse.used()
        if replayed is not None and tangent is not None:
            split.replay = replayed.replay(tangent, replay_signature(primal, self.request, tapes))
            split.replay_used = split.replay.used()
        return split

    def _replayed(self) -> Adapter | None:
        """The same for the tangent from the tape."""
        if not self.request.replayed:
            return None
        return Adapter(self.engine, self.rule, replace(self.request, mode=Mode.FORWARD))

    def _augmented(self, signature: Signature, reader: Reader) -> Derived:
        function, tape = self.rule.augmented, reader.tape
        derived, b = self._begin(signature, "augmented")
        parts: Parts = {}
        if function is None:  # the primal itself, which leaves no tape
            if tape is not None:
                raise self._mismatch(reader.function, tangents=reader.function is self.rule.split_tangent)
            parts[Role.RESULT, 0] = self._invoke(b, self.primal, self._primal_arguments(values_of_lane(derived, 0)))
            self._finish(b, signature, parts)
            return derived
        pattern = self._pattern(function, tangents=False)
        assert pattern is not None
        where, places = self._augmented_image(function, tape, reader.size)
        if self.result is not VOID and places.result is None:
            parts |= self._primal_result(b, values_of_lane(derived, 0), function)
        tapes: list[Value] = []
        for lane in range(self.request.width):
            values = values_of_lane(derived, lane)
            image = self._call(b, function, self._arguments(function, values, pattern))
            if tape is not None:
                if where is None or image is None:
                    raise self._mismatch(function, tangents=False, what="result")
                tapes.append(b.load(tape, b.ptradd(image, where), align=1))
            self._take_results(b, values, parts, image, places, lane)
        if tapes:
            parts[Role.TAPE, 0] = packed_lanes(b, tapes)
        if signature.result_index(Role.RESULT_SHADOW) is not None and (Role.RESULT_SHADOW, 0) not in parts:
            raise self._mismatch(function, tangents=False, what="result")
        self._finish(b, signature, parts)
        return derived

    def _reverse(self, reader: Reader | None, signature: Signature) -> Derived:
        derived, b = self._begin(signature, "reverse")
        if reader is None:
            b.unreachable()
            return derived
        found = {
            lane: self._reverse_lane(b, reader, values_of_lane(derived, lane), lane)
            for lane in range(self.request.width)
        }
        parts: list[Value] = []
        for part in signature.results:
            adjoint = found[part.lane].get(part.index)
            if adjoint is None:
                raise self._mismatch(reader.function, tangents=False, what="result")
            parts.append(adjoint)
        return_parts(b, signature, parts)
        return derived

    def _reverse_lane(self, b: Builder, reader: Reader, values: Values, lane: int) -> dict[int, Value]:
        """Call the reverse function; the adjoints of numbers it returned, by argument."""
        function = reader.function
        arguments = self._arguments(function, values, reader.pattern)
        if reader.seeds:
            arguments += self._by_value(b, reader.rest[: reader.seeds], self._seed_image(b, values))
        arguments += self._tape(b, reader, values, lane)
        adjoints = self._adjoints(b, function, self._call(b, function, arguments))
        for formal in self._active():
            shadow = values.get((Role.SHADOW, formal.index))
            if formal.kind is Kind.STRUCT and shadow is not None:
                if formal.index not in adjoints:
                    raise self._mismatch(function, tangents=False, what="result")
                self._add_numbers(b, formal.type, shadow, adjoints[formal.index])
        return adjoints

    def _tape(self, b: Builder, reader: Reader, values: Values, lane: int) -> list[Value]:
        """The lane's tape as the function takes it."""
        if reader.tape is None:
            return []
        tape = values[Role.TAPE, -1]
        if self.request.width > 1:
            tape = b.extract_value(tape, (lane,))
        image = self._memory(b, self.layout.alloc_size(tape.type))
        b.store(tape, image)
        return self._by_value(b, reader.rest[reader.seeds :], image)

    def _seed_image(self, b: Builder, values: Values) -> Value:
        """Memory with the result's adjoint; taken out of the shadow of a struct result in memory."""
        size = self.layout.alloc_size(self.result)
        image = self._memory(b, size)
        seed = values.get((Role.SEED, -1))
        shadow = values.get((Role.SHADOW, 0)) if not self._in_registers() else None
        if seed is not None:
            b.store(seed, image)
        elif shadow is not None:
            self._copy(b, image, shadow, size)
            for _, leaf, offset in scalar_leaves(self.layout, self.result):
                if leaf.is_float:
                    b.store(zero(leaf), b.ptradd(shadow, offset), align=1)
        else:
            b.store(zero(self.result), image)
        return image

    def _adjoints(self, b: Builder, function: Function, image: Value | None) -> dict[int, Value]:
        """The adjoints of numbers and structs (as pointers to them) by argument."""
        size = self._image_size(function)
        wanted = [f for f in self._active() if self._is_active(f)]
        for chosen in (self._active(), wanted):
            places = c_struct(self.layout, [formal.type for formal in chosen])
            if image is not None and chosen and places.is_size(size):
                found: dict[int, Value] = {}
                for formal, offset in zip(chosen, places.offsets, strict=True):
                    at = b.ptradd(image, offset)
                    found[formal.index] = at if formal.kind is Kind.STRUCT else b.load(formal.type, at, align=1)
                return found
        if wanted or size:
            raise self._mismatch(function, tangents=False, what="result")
        return {}

    def _add_numbers(self, b: Builder, type_: Type, target: Value, source: Value) -> None:
        for _, leaf, offset in scalar_leaves(self.layout, type_):
            if leaf.is_float:
                place = b.ptradd(target, offset)
                total = b.fadd(b.load(leaf, place, align=1), b.load(leaf, b.ptradd(source, offset), align=1))
                b.store(total, place, align=1)

    # Forward mode ---------------------------------------------------------------------------------------------------

    def forward(self) -> Derived:
        function = self.rule.tangent
        assert function is not None
        self._check_lanes()
        signature = forward_signature(self.primal.function_type, self.request)
        derived, b = self._begin(signature, "forward")
        pattern = self._pattern(function, tangents=True)
        assert pattern is not None
        parts: Parts = {}
        places = self._tangent_image(function)
        if self.result is not VOID and places.result is None:
            parts |= self._primal_result(b, values_of_lane(derived, 0), function)
        for lane in range(self.request.width):
            values = values_of_lane(derived, lane)
            image = self._call(b, function, self._arguments(function, values, pattern))
            self._take_results(b, values, parts, image, places, lane)
        self._finish(b, signature, parts)
        return derived

    def replay(self, reader: Reader, signature: Signature) -> Derived:
        """The tangent from the tape; the result was returned before."""
        derived, b = self._begin(signature, "replay")
        parts: Parts = {}
        places = replace(self._tangent_image(reader.function), result=None)
        for lane in range(self.request.width):
            values = values_of_lane(derived, lane)
            arguments = self._arguments(reader.function, values, reader.pattern) + self._tape(b, reader, values, lane)
            image = self._call(b, reader.function, arguments)
            self._take_results(b, values, parts, image, places, lane)
        self._finish(b, signature, parts)
        return derived

    # Calls ----------------------------------------------------------------------------------------------------------

    def _begin(self, signature: Signature, kind: str) -> tuple[Derived, Builder]:
        return begin(self.engine, self.primal, signature, kind)

    def _arguments(self, function: Function, values: Values, pattern: Pattern) -> list[Value]:
        """Arguments and shadows as the pattern says; nothing is kept for parameters that nobody reads."""
        _, given = arguments_of(self.module, function)
        found: list[Value] = []
        for slot, parameter in zip(pattern, given, strict=False):
            primal = values[Role.PRIMAL, slot.index]
            if not self._reads(function, parameter.index):
                found.append(primal if in_memory(self.module, parameter) else zero(parameter.type))
            elif not slot.shadow or self.formals[slot.index].kind is Kind.OTHER:
                found.append(primal)
            else:
                found.append(values.get((Role.SHADOW, slot.index)) or zero(primal.type))
        return found

    def _primal_arguments(self, values: Values) -> list[Value]:
        return [values[Role.PRIMAL, index] for index in range(len(self.primal.arguments))]

    def _primal_result(self, b: Builder, values: Values, function: Function) -> Parts:
        """The result by the function itself, which its rule does not return; not if that did something twice."""
        if not self._only_computes():
            raise self._mismatch(function, tangents=function is self.rule.tangent, what="result")
        result = self._invoke(b, self.primal, self._primal_arguments(values))
        return {(Role.RESULT, 0): result} if self._in_registers() else {}

    def _call(self, b: Builder, function: Function, arguments: list[Value]) -> Value | None:
        """Call a rule function; gives memory with what it returned."""
        memory, _ = arguments_of(self.module, function)
        if memory is not None:
            image = self._memory(b, self.layout.alloc_size(memory))
            self._invoke(b, function, [image, *arguments])
            return image
        result = self._invoke(b, function, arguments)
        if result.type is VOID:
            return None
        image = self._memory(b, self.layout.alloc_size(result.type))
        b.store(result, image)
        return image

    @staticmethod
    def _invoke(b: Builder, function: Function, arguments: list[Value]) -> Value:
        """Call a function of the program, whatever its model says of how structs are passed."""
        attributes = [abi_attributes(a.attributes.replace("byref(", "byval(")) for a in function.arguments]
        return b.call(function, arguments, argument_attributes=attributes)

    def _by_value(self, b: Builder, parameters: Sequence[Argument], image: Value) -> list[Value]:
        """A struct as the calling convention passes it: its memory, or its eight bytes in registers."""
        passed: list[Value] = []
        for number, parameter in enumerate(parameters):
            if in_memory(self.module, parameter) is not None:
                passed.append(image)
            else:
                passed.append(b.load(parameter.type, b.ptradd(image, EIGHTBYTE * number), align=1))
        return passed

    def _memory(self, b: Builder, size: int) -> Value:
        return b.alloca(array_type(I8, max(size, 1)), None, _IMAGE_ALIGN)

    def _copy(self, b: Builder, target: Value, source: Value, size: int) -> None:
        move = intrinsic(self.module, "memcpy", PTR, PTR, I64)
        b.call(move, [target, source, const_int(I64, size), const_int(I1, 0)])

    def _take_results(  # noqa: PLR0913, PLR0917
        self,
        b: Builder,
        values: Values,
        parts: Parts,
        image: Value | None,
        places: Returned,
        lane: int,
    ) -> None:
        """Result and its shadow out of what a rule returned, to where the primal's caller looks for them."""
        for role, place in ((Role.RESULT, places.result), (Role.RESULT_SHADOW, places.shadow)):
            if place is None or image is None:
                continue
            at = b.ptradd(image, place)
            if self._in_registers():
                parts[role, 0 if role is Role.RESULT else lane] = b.load(self.result, at, align=1)
                continue
            target = values.get((Role.PRIMAL if role is Role.RESULT else Role.SHADOW, 0))
            if target is not None and (role is Role.RESULT or self._is_forward):
                self._copy(b, target, at, self.layout.alloc_size(self.result))

    @staticmethod
    def _finish(b: Builder, signature: Signature, parts: Parts) -> None:
        return_parts(b, signature, [parts[part.role, part.lane] for part in signature.results])
