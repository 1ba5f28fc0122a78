"""`enzyme-fc`, and programs of Fortran and C, by real compilers."""

from __future__ import annotations

import os
import shutil
import stat
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Shell

pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(not (shutil.which("flang-22") or shutil.which("flang")), reason="flang not found"),
]

SOURCES = {
    "powers.f90": """
        module powers
        contains
          real(8) function cube(x)
            real(8), intent(in) :: x
            cube = x * x * x
          end function
        end module""",
    "loss.f90": """
        real(8) function loss(x, n) bind(C, name="loss")
          use iso_c_binding
          use powers, only: cube
          integer(c_int), value :: n
          real(8), intent(in) :: x(n)
          integer :: i
          loss = 0
          do i = 1, n
            loss = loss + cube(x(i))
          end do
        end function""",
    "fixed.for": """
      real*8 function loss(x, n) bind(C, name="loss")
      integer, value :: n
      real*8 x(n)
c     the sum of cubes
      loss = sum(x
     &       **3)
      end""",
    "talks.f90": """
        real(8) function loss(x, n) bind(C, name="loss")
          integer, value :: n
          real(8), intent(in) :: x(n)
          if (n < 0) then
            print *, 'negative length', n
            stop 1
          end if
          loss = sum(x**3)
        end function""",
    "gradient.c": """
        #include <stdio.h>
        double loss(const double *x, int n);
        void __enzyme_autodiff(void *, ...);
        extern int enzyme_dup, enzyme_const;
        int main(void) {
          double x[3] = {1, 2, 3}, x_bar[3] = {0};
          __enzyme_autodiff((void *)loss, enzyme_dup, x, x_bar, enzyme_const, 3);
          printf("%g %g %g\\n", x_bar[0], x_bar[1], x_bar[2]);
          return 0;
        }""",
    "program.f90": """
        program main
          use powers
          print '(f4.1)', cube(3d0)
        end program""",
    "gradient.f90": """
        program main
          use enzyme
          real(8), external :: cubes
          real(8) :: x(3) = [1d0, 2d0, 3d0], x_bar(3) = 0
          call enzyme_autodiff(cubes, x, x_bar, 3)
          print '(3(g0.3, 1x))', x_bar
        end program""",
    "cubes.f90": """
        real(8) function cubes(x, n)
          integer, intent(in) :: n
          real(8), intent(in) :: x(n)
          cubes = sum(x**3)
        end function""",
    "macro.F90": """
        #define POWER 3
        real(8) function loss(x, n) bind(C, name="loss")
          integer, value :: n
          real(8), intent(in) :: x(n)
          loss = sum(x**POWER)
        end function""",
}
GRADIENT = "3 12 27\n"


@pytest.fixture
def fortran(shell: Shell) -> Shell:
    for name, text in SOURCES.items():
        lines = text.lstrip("\n").splitlines()
        indent = 0 if name.endswith(".for") else 8
        (shell.folder / name).write_text("".join(line[indent:] + "\n" for line in lines))
    return shell.with_real_derivatives()


def fc(shell: Shell, line: str) -> None:
    done = shell.run(*shell.driver("fc"), *line.split())
    assert (done.returncode, done.stderr) == (0, "")


def output(shell: Shell, program: str = "./a.out") -> str:
    return shell.run(shell.folder / program).stdout


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-O2 -g", "-O3 -flto"])
def test_a_c_program_with_fortran_objects(fortran: Shell, level: str) -> None:
    fc(fortran, f"{level} -c powers.f90 loss.f90")
    assert fortran.built(f"{level} gradient.c powers.o loss.o") == GRADIENT


def test_fortran_sources_on_a_c_line(fortran: Shell) -> None:
    assert fortran.built("-O2 -std=c11 -Wall gradient.c powers.f90 loss.f90") == GRADIENT
    assert (fortran.folder / "powers.mod").exists()


def test_c_sources_on_a_fortran_line(fortran: Shell) -> None:
    (fortran.folder / "mods").mkdir()
    fc(fortran, "-O2 -Jmods -ffree-form powers.f90 loss.f90 gradient.c")
    assert output(fortran) == GRADIENT
    assert (fortran.folder / "mods/powers.mod").exists()


@pytest.mark.parametrize("ending", [".f", ".for", ".ftn", ".F", ".FOR", ".FTN", ".fpp"])
def test_fixed_form(fortran: Shell, ending: str) -> None:
    (fortran.folder / "fixed.for").rename(fortran.folder / f"other{ending}")
    fc(fortran, f"-O2 -c other{ending} powers.f90")
    assert fortran.built("-O2 gradient.c other.o") == GRADIENT


@pytest.mark.parametrize("line", ["macro.F90", "-cpp lower.f90"])
def test_preprocessing(fortran: Shell, line: str) -> None:
    shutil.copy(fortran.folder / "macro.F90", fortran.folder / "lower.f90")
    fc(fortran, f"-O2 -c {line} -o loss.o")
    assert fortran.built("-O2 gradient.c loss.o") == GRADIENT


def test_openmp_directives_are_read(fortran: Shell) -> None:
    source = (
        "subroutine s(x)\n real(8) :: x(9)\n integer :: i\n !$omp parallel do\n do i = 1, 9\n x(i) = i\n end do\nend\n"
    )
    (fortran.folder / "omp.f90").write_text(source)
    fc(fortran, "-O2 -fopenmp -c omp.f90")
    assert "__kmpc_fork_call" in fortran.run("nm", "omp.o").stdout


def test_fortran_programs_are_linked_by_flang(fortran: Shell) -> None:
    fc(fortran, "-O2 powers.f90 program.f90 -o prog")
    assert output(fortran, "prog") == "27.0\n"


@pytest.mark.parametrize("driver", ["cc", "fc"])
def test_the_runtime_of_fortran_comes_along(fortran: Shell, driver: str) -> None:
    fc(fortran, "-O2 -c talks.f90 gradient.c")
    done = fortran.run(*fortran.driver(driver), "-O2", "gradient.o", "talks.o", "-lm")
    assert (done.returncode, done.stderr) == (0, "")
    assert output(fortran) == GRADIENT


def test_the_runtime_comes_along_without_requests(fortran: Shell) -> None:
    (fortran.folder / "call.c").write_text(
        '#include <stdio.h>\ndouble loss(double *, int);\nint main(void) { double x = 2; printf("%g", loss(&x, 1)); }'
    )
    assert fortran.built("-O2 call.c talks.f90") == "8"


def test_errors_are_flangs(fortran: Shell) -> None:
    (fortran.folder / "bad.f90").write_text("program p\n x = = 1\nend\n")
    done = fortran.run(*fortran.driver("fc"), "-c", "bad.f90")
    assert done.returncode == 1
    assert "bad.f90" in done.stderr
    assert not (fortran.folder / "bad.o").exists()


def test_other_steps_are_flangs(fortran: Shell) -> None:
    done = fortran.run(*fortran.driver("fc"), "--version")
    assert "flang version" in done.stdout
    done = fortran.run(*fortran.driver("fc"), "-E", "macro.F90")
    assert "x**3" in done.stdout


def test_the_module_is_found(fortran: Shell) -> None:
    fc(fortran, "-O2 cubes.f90 gradient.f90")
    assert output(fortran).split() == ["3.00", "12.0", "27.0"]
    fc(fortran, "-fsyntax-only gradient.f90")


def test_the_module_is_found_in_any_kind_of_source(fortran: Shell) -> None:
    (fortran.folder / "fixed.for").write_text("      program p\n      include 'uses.inc'\n      end\n")
    (fortran.folder / "uses.inc").write_text("      USE ENZYME\n")
    fc(fortran, "-c fixed.for")


def test_users_of_a_module_that_uses_it_find_it_too(fortran: Shell) -> None:
    (fortran.folder / "asking.f90").write_text("module asking\n use enzyme\nend module\n")
    (fortran.folder / "other.f90").write_text("subroutine s\nend\n")
    text = (fortran.folder / "gradient.f90").read_text().replace("use enzyme", "use asking")
    (fortran.folder / "gradient.f90").write_text(text)
    for source in ("asking", "other", "cubes", "gradient"):
        fc(fortran, f"-O2 -c {source}.f90")
    fc(fortran, "gradient.o cubes.o asking.o")
    assert output(fortran).split() == ["3.00", "12.0", "27.0"]


def test_without_a_place_for_the_module_others_compile(fortran: Shell) -> None:
    (fortran.folder / "cache").write_text("no folder")
    cache = {"ENZYME_CACHE_DIR": str(fortran.folder / "cache")}
    done = fortran.run(*fortran.driver("fc"), "-c", "cubes.f90", **cache)
    assert (done.returncode, done.stderr) == (0, "")
    done = fortran.run(*fortran.driver("fc"), "-c", "gradient.f90", **cache)
    assert done.returncode == 1
    assert "cannot write the module 'enzyme'" in done.stderr


def test_a_module_of_the_users_own_comes_first(fortran: Shell) -> None:
    (fortran.folder / "mods").mkdir()
    (fortran.folder / "own.f90").write_text("module enzyme\n integer :: own = 3\nend module\n")
    (fortran.folder / "uses.f90").write_text("program p\n use enzyme\n print *, own\nend program\n")
    fc(fortran, "-Jmods -c own.f90")
    fc(fortran, "-Imods -c uses.f90")


def test_the_folder_of_the_module_for_other_build_tools(fortran: Shell) -> None:
    folder = fortran.run("python", "-m", "enzyme_build", "--fortran-include").stdout.strip()
    done = fortran.run("flang-22", "-fsyntax-only", f"-I{folder}", "gradient.f90")
    assert (done.returncode, done.stderr) == (0, "")


def test_without_debug_information_nothing_is_known_of_arguments(fortran: Shell) -> None:
    done = fortran.run(*fortran.driver("fc"), "-g0", "-O2", "cubes.f90", "gradient.f90")
    assert done.returncode == 1
    assert "compiled without debug information" in done.stderr


@pytest.mark.parametrize("debug", ["", "-g"])
def test_functions_of_c_take_addresses_too(fortran: Shell, debug: str) -> None:
    (fortran.folder / "scaled.c").write_text("double scaled(const double *x, int n, double k) { return k * x[n]; }\n")
    (fortran.folder / "asks.f90").write_text(
        "program p\n use enzyme\n use iso_c_binding\n interface\n"
        "  real(c_double) function scaled(x, n, k) bind(C)\n   import\n   real(c_double) :: x(*)\n"
        "   integer(c_int), value :: n\n   real(c_double), value :: k\n  end function\n end interface\n"
        " real(8) :: x(2) = [3, 4], x_bar(2) = 0, k = 5, k_bar = 0\n"
        " call enzyme_autodiff(scaled, enzyme_dup, x, x_bar, 1, k, k_bar)\n"
        + (" call enzyme_autodiff(scaled, x, x_bar, 1, k, k_bar)\n" if debug else "")
        + " print '(3(f0.1, 1x))', x_bar, k_bar\nend program\n"
    )
    fc(fortran, f"-O1 {debug} scaled.c asks.f90")
    assert output(fortran).split() == ([".0", "10.0", "8.0"] if debug else [".0", "5.0", "4.0"])


def test_a_device_as_the_output_stays_one(shell: Shell) -> None:
    """flang alone replaces it by a file, where it may: root would lose /dev/null."""
    device = shell.folder / "null"
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("devices are made by root only")
    (shell.folder / "small.f90").write_text("integer function one()\n one = 1\nend function\n")
    for _ in range(2):  # the second time as a line of the same shape
        done = shell.run(*shell.driver("fc"), "-c", "small.f90", "-o", "null")
        assert (done.returncode, done.stderr) == (0, "")
        assert stat.S_ISCHR(device.stat().st_mode)
