"""Finds the user's derivative requests and replaces them by calls to derivatives.

A request is a call to an undefined function whose name contains `__enzyme_autodiff` or `__enzyme_fwddiff`. Its first
argument is the function to differentiate; then come that function's arguments in order, each after an optional marker
and followed by its shadows, with options in between.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from enzyme_build.analysis.offsets import scalar_leaves
from enzyme_build.analysis.request import Activity, Mode, Request
from enzyme_build.errors import EnzymeBuildError, FindingsError, InternalError, RequestError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.debug import location_of
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import PTR, FloatType, IntType, PointerType, Type
from enzyme_build.ir.values import Constant, ConstantExpression, ConstantInt, GlobalAlias, GlobalVariable, Value

from .engine import Engine

if TYPE_CHECKING:
    from enzyme_build.errors import SourceLocation
    from enzyme_build.ir.module import Module

    from .options import DifferentiationOptions

_BY_VALUE = re.compile(r"byval\((.*?)\)(?: |$)")
ENTRY_POINTS = {"__enzyme_autodiff": Mode.COMBINED, "__enzyme_fwddiff": Mode.FORWARD}
NOT_YET = (
    "__enzyme_augmentfwd",
    "__enzyme_reverse",
    "__enzyme_fwdsplit",
    "__enzyme_augmentsize",
    "__enzyme_batch",
    "__enzyme_virtualreverse",
)
REGISTRATIONS = (
    "__enzyme_register_gradient",
    "__enzyme_register_derivative",
    "__enzyme_register_splitderivative",
    "__enzyme_inactive",
    "__enzyme_shadow",
    "__enzyme_function_like",
    "__enzyme_allocation_like",
)
ACTIVITIES = {
    "enzyme_const": Activity.CONSTANT,
    "enzyme_out": Activity.ACTIVE,
    "enzyme_dup": Activity.DUPLICATED,
    "enzyme_dupnoneed": Activity.DUPLICATED_NO_PRIMAL,
}
FLAGS = ("enzyme_primal_return", "enzyme_noret", "enzyme_const_return", "enzyme_runtime_activity", "enzyme_strong_zero")
OPTIONS = {"enzyme_width": 1, "enzyme_seed": 1}


def has_requests(text: str) -> bool:
    """Does an IR text mention an entry point?"""
    return "__enzyme_" in text


def entry_point(name: str) -> str | None:
    """The entry point that a function's name contains."""
    if "__enzyme_" not in name:
        return None
    return next((entry for entry in (*ENTRY_POINTS, *NOT_YET) if entry in name), None)


@dataclass(slots=True)
class Actual:
    """What a request passes for one parameter of the primal."""

    activity: Activity
    value: Value
    shadow: Value | None = None
    by_value: Type | None = None
    """The type of a struct that the ABI passes by value in memory."""
    returned: bool = False
    """Is its adjoint a result of the request?"""


@dataclass(slots=True)
class RequestCall:
    """One request, read."""

    call: ir.CallBase
    caller: Function
    mode: Mode
    primal: Function
    location: SourceLocation | None
    actuals: list[Actual] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)
    seed: Value | None = None

    @property
    def result_pointer(self) -> Value | None:
        """The caller's memory for a struct result."""
        return self.call.operands[0] if "sret" in self.call.argument_attributes[0] else None

    def result_activity(self) -> Activity:
        result = self.primal.function_type.result
        if self.flags & {"enzyme_const_return", "enzyme_noret"}:
            return Activity.CONSTANT
        if self.mode is Mode.COMBINED:
            return Activity.ACTIVE if isinstance(result.scalar, FloatType) else Activity.CONSTANT
        return Activity.CONSTANT if isinstance(result, IntType) or result.text == "void" else Activity.ACTIVE

    def request(self) -> Request:
        return Request(
            self.primal.name,
            self.mode,
            tuple(actual.activity for actual in self.actuals),
            self.result_activity(),
            returns_primal="enzyme_primal_return" in self.flags,
            strong_zero="enzyme_strong_zero" in self.flags,
        )


def lower_requests(module: Module, options: DifferentiationOptions) -> bool:
    """Replace the requests that differentiate nothing but primal code; are others left?"""
    from .lowering import lower

    calls, findings = find_requests(module)
    if findings:
        raise FindingsError(findings)
    ready = [request for request in calls if not _differentiates_requests(module, request.primal)]
    if calls and not ready:
        raise FindingsError(
            [
                RequestError(
                    f"'{calls[0].primal.name}' asks for its own derivative", location=calls[0].location, code="E0310"
                )
            ]
        )
    engine = Engine(module, options)
    engine.analyse(list({request.primal: None for request in ready}))
    for request in ready:
        try:
            lower(engine, request)
        except FindingsError:
            if not engine.findings:
                raise
        except EnzymeBuildError as error:
            if isinstance(error, InternalError):
                raise
            if error.location is None:
                error.location = request.location
            engine.findings.append(error)
    more = len(ready) < len(calls)
    engine.finish(last=not more)
    return more


def find_requests(module: Module) -> tuple[list[RequestCall], list[EnzymeBuildError]]:
    """All requests of the module, in the order of the text, and what is wrong with them."""
    found: list[RequestCall] = []
    findings: list[EnzymeBuildError] = _registrations(module)
    names = dict.fromkeys(module.functions_mentioning("__enzyme_"))
    for name in [*names, *module.added_functions]:
        caller = module.function(name)
        for block in caller.blocks:
            for instruction in block.instructions:
                if not isinstance(instruction, ir.CallBase) or not isinstance(instruction.callee, Function):
                    continue
                entry = entry_point(instruction.callee.name)
                if entry is None or not instruction.callee.is_declaration:
                    continue
                try:
                    found.append(_Reader(module, caller, instruction, entry).read())
                except RequestError as error:
                    findings.append(error)
    return found, findings


def _registrations(module: Module) -> list[EnzymeBuildError]:
    """Rules and annotations by global variables: to ignore one would give another derivative than asked for."""
    return [
        RequestError(
            f"the global variable '{name}' registers a rule or annotation, which is not supported yet",
            hint="remove it where the function's own body may be differentiated",
            code="E0330",
        )
        for name, value in module.globals.items()
        if isinstance(value, GlobalVariable) and any(prefix in name for prefix in REGISTRATIONS)
    ]


def _differentiates_requests(module: Module, primal: Function) -> bool:
    """Does the function reach another request?"""
    pending, seen = [primal], {primal}
    while pending:
        function = pending.pop()
        if not module.is_defined(function.name):
            continue
        for instruction in module.function(function.name).instructions():
            for operand in instruction.operands:
                if isinstance(operand, Function) and operand not in seen:
                    if entry_point(operand.name) and operand.is_declaration:
                        return True
                    seen.add(operand)
                    pending.append(operand)
    return False


class _Reader:
    """Reads the arguments of one request."""

    def __init__(self, module: Module, caller: Function, call: ir.CallBase, entry: str) -> None:
        self.module = module
        self.call = call
        self.caller = caller
        self.entry = entry
        self.location = location_of(module, call)
        self.arguments = call.arguments
        self.at = 1 if call.argument_attributes and "sret" in call.argument_attributes[0] else 0

    def error(self, message: str, hint: str | None = None, code: str = "E0300") -> RequestError:
        place = "" if self.location else f" (in function '{self.caller.name}')"
        return RequestError(f"{message}{place}", location=self.location, hint=hint, code=code)

    def read(self) -> RequestCall:
        if self.entry in NOT_YET:
            raise self.error(f"{self.entry} is not supported yet", "use __enzyme_autodiff or __enzyme_fwddiff", "E0301")
        if self.at >= len(self.arguments):
            raise self.error(f"{self.entry} needs the function to differentiate as its first argument")
        primal = self._function(self.arguments[self.at])
        self.at += 1
        request = RequestCall(self.call, self.caller, ENTRY_POINTS[self.entry], primal, self.location)
        parameters = primal.arguments
        if primal.function_type.variadic:
            raise self.error(f"cannot differentiate the variadic function '{primal.name}'")
        self._check_result(request)
        for number, parameter in enumerate(parameters):
            if number == 0 and "sret" in parameter.attributes:
                self._struct_result(request)
                continue
            activity = self._options(request)
            by_value = _BY_VALUE.search(parameter.attributes)
            if by_value is not None:
                self._struct(request, number, self.module.parse_type(by_value[1]), activity)
            else:
                self._actual(request, number, parameter.type, activity or self._default(parameter.type, request.mode))
        if self._options(request) is not None or self.at < len(self.arguments):
            raise self.error(
                f"{self.entry} of '{primal.name}' has {len(self.arguments) - self.at} argument(s) too many",
                "each dup argument is followed by one shadow, const and out arguments by none",
            )
        return request

    def _check_result(self, request: RequestCall) -> None:
        """Reverse mode seeds one number; several need a seed each, which the interface has no place for."""
        result = request.primal.function_type.result
        scalar = isinstance(result, FloatType | IntType | PointerType) or result.text == "void"
        if request.mode is Mode.COMBINED and not scalar:
            self._struct_result(request)

    def _struct_result(self, request: RequestCall) -> None:
        if request.mode is not Mode.FORWARD:
            raise self.error(
                f"cannot differentiate '{request.primal.name}' in reverse mode: it returns a struct",
                "return the struct through a pointer argument and pass its adjoint as the shadow",
                "E0320",
            )
        raise self.error(
            f"cannot differentiate '{request.primal.name}': it returns a large struct by value",
            "return the struct through a pointer argument",
            "E0321",
        )

    def _options(self, request: RequestCall) -> Activity | None:
        """Consume markers and options in front of an argument; the activity marker among them."""
        activity: Activity | None = None
        while self.at < len(self.arguments):
            name = marker_name(self.arguments[self.at])
            if name is None:
                return activity
            self.at += 1
            if name in ACTIVITIES:
                if activity is not None:
                    raise self.error(f"two activity markers in a row before an argument of '{request.primal.name}'")
                activity = ACTIVITIES[name]
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
        if self.at >= len(self.arguments):
            raise self.error(f"{name} needs a value behind it")
        value = self.arguments[self.at]
        self.at += 1
        if name == "enzyme_seed":
            request.seed = value
        elif not isinstance(value, ConstantInt) or value.value != 1:
            raise self.error("enzyme_width other than 1 is not supported yet", "ask for one direction a call", "E0303")

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
        value = self._take(request, number, "argument", PTR)
        numbers = any(leaf.is_float for _, leaf, _ in scalar_leaves(self.module.layout, type_))
        if activity is Activity.CONSTANT or (activity is None and not numbers):
            request.actuals.append(Actual(Activity.CONSTANT, value, by_value=type_))
            return
        returned = request.mode is Mode.COMBINED and activity in (None, Activity.ACTIVE)
        shadow = None if returned else self._take(request, number, "shadow of argument", PTR)
        request.actuals.append(Actual(Activity.DUPLICATED, value, shadow, type_, returned))

    def _actual(self, request: RequestCall, number: int, type_: Type, activity: Activity) -> None:
        primal = request.primal.name
        label = self._label(request.primal, number)
        value = self._take(request, number, "argument", type_)
        if activity is Activity.ACTIVE and isinstance(type_, PointerType):
            raise self.error(
                f"enzyme_out on {label} of '{primal}', which is a pointer", "use enzyme_dup with a shadow", "E0304"
            )
        if activity is Activity.ACTIVE and not type_.is_float_like and request.mode is Mode.COMBINED:
            raise self.error(f"enzyme_out on {label} of '{primal}', which is no number but {type_}", None, "E0304")
        by_value = not isinstance(type_, PointerType)
        shadow = None
        if activity.has_shadow or (request.mode is Mode.FORWARD and activity is Activity.ACTIVE):
            if by_value and request.mode is Mode.COMBINED:
                raise self.error(
                    f"enzyme_dup on {label} of '{primal}', which is passed by value",
                    "use enzyme_out: its adjoint is returned",
                    "E0305",
                )
            shadow = self._take(request, number, "shadow of argument", type_)
            if by_value:
                activity = Activity.ACTIVE
        request.actuals.append(Actual(activity, value, shadow))

    @staticmethod
    def _label(primal: Function, number: int) -> str:
        name = primal.arguments[number].name
        return f"argument {number + 1}" + (f" ({name})" if name else "")

    def _take(self, request: RequestCall, number: int, what: str, type_: Type) -> Value:
        if self.at >= len(self.arguments):
            raise self.error(
                f"{self.entry} of '{request.primal.name}': missing {what} {number + 1} of "
                f"{len(request.primal.arguments)}",
                "each dup argument is followed by its shadow",
                "E0306",
            )
        value = self.arguments[self.at]
        if what != "argument" and marker_name(value) is not None:
            raise self.error(
                f"{self.entry} of '{request.primal.name}': missing {what} {number + 1}, found the marker "
                f"'{marker_name(value)}'",
                "each dup argument is followed by its shadow",
                "E0306",
            )
        self.at += 1
        if not convertible(value.type, type_):
            raise self.error(
                f"{self.entry} of '{request.primal.name}': {what} {number + 1} has type {value.type}, expected {type_}",
                "pass the function's arguments in order, with the shadow behind each dup argument",
                "E0307",
            )
        return value

    def _function(self, value: Value) -> Function:
        """The function that the first argument means."""
        found = resolve_function(self.module, value)
        if found is None:
            raise self.error(
                f"{self.entry}: the function to differentiate is not known at link time",
                "pass the function itself",
                "E0308",
            )
        if not self.module.is_defined(found.name):
            raise self.error(
                f"{self.entry}: no definition of '{found.name}' was found in the inputs of this link",
                "compile its source with enzyme-cc too and pass the object or archive",
                "E0309",
            )
        return self.module.function(found.name)


def resolve_function(module: Module, value: Value) -> Function | None:
    """Look through casts, aliases and constant pointers."""
    for _ in range(16):
        match value:
            case Function():
                return value
            case GlobalAlias() if value.aliasee is not None:
                value = value.aliasee
            case ConstantExpression() if value.op in ("bitcast", "addrspacecast", "ptrtoint", "inttoptr"):
                value = value.operands[0]
            case ir.Cast():
                value = value.operands[0]
            case ir.Load() if isinstance(value.pointer, GlobalVariable):
                initial = module.global_initializer(value.pointer)
                if initial is None or not value.pointer.is_constant:
                    return None
                value = initial
            case _:
                return None
    return None


def marker_name(value: Value) -> str | None:
    """The name of a marker: a load of a global `enzyme_…`, or its address."""
    if isinstance(value, ir.Load):
        value = value.pointer
    elif not isinstance(value, Constant):
        return None
    if isinstance(value, GlobalVariable) and value.name.startswith("enzyme_"):
        return value.name
    # C++ inside a namespace or as a static member: _ZN…10enzyme_dupE
    if isinstance(value, GlobalVariable) and value.name.startswith("_Z") and "enzyme_" in value.name:
        tail = value.name[value.name.index("enzyme_") :]
        return tail.removesuffix("E")
    return None


def convertible(actual: Type, expected: Type) -> bool:
    """Equal types, or C's promotions of variadic arguments undone."""
    if actual is expected:
        return True
    if isinstance(actual, FloatType) and isinstance(expected, FloatType):
        return actual.bits > expected.bits
    return isinstance(actual, IntType) and isinstance(expected, IntType)
