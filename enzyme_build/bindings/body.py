"""What every C body of a Python function is made of, for one call (`glue`, with the names in the C text) or a batch."""

from __future__ import annotations

import json
from dataclasses import field
from typing import TYPE_CHECKING, Final

from enzyme_build.records import dataclass

from .dimension import c_expression
from .docs import docstring
from .dtypes import Kind as Number
from .methods import Kind, spelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .dtypes import DType
    from .interface import Argument, Interface
    from .methods import Method

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


class Body:
    """Writes the body; which C variables there are is its children's affair."""

    def __init__(self, method: Method) -> None:
        self.method = method
        self.interface: Interface = method.interface
        self.index = {p.name: i for i, p in enumerate(method.parameters)}
        self.glue = new_glue(method)

    def source_array(self, name: str) -> str:
        """The C variable of an array that the caller gives."""
        raise NotImplementedError

    def found_length(self, name: str) -> None:
        """A length that arrays give is an argument, too."""

    def number(self, name: str) -> str:
        """The C variable of an argument that is a number."""
        return f"in_{name}"

    def take_lengths(self) -> None:
        arguments = {a.name: a for a in self.interface.arguments}
        for name, source in self.interface.lengths.items():
            array = self.source_array(source.argument)
            rule = source.rule
            self.local(f"Py_ssize_t len_{name} = 0;")
            self.check(f"solve_length(function, &{array}, {source.axis}, {rule.scale}, {rule.offset}, &len_{name})")
            if name not in arguments:
                continue
            element = arguments[name].element
            limit = number_limits(element)[1]
            self.check(
                f'check_length(function, "{spelled(name)}", "{element}", {self.given(name)}, len_{name}, {limit})'
            )
            self.local(f"{element.c} in_{name} = 0;")
            self.line(f"in_{name} = ({element.c})len_{name};")
            self.found_length(name)

    def take_strides(self) -> None:
        """What the layout of arrays gives, once they are as the function gets them."""
        for name, axes in self.interface.strides.items():
            element = self.interface.argument(name).element
            self.local(f"Py_ssize_t step_{name} = 0;")
            self.local(f"const char *owner_{name} = NULL;")
            for argument, axis in axes:
                array = f"in_{argument.name}"
                self.check(f'join_stride(function, "{name}", &{array}, {axis}, &step_{name}, &owner_{name})')
            limit = number_limits(element)[1]
            self.check(f'check_length(function, "{name}", "{element}", NULL, step_{name}, {limit})')
            self.check_stride(name, element, axes)
            self.local(f"{element.c} in_{name} = 0;")
            self.line(f"in_{name} = ({element.c})step_{name};")
            self.found_length(name)

    def check_stride(self, name: str, element: DType, axes: list[tuple[Argument, int]]) -> None:
        """Whether a stride is what the caller says, who need not."""

    def spec(  # noqa: PLR0913
        self,
        name: str,
        element: DType,
        argument: Argument | None,
        shown: str,
        *,
        writeable: bool = False,
        strided: bool = False,
    ) -> None:
        """Declare an array of C, and what is expected of it: that it is dense, unless its strides may be any."""
        shape, axes, chosen, order = "()", 0, 0, "C"
        if argument is not None and argument.is_array:
            shape, axes = argument.shape_text, len(argument.shape or ())
            order = argument.order.value if axes > 1 else order
            chosen = sum(1 << axis for axis, stride in enumerate(argument.strides) if stride and strided)
        flags = f"{order}_CONTIGUOUS | ALIGNED" + (" | WRITEABLE" if writeable else "")
        self.glue.constants.append(
            f'static const Spec spec_{name} = {{"{shown}", "{element}", {json.dumps(shape)}, '
            f"{element.number}, {element.alternate}, sizeof({element.c}), {axes}, {flags}, {chosen}}};"
        )
        self.local(f"Array {name} = {{0}};")

    def pack_all(self, target: str, items: Iterable[str]) -> None:
        listed = list(items)
        self.line(f"PyObject *{target}_items[] = {{{', '.join(listed)}}};")
        declare = "" if target == "result" else "PyObject *"
        self.line(f"{declare}{target} = pack({len(listed)}, {target}_items);")

    def line(self, text: str) -> None:
        self.glue.body.append(text)

    def check(self, call: str) -> None:
        self.line(f"if ({call}{_FAIL}")

    def local(self, text: str) -> None:
        self.glue.locals.append(text)

    def given(self, parameter: str) -> str:
        return f"given[{self.index[spelled(parameter)]}]"

    def take_number(self, target: str, shown: str, element: DType, given: str, *, declare: bool = True) -> None:
        if declare:
            self.local(f"{element.c} {target} = 0;")
        if element.is_complex:
            self.local(f"double {target}_number[2] = {{0, 0}};")
            self.check(f'take_complex(function, "{shown}", {given}, {target}_number)')
            for part, index in (("__real__", 0), ("__imag__", 1)):
                self.line(f"{part} {target} = ({element.part.c}){target}_number[{index}];")
            return
        if element.is_float:
            self.local(f"double {target}_number = 0;")
            self.check(f'take_double(state, function, "{shown}", {given}, &{target}_number)')
        else:
            low, high = number_limits(element)
            self.local(f"long long {target}_number = 0;")
            self.check(f'take_integer(function, "{shown}", "{element}", {given}, {low}, {high}, &{target}_number)')
        self.line(f"{target} = ({element.c}){target}_number;")

    def expected(self, argument: Argument) -> str:
        return ", ".join(c_expression(d, self.length) for d in argument.shape or ())

    def length(self, name: str) -> str:
        return f"len_{name}" if name in self.interface.lengths else f"(Py_ssize_t){self.number(name)}"

    def check_shape_of(self, name: str, argument: Argument) -> None:
        self.check(f"check_shape(function, &{name}, (const Py_ssize_t[]){{{self.expected(argument)}}})")
