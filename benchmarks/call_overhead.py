"""What calling a generated Python module costs above the compiled function itself, beside nanobind.

The function and its gradient on 10 numbers, minimum of many runs. nanobind gets the same compiled gradient. Exit code 1
when a call of ours costs more than the limit above the C call.

Usage: python benchmarks/call_overhead.py [--limit MICROSECONDS]; needs nanobind (PyPI).
"""

from __future__ import annotations

import argparse
import sys
import sysconfig
import tempfile
import timeit
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from enzyme_build.settings import from_environment
from enzyme_build.toolchain import process
from enzyme_build.toolchain.find import find_compiler
from enzyme_build.toolchain.languages import Language

if TYPE_CHECKING:
    from types import ModuleType

LIMIT_MICROSECONDS = 1.5
ENERGY = """
double energy(const double *x, int n, double k)
{
    double sum = 0;
    for (int i = 0; i + 1 < n; i++) sum += 0.5 * k * (x[i + 1] - x[i] - 1) * (x[i + 1] - x[i] - 1);
    return sum;
}
"""
LOOP = """
#include <time.h>
double energy(const double *, int, double);
double energy_grad(const double *, double *, int, double, double *);
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}
/* seconds for a call of the function, and of the gradient */
void c_seconds(const double *x, double *x_bar, int n, int calls, double *seconds)
{
    volatile double sink, k_bar = 0;
    double start = now(), bar = 0;
    for (int i = 0; i < calls; i++) sink = energy(x, n, 2.0);
    seconds[0] = (now() - start) / calls;
    start = now();
    for (int i = 0; i < calls; i++) sink = energy_grad(x, x_bar, n, 2.0, &bar), k_bar = bar;
    seconds[1] = (now() - start) / calls;
    (void)sink, (void)k_bar;
}
"""
NANOBIND = """
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
namespace nb = nanobind;
using Array = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
extern "C" double energy(const double *, int, double);
extern "C" double energy_grad(const double *, double *, int, double, double *);
NB_MODULE(bound, m)
{
    m.def("energy", [](Array x, double k) {
        nb::gil_scoped_release free;
        return energy(x.data(), (int)x.shape(0), k);
    });
    m.def("energy_grad", [](Array x, double k) {
        size_t n = x.shape(0);
        double *bar = new double[n](), k_bar = 0, value;
        nb::capsule owner(bar, [](void *p) noexcept { delete[] (double *)p; });
        { nb::gil_scoped_release free; value = energy_grad(x.data(), bar, (int)n, k, &k_bar); }
        nb::ndarray<nb::numpy, double, nb::ndim<1>> x_bar(bar, {n}, owner);
        return nb::make_tuple(value, nb::make_tuple(x_bar, k_bar));
    });
}
"""


def run(*command: object, cwd: Path) -> None:
    words = [str(word) for word in command]
    process.check(process.run(words, cwd=cwd), words, "building")


def loaded(name: str, file: Path) -> ModuleType:
    spec = util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build(folder: Path) -> tuple[ModuleType, ModuleType, Path]:
    """Our module, nanobind's, and a library with the loop in C."""
    import nanobind

    tools = from_environment().tools
    cc, cxx = (find_compiler(language, tools).command[0] for language in (Language.C, Language.CXX))
    own = [sys.executable, "-m", "enzyme_build"]
    for name, text in {"energy.c": ENERGY, "loop.c": LOOP, "bound.cpp": NANOBIND}.items():
        (folder / name).write_text(text)
    signature = "energy(x[n], n, k)"
    run(*own, "module", "energy.c", "--name", "ours", "-f", signature, cwd=folder)
    run(*own, "gradient", "energy.c", "--function", signature, "--arg", "k:out", "-o", "grad.o", cwd=folder)
    run(cc, "-O2", "-fPIC", "-c", "energy.c", "loop.c", cwd=folder)
    run(cc, "-shared", "loop.o", "energy.o", "grad.o", "-o", "libloop.so", cwd=folder)
    include, source = Path(nanobind.include_dir()), Path(nanobind.source_dir())
    flags = ["-std=c++17", "-O3", "-DNDEBUG", "-fPIC", "-fvisibility=hidden", "-fno-strict-aliasing"]
    flags += [f"-I{include}", f"-I{include.parent / 'ext/robin_map/include'}", f"-I{sysconfig.get_path('include')}"]
    sources = ["bound.cpp", source / "nb_combined.cpp"]
    run(cxx, *flags, "-shared", *sources, "energy.o", "grad.o", "-o", "bound.so", cwd=folder)
    return loaded("ours", folder / "ours.abi3.so"), loaded("bound", folder / "bound.so"), folder / "libloop.so"


def in_c(library: Path, x: np.ndarray) -> np.ndarray:
    import ctypes

    seconds, x_bar = np.zeros(2), np.zeros_like(x)
    best = np.full(2, np.inf)
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (x, x_bar, seconds)]
    for _ in range(20):
        ctypes.CDLL(str(library)).c_seconds(*pointers[:2], x.size, 20000, pointers[2])
        best = np.minimum(best, seconds)
    return best * 1e6


def in_python(module: ModuleType, x: np.ndarray) -> list[float]:
    calls = 20000
    return [
        min(timeit.repeat(lambda f=f: f(x, 2.0), number=calls, repeat=15)) / calls * 1e6  # type: ignore[misc]
        for f in (module.energy, module.energy_grad)
    ]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--limit", type=float, default=LIMIT_MICROSECONDS)
    limit = options.parse_args().limit
    x = np.linspace(0, 12, 10)
    with tempfile.TemporaryDirectory(prefix="call-overhead-") as name:
        ours, bound, library = build(Path(name))
        ours_value, (ours_bar, ours_k) = ours.energy_grad(x, 2.0)
        value, (x_bar, k_bar) = bound.energy_grad(x, 2.0)
        np.testing.assert_allclose([ours_value, ours_k, *ours_bar], [value, k_bar, *x_bar])
        c, own, other = in_c(library, x), in_python(ours, x), in_python(bound, x)
    print("| µs per call | in C | ours | nanobind | ours above C |\n|---|---:|---:|---:|---:|")
    for title, *numbers in zip(("energy", "energy_grad"), c, own, other, strict=True):
        print(f"| {title} | {' | '.join(f'{number:.3f}' for number in numbers)} | {numbers[1] - numbers[0]:.3f} |")
    worst = max(mine - in_c_ for mine, in_c_ in zip(own, c, strict=True))
    if worst > limit:
        print(f"a call costs {worst:.2f} µs more than in C: the limit is {limit} µs")
    return int(worst > limit)


if __name__ == "__main__":
    sys.exit(main())
