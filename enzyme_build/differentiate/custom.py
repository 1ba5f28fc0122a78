"""Derivatives that users wrote themselves, in the form that the builders use ours.

A registered rule is wrapped in adapters: functions of our signatures (see `signature`) that call the user's. So a call
to a function with a rule is a call like any other for the sweeps around it. `augmented_f` takes f's arguments, each
followed by its shadow where it has one, and returns {tape, result, result's shadow} or what there is of these;
`reverse_f` takes the same arguments, the seed and the tape and returns the adjoints of numbers passed by value;
`tangent_f` takes values and tangents and returns {result, tangent} or the tangent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from enzyme_build.analysis.annotations import Rule, annotations_of
from enzyme_build.analysis.known import writes_nothing
from enzyme_build.analysis.offsets import scalar_leaves
from enzyme_build.analysis.request import Activity, Mode, Request
from enzyme_build.errors import UnsupportedError
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import subprogram_of
from enzyme_build.ir.function import Block, Function
from enzyme_build.ir.legality import abi_attributes
from enzyme_build.ir.types import I1, I8, I64, PTR, VOID, PointerType, Type, array_type, function_type, struct_type
from enzyme_build.ir.values import Value, const_int, poison, zero

from .convention import (
    EIGHTBYTE,
    Formal,
    Image,
    Kind,
    Pattern,
    Slot,
    arguments_of,
    c_name,
    c_struct,
    formals,
    in_memory,
    patterns,
    registers,
)
from .forward import return_parts
from .signature import Role, Signature, augmented_signature, forward_signature, reverse_signature

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.ir.values import Argument

    from .engine import Derived, Engine, SplitDerived

Values = dict[tuple[Role, int], Value]
"""A derivative's parameters in one lane; those that are no argument's have the number -1."""

Parts = dict[tuple[Role, int], Value]
"""What a derivative returns, by lane."""

_IMAGE_ALIGN = 16


@dataclass(frozen=True, slots=True)
class Returned:
    """Where in what a rule function returns the parts stand; None for those that it does not return."""

    result: int | None = None
    shadow: int | None = None


class CustomRules:
    """The rules of one module as derivatives."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.module = engine.module
        self.rules = annotations_of(engine.module).rules

    def split(self, request: Request) -> SplitDerived | None:
        """Both passes by the user's functions; None where the function's own body is to be differentiated."""
        rule = self.rules.get(request.function)
        if rule is None or not self._has(rule, reverse=True):
            return None
        adapter = _Adapter(self.engine, rule, request)
        return adapter.split() if adapter.usable(rule.augmented or rule.reverse, tangents=False) else None

    def forward(self, request: Request) -> Derived | None:
        """The tangent function by the user's; None as above."""
        rule = self.rules.get(request.function)
        if rule is None or not self._has(rule, reverse=False):
            return None
        adapter = _Adapter(self.engine, rule, request)
        return adapter.forward() if adapter.usable(rule.tangent, tangents=True) else None

    def _has(self, rule: Rule, *, reverse: bool) -> bool:
        """Is there a rule for the mode? Without one the body must do."""
        if (rule.reverse if reverse else rule.tangent) is not None:
            return True
        if self.module.is_defined(rule.function.name):
            return False
        mode, kind, form = (
            ("reverse", "gradient", "{f, augmented_f, reverse_f}")
            if reverse
            else ("forward", "derivative", "{f, tangent_f}")
        )
        raise UnsupportedError(
            f"'{rule.function.name}' has no rule for {mode} mode, and no body here that could be differentiated",
            hint=f"register one: void *__enzyme_register_{kind}_{rule.function.name}[] = {form};",
            code="E0332",
        )


class _Adapter:
    """Builds the functions around one rule for one request."""

    def __init__(self, engine: Engine, rule: Rule, request: Request) -> None:
        self.engine = engine
        self.module = engine.module
        self.layout = engine.module.layout
        self.rule = rule
        self.primal = rule.function
        self.request = request
        self.formals = formals(engine.module, rule.function)
        memory = next((formal for formal in self.formals if formal.kind is Kind.RESULT), None)
        self.result: Type = memory.type if memory is not None else rule.function.function_type.result
        """What the function returns in C, struct results in memory included."""

    # What fits -----------------------------------------------------------------------------------------------------

    def usable(self, function: Function | None, *, tangents: bool) -> bool:
        """May the rule be used with the request's activities? Refuses what neither it nor the body can do."""
        assert function is not None
        if Activity.RUNTIME in self.request.arguments:
            raise UnsupportedError(
                f"a pointer passed to '{self.primal.name}' may or may not have a shadow, which its registered rule "
                "cannot be told",
                hint="pass memory with a shadow (enzyme_dup), or constant memory only",
                code="E0333",
            )
        wanted = [
            f"argument {f.index + 1}"
            for f in self.formals
            if f.kind is Kind.POINTER and not self.request.arguments[f.index].has_shadow
        ]
        if not wanted or self._pattern(function, tangents=tangents, quiet=True) is not None:
            return True
        if self.module.is_defined(self.primal.name):
            return False
        raise UnsupportedError(
            f"the rule of '{self.primal.name}' takes a shadow of {' and '.join(wanted)}, which is constant here",
            hint="pass it with a shadow (enzyme_dup)",
            code="E0333",
        )

    def _pattern(self, function: Function, *, tangents: bool, quiet: bool = False) -> Pattern | None:
        """How the function's parameters are arguments and shadows, as the request has them."""
        _, given = arguments_of(self.module, function)
        whole = function is not self.rule.reverse
        found = list(patterns(self.module, self.formals, given, tangents=tangents, whole=whole))
        if not found:
            if quiet:
                return ()
            raise self._mismatch(function, tangents=tangents)
        shadowed = {f.index for f in self.formals if self._shadowed(f)}
        for pattern in found:
            if {slot.index for slot in pattern if slot.shadow} == shadowed:
                return pattern
        for pattern in found:
            spare = [at for at, slot in enumerate(pattern) if slot.shadow and slot.index not in shadowed]
            free = all(
                self.formals[pattern[at].index].kind is not Kind.POINTER or not self._reads(function, given[at].index)
                for at in spare
            )
            if shadowed <= {slot.index for slot in pattern if slot.shadow} and free:
                return pattern
        if quiet:
            return None
        raise self._mismatch(function, tangents=tangents)

    def _shadowed(self, formal: Formal) -> bool:
        activity = self.request.arguments[formal.index]
        if formal.kind is Kind.POINTER or (formal.kind is Kind.STRUCT and self._is_forward):
            return activity.has_shadow
        return formal.kind is Kind.NUMBER and self._is_forward and activity is Activity.ACTIVE

    @property
    def _is_forward(self) -> bool:
        return self.request.mode is Mode.FORWARD

    def _reads(self, function: Function, index: int) -> bool:
        """May the function use its parameter?"""
        if not self.module.is_defined(function.name):
            return True
        body = self.module.function(function.name)
        argument = body.arguments[index]
        return any(argument in i.operands for i in body.instructions())

    # Messages ------------------------------------------------------------------------------------------------------

    def _mismatch(self, function: Function, *, tangents: bool, what: str = "parameters") -> UnsupportedError:
        program = subprogram_of(self.module, function)
        return UnsupportedError(
            f"the rule function '{function.name}' of '{self.primal.name}' has the wrong {what}",
            location=program.location if program is not None else self.rule.place,
            hint=f"expected is {self._expected(function, tangents=tangents)}",
            code="E0331",
        )

    def _expected(self, function: Function, *, tangents: bool) -> str:
        words = []
        for formal in self.formals:
            if formal.kind is Kind.RESULT:
                continue
            name = self.primal.arguments[formal.index].name or f"a{formal.index}"
            words.append(f"{c_name(formal.type)} {name}".replace("* ", "*"))
            if formal.kind is Kind.POINTER or (tangents and formal.kind in (Kind.NUMBER, Kind.STRUCT)):
                words.append(f"{c_name(formal.type)} d_{name}".replace("* ", "*"))
        result = c_name(self.result)
        if function is self.rule.tangent:
            returned = result if result == "void" else f"struct {{{result} result, tangent;}}"
        elif function is self.rule.reverse:
            numbers = [c_name(formal.type) for formal in self._active()]
            returned = (
                "void" if not numbers else numbers[0] if len(numbers) == 1 else f"struct {{{'; '.join(numbers)};}}"
            )
            if self._seeded():
                words.append(f"{result} seed")
            words.append("TAPE tape")
        else:
            returned = "TAPE (or void)" if result == "void" else f"struct {{TAPE tape; {result} result;}} (or {result})"
            if self._returns_pointer():
                returned = f"struct {{TAPE tape; {result} result; {result} shadow;}}"
        return f"{returned} {function.name}({', '.join(words)})"

    # Types ---------------------------------------------------------------------------------------------------------

    def _active(self) -> list[Formal]:
        return [formal for formal in self.formals if formal.kind in (Kind.NUMBER, Kind.STRUCT)]

    def _seeded(self) -> bool:
        return self.result is not VOID and any(leaf.is_float for _, leaf, _ in scalar_leaves(self.layout, self.result))

    def _returns_pointer(self) -> bool:
        return isinstance(self.result, PointerType)

    def _in_registers(self) -> bool:
        return self.result is not VOID and self.primal.function_type.result is not VOID

    def _image_size(self, function: Function) -> int:
        """Bytes that a rule function returns, in registers or memory."""
        memory, _ = arguments_of(self.module, function)
        type_ = memory if memory is not None else function.function_type.result
        return 0 if type_ is VOID else self.layout.alloc_size(type_)

    def _struct(self, function: Function, members: Sequence[Type | int]) -> Image | None:
        """The members' places if they make what the function returns."""
        image = c_struct(self.layout, members)
        return image if image.is_size(self._image_size(function)) else None

    # Reverse mode --------------------------------------------------------------------------------------------------

    def split(self) -> SplitDerived:
        from .engine import SplitDerived

        reverse = self.rule.reverse
        assert reverse is not None
        self._check_lanes()
        _, given = arguments_of(self.module, reverse)
        pattern = self._pattern(reverse, tangents=False)
        assert pattern is not None
        seeds = self._seed_count(given[len(pattern) :])
        tape, size = registers(self.module, given[len(pattern) + seeds :])
        if len(given) - len(pattern) - seeds > 2:
            raise self._mismatch(reverse, tangents=False)
        primal, width = self.primal.function_type, self.request.width
        tapes = tape if tape is None or width == 1 else struct_type((tape,) * width)
        augmented = self._augmented(augmented_signature(primal, self.request, tapes), tape, size)
        derived = self._reverse(reverse, pattern, seeds, reverse_signature(primal, self.request, tapes))
        read = {o for i in derived.function.instructions() for o in i.operands}
        used = tuple(argument in read for argument in derived.function.arguments)
        return SplitDerived(augmented, derived, tapes, used)

    def _check_lanes(self) -> None:
        """Each lane calls the rule, which must not do twice what the function does once."""
        if self.request.width > 1 and not self._only_computes():
            raise UnsupportedError(
                f"'{self.primal.name}' writes memory: its registered rule cannot be called for "
                f"{self.request.width} directions at once",
                hint="ask for one direction at a time (without enzyme_width)",
                code="E0334",
            )

    def _seed_count(self, rest: Sequence[Argument]) -> int:
        """How many parameters of the reverse function the result's adjoint takes."""
        if not self._seeded():
            return 0
        assert self.rule.reverse is not None
        size, count = self.layout.alloc_size(self.result), 0
        if not rest:
            raise self._mismatch(self.rule.reverse, tangents=False)
        first = in_memory(self.module, rest[0])
        if first is not None:
            if self.layout.alloc_size(first[1]) != size:
                raise self._mismatch(self.rule.reverse, tangents=False)
            return 1
        covered = 0
        while covered < size and count < len(rest):
            if covered % EIGHTBYTE:
                covered += EIGHTBYTE - covered % EIGHTBYTE
            covered += self.layout.store_size(rest[count].type)
            count += 1
        scalar = self._in_registers() and self.result.is_float_like
        if not covered >= self._value_size() or (scalar and rest[0].type is not self.result):
            raise self._mismatch(self.rule.reverse, tangents=False)
        return count

    def _value_size(self) -> int:
        """Bytes of the result without padding at its end."""
        leaves = scalar_leaves(self.layout, self.result)
        return max((offset + self.layout.store_size(leaf) for _, leaf, offset in leaves), default=0)

    def _augmented(self, signature: Signature, tape: Type | None, size: int) -> Derived:
        function = self.rule.augmented
        derived, b = self._begin(signature, "augmented")
        parts: Parts = {}
        if function is None:  # the primal itself, which leaves no tape
            if tape is not None:
                assert self.rule.reverse is not None
                raise self._mismatch(self.rule.reverse, tangents=False)
            parts[Role.RESULT, 0] = self._invoke(b, self.primal, self._primal_arguments(self._values(derived, 0)))
            self._finish(b, signature, parts)
            return derived
        pattern = self._pattern(function, tangents=False)
        assert pattern is not None
        where, places = self._augmented_image(function, tape, size)
        if self.result is not VOID and places.result is None:
            parts |= self._primal_result(b, self._values(derived, 0), function)
        tapes: list[Value] = []
        for lane in range(self.request.width):
            values = self._values(derived, lane)
            image = self._call(b, function, [self._argument(values, slot) for slot in pattern])
            if tape is not None:
                if where is None or image is None:
                    raise self._mismatch(function, tangents=False, what="result")
                tapes.append(b.load(tape, b.ptradd(image, where), align=1))
            self._take_results(b, values, parts, image, places, lane)
        if tapes:
            parts[Role.TAPE, 0] = self._packed(b, tapes)
        if signature.result_index(Role.RESULT_SHADOW) is not None and (Role.RESULT_SHADOW, 0) not in parts:
            raise self._mismatch(function, tangents=False, what="result")
        self._finish(b, signature, parts)
        return derived

    @staticmethod
    def _packed(b: Builder, tapes: list[Value]) -> Value:
        """The tapes of all lanes in one."""
        if len(tapes) == 1:
            return tapes[0]
        whole: Value = poison(struct_type(tuple(tape.type for tape in tapes)))
        for lane, tape in enumerate(tapes):
            whole = b.insert_value(whole, tape, (lane,))
        return whole

    def _augmented_image(self, function: Function, tape: Type | None, size: int) -> tuple[int | None, Returned]:
        """Where tape, result and result's shadow stand in what the augmented function returns."""
        result, pointer = self.result, self._returns_pointer()
        if result is VOID:
            if tape is None or self._struct(function, [tape if size == self.layout.store_size(tape) else size]):
                return 0, Returned()
            if Image(size, ()).is_size(self._image_size(function)):
                return 0, Returned()
            raise self._mismatch(function, tangents=False, what="result")
        memory, _ = arguments_of(self.module, function)
        fields = getattr(memory, "fields", None) or ()
        if tape is not None and fields:
            # In memory the struct's own type says where its members are, padding included.
            sizes = [self.layout.alloc_size(field) for field in fields]
            offsets = [self.layout.field_offset(memory, at) for at in range(len(fields))]  # type: ignore[arg-type]
            if len(fields) in (2, 3) and sizes[1:] == [self.layout.alloc_size(result)] * (len(fields) - 1):
                return 0, Returned(offsets[1], offsets[2] if len(fields) == 3 else None)
        head: list[Type | int] = [] if tape is None else [size]
        forms: list[list[Type | int]] = [[*head, result, result], [*head, result]]
        for form in forms:
            if not pointer and len(form) > len(head) + 1 and tape is None:
                continue
            image = self._struct(function, form)
            if image is not None:
                at = len(head)
                return 0, Returned(image.offsets[at], image.offsets[at + 1] if len(form) > at + 1 else None)
        if Image(size, ()).is_size(self._image_size(function)):
            return 0, Returned()
        if tape is None and len(fields) in (2, 3):  # a tape that the reverse function does not take
            offsets = [self.layout.field_offset(memory, at) for at in range(len(fields))]  # type: ignore[arg-type]
            if all(self.layout.alloc_size(field) == self.layout.alloc_size(result) for field in fields[1:]):
                return None, Returned(offsets[1], offsets[2] if len(fields) == 3 else None)
        raise self._mismatch(function, tangents=False, what="result")

    def _reverse(self, function: Function, pattern: Pattern, seeds: int, signature: Signature) -> Derived:
        derived, b = self._begin(signature, "reverse")
        found = {
            lane: self._reverse_lane(b, function, (pattern, seeds), self._values(derived, lane), lane)
            for lane in range(self.request.width)
        }
        parts: list[Value] = []
        for part in signature.results:
            adjoint = found[part.lane].get(part.index)
            if adjoint is None:
                raise self._mismatch(function, tangents=False, what="result")
            parts.append(adjoint)
        return_parts(b, signature, parts)
        return derived

    def _reverse_lane(
        self, b: Builder, function: Function, form: tuple[Pattern, int], values: Values, lane: int
    ) -> dict[int, Value]:
        """Call the reverse function; the adjoints of numbers it returned, by argument."""
        pattern, seeds = form
        arguments = [self._argument(values, slot) for slot in pattern]
        _, given = arguments_of(self.module, function)
        rest = given[len(pattern) :]
        if seeds:
            arguments += self._by_value(b, rest[:seeds], self._seed_image(b, values))
        if len(rest) > seeds:
            tape = values[Role.TAPE, -1]
            if self.request.width > 1:
                tape = b.extract_value(tape, (lane,))
            image = self._memory(b, self.layout.alloc_size(tape.type))
            b.store(tape, image)
            arguments += self._by_value(b, rest[seeds:], image)
        adjoints = self._adjoints(b, function, self._call(b, function, arguments))
        for formal in self._active():
            shadow = values.get((Role.SHADOW, formal.index))
            if formal.kind is Kind.STRUCT and shadow is not None:
                if formal.index not in adjoints:
                    raise self._mismatch(function, tangents=False, what="result")
                self._add_numbers(b, formal.type, shadow, adjoints[formal.index])
        return adjoints

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

    def _is_active(self, formal: Formal) -> bool:
        activity = self.request.arguments[formal.index]
        return activity is Activity.ACTIVE or (formal.kind is Kind.STRUCT and activity.has_shadow)

    def _add_numbers(self, b: Builder, type_: Type, target: Value, source: Value) -> None:
        for _, leaf, offset in scalar_leaves(self.layout, type_):
            if leaf.is_float:
                place = b.ptradd(target, offset)
                total = b.fadd(b.load(leaf, place, align=1), b.load(leaf, b.ptradd(source, offset), align=1))
                b.store(total, place, align=1)

    # Forward mode --------------------------------------------------------------------------------------------------

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
            parts |= self._primal_result(b, self._values(derived, 0), function)
        for lane in range(self.request.width):
            values = self._values(derived, lane)
            image = self._call(b, function, [self._argument(values, slot) for slot in pattern])
            self._take_results(b, values, parts, image, places, lane)
        self._finish(b, signature, parts)
        return derived

    def _tangent_image(self, function: Function) -> Returned:
        if self.result is VOID:
            return Returned()
        if self._struct(function, [self.result]):
            return Returned(None, 0)
        pair = self._struct(function, [self.result, self.result])
        if pair is None:
            raise self._mismatch(function, tangents=True, what="result")
        return Returned(*pair.offsets)

    # Calls ---------------------------------------------------------------------------------------------------------

    def _begin(self, signature: Signature, kind: str) -> tuple[Derived, Builder]:
        derived = self.engine.new_derivative(self.primal, signature, kind)
        return derived, Builder(derived.function.add_block(Block("entry")))

    @staticmethod
    def _values(derived: Derived, lane: int) -> Values:
        parts = zip(derived.signature.parameters, derived.function.arguments, strict=True)
        shared = (Role.PRIMAL, Role.TAPE, Role.ARENA)
        return {(part.role, part.index): a for part, a in parts if part.lane == lane or part.role in shared}

    @staticmethod
    def _argument(values: Values, slot: Slot) -> Value:
        primal = values[Role.PRIMAL, slot.index]
        if not slot.shadow:
            return primal
        return values.get((Role.SHADOW, slot.index)) or zero(primal.type)

    def _primal_arguments(self, values: Values) -> list[Value]:
        return [values[Role.PRIMAL, index] for index in range(len(self.primal.arguments))]

    def _primal_result(self, b: Builder, values: Values, function: Function) -> Parts:
        """The result by the function itself, which its rule does not return; not if that did something twice."""
        if not self._only_computes():
            raise self._mismatch(function, tangents=function is self.rule.tangent, what="result")
        result = self._invoke(b, self.primal, self._primal_arguments(values))
        return {(Role.RESULT, 0): result} if self._in_registers() else {}

    def _only_computes(self) -> bool:
        """Does the primal write no memory but its own?"""
        if writes_nothing(self.module.attributes_of(self.primal)):
            return True
        model = self.engine.memory_of(self.primal)
        if model is None:
            return False
        results = {p.region for a in self.primal.arguments if "sret(" in a.attributes and (p := model.place(a))}
        written = {region.root for region in model.regions if region.root.writes} - results
        return not any(region.external or region.globals for region in written)

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
        move = self.module.declare("llvm.memcpy.p0.p0.i64", function_type(VOID, (PTR, PTR, I64, I1)))
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
