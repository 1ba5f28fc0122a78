"""`enzyme-build gradient`: every form of output, used as a user would."""

from __future__ import annotations

import ctypes
import json
import math
import os
import shutil
import subprocess  # noqa: TID251 - the result is used with tools outside the package
import sys

import pytest

pytestmark = pytest.mark.compile

SOURCE = """
#include <math.h>
#include "helper.h"
double energy(const double *x, int n, double k) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += k * square(x[i]) + sin(x[i]);
  return sum;
}
static double hidden(double x) { return x * x; }
double visible(double x) { return hidden(x); }
"""
HELPER = "static inline double square(double x) { return x * x; }\n"
USE = """
#include <math.h>
#include <stdio.h>
#include "derivatives.h"
int main(void) {
  double x[2] = {1, 2}, x_bar[2] = {0, 0}, k_bar = 0;
  double value = energy_grad(x, x_bar, 2, 3, &k_bar);
  double error = fabs(value - energy(x, 2, 3)) + fabs(x_bar[0] - (6 + cos(1))) + fabs(x_bar[1] - (12 + cos(2)))
      + fabs(k_bar - 5);
  printf("%g\\n", error);
  return error > 1e-12;
}
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "energy.c").write_text(SOURCE)
    (tmp_path / "helper.h").write_text(HELPER)
    (tmp_path / "use.c").write_text(USE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def enzyme_build(*words):
    return subprocess.run(
        [sys.executable, "-m", "enzyme_build", *map(str, words)], capture_output=True, text=True, check=False
    )


def gradient(*words):
    done = enzyme_build("gradient", *words)
    assert done.returncode == 0, done.stderr
    return done


def clang():
    found = shutil.which("clang-22") or shutil.which("clang")
    assert found
    return found


@pytest.mark.parametrize("ending", ["o", "a"])
@pytest.mark.parametrize("beside", ["alone", "with the original object"])
def test_object_and_archive_link_with_and_without_the_original(project, ending, beside):
    gradient("energy.c", "-f", "energy", "-o", f"derivatives.{ending}", "--header", "derivatives.h")
    objects = [f"derivatives.{ending}"]
    if beside != "alone":
        subprocess.run([clang(), "-c", "energy.c"], check=True)
        objects.insert(0, "energy.o")
    subprocess.run([clang(), "use.c", *objects, "-lm", "-o", "use"], check=True)
    subprocess.run(["./use"], check=True)


def test_shared_library_shows_only_what_was_asked_for(project):
    gradient("energy.c", "-f", "energy", "-o", "derivatives.so")
    names = subprocess.run(["nm", "-D", "--defined-only", "derivatives.so"], capture_output=True, text=True, check=True)
    assert {line.split()[-1] for line in names.stdout.splitlines()} == {"energy", "energy_grad"}


@pytest.mark.parametrize("ending", ["ll", "bc"])
def test_llvm_outputs_can_be_compiled(project, ending):
    gradient("energy.c", "-f", "energy", "-o", f"derivatives.{ending}", "--header", "derivatives.h")
    subprocess.run([clang(), "-Wno-override-module", "use.c", f"derivatives.{ending}", "-lm", "-o", "use"], check=True)
    subprocess.run(["./use"], check=True)


def test_seed_no_primal_and_chosen_arguments(project):
    gradient(
        "energy.c", "-f", "energy", "-o", "d.so", "--seed", "--no-primal", "--symbol", "dk", "--arg", "x:const",
        "--report", "report.json",
    )  # fmt: skip
    report = json.loads((project / "report.json").read_text())
    (made,) = report["derivatives"]
    assert made["declaration"] == "void dk(const double *x, int32_t n, double k, double *k_bar, double seed)"
    assert [a["activity"] for a in made["arguments"]] == ["const", "const", "out"]
    library = ctypes.CDLL(str(project / "d.so"))
    k_bar = ctypes.c_double(100)
    library.dk((ctypes.c_double * 2)(1, 2), 2, ctypes.c_double(3), ctypes.byref(k_bar), ctypes.c_double(10))
    assert k_bar.value == 150


def test_forward_mode(project):
    gradient("energy.c", "-f", "energy", "-o", "d.so", "--mode", "forward")
    jvp = ctypes.CDLL(str(project / "d.so")).energy_jvp
    jvp.restype = ctypes.c_double
    two, tangent, number = ctypes.c_double * 2, ctypes.c_double(), ctypes.c_double
    value = jvp(two(0, 2), two(1, 0), 2, number(3), number(1), ctypes.byref(tangent))
    assert value == pytest.approx(12 + 0.9092974268256817)
    assert tangent.value == pytest.approx(1 + 4)


def test_hessian_vector_product(project):
    gradient("energy.c", "-f", "energy", "-o", "d.so", "--mode", "hvp")
    hvp = ctypes.CDLL(str(project / "d.so")).energy_hvp
    hvp.restype = ctypes.c_double
    two, number = ctypes.c_double * 2, ctypes.c_double
    x_bar, product, k_bar, k_product = two(), two(), number(), number()
    by = ctypes.byref
    hvp(two(1, 2), two(1, 0), x_bar, product, 2, number(3), number(1), by(k_bar), by(k_product))
    assert list(x_bar) == pytest.approx([6 + math.cos(1), 12 + math.cos(2)])
    assert list(product) == pytest.approx([6 - math.sin(1) + 2, 4])
    assert (k_bar.value, k_product.value) == pytest.approx((5, 2))


def test_depfile_names_sources_and_headers(project):
    gradient("energy.c", "-f", "energy", "-o", "d.o", "--depfile", "d.d")
    text = (project / "d.d").read_text()
    assert text.startswith("d.o: energy.c")
    assert "helper.h" in text


def test_depfile_escapes_what_make_and_ninja_would_read_otherwise(project):
    folder = project / "no. #1 in $"
    folder.mkdir()
    for name in ("energy.c", "helper.h"):
        shutil.copy(project / name, folder)
    gradient("no. #1 in $/energy.c", "-f", "energy", "-o", "d.o", "--depfile", "d.d")
    text = (project / "d.d").read_text()
    assert text.startswith("d.o: no.\\ \\#1\\ in\\ $$/energy.c \\\n")
    assert text.rstrip().endswith("no.\\ \\#1\\ in\\ $$/helper.h")
    (project / "rules.mk").write_text("d.o: ; @echo built again\ninclude d.d\n")
    make = ["make", "--no-print-directory", "-f", "rules.mk", "d.o"]
    assert "up to date" in subprocess.run(make, capture_output=True, text=True, check=True).stdout
    os.utime(folder / "helper.h", (2**32, 2**32))
    assert subprocess.run(make, capture_output=True, text=True, check=True).stdout == "built again\n"


def test_objects_and_archives_as_inputs(project):
    subprocess.run([clang(), "-O1", "-fPIC", "-flto=thin", "-ffat-lto-objects", "-g", "-c", "energy.c"], check=True)
    subprocess.run(["ar", "rcs", "libenergy.a", "energy.o"], check=True)
    for given in ("energy.o", "libenergy.a"):
        gradient(given, "-f", "energy", "-o", "derivatives.o", "--header", "derivatives.h")
        subprocess.run([clang(), "use.c", "derivatives.o", "-lm", "-o", "use"], check=True)
        subprocess.run(["./use"], check=True)


def test_qualified_names_and_overloads(project):
    (project / "forces.cpp").write_text(
        "namespace forces {\n"
        "double power(double x) { return x * x; }\n"
        "double power(double x, int n) { double r = 1; while (n--) r *= x; return r; }\n"
        "double cube(double x) { return x * x * x; }\n"
        "}\n"
    )
    gradient("forces.cpp", "-f", "forces::cube", "-o", "d.so")
    derivative = ctypes.CDLL(str(project / "d.so")).cube_grad
    derivative.restype, bar = ctypes.c_double, ctypes.c_double()
    assert derivative(ctypes.c_double(2), ctypes.byref(bar)) == 8
    assert bar.value == 12
    done = enzyme_build("gradient", "forces.cpp", "-f", "forces::power", "-o", "d.so")
    assert done.returncode == 1
    assert done.stderr == (
        "error: 'forces::power' is the name of 2 functions\n"
        "  note: forces::power(double) at forces.cpp:2, symbol _ZN6forces5powerEd\n"
        "  note: forces::power(double, int) at forces.cpp:3, symbol _ZN6forces5powerEdi\n"
        "  hint: say which by its types, as in 'forces::power(double, int)'\n"
    )
    for name in ("_ZN6forces5powerEdi", "forces::power(double, int)", "power(double, int)(x, n)"):
        gradient("forces.cpp", "-f", name, "-o", "d.o", "--header", "d.h", "--symbol", "grad")
        assert "double grad(double x, double *x_bar, int32_t n);" in (project / "d.h").read_text()


def test_names_that_a_derivative_cannot_have(project):
    (project / "own.c").write_text(
        "double cube(double x) { return x * x * x; }\n"
        "double cube_grad(double x, double *x_bar) { *x_bar += 3 * x * x; return cube(x); }\n"
        "static __attribute__((noinline)) double cube_jvp(double x) { return 3 * x * x; }\n"
        "double slope(double x) { return cube_jvp(x); }\n"
    )
    words = ("gradient", "own.c", "-f", "cube", "-o", "d.o")
    assert enzyme_build(*words).stderr == (
        "error: the inputs define 'cube_grad' themselves\n"
        "  hint: give the derivative another name: --symbol cube_grad_2\n"
    )
    assert "the inputs define 'cube' themselves" in enzyme_build(*words, "--symbol", "cube").stderr
    assert enzyme_build(*words, "--symbol", "my cube").stderr == (
        "error: --symbol 'my cube' is no name of a function\n  hint: write letters, digits and _\n"
    )
    gradient("own.c", "-f", "cube", "-o", "d.o", "--symbol", "cube_grad_2")
    gradient("own.c", "-f", "cube", "-o", "d.o", "--mode", "forward")


def test_member_functions_and_their_objects(project):
    (project / "model.h").write_text("struct Model { double k[2]; int n; double energy(const double *x) const; };\n")
    (project / "model.cpp").write_text(
        '#include "model.h"\ndouble Model::energy(const double *x) const {\n'
        "  double sum = 0;\n  for (int i = 0; i < n; i++) sum += k[i] * x[i] * x[i];\n  return sum;\n}\n"
    )
    (project / "use.cpp").write_text(
        '#include "model.h"\n#include "d.h"\nint main() {\n'
        "  Model model{{1, 2}, 2}, model_bar{{0, 0}, 0};\n  double x[2] = {3, 4}, x_bar[2] = {0, 0};\n"
        "  bool good = energy_grad(&model, &model_bar, x, x_bar) == 41 && model_bar.k[1] == 16 && x_bar[0] == 6;\n"
        "  return good ? 0 : 1;\n}\n"
    )
    gradient("model.cpp", "-f", "Model::energy", "-o", "d.o", "--header", "d.h")
    subprocess.run([clang(), "-Wall", "-Werror", "use.cpp", "d.o", "-o", "use"], check=True)
    subprocess.run(["./use"], check=True)


def test_inline_functions_that_are_inlined_wherever_they_are_called(project):
    (project / "shapes.cpp").write_text(
        "namespace shapes {\nstruct Disc {\n  double r;\n  double area(double s) const { return 3 * r * r * s; }\n};\n"
        "inline double cube(double x) { return x * x * x; }\n"
        "template <class T> T twice(T x) { return x + x; }\n"
        "inline double never(double x) { return x; }\n}\n"
        "double use(double x) { return shapes::Disc{x}.area(x) + shapes::cube(x) + shapes::twice(x); }\n"
    )
    bar = ctypes.c_double()
    for name, value, slope in (("cube", 8, 12), ("twice<double>", 4, 2)):
        gradient("shapes.cpp", "-f", f"shapes::{name}", "-o", f"{name[:5]}.so", "--symbol", f"d{name[:5]}")
        library = ctypes.CDLL(str(project / f"{name[:5]}.so"))
        derivative = getattr(library, f"d{name[:5]}")
        derivative.restype, bar.value = ctypes.c_double, 0
        assert derivative(ctypes.c_double(2), ctypes.byref(bar)) == value
        assert bar.value == slope
    gradient("shapes.cpp", "-f", "shapes::Disc::area", "-o", "d.o", "--header", "d.h")
    assert "double area_grad(const void *this_" in (project / "d.h").read_text()
    assert enzyme_build("check", "shapes.cpp", "-f", "shapes::cube").stdout.endswith("none wrong\n")
    done = enzyme_build("gradient", "shapes.cpp", "-f", "shapes::never", "-o", "d.so")
    assert "no function 'shapes::never' is defined in the inputs" in done.stderr


MISTAKES = {
    "no such file": (["nope.c", "-f", "f", "-o", "d.o"], "error: no such file: 'nope.c'\n"),
    "no such function": (
        ["energy.c", "-f", "enrgy", "-o", "d.o"],
        "error: no function 'enrgy' is defined in the inputs\n  hint: did you mean 'energy'?\n",
    ),
    "ending": (
        ["energy.c", "-f", "energy", "-o", "d.zip"],
        "error: cannot tell what 'd.zip' should be\n  hint: its name must end in .o, .a, .so, .ll, .bc\n",
    ),
    "activity": (
        ["energy.c", "-f", "energy", "-o", "d.o", "--arg", "x:dop"],
        (
            "error: --arg x:dop: 'dop' is no activity\n"
            "  hint: write name:activity with one of const, dup, dupnoneed, out\n"
        ),
    ),
    "nothing active": (
        ["energy.c", "-f", "energy", "-o", "d.o", "--arg", "x:const", "--arg", "k:const"],
        "error: 'energy' has no active argument to differentiate with respect to\n",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(project, mistake):
    words, message = MISTAKES[mistake]
    done = enzyme_build("gradient", *words)
    assert (done.returncode, done.stderr) == (1, message)
    assert not list(project.glob("*d.*"))


def test_folder_that_does_not_exist(project):
    done = enzyme_build("gradient", "energy.c", "-f", "energy", "-o", "missing/d.o")
    assert done.returncode == 1
    assert done.stderr.startswith("error: cannot write 'missing/d.o': there is no folder")


def test_the_compilers_own_message_passes_through(project):
    (project / "bad.c").write_text("double f(double x) { return y; }\n")
    done = enzyme_build("gradient", "bad.c", "-f", "f", "-o", "d.o")
    assert done.returncode == 1
    assert "bad.c:1:29: error: use of undeclared identifier 'y'" in done.stderr
    assert done.stderr.endswith("error: 'bad.c' does not compile\n")


def test_a_failed_build_leaves_the_old_output(project):
    (project / "d.o").write_text("before")
    (project / "bad.c").write_text("double unknown(double);\ndouble f(double x) { return unknown(x); }\n")
    done = enzyme_build("gradient", "bad.c", "-f", "f", "-o", "d.o")
    assert done.returncode == 1
    assert "unknown" in done.stderr
    assert (project / "d.o").read_text() == "before"
    assert sorted(p.name for p in project.iterdir()) == ["bad.c", "d.o", "energy.c", "helper.h", "use.c"]


TOTAL = """
#include <stdexcept>
#include <vector>
extern "C" void twice(double *x, int n);
extern "C" double total(const double *x, int n) {
  if constexpr (sizeof(int) != 4) throw std::length_error("n");
  std::vector<double> copy(x, x + n);
  twice(copy.data(), n);
  double sum = 0;
  for (double value : copy) sum += value * value;
  return sum;
}
"""
TWICE = """
subroutine twice(x, n) bind(C)
  use iso_c_binding, only: c_double, c_int
  integer(c_int), value :: n
  real(c_double), intent(inout) :: x(n)
  if (n > 1000) print *, "long:", n
  x = 2 * x
end subroutine
"""
CALL_TOTAL = """
double total_grad(const double *, double *, int);
int main(void) {
  double x[2] = {1, 2}, x_bar[2] = {0, 0};
  return !(total_grad(x, x_bar, 2) == 20 && x_bar[0] == 8 && x_bar[1] == 16);
}
"""


@pytest.mark.skipif(not shutil.which("flang-22"), reason="flang not found")
def test_link_flags_name_the_runtimes_that_a_c_program_needs(project):
    for name, text in {"total.cpp": TOTAL, "twice.f90": TWICE, "call.c": CALL_TOTAL}.items():
        (project / name).write_text(text)
    flags = ["--compile-arg=-std=c++17", "--link-flags", "total.link"]  # the standard is not for Fortran's compiler
    gradient("total.cpp", "twice.f90", "-f", "total(x[n], n)", "-o", "total_grad.a", *flags)
    words = (project / "total.link").read_text().splitlines()
    assert [word.rpartition("/")[2] for word in words] == ["libflang_rt.runtime.a", "-lstdc++", "-lm"]
    subprocess.run([clang(), "call.c", "total_grad.a", "@total.link", "-o", "prog"], check=True)
    subprocess.run(["./prog"], check=True)


PAIR = """
struct pair { double a, b; };
double product(struct pair p) { return p.a * p.b; }
"""
CALL_PRODUCT = """
#include "product.h"
int main(void) {
  double a_bar = 0, b_bar = 0;
  return !(product_grad(3, &a_bar, 2, &b_bar) == 6 && a_bar == 2 && b_bar == 3);
}
"""


def test_parts_of_structs_in_registers_have_names_that_can_be_declared(project):
    (project / "product.c").write_text(PAIR)
    (project / "call.c").write_text(CALL_PRODUCT)
    gradient("product.c", "-f", "product", "-o", "product.o", "--header", "product.h")
    subprocess.run([clang(), "-Werror", "call.c", "product.o", "-lm", "-o", "prog"], check=True)
    subprocess.run(["./prog"], check=True)
