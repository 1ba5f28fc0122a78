"""An extension module around hand-written derivatives, built once."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

from enzyme_build.bindings.dtypes import DTYPES
from enzyme_build.bindings.extension import Export, Extension, extension
from enzyme_build.bindings.interface import Interface, make_interface
from enzyme_build.bindings.native import NativeFunction, NativeParameter
from enzyme_build.bindings.signature import parse_signature

HERE = Path(__file__).parent


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
        Export(energy_interface()),
        Export(step_interface()),
        *(Export(make_interface(parse_signature(text), function), ()) for text, function in plain.items()),
    ]


@dataclass(frozen=True)
class Built:
    module: ModuleType
    made: Extension
    library: Path


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The module as the link step would make it: only the initialisation function is visible."""
    clang = shutil.which("clang-22") or shutil.which("clang")
    if clang is None:
        pytest.skip("no clang was found")
    folder = tmp_path_factory.mktemp("extension")
    made = extension("hand._core", exports())
    (folder / "_core.c").write_text(made.source)
    (folder / "exports.map").write_text("{ global: PyInit__core; local: *; };\n")
    library = folder / "_core.abi3.so"
    warnings = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-missing-field-initializers"]
    subprocess.run(  # noqa: TID251
        [clang, "-O1", "-shared", "-fPIC", "-std=c11", "-D_POSIX_C_SOURCE=200809L", *warnings]
        + [f"-I{sysconfig.get_path('include')}", f"-Wl,--version-script={folder / 'exports.map'}"]
        + [str(folder / "_core.c"), str(HERE / "hand_written.c"), "-o", str(library), "-lm"],
        check=True,
    )
    spec = importlib.util.spec_from_file_location("hand._core", library)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return Built(module, made, library)
