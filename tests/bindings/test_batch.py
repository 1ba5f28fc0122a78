"""Functions of batches of the generated extension module: the same as a loop over the items."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

pytestmark = pytest.mark.compile
COUNT = 7
RANDOM = np.random.default_rng(3)
X = RANDOM.normal(size=(COUNT, 3))
K = RANDOM.normal(size=COUNT)
V = RANDOM.normal(size=(COUNT, 3))


@pytest.fixture
def core(built):
    return built.module


def same(found, items):
    """A result of a batch, against those of single calls."""
    if isinstance(found, tuple):
        for index, part in enumerate(found):
            same(part, [item[index] for item in items])
        return
    np.testing.assert_array_equal(found, np.stack([np.asarray(item) for item in items]))


@pytest.mark.parametrize("threads", [None, 1, 2, 3, 100, 0])
def test_all_kinds_are_loops_over_the_items(core, threads):
    each = list(zip(X, K, V, strict=True))
    same(core.energy_batch(X, K, threads=threads), [core.energy(x, k) for x, k, _ in each])
    same(core.energy_grad_batch(X, K, threads=threads), [core.energy_grad(x, k) for x, k, _ in each])
    same(core.energy_vjp_batch(X, K, K, threads=threads), [core.energy_vjp(x, k, k) for x, k, _ in each])
    found = core.energy_jvp_batch(X, K, x_dot=V, threads=threads)
    same(found, [core.energy_jvp(x, k, x_dot=v) for x, k, v in each])
    found = core.energy_hvp_batch(X, K, x_dot=V, k_dot=K, threads=threads)
    same(found, [core.energy_hvp(x, k, x_dot=v, k_dot=k) for x, k, v in each])


def test_what_has_no_leading_axis_is_for_all(core):
    same(core.energy_grad_batch(X[0], K), [core.energy_grad(X[0], k) for k in K])
    same(core.energy_grad_batch(X, 2), [core.energy_grad(x, 2) for x in X])
    same(core.energy_vjp_batch(X, 2, 3.0), [core.energy_vjp(x, 2, 3.0) for x in X])
    same(core.energy_jvp_batch(X[0], 2, k_dot=K), [core.energy_jvp(X[0], 2, k_dot=k) for k in K])
    same(core.energy_jvp_batch(X, 2, x_dot=V[0], n=3), [core.energy_jvp(x, 2, x_dot=V[0]) for x in X])


def test_what_the_function_changes_is_returned(core):
    state = RANDOM.normal(size=(COUNT, 6))
    before = state.copy()

    def single(x, s):
        changed = s.copy()
        return core.step(x, changed), changed

    same(core.step_batch(X, state), [single(x, s) for x, s in zip(X, state, strict=True)])
    same(core.step_batch(X, state[0], threads=2), [single(x, state[0]) for x in X])
    np.testing.assert_array_equal(state, before)
    y_bar, s_bar = RANDOM.normal(size=(COUNT, 3)), RANDOM.normal(size=6)
    found = core.step_vjp_batch(X, state, y_bar, s_bar)
    same(found, [core.step_vjp(x, s, y, s_bar) for x, s, y in zip(X, state, y_bar, strict=True)])
    dots = RANDOM.normal(size=(COUNT, 6))
    found = core.step_jvp_batch(X, state, x_dot=V, s_dot=dots)
    same(found, [core.step_jvp(x, s, x_dot=v, s_dot=d) for x, s, v, d in zip(X, state, V, dots, strict=True)])


def test_types_of_every_kind(core):
    a = RANDOM.normal(size=(COUNT, 2, 3)).astype(np.float32)
    flags, index = np.arange(COUNT) % 2 == 0, RANDOM.integers(0, 6, size=(COUNT, 6)).astype(np.int32)
    scale = np.ones(COUNT)
    found = core.mixed_batch(a, flags, index, scale)
    assert found.dtype == np.float32
    each = zip(a, flags.tolist(), index, scale, strict=True)
    same(found, [np.float32(core.mixed(*item)) for item in each])


def test_an_empty_batch(core):
    value, (x_bar, k_bar) = core.energy_grad_batch(np.zeros((0, 3)), 1.0, threads=4)
    assert value.shape == (0,)
    assert x_bar.shape == (0, 3)
    assert k_bar.shape == (0,)


def test_threads_run_side_by_side_without_the_lock(core):
    started = time.perf_counter()
    ticks = []
    caller = threading.Thread(target=lambda: core.slow_batch(np.full(8, 0.5), threads=8))
    other = threading.Thread(target=lambda: ticks.append(time.perf_counter() - started))
    caller.start()
    other.start()
    caller.join()
    other.join()
    assert time.perf_counter() - started < 3  # 4 s one behind the other
    assert ticks[0] < 0.5


MISTAKES = {
    "no batch": (
        lambda core: core.energy_batch(X[0], 2.0),
        TypeError,
        "energy_batch(): no argument has a leading axis for the items of the batch",
    ),
    "lengths of batches": (
        lambda core: core.energy_batch(X, K[:-1]),
        ValueError,
        "energy_batch(): the leading axis of 'k' has 6 items, others have 7",
    ),
    "shape": (
        lambda core: core.energy_jvp_batch(X, 1.0, x_dot=V[:, :2].copy()),
        ValueError,
        "energy_jvp_batch(): argument 'x_dot' must have shape (n,) = (3,), got (2,)",
    ),
    "axes": (
        lambda core: core.energy_batch(X[None], 1.0),
        ValueError,
        "energy_batch(): argument 'x' must have shape (n,), got (1, 7, 3)",
    ),
    "type": (
        lambda core: core.energy_batch(X, K.astype(np.float32)),
        TypeError,
        ("energy_batch(): argument 'k' must have dtype float64, not float32; convert it with .astype(numpy.float64)"),
    ),
    "order": (
        lambda core: core.energy_batch(X[:, ::-1], K),
        ValueError,
        "energy_batch(): argument 'x' must be contiguous in C order; numpy.ascontiguousarray makes a copy that is",
    ),
    "length for each": (
        lambda core: core.count_batch(np.arange(3, dtype=np.int32)),
        ValueError,
        "count_batch(): argument 'n' is a length: it must be one number for all items",
    ),
    "threads": (
        lambda core: core.energy_batch(X, K, threads=-1),
        OverflowError,
        "energy_batch(): argument 'threads' does not fit a number of threads: -1",
    ),
    "no tangent": (
        lambda core: core.energy_jvp_batch(X, K),
        TypeError,
        "energy_jvp_batch() needs at least one tangent: x_dot, k_dot",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(core, mistake):
    call, kind, message = MISTAKES[mistake]
    with pytest.raises(kind) as caught:
        call(core)
    assert str(caught.value) == message
