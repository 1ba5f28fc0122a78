"""`enzyme-build module`: an extension module from sources."""

from __future__ import annotations

import os
import signal
import subprocess  # noqa: TID251 - the command and the module run as a user runs them
import sys

import pytest

pytestmark = pytest.mark.compile

SOURCE = """
#include <cmath>
namespace forces {
double energy(const double *x, int n, double k) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += 0.5 * k * x[i] * x[i] + std::sin(x[i]);
  return sum;
}
void step(const double *x, double *__restrict y, const double *mass, int n) {
  for (int i = 0; i < n; i++) y[i] = x[i] * x[i] / mass[i % 3];
}
}
"""
USE = """
import numpy as np
import _core
x = np.linspace(0.1, 1, 7)
value, (x_bar, k_bar) = _core.energy_grad(x, 2.0)
np.testing.assert_allclose(value, np.sum(x * x + np.sin(x)))
np.testing.assert_allclose(x_bar, 2 * x + np.cos(x))
np.testing.assert_allclose(k_bar, np.sum(x * x) / 2)
np.testing.assert_allclose(_core.energy_jvp(x, 2.0, x_dot=x)[1], x @ x_bar)
mass = np.array([1.0, 2.0, 4.0])
y, y_dot = _core.step_jvp(x, mass, x_dot=np.ones(7))
np.testing.assert_allclose(y, _core.step(x, mass))
np.testing.assert_allclose(y_dot, 2 * x / mass[np.arange(7) % 3])
(x_bar,) = _core.step_vjp(x, mass, np.ones(7))
np.testing.assert_allclose(x_bar, y_dot)
many = np.linspace(0.1, 1, 210).reshape(30, 7)
values, (x_bars, k_bars) = _core.energy_grad_batch(many, 2.0, threads=2)
np.testing.assert_allclose(values, np.sum(many * many + np.sin(many), axis=1))
np.testing.assert_allclose(x_bars, 2 * many + np.cos(many))
np.testing.assert_allclose(k_bars, np.sum(many * many, axis=1) / 2)
print("fine")
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "model.cpp").write_text(SOURCE)
    (tmp_path / "use.py").write_text(USE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words):
    return subprocess.run([sys.executable, *map(str, words)], capture_output=True, text=True, check=False)


def module(*words):
    return run("-m", "enzyme_build", "module", *words)


FUNCTIONS = ["-f", "forces::energy(x[n], n, k)", "-f", "forces::step(x[n], out y[n], const mass[3], n)"]


def test_both_functions_from_cxx(project):
    modes = ["--modes", "forces::energy:reverse,forward,batch"]
    done = module("model.cpp", "--name", "_core", *FUNCTIONS, *modes)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "_core.abi3.so\n"
    used = run("use.py")
    assert used.stdout == "fine\n", used.stderr
    assert sorted(p.name for p in project.iterdir()) == ["_core.abi3.so", "_core.pyi", "model.cpp", "use.py"]


def test_options_for_one_function(project):
    done = module(
        "model.cpp", "--name", "pkg._core", *FUNCTIONS, "--wrt", "forces::energy:k", "--modes", "forces::step:",
        "--modes", "forces::energy:reverse", "--python-name", "forces::energy:power", "-o", project, "--depfile", "m.d",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    stub = (project / "_core.pyi").read_text()
    assert [line.split("(")[0] for line in stub.splitlines() if line.startswith("def")] == [
        "def power", "def power_grad", "def power_vjp", "def step",
    ]  # fmt: skip
    assert "tuple[float, tuple[float]]" in stub
    assert (project / "m.d").read_text().split(":")[0].split() == [
        str(project / "_core.abi3.so"),
        str(project / "_core.pyi"),
    ]


def test_only_the_initialisation_function_is_visible(project):
    assert module("model.cpp", "--name", "_core", *FUNCTIONS).returncode == 0
    names = subprocess.run(["nm", "-D", "--defined-only", "_core.abi3.so"], capture_output=True, text=True, check=True)
    assert {line.split()[-1] for line in names.stdout.splitlines()} == {"PyInit__core"}


MISTAKES = {
    "no name": (["model.cpp", *FUNCTIONS], "error: --name missing\n  hint: or give --project pyproject.toml\n"),
    "no shapes": (
        ["model.cpp", "--name", "m", "-f", "forces::energy"],
        (
            "error: argument 'x' of 'forces::energy' is a pointer of unknown shape\n"
            "  hint: write the signature with shapes: 'energy(x[n], …)'\n"
        ),
    ),
    "which function": (
        ["model.cpp", "--name", "m", *FUNCTIONS, "--wrt", "x"],
        "error: --wrt x: for which function?\n  hint: write --wrt forces::energy:…\n",
    ),
    "file of another name": (
        ["model.cpp", "--name", "m", *FUNCTIONS, "-o", "other.so"],
        "error: the module 'm' must be in a file named 'm.…', not 'other.so'\n",
    ),
    "value without a project": (
        ["model.cpp", *FUNCTIONS, "--set", "optimise=1"],
        "error: --set is for the values of a project\n  hint: add --project pyproject.toml\n",
    ),
    "no project": (["--project", "nope.toml"], "error: cannot read 'nope.toml': No such file or directory\n"),
    "forgotten out": (
        ["model.cpp", "--name", "m", "-f", "forces::step(x[n], y[n], mass[3], n)"],
        (
            "error: argument 'y' of 'forces::step' is only written to, but the signature makes it an input\n"
            "  hint: mark it as a result: 'out y[…]'\n"
        ),
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(project, mistake):
    words, message = MISTAKES[mistake]
    done = module(*words)
    assert (done.returncode, done.stderr) == (1, message)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_build_leaves_nothing(project, number):
    (project / "scratch").mkdir()
    os.mkfifo(project / "endless.h")
    (project / "slow.c").write_text('#include "endless.h"\ndouble f(double x) { return x * x; }\n')
    build = subprocess.Popen(
        [sys.executable, "-m", "enzyme_build", "module", "slow.c", "--name", "slow", "-f", "f(x)"],
        env={**os.environ, "TMPDIR": str(project / "scratch")},  # noqa: TID251
    )
    # Opening succeeds when the compiler reads the other end.
    with (project / "endless.h").open("w"):
        build.send_signal(number)
    assert build.wait(20) == 128 + number
    assert sorted(p.name for p in project.iterdir()) == ["endless.h", "model.cpp", "scratch", "slow.c", "use.py"]
    assert not list((project / "scratch").iterdir())


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_folder_without_permission(project):
    (project / "closed").mkdir(mode=0o500)
    done = module("model.cpp", "--name", "m", *FUNCTIONS, "-o", "closed")
    assert done.returncode == 1
    assert "no permission to write" in done.stderr


WORDS_OF_PYTHON = """
double energy(const double *from, int in, double lambda, double *is) {
  double sum = 0;
  for (int i = 0; i < in; i++) sum += is[i] = lambda * from[i] * from[i];
  return sum;
}
double yield(double x) { return x * x; }
"""
USE_WORDS = """
import ast, inspect, numpy as np, _words
ast.parse(open("_words.pyi").read())
x, y = np.ones(2), np.zeros(2)
print(inspect.signature(_words.energy), _words.energy(x, lambda_=3.0, in_=2, is_=y)[0], y)
value, (x_bar, lambda_bar) = _words.energy_grad(x, lambda_=3.0, in_=2)
print(value, x_bar, lambda_bar, _words.energy_jvp(x, 3.0, lambda_dot=1.0)[1])
print(_words.energy_grad_batch(x, lambda_=np.array([3.0, 4.0]), in_=2)[0], _words.square(3.0))
try:
    _words.energy(x, lambda_="3")
except TypeError as error:
    print(error)
"""


def test_arguments_whose_names_are_words_of_python(tmp_path, monkeypatch):
    (tmp_path / "words.c").write_text(WORDS_OF_PYTHON)
    monkeypatch.chdir(tmp_path)
    words = ["words.c", "-f", "energy(from[in], in, lambda, out is[in])", "-f", "yield(x)"]
    modes = ["--modes", "energy:reverse,forward,batch", "--modes", "yield:reverse"]
    done = module(*words, *modes, "--name", "_words")
    assert done.returncode == 1
    assert done.stderr == (
        "error: 'yield' is a word of Python's own, and no name of a function there\n"
        "  hint: give another one with python-name: yield_\n"
    )
    done = module(*words, *modes, "--name", "_words", "--python-name", "yield:square")
    assert done.returncode == 0, done.stderr
    used = run("-c", USE_WORDS)
    assert used.stderr == ""
    assert used.stdout == (
        "(from_, lambda_, is_=None, *, in_=None) 6.0 [3. 3.]\n"
        "6.0 [6. 6.] 2.0 (2.0, array([1., 1.]))\n"
        "[6. 8.] 9.0\n"
        "energy(): argument 'lambda_' must be a real number, not str\n"
    )
    done = module(*words, "--name", "pkg.import")
    assert "must be an importable name like 'mypkg._core', not 'pkg.import'" in done.stderr
