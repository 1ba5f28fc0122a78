"""How the time of a gradient grows with n when derivatives are taken after optimisation, and before.

Usage: python scaling.py [--plot FILE.png]
"""

from __future__ import annotations

import argparse
import ctypes
import subprocess  # noqa: TID251
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SOURCE = Path(__file__).with_name("normalize.c")
WAYS = {
    "after optimisation": (),
    "before optimisation": ("--ad-before-opt",),
}
SIZES = (500, 1000, 2000, 4000, 8000)


def build(folder: Path, name: str, options: Sequence[str]) -> Callable[..., None]:
    """normalize_grad(in, in_bar, out, out_bar, n): adjoints of the input from adjoints of the output."""
    library = folder / f"{name.replace(' ', '-')}.so"
    command = ["enzyme-build", "gradient", str(SOURCE), "--function", "normalize", "--no-primal", *options]
    subprocess.run([*command, "-o", str(library)], check=True)
    function = ctypes.CDLL(str(library)).normalize_grad
    function.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_int]
    function.restype = None
    return function


def measure(gradient: Callable[..., None], n: int) -> tuple[float, float]:
    """Time of a call, and the error of its result relative to the formula."""
    generator = np.random.default_rng(n)
    x, seed = generator.normal(size=n), generator.normal(size=n)
    norm = np.linalg.norm(x)
    expected = seed / norm - x * (x @ seed) / norm**3
    taken, error = [], 0.0
    while len(taken) < 5 or (sum(taken) < 0.1 and len(taken) < 200):
        x_bar, out = np.zeros(n), np.zeros(n)
        out_bar = seed.copy()  # the call clears it: it is the adjoint of memory that is overwritten
        addresses = [array.ctypes.data for array in (x, x_bar, out, out_bar)]
        start = time.perf_counter()
        gradient(*addresses, n)
        taken.append(time.perf_counter() - start)
        error = max(error, np.abs(x_bar - expected).max() / np.abs(expected).max())
    return float(np.median(taken)), error


def plot(file: str, times: dict[str, list[float]]) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 5), layout="constrained")
    for way, seconds in times.items():
        axes.loglog(SIZES, np.array(seconds) * 1e6, "o-", label=f"differentiated {way}")
    axes.set(xlabel="n", ylabel="time of a gradient [µs]", title="x / |x| with the norm inside the loop")
    axes.set_xticks(SIZES, SIZES)
    axes.minorticks_off()
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(file, dpi=120)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="save a plot as PNG")
    options = parser.parse_args()

    times: dict[str, list[float]] = {}
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for way, flags in WAYS.items():
            gradient = build(Path(folder), way, flags)
            results = [measure(gradient, n) for n in SIZES]
            times[way] = [seconds for seconds, _ in results]
            worst = max(worst, *(error for _, error in results))
    print(f"{'n':>6}" + "".join(f"{way + ' [µs]':>26}" for way in WAYS))
    for row, n in enumerate(SIZES):
        print(f"{n:6}" + "".join(f"{times[way][row] * 1e6:26.1f}" for way in WAYS))
    for way, seconds in times.items():
        power = np.polyfit(np.log(SIZES[1:]), np.log(seconds[1:]), 1)[0]
        print(f"{way}: grows as n^{power:.1f}")
    print(f"largest relative error {worst:.1e}")
    if options.plot:
        plot(options.plot, times)
        print(f"plot saved as {options.plot}")
    return 0 if worst < 1e-12 else 1


if __name__ == "__main__":
    raise SystemExit(main())
