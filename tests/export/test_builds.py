"""What a build does again when something changes, and what two builds of the same have in common."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from enzyme_build.toolchain import process

if TYPE_CHECKING:
    from conftest import Folder

CLANG = shutil.which("clang-22") or "clang"
pytestmark = pytest.mark.compile

MAKEFILE = """
OBJECTS = first.o second.o
use: use.o libunits.so
\t$(CC) -O2 use.o -L. -lunits -Wl,-rpath,. -o $@
libunits.so: $(OBJECTS)
\t$(CC) -shared $^ -o $@
%.o: %.c
\t$(CC) -O2 -fenzyme-export='unit_*' -c $< -o $@
"""
UNIT = "double unit_{name}(double x) {{ return {factor} * x * x; }}\n"
USE = """
#include <stdio.h>
double unit_first(double), unit_second(double);
double __enzyme_autodiff(void *, ...);
double loss(double x) { return unit_first(x) * unit_second(x); }
int main(void) { printf("%g\\n", __enzyme_autodiff((void *)loss, 1.0)); }
"""


def test_a_changed_unit_is_differentiated_and_no_other(folder: Folder) -> None:
    folder.write("Makefile", MAKEFILE)
    folder.write("use.c", USE)
    folder.write("first.c", UNIT.format(name="first", factor=2))
    folder.write("second.c", UNIT.format(name="second", factor=3))
    stages = folder.path / "stages"
    # By the name of the installed command, which is never taken for the compiler below it (make exports CC).
    script = folder.path / "enzyme-cc"
    script.write_text("#!/bin/sh\nexec " + shlex.join(folder.driver("cc")) + ' "$@"\n')
    script.chmod(0o755)
    folder.good("make", f"CC={script}")
    assert folder.good(folder.path / "use") == "24\n"
    untouched = (folder.path / "first.o").stat().st_mtime_ns

    folder.write("second.c", UNIT.format(name="second", factor=5))
    # The program stays: a shared library may change behind it.
    folder.good("make", f"CC={script}", "libunits.so", ENZYME_SAVE_STAGES=str(stages))
    derivatives = (stages / "derivatives.ll").read_text()
    assert ("unit_second" in derivatives, "unit_first" in derivatives) == (True, False)
    assert (folder.path / "first.o").stat().st_mtime_ns == untouched
    assert folder.good(folder.path / "use") == "40\n"
    assert "first.c" not in folder.good("make", f"CC={script}")


def test_a_refused_unit_is_refused_again(folder: Folder) -> None:
    """No object is left that the next run would take for made."""
    folder.write("Makefile", MAKEFILE.replace("unit_*", "unit_second"))
    folder.write("first.c", UNIT.format(name="first", factor=2))
    folder.write("second.c", "double other(double x); double unit_second(double x) { return other(x) * x; }\n")
    script = folder.path / "enzyme-cc"
    script.write_text("#!/bin/sh\nexec " + shlex.join(folder.driver("cc")) + ' "$@"\n')
    script.chmod(0o755)
    for _ in range(2):
        done = folder.run("make", f"CC={script}", "libunits.so")
        assert done.returncode
        assert "no derivative rule and no body for 'other' [E0100]" in done.stderr
        assert [path.name for path in sorted(folder.path.glob("*.o"))] == ["first.o"]


def test_a_unit_that_calls_another_is_left_to_the_link(folder: Folder) -> None:
    """The other is not differentiated again, whether it comes first or last."""
    folder.write("lower.c", "double lower(double x) { return x * x; }\n")
    folder.write("upper.c", "double lower(double); double upper(double x) { return lower(x) * x; }\n"
                            "double beside(double x) { return 3 * x; }\n")  # fmt: skip
    folder.write(
        "use.c",
        """
        double lower(double), upper(double), beside(double), __enzyme_autodiff(void *, ...);
        double g(double x) { return lower(x) + upper(x) + beside(x); }
        int main(void) { __builtin_printf("%g\\n", __enzyme_autodiff((void *)g, 2.0)); }
        """,
    )
    for line in ("upper.o lower.o", "lower.o upper.o"):
        done = folder.run(*folder.driver("cc"), *["-O2", "-fPIC", "-fenzyme-export=*", "-c", "upper.c", "lower.c"])
        assert done.returncode == 0
        assert done.stderr.count("warning: left to the link with -fenzyme-export are derivatives of 'upper': ") == 1
        assert b".enzyme_export" not in (folder.path / "upper.o").read_bytes()
        assert b".enzyme_export" in (folder.path / "lower.o").read_bytes()
        stages = folder.path / "stages"
        folder.compiled(f"-shared -fenzyme-export=* {line} -o libboth.so", ENZYME_SAVE_STAGES=str(stages))
        made = (stages / "derivatives.ll").read_text()
        assert "@upper(" in made
        assert not re.search(r"(?m)^define .*@lower\(", made)
        folder.compiled("-O2 use.c libboth.so -Wl,-rpath,. -o use")
        assert folder.good(folder.path / "use") == "19\n"


def test_a_program_does_not_start_with_a_library_of_other_conventions(folder: Folder) -> None:
    """What a caller relies upon is part of the names of the derivatives."""
    folder.write("use.c", USE)
    folder.write("units.c", UNIT.format(name="first", factor=2) + UNIT.format(name="second", factor=3))
    folder.export("units.c", "--function", "unit_*", "-o", "libunits.so")
    folder.compiled("-O2 use.c -L. -lunits -Wl,-rpath,. -o use")
    loop = "double unit_second(double x) { double y = x; for (int i = 0; i < s; i++) y *= y + s; return y; }\n"
    folder.write("units.c", UNIT.format(name="first", factor=2) + f"double s; void set(double v) {{ s = v; }}\n{loop}")
    folder.export("units.c", "--function", "unit_*", "-o", "libunits.so")
    done = folder.run(folder.path / "use")
    assert done.returncode != 0
    assert "undefined symbol: ad_export." in done.stderr


@pytest.mark.parametrize("flags", ["", "-g -ffile-prefix-map=@="])
def test_equal_sources_give_equal_bytes(library: Folder, folder: Folder, flags: str) -> None:
    """In every folder and run: objects, libraries, and programs with derivatives."""
    made = []
    for number, name in enumerate(("one", "another/folder")):
        path = folder.path / name
        path.mkdir(parents=True)
        for source in ("solver.c", "solver.h", "use.c"):
            shutil.copy(library.path / source, path)
        here = type(folder)(path)
        variables = {"PYTHONHASHSEED": str(number), "TMPDIR": str(path)}
        own = flags.replace("@", str(path))
        if not flags:
            here.export("solver.c", "--function", "s_*", "-o", "exported.so", **variables)
            here.good(
                *here.python("gradient", "solver.c", "--function", "s_sum(x[n], n, k)", "-o", "gradient.o"), **variables
            )
        here.compiled(f"-O2 {own} -fenzyme-export=s_* -c solver.c -o exported.o", **variables)
        here.compiled(f"-O2 {own} use.c solver.c -lm -o program", **variables)
        made.append({p.name: p.read_bytes() for p in path.iterdir() if p.suffix not in (".c", ".h")})
    assert sorted(made[0]) == sorted(made[1])
    assert [name for name in made[0] if made[0][name] != made[1][name]] == []


FORTRAN = """
module lengths
contains
  real(8) function length(x, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    length = sum(x**2) * norm2(x)
  end function
end module
"""
RUST = """
#[no_mangle]
pub extern "C" fn length(x: *const f64, n: usize) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n) }.to_vec();
    x.iter().map(|v| v * v).sum()
}
"""


@pytest.mark.parametrize(("name", "text", "tool"), [("a.f90", FORTRAN, "flang-22"), ("a.rs", RUST, "rustc")])
def test_equal_sources_give_equal_bytes_in_other_languages(folder: Folder, name: str, text: str, tool: str) -> None:
    if not shutil.which(tool) and not (tool == "rustc" and (Path.home() / ".cargo/bin/rustc").exists()):
        pytest.skip(f"{tool} not found")
    made = []
    for place in ("one", "another/folder"):
        here = type(folder)(folder.path / place)
        here.path.mkdir(parents=True)
        here.write(name, text)
        here.export(name, "--function", "length", "-o", "exported.so")
        for output in ("gradient.o", "gradient.so"):
            here.good(*here.python("gradient", name, "--function", "length(x[n], n)", "-o", output))
        made.append({p.name: p.read_bytes() for p in here.path.iterdir() if p.name != name})
    assert [file for file in made[0] if made[0][file] != made[1][file]] == []


REQUEST = """
program asks
  use lengths
  use enzyme
  real(8) :: x(3), b(3), y, s
  x = [1d0, 2d0, 3d0]
  b = 0
  s = 1
  call enzyme_autodiff(squares, x, b, y, s)
  if (abs(b(2) - 4d0) > 1d-12) stop 1
contains
  subroutine squares(x, y)
    real(8), intent(in) :: x(3)
    real(8), intent(out) :: y
    y = sum(x * x)
  end subroutine
end program
"""


def test_equal_sources_give_equal_bytes_by_the_fortran_driver(folder: Folder) -> None:
    """Objects, as with flang alone, and a program that asks for derivatives: no folder is in them."""
    made = []
    for number, name in enumerate(("one", "another/folder")):
        path = folder.path / name
        path.mkdir(parents=True)
        (path / "lengths.f90").write_text(FORTRAN)
        (path / "asks.f90").write_text(REQUEST)
        here = type(folder)(path)
        variables = {"PYTHONHASHSEED": str(number), "TMPDIR": str(path), "PWD": str(path)}
        here.compiled("-O2 -c lengths.f90 -o lengths.o", "fc", **variables)
        here.compiled("-O2 asks.f90 lengths.o -o asks", "fc", **variables)
        here.good(path / "asks")
        made.append({p.name: p.read_bytes() for p in path.iterdir() if p.suffix in ("", ".o", ".mod")})
    assert sorted(made[0]) == ["asks", "lengths.mod", "lengths.o"]
    assert made[0] == made[1]
    assert not any(str(folder.path).encode() in data for data in made[0].values())


USES = (
    """module numbers
  real(8) :: factor
end module
module more_numbers
  use iso_fortran_env
  real(8) :: offset
end module
module many
  use, intrinsic :: iso_c_binding
  use numbers
  use more_numbers
contains
"""
    + "".join(
        f"""  real(8) function f{n}(x)
    use numbers, only: scale => factor
    real(8), intent(in) :: x(:)
    f{n} = scale * sum(x) + offset
  end function
"""
        for n in range(12)
    )
    + "end module\n"
)


def test_what_procedures_use_stands_in_one_order(folder: Folder) -> None:
    """flang orders it by addresses."""
    if process.run(["setarch", "--addr-no-randomize", "true"]).returncode:
        pytest.skip("this system loads programs at random addresses, always")
    folder.write("many.f90", USES)
    made = set()
    for number in range(6):
        folder.compiled("-O2 -c many.f90 -o many.o", "fc", NUMBER="x" * 1000 * number)
        made.add((folder.path / "many.o").read_bytes())
    assert len(made) == 1


ABSOLUTE = {
    "main.c": """
typedef double (*function)(double);
function chosen(int);
void choose(function);
double length(const double *, int);
double scaled(double, double);
void __enzyme_autodiff(void *, ...);
double cube(double x) { return x * x * x; }
double loss(double *x, int n) { return chosen(n)(scaled(length(x, n), 2)); }
int main(int count, char **words) {
    if (count > 1)
        choose(cube);
    double x[3] = {1, 2, 3}, d[3] = {0};
    __enzyme_autodiff((void *)loss, x, d, 3);
}
""",
    "deep/scaled.c": "double scaled(double x, double y) { return x * y; }\n",
    "length.f90": """
real(8) function length(x, n) bind(c)
  integer, intent(in), value :: n
  real(8), intent(in) :: x(n)
  length = sqrt(sum(x**2))
end function
""",
    "plain.c": """
typedef double (*function)(double);
static double same(double x) { return x; }
static function kept = same;
void choose(function f) { kept = f; }
function chosen(int n) { return n ? kept : 0; }
""",
}


def test_absolute_names_do_not_name_the_folder(folder: Folder) -> None:
    """As CMake gives them: programs are the same wherever they were built, and messages still tell the file."""
    made = []
    for name in ("one", "another/folder"):
        path = folder.path / name
        for source, text in ABSOLUTE.items():
            (path / "source" / source).parent.mkdir(parents=True, exist_ok=True)
            (path / "source" / source).write_text(text)
        (path / "build").mkdir()
        here = type(folder)(path / "build")
        for source in ABSOLUTE:
            kind = "fc" if source.endswith(".f90") else "cc"
            compiler = [CLANG] if source == "plain.c" else folder.driver(kind)
            here.good(*compiler, "-O2", "-c", path / "source" / source, "-o", f"{Path(source).stem}.o", PWD=here.path)
        here.compiled("main.o scaled.o length.o plain.o -o program", "fc")
        stopped = here.run(here.path / "program")
        assert "\nenzyme_build: main.c:9" in f"\n{stopped.stderr}"
        for which in ("program", "plain.o"):
            made.append((here.path / which).read_bytes())
            assert str(folder.path).encode() not in made[-1]
        assert b".debug_" not in made[-2]
    assert made[:2] == made[2:]


def test_debug_data_that_is_asked_for_names_the_folder(folder: Folder) -> None:
    folder.write("lengths.f90", FORTRAN)
    for _ in range(2):  # the second time as a line of the same shape
        folder.compiled("-O2 -g -c lengths.f90 -o lengths.o", "fc", PWD=str(folder.path))
        assert str(folder.path).encode() in (folder.path / "lengths.o").read_bytes()
