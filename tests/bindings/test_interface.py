"""Joining a signature with what the compiled function says of itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from enzyme_build.bindings.dimension import Affine
from enzyme_build.bindings.interface import Activity, ByAddress, LengthSource, make_interface, with_activities
from enzyme_build.bindings.signature import Intent, Order, parse_signature
from enzyme_build.errors import ConfigError

from .functions import ENERGY, STEP, energy_interface, native, parameter


def test_roles():
    interface = energy_interface()
    assert [(a.name, a.activity, a.is_array) for a in interface.arguments] == [
        ("x", Activity.DUP, True),
        ("n", Activity.CONST, False),
        ("k", Activity.OUT, False),
    ]
    assert interface.wrt == ("x", "k")
    assert interface.lengths == {"n": LengthSource("x", 0, Affine("n", 1, 0))}


def test_wrt_decides_order_and_activity():
    assert energy_interface(("k", "x")).wrt == ("k", "x")
    only_k = energy_interface(("k",))
    assert only_k.argument("x").activity is Activity.CONST


def test_const_in_the_signature():
    interface = make_interface(parse_signature("energy(const x[n], n, k)"), ENERGY)
    assert interface.wrt == ("k",)


def test_written_memory_is_active_though_nobody_asks():
    interface = make_interface(parse_signature("step(x[n], out y[n], inout s[2*n], n)"), STEP, wrt=("x",))
    assert [a.activity for a in interface.arguments] == [Activity.DUP] * 3 + [Activity.CONST]
    assert [a.name for a in interface.written] == ["y", "s"]
    assert interface.argument("s").intent is Intent.INOUT


def test_outputs_give_no_lengths():
    interface = make_interface(parse_signature("step(x[m], out y[n], inout s[3], n)"), STEP)
    assert list(interface.lengths) == ["m"]
    assert interface.free_names == ("m",)


def test_only_a_name_leaves_shapes_open():
    interface = make_interface(parse_signature("energy"), ENERGY)
    assert [a.name for a in interface.arguments] == ["x", "n", "k"]
    assert interface.argument("x").shape is None
    assert interface.argument("x").activity is Activity.DUP


def test_activities_by_hand():
    interface = with_activities(energy_interface(), {"x": Activity.CONST, "k": Activity.OUT})
    assert interface.wrt == ("k",)
    assert interface.argument("x").activity is Activity.CONST


PLANE = native("plane", "float64", replace(parameter("a", "float64*", constant=True), extents=(3, 2)))
WAVE = native(
    "wave",
    "complex128",
    replace(parameter("z", "complex128"), pieces=("double", "double")),
    parameter("w", "complex128*", constant=True),
    parameter("value", "int32"),
)


def test_fortran_counts_from_the_fastest_axis():
    assert make_interface(parse_signature("plane(a[3, m])"), PLANE).argument("a").order is Order.F
    assert make_interface(parse_signature("plane(C a[m, 3])"), PLANE).argument("a").order is Order.C
    assert make_interface(parse_signature("plane(a[6])"), PLANE).argument("a").shape_text == "(6,)"


def test_complex_numbers_by_value_go_by_address():
    interface = make_interface(parse_signature("wave(z, w[value], value)"), WAVE)
    assert [a.name for a in interface.arguments] == ["value1", "z", "w", "value"]
    result, z, *_ = interface.arguments
    assert (result.is_result, result.intent, result.is_array) == (True, Intent.OUT, False)
    assert (z.is_pointer, z.is_array, z.activity, z.pieces) == (True, False, Activity.DUP, ("double", "double"))
    assert (interface.result, interface.has_active_result) == (None, False)
    assert interface.by_address == ByAddress("wave", "{ double, double }", "")
    assert interface.wrt == ("z", "w")


def test_complex_numbers_may_be_taken_for_their_parts():
    interface = make_interface(parse_signature("wave(z, w[m, 2]: float64, value)"), WAVE)
    assert interface.argument("w").element.name == "float64"


MISTAKES = {
    "number of arguments": (
        "energy(x[n], n)", ENERGY, (), "the signature of 'energy' has 2 arguments, the function has 3: x, n, k",
    ),
    "pointer without shape": (
        "energy(x, n, k)", ENERGY, (), "argument 'x' of 'energy' is a pointer, but the signature gives it no shape",
    ),
    "value with shape": (
        "energy(x[n], n, k[n])", ENERGY, (),
        "argument 'k' of 'energy' is passed by value (double), but the signature gives it a shape",
    ),
    "value written": (
        "energy(x[n], n, out k)", ENERGY, (), "argument 'k' of 'energy' is passed by value: it cannot be 'out'",
    ),
    "never written": (
        "energy(out x[n], n, k)", ENERGY, (),
        "argument 'x' of 'energy' is declared 'out', but the function never writes to it",
    ),
    "only written": (
        "step(x[n], y[n], inout s[n], n)", STEP, (),
        "argument 'y' of 'step' is only written to, but the signature makes it an input",
    ),
    "type": (
        "energy(x[n]: float32, n, k)", ENERGY, (),
        "argument 'x' of 'energy' is float64 in the source, but the signature says float32",
    ),
    "result": ("energy(x[n], n, k) -> float32", ENERGY, (), "'energy' returns float64, but the signature says float32"),
    "length of floating point": (
        "energy(x[k], n, k)", ENERGY, (), "'x[k]' in the signature of 'energy': 'k' is not an integer argument",
    ),
    "unknown length": (
        "step(x[n], out y[m], inout s[n], n)", STEP, (),
        "in the signature of 'step', 'm' is neither an argument nor given by an input array",
    ),
    "unknown wrt": ("energy(x[n], n, k)", ENERGY, ("kk",), "'energy' has no argument 'kk'"),
    "wrt an integer": ("energy(x[n], n, k)", ENERGY, ("n",), "'energy' cannot be differentiated with respect to 'n'"),
    "wrt an output": (
        "step(x[n], out y[n], inout s[n], n)", STEP, ("y",), "'step' cannot be differentiated with respect to 'y'",
    ),
    "stride that is no argument": ("energy(x[n stride s], n, k)", ENERGY, (), "'energy' has no argument 's'"),
    "stride of floating point": (
        "energy(x[n stride k], n, k)", ENERGY, (),
        "'stride k' of 'x' in the signature of 'energy': 'k' is not an integer argument",
    ),
    "stride that is a length": (
        "energy(x[n stride n], n, k)", ENERGY, (),
        "'stride n' of 'x' in the signature of 'energy': 'n' is a length as well",
    ),
    "complex for real": (
        "energy(x[n]: complex128, n, k)", ENERGY, (),
        "argument 'x' of 'energy' is float64 in the source, but the signature says complex128",
    ),
    "dimensions of Fortran": (
        "plane(a[2, 3])", PLANE, (),
        "argument 'a' of 'plane' has the dimensions (3, 2) in the source, but the signature says [2, 3]",
    ),
    "dimensions of Fortran turned round": (
        "plane(C a[3, 2])", PLANE, (),
        "argument 'a' of 'plane' has the dimensions (3, 2) in the source, but the signature says [3, 2]",
    ),
    "wrt twice": ("energy(x[n], n, k)", ENERGY, ("x", "x"), "an argument stands twice in wrt of 'energy': x, x"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(mistake):
    signature, function, wrt, message = MISTAKES[mistake]
    with pytest.raises(ConfigError) as caught:
        make_interface(parse_signature(signature), function, wrt=wrt)
    assert caught.value.message == message


def test_unknown_element_type_asks_for_it():
    opaque = native("f", None, parameter("x", "float64*"))
    opaque = type(opaque)("f", "f", (type(opaque.parameters[0])("ptr", "", "x"),))
    with pytest.raises(ConfigError, match="element type of argument 'x' is not known") as caught:
        make_interface(parse_signature("f(x[n])"), opaque)
    assert "-g" in str(caught.value.hint)
    assert make_interface(parse_signature("f(x[n]: float64)"), opaque).wrt == ("x",)


def test_structs_by_value_are_named():
    pieces = native("area", "float64", parameter("x", "float64*"), parameter("p_coerce0", "float64"))
    with pytest.raises(ConfigError, match="has 3 arguments, the function has 2: x, p_coerce0") as caught:
        make_interface(parse_signature("area(x[n], n, p)"), pieces)
    assert caught.value.hint == (
        "a struct that is passed by value arrives in pieces: "
        "write a function that takes its members, as numbers or as an array"
    )


def test_activity_of_an_unknown_argument():
    with pytest.raises(ConfigError, match="no argument 'y'"):
        with_activities(energy_interface(), {"y": Activity.DUP})
    with pytest.raises(ConfigError, match="is a pointer"):
        with_activities(energy_interface(), {"x": Activity.OUT})
