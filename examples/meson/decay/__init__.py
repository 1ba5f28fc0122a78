"""Exponential decay, fitted to measurements by Newton's method with exact derivatives."""

import numpy as np

from ._core import misfit, misfit_grad, misfit_hvp

__all__ = ["fit", "misfit"]


def fit(times, values, rate=1.0, steps=20):
    """The amplitude and rate with the smallest misfit, from a first guess of the rate."""
    found = np.array([values[0], rate])
    for _ in range(steps):
        _, gradient = misfit_grad(times, values, *found)
        hessian = [
            misfit_hvp(times, values, *found, amplitude_dot=1.0, rate_dot=0.0),
            misfit_hvp(times, values, *found, amplitude_dot=0.0, rate_dot=1.0),
        ]
        found -= np.linalg.solve(hessian, gradient)
    return found
