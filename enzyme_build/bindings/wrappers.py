"""Derivatives with a C signature (`derivative.py`), as LLVM IR that asks the pass for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.errors import ConfigError

from .by_address import by_address, quoted, typed
from .derivative import Derivative, Mode, parameters, shadow_parameters
from .dimension import Dimension, Name, Number, Operation, names
from .interface import Activity, Argument, Interface

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .derivative import Parameter

_REQUESTS: Final = {
    Mode.REVERSE: "__enzyme_autodiff",
    Mode.FORWARD: "__enzyme_fwddiff",
    Mode.AUGMENTED: "__enzyme_augmentfwd",
    Mode.BACKWARD: "__enzyme_reverse",
}
_MARKERS: Final = tuple(
    f"enzyme_{name}"
    for name in ("const", "dup", "dupv", "dupnoneed", "dupnoneedv", "out", "primal_return", "seed", "width")
)
_OPERATIONS: Final = {"+": "add", "-": "sub", "*": "mul", "/": "sdiv"}


def wrapper_module(derivatives: Sequence[Derivative], others: Sequence[Interface] = ()) -> str:
    """LLVM IR defining the derivatives, and what stands for functions with complex numbers, `others` as well; to be
    linked with the module that has the primals."""
    lines = [f"@{marker} = external global i32" for marker in _MARKERS]
    primals = {one.symbol: one for one in [*others, *(d.interface for d in derivatives)]}
    for interface in primals.values():
        types = ", ".join(typed(a.ir_type, a.ir_attributes) for a in interface.arguments)
        if interface.by_address is None:
            lines.append(f"declare {_result(interface)} {quoted(interface.symbol)}({types})")
        else:
            lines += ["", *by_address(interface, interface.by_address)]
    for derivative in derivatives:
        lines += ["", *_definition(derivative)]
    return "\n".join(lines) + "\n"


def _result_type(interface: Interface) -> str:
    if interface.result is None:
        return "void"
    return "i1" if interface.result.name == "bool" else interface.result.llvm


def _result(interface: Interface) -> str:
    return " ".join(part for part in (interface.result_attributes, _result_type(interface)) if part)


class _Body:
    """The instructions of one derivative: what is read first, the request, and what becomes of its results."""

    def __init__(self, derivative: Derivative) -> None:
        self.derivative = derivative
        self.interface = derivative.interface
        self.lines: list[str] = []
        self.width = derivative.width
        self.backward = derivative.mode in {Mode.REVERSE, Mode.BACKWARD}

    def value(self, text: str, name: str) -> str:
        self.lines.append(f"%{name} = {text}")
        return f"%{name}"

    def lanes(self, ir_type: str, parameter: str) -> list[str]:
        """The numbers that a parameter passes: itself, or as many from memory as there are lanes."""
        if self.width == 1:
            return [f"%{parameter}"]
        places = [self.place(ir_type, parameter, lane) for lane in range(self.width)]
        return [self.value(f"load {ir_type}, ptr {p}", f"{parameter}.{lane}") for lane, p in enumerate(places)]

    def place(self, ir_type: str, parameter: str, lane: int) -> str:
        if lane == 0:
            return f"%{parameter}"
        return self.value(f"getelementptr {ir_type}, ptr %{parameter}, i64 {lane}", f"{parameter}.at{lane}")

    def arguments(self) -> Iterator[str]:
        """The operands of the request."""
        yield f"ptr {quoted(self.interface.symbol)}"
        if self.width > 1:
            yield f"ptr @enzyme_width, i32 {self.width}"
        if self.derivative.returns_primal and self.derivative.mode is not Mode.AUGMENTED:
            yield "ptr @enzyme_primal_return"
        result = self.interface.result
        if self.derivative.mode is Mode.REVERSE and self.derivative.has_seed and result:
            yield "ptr @enzyme_seed"
            yield from (f"{result.llvm} {seed}" for seed in self.lanes(result.llvm, "seed"))
        for argument in self.interface.arguments:
            yield from self.argument(argument)
        if self.derivative.mode is not Mode.BACKWARD:
            return
        if self.interface.has_active_result and result:
            one = "0xK3FFF8000000000000000" if result.name == "longdouble" else "1.0"
            seeds = self.lanes(result.llvm, "seed") if self.derivative.has_seed else [one] * self.width
            yield from (f"{result.llvm} {seed}" for seed in seeds)
        yield "ptr %tape"

    def argument(self, argument: Argument) -> Iterator[str]:
        own = f"{argument.ir_type} %{argument.name}"
        forward_scalar = self.derivative.mode is Mode.FORWARD and argument.activity is Activity.OUT
        # In forward mode a scalar by value has a tangent beside it, which is what `dup` says.
        activity = Activity.DUP if forward_scalar else argument.activity
        if activity not in {Activity.DUP, Activity.DUPNONEED}:
            yield f"ptr @enzyme_{activity.value}"
            yield own
            return
        (shadow,) = shadow_parameters(argument, self.derivative)
        if self.width > 1 and argument.is_pointer:
            yield f"ptr @enzyme_{activity.value}v"
            yield f"i64 {self.bytes_of(argument)}"
            yield own
            yield f"ptr %{shadow.name}"
            return
        yield f"ptr @enzyme_{activity.value}"
        yield own
        if argument.is_pointer:
            yield f"ptr %{shadow.name}"
        else:
            yield from (f"{argument.ir_type} {tangent}" for tangent in self.lanes(argument.ir_type, shadow.name))

    def bytes_of(self, argument: Argument) -> str:
        """The size of an array, from its shape."""
        if argument.strides:
            raise ConfigError(
                f"'{self.derivative.name}' cannot have several directions: '{argument.name}' has a stride",
                hint=f"leave the stride out, if '{argument.name}' is dense",
            )
        known = {a.name for a in self.interface.arguments}
        for name in (name for dimension in argument.shape or () for name in names(dimension)):
            if name not in known:
                raise ConfigError(
                    f"'{self.derivative.name}' needs the size of '{argument.name}' for several directions, but "
                    f"'{name}' in its shape is no argument",
                )
        if argument.shape is None:
            raise ConfigError(
                f"'{self.derivative.name}' needs the size of '{argument.name}' for several directions",
                hint=f"give the signature with shapes: --function '{self.interface.name}({argument.name}[n], …)'",
            )
        size: Dimension = Number(argument.element.size)
        for dimension in argument.shape:
            size = Operation("*", size, dimension)
        return self.computed(size, f"{argument.name}.bytes")

    def computed(self, dimension: Dimension, name: str) -> str:
        """A length at run time."""
        match dimension:
            case Number(value):
                return str(value)
            case Name(own):
                return self.length(self.interface.argument(own), f"{name}.{own}")
            case Operation(operator, left, right):
                a, b = self.computed(left, f"{name}.l"), self.computed(right, f"{name}.r")
                if operator == "/":
                    none = self.value(f"icmp eq i64 {b}, 0", f"{name}.none")
                    b = self.value(f"select i1 {none}, i64 1, i64 {b}", f"{name}.divisor")
                return self.value(f"{_OPERATIONS[operator]} i64 {a}, {b}", name)

    def length(self, argument: Argument, name: str) -> str:
        ir_type = argument.element.llvm
        own = f"%{argument.name}"
        if argument.is_pointer:
            own = self.value(f"load {ir_type}, ptr {own}", f"{name}.own")
        extension = "zext" if argument.element.kind.value == "unsigned" else "sext"
        return own if ir_type == "i64" else self.value(f"{extension} {ir_type} {own} to i64", f"{name}.long")

    def fields(self) -> list[str]:
        """The types of the request's results, in order."""
        primal = _result_type(self.interface)
        found = ["ptr"] if self.derivative.mode is Mode.AUGMENTED else []
        found += [primal] if self.derivative.returns_primal else []
        if self.backward:
            found += [a.ir_type for a in self.by_value() for _ in range(self.width)]
        elif self.derivative.mode is Mode.FORWARD and self.interface.has_active_result:
            found += [primal] * self.width
        return found

    def by_value(self) -> list[Argument]:
        return [a for a in self.interface.arguments if a.activity is Activity.OUT]

    def deliver(self, results: Sequence[str]) -> None:
        """Put the results behind the primal's where they belong."""
        values = iter(results)
        if self.backward:
            for argument in self.by_value():
                for lane in range(self.width):
                    self.accumulate(argument, lane, next(values))
        elif self.derivative.mode is Mode.FORWARD and self.interface.has_active_result:
            kind = _result_type(self.interface)
            for lane in range(self.width):
                self.lines.append(f"store {kind} {next(values)}, ptr {self.place(kind, 'result_dot', lane)}")

    def accumulate(self, argument: Argument, lane: int, value: str) -> None:
        kind, suffix = argument.ir_type, f".{lane}" if lane else ""
        place = self.place(kind, f"{argument.name}_bar", lane)
        old = self.value(f"load {kind}, ptr {place}", f"{argument.name}.old{suffix}")
        new = self.value(f"fadd {kind} {old}, {value}", f"{argument.name}.new{suffix}")
        self.lines.append(f"store {kind} {new}, ptr {place}")


def _definition(derivative: Derivative) -> list[str]:
    if derivative.mode is Mode.HVP:
        return _hessian_definition(derivative)
    body = _Body(derivative)
    fields = body.fields()
    returned = "void" if not fields else fields[0] if len(fields) == 1 else f"{{ {', '.join(fields)} }}"
    request = quoted(f"{_REQUESTS[derivative.mode]}.{derivative.name}")
    call = f"call {returned} (...) {request}({', '.join(body.arguments())})"
    if returned == "void":
        body.lines.append(call)
    values = [body.value(call, "all")] if returned != "void" else []
    if len(fields) > 1:
        parts = range(len(fields))
        values = [body.value(f"extractvalue {returned} %all, {index}", f"part{index}") for index in parts]
    if derivative.mode is Mode.AUGMENTED:
        body.lines.append(f"store ptr {values.pop(0)}, ptr %tape")
    primal = values.pop(0) if derivative.returns_primal else ""
    body.deliver(values)
    body.lines.append(f"ret {_result_type(derivative.interface)} {primal}" if primal else "ret void")
    return [f"declare {returned} {request}(...)", "", *_function(derivative, body.lines)]


def _function(derivative: Derivative, lines: Sequence[str]) -> list[str]:
    interface = derivative.interface
    head = ", ".join(_parameter(p) for p in parameters(derivative))
    result = _result(interface) if derivative.returns_primal else "void"
    suffix = f" {interface.attribute_text}" if interface.attribute_text else ""
    return [
        f"define {result} {quoted(derivative.name)}({head}){suffix} {{",
        *(f"  {line}" for line in lines),
        "}",
    ]


def _parameter(parameter: Parameter) -> str:
    return typed(parameter.ir_type, parameter.attributes, f"%{parameter.name}")


def _hessian_definition(derivative: Derivative) -> list[str]:
    """The tangent of the gradient: a reverse derivative of its own, differentiated in forward mode."""
    interface = derivative.interface
    gradient = Derivative(interface, Mode.REVERSE, f"{derivative.name}.gradient", primal=derivative.primal)
    inner = [line.replace("define ", "define internal ", 1) for line in _definition(gradient)]
    result = _result_type(interface) if derivative.returns_primal else "void"
    returned = f"{{ {result}, {result} }}" if derivative.returns_primal else "void"
    passed = [f"ptr {quoted(gradient.name)}", *(["ptr @enzyme_primal_return"] if derivative.returns_primal else [])]
    for argument in interface.arguments:
        own = f"{argument.ir_type} %{argument.name}"
        if argument.is_active:
            passed += ["ptr @enzyme_dup", own, f"{argument.ir_type} %{argument.name}_dot"]
            passed += ["ptr @enzyme_dup", f"ptr %{argument.name}_bar", f"ptr %{argument.name}_bar_dot"]
        else:
            passed += ["ptr @enzyme_const", own]
    request = quoted(f"{_REQUESTS[Mode.FORWARD]}.{derivative.name}")
    call = f"call {returned} (...) {request}({', '.join(passed)})"
    body = [call, "ret void"]
    if derivative.returns_primal:
        body = [f"%all = {call}", f"%value = extractvalue {returned} %all, 0", f"ret {result} %value"]
    return [*inner, "", f"declare {returned} {request}(...)", "", *_function(derivative, body)]
