"""Fit a Gaussian mixture to points by gradient descent: the objective and its gradient are C, the descent is Python.

Usage: python fit.py [--steps N] [--plot FILE.png]
"""

from __future__ import annotations

import argparse
import time

import gmm
import numpy as np

POINTS, DIMENSION, COMPONENTS = 1000, 10, 25
GAMMA, WISHART = 1.0, 0
Parameters = tuple[np.ndarray, np.ndarray, np.ndarray]


def sample(generator: np.random.Generator) -> np.ndarray:
    """Points drawn from a mixture with its own weights, means and covariances."""
    weights = generator.dirichlet(np.full(COMPONENTS, 5.0))
    means = generator.normal(scale=2.0, size=(COMPONENTS, DIMENSION))
    shapes = 0.3 * generator.normal(size=(COMPONENTS, DIMENSION, DIMENSION)) + 0.5 * np.eye(DIMENSION)
    kinds = generator.choice(COMPONENTS, size=POINTS, p=weights)
    noise = generator.normal(size=(POINTS, DIMENSION))
    return means[kinds] + np.einsum("pij,pj->pi", shapes[kinds], noise)


def start(data: np.ndarray, generator: np.random.Generator) -> Parameters:
    """Equal weights, means on points, unit covariances."""
    packed = DIMENSION * (DIMENSION + 1) // 2
    means = data[generator.choice(POINTS, COMPONENTS, replace=False)].copy()
    return np.zeros(COMPONENTS), means, np.zeros((COMPONENTS, packed))


def value_and_gradient(parameters: Parameters, data: np.ndarray) -> tuple[float, Parameters]:
    alphas, means, icf = parameters
    return gmm.log_posterior_grad(alphas, means, icf, data, GAMMA, WISHART)


def relative_error(parameters: Parameters, data: np.ndarray, generator: np.random.Generator) -> float:
    """The gradient along a random direction against a central difference of fourth order."""
    direction = [generator.normal(size=p.shape) for p in parameters]

    def along(t: float) -> float:
        moved = (p + t * d for p, d in zip(parameters, direction, strict=True))
        return gmm.log_posterior(*moved, data, GAMMA, WISHART)

    h = 1e-4
    difference = (along(-2 * h) - 8 * along(-h) + 8 * along(h) - along(2 * h)) / (12 * h)
    _, gradient = value_and_gradient(parameters, data)
    slope = sum((g * d).sum() for g, d in zip(gradient, direction, strict=True))
    return abs(slope - difference) / abs(difference)


def descend(parameters: Parameters, data: np.ndarray, steps: int) -> tuple[Parameters, list[float]]:
    """Gradient descent with momentum and a step adapted to each parameter (Adam)."""
    first = [np.zeros_like(p) for p in parameters]
    second = [np.zeros_like(p) for p in parameters]
    losses = []
    for step in range(1, steps + 1):
        value, gradient = value_and_gradient(parameters, data)
        losses.append(-value / POINTS)
        for which, parameter in enumerate(parameters):
            slope = -gradient[which]
            first[which] += 0.1 * (slope - first[which])
            second[which] += 0.001 * (slope * slope - second[which])
            momentum, size = first[which] / (1 - 0.9**step), second[which] / (1 - 0.999**step)
            parameter -= 0.02 * momentum / (np.sqrt(size) + 1e-8)  # noqa: PLW2901 - in place
    return parameters, losses


def plot(file: str, losses: list[float]) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 5), layout="constrained")
    axes.plot(losses)
    axes.set(
        xlabel="step", ylabel="negative log posterior per point", title=f"{COMPONENTS} components, {POINTS} points"
    )
    axes.grid(alpha=0.3)
    figure.savefig(file, dpi=120)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--plot", metavar="FILE", help="save a plot as PNG")
    options = parser.parse_args()

    generator = np.random.default_rng(7)
    data = sample(generator)
    parameters = start(data, generator)
    error = relative_error(parameters, data, generator)
    count = sum(p.size for p in parameters)
    print(f"{count} parameters; gradient against finite differences: relative error {error:.1e}")
    begin = time.perf_counter()
    parameters, losses = descend(parameters, data, options.steps)
    spent = time.perf_counter() - begin
    print(f"{options.steps} steps in {spent:.2f} s ({spent / options.steps * 1e3:.1f} ms a step)")
    print(f"negative log posterior per point: {losses[0]:.3f} at the start, {losses[-1]:.3f} at the end")
    if options.plot:
        plot(options.plot, losses)
        print(f"plot saved as {options.plot}")
    return 0 if error <= 1e-6 and losses[-1] < losses[0] else 1


if __name__ == "__main__":
    raise SystemExit(main())
