"""The C body of a Python function for a batch: the compiled function for each item, on threads.

Every argument is one item for all, or has a leading axis with an item for each; numbers then are arrays of them. All
results have that axis. Nothing that is given is written to: items that the function changes are copied first.

Naming in the C text is that of `glue`, with `lane_in_x` (`Lane`) for where the items of `in_x` are.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .dimension import c_expression, names
from .glue import SHADOWS, Glue, given_present, native_suffix, new_glue, number_limits
from .methods import Kind, Method, Role, active_values
from .signature import Intent

if TYPE_CHECKING:
    from .dtypes import DType
    from .interface import Argument, Interface

_FAIL = " < 0) { goto done; }"


def batch_glue(method: Method) -> Glue:
    """The C function for a Python function of batches."""
    writer = _Writer(method)
    writer.take_inputs()
    writer.take_lengths()
    writer.check_shapes()
    writer.take_cotangents()
    writer.take_tangents()
    writer.begin()
    writer.make_shadows()
    writer.call()
    writer.pack()
    return writer.glue


class _Writer:
    def __init__(self, method: Method) -> None:
        self.method = method
        self.interface: Interface = method.interface
        self.index = {p.name: i for i, p in enumerate(method.parameters)}
        self.glue = new_glue(method)
        self.copies: list[tuple[str, Argument]] = []
        """Items to be copied before the function changes them."""

    # What is given

    def take_inputs(self) -> None:
        self._local("Py_ssize_t count = -1;")
        for parameter in self.method.of_role(Role.INPUT):
            argument = parameter.argument
            assert argument is not None
            name = f"in_{argument.name}"
            if self._changes(argument):
                self.copies.append((name, argument))
                name = f"from_{argument.name}"
            self._take(name, argument.element, argument, parameter.name)

    def take_lengths(self) -> None:
        arguments = {a.name: a for a in self.interface.arguments}
        for name, source in self.interface.lengths.items():
            rule, array = source.rule, self._given_array(source.argument)
            self._local(f"Py_ssize_t len_{name} = 0;")
            self._check(f"solve_length(function, &{array}, {source.axis}, {rule.scale}, {rule.offset}, &len_{name})")
            if name not in arguments:
                continue
            element = arguments[name].element
            limit = number_limits(element)[1]
            self._check(f'check_length(function, "{name}", "{element}", {self._given(name)}, len_{name}, {limit})')
            self._local(f"{element.c} in_{name} = 0;")
            self._line(f"in_{name} = ({element.c})len_{name};")
            self._lane(f"in_{name}", f"(Lane){{(char *)&in_{name}, 0}}")

    def check_shapes(self) -> None:
        arguments, lengths = self.interface.arguments, self.interface.lengths
        used = {name for a in arguments for dimension in a.shape or () for name in names(dimension)}
        for name in sorted({a.name for a in arguments} & used - lengths.keys()):
            # Lengths that no array gives are numbers, the same for all items.
            message = f"{self.method.name}(): argument '{name}' is a length: it must be one number for all items"
            self._check(f'check_shared(&lane_in_{name}, "{message}")')
        for parameter in self.method.of_role(Role.INPUT):
            argument = parameter.argument
            if argument is not None and argument.is_array:
                self._check_shape(self._given_array(argument.name), argument)

    def take_cotangents(self) -> None:
        for parameter in self.method.of_role(Role.COTANGENT):
            argument = parameter.argument
            if argument is None:
                assert self.interface.result is not None
                self._take("seed", self.interface.result, None, parameter.name)
                continue
            self._take(f"cotangent_{argument.name}", argument.element, argument, parameter.name)
            if argument.is_array:
                self._check_shape(f"cotangent_{argument.name}", argument)

    def take_tangents(self) -> None:
        parameters = self.method.of_role(Role.TANGENT)
        if not parameters:
            return
        self._local("int tangents = 0;")
        for parameter in parameters:
            argument = parameter.argument
            assert argument is not None
            name = f"tangent_{argument.name}"
            self._line(f"if ({given_present(self._given(parameter.name))}) {{")
            self._line("tangents++;")
            self._take(name, argument.element, argument, parameter.name)
            if argument.is_array:
                self._check_shape(name, argument)
            self._line("}")
        message = f"{self.method.name}() needs at least one tangent: {', '.join(p.name for p in parameters)}"
        self._line(f'if (tangents == 0) {{ PyErr_SetString(PyExc_TypeError, "{message}"); goto done; }}')

    def begin(self) -> None:
        """All is given: the number of items is known, and what the function changes is copied."""
        threads = self._given("threads")
        self._check("check_count(function, count)")
        self._local("long long threads = 1;")
        self._line(f"if ({given_present(threads)}) {{")
        self._check(f'take_integer(function, "threads", "a number of threads", {threads}, 0, INT32_MAX, &threads)')
        self._line("}")
        for name, argument in self.copies:
            self._new(name, argument.element, argument)
            self._line(f"copy_items(&lane_{name}, &lane_from_{argument.name}, count);")

    # What is made

    def make_shadows(self) -> None:
        result, kind = self.interface.result, self.method.kind
        for argument in self.interface.written:
            if argument.intent is Intent.OUT:
                self._new(f"in_{argument.name}", argument.element, argument)
        for argument in self.interface.arguments:
            if not argument.is_active:
                continue
            for shadow in SHADOWS[kind]:
                name = f"{shadow}_{argument.name}"
                self._new(name, argument.element, argument)
                source = self._source(shadow, argument)
                if source:
                    condition = f"if (lane_{source}.data != NULL) " if shadow == "dot" else ""
                    self._line(f"{condition}{{ copy_items(&lane_{name}, &lane_{source}, count); }}")
        if result and kind not in {Kind.VJP, Kind.HVP}:
            self._new("value", result, None)
        if result and self.interface.has_active_result and SHADOWS[kind] == ("dot",):
            self._new("value_dot", result, None)
        if result and self.interface.has_active_result and kind is Kind.GRAD:
            self._local(f"{result.c} one = 1;")
            self._lane("seed", "(Lane){(char *)&one, 0}")

    def _source(self, shadow: str, argument: Argument) -> str:
        """What a shadow starts from."""
        if shadow == "dot" and argument.name in self.interface.wrt:
            return f"tangent_{argument.name}"
        cotangent = shadow == "bar" and self.method.kind is Kind.VJP and argument in self.interface.active_written
        return f"cotangent_{argument.name}" if cotangent else ""

    # The call

    def call(self) -> None:
        """A loop over the items in a function of its own."""
        kind, result = self.method.kind, self.interface.result
        passed: list[str] = []
        lanes: list[str] = []

        def pass_(name: str, element: DType, *, by_address: bool) -> None:
            place = f"({element.c} *)AT({len(lanes)})"
            passed.append(place if by_address else f"*{place}")
            lanes.append(f"lane_{name}")

        for argument in self.interface.arguments:
            pass_(f"in_{argument.name}", argument.element, by_address=argument.is_pointer)
            for shadow in SHADOWS[kind] if argument.is_active else ():
                by_address = argument.is_pointer or shadow != "dot"
                pass_(f"{shadow}_{argument.name}", argument.element, by_address=by_address)
        if self.interface.has_active_result and result:
            if SHADOWS[kind] == ("dot",):
                pass_("value_dot", result, by_address=True)
            elif SHADOWS[kind] == ("bar",):
                pass_("seed", result, by_address=False)
        assign = "(void)"
        if result and kind not in {Kind.VJP, Kind.HVP}:
            assign = f"*({result.c} *)AT({len(lanes)}) = "
            lanes.append("lane_value")
        native = f"{native_suffix(kind)}_{self.interface.name}"
        self.glue.before = [
            f"static void loop_{self.method.name}(const Lane *lanes, Py_ssize_t begin, Py_ssize_t end)",
            "{",
            "#define AT(index) (lanes[index].data + item * lanes[index].step)",
            "    (void)lanes;",
            f"    for (Py_ssize_t item = begin; item < end; item++) {{ {assign}{native}({', '.join(passed)}); }}",
            "#undef AT",
            "}",
        ]
        self._line(f"const Lane lanes[] = {{{', '.join(lanes) or '{NULL, 0}'}}};")
        self._line("PyThreadState *thread = PyEval_SaveThread();")
        self._line(f"run_batch(loop_{self.method.name}, lanes, count, threads);")
        self._line("PyEval_RestoreThread(thread);")

    def pack(self) -> None:
        interface, kind = self.interface, self.method.kind
        value = ["value"] if interface.result and kind not in {Kind.VJP, Kind.HVP} else []
        primal = [*value, *(f"in_{a.name}" for a in self.method.values)]
        match kind:
            case Kind.PRIMAL:
                self._pack("result", primal)
            case Kind.GRAD:
                self._pack("bars", [f"bar_{name}" for name in interface.wrt], always=True)
                self._pack_all("result", ["Py_NewRef(value_object)", "bars"])
            case Kind.VJP:
                self._pack("result", [f"bar_{name}" for name in interface.wrt], always=True)
            case Kind.HVP:
                self._pack("result", [f"product_{name}" for name in interface.wrt], always=True)
            case Kind.JVP:
                dots = [f"dot_{a.name}" if a else "value_dot" for a in active_values(interface)]
                self._pack("values", primal)
                self._pack("dots", dots)
                self._pack_all("result", ["values", "dots"])

    def _pack(self, target: str, names: list[str], *, always: bool = False) -> None:
        items = [f"Py_NewRef({name}_object)" for name in names]
        if len(items) > 1 or (always and items):
            self._pack_all(target, items)
            return
        declare = "" if target == "result" else "PyObject *"
        self._line(f"{declare}{target} = {items[0] if items else 'Py_NewRef(Py_None)'};")

    def _pack_all(self, target: str, items: list[str]) -> None:
        self._line(f"PyObject *{target}_items[] = {{{', '.join(items)}}};")
        declare = "" if target == "result" else "PyObject *"
        self._line(f"{declare}{target} = pack({len(items)}, {target}_items);")

    # Pieces

    def _line(self, text: str) -> None:
        self.glue.body.append(text)

    def _check(self, call: str) -> None:
        self._line(f"if ({call}{_FAIL}")

    def _local(self, text: str) -> None:
        self.glue.locals.append(text)

    def _lane(self, name: str, value: str) -> None:
        self._local(f"Lane lane_{name} = {{NULL, 0}};")
        self._line(f"lane_{name} = {value};")

    def _given(self, parameter: str) -> str:
        return f"given[{self.index[parameter]}]"

    @staticmethod
    def _changes(argument: Argument) -> bool:
        """Does the function write to what it is given?"""
        return argument.is_array and (argument.intent is Intent.INOUT or not argument.read_only)

    def _given_array(self, name: str) -> str:
        return f"{'from' if self._changes(self.interface.argument(name)) else 'in'}_{name}"

    def _spec(self, name: str, element: DType, argument: Argument | None, shown: str) -> None:
        array = argument is not None and argument.is_array
        shape = argument.shape_text if argument is not None and array else "()"
        axes = len(argument.shape or ()) if argument is not None and array else 0
        self.glue.constants.append(
            f'static const Spec spec_{name} = {{"{shown}", "{element}", {json.dumps(shape)}, '
            f"{element.number}, {element.alternate}, sizeof({element.c}), {axes}, C_CONTIGUOUS | ALIGNED}};"
        )
        self._local(f"Array {name} = {{0}};")
        self._local(f"Lane lane_{name} = {{NULL, 0}};")

    def _take(self, name: str, element: DType, argument: Argument | None, shown: str) -> None:
        """The items of an argument: one for all, or one for each."""
        given = self._given(shown)
        self._spec(name, element, argument, shown)
        items = f"take_items(state, function, &spec_{name}, {given}, &count, &{name}, &lane_{name})"
        if argument is not None and argument.is_array:
            self._check(items)
            return
        self._local(f"{element.c} {name}_value = 0;")
        self._line(f"if (is_array_of_numbers(state, {given})) {{")
        self._check(items)
        self._line("} else {")
        if element.is_float:
            self._local(f"double {name}_number = 0;")
            self._check(f'take_double(function, "{shown}", {given}, &{name}_number)')
        else:
            low, high = number_limits(element)
            self._local(f"long long {name}_number = 0;")
            self._check(f'take_integer(function, "{shown}", "{element}", {given}, {low}, {high}, &{name}_number)')
        self._line(f"{name}_value = ({element.c}){name}_number;")
        self._line(f"lane_{name} = (Lane){{(char *)&{name}_value, 0}};")
        self._line("}")

    def _new(self, name: str, element: DType, argument: Argument | None) -> None:
        """A result with an item for each of the batch, zero."""
        self._spec(name, element, argument, name)
        shape = "NULL"
        if argument is not None and argument.is_array:
            shape = f"(const Py_ssize_t[]){{{self._expected(argument)}}}"
        slot = self.glue.owned
        self.glue.owned += 1
        self._local(f"PyObject *{name}_object = NULL;")
        self._line(f"owned[{slot}] = {name}_object = new_items(state, &spec_{name}, count, {shape});")
        self._line(f"if ({name}_object == NULL) {{ goto done; }}")
        self._line(f"own_items(&spec_{name}, {name}_object, &{name}, &lane_{name});")

    def _expected(self, argument: Argument) -> str:
        return ", ".join(c_expression(d, self._length) for d in argument.shape or ())

    def _length(self, name: str) -> str:
        return f"len_{name}" if name in self.interface.lengths else f"(Py_ssize_t)in_{name}_value"

    def _check_shape(self, name: str, argument: Argument) -> None:
        self._check(f"check_shape(function, &{name}, (const Py_ssize_t[]){{{self._expected(argument)}}})")
