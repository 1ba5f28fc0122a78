"""Fortran sources as inputs of the commands."""

from __future__ import annotations

import shutil
import subprocess  # noqa: TID251 - the command and the module run as a user runs them
import sys

import pytest

pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(not (shutil.which("flang-22") or shutil.which("flang")), reason="flang not found"),
]

KINDS = "module kinds\n  integer, parameter :: dp = kind(1d0)\nend module\n"
SPRINGS = """
module springs
  use kinds
contains
  real(dp) function energy(x, n, k)
    integer, intent(in) :: n
    real(dp), intent(in) :: x(n), k
    integer :: i
    energy = 0
    do i = 1, n - 1
      energy = energy + 0.5_dp * k * (x(i + 1) - x(i) - 1)**2
    end do
  end function

  subroutine scaled(a, y, n, m)
    integer, intent(in) :: n, m
    real(dp), intent(in) :: a(n, m)
    real(dp), intent(out) :: y(m)
    integer :: j
    do j = 1, m
      y(j) = sum(a(:, j)**2) * j
    end do
  end subroutine

  subroutine turned(a, y, n, m)
    integer, intent(in) :: n, m
    real(dp), intent(in) :: a(n, m)
    real(dp), intent(out) :: y(m)
    call scaled(a, y, n, m)
  end subroutine

  real(dp) function assumed(x)
    real(dp), intent(in) :: x(:)
    assumed = sum(x)
  end function

  function doubled(x, n) result(y)
    integer, intent(in) :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y(n)
    y = 2 * x
  end function
end module
"""
OUTSIDE = """
real(8) function f(x, n)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  f = sum(x**3)
end function
"""
USE = """
import numpy as np
import _core
x = np.array([0.0, 1.5, 2.0])
value, (x_bar, k_bar) = _core.energy_grad(x, 2.0)
np.testing.assert_allclose(value, 0.5)
np.testing.assert_allclose(x_bar, [-1, 2, -1])
np.testing.assert_allclose(k_bar, 0.25)
value, value_dot = _core.energy_jvp(x, 2.0, x_dot=np.ones(3), k_dot=1.0)
np.testing.assert_allclose(value_dot, 0.25)
a = np.arange(6.0).reshape(3, 2, order="F")  # a(n, m)
np.testing.assert_allclose(_core.scaled(a), [5, 100])
(a_bar,) = _core.scaled_vjp(a, np.ones(2))
np.testing.assert_allclose(a_bar, 2 * a * [1, 2])
np.testing.assert_allclose(_core.turned(np.arange(6.0).reshape(2, 3)), [5, 100])
print("fine")
"""


@pytest.fixture
def sources(tmp_path, monkeypatch):
    (tmp_path / "a_springs.f90").write_text(SPRINGS)
    (tmp_path / "kinds.f90").write_text(KINDS)
    (tmp_path / "f.f90").write_text(OUTSIDE)
    (tmp_path / "use.py").write_text(USE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words):
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)


def command(*words):
    return run("-m", "enzyme_build", *words)


def test_a_module_of_sources_in_any_order(sources):
    functions = [
        "springs::energy(x[n], n, k)",
        "springs::scaled(a[n, m], out y[m], n, m)",
        "turned(C a[m, n], out y[m], n, m)",
    ]
    words = [f"--function={signature}" for signature in functions]
    done = command("module", "a_springs.f90", "kinds.f90", "--name", "_core", *words)
    assert (done.returncode, done.stderr) == (0, "")
    done = run("use.py")
    assert (done.returncode, done.stdout) == (0, "fine\n"), done.stderr
    assert not list(sources.glob("*.mod"))


def test_a_gradient_takes_addresses_as_fortran_does(sources):
    done = command("gradient", "f.f90", "-f", "f", "-o", "f.so", "--header", "f.h", "--depfile", "f.d")
    assert (done.returncode, done.stderr) == (0, "")
    assert "double f_grad(const double *x, double *x_bar, const int32_t *n);" in (sources / "f.h").read_text()
    assert "f.f90" in (sources / "f.d").read_text()
    (sources / "call.py").write_text(
        "import ctypes\nlib = ctypes.CDLL('./f.so')\nlib.f_grad.restype = ctypes.c_double\n"
        "x, bar = (ctypes.c_double * 2)(1, 2), (ctypes.c_double * 2)()\n"
        "print(lib.f_grad(x, bar, ctypes.byref(ctypes.c_int(2))), *bar)\n"
    )
    assert run("call.py").stdout == "9.0 3.0 12.0\n"


BOUND = """
module waves
  use iso_c_binding
contains
  real(c_double) function height(x, n) bind(C, name="wave_height")
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    height = sum(x**3)
  end function
end module
"""


def test_names_of_modules_for_procedures_of_other_languages(sources):
    """Their debug information has the symbol alone."""
    (sources / "inside").mkdir()
    (sources / "inside" / "waves.f90").write_text(BOUND)
    for name in ("waves::height", "Waves::Height", "height", "wave_height"):
        done = command("check", "inside/waves.f90", "-f", f"{name}(x[n], n)")
        assert (done.returncode, "none wrong" in done.stdout) == (0, True), done.stderr
    done = command("check", "inside/waves.f90", "-f", "winds::height(x[n], n)")
    assert (done.returncode, "no function 'winds::height'" in done.stderr) == (1, True)


SQUARES = """
module squares
contains
  real(8) function square(x)
    real(8), intent(in) :: x
    square = x**2
  end function
end module
"""
SUMS = """
real(8) function sums(x, n)
  use squares
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  integer :: i
  sums = 0
  do i = 1, n
    sums = sums + square(x(i))
  end do
end function
"""
OF_CONSTANTS = """
program of_constants
  use sums_interface
  real(8) :: x_bar(2) = 0
  print *, sums_grad([1d0, 2d0], x_bar, 2), x_bar
end program
"""


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_what_procedures_of_other_files_only_read(sources, level):
    """Their callers may pass constants, and Python arrays that nobody may write to."""
    for name, text in (("squares", SQUARES), ("sums", SUMS), ("caller", OF_CONSTANTS)):
        (sources / f"{name}.f90").write_text(text)
    words = ["-f", "sums(x[n], n)", f"--compile-arg={level}", "squares.f90", "sums.f90"]
    done = command("gradient", *words, "-o", "sums.o", "--fortran-module", "sums_interface.f90")
    assert (done.returncode, done.stderr) == (0, "")
    flang = shutil.which("flang-22") or "flang"
    subprocess.run([flang, "sums_interface.f90", "caller.f90", "sums.o", "-o", "caller"], check=True)
    assert subprocess.run("./caller", capture_output=True, text=True, check=True).stdout.split() == ["5.", "2.", "4."]
    assert "warning" not in command("module", *words, "--name", "_sums").stderr


def test_check(sources):
    done = command("check", "kinds.f90", "a_springs.f90", "-f", "energy(x[n], n, k)")
    assert done.returncode == 0, done.stderr
    assert "none wrong" in done.stdout


def test_modules_compiled_before_are_dependencies(sources):
    (sources / "mods").mkdir()
    compiler = shutil.which("flang-22") or "flang"
    subprocess.run([compiler, "-c", "-J", "mods", "kinds.f90"], check=True)
    done = command("gradient", "a_springs.f90", "-f", "energy", "-I", "mods", "-o", "e.o", "--depfile", "e.d")
    assert (done.returncode, done.stderr) == (0, "")
    assert "mods/kinds.mod" in (sources / "e.d").read_text()


@pytest.mark.parametrize(
    ("signature", "message", "hint"),
    [
        ("assumed(x[n])", "is an assumed-shape, allocatable or pointer array", "with its shape: 'x(n)'"),
        ("doubled(y[n], x[n], n)", "'springs::doubled' returns an array", "a subroutine with an intent(out) argument"),
        ("energy(x[n], n[2], k)", "argument 'n' of 'energy' is one number in the source", ""),
        (
            "scaled(a[m, n], out y[m], n, m)",
            " in the source, but the signature says [m, n]",
            "'C' before the name turns them round",
        ),
        (
            "scaled(C b[k, l], out y[l], k, l)",
            " in the source, but the signature says [k, l]",
            "'C' before the name turns them round",
        ),
    ],
)
def test_what_python_cannot_call(sources, signature, message, hint):
    done = command("gradient", "kinds.f90", "a_springs.f90", "-f", signature, "-o", "e.o")
    assert done.returncode == 1
    assert message in done.stderr
    assert hint in done.stderr


def test_a_cycle_is_refused(sources):
    (sources / "kinds.f90").write_text("module kinds\nuse springs\nend module\n")
    done = command("gradient", "kinds.f90", "a_springs.f90", "-f", "energy", "-o", "e.o")
    assert done.returncode == 1
    assert "'a_springs.f90' uses module 'kinds' of 'kinds.f90'" in done.stderr
