# ruff: noqa: INP001
# mypy: ignore-errors
"""What decides how far Mars is from Earth in 1,000 days? The gradient of a C++ simulation with respect to its start.

Usage: python sensitivity.py [--plot FILE.png]
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

import numpy as np
import solar
from planets import NAMES, solar_system

if TYPE_CHECKING:
    from collections.abc import Callable

STEPS, DT = 1000, 1.0
EARTH, MARS = NAMES.index("Earth"), NAMES.index("Mars")


def distance(x: np.ndarray, v: np.ndarray, mass: np.ndarray) -> float:
    value: float = solar.distance_after(x, v, mass, STEPS, DT, EARTH, MARS)
    return value


def difference(start: tuple[np.ndarray, ...], which: int, step: float) -> np.ndarray:
    """The gradient by one of the arguments by central differences of fourth order."""
    gradient = np.zeros_like(start[which])
    for index in np.ndindex(gradient.shape):
        values = []
        for shift in (-2, -1, 1, 2):
            moved = [argument.copy() for argument in start]
            moved[which][index] += shift * step
            values.append(distance(*moved))
        gradient[index] = (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * step)
    return gradient


def seconds(call: Callable[[], object], runs: int = 15) -> float:
    """The median time of a call."""
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return sorted(taken)[runs // 2]


def plot(file: str, x: np.ndarray, v: np.ndarray, mass: np.ndarray, gradients: tuple[np.ndarray, ...]) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    path = solar.trajectory(x, v, mass, STEPS, 1, DT)
    figure, (orbits, bars) = plt.subplots(1, 2, figsize=(13, 5.5), layout="constrained")
    for body in range(5):
        orbits.plot(path[:, body, 0], path[:, body, 1], label=NAMES[body], lw=1)
    ends = path[-1, [EARTH, MARS]]
    orbits.plot(ends[:, 0], ends[:, 1], "k--o", ms=4, label="distance after 1,000 days")
    orbits.set(title="The inner planets over 1,000 days", xlabel="AU", ylabel="AU", aspect="equal")
    orbits.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    x_bar, v_bar, mass_bar = gradients
    at = np.arange(len(NAMES))
    bars.bar(at - 0.27, np.linalg.norm(x_bar, axis=1), 0.27, label="position [AU per AU]")
    bars.bar(at, np.linalg.norm(v_bar, axis=1), 0.27, label="velocity [AU per AU/day]")
    bars.bar(at + 0.27, np.abs(mass_bar), 0.27, label="mass [AU per solar mass]")
    bars.set(title="How strongly the distance depends on each body's start", yscale="log")
    bars.set_xticks(at, NAMES, rotation=30)
    bars.legend(fontsize=8)
    figure.savefig(file, dpi=120)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE", help="save a plot as PNG")
    options = parser.parse_args()

    start = solar_system()
    value, gradients = solar.distance_after_grad(*start, STEPS, DT, EARTH, MARS)
    print(f"distance of Earth and Mars after {STEPS} days: {value:.6f} AU")
    strongest = np.unravel_index(np.abs(gradients[1]).argmax(), gradients[1].shape)
    print(f"most sensitive to the velocity of {NAMES[strongest[0]]}: {gradients[1][strongest]:.3f} AU per AU/day")

    worst = 0.0
    for which, (name, step) in enumerate((("positions", 4e-4), ("velocities", 1e-5), ("masses", 1e-5))):
        expected = difference(start, which, step)
        off = np.abs(gradients[which] - expected).max() / np.abs(expected).max()
        worst = max(worst, off)
        print(f"gradient by {name:10}: relative error against finite differences {off:.1e}")

    primal = seconds(lambda: distance(*start))
    gradient = seconds(lambda: solar.distance_after_grad(*start, STEPS, DT, EARTH, MARS))
    count = sum(argument.size for argument in start)
    print(
        f"simulation {primal * 1e3:.2f} ms; simulation and gradient by {count} inputs {gradient * 1e3:.2f} ms", end=""
    )
    print(f" ({gradient / primal:.1f} times; finite differences would take {2 * count} times)")
    before, after = solar.energy_after(*start, 0, DT), solar.energy_after(*start, STEPS, DT)
    print(f"energy changed by {abs(after / before - 1):.1e} relative")

    if options.plot:
        plot(options.plot, *start, gradients)
        print(f"plot saved as {options.plot}")
    return 0 if worst <= 1e-6 else 1


if __name__ == "__main__":
    raise SystemExit(main())
