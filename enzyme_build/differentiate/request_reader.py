"""Reads the arguments of one derivative request.

First the function, then its arguments in order, each after an optional marker and followed by its shadows, with
options in between.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from enzyme_build.analysis.annotations import annotations_of
from enzyme_build.analysis.offsets import scalar_leaves
from enzyme_build.analysis.request import Activity, Mode
from enzyme_build.errors import RequestError
from enzyme_build.ir.debug import location_chain, location_of, subprogram_of
from enzyme_build.ir.types import I64, PTR, FloatType, IntType, PointerType, Type
from enzyme_build.ir.values import (
    ConstantInt,
    Value,
)
from enzyme_build.regex import regex

from .asked_functions import asked_function
from .markers import (
    ACTIVITIES,
    BATCHED,
    FLAGS,
    MAXIMUM_WIDTH,
    OPTIONS,
    STRIDED,
    convertible,
    marker_name,
    parameter_place,
    precedence,
    resolve_function,
    structs,
)
from .request_call import Actual, Entry, RequestCall
from .request_checks import check_request, order
from .shadow_types import other_type
from .spilled import Spilled

if TYPE_CHECKING:
    from enzyme_build.ir import instructions as ir
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module

_IN_MEMORY = regex(r"\b(?:byval|sret)\(((?:[^()]|\([^()]*\))*)\)")

HEADER = "include/enzyme/enzyme"

_FOLLOWS = {
    Entry.TAPE_SIZE: "after the function come the markers only, one for each argument",
    Entry.BATCH: "as many values as enzyme_width says follow enzyme_vector, one follows enzyme_scalar",
}
"""What comes behind what, of requests that have a form of their own."""


class RequestReader:
    """Reads the arguments of one request."""

    def __init__(self, module: Module, caller: Function, call: ir.CallBase, kind: Entry) -> None:
        self.module = module
        self.call = call
        self.caller = caller
        self.kind = kind
        self.entry = kind.value
        # Of a call inside our own header: the user's call of that.
        chain = [place for place in location_chain(module, call) if place.line and not place.file.endswith(HEADER)]
        self.location = chain[0] if chain else location_of(module, call)
        self.given = Spilled(module, caller, call)
        self.arguments = self.given.arguments
        self.strided = False
        """Was the last activity marker one of a run of shadows?"""
        self.said: set[str] = set()
        """Options with values."""
        self.names: list[str] = []
        """Of the primal's parameters, where the source knows more of them than LLVM."""
        self.at = 1 if call.argument_attributes and "sret" in call.argument_attributes[0] else 0
        if self.location is None and self.at < len(self.arguments):
            # A pass of a pair is asked for by a function of ours: the place of what it is of.
            primal = resolve_function(module, self.arguments[self.at])
            program = subprogram_of(module, primal) if primal is not None else None
            self.location = program.location if program is not None else None

    def error(self, message: str, hint: str | None = None, code: str = "E0300") -> RequestError:
        place = "" if self.location else f" (in function '{self.caller.name}')"
        return RequestError(f"{message}{place}", location=self.location, hint=hint, code=code)

    def read(self) -> RequestCall:
        if self.at >= len(self.arguments):
            raise self.error(
                f"{self.entry} needs the function to differentiate as its first argument",
                "behind it come the function's own arguments in order",
            )
        primal = self._function(self.arguments[self.at])
        self.at += 1
        request = RequestCall(self.call, self.caller, self.kind, primal, self.location, self._width())
        if primal.function_type.variadic:
            raise self.error(
                f"cannot differentiate the variadic function '{primal.name}'",
                "call it in a function with fixed parameters, and differentiate that",
            )
        request.result_type = primal.function_type.result
        request.globals = tuple(sorted(annotations_of(self.module).shadows))
        match self.kind:
            case Entry.TAPE_SIZE:
                self._markers(request)
            case Entry.BATCH:
                self._batch(request)
            case _:
                self._arguments(request)
        self._check_result(request)
        if self.kind in {Entry.REVERSE, Entry.FORWARD_SPLIT}:
            self._seeds_and_tape(request)
        marked = self._options(request) is not None
        if marked or self.at < len(self.arguments):
            left = len(self.arguments) - self.at
            last = marker_name(self.arguments[-1]) if marked and not left else None
            too_much = (
                f"ends with {last}, which is said of no argument"
                if last
                else f"has {max(1, left)} argument(s) too many"
            )
            raise self.error(
                f"{self.entry} of '{primal.name}' {too_much}",
                _FOLLOWS.get(self.kind, "each dup argument is followed by one shadow, const and out arguments by none"),
            )
        check_request(self, request)
        return request

    def _arguments(self, request: RequestCall) -> None:
        """The arguments of the function, in order."""
        primal = request.primal
        for numbers in structs(primal):
            if len(numbers) > 1:
                self._members(request, numbers, self._options(request))
                continue
            number, parameter = numbers[0], primal.arguments[numbers[0]]
            found = _IN_MEMORY.search(parameter.attributes)
            in_memory = self.module.parse_type(found[1]) if found else None
            if in_memory is not None and "sret" in parameter.attributes:
                request.result_type = in_memory
                request.actuals.append(Actual(Activity.DUPLICATED, None, in_memory=in_memory))
                continue
            activity = self._options(request)
            if in_memory is not None:
                self._struct(request, number, in_memory, activity)
            else:
                self._actual(request, number, parameter.type, activity)

    def _markers(self, request: RequestCall) -> None:
        """One marker for each argument, without values: what the tape's size depends on."""
        nothing = self.arguments[0]
        for numbers in structs(request.primal):
            parameter = request.primal.arguments[numbers[0]]
            found = _IN_MEMORY.search(parameter.attributes)
            if found is not None and "sret" in parameter.attributes:
                request.result_type = self.module.parse_type(found[1])
                request.actuals.append(Actual(Activity.DUPLICATED, None))
                continue
            told = self._options(request, one=True)
            if told is None:
                raise self.error(
                    f"{self.entry}: no marker for {self.label(request.primal, numbers[0])} of '{request.primal.name}'",
                    "after the function come the markers only, one for each argument",
                    "E0306",
                )
            types = [request.primal.arguments[number].type for number in numbers]
            for type_ in types:
                member = self._member(type_, told, request.mode) if found is None else told
                may_pack = isinstance(type_, IntType) and told is not Activity.CONSTANT
                if found is not None and told is Activity.ACTIVE:
                    member = Activity.DUPLICATED
                request.actuals.append(Actual(member, nothing, may_pack=may_pack))

    def _batch(self, request: RequestCall) -> None:
        """Each argument once for every call, or once for all; `shadows` holds the values by call."""
        primal = request.primal
        if not any(marker_name(argument) == "enzyme_width" for argument in self.arguments):
            raise self.error(
                f"{self.entry} of '{primal.name}' does not say how many calls to make",
                f"write {self.entry}({primal.name}, enzyme_width, N, …), with a constant N",
                "E0303",
            )
        for numbers in structs(primal):
            parameter = primal.arguments[numbers[0]]
            found = _IN_MEMORY.search(parameter.attributes)
            if found is not None and "sret" in parameter.attributes:
                request.result_type = self.module.parse_type(found[1])
                request.actuals.append(Actual(Activity.CONSTANT, None, in_memory=request.result_type))
                continue
            self._options(request)
            name = marker_name(self.arguments[self.at]) if self.at < len(self.arguments) else None
            if name not in BATCHED:
                raise self.error(
                    f"{self.entry}: {self.label(primal, numbers[0])} of '{primal.name}' has no marker",
                    "say enzyme_vector in front of one value per call, or enzyme_scalar in front of one for all",
                )
            self.at += 1
            actuals = [Actual(Activity.CONSTANT, None) for _ in numbers]
            for _ in range(request.width if name == "enzyme_vector" else 1):
                if found is None:
                    self._spread(request, numbers)
                for actual, number in zip(actuals, numbers, strict=True):
                    actual.shadows.append(self._take(request, number, "argument", primal.arguments[number].type))
            request.actuals += actuals

    def _seeds_and_tape(self, request: RequestCall) -> None:
        """Behind the arguments of a reverse pass: the adjoint of an active result, and the tape."""
        if request.returns_primal:
            raise self.error(
                f"{self.entry} of '{request.primal.name}' does not run the function: it has no primal result",
                "__enzyme_augmentfwd returns it, as the second member of a struct",
            )
        seeded = request.has_number_result and not request.has_constant_result and self.kind is Entry.REVERSE
        if seeded and not request.seeds:
            wanted = request.result_type if isinstance(request.result_type, FloatType) else PTR
            for _ in range(request.width):
                self._options(request)
                request.seeds.append(self._take(request, 0, "adjoint of the result", wanted))
        self._options(request)
        if request.tape is None:
            request.tape = self._take(request, 0, "tape", PTR)

    def _width(self) -> int:
        """The number of lanes; it may be said anywhere among the arguments and says how many shadows there are."""
        for option, value in pairwise(self.arguments):
            if marker_name(option) == "enzyme_width":
                if not isinstance(value, ConstantInt) or not 1 <= value.value <= MAXIMUM_WIDTH:
                    raise self.error(
                        f"enzyme_width needs a constant from 1 to {MAXIMUM_WIDTH} behind it",
                        "write the number itself; take more directions by several calls",
                        "E0303",
                    )
                return value.value
        return 1

    def _check_result(self, request: RequestCall) -> None:
        leaves = scalar_leaves(self.module.layout, request.result_type)
        request.has_number_result = any(leaf.is_float_like for _, leaf, _ in leaves)
        if request.has_constant_result or not request.has_number_result:
            for actual in request.actuals:
                if actual.value is None:
                    actual.activity = Activity.CONSTANT

    def _options(self, request: RequestCall, *, one: bool = False) -> Activity | None:
        """Consume markers and options in front of an argument, up to `one` activity marker if no value follows it;
        the activity marker among them."""
        activity: Activity | None = None
        while self.at < len(self.arguments):
            name = marker_name(self.arguments[self.at])
            if name is None or (name in BATCHED and self.kind is Entry.BATCH):
                return activity
            if name in BATCHED:
                raise self.error(
                    f"'{name}' is a marker of __enzyme_batch",
                    f"in {self.entry} say {', '.join(ACTIVITIES)}",
                    "E0302",
                )
            self.at += 1
            if name in ACTIVITIES:
                if activity is not None:
                    raise self.error(
                        f"two activity markers in a row, before {self._next(request)} of '{request.primal.name}'",
                        "each argument has one marker at most, and stands between its marker and its shadow",
                    )
                activity = ACTIVITIES[name]
                self.strided = name in STRIDED
                if one:
                    return activity
            elif name in FLAGS:
                request.flags.add(name)
            elif name in OPTIONS:
                self._option(request, name)
            else:
                raise self.error(
                    f"unknown marker '{name}'",
                    f"known are {', '.join((*ACTIVITIES, *FLAGS, *OPTIONS))}",
                    "E0302",
                )
        return activity

    def _option(self, request: RequestCall, name: str) -> None:
        count = request.width if name == "enzyme_seed" else 1
        if self.at + count > len(self.arguments):
            raise self.error(
                f"{name} needs {'a value' if count == 1 else f'{count} values, one a lane,'} behind it",
                f"write {name}, value",
            )
        if name in self.said:
            raise self.error(f"{name} is said twice", "say it once, with the value that is meant")
        self.said.add(name)
        match name:
            case "enzyme_seed":
                request.seeds = self.arguments[self.at : self.at + count]
            case "enzyme_tape":
                request.tape = self.arguments[self.at]
            case "enzyme_allocated":
                request.allocated = self.arguments[self.at]
        self.at += count

    @staticmethod
    def _default(type_: Type, mode: Mode) -> Activity:
        if isinstance(type_, PointerType):
            return Activity.DUPLICATED
        if type_.is_float_like:
            return Activity.ACTIVE
        if isinstance(type_, IntType):
            return Activity.CONSTANT
        return Activity.ACTIVE if mode is Mode.FORWARD else Activity.CONSTANT

    def _struct(self, request: RequestCall, number: int, type_: Type, activity: Activity | None) -> None:
        """A struct passed by value in memory is active like the numbers in it."""
        if self.strided:
            raise self.error("enzyme_dupv on a struct passed by value", "use enzyme_dup with its shadows", "E0305")
        actual = Actual(Activity.CONSTANT, self._take(request, number, "argument", PTR), in_memory=type_)
        request.actuals.append(actual)
        numbers = any(leaf.is_float for _, leaf, _ in scalar_leaves(self.module.layout, type_))
        if activity is Activity.CONSTANT or (activity is None and not numbers):
            return
        actual.activity = Activity.DUPLICATED
        actual.returned = request.mode is not Mode.FORWARD and activity in (None, Activity.ACTIVE)
        if not actual.returned:
            self._shadows(request, actual, number, PTR)

    def _spelled_apart(self, request: RequestCall, activity: Activity | None) -> bool:
        """Does each member of a struct have a marker of its own?"""
        if activity is None:
            return False
        run = self.at
        while run < len(self.arguments) and marker_name(self.arguments[run]) is None:
            run += 1
        shadowed = activity.has_shadow or (request.mode is Mode.FORWARD and activity is Activity.ACTIVE)
        return run - self.at == 1 + (request.width if shadowed else 0)

    def _members(self, request: RequestCall, numbers: list[int], activity: Activity | None) -> None:
        """A struct that the ABI passes as several parameters: one marker, all members, then the shadows of all."""
        types = [request.primal.arguments[number].type for number in numbers]
        self._spread(request, numbers)
        if self._spelled_apart(request, activity):
            self._actual(request, numbers[0], types[0], activity)
            for number, type_ in zip(numbers[1:], types[1:], strict=True):
                self._actual(request, number, type_, self._options(request))
            return
        pointers = any(isinstance(type_, PointerType) for type_ in types)
        if self.strided:
            raise self.error("enzyme_dupv on a struct passed by value", "use enzyme_dup with its shadows", "E0305")
        if activity is None:
            activity = self._default(max(types, key=precedence), request.mode)
        label = self.label(request.primal, numbers[0])
        if activity is Activity.ACTIVE and pointers:
            raise self.error(
                f"enzyme_out on {label} of '{request.primal.name}', a struct with pointers",
                "use enzyme_dup with a struct of shadows",
                "E0304",
            )
        forward = request.mode is Mode.FORWARD
        if activity.has_shadow and not forward and any(type_.is_float_like for type_ in types):
            raise self.error(
                f"enzyme_dup on {label} of '{request.primal.name}', a struct with numbers that is passed by value",
                "use enzyme_out: its adjoint is returned; pass it by pointer if it has pointers too",
                "E0305",
            )
        actuals = [
            Actual(
                self._member(type_, activity, request.mode),
                self._take(request, number, "argument", type_),
                may_pack=activity is not Activity.CONSTANT and isinstance(type_, IntType),
            )
            for number, type_ in zip(numbers, types, strict=True)
        ]
        request.actuals += actuals
        if activity.has_shadow or (forward and activity is Activity.ACTIVE):
            for lane in range(request.width):
                at = lane if request.width > 1 else None
                self._spread(request, numbers)
                for actual, number, type_ in zip(actuals, numbers, types, strict=True):
                    actual.shadows.append(self._take(request, number, "shadow of argument", type_, lane=at))

    @staticmethod
    def _member(type_: Type, activity: Activity, mode: Mode) -> Activity:
        if isinstance(type_, PointerType) or activity is Activity.CONSTANT:
            return activity
        if isinstance(type_, IntType) and mode is not Mode.FORWARD:
            return Activity.CONSTANT
        return Activity.ACTIVE

    def _actual(self, request: RequestCall, number: int, type_: Type, told: Activity | None) -> None:
        primal = request.primal.name
        activity = told or self._default(type_, request.mode)
        label = self.label(request.primal, number)
        stride = self._stride(request, number) if self.strided else None
        actual = Actual(activity, self._take(request, number, "argument", type_), stride=stride)
        actual.may_pack = isinstance(type_, IntType) and told is not Activity.CONSTANT
        request.actuals.append(actual)
        if activity is Activity.ACTIVE and isinstance(type_, PointerType):
            raise self.error(
                f"enzyme_out on {label} of '{primal}', which is a pointer", "use enzyme_dup with a shadow", "E0304"
            )
        packs = isinstance(type_, IntType) and (request.primal.arguments[number].name or "").endswith(".coerce")
        if activity is Activity.ACTIVE and not (type_.is_float_like or packs) and request.mode is not Mode.FORWARD:
            raise self.error(
                f"enzyme_out on {label} of '{primal}', which is no number but {type_}",
                "integers are enzyme_const",
                "E0304",
            )
        by_value = not isinstance(type_, PointerType)
        if stride is not None and by_value:
            raise self.error(
                f"enzyme_dupv on {label} of '{primal}', which is no pointer",
                "use enzyme_dup with its tangents",
                "E0305",
            )
        if activity.has_shadow or (request.mode is Mode.FORWARD and activity is Activity.ACTIVE):
            if by_value and request.mode is not Mode.FORWARD:
                raise self.error(
                    f"enzyme_dup on {label} of '{primal}', which is passed by value",
                    "use enzyme_out: its adjoint is returned" if type_.is_float_like else "integers are enzyme_const",
                    "E0305",
                )
            self._shadows(request, actual, number, type_)
            if by_value:
                actual.activity = Activity.ACTIVE

    def _stride(self, request: RequestCall, number: int) -> Value:
        """The bytes between the shadows of two lanes."""
        stride = self._take(request, number, "stride of argument", I64)
        self.strided = False
        return stride

    def _shadows(self, request: RequestCall, actual: Actual, number: int, type_: Type) -> None:
        count = request.width if actual.stride is None else 1
        actual.shadows = [
            self._take(request, number, "shadow of argument", type_, lane=lane if count > 1 else None)
            for lane in range(count)
        ]
        assert actual.value is not None
        if (types := other_type(self.module.layout, actual.value, actual.shadows)) is not None:
            raise self.error(
                f"{self.entry} of '{request.primal.name}': {self.label(request.primal, number)} is declared with "
                f"numbers of type {types[0]}, its shadow with type {types[1]}",
                "declare the shadow as the argument is declared",
                "E0307",
            )

    def _next(self, request: RequestCall) -> str:
        """The argument whose turn it is."""
        number = len(request.actuals)
        return self.label(request.primal, number) if number < len(request.primal.arguments) else "the end"

    def label(self, primal: Function, number: int) -> str:
        place, name = parameter_place(primal, number)
        name = name or (self.names[number] if number < len(self.names) else "")
        return f"argument {place}" + (f" ({name})" if name else "")

    def _spread(self, request: RequestCall, numbers: list[int]) -> None:
        """What comes next as the values of these parameters, which are one struct."""
        self.given.spread(self.at, [request.primal.arguments[number].type for number in numbers])

    def _take(self, request: RequestCall, number: int, what: str, type_: Type, *, lane: int | None = None) -> Value:
        """The next value, which is `what` (of the argument `number`, where that is about one)."""
        name = f"{what} {parameter_place(request.primal, number)[0]}" if what.endswith("argument") else what
        if lane is not None:
            name += f" for lane {lane + 1} of {request.width}"
        if self.at >= len(self.arguments):
            last = parameter_place(request.primal, len(request.primal.arguments) - 1)[0]
            count = f" of {last}" if what.endswith("argument") and lane is None else ""
            raise self.error(
                f"{self.entry} of '{request.primal.name}': missing {name}{count}",
                order(request, self.kind, what),
                "E0306",
            )
        if what.endswith("argument") and (request.primal.arguments[number].name or "").endswith(".coerce"):
            self.given.spread(self.at, [type_])
        value = self.arguments[self.at]
        if (what != "argument" or self.kind is Entry.BATCH) and marker_name(value) is not None:
            raise self.error(
                f"{self.entry} of '{request.primal.name}': missing {name}, found the marker '{marker_name(value)}'",
                order(request, self.kind, what),
                "E0306",
            )
        self.at += 1
        if not convertible(value.type, type_):
            raise self.error(
                f"{self.entry} of '{request.primal.name}': {name} has type {value.type}, expected {type_}",
                "pass the function's arguments in order, with the shadow behind each dup argument",
                "E0307",
            )
        return value

    def _function(self, value: Value) -> Function:
        """The function that the first argument means."""
        return asked_function(self, value)
