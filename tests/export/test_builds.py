"""What a build does again when something changes, and what two builds of the same have in common."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Folder

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
