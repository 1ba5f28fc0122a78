"""What Python functions take and give beyond real arrays in C order: complex numbers, Fortran's order, strides.

The truth is finite differences along random directions, complex numbers as pairs of real ones.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess  # noqa: TID251 - modules are built as a user does
import sys
from pathlib import Path

import numpy as np
import pytest

import enzyme_build

pytestmark = pytest.mark.compile
HERE = Path(__file__).parent / "numbers"
needs_flang = pytest.mark.skipif(not (shutil.which("flang-22") or shutil.which("flang")), reason="flang not found")

os_path = f"{os.environ.get('PATH', '')}:{Path.home()}/.cargo/bin"  # noqa: TID251 - as a user's shell has it
needs_rust = pytest.mark.skipif(not shutil.which("rustc", path=os_path), reason="rustc not found")

COMPLEX = {
    "power(z[n], n, k)": "reverse,forward,hvp,batch",
    "distance(z)": "reverse,forward,batch",
    "cubic(z, y, a)": "reverse,forward,batch",
    "square(z)": "reverse,forward",
    "stretch(z[], a)": "reverse,forward",
    "rotate(z[m, n], out w[m, n], m, n, angle)": "reverse,forward",
    "mix(inout state[n], by, n)": "reverse,forward",
}
ARRAYS = {
    "dot(n, x[n stride incx], incx, y[n stride incy], incy)": "reverse,forward,batch",
    "axpy(n, a, x[n stride incx], incx, inout y[n stride incy], incy)": "reverse,forward",
    "rows(m, n, a[m stride lda, n], lda, out y[m stride incy], incy)": "reverse,forward",
    "product(m, n, F a[m, n stride lda], lda, x[n], out y[m])": "reverse,forward,batch",
    "general(a[m stride rs, n stride cs], rs, cs, m, n)": "reverse,forward",
    "both(m, n, a[m stride ld, n], b[m stride ld, n], ld)": "reverse",
    "cube(t[k, m, n], k, m, n)": "reverse",
    "one(x[])": "reverse",
}
CXX = {
    "waves::energy(z[n], n, k, f)": "reverse,forward",
    "waves::product(a[], b)": "reverse,forward",
}
FORTRAN = {
    "numbers::poly(z[n], n)": "reverse,forward",
    "numbers::single(z, y)": "reverse,forward",
    "numbers::columns(a[m, n], m, n, out r[n], b[3, 2])": "reverse,forward,batch",
    "numbers::scale(inout a[m, n stride lda], lda, m, n, factor)": "reverse,forward",
    "numbers::cube(t[k, m, n], k, m, n)": "reverse,forward,batch",
}


def enzyme_build_command(folder, *words):
    command = [sys.executable, "-m", "enzyme_build", *map(str, words)]
    environment = {**os.environ, "PYTHONPATH": str(Path(enzyme_build.__file__).parents[1])}  # noqa: TID251
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=folder)


def build(folder, source, functions, name):
    words = [f"--function={signature}" for signature in functions]
    words += [f"--modes={text.partition('(')[0]}:{modes}" for text, modes in functions.items()]
    done = enzyme_build_command(folder, "module", source, "--name", name, *words)
    assert (done.returncode, done.stderr) == (0, "")
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.abi3.so")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def waves(tmp_path_factory):
    return build(tmp_path_factory.mktemp("complex"), HERE / "complex.c", COMPLEX, "waves")


@pytest.fixture(scope="module")
def arrays(tmp_path_factory):
    return build(tmp_path_factory.mktemp("arrays"), HERE / "arrays.c", ARRAYS, "arrays")


@pytest.fixture(scope="module")
def cxx(tmp_path_factory):
    return build(tmp_path_factory.mktemp("cxx"), HERE / "complex.cpp", CXX, "cxx")


@pytest.fixture(scope="module")
def fortran(tmp_path_factory):
    return build(tmp_path_factory.mktemp("fortran"), HERE / "numbers.f90", FORTRAN, "fortran")


# Points, directions and differences


SINGLE = {"tolerance": 2e-3, "step": 1e-2}
"""How well differences of single precision tell."""


def complexes(seed, *shape, dtype=np.complex128):
    numbers = np.random.default_rng(seed)
    made = numbers.uniform(0.5, 1.5, shape) + 1j * numbers.uniform(0.5, 1.5, shape)
    return made.astype(dtype) if shape else complex(made)


def reals(seed, *shape):
    return np.random.default_rng(seed).uniform(0.5, 1.5, shape)


def inner(a, b):
    """The inner product of pairs of real numbers."""
    return float(np.sum(np.real(a) * np.real(b) + np.imag(a) * np.imag(b)))


def as_tuple(value):
    return value if isinstance(value, tuple) else (value,)


def like(seed, value):
    """A random direction of the kind of a number or array, in its order."""
    numbers = np.random.default_rng(seed)
    direction = numbers.normal(size=np.shape(value))
    if np.iscomplexobj(value):
        direction = direction + 1j * numbers.normal(size=np.shape(value))
    if not isinstance(value, np.ndarray):
        return complex(direction) if np.iscomplexobj(value) else float(direction)
    columns = value.ndim > 1 and value.strides[0] < value.strides[-1]
    return direction.astype(value.dtype, order="F" if columns else "C")


def check(module, name, arguments, outputs=None, *, tolerance=1e-7, step=1e-4):
    """A function's jvp and vjp against differences; `arguments` by name, all that can be differentiated moved.

    `outputs` gives the results for arguments, where the function changes what it is given."""
    moved = {key: value for key, value in arguments.items() if np.asarray(value).dtype.kind in "fc"}
    directions = {key: like(index, value) for index, (key, value) in enumerate(moved.items())}
    run = outputs or getattr(module, name)

    def at(h):
        return as_tuple(run(**{**arguments, **{k: v + h * directions[k] for k, v in moved.items()}}))

    differences = [(np.asarray(a) - np.asarray(b)) / (2 * step) for a, b in zip(at(step), at(-step), strict=True)]
    dots = {f"{key}_dot": value for key, value in directions.items()}
    values, tangents = getattr(module, f"{name}_jvp")(**arguments, **dots)
    cotangents = [like(100 + index, value) for index, value in enumerate(as_tuple(values))]
    bars = getattr(module, f"{name}_vjp")(*arguments.values(), *cotangents)
    forward = sum(inner(w, t) for w, t in zip(cotangents, as_tuple(tangents), strict=True))
    expected = sum(inner(w, t) for w, t in zip(cotangents, differences, strict=True))
    reverse = sum(inner(bar, directions[key]) for bar, key in zip(bars, moved, strict=True))
    scale = sum(float(np.sum(np.abs(w) * np.abs(t))) for w, t in zip(cotangents, differences, strict=True))
    assert forward == pytest.approx(expected, abs=tolerance * scale)
    assert reverse == pytest.approx(forward, abs=tolerance * scale)
    for bar, value in zip(bars, moved.values(), strict=True):
        assert np.shape(bar) == np.shape(value)
        assert np.asarray(bar).dtype.kind == np.asarray(value).dtype.kind


def test_complex_arrays_and_numbers(waves):
    check(waves, "power", {"z": complexes(1, 5), "k": complexes(2)})
    check(waves, "cubic", {"z": complexes(3), "y": complexes(4), "a": 1.5}, **SINGLE)
    check(waves, "stretch", {"z": complexes(5), "a": 0.7})


def test_single_precision(waves):
    check(waves, "square", {"z": complexes(6)}, **SINGLE)
    z = complexes(7, 2, 3, dtype=np.complex64)
    check(waves, "rotate", {"z": z, "angle": 0.3}, **SINGLE)
    assert waves.rotate_vjp(z, 0.3, np.ones((2, 3), np.complex64))[0].dtype == np.complex64


def test_an_array_that_is_changed(waves):
    def after(state, by):
        state = state.copy()
        assert waves.mix(state, by) is None
        return state

    check(waves, "mix", {"state": complexes(8, 4), "by": complexes(9)}, after)


def test_the_gradient_is_that_of_pairs_of_reals(waves):
    """The slopes by the real and the imaginary part are its parts: twice z for |z|², of which JAX has the conjugate."""
    value, (z_bar,) = waves.distance_grad(3 + 4j)
    assert (value, z_bar) == (25.0, 6 + 8j)


def test_of_a_holomorphic_function_the_adjoint_is_the_conjugate_slope_times_the_cotangent(waves):
    z, a, w = 0.3 + 0.8j, 1.5, 0.2 - 0.7j
    slope = 3 * a * z**2
    np.testing.assert_allclose(waves.cubic_vjp(z, 1j, a, w)[0], np.conj(slope) * w)
    np.testing.assert_allclose(waves.cubic_jvp(z, 1j, a, z_dot=w)[1], slope * w)


def test_a_complex_result_has_no_gradient(waves):
    assert hasattr(waves, "cubic_vjp")
    assert not hasattr(waves, "cubic_grad")


def test_hessian_of_complex_arguments(waves):
    z, k, h = complexes(10, 4), complexes(11), 1e-5
    z_dot, k_dot = like(1, z), like(2, k)
    up, down = (waves.power_grad(z + s * h * z_dot, k + s * h * k_dot)[1] for s in (1, -1))
    products = waves.power_hvp(z, k, z_dot=z_dot, k_dot=k_dot)
    for product, a, b in zip(products, up, down, strict=True):
        np.testing.assert_allclose(product, (a - b) / (2 * h), rtol=1e-7)


def test_batches_of_complex_numbers(waves):
    zs, ks = complexes(12, 6, 5), complexes(13, 6)
    values, (z_bars, k_bars) = waves.power_grad_batch(zs, ks, threads=2)
    for z, k, value, z_bar, k_bar in zip(zs, ks, values, z_bars, k_bars, strict=True):
        one, (z_one, k_one) = waves.power_grad(z, k)
        assert (value, k_bar) == (one, k_one)
        np.testing.assert_array_equal(z_bar, z_one)
    (value_bars, y_bars, _) = waves.cubic_vjp_batch(ks, 1j, 2.0, ks)
    assert (value_bars.dtype, y_bars.dtype) == (np.complex128, np.complex64)
    np.testing.assert_allclose(value_bars, np.conj(6 * ks**2) * ks)


def test_numbers_of_every_kind_are_complex(waves):
    for number in (2, 2.0, np.float32(2), np.complex64(2), np.array(2 + 0j), np.int8(2)):
        assert waves.distance(number) == 4.0


def test_complex_numbers_of_cxx(cxx):
    check(cxx, "energy", {"z": complexes(14, 4), "k": complexes(15), "f": complexes(16)}, **SINGLE)
    check(cxx, "product", {"a": complexes(17), "b": complexes(18)}, **SINGLE)


RUST = """
pub mod num_complex {
    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct Complex<T> { pub re: T, pub im: T }
}
use num_complex::Complex;
#[no_mangle]
pub unsafe extern "C" fn norm(z: *const Complex<f64>, n: i32, k: Complex<f64>) -> f64 {
    let mut sum = 0.0;
    for i in 0..n as usize { let w = *z.add(i); sum += w.re * w.re * w.im * k.re * k.im; }
    sum
}
#[no_mangle]
pub extern "C" fn square(z: Complex<f64>) -> Complex<f64> {
    Complex { re: z.re * z.re - z.im * z.im, im: 2.0 * z.re * z.im }
}
#[no_mangle]
pub extern "C" fn single(z: Complex<f32>) -> f32 { z.re * z.im }
"""


@needs_rust
def test_complex_numbers_of_rust(tmp_path):
    (tmp_path / "waves.rs").write_text(RUST)
    functions = {"norm(z[n], n, k)": "reverse,forward", "square(z)": "reverse,forward"}
    rust = build(tmp_path, tmp_path / "waves.rs", functions, "rust")
    check(rust, "norm", {"z": complexes(23, 4), "k": complexes(24)})
    check(rust, "square", {"z": complexes(25)})
    done = enzyme_build_command(tmp_path, "module", "waves.rs", "--name", "rust", "-f", "single(z)")
    assert done.returncode == 1
    assert done.stderr == (
        "waves.rs:19: error: 'single' takes the complex number 'z' by value, in a way of its compiler's own: double\n"
        "  hint: export a function that takes it by its address\n"
    )


CALLER = """
#include "cubic.h"
#include <complex.h>
#include <stdio.h>
double _Complex cubic(double _Complex z, float _Complex y, double a);
int main(void) {
  enzyme_complex128 z = __builtin_complex(1.0, 2.0), z_bar = 0, value, value_bar = __builtin_complex(0.0, 1.0);
  enzyme_complex64 y = 1, y_bar = 0;
  double a = 2, a_bar = 0;
  cubic_grad(&value, &value_bar, &z, &z_bar, &y, &y_bar, a, &a_bar);
  printf("%g %g, %g %g, ", creal(value), cimag(value), creal(z_bar), cimag(z_bar));
  printf("%g %g, %g\\n", creal(y_bar), cimag(y_bar), a_bar);
  return cubic(z, y, a) != value;
}
"""


def test_a_gradient_for_callers_in_c(tmp_path):
    words = ["-f", "cubic(z, y, a)", "-o", "cubic.o", "--header", "cubic.h"]
    done = enzyme_build_command(tmp_path, "gradient", HERE / "complex.c", *words)
    assert (done.returncode, done.stderr) == (0, "")
    (tmp_path / "main.c").write_text(CALLER)
    clang = shutil.which("clang-22") or "clang"
    warnings = ["-std=c11", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([clang, *warnings, "main.c", "cubic.o", "-lm", "-o", "main"], cwd=tmp_path, check=True)
    # (1 + 2i)³ = -11 - 2i; conj(6 z²) i = 24 - 18i; Re(conj(i) z³) = -2
    assert subprocess.run(["./main"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout == (
        "-21 -4, 24 -18, 0 1, -2\n"
    )


# Order


def test_arrays_of_c_are_in_c_order(arrays):
    t = reals(1, 2, 3, 4)
    value, (t_bar,) = arrays.cube_grad(t)
    np.testing.assert_allclose(t_bar, 2 * np.arange(1, 25).reshape(2, 3, 4) * t)
    assert t_bar.flags.c_contiguous
    assert value == pytest.approx(np.sum(np.arange(1, 25) * t.ravel() ** 2))


@needs_flang
def test_arrays_of_fortran_are_in_fortran_order(fortran):
    t = np.asfortranarray(reals(2, 2, 3, 4))
    i, j, k = np.indices(t.shape) + 1
    value, (t_bar,) = fortran.cube_grad(t)
    assert value == pytest.approx(np.sum((i + 10 * j + 100 * k) * t**2))
    np.testing.assert_allclose(t_bar, 2 * (i + 10 * j + 100 * k) * t)
    assert t_bar.flags.f_contiguous
    a, b = np.asfortranarray(reals(3, 3, 5)), np.asfortranarray(reals(4, 3, 2))
    np.testing.assert_allclose(fortran.columns(a, b), np.arange(1, 6) * np.sum(a**2, axis=0) + b[2, 0] * b[0, 1])
    check(fortran, "columns", {"a": a, "b": b})
    buffer = np.zeros((3, 5), order="F")
    (a_bar, _) = fortran.columns_vjp(a, b, np.ones(5), out=(buffer, None))
    assert a_bar is buffer


@needs_flang
def test_complex_numbers_of_fortran(fortran):
    check(fortran, "poly", {"z": complexes(19, 4)})
    check(fortran, "single", {"z": complexes(20), "y": complexes(21)}, **SINGLE)


@needs_flang
def test_batches_in_fortran_order(fortran):
    ts = np.moveaxis(np.asfortranarray(np.moveaxis(reals(5, 6, 2, 3, 4), 0, -1)), -1, 0)
    values, (t_bars,) = fortran.cube_grad_batch(ts)
    assert t_bars.shape == ts.shape
    for t, value, t_bar in zip(ts, values, t_bars, strict=True):
        one, (bar,) = fortran.cube_grad(t)
        assert value == one
        np.testing.assert_array_equal(t_bar, bar)
        assert t_bar.flags.f_contiguous
    b, r_bars = np.ones((3, 2), order="F"), reals(22, 6, 3)
    a_bars, b_bars = fortran.columns_vjp_batch(np.ones((2, 3), order="F"), b, r_bars)
    np.testing.assert_allclose(a_bars, 2 * (np.arange(3) + 1) * np.ones((2, 1)) * r_bars[:, None])
    np.testing.assert_allclose(b_bars[:, 2, 0], np.sum(r_bars, axis=1))


# Strides


def test_vectors_with_strides(arrays):
    a = reals(6, 4, 6)
    x, y = a[:, 1], a[0, ::2][:4][:3]
    x = x[:3]
    assert arrays.dot(x, y) == pytest.approx(np.sum(x * x * y))
    assert arrays.dot(x, y, incx=6, incy=2, n=3) == arrays.dot(x.copy(), y.copy())
    value, (x_bar, y_bar) = arrays.dot_grad(x, y, incx=6)
    assert value == arrays.dot(x, y)
    np.testing.assert_allclose(x_bar, 2 * x * y)
    np.testing.assert_allclose(y_bar, x * x)
    assert x_bar.flags.c_contiguous
    check(arrays, "dot", {"x": x, "y": y})


def test_a_column_is_changed_beside_another(arrays):
    a = reals(7, 5, 3)
    before = a.copy()
    assert arrays.axpy(2.0, a[:, 0], a[:, 2]) is None
    np.testing.assert_allclose(a[:, 2], before[:, 2] + 2 * before[:, 0] ** 2)
    np.testing.assert_array_equal(a[:, :2], before[:, :2])
    untouched = a.copy()
    a_bar, x_bar, y_bar = arrays.axpy_vjp(2.0, a[:, 0], a[:, 2], np.ones(5))
    assert a_bar == pytest.approx(np.sum(a[:, 0] ** 2))
    np.testing.assert_allclose(x_bar, 4 * a[:, 0])
    np.testing.assert_array_equal(y_bar, np.ones(5))
    np.testing.assert_array_equal(a, untouched)


def test_a_part_of_a_matrix(arrays):
    whole = reals(8, 6, 7)
    a, y = whole[1:4, 2:6], np.zeros((3, 2))
    value, given = arrays.rows(a, y[:, 1])
    expected = np.sum(np.arange(1, 5) * a**2, axis=1)
    np.testing.assert_allclose(given, expected)
    np.testing.assert_allclose(y, np.stack([np.zeros(3), expected], axis=1))
    assert value == pytest.approx(np.sum(expected**2))
    check(arrays, "rows", {"a": a})
    a_bar = arrays.rows_grad(a, lda=7)[1][0]
    np.testing.assert_array_equal(a_bar, arrays.rows_grad(a.copy())[1][0])


def test_columns_with_a_leading_dimension(arrays):
    whole = np.asfortranarray(reals(9, 6, 4))
    a, x = whole[1:4], reals(10, 4)
    np.testing.assert_allclose(arrays.product(a, x, lda=6), a**2 @ x)
    check(arrays, "product", {"a": a, "x": x})
    a_bar = arrays.product_vjp(a, x, np.ones(3))[0]
    np.testing.assert_allclose(a_bar, 2 * a * x)
    assert a_bar.flags.f_contiguous
    a_bars, _ = arrays.product_vjp_batch(a.copy(order="F"), x, np.ones((2, 3)))
    np.testing.assert_array_equal(a_bars, [a_bar, a_bar])


def test_any_strides_in_any_order(arrays):
    weights = np.arange(3)[:, None] + 2 * np.arange(4) + 1
    for a in (reals(11, 3, 4), np.asfortranarray(reals(12, 3, 4)), reals(13, 9, 8)[::3, ::2], reals(14, 3, 1)[:, :0]):
        w = weights[:, : a.shape[1]]
        assert arrays.general(a) == pytest.approx(np.sum(w * a**2))
        np.testing.assert_allclose(arrays.general_grad(a)[1][0], 2 * w * a)


def test_an_axis_of_one_index_takes_the_stride_of_the_others(arrays):
    whole, row = reals(15, 3, 6), reals(16, 1, 4)
    a, b = whole[:, :4], whole[:, 2:]
    assert arrays.both(a, b) == pytest.approx(np.sum(a * a * b))
    assert arrays.both(row, whole[:1, :4]) == pytest.approx(np.sum(row * row * whole[:1, :4]))


def test_no_axes_at_all(arrays):
    value, (x_bar,) = arrays.one_grad(np.array(3.0))
    assert (value, x_bar) == (9.0, 6.0)


def test_docstrings_say_order_and_strides(arrays):
    lines = arrays.product.__doc__.splitlines()
    assert lines[2:6] == [
        "a: float64 array of shape (m, n), Fortran order, any stride along axis 1",
        "x: float64 array of shape (n,)",
        "y: float64 array of shape (m,), filled and returned; made if not given",
        "m: int, given by the shapes",
    ]
    assert "lda: int, given by the strides" in lines


READ = reals(17, 4, 4)
MISTAKES = {
    "real for complex": (
        "waves", "power", (np.ones(3), 1j), {}, TypeError,
        "power(): argument 'z' must have dtype complex128, not float64; convert it with .astype(numpy.complex128)",
    ),
    "the other precision": (
        "waves", "power", (np.ones(3, np.complex64), 1j), {}, TypeError,
        "power(): argument 'z' must have dtype complex128, not complex64; convert it with .astype(numpy.complex128)",
    ),
    "text for a number": (
        "waves", "distance", ("1+2j",), {}, TypeError, "distance(): argument 'z' must be a number, not str",
    ),
    "complex for real": (
        "waves", "cubic", (1j, 1j, 1j), {}, TypeError, "cubic(): argument 'a' must be a real number, not complex",
    ),
    "NumPy's complex for real": (
        "waves", "cubic", (1j, 1j, np.complex64(1)), {}, TypeError,
        "cubic(): argument 'a' must be a real number, not complex64",
    ),
    "complex of no axes for real": (
        "waves", "cubic", (1j, 1j, np.array(1j)), {}, TypeError,
        "cubic(): argument 'a' must be a real number, not ndarray",
    ),
    "buffer for a complex number": (
        "waves", "distance_grad", (1j,), {"out": (np.ones(1, complex),)}, TypeError,
        "distance_grad(): the entry of 'out' for 'z' must be None: a number is returned",
    ),
    "Fortran order for C": (
        "arrays", "cube", (np.ones((2, 3, 4), order="F"),), {}, ValueError,
        "cube(): argument 't' must be contiguous in C order; numpy.ascontiguousarray makes a copy that is",
    ),
    "C order for Fortran": (
        "fortran", "cube", (np.ones((2, 3, 4)),), {}, ValueError,
        "cube(): argument 't' must be contiguous in Fortran order; numpy.asfortranarray makes a copy that is",
    ),
    "C order for a cotangent": (
        "fortran", "scale_vjp", (np.ones((2, 3), order="F"), 1.0, np.ones((2, 3))), {}, ValueError,
        "scale_vjp(): argument 'a_bar' must be contiguous in Fortran order; numpy.asfortranarray makes a copy that is",
    ),
    "C order for items": (
        "fortran", "cube_batch", (np.ones((5, 2, 3, 4)),), {}, ValueError,
        ("cube_batch(): the items of argument 't' must be contiguous in Fortran order, one behind the other; "
         "numpy.moveaxis(numpy.asfortranarray(numpy.moveaxis(a, 0, -1)), -1, 0) makes a copy where they are"),
    ),
    "negative stride": (
        "arrays", "dot", (READ[0][::-1], READ[0]), {}, ValueError,
        ("dot(): argument 'x' has a stride of -8 bytes along axis 0; it must be a positive multiple of 8; "
         "numpy.ascontiguousarray makes a copy that is dense"),
    ),
    "no stride at all": (
        "arrays", "dot_grad", (np.broadcast_to(1.0, 4), READ[0]), {}, ValueError,
        ("dot_grad(): argument 'x' has a stride of 0 bytes along axis 0; it must be a positive multiple of 8; "
         "numpy.ascontiguousarray makes a copy that is dense"),
    ),
    "stride between elements": (
        "arrays", "dot", (np.zeros(3, [("a", "f8"), ("b", "f4")])["a"], READ[0][:3]), {}, ValueError,
        ("dot(): argument 'x' has a stride of 12 bytes along axis 0; it must be a positive multiple of 8; "
         "numpy.ascontiguousarray makes a copy that is dense"),
    ),
    "stride along another axis": (
        "arrays", "rows", (READ[:, ::2],), {}, ValueError,
        "rows(): argument 'a' must be dense along axis 1; numpy.ascontiguousarray makes a copy that is",
    ),
    "windows": (
        "arrays", "general", (np.lib.stride_tricks.sliding_window_view(READ[0], 2),), {}, ValueError,
        "general(): elements of argument 'a' share memory; numpy.array makes a copy where none do",
    ),
    "another stride than that of the array": (
        "arrays", "dot", (READ[:, 0], READ[0]), {"incx": 2}, ValueError,
        "dot(): argument 'incx' is 2, but the arrays say 4",
    ),
    "another stride in a gradient": (
        "arrays", "dot_grad", (READ[:, 0], READ[0]), {"incx": 1}, ValueError,
        "dot_grad(): argument 'incx' is 1, but the arrays say 4",
    ),
    "two strides that must be one": (
        "arrays", "both", (READ[:, :2], np.ones((4, 2))), {}, ValueError,
        "both(): argument 'ld' is the stride of 'a' and 'b', which is 4 of one and 2 of the other",
    ),
    "columns that are one": (
        "arrays", "axpy", (1.0, READ[:, 1], READ[:, 1]), {}, ValueError,
        "axpy(): 'y' is written to and must not share memory with 'x'",
    ),
    "a stride for a cotangent": (
        "arrays", "axpy_vjp", (1.0, READ[:, 1], READ[:, 2], READ[:, 3]), {}, ValueError,
        "axpy_vjp(): argument 'y_bar' must be contiguous in C order; numpy.ascontiguousarray makes a copy that is",
    ),
    "a stride in a batch": (
        "arrays", "dot_batch", (READ[:, ::2], READ[0, :2]), {}, ValueError,
        "dot_batch(): argument 'x' must be contiguous in C order; numpy.ascontiguousarray makes a copy that is",
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_named(request, mistake):
    owner, function, arguments, keywords, kind, message = MISTAKES[mistake]
    if owner == "fortran" and not (shutil.which("flang-22") or shutil.which("flang")):
        pytest.skip("flang not found")
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        getattr(request.getfixturevalue(owner), function)(*arguments, **keywords)
