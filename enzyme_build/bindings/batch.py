"""The C body of a Python function for a batch: the compiled function for each item, on threads.

Every argument is one item for all, or has a leading axis with an item for each; numbers then are arrays of them. All
results have that axis. Nothing that is given is written to: items that the function changes are copied first.

Naming in the C text is that of `glue`, with `lane_in_x` (`Lane`) for where the items of `in_x` are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .body import SHADOWS, Body, Glue, given_present, native_suffix
from .dimension import names
from .methods import Kind, Method, Role, active_values
from .signature import Intent

if TYPE_CHECKING:
    from .dtypes import DType
    from .interface import Argument


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
    writer.take_strides()
    writer.call()
    writer.pack()
    return writer.glue


class _Writer(Body):
    def __init__(self, method: Method) -> None:
        super().__init__(method)
        self.copies: list[tuple[str, Argument]] = []
        """Items to be copied before the function changes them."""

    # What is given

    def take_inputs(self) -> None:
        self.local("Py_ssize_t count = -1;")
        for parameter in self.method.of_role(Role.INPUT):
            argument = parameter.argument
            assert argument is not None
            name = f"in_{argument.name}"
            if self._changes(argument):
                self.copies.append((name, argument))
                name = f"from_{argument.name}"
            self._take(name, argument.element, argument, parameter.name)

    def check_shapes(self) -> None:
        arguments, lengths = self.interface.arguments, self.interface.lengths
        used = {name for a in arguments for dimension in a.shape or () for name in names(dimension)}
        for name in sorted({a.name for a in arguments} & used - lengths.keys()):
            # Lengths that no array gives are numbers, the same for all items.
            message = f"{self.method.name}(): argument '{name}' is a length: it must be one number for all items"
            self.check(f'check_shared(&lane_in_{name}, "{message}")')
        for parameter in self.method.of_role(Role.INPUT):
            argument = parameter.argument
            if argument is not None and argument.is_array:
                self.check_shape_of(self.source_array(argument.name), argument)

    def take_cotangents(self) -> None:
        for parameter in self.method.of_role(Role.COTANGENT):
            argument = parameter.argument
            if argument is None:
                assert self.interface.result is not None
                self._take("seed", self.interface.result, None, parameter.name)
                continue
            self._take(f"cotangent_{argument.name}", argument.element, argument, parameter.name)
            if argument.is_array:
                self.check_shape_of(f"cotangent_{argument.name}", argument)

    def take_tangents(self) -> None:
        parameters = self.method.of_role(Role.TANGENT)
        if not parameters:
            return
        self.local("int tangents = 0;")
        for parameter in parameters:
            argument = parameter.argument
            assert argument is not None
            name = f"tangent_{argument.name}"
            self.line(f"if ({given_present(self.given(parameter.name))}) {{")
            self.line("tangents++;")
            self._take(name, argument.element, argument, parameter.name)
            if argument.is_array:
                self.check_shape_of(name, argument)
            self.line("}")
        message = f"{self.method.name}() needs at least one tangent: {', '.join(p.name for p in parameters)}"
        self.line(f'if (tangents == 0) {{ PyErr_SetString(PyExc_TypeError, "{message}"); goto done; }}')

    def begin(self) -> None:
        """All is given: the number of items is known, and what the function changes is copied."""
        threads = self.given("threads")
        self.check("check_count(function, count)")
        self.local("long long threads = 1;")
        self.line(f"if ({given_present(threads)}) {{")
        self.check(f'take_integer(function, "threads", "a number of threads", {threads}, 0, INT32_MAX, &threads)')
        self.line("}")
        for name, argument in self.copies:
            self._new(name, argument.element, argument)
            self.line(f"copy_items(&lane_{name}, &lane_from_{argument.name}, count);")

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
                    self.line(f"{condition}{{ copy_items(&lane_{name}, &lane_{source}, count); }}")
        if result and kind not in {Kind.VJP, Kind.HVP}:
            self._new("value", result, None)
        if result and self.interface.has_active_result and SHADOWS[kind] == ("dot",):
            self._new("value_dot", result, None)
        if result and self.interface.has_active_result and kind is Kind.GRAD:
            self.local(f"{result.c} one = 1;")
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
        self.line(f"const Lane lanes[] = {{{', '.join(lanes) or '{NULL, 0}'}}};")
        self.line("PyThreadState *thread = PyEval_SaveThread();")
        self.line(f"run_batch(loop_{self.method.name}, lanes, count, threads);")
        self.line("PyEval_RestoreThread(thread);")

    def pack(self) -> None:
        interface, kind = self.interface, self.method.kind
        value = ["value"] if interface.result and kind not in {Kind.VJP, Kind.HVP} else []
        primal = [*value, *(f"in_{a.name}" for a in self.method.values)]
        match kind:
            case Kind.PRIMAL:
                self._pack("result", primal)
            case Kind.GRAD:
                self._pack("bars", [f"bar_{name}" for name in interface.wrt], always=True)
                self.pack_all("result", ["Py_NewRef(value_object)", "bars"])
            case Kind.VJP:
                self._pack("result", [f"bar_{name}" for name in interface.wrt], always=True)
            case Kind.HVP:
                self._pack("result", [f"product_{name}" for name in interface.wrt], always=True)
            case Kind.JVP:
                dots = [f"dot_{a.name}" if a else "value_dot" for a in active_values(interface)]
                self._pack("values", primal)
                self._pack("dots", dots)
                self.pack_all("result", ["values", "dots"])

    def _pack(self, target: str, names: list[str], *, always: bool = False) -> None:
        items = [f"Py_NewRef({name}_object)" for name in names]
        if len(items) > 1 or (always and items):
            self.pack_all(target, items)
            return
        declare = "" if target == "result" else "PyObject *"
        self.line(f"{declare}{target} = {items[0] if items else 'Py_NewRef(Py_None)'};")

    # Pieces

    def _lane(self, name: str, value: str) -> None:
        self.local(f"Lane lane_{name} = {{NULL, 0}};")
        self.line(f"lane_{name} = {value};")

    @staticmethod
    def _changes(argument: Argument) -> bool:
        """Does the function write to what it is given?"""
        return argument.is_array and (argument.intent is Intent.INOUT or not argument.read_only)

    def source_array(self, name: str) -> str:
        return f"{'from' if self._changes(self.interface.argument(name)) else 'in'}_{name}"

    def _spec(self, name: str, element: DType, argument: Argument | None, shown: str) -> None:
        self.spec(name, element, argument, shown)
        self.local(f"Lane lane_{name} = {{NULL, 0}};")

    def _take(self, name: str, element: DType, argument: Argument | None, shown: str) -> None:
        """The items of an argument: one for all, or one for each."""
        given = self.given(shown)
        self._spec(name, element, argument, shown)
        items = f"take_items(state, function, &spec_{name}, {given}, &count, &{name}, &lane_{name})"
        if argument is not None and argument.is_array:
            self.check(items)
            return
        self.local(f"{element.c} {name}_value = 0;")
        self.line(f"if (is_array_of_numbers(state, {given})) {{")
        self.check(items)
        self.line("} else {")
        self.take_number(f"{name}_value", shown, element, given, declare=False)
        self.line(f"lane_{name} = (Lane){{(char *)&{name}_value, 0}};")
        self.line("}")

    def _new(self, name: str, element: DType, argument: Argument | None) -> None:
        """A result with an item for each of the batch, zero."""
        self._spec(name, element, argument, name)
        shape = "NULL"
        if argument is not None and argument.is_array:
            shape = f"(const Py_ssize_t[]){{{self.expected(argument)}}}"
        slot = self.glue.owned
        self.glue.owned += 1
        self.local(f"PyObject *{name}_object = NULL;")
        self.line(f"owned[{slot}] = {name}_object = new_items(state, &spec_{name}, count, {shape});")
        self.line(f"if ({name}_object == NULL) {{ goto done; }}")
        self.line(f"own_items(&spec_{name}, {name}_object, &{name}, &lane_{name});")

    def found_length(self, name: str) -> None:
        self._lane(f"in_{name}", f"(Lane){{(char *)&in_{name}, 0}}")

    def number(self, name: str) -> str:
        return f"in_{name}_value"
