"""Functions of which a link has machine code only: memory that they return may hold what they computed."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Folder

pytestmark = pytest.mark.compile
CLANG = shutil.which("clang-22") or "clang"
LIBRARY = """
static double table[1];
double *table_of(double x) {
  table[0] = x * x;
  return table;
}
"""
PROGRAM = """
#include <stdio.h>
double *table_of(double x);
double __enzyme_autodiff(void *, ...);
RULE
double f(double x) { return table_of(x)[0] * 2; }
int main(void) { printf("%g\\n", __enzyme_autodiff((void *)f, 1.5)); }
"""
RULE = """
struct both { double *result, *shadow; };
static double values[1], adjoints[1];
struct both augmented_table(double x) {
  values[0] = x * x;
  return (struct both){values, adjoints};
}
double reverse_table(double x) {
  double adjoint = adjoints[0];
  adjoints[0] = 0;
  return 2 * x * adjoint;
}
void *__enzyme_register_gradient_table[] = {(void *)table_of, (void *)augmented_table, (void *)reverse_table};
"""


@pytest.fixture
def table(folder: Folder) -> Folder:
    folder.write("table.c", LIBRARY)
    folder.good(CLANG, "-O1", "-c", "table.c")
    return folder


def test_without_a_rule_it_is_refused(table: Folder) -> None:
    table.write("use.c", PROGRAM.replace("RULE", ""))
    said = table.refused("-O2 -g use.c table.o -o use")
    assert "use.c:6:29: error: cannot differentiate 'f': no derivative rule and no body for 'table_of'" in said


def test_a_rule_gives_its_shadow(table: Folder) -> None:
    table.write("use.c", PROGRAM.replace("RULE", RULE))
    table.compiled("-O2 use.c table.o -o use")
    assert table.good(table.path / "use") == "6\n"


OVERRIDDEN = """
double g(double);
double __enzyme_autodiff(void *, ...);
double f(double x) { return 2 * g(x); }
int main(void) { __builtin_printf("%g %g\\n", f(3), __enzyme_autodiff((void *)f, 3.0)); }
"""


@pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc was found")
@pytest.mark.parametrize(
    "line",
    [
        "other.o libg.so",
        "libg.so other.o",
        "libother.a libg.so",
        "libother.so libg.so",
        "libother.so libg.a",
        "weak.o other.o",
    ],
)
def test_derivatives_of_a_definition_that_is_not_the_one_called_are_not_used(folder: Folder, line: str) -> None:
    square, cube = "double g(double x) { return x * x; }", "double g(double x) { return x * x * x; }"
    folder.write("main.c", OVERRIDDEN)
    folder.write("g.c", square)
    folder.write("weak.c", f"__attribute__((weak)) {square}")
    folder.write("other.c", cube)
    for unit, made in (("g.c", "libg.so"), ("g.c", "libg.a"), ("weak.c", "weak.o")):
        folder.export(unit, "--function", "g", "-o", made)
    folder.good("gcc", "-fPIC", "-c", "other.c")
    folder.good("gcc", "-shared", "other.o", "-o", "libother.so")
    folder.good("ar", "rcs", "libother.a", "other.o")
    said = folder.refused(f"-O2 main.c {line} -Wl,-rpath,. -o main")
    assert "no derivative rule and no body for 'g' [E0100]" in said
    assert "'g' is in '" in said
    assert "other." in said.partition("'g' is in '")[2].partition("'")[0]


def test_a_symbol_that_an_option_assigns_has_no_derivatives(folder: Folder) -> None:
    folder.write("main.c", OVERRIDDEN)
    folder.write("g.c", "double g(double x) { return x * x; }")
    folder.write("other.c", "double h(double x) { return x * x * x; }")
    folder.export("g.c", "--function", "g", "-o", "libg.so")
    said = folder.refused("-O2 main.c other.c libg.so -Wl,--defsym=g=h -o main")
    assert "no derivative rule and no body for 'g' [E0100]" in said
    said = folder.refused("-O2 main.c other.c g.c -Wl,--defsym=g=h -o main")
    assert "'--defsym' gives 'g' another meaning than its definition in '" in said


@pytest.mark.parametrize(
    "function", ["double g(double x) { return scale * x; }", "void step(double *x) { *x *= scale; }"]
)
def test_active_numbers_in_a_variable_of_the_library_are_refused(folder: Folder, function: str) -> None:
    """Its derivatives would take them for constant."""
    folder.write("lib.c", f"double scale = 1; {function}")
    folder.export("lib.c", "--function", "*", "-o", "lib.so")
    use = "return g(x);" if "g(" in function else "step(&x); return x;"
    folder.write(
        "main.c",
        f"""
        double g(double), __enzyme_autodiff(void *, ...);
        void step(double *);
        extern double scale;
        double f(double x) {{ SET {use} }}
        int main(void) {{ __builtin_printf("%g\\n", __enzyme_autodiff((void *)f, 3.0)); }}""",
    )
    text = (folder.path / "main.c").read_text()
    folder.write("main.c", text.replace("SET", "scale = x * x;"))
    said = folder.refused("-O2 main.c ./lib.so -o main")
    assert "without body may read the global variable 'scale', whose numbers depend on active arguments" in said
    assert "hint: pass it to the function" in said
    folder.write("main.c", text.replace("SET", ""))
    folder.compiled("-O2 main.c ./lib.so -o main")
    assert folder.good(folder.path / "main") == "1\n"


def test_a_weak_definition_gives_way_to_another_with_derivatives(folder: Folder) -> None:
    folder.write("main.c", OVERRIDDEN)
    folder.write("weak.c", "__attribute__((weak)) double g(double x) { return x * x; }")
    folder.write("other.c", "double g(double x) { return x * x * x; }")
    for name in ("weak", "other"):
        folder.export(f"{name}.c", "--function", "g", "-o", f"{name}.o")
    folder.compiled("-O2 main.c weak.o other.o -o main")
    assert folder.good(folder.path / "main") == "54 54\n"
