"""The C body of one Python function: take the arguments, call the compiled function, pack what it gives.

Naming in the C text: `in_x` the primal, `bar_x` its adjoint, `dot_x` its tangent (an `Array` for arrays, a plain
number otherwise), `len_n` a length, `seed` the cotangent of the result.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from .dimension import Name, c_expression
from .docs import docstring
from .dtypes import DType
from .dtypes import Kind as Number
from .methods import Kind, Method, Parameter, Role, active_values
from .signature import Intent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .interface import Argument, Interface

_FAIL: Final = " < 0) { goto done; }"
SHADOWS: Final[Mapping[Kind, tuple[str, ...]]] = {
    Kind.PRIMAL: (),
    Kind.GRAD: ("bar",),
    Kind.VJP: ("bar",),
    Kind.JVP: ("dot",),
    Kind.HVP: ("dot", "bar", "product"),
}


@dataclass
class Glue:
    """What the template needs of one Python function."""

    name: str
    c_name: str
    names: list[str]
    positional: int
    required: int
    doc: list[str]
    constants: list[str] = field(default_factory=list)
    locals: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    """Lines of a C function of its own."""
    owned: int = 0


def native_suffix(kind: Kind) -> str:
    """Which compiled function a Python function calls: one reverse derivative with a seed serves both grad and vjp."""
    return {Kind.PRIMAL: "primal", Kind.JVP: "jvp", Kind.HVP: "hvp"}.get(kind, "vjp")


def glue(method: Method) -> Glue:
    """The C function for a Python function."""
    writer = _Writer(method)
    writer.take_inputs()
    writer.take_lengths()
    writer.check_shapes()
    writer.make_primal_arrays()
    match method.kind:
        case Kind.GRAD | Kind.VJP:
            writer.make_adjoints()
        case Kind.JVP:
            writer.make_tangents()
        case Kind.HVP:
            writer.make_tangents()
            writer.make_products()
        case Kind.PRIMAL:
            pass
    writer.check_memory()
    writer.call()
    writer.pack()
    return writer.glue


def new_glue(method: Method) -> Glue:
    """The head of a Python function, whose body is to be written."""
    parameters = method.parameters
    return Glue(
        name=method.name,
        c_name=f"python_{method.name}",
        names=[p.name for p in parameters],
        positional=sum(not p.keyword_only for p in parameters),
        required=sum(p.required for p in parameters),
        doc=[c_string(line) for line in docstring(method).splitlines(keepends=True)],
    )


def c_string(text: str) -> str:
    """A C string literal; the text is ASCII or becomes escapes of its UTF-8 bytes."""
    escaped = "".join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f"\\{b:03o}" for b in text.encode())
    return f'"{escaped}"'


class _Writer:
    def __init__(self, method: Method) -> None:
        self.method = method
        self.interface: Interface = method.interface
        self.index = {p.name: i for i, p in enumerate(method.parameters)}
        self.glue = new_glue(method)
        self.written: list[tuple[str, str]] = []
        """Arrays of the caller that are written to: C name, and the condition under which."""
        self.read: list[tuple[str, str]] = []

    # What is given

    def take_inputs(self) -> None:
        for parameter in self.method.of_role(Role.INPUT):
            argument = _argument(parameter)
            given = self._given(parameter.name)
            if not argument.is_array:
                self._take_number(f"in_{argument.name}", parameter.name, argument.element, given)
                continue
            in_place = self.method.kind is Kind.PRIMAL and argument.intent is Intent.INOUT
            written = in_place or (argument.intent is Intent.IN and not argument.read_only)
            name = f"in_{argument.name}" if not self._copied(argument) else f"from_{argument.name}"
            self._array(name, argument, parameter.name, writeable=written)
            self._check(f"take_array(state, function, &spec_{name}, {given}, &{name})")
            (self.written if written else self.read).append((name, ""))

    def take_lengths(self) -> None:
        arguments = {a.name: a for a in self.interface.arguments}
        for name, source in self.interface.lengths.items():
            array = self._source_array(source.argument)
            rule = source.rule
            self._local(f"Py_ssize_t len_{name} = 0;")
            self._check(f"solve_length(function, &{array}, {source.axis}, {rule.scale}, {rule.offset}, &len_{name})")
            if name not in arguments:
                continue
            element = arguments[name].element
            limit = number_limits(element)[1]
            self._check(f'check_length(function, "{name}", "{element}", {self._given(name)}, len_{name}, {limit})')
            self._local(f"{element.c} in_{name} = 0;")
            self._line(f"in_{name} = ({element.c})len_{name};")

    def check_shapes(self) -> None:
        for parameter in self.method.of_role(Role.INPUT):
            argument = _argument(parameter)
            if argument.is_array and not self._gives_all_lengths(argument):
                self._check_shape(self._source_array(argument.name), argument)

    # What is made

    def make_primal_arrays(self) -> None:
        for argument in self.interface.written:
            name = f"in_{argument.name}"
            if not argument.is_array:
                if argument.intent is Intent.OUT:
                    self._local(f"{argument.element.c} {name} = 0;")
            elif argument.intent is Intent.OUT:
                self._array(name, argument, argument.name, writeable=True)
                if self.method.kind is Kind.PRIMAL:
                    self._given_or_zeros(name, argument, self._given(argument.name))
                else:
                    self._zeros(name, argument)
            elif self._copied(argument):
                self._array(name, argument, argument.name, writeable=True)
                self._own(name, f"new_copy(state, &spec_{name}, &from_{argument.name})")

    def make_adjoints(self) -> None:
        wrt = self.interface.wrt
        self._local(f"PyObject *out[{len(wrt)}] = {{NULL}};")
        self._check(f"take_out(function, {self._given('out')}, {len(wrt)}, out)")
        for argument in self.interface.arguments:
            if not argument.is_active:
                continue
            name, entry = f"bar_{argument.name}", None
            if argument.name in wrt:
                position = wrt.index(argument.name)
                entry = f"out[{position}]"
            if not argument.is_array:
                self._local(f"{argument.element.c} {name} = 0;")
                if entry:
                    self._check(f'refuse_out(function, "{argument.name}", {entry})')
                continue
            self._array(name, argument, entry or f"{argument.name}_bar", writeable=True)
            if entry:
                self._given_or_zeros(name, argument, entry)
            else:
                self._zeros(name, argument)
        self._take_cotangents()

    def _take_cotangents(self) -> None:
        if self.interface.has_active_result and self.interface.result:
            result = self.interface.result
            self._local(f"{result.c} seed = 1;")
            if self.method.kind is Kind.VJP:
                self._take_number("seed", "cotangent", result, self._given("cotangent"), declare=False)
        if self.method.kind is not Kind.VJP:
            return
        for argument in self.interface.active_written:
            parameter = f"{argument.name}_bar"
            if not argument.is_array:
                given = self._given(parameter)
                self._take_number(f"bar_{argument.name}", parameter, argument.element, given, declare=False)
                continue
            name = f"cotangent_{argument.name}"
            self._array(name, argument, parameter, writeable=False)
            self._check(f"take_array(state, function, &spec_{name}, {self._given(parameter)}, &{name})")
            self._check_shape(name, argument)
            self.read.append((name, ""))

    def make_tangents(self) -> None:
        for argument in self.interface.arguments:
            if not argument.is_active:
                continue
            name, parameter = f"dot_{argument.name}", f"{argument.name}_dot"
            given = self._given(parameter) if argument.name in self.interface.wrt else None
            if not argument.is_array:
                self._local(f"{argument.element.c} {name} = 0;")
                if given:
                    self._line(f"if ({given_present(given)}) {{")
                    self._take_number(name, parameter, argument.element, given, declare=False)
                    self._line("}")
            elif argument.intent is Intent.IN and given:
                self._array(name, argument, parameter, writeable=not argument.read_only)
                self._given_or_zeros(name, argument, given, written=not argument.read_only)
            else:
                self._array(name, argument, parameter, writeable=True)
                self._zeros(name, argument)
                if given:
                    self._start_from(name, argument, parameter, given)
        self._local("int tangents = 0;")
        for parameter_ in self.method.of_role(Role.TANGENT):
            self._line(f"tangents += {given_present(self._given(parameter_.name))};")
        names = ", ".join(p.name for p in self.method.of_role(Role.TANGENT))
        message = f"{self.method.name}() needs at least one tangent: {names}"
        self._line(f"if (tangents == 0) {{ PyErr_SetString(PyExc_TypeError, {c_string(message)}); goto done; }}")

    def make_products(self) -> None:
        """The gradient, which nobody asked for, and its tangent, the product of the Hessian."""
        for argument in self.interface.wrt_arguments:
            for prefix in ("bar", "product"):
                name = f"{prefix}_{argument.name}"
                if argument.is_array:
                    self._array(name, argument, name, writeable=True)
                    self._zeros(name, argument)
                else:
                    self._local(f"{argument.element.c} {name} = 0;")

    def _start_from(self, name: str, argument: Argument, parameter: str, given: str) -> None:
        source = f"from_{name}"
        self._array(source, argument, parameter, writeable=False)
        self._line(f"if ({given_present(given)}) {{")
        self._check(f"take_array(state, function, &spec_{source}, {given}, &{source})")
        self._check_shape(source, argument)
        self._line(f"memcpy({name}.data, {source}.data, array_bytes(&{source}));")
        self._line("}")

    def check_memory(self) -> None:
        """Nothing that is written to may share memory with anything else that is given."""
        for position, (name, condition) in enumerate(self.written):
            for other, other_condition in [*self.read, *self.written[position + 1 :]]:
                conditions = " && ".join(c for c in (condition, other_condition) if c)
                guard = f"{conditions} && " if conditions else ""
                self._line(f"if ({guard}check_apart(function, &{name}, &{other}){_FAIL}")
        if self.method.kind in {Kind.GRAD, Kind.VJP}:
            self._fill_adjoints()

    def _fill_adjoints(self) -> None:
        for position, argument in enumerate(self.interface.wrt_arguments):
            if argument.is_array:
                bar = f"bar_{argument.name}"
                self._line(f"if (out[{position}] != NULL) {{ memset({bar}.data, 0, array_bytes(&{bar})); }}")
        if self.method.kind is Kind.VJP:
            for argument in self.interface.active_written:
                if argument.is_array:
                    bar, source = f"bar_{argument.name}", f"cotangent_{argument.name}"
                    self._line(f"memcpy({bar}.data, {source}.data, array_bytes(&{source}));")

    # The call

    def call(self) -> None:
        result = self.interface.result
        assign = ""
        if result and self.method.kind not in {Kind.VJP, Kind.HVP}:
            self._local(f"{result.c} value = 0;")
            assign = "value = "
        shadows = SHADOWS[self.method.kind]
        passed: list[str] = []
        for argument in self.interface.arguments:
            passed.append(self._passed("in", argument, by_address=argument.is_pointer))
            if argument.is_active:
                passed += [self._passed(s, argument, by_address=argument.is_pointer or s != "dot") for s in shadows]
        if self.interface.has_active_result and result:
            if shadows == ("dot",):
                self._local(f"{result.c} value_dot = 0;")
                passed.append("&value_dot")
            elif shadows == ("bar",):
                passed.append("seed")
        native = native_suffix(self.method.kind)
        self._line("PyThreadState *thread = PyEval_SaveThread();")
        self._line(f"{assign or '(void)'}{native}_{self.interface.name}({', '.join(passed)});")
        self._line("PyEval_RestoreThread(thread);")

    def _passed(self, prefix: str, argument: Argument, *, by_address: bool) -> str:
        name = f"{prefix}_{argument.name}"
        if argument.is_array:
            return f"({argument.element.c} *){name}.data"
        return f"&{name}" if by_address else name

    def pack(self) -> None:
        match self.method.kind:
            case Kind.PRIMAL:
                self._pack("result", self._value_items())
            case Kind.GRAD:
                self._pack_all("bars", self._adjoint_items())
                self._pack_all("result", [*self._value_items()[:1], "bars"])
            case Kind.VJP:
                self._pack_all("result", self._adjoint_items())
            case Kind.JVP:
                self._pack("values", self._value_items())
                self._pack("dots", [self._tangent_item(a) for a in active_values(self.interface)])
                self._pack_all("result", ["values", "dots"])
            case Kind.HVP:
                self._pack_all("result", [self._item("product", a) for a in self.interface.wrt_arguments])

    def _value_items(self) -> list[str]:
        result = self.interface.result
        items = [_to_python("value", result)] if result else []
        return items + [self._item("in", a) for a in self.method.values]

    def _adjoint_items(self) -> list[str]:
        return [self._item("bar", a) for a in self.interface.wrt_arguments]

    def _tangent_item(self, argument: Argument | None) -> str:
        return self._item("dot", argument) if argument else "PyFloat_FromDouble((double)value_dot)"

    def _item(self, prefix: str, argument: Argument) -> str:
        name = f"{prefix}_{argument.name}"
        return f"Py_NewRef({name}_object)" if argument.is_array else _to_python(name, argument.element)

    def _pack(self, target: str, items: list[str]) -> None:
        if len(items) > 1:
            self._pack_all(target, items)
            return
        declare = "" if target == "result" else "PyObject *"
        self._line(f"{declare}{target} = {items[0] if items else 'Py_NewRef(Py_None)'};")

    def _pack_all(self, target: str, items: Iterable[str]) -> None:
        listed = list(items)
        self._line(f"PyObject *{target}_items[] = {{{', '.join(listed)}}};")
        declare = "" if target == "result" else "PyObject *"
        self._line(f"{declare}{target} = pack({len(listed)}, {target}_items);")

    # Pieces

    def _line(self, text: str) -> None:
        self.glue.body.append(text)

    def _check(self, call: str) -> None:
        self._line(f"if ({call}{_FAIL}")

    def _local(self, text: str) -> None:
        self.glue.locals.append(text)

    def _given(self, parameter: str) -> str:
        return f"given[{self.index[parameter]}]"

    def _copied(self, argument: Argument) -> bool:
        return argument.intent is Intent.INOUT and argument.is_array and self.method.kind is not Kind.PRIMAL

    def _source_array(self, name: str) -> str:
        return f"{'from' if self._copied(self.interface.argument(name)) else 'in'}_{name}"

    def _array(self, name: str, argument: Argument, shown: str, *, writeable: bool) -> None:
        element = argument.element
        flags = "C_CONTIGUOUS | ALIGNED" + (" | WRITEABLE" if writeable else "")
        self.glue.constants.append(
            f'static const Spec spec_{name} = {{"{shown}", "{element}", {json.dumps(argument.shape_text)}, '
            f"{element.number}, {element.alternate}, sizeof({element.c}), {len(argument.shape or ())}, {flags}}};"
        )
        self._local(f"Array {name} = {{0}};")

    def _take_number(self, target: str, shown: str, element: DType, given: str, *, declare: bool = True) -> None:
        if declare:
            self._local(f"{element.c} {target} = 0;")
        if element.is_float:
            self._local(f"double {target}_number = 0;")
            self._check(f'take_double(function, "{shown}", {given}, &{target}_number)')
        else:
            low, high = number_limits(element)
            self._local(f"long long {target}_number = 0;")
            self._check(f'take_integer(function, "{shown}", "{element}", {given}, {low}, {high}, &{target}_number)')
        self._line(f"{target} = ({element.c}){target}_number;")

    def _expected(self, argument: Argument) -> str:
        return ", ".join(c_expression(d, self._length) for d in argument.shape or ())

    def _length(self, name: str) -> str:
        return f"len_{name}" if name in self.interface.lengths else f"(Py_ssize_t)in_{name}"

    def _check_shape(self, name: str, argument: Argument) -> None:
        self._check(f"check_shape(function, &{name}, (const Py_ssize_t[]){{{self._expected(argument)}}})")

    def _gives_all_lengths(self, argument: Argument) -> bool:
        sources = {name: (source.argument, source.axis) for name, source in self.interface.lengths.items()}
        return all(
            isinstance(dimension, Name) and sources.get(dimension.name) == (argument.name, axis)
            for axis, dimension in enumerate(argument.shape or ())
        )

    def _own(self, name: str, made: str) -> None:
        slot = self.glue.owned
        self.glue.owned += 1
        self._local(f"PyObject *{name}_object = NULL;")
        self._line(f"owned[{slot}] = {name}_object = {made};")
        self._line(f"if ({name}_object == NULL) {{ goto done; }}")
        self._line(f"own_array(&spec_{name}, {name}_object, &{name});")

    def _zeros(self, name: str, argument: Argument) -> None:
        self._own(name, f"new_zeros(state, &spec_{name}, (const Py_ssize_t[]){{{self._expected(argument)}}})")

    def _given_or_zeros(self, name: str, argument: Argument, given: str, *, written: bool = True) -> None:
        self._line(f"if ({given_present(given)}) {{")
        self._check(f"take_array(state, function, &spec_{name}, {given}, &{name})")
        self._check_shape(name, argument)
        self._line("}")
        present = given_present(given)
        self._own(
            name,
            f"{present} ? Py_NewRef({given}) : "
            f"new_zeros(state, &spec_{name}, (const Py_ssize_t[]){{{self._expected(argument)}}})",
        )
        (self.written if written else self.read).append((name, present))


def _argument(parameter: Parameter) -> Argument:
    if parameter.argument is None:
        raise AssertionError(parameter)
    return parameter.argument


def given_present(given: str) -> str:
    """The C condition that an optional argument is there."""
    return f"{given} != NULL" if given.startswith("out[") else f"({given} != NULL && {given} != Py_None)"


def number_limits(element: DType) -> tuple[str, str]:
    """The least and the greatest integer of a type, as C writes them."""
    match element.kind:
        case Number.BOOL:
            return "0", "1"
        case Number.SIGNED:
            return f"INT{8 * element.size}_MIN", f"INT{8 * element.size}_MAX"
        case _:
            return "0", f"UINT{8 * element.size}_MAX" if element.size < 8 else "INT64_MAX"


def _to_python(name: str, element: DType) -> str:
    match element.kind:
        case Number.FLOAT:
            return f"PyFloat_FromDouble((double){name})"
        case Number.BOOL:
            return f"PyBool_FromLong({name})"
        case Number.SIGNED:
            return f"PyLong_FromLongLong({name})"
        case Number.UNSIGNED:
            return f"PyLong_FromUnsignedLongLong({name})"
