"""What a registered rule takes and returns, found out from the types of its functions.

`convention` says which parameters may be what; here one way is chosen for a request, or refused with the declaration
that was expected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.known import writes_nothing
from enzyme_build.analysis.offsets import scalar_leaves
from enzyme_build.analysis.request import Activity, Mode, Request
from enzyme_build.errors import UnsupportedError
from enzyme_build.ir.debug import subprogram_of
from enzyme_build.ir.types import VOID, PointerType, Type
from enzyme_build.records import dataclass

from .convention import (
    EIGHTBYTE,
    Formal,
    Image,
    Kind,
    Pattern,
    arguments_of,
    c_name,
    c_struct,
    formals,
    in_memory,
    patterns,
    registers,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.analysis.annotations import Rule
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.values import Argument

    from .engine import Engine


@dataclass(frozen=True, slots=True)
class Returned:
    """Where in what a rule function returns the parts stand; None for those that it does not return."""

    result: int | None = None
    shadow: int | None = None


@dataclass(frozen=True, slots=True)
class Reader:
    """A rule function that reads the tape, and how: behind the primal's arguments come the seed and the tape."""

    function: Function
    pattern: Pattern
    rest: Sequence[Argument]
    seeds: int
    """How many parameters the result's adjoint takes."""
    tape: Type | None
    size: int
    """Bytes of the tape without padding at its end."""


class RuleForm:
    """One rule as seen by one request."""

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

    def _note_unused(self) -> None:
        """A rule that the user may rely upon is left aside."""
        declared = subprogram_of(self.module, self.primal)
        self.engine.doubts.add(
            "unused-rule",
            f"'{self.primal.name}' is differentiated by its body and not by its rule, where a pointer that it is given "
            "may lead to constant memory",
            declared.location if declared is not None else None,
            "pass it memory with a shadow, without enzyme_runtime_activity; or link its rule without its body",
        )

    # Parameters -----------------------------------------------------------------------------------------------------

    def usable(self, function: Function | None, *, tangents: bool) -> bool:
        """May the rule be used with the request's activities? Refuses what neither it nor the body can do."""
        assert function is not None
        if Activity.RUNTIME in self.request.arguments:
            if self.module.is_defined(self.primal.name):
                self._note_unused()
                return False
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
        whole = function not in (self.rule.reverse, self.rule.split_tangent)
        found = list(patterns(self.module, self.formals, given, tangents=tangents, whole=whole))
        if not whole:
            found = self._as_augmented(found)
        if not found:
            if quiet:
                return ()
            raise self._mismatch(function, tangents=tangents)
        shadowed = {f.index for f in self.formals if self._shadowed(f)}
        for pattern in found:
            # The tangent of a constant number is zero; left out, its parameter would be read as part of the tape.
            if self._shadows(pattern) == shadowed and function is not self.rule.split_tangent:
                return pattern
        for pattern in found:
            spare = [at for at, slot in enumerate(pattern) if slot.shadow and slot.index not in shadowed]
            free = all(
                self.formals[pattern[at].index].kind is not Kind.POINTER or not self._reads(function, given[at].index)
                for at in spare
            )
            if shadowed <= self._shadows(pattern) and free:
                return pattern
        if quiet:
            return None
        raise self._mismatch(function, tangents=tangents)

    def _as_augmented(self, found: list[Pattern]) -> list[Pattern]:
        """Those that have shadows where the augmented function has: what is behind the arguments is a tape, or none."""
        augmented = self.rule.augmented
        own = self._pattern(augmented, tangents=False, quiet=True) if augmented is not None else None
        if not own:
            return found
        pointers = {formal.index for formal in self.formals if formal.kind is Kind.POINTER}
        return [p for p in found if self._shadows(p) & pointers == self._shadows(own) & pointers] or found

    def reader(self, function: Function) -> Reader:
        """How the reverse function, or the tangent of split mode, takes its arguments."""
        _, given = arguments_of(self.module, function)
        tangents = function is not self.rule.reverse
        pattern = self._pattern(function, tangents=tangents)
        assert pattern is not None
        rest = given[len(pattern) :]
        seeds = 0 if tangents else self._seed_count(rest)
        if len(rest) - seeds > 2:
            raise self._mismatch(function, tangents=tangents)
        return Reader(function, pattern, rest, seeds, *registers(self.module, rest[seeds:]))

    def _shadows(self, pattern: Pattern) -> set[int]:
        """The arguments whose shadows the rule takes; an integer in a struct has none that matters."""
        return {slot.index for slot in pattern if slot.shadow and self.formals[slot.index].kind is not Kind.OTHER}

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

    def _check_lanes(self) -> None:
        """Each lane calls the rule, which must not do twice what the function does once."""
        if self.request.width > 1 and not self._only_computes():
            raise UnsupportedError(
                f"'{self.primal.name}' writes memory: its registered rule cannot be called for "
                f"{self.request.width} directions at once",
                hint="ask for one direction at a time (without enzyme_width)",
                code="E0334",
            )

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

    # Results --------------------------------------------------------------------------------------------------------

    def _active(self) -> list[Formal]:
        return [formal for formal in self.formals if formal.kind in (Kind.NUMBER, Kind.STRUCT)]

    def _is_active(self, formal: Formal) -> bool:
        activity = self.request.arguments[formal.index]
        return activity is Activity.ACTIVE or (formal.kind is Kind.STRUCT and activity.has_shadow)

    def _seeded(self) -> bool:
        return self.result is not VOID and any(leaf.is_float for _, leaf, _ in scalar_leaves(self.layout, self.result))

    def _returns_pointer(self) -> bool:
        return isinstance(self.result, PointerType)

    def _in_registers(self) -> bool:
        return self.result is not VOID and self.primal.function_type.result is not VOID

    def _value_size(self) -> int:
        """Bytes of the result without padding at its end."""
        leaves = scalar_leaves(self.layout, self.result)
        return max((offset + self.layout.store_size(leaf) for _, leaf, offset in leaves), default=0)

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

    def _image_size(self, function: Function) -> int:
        """Bytes that a rule function returns, in registers or memory."""
        memory, _ = arguments_of(self.module, function)
        type_ = memory if memory is not None else function.function_type.result
        return 0 if type_ is VOID else self.layout.alloc_size(type_)

    def _struct(self, function: Function, members: Sequence[Type | int]) -> Image | None:
        """The members' places if they make what the function returns."""
        image = c_struct(self.layout, members)
        return image if image.is_size(self._image_size(function)) else None

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

    def _tangent_image(self, function: Function) -> Returned:
        if self.result is VOID:
            return Returned()
        if self._struct(function, [self.result]):
            return Returned(None, 0)
        pair = self._struct(function, [self.result, self.result])
        if pair is None:
            raise self._mismatch(function, tangents=True, what="result")
        return Returned(*pair.offsets)

    # Messages -------------------------------------------------------------------------------------------------------

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
        if tangents:
            returned = result if result == "void" else f"struct {{{result} result, tangent;}}"
            words += ["TAPE tape"] if function is self.rule.split_tangent else []
        elif function is self.rule.reverse:
            numbers = [c_name(formal.type) for formal in self._active()]
            returned = (
                "void" if not numbers else numbers[0] if len(numbers) == 1 else f"struct {{{'; '.join(numbers)};}}"
            )
            if self._seeded():
                words.append(f"{result} seed")
            words = [", ".join(words) + "[, TAPE tape]"] if words else ["[TAPE tape]"]
        else:
            returned = "TAPE (or void)" if result == "void" else f"struct {{TAPE tape; {result} result;}} (or {result})"
            if self._returns_pointer():
                returned = f"struct {{TAPE tape; {result} result; {result} shadow;}}"
        return f"{returned} {function.name}({', '.join(words)})"
