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
