"""The stub of a generated module."""

from __future__ import annotations

import subprocess  # noqa: TID251 - tools outside the package
import sys

import pytest

from enzyme_build.bindings.extension import extension
from enzyme_build.bindings.methods import methods
from enzyme_build.bindings.stub import stub

from .functions import energy_interface, exports, step_interface

USE = """
import numpy as np
from numpy.typing import NDArray
from hand._core import energy, energy_grad, energy_hvp, energy_jvp, energy_vjp, step, step_jvp, step_vjp

x: NDArray[np.float64] = np.ones(3)
value: float = energy(x, 2.0, n=3)
value, (x_bar, k_bar) = energy_grad(x, 2, out=(x, None))
x_bar, k_bar = energy_vjp(x, 2.0, 1.0)
value, value_dot = energy_jvp(x, 2.0, x_dot=x)
x_bar, k_bar = energy_hvp(x, 2.0, k_dot=1)
y: NDArray[np.float64] = step(x, x, y=x)
(y, s), (y_dot, s_dot) = step_jvp(x, x, x_dot=x)
x_bar, s_bar = step_vjp(x, x, x, x)
k_bar.is_integer()
"""


def test_gradient():
    text = stub(methods(energy_interface(), ("reverse",)))
    assert text == (
        "import numpy as np\n"
        "from numpy.typing import NDArray\n"
        "\n"
        "def energy(x: NDArray[np.float64], k: float, *, n: int | None = None) -> float: ...\n"
        "def energy_grad(x: NDArray[np.float64], k: float, *, n: int | None = None, "
        "out: tuple[NDArray[np.float64] | None, None] | None = None) "
        "-> tuple[float, tuple[NDArray[np.float64], float]]: ...\n"
        "def energy_vjp(x: NDArray[np.float64], k: float, cotangent: float, *, n: int | None = None, "
        "out: tuple[NDArray[np.float64] | None, None] | None = None) -> tuple[NDArray[np.float64], float]: ...\n"
    )


def test_functions_of_numbers_need_no_numpy():
    from enzyme_build.bindings.interface import make_interface
    from enzyme_build.bindings.signature import parse_signature

    from .functions import SLOW

    interface = make_interface(parse_signature("slow(seconds)"), SLOW)
    assert stub(methods(interface, ())) == "def slow(seconds: float) -> float: ...\n"


def test_step_has_no_gradient():
    assert "step_grad" not in stub(methods(step_interface(), ("reverse", "forward")))


@pytest.mark.slow
def test_mypy_agrees(tmp_path):
    pytest.importorskip("mypy")
    package = tmp_path / "hand"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "_core.pyi").write_text(extension("hand._core", exports()).stub)
    (tmp_path / "use.py").write_text(USE)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "use.py", "hand/_core.pyi"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
