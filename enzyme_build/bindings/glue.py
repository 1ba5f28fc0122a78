"""The C body of one Python function: take the arguments, call the compiled function, pack what it gives.

Naming in the C text: `in_x` the primal, `bar_x` its adjoint, `dot_x` its tangent (an `Array` for arrays, a plain
number otherwise), `len_n` a length, `seed` the cotangent of the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .body import SHADOWS, Body, Glue, c_string, given_present, native_suffix, number_limits
from .dimension import Name
from .dtypes import Kind as Number
from .methods import Kind, Method, Parameter, Role, active_values, spelled
from .signature import Intent

if TYPE_CHECKING:
    from .dtypes import DType
    from .interface import Argument


def glue(method: Method) -> Glue:
    """The C function for a Python function."""
    writer = _Writer(method)
    writer.take_inputs()
    writer.take_lengths()
    writer.check_shapes()
    writer.make_primal_arrays()
    writer.take_strides()
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


class _Writer(Body):
    def __init__(self, method: Method) -> None:
        super().__init__(method)
        self.written: list[tuple[str, str]] = []
        """Arrays of the caller that are written to: C name, and the condition under which."""
        self.read: list[tuple[str, str]] = []

    # What is given

    def take_inputs(self) -> None:
        for parameter in self.method.of_role(Role.INPUT):
            argument = _argument(parameter)
            given = self.given(parameter.name)
            if not argument.is_array:
                self.take_number(f"in_{argument.name}", parameter.name, argument.element, given)
                continue
            in_place = self.method.kind is Kind.PRIMAL and argument.intent is Intent.INOUT
            written = in_place or (argument.intent is Intent.IN and not argument.read_only)
            name = self.source_array(argument.name)
            strided = bool(argument.strides)
            # What is copied first is not written to.
            written = written and not (strided and self._copied(argument))
            self.spec(name, argument.element, argument, parameter.name, writeable=written, strided=strided)
            self.check(f"take_array(state, function, &spec_{name}, {given}, &{name})")
            (self.written if written else self.read).append((name, ""))

    def check_shapes(self) -> None:
        for parameter in self.method.of_role(Role.INPUT):
            argument = _argument(parameter)
            if argument.is_array and not self._gives_all_lengths(argument):
                self.check_shape_of(self.source_array(argument.name), argument)

    # What is made

    def make_primal_arrays(self) -> None:
        for argument in self.interface.written:
            name = f"in_{argument.name}"
            if not argument.is_array:
                if argument.intent is Intent.OUT:
                    self.local(f"{argument.element.c} {name} = 0;")
            elif argument.intent is Intent.OUT:
                in_place = self.method.kind is Kind.PRIMAL
                self._array(name, argument, spelled(argument.name), writeable=True, strided=in_place)
                if in_place:
                    self._given_or_zeros(name, argument, self.given(argument.name))
                else:
                    self._zeros(name, argument)
        for argument in filter(self._copied, self.interface.arguments):
            name = f"in_{argument.name}"
            self._array(name, argument, argument.name, writeable=True)
            changes = argument.intent is Intent.INOUT or not argument.read_only
            copy = "new_copy" if changes else "dense"
            self._own(name, f"{copy}(state, &spec_{name}, &from_{argument.name})")

    def make_adjoints(self) -> None:
        wrt = self.interface.wrt
        self.local(f"PyObject *out[{len(wrt)}] = {{NULL}};")
        self.check(f"take_out(function, {self.given('out')}, {len(wrt)}, out)")
        for argument in self.interface.arguments:
            if not argument.is_active:
                continue
            name, entry = f"bar_{argument.name}", None
            if argument.name in wrt:
                position = wrt.index(argument.name)
                entry = f"out[{position}]"
            if not argument.is_array:
                self.local(f"{argument.element.c} {name} = 0;")
                if entry:
                    self.check(f'refuse_out(function, "{argument.name}", {entry})')
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
            self.local(f"{result.c} seed = 1;")
            if self.method.kind is Kind.VJP:
                self.take_number("seed", "cotangent", result, self.given("cotangent"), declare=False)
        if self.method.kind is not Kind.VJP:
            return
        for cotangent in self.method.of_role(Role.COTANGENT):
            argument, parameter = cotangent.argument, cotangent.name
            if argument is None:
                continue
            if not argument.is_array:
                given = self.given(parameter)
                self.take_number(f"bar_{argument.name}", parameter, argument.element, given, declare=False)
                continue
            name = f"cotangent_{argument.name}"
            self._array(name, argument, parameter, writeable=False)
            self.check(f"take_array(state, function, &spec_{name}, {self.given(parameter)}, &{name})")
            self.check_shape_of(name, argument)
            self.read.append((name, ""))

    def make_tangents(self) -> None:
        for argument in self.interface.arguments:
            if not argument.is_active:
                continue
            name, parameter = f"dot_{argument.name}", f"{argument.name}_dot"
            given = self.given(parameter) if argument.name in self.interface.wrt else None
            if not argument.is_array:
                self.local(f"{argument.element.c} {name} = 0;")
                if given:
                    self.line(f"if ({given_present(given)}) {{")
                    self.take_number(name, parameter, argument.element, given, declare=False)
                    self.line("}")
            elif argument.intent is Intent.IN and given:
                self._array(name, argument, parameter, writeable=not argument.read_only)
                self._given_or_zeros(name, argument, given, written=not argument.read_only)
            else:
                self._array(name, argument, parameter, writeable=True)
                self._zeros(name, argument)
                if given:
                    self._start_from(name, argument, parameter, given)
        self.local("int tangents = 0;")
        for parameter_ in self.method.of_role(Role.TANGENT):
            self.line(f"tangents += {given_present(self.given(parameter_.name))};")
        names = ", ".join(p.name for p in self.method.of_role(Role.TANGENT))
        message = f"{self.method.name}() needs at least one tangent: {names}"
        self.line(f"if (tangents == 0) {{ PyErr_SetString(PyExc_TypeError, {c_string(message)}); goto done; }}")

    def make_products(self) -> None:
        """The gradient, which nobody asked for, and its tangent, the product of the Hessian."""
        for argument in self.interface.wrt_arguments:
            for prefix in ("bar", "product"):
                name = f"{prefix}_{argument.name}"
                if argument.is_array:
                    self._array(name, argument, name, writeable=True)
                    self._zeros(name, argument)
                else:
                    self.local(f"{argument.element.c} {name} = 0;")

    def _start_from(self, name: str, argument: Argument, parameter: str, given: str) -> None:
        source = f"from_{name}"
        self._array(source, argument, parameter, writeable=False)
        self.line(f"if ({given_present(given)}) {{")
        self.check(f"take_array(state, function, &spec_{source}, {given}, &{source})")
        self.check_shape_of(source, argument)
        self.line(f"memcpy({name}.data, {source}.data, array_bytes(&{source}));")
        self.line("}")

    def check_memory(self) -> None:
        """Nothing that is written to may share memory with anything else that is given."""
        for position, (name, condition) in enumerate(self.written):
            for other, other_condition in [*self.read, *self.written[position + 1 :]]:
                conditions = " && ".join(c for c in (condition, other_condition) if c)
                guard = f"{conditions} && " if conditions else ""
                self.check(f"{guard}check_apart(function, &{name}, &{other})")
        if self.method.kind in {Kind.GRAD, Kind.VJP}:
            self._fill_adjoints()

    def _fill_adjoints(self) -> None:
        for position, argument in enumerate(self.interface.wrt_arguments):
            if argument.is_array:
                bar = f"bar_{argument.name}"
                self.line(f"if (out[{position}] != NULL) {{ memset({bar}.data, 0, array_bytes(&{bar})); }}")
        if self.method.kind is Kind.VJP:
            for argument in self.interface.active_written:
                if argument.is_array:
                    bar, source = f"bar_{argument.name}", f"cotangent_{argument.name}"
                    self.line(f"memcpy({bar}.data, {source}.data, array_bytes(&{source}));")

    # The call

    def call(self) -> None:
        result = self.interface.result
        assign = ""
        if result and self.method.kind not in {Kind.VJP, Kind.HVP}:
            self.local(f"{result.c} value = 0;")
            assign = "value = "
        shadows = SHADOWS[self.method.kind]
        passed: list[str] = []
        for argument in self.interface.arguments:
            passed.append(self._passed("in", argument, by_address=argument.is_pointer))
            if argument.is_active:
                passed += [self._passed(s, argument, by_address=argument.is_pointer or s != "dot") for s in shadows]
        if self.interface.has_active_result and result:
            if shadows == ("dot",):
                self.local(f"{result.c} value_dot = 0;")
                passed.append("&value_dot")
            elif shadows == ("bar",):
                passed.append("seed")
        native = native_suffix(self.method.kind)
        self.line("PyThreadState *thread = PyEval_SaveThread();")
        self.line(f"{assign or '(void)'}{native}_{self.interface.name}({', '.join(passed)});")
        self.line("PyEval_RestoreThread(thread);")

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
                self.pack_all("bars", self._adjoint_items())
                self.pack_all("result", [*self._value_items()[:1], "bars"])
            case Kind.VJP:
                self.pack_all("result", self._adjoint_items())
            case Kind.JVP:
                self._pack("values", self._value_items())
                self._pack("dots", [self._tangent_item(a) for a in active_values(self.interface)])
                self.pack_all("result", ["values", "dots"])
            case Kind.HVP:
                self.pack_all("result", [self._item("product", a) for a in self.interface.wrt_arguments])

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
            self.pack_all(target, items)
            return
        declare = "" if target == "result" else "PyObject *"
        self.line(f"{declare}{target} = {items[0] if items else 'Py_NewRef(Py_None)'};")

    # Pieces

    def _copied(self, argument: Argument) -> bool:
        """Do derivatives work on a copy? Of what they would change; and shadows lie as their arrays do, so of what is
        not dense."""
        takes = argument.intent is Intent.INOUT or (argument.strides and argument.intent is Intent.IN)
        return argument.is_array and bool(takes) and self.method.kind is not Kind.PRIMAL

    def source_array(self, name: str) -> str:
        return f"{'from' if self._copied(self.interface.argument(name)) else 'in'}_{name}"

    def check_stride(self, name: str, element: DType, axes: list[tuple[Argument, int]]) -> None:
        given = self.given(name)
        limit = number_limits(element)[1]
        step = f"step_{name}"
        copied = [(argument, axis) for argument, axis in axes if self._copied(argument)]
        if copied:
            step = f"given_{name}"
            self.local(f"Py_ssize_t {step} = 0;")
            self.local(f"const char *giver_{name} = NULL;")
            for argument, axis in copied:
                joined = f'"{name}", &from_{argument.name}, {axis}, &{step}, &giver_{name}'
                self.check(f"join_stride(function, {joined})")
        self.check(f'check_length(function, "{name}", "{element}", {given}, {step}, {limit})')

    def _array(self, name: str, argument: Argument, shown: str, *, writeable: bool, strided: bool = False) -> None:
        self.spec(name, argument.element, argument, shown, writeable=writeable, strided=strided)

    def _gives_all_lengths(self, argument: Argument) -> bool:
        sources = {name: (source.argument, source.axis) for name, source in self.interface.lengths.items()}
        return all(
            isinstance(dimension, Name) and sources.get(dimension.name) == (argument.name, axis)
            for axis, dimension in enumerate(argument.shape or ())
        )

    def _own(self, name: str, made: str) -> None:
        slot = self.glue.owned
        self.glue.owned += 1
        self.local(f"PyObject *{name}_object = NULL;")
        self.line(f"owned[{slot}] = {name}_object = {made};")
        self.line(f"if ({name}_object == NULL) {{ goto done; }}")
        self.line(f"own_array(&spec_{name}, {name}_object, &{name});")

    def _zeros(self, name: str, argument: Argument) -> None:
        self._own(name, f"new_zeros(state, &spec_{name}, (const Py_ssize_t[]){{{self.expected(argument)}}})")

    def _given_or_zeros(self, name: str, argument: Argument, given: str, *, written: bool = True) -> None:
        self.line(f"if ({given_present(given)}) {{")
        self.check(f"take_array(state, function, &spec_{name}, {given}, &{name})")
        self.check_shape_of(name, argument)
        self.line("}")
        present = given_present(given)
        self._own(
            name,
            f"{present} ? Py_NewRef({given}) : "
            f"new_zeros(state, &spec_{name}, (const Py_ssize_t[]){{{self.expected(argument)}}})",
        )
        (self.written if written else self.read).append((name, present))


def _argument(parameter: Parameter) -> Argument:
    if parameter.argument is None:
        raise AssertionError(parameter)
    return parameter.argument


def _to_python(name: str, element: DType) -> str:
    match element.kind:
        case Number.COMPLEX:
            return f"PyComplex_FromDoubles((double)__real__ {name}, (double)__imag__ {name})"
        case Number.FLOAT:
            return f"PyFloat_FromDouble((double){name})"
        case Number.BOOL:
            return f"PyBool_FromLong({name})"
        case Number.SIGNED:
            return f"PyLong_FromLongLong({name})"
        case Number.UNSIGNED:
            return f"PyLong_FromUnsignedLongLong({name})"
