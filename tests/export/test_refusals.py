"""What cannot be exported or used is refused with the cause and what to do."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Folder

pytestmark = pytest.mark.compile
CLANG = shutil.which("clang-22") or "clang"
PROGRAM = """
extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_width, enzyme_strong_zero;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
DECLARATION
double loss(double *x, double *w) { return USE; }
int main(void) {
  double x[2] = {1, 2}, x_bar[2] = {0}, w[2] = {3, 4};
  REQUEST;
  __builtin_printf("%.6f %.6f\\n", x_bar[0], x_bar[1]);
}
"""
DECLARED = "double s_sum(const double *x, int n, double k);"
REQUEST = "__enzyme_autodiff((void *)loss, enzyme_dup, x, x_bar, enzyme_const, w)"


def refused(
    library: Folder, tmp_path: Path, use: str, *, request: str = REQUEST, declared: str = DECLARED, link: str = ""
) -> str:
    program = PROGRAM.replace("DECLARATION", declared).replace("USE", use).replace("REQUEST", request)
    (tmp_path / "program.c").write_text(program)
    return library.refused(f"-O1 -g {tmp_path / 'program.c'} {link or 'libsolver.a'} -lm -o {tmp_path / 'program'}")


def test_other_activities(library: Folder, tmp_path: Path) -> None:
    said = refused(library, tmp_path, "x[0] * s_sum(w, 2, x[1])")
    assert re.search(
        r"program\.c:6:\d+: error: no exported derivative of 's_sum' is for reverse\(const, const, out\)", said
    )
    assert "note: exported: reverse(dup, const, out)" in said
    assert "--function with 's_sum:reverse:1=const,2=const,3=out'" in said
    assert "[E0350]" in said


def test_a_declaration_without_parameters(library: Folder, tmp_path: Path) -> None:
    said = refused(library, tmp_path, "s_sum(x, 2, 1.0)", declared="double s_sum();")
    assert "program.c:6:" in said
    assert "cannot differentiate a call of 's_sum', which is declared here without parameters [E0142]" in said


def test_what_the_hint_says_helps(library: Folder, tmp_path: Path) -> None:
    shutil.copy(library.path / "solver.h", tmp_path)
    shutil.copy(library.path / "solver.c", tmp_path)
    wanted = "s_sum:reverse:1=const,2=const,3=out"
    library.export(
        str(tmp_path / "solver.c"), "-f", "s_sum", "-f", wanted, "-o", str(tmp_path / "more.o"), "--arg", "n:const"
    )
    program = PROGRAM.replace("DECLARATION", DECLARED).replace("USE", "x[0] * s_sum(w, 2, x[1]) * s_sum(x, 2, 1)")
    (tmp_path / "program.c").write_text(program.replace("REQUEST", REQUEST))
    printed = []
    for unit in (tmp_path / "more.o", "solver.c"):
        library.compiled(f"-O1 {tmp_path / 'program.c'} {unit} -lm -o {tmp_path / 'program'}")
        printed.append(library.good(tmp_path / "program"))
    assert printed[0] == printed[1]


@pytest.mark.parametrize(
    ("request_", "cause"),
    [
        (REQUEST.replace("(void *)loss,", "(void *)loss, enzyme_strong_zero,"), "enzyme_strong_zero"),
        (
            "__enzyme_fwddiff((void *)loss, enzyme_width, 2, enzyme_dup, x, x_bar, x_bar, enzyme_const, w)",
            "run once for each of the 2 directions",
        ),
    ],
)
def test_what_exported_derivatives_cannot_do(library: Folder, tmp_path: Path, request_: str, cause: str) -> None:
    declared = DECLARED + " void s_smooth(double *x, int n);"
    said = refused(library, tmp_path, "s_smooth(x, 2), s_sum(x, 2, 1)", request=request_, declared=declared)
    assert cause in said
    assert "[E0352]" in said


def test_what_a_pattern_left_out_gets_no_active_data(library: Folder, tmp_path: Path) -> None:
    declared = DECLARED + " void s_set_scale(double s);"
    said = refused(library, tmp_path, "s_set_scale(x[0]), s_sum(x, 2, 1)", declared=declared)
    assert "exports derivatives, but none of 's_set_scale', which works on active data [E0350]" in said


@pytest.mark.parametrize(
    ("body", "variable"),
    [
        ("double cache; void keep(double x) { cache = x * x; }", "cache"),
        ("double *buffer; void keep(double *x) { buffer = x; }", "buffer"),
        ("double *buffer; double keep(double x) { buffer[0] = x; return x; }", "buffer"),
    ],
)
def test_what_is_left_in_global_variables(folder: Folder, body: str, variable: str) -> None:
    """Other functions may read it, whose derivatives do not know."""
    folder.write("keep.c", f"{body}\ndouble other(double x) {{ return x * x; }}\n")
    done = folder.run(*folder.python("export", "keep.c", "-f", "keep", "-o", "keep.o"))
    assert done.returncode == 1
    assert f"'keep': it leaves active numbers in the global variable '{variable}' [E0353]" in done.stderr
    done = folder.run(*folder.python("export", "keep.c", "-f", "*", "-o", "keep.o"))
    assert done.returncode == 0
    assert done.stderr.count("warning: left out are derivatives of 'keep'") == 1
    folder.write("keep.c", body)
    folder.compiled("-O1 -c -fenzyme-export=* keep.c -o only.o")
    assert b".enzyme_export" not in (folder.path / "only.o").read_bytes()  # its bitcode is better than nothing


CALLBACKS = """
double r(double);
double u_call(double (*f)(double), double x) { return f(x) * x; }
static double inner(double x) { return r(x); }
double u_one(double x) { return inner(x); }
double u_two(double x) { return inner(x) * 2; }
double u_square(double x) { return x * x; }
"""


USE_OF_SQUARE = """
double u_square(double x);
double __enzyme_autodiff(void *, ...);
double r(double x) { return x; }
int main(void) { return __enzyme_autodiff((void *)u_square, 3.0) != 6; }
"""


def test_of_a_whole_library_what_cannot_be_is_left_out(folder: Folder) -> None:
    folder.write("units.c", CALLBACKS)
    done = folder.run(*folder.python("export", "units.c", "-f", "u_*", "-o", "units.o"))
    assert done.returncode == 0
    for name, code in (("u_call", "E0102"), ("u_one", "E0100"), ("u_two", "E0100")):
        line = next(line for line in done.stderr.splitlines() if f"left out are derivatives of '{name}'" in line)
        assert line.startswith("units.c:")
        assert "warning: " in line
        assert line.endswith(f"[{code}]")
    assert done.stderr.count("warning:") == 3
    folder.write("use.c", USE_OF_SQUARE)
    folder.compiled("-O2 use.c units.o -o use")
    assert folder.run(folder.path / "use").returncode == 0
    # A function that is named must be there, and so must any of a pattern.
    for asked in (["-f", "u_*", "-f", "u_one"], ["-f", "u_[cot]*"]):
        done = folder.run(*folder.python("export", "units.c", *asked, "-o", "other.o"))
        assert done.returncode == 1
        assert "error: cannot differentiate 'u_one'" in done.stderr
        assert not (folder.path / "other.o").exists()


def test_derivatives_of_derivatives(library: Folder, tmp_path: Path) -> None:
    slope = f"void slope(double *x, double *x_bar) {{ double w[2] = {{3, 4}}; {REQUEST}; }}"
    program = PROGRAM.replace("DECLARATION", DECLARED).replace("USE", "s_sum(x, 2, 1)")
    request = "__enzyme_fwddiff((void *)slope, enzyme_dup, x, w, enzyme_dup, x_bar, w)"
    (tmp_path / "program.c").write_text(program.replace("REQUEST", request).replace("int main", f"{slope}\nint main"))
    said = library.refused(f"-O1 -g {tmp_path / 'program.c'} libsolver.a -lm -o {tmp_path / 'program'}")
    assert "derivatives that were exported have no derivatives of their own [E0352]" in said


def test_a_declaration_of_another_type(library: Folder, tmp_path: Path) -> None:
    said = refused(library, tmp_path, "s_sum(x, 2)", declared="double s_sum(const double *x, long n);")
    assert "'s_sum' is declared here as double (ptr, i64), and its exported derivatives are for " in said
    assert "[E0351]" in said


MARK = b"\x89EnzymeExport"


@pytest.mark.parametrize(
    ("at", "change", "cause"),
    [
        (200, b"\0", "it is damaged"),
        (0, b"SOMEBODY", "it was written by another program"),
        (16, b"\x07", "its format has version 7, known is 1"),
        (20, b"\xff\xff", "it is cut off"),
    ],
)
def test_sections_that_cannot_be_read(library: Folder, tmp_path: Path, at: int, change: bytes, cause: str) -> None:
    data = (library.path / "solver.o").read_bytes()
    place = data.index(MARK) + at
    broken = tmp_path / "broken.o"
    broken.write_bytes(data[:place] + change + data[place + len(change) :])
    said = refused(library, tmp_path, "s_sum(x, 2, 1)", link=str(broken))
    assert cause in said
    assert f"build '{broken}' anew" in said
    assert "[E0351]" in said


def test_sections_of_other_versions(library: Folder, tmp_path: Path) -> None:
    import struct
    import zlib

    data = bytearray((library.path / "solver.o").read_bytes())
    place = data.index(MARK)
    while (place := data.find(MARK, place)) >= 0:
        length = struct.unpack_from("<I", data, place + 20)[0]
        content = bytes(data[place + 32 : place + 32 + length]).replace(b"LLVM 2", b"LLVM 3")
        data[place + 32 : place + 32 + length] = content
        struct.pack_into("<I", data, place + 24, zlib.crc32(content))
        place += 32 + length
    old = tmp_path / "old.o"
    old.write_bytes(data)
    said = refused(library, tmp_path, "s_sum(x, 2, 1)", link=str(old))
    assert re.search(r"they were made with LLVM 3\d, conventions \w+, here is LLVM 2\d", said)


def test_hidden_derivatives(library: Folder, tmp_path: Path) -> None:
    (tmp_path / "only.map").write_text("{ global: s_*; local: *; };\n")
    shared = tmp_path / "libhidden.so"
    library.good(CLANG, "-shared", "solver.o", f"-Wl,--version-script={tmp_path / 'only.map'}", "-lm", "-o", shared)
    said = refused(library, tmp_path, "s_sum(x, 2, 1)", link=str(shared))
    assert "are not visible in it" in said
    assert "export 'ad_export.*' too" in said


def test_a_broken_library_is_no_matter_where_it_is_not_differentiated(library: Folder, tmp_path: Path) -> None:
    data = (library.path / "solver.o").read_bytes()
    place = data.index(MARK) + 200
    (tmp_path / "broken.o").write_bytes(data[:place] + b"\0" + data[place + 1 :])
    program = PROGRAM.replace("DECLARATION", DECLARED).replace("USE", "x[0] * s_sum(w, 2, 1)")
    (tmp_path / "program.c").write_text(program.replace("REQUEST", REQUEST))
    library.compiled(f"-O1 {tmp_path / 'program.c'} {tmp_path / 'broken.o'} -lm -o {tmp_path / 'program'}")
    library.good(tmp_path / "program")


GLOBALS = """
static double table[8];
double g_table(double x, int i) {
  table[i & 7] += x;
  return table[0] * table[1];
}
double g_plain(double x) { return x * x; }
__attribute__((noinline)) static double hidden(double x) { return x * x + 1; }
double g_user(double x) { return hidden(x); }
"""


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ("-f g_table", "it leaves active numbers in the global variable 'table'"),
        ("-f g_plan", "there is no function 'g_plan' to export derivatives of"),
        ("-f g_plain:backward", "'g_plain:backward' does not say what to export"),
        ("-f g_plain:reverse:x=dup", "argument 'x' of 'g_plain' cannot be 'dup'"),
        ("-f g_plain --arg y:const", "'g_plain': there is no argument 'y'"),
        ("-f g_plain --arg x=const", "'x=const' is no argument and activity"),
        ("-f hidden", "'hidden' is local to its source file"),
    ],
)
def test_what_cannot_be_exported(folder: Folder, words: str, cause: str) -> None:
    folder.write("g.c", GLOBALS)
    done = folder.run(*folder.python("export", "g.c", *words.split(), "-O", "0", "-o", "g.o"))
    assert done.returncode == 1
    assert cause in done.stderr
    assert not (folder.path / "g.o").exists()


@pytest.mark.parametrize(("units", "function"), [("g.o", "g_plain"), ("other.c g.o", "g_plain"), ("g.o", "g_*")])
def test_machine_code_is_named_with_its_compiler(folder: Folder, units: str, function: str) -> None:
    folder.write("g.c", "double g_plain(double x) { return x * x; }\n")
    folder.write("other.c", "double other(double x) { return x; }\n")
    folder.good(CLANG, "-O2", "-c", "g.c", "-o", "g.o")
    done = folder.run(*folder.python("export", *units.split(), "-f", function, "-o", "made.o"))
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: there is no function '{function}' to export derivatives of\n")
    assert "note: 'g_plain' is in 'g.o', which is machine code without bitcode, compiled by " in done.stderr
    assert "hint: compile it with enzyme-cc, enzyme-c++ or enzyme-fc, or give its source" in done.stderr


def test_a_library_of_what_was_exported_before_needs_no_code(folder: Folder) -> None:
    folder.write("g.c", "double g_plain(double x) { return x * x; }\n")
    folder.compiled("-O2 -c -fenzyme-export=g_plain g.c -o g.o")
    folder.compiled("-O2 -shared -fenzyme-export=g_* g.o -o g.so")
    assert b".enzyme_export" in (folder.path / "g.so").read_bytes()
