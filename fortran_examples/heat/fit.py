"""Find the conductivities of a rod's layers from temperatures at one time: the model and its gradient are Fortran.

Usage: python fit.py [--plot FILE.png]
"""

from __future__ import annotations

import argparse

import heat_rod
import numpy as np
from scipy.optimize import minimize

LAYERS, STEPS = 20, 400


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plot", metavar="FILE.png")
    plot = parser.parse_args().plot

    true = np.where(np.arange(LAYERS) < LAYERS // 2, 1.0, 2.0)
    measured = heat_rod.temperatures(true, STEPS, LAYERS + 1)

    def misfit(conductivity: np.ndarray) -> tuple[float, np.ndarray]:
        value, (gradient,) = heat_rod.misfit_grad(conductivity, STEPS, measured)
        return value, gradient

    start = np.full(LAYERS, 1.5)
    direction = np.random.default_rng(1).normal(size=LAYERS)
    h = 1e-5
    ahead, behind = (heat_rod.misfit(start + t * direction, STEPS, measured) for t in (h, -h))
    slope = misfit(start)[1] @ direction
    print(f"gradient against finite differences: {abs(slope - (ahead - behind) / (2 * h)) / abs(slope):.1e}")

    bounds = [(0.1, 5.0)] * LAYERS
    fit = minimize(misfit, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 500, "ftol": 1e-15})
    print(f"misfit {misfit(start)[0]:.2e} -> {fit.fun:.2e} in {fit.nit} steps")
    if plot:
        import matplotlib as mpl

        mpl.use("Agg")
        import matplotlib.pyplot as plt

        plt.step(range(LAYERS), true, where="mid", label="true")
        plt.step(range(LAYERS), fit.x, where="mid", label="found")
        plt.xlabel("layer")
        plt.ylabel("conductivity")
        plt.legend()
        plt.savefig(plot, dpi=120)


if __name__ == "__main__":
    main()
