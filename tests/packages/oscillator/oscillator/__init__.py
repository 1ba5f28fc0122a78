"""A chain of masses on springs."""

from ._core import energy, energy_grad, energy_jvp, step, step_vjp, stiffness

__all__ = ["energy", "energy_grad", "energy_jvp", "step", "step_vjp", "stiffness"]
