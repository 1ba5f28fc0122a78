"""Finding functions in compiled inputs, with and without debug information."""

from __future__ import annotations

import shutil
import subprocess  # noqa: TID251 - compiling as a user does
from typing import TYPE_CHECKING

import pytest

from enzyme_build.bindings.candidates import demangled
from enzyme_build.bindings.discover import find_function, modules_in, resolve
from enzyme_build.bindings.native import NativeParameter, Passing
from enzyme_build.bindings.signature import parse_signature
from enzyme_build.errors import ConfigError, InputError, UnsupportedError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.compile

SOURCE = """
#include <cstddef>
#include <cstdint>
namespace forces {
struct Pair { double a, b; };
struct Big { double all[9]; };
typedef double real;
double energy(const real *x, int n, double k) { return x[n] * k; }
double energy(const float *x, int n, double k) { return x[n] * k; }
void step(const double (&x)[3], double *__restrict y, std::size_t n, bool flag, unsigned char c, std::int64_t *index) {
  for (std::size_t i = 0; i < n; i++) y[i] = flag ? x[i % 3] : c + index[i];
}
double of_pair(Pair p) { return p.a * p.b; }
double of_big(Big b) { return b.all[3]; }
double through(const Pair *p) { return p->a; }
Pair pair(double x) { return {x, x}; }
static double __attribute__((noinline)) local(double x) { return x * x; }
double calls_local(double x) { return local(x) + 1; }
}
extern "C" float plain(float *x, short s) { return x[0] *= s; }
"""
OBJECT = ["-O2", "-fPIC", "-flto=thin", "-ffat-lto-objects", "-c"]


def compiled(folder: Path, *flags: str) -> Path:
    clang = shutil.which("clang++-22") or shutil.which("clang++")
    if clang is None:
        pytest.skip("clang++ was not found")
    (folder / "f.cpp").write_text(SOURCE)
    subprocess.run([clang, *OBJECT, *flags, "f.cpp", "-o", "f.o"], cwd=folder, check=True)
    return folder / "f.o"


@pytest.fixture(scope="module")
def modules(tmp_path_factory):
    return list(modules_in([compiled(tmp_path_factory.mktemp("debug"), "-g")]))


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    return list(modules_in([compiled(tmp_path_factory.mktemp("bare"))]))


def shown(parameter: NativeParameter) -> str:
    stars = "*" if parameter.passing is Passing.POINTER else ""
    const = "const " if parameter.constant else ""
    return f"{const}{parameter.dtype}{stars} {parameter.name}"


def test_types_names_and_constness(modules):
    found = find_function(modules, "forces::step")
    assert found.symbol == "_ZN6forces4stepERA3_KdPdmbhPl"
    assert [shown(p) for p in found.parameters] == [
        "const float64* x",
        "float64* y",
        "uint64 n",
        "bool flag",
        "uint8 c",
        "const int64* index",
    ]
    assert [p.attributes for p in found.parameters] == ["", "", "", "zeroext", "zeroext", ""]
    assert [p.only_written for p in found.parameters] == [False, True] + [False] * 4
    assert found.result is None
    assert '"target-cpu"=' in found.attribute_text


def test_results_and_small_integers(modules):
    found = find_function(modules, "plain")
    assert [shown(p) for p in found.parameters] == ["float32* x", "int16 s"]
    assert str(found.result) == "float32"


def test_names_without_their_namespace(modules):
    assert find_function(modules, "step").symbol == "_ZN6forces4stepERA3_KdPdmbhPl"


def test_overloads_are_listed_and_told_apart(modules):
    with pytest.raises(ConfigError, match="'energy' is the name of 2 functions") as caught:
        find_function(modules, "energy")
    assert caught.value.notes[0] == (
        "forces::energy(double const*, int, double) at f.cpp:8, symbol _ZN6forces6energyEPKdid"
    )
    for name in ("_ZN6forces6energyEPKfid", "energy(const float *, int, double)", "energy(float const*,int,double)"):
        found, signature = resolve(modules, parse_signature(name))
        assert [shown(p) for p in found.parameters] == ["const float32* x", "int32 n", "float64 k"]
        assert signature.arguments is None
    # The names of types are those of the source or what they stand for.
    assert resolve(modules, parse_signature("energy(const real *, int, double)"))[0].symbol == "_ZN6forces6energyEPKdid"


def test_without_debug_information_pointees_are_unknown(bare):
    found = find_function(bare, "forces::step")
    assert [shown(p) for p in found.parameters][:4] == ["const None* None", "None* None", "int64 None", "bool None"]


def test_pointers_to_structs_are_opaque(modules):
    assert [shown(p) for p in find_function(modules, "forces::through").parameters] == ["const None* p"]


def test_structs_by_value_are_refused(modules):
    with pytest.raises(UnsupportedError, match=r"'forces::of_big' takes or returns a struct by value") as caught:
        find_function(modules, "forces::of_big")
    assert str(caught.value.location).startswith("f.cpp:")
    with pytest.raises(UnsupportedError, match=r"'forces::pair' returns"):
        find_function(modules, "forces::pair")


def test_local_functions_are_refused(modules):
    with pytest.raises(ConfigError, match="'forces::local' is local to its source file") as caught:
        find_function(modules, "forces::local")
    assert "static" in str(caught.value.hint)


def test_nearest_name(modules):
    with pytest.raises(InputError, match="no function 'enrgy' is defined") as caught:
        find_function(modules, "enrgy")
    assert caught.value.hint == "did you mean 'forces::energy'?"


def test_no_bitcode():
    with pytest.raises(InputError, match="the inputs hold no bitcode"):
        find_function([], "f")


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("_ZN6forces6energyEPKdid", "forces::energy"),
        ("_Z4stepPd", "step"),
        ("_ZNK1a1b1cEv", "a::b::c"),
        ("plain", "plain"),
        ("_ZN6forces3mapIdEEvT_", "forces::map"),
        ("_ZN1a5EPairEd", "a::EPair"),
        ("_Z1fN1a1bE", "f"),
        ("_ZSt4sqrtf", "_ZSt4sqrtf"),
    ],
)
def test_plain_symbols_are_demangled(symbol, name):
    assert demangled(symbol) == name
