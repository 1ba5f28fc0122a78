"""The generated extension module, around hand-written derivatives."""

from __future__ import annotations

import gc
import inspect
import re
import resource
import subprocess  # noqa: TID251 - tools outside the package
import sys
import threading
import time

import numpy as np
import pytest

from enzyme_build.bindings.extension import Export, extension
from enzyme_build.bindings.interface import make_interface
from enzyme_build.bindings.signature import parse_signature
from enzyme_build.errors import ConfigError

from .functions import step_interface

pytestmark = pytest.mark.compile

X = np.arange(1.0, 4.0)


@pytest.fixture
def core(built):
    return built.module


def test_primal(core):
    assert core.energy(X, 2.0) == 14.0


def test_gradient_is_value_and_tuple_in_order_of_wrt(core):
    value, (x_bar, k_bar) = core.energy_grad(X, 2.0)
    assert value == 14.0
    np.testing.assert_array_equal(x_bar, 2 * X)
    assert k_bar == 7.0


def test_vjp_scales_with_the_cotangent(core):
    x_bar, k_bar = core.energy_vjp(X, 2.0, 10)
    np.testing.assert_array_equal(x_bar, 20 * X)
    assert k_bar == 70.0


def test_jvp_takes_missing_tangents_as_zero(core):
    assert core.energy_jvp(X, 2.0, x_dot=np.ones(3)) == (14.0, 12.0)
    assert core.energy_jvp(X, 2.0, k_dot=1) == (14.0, 7.0)
    assert core.energy_jvp(X, 2.0, k_dot=1, x_dot=np.ones(3)) == (14.0, 19.0)


def test_hvp_gives_the_hessian_times_the_tangents(core):
    products = core.energy_hvp(X, 2.0, x_dot=np.ones(3), k_dot=10)
    np.testing.assert_array_equal(products[0], 2 + 10 * X)
    assert products[1] == 6.0
    assert core.energy_hvp(X, 2.0, k_dot=1)[1] == 0.0


def test_keywords_in_any_order(core):
    assert core.energy(k=2.0, x=X, n=3) == 14.0
    assert core.energy(X, k=2, n=None) == 14.0


def test_adjoints_go_into_given_buffers(core):
    buffer = np.full(3, 99.0)
    _, (x_bar, _) = core.energy_grad(X, 2.0, out=(buffer, None))
    assert x_bar is buffer
    np.testing.assert_array_equal(buffer, 2 * X)


def test_fresh_adjoints_are_independent(core):
    first = core.energy_grad(X, 2.0)[1][0]
    second = core.energy_grad(X, 2.0)[1][0]
    assert first is not second
    np.testing.assert_array_equal(first, second)


def test_output_arrays_are_made_or_filled(core):
    state = np.arange(6.0)
    np.testing.assert_array_equal(core.step(X, state), 3 * X)
    np.testing.assert_array_equal(state, 2 * np.arange(6.0))
    y = np.empty(3)
    assert core.step(X, state, y) is y
    np.testing.assert_array_equal(y, 3 * X)


def test_derivatives_leave_changed_arrays_alone(core):
    state, y_bar, s_bar = np.arange(6.0), np.ones(3), np.ones(6)
    x_adjoint, s_adjoint = core.step_vjp(X, state, y_bar, s_bar)
    np.testing.assert_array_equal(x_adjoint, [3, 3, 3])
    np.testing.assert_array_equal(s_adjoint, [5, 2, 2, 2, 2, 2])
    for untouched, before in ((state, np.arange(6.0)), (y_bar, np.ones(3)), (s_bar, np.ones(6))):
        np.testing.assert_array_equal(untouched, before)


def test_jvp_returns_every_written_array(core):
    (y, s), (y_dot, s_dot) = core.step_jvp(X, np.arange(6.0), s_dot=np.ones(6))
    np.testing.assert_array_equal(y, 3 * X)
    np.testing.assert_array_equal(s, 2 * np.arange(6.0))
    np.testing.assert_array_equal(y_dot, np.ones(3))
    np.testing.assert_array_equal(s_dot, 2 * np.ones(6))


def test_no_gradient_of_a_function_without_value(core):
    assert not hasattr(core, "step_grad")
    assert not hasattr(core, "slow_vjp")


def test_every_kind_of_number(core):
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    index = np.arange(6, dtype=np.int32)
    expected = float(np.sum(a.ravel() * index))
    assert core.mixed(a, False, index, 2.0) == 2 * expected
    assert core.mixed(a, True, index, 2.0, rows=2, columns=3) == -2 * expected


def test_a_length_that_no_input_gives_is_required(core):
    np.testing.assert_array_equal(core.count(4), np.arange(4.0))
    np.testing.assert_array_equal(core.count(n=2, values=np.zeros(2)), np.arange(2.0))
    with pytest.raises(ValueError, match="negative length -1"):
        core.count(-1)


def test_packed_shapes_are_compared(core):
    assert core.packed(np.ones(12), 2, 3) == 12.0
    with pytest.raises(ValueError, match=re.escape("'p' must have shape (k*d*(d + 1)/2,) = (12,), got (11,)")):
        core.packed(np.ones(11), 2, 3)


def test_empty_arrays(core):
    value, (x_bar, k_bar) = core.energy_grad(np.zeros(0), 2.0)
    assert (value, x_bar.shape, k_bar) == (0.0, (0,), 0.0)


class Sub(np.ndarray):
    pass


def test_subclasses_and_integers_as_numbers(core):
    assert core.energy(X.view(Sub), np.float64(2)) == 14.0
    assert core.energy(X, np.int32(2)) == 14.0
    assert core.energy(X, 2.0, n=np.int64(3)) == 14.0


READ_ONLY = np.zeros(6)
READ_ONLY.flags.writeable = False
STRIDED = np.zeros(6)[::2]
UNALIGNED = np.frombuffer(b"0" * 25, np.uint8)[1:].view(np.float64)
HUGE = np.lib.stride_tricks.as_strided(np.zeros(1), (2**31,), (0,))

MISTAKES = {
    "not an array": (
        "energy", ([1.0, 2.0], 1.0), {}, TypeError,
        "energy(): argument 'x' must be a numpy.ndarray of float64 with shape (n,), not list",
    ),
    "wrong dtype": (
        "energy", (X.astype(np.float32), 1.0), {}, TypeError,
        "energy(): argument 'x' must have dtype float64, not float32; convert it with .astype(numpy.float64)",
    ),
    "wrong byte order": (
        "energy", (X.astype(">f8"), 1.0), {}, TypeError,
        "energy(): argument 'x' must have native byte order; convert it with .astype(numpy.float64)",
    ),
    "wrong number of dimensions": (
        "energy", (X.reshape(3, 1), 1.0), {}, ValueError, "energy(): argument 'x' must have shape (n,), got (3, 1)",
    ),
    "strided": (
        "energy", (STRIDED, 1.0), {}, ValueError,
        "energy(): argument 'x' must be contiguous in C order; numpy.ascontiguousarray makes a copy that is",
    ),
    "unaligned": (
        "energy", (UNALIGNED, 1.0), {}, ValueError,
        "energy(): argument 'x' must be aligned; numpy.array makes a copy that is",
    ),
    "not a number": ("energy", (X, "a"), {}, TypeError, "energy(): argument 'k' must be a real number, not str"),
    "not a finite number": (
        "energy", (X, 10**400), {}, OverflowError, "energy(): argument 'k' does not fit a real number",
    ),
    "not a whole number": (
        "energy", (X, 1.0), {"n": 2.5}, TypeError, "energy(): argument 'n' must be an integer, not float",
    ),
    "missing": ("energy", (X,), {}, TypeError, "energy() missing required argument 'k' (pos 2)"),
    "too many": ("energy", (X, 1.0, 3), {}, TypeError, "energy() takes at most 2 positional arguments (3 given)"),
    "unknown keyword": ("energy", (X, 1.0), {"m": 3}, TypeError, "energy() got an unexpected keyword argument 'm'"),
    "given twice": ("energy", (X, 1.0), {"x": X}, TypeError, "energy() got multiple values for argument 'x'"),
    "contradicting length": (
        "energy", (X, 1.0), {"n": 4}, ValueError, "energy(): argument 'n' is 4, but the arrays say 3",
    ),
    "length beyond int": (
        "energy", (np.zeros(1), 1.0), {"n": 2**31}, OverflowError,
        "energy(): argument 'n' does not fit int32: 2147483648",
    ),
    "tangent of another shape": (
        "energy_jvp", (X, 1.0), {"x_dot": np.ones(2)}, ValueError,
        "energy_jvp(): argument 'x_dot' must have shape (n,) = (3,), got (2,)",
    ),
    "no tangent": ("energy_jvp", (X, 1.0), {}, TypeError, "energy_jvp() needs at least one tangent: x_dot, k_dot"),
    "arrays of different lengths": (
        "step", (X, np.zeros(4)), {}, ValueError, "step(): argument 's' must have shape (2*n,) = (6,), got (4,)",
    ),
    "read-only": (
        "step", (X, READ_ONLY), {}, ValueError, "step(): argument 's' is written to, but the array is read-only",
    ),
    "shared memory": (
        "step", (X, np.zeros(6), X), {}, ValueError, "step(): 'y' is written to and must not share memory with 'x'",
    ),
    "adjoint over its input": (
        "energy_grad", (X, 1.0), {"out": (X, None)}, ValueError,
        "energy_grad(): 'out[0]' is written to and must not share memory with 'x'",
    ),
    "adjoint of another shape": (
        "energy_grad", (X, 1.0), {"out": (np.zeros(4), None)}, ValueError,
        "energy_grad(): argument 'out[0]' must have shape (n,) = (3,), got (4,)",
    ),
    "read-only adjoint": (
        "energy_grad", (X, 1.0), {"out": (READ_ONLY[:3], None)}, ValueError,
        "energy_grad(): argument 'out[0]' is written to, but the array is read-only",
    ),
    "buffer for a number": (
        "energy_grad", (X, 1.0), {"out": (None, 1.0)}, TypeError,
        "energy_grad(): the entry of 'out' for 'k' must be None: a number is returned",
    ),
    "buffers not in a tuple": (
        "energy_grad", (X, 1.0), {"out": X}, TypeError, "energy_grad(): argument 'out' must be a tuple, not ndarray",
    ),
    "too few buffers": (
        "energy_grad", (X, 1.0), {"out": (None,)}, ValueError,
        "energy_grad(): argument 'out' must have 2 entries, got 1",
    ),
    "number out of range": (
        "mixed", (np.ones((1, 300), np.float32), False, np.ones(300, np.int32), 1.0), {}, OverflowError,
        "mixed(): the length 'columns' does not fit uint8: 300",
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_named(core, mistake):
    function, arguments, keywords, kind, message = MISTAKES[mistake]
    with pytest.raises(kind, match=f"^{re.escape(message)}$"):
        getattr(core, function)(*arguments, **keywords)


def test_a_length_beyond_int(core):
    # Nothing of it is read: the check comes first.
    with pytest.raises(ValueError, match="contiguous"):
        core.energy(HUGE, 1.0)


def test_other_threads_run_meanwhile(core):
    ticks, stop = [0], threading.Event()

    def tick():
        while not stop.is_set():
            ticks[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    before = ticks[0]
    core.slow(0.3)
    during = ticks[0] - before
    stop.set()
    thread.join()
    assert during > 20


def test_calls_in_several_threads_do_not_disturb_each_other(core):
    failures = []

    def work(scale):
        x = np.arange(1.0, 101.0) * scale
        for _ in range(500):
            value, (x_bar, k_bar) = core.energy_grad(x, 2.0)
            if value != x @ x or not np.array_equal(x_bar, 2 * x) or k_bar != pytest.approx(x @ x / 2):
                failures.append(scale)

    threads = [threading.Thread(target=work, args=(scale,)) for scale in (1.0, 2.0, 3.0, 4.0)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_no_references_are_lost_or_leaked(core):
    x, state, buffer = np.ones(1000), np.zeros(2000), np.zeros(1000)
    held = (x, state, buffer)

    def rounds(count):
        for _ in range(count):
            core.energy_grad(x, 2.0)
            core.energy_grad(x, 2.0, out=(buffer, None))
            core.energy_vjp(x, 2.0, 1.0)
            core.energy_jvp(x, 2.0, x_dot=x)
            core.energy_hvp(x, 2.0, x_dot=x)
            core.step(x, state)
            core.step_vjp(x, state, x, state)
            core.step_jvp(x, state, x_dot=x)
            with pytest.raises(ValueError, match="shape"):
                core.energy_grad(x, 2.0, out=(state, None))
            with pytest.raises(TypeError):
                core.energy_grad(x, 2.0, out=(buffer, 1.0))
            with pytest.raises(ValueError, match="shape"):
                core.step_vjp(x, state, x, x)

    def memory():
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    rounds(50)
    counts, before = [sys.getrefcount(o) for o in held], memory()
    rounds(500)
    assert [sys.getrefcount(o) for o in held] == counts
    # One leaked array a round would be 4 MB and more.
    assert memory() - before < 3000


def test_docstrings_have_signature_and_shapes(core):
    assert str(inspect.signature(core.energy_grad)) == "(x, k, *, n=None, out=None)"
    assert str(inspect.signature(core.energy_jvp)) == "(x, k, *, x_dot=None, k_dot=None, n=None)"
    assert core.energy_grad.__doc__ == (
        "Value of 'energy' and its gradient with respect to x and k.\n"
        "\n"
        "x: float64 array of shape (n,)\n"
        "k: float\n"
        "n: int, given by the shapes\n"
        "out: tuple of arrays to hold the adjoints (overwritten), (x_bar, None); None: made\n"
        "\n"
        "Returns (value, (x_bar, k_bar))."
    )


def test_only_the_limited_api_is_used(built):
    symbols = subprocess.run(
        ["nm", "-D", "--undefined-only", str(built.library)], check=True, capture_output=True, text=True
    ).stdout
    used = set(re.findall(r"\b_?Py\w+", symbols))
    assert used
    # The two that the limited API's own macros mention.
    assert {name for name in used if name.startswith("_")} <= {"_Py_NoneStruct", "_Py_Dealloc"}
    assert "Py_LIMITED_API 0x030b0000" in built.made.source


def test_hvp_needs_a_scalar_function():
    with pytest.raises(ConfigError, match="the mode hvp of 'step' needs a function that returns a float"):
        extension("m", [Export(step_interface(), ("hvp",))])


def test_two_functions_of_one_name():
    function = make_interface(parse_signature("f(x)"), _scalar("a::f"))
    other = make_interface(parse_signature("f(x)"), _scalar("b::f"))
    with pytest.raises(ConfigError, match="two functions 'f'") as caught:
        extension("m", [Export(function), Export(other)])
    assert "python-name" in str(caught.value.hint)


def _scalar(symbol):
    from enzyme_build.bindings.dtypes import DTYPES
    from enzyme_build.bindings.native import NativeFunction, NativeParameter

    double = DTYPES["float64"]
    return NativeFunction(symbol, symbol, (NativeParameter("double", "", "x", double),), "double", "", double)
