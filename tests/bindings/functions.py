"""Functions with hand-written derivatives (`hand_written.c`), as debug information would describe them."""

from __future__ import annotations

from enzyme_build.bindings.dtypes import DTYPES
from enzyme_build.bindings.extension import Export
from enzyme_build.bindings.interface import Interface, make_interface
from enzyme_build.bindings.native import NativeFunction, NativeParameter
from enzyme_build.bindings.signature import parse_signature


def parameter(name: str, kind: str, *, constant: bool = False, only_written: bool = False) -> NativeParameter:
    """`double*` is a pointer, `float64` a value; `constant` says that it is only read."""
    dtype = DTYPES[kind.rstrip("*")]
    ir_type = "ptr" if kind.endswith("*") else "i1" if dtype.name == "bool" else dtype.llvm
    return NativeParameter(
        ir_type,
        "zeroext" if dtype.name in {"bool", "uint8"} and ir_type != "ptr" else "",
        name,
        dtype,
        constant=constant,
        only_written=only_written,
    )


def native(name: str, result: str | None, *parameters: NativeParameter) -> NativeFunction:
    dtype = DTYPES[result] if result else None
    return NativeFunction(name, name, parameters, dtype.llvm if dtype else "void", "", dtype)


ENERGY = native(
    "energy",
    "float64",
    parameter("x", "float64*", constant=True),
    parameter("n", "int32"),
    parameter("k", "float64"),
)
STEP = native(
    "step",
    None,
    parameter("x", "float64*", constant=True),
    parameter("y", "float64*", only_written=True),
    parameter("s", "float64*"),
    parameter("n", "int32"),
)
MIXED = native(
    "mixed",
    "float32",
    parameter("a", "float32*", constant=True),
    parameter("rows", "int64"),
    parameter("columns", "uint8"),
    parameter("flag", "bool"),
    parameter("index", "int32*", constant=True),
    parameter("scale", "float64*", constant=True),
)
SLOW = native("slow", "float64", parameter("seconds", "float64"))
COUNT = native("count", None, parameter("out", "float64*", only_written=True), parameter("n", "int32"))
PACKED = native(
    "packed", "float64", parameter("p", "float64*", constant=True), parameter("k", "int32"), parameter("d", "int32")
)


def energy_interface(wrt: tuple[str, ...] = ()) -> Interface:
    return make_interface(parse_signature("energy(x[n], n, k)"), ENERGY, wrt=wrt)


def step_interface() -> Interface:
    return make_interface(parse_signature("step(x[n], out y[n], inout s[2*n], n)"), STEP)


def exports() -> list[Export]:
    plain = {
        "mixed(a[rows, columns], rows, columns, flag, index[rows*columns], scale[])": MIXED,
        "slow(seconds)": SLOW,
        "count(out values[n], n)": COUNT,
        "packed(p[k*d*(d + 1)/2], k, d)": PACKED,
    }
    return [
        Export(energy_interface(), ("reverse", "forward", "hvp", "batch")),
        Export(step_interface(), ("reverse", "forward", "batch")),
        *(Export(make_interface(parse_signature(text), function), ("batch",)) for text, function in plain.items()),
    ]
