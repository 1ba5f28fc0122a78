"""Warnings of the pass: what is probably not meant, in classes as a compiler's."""

from __future__ import annotations

import re
import subprocess  # noqa: TID251 - the driver is started as a user does
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

DRIVER = [sys.executable, "-c", "import sys; from enzyme_build.drivers import cc; sys.exit(cc())"]

PROGRAM = """extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
double f(const double *x, double *log, const double *unused, double a)
{
    log[0] = x[0] * a;
    double t = x[1] == 0.0 ? 1.0 : x[0] / x[1];
    return t * a + (int)(x[0] * 3.0);
}
double g(const double *x, double b)
{
    return x[0];
}
int main(void)
{
    double x[2] = {1, 2}, bar[2] = {0}, log[1], u[2], v[2] = {0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar, enzyme_const, log, enzyme_dup, u, v, enzyme_const, 1.0);
    return __enzyme_autodiff((void *)g, enzyme_const, x, 2.0) > 1.0;
}
"""


def warned(folder: Path, options: str) -> tuple[int, list[str]]:
    """The exit code, and class and line of each warning or error."""
    (folder / "w.c").write_text(PROGRAM)
    command = [*DRIVER, "-O2", "-g", *options.split(), "w.c", "-o", "w"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    found = re.findall(r"w\.c:(\d+):\d+: (warning|error): .* \[-Wenzyme-([a-z-]+)\]", done.stderr)
    return done.returncode, [f"{kind} {name} {line}" for line, kind, name in found]


DEFAULT = ["warning inactive-argument 16", "warning constant-output 16", "warning inactive-argument 17"]


@pytest.mark.compile
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", DEFAULT),
        ("-Wno-enzyme", []),
        ("-Wno-enzyme-inactive-argument", DEFAULT[1:2]),
        ("-Wno-enzyme -Wenzyme-rounding", ["warning rounding 7"]),
        ("-Wno-enzyme -Wenzyme-all -Wno-enzyme-inactive-argument -Wno-enzyme-constant-output",
         ["warning equality 6", "warning rounding 7"]),
    ],
)  # fmt: skip
def test_classes(tmp_path: Path, options: str, expected: list[str]) -> None:
    code, found = warned(tmp_path, options)
    assert code == 0
    assert sorted(found) == sorted(expected)


@pytest.mark.compile
def test_made_an_error(tmp_path: Path) -> None:
    code, found = warned(tmp_path, "-Wno-enzyme -Werror=enzyme-constant-output")
    assert code == 1
    assert found == ["error constant-output 16"]
    assert not (tmp_path / "w").exists()


HIDDEN = """double __enzyme_autodiff(void *, ...);
void register_memory(double *);
void flush(void);
double get(void);
void log_step(int);
double tell(void) __attribute__((const));
void *__enzyme_inactivefn[] = {(void *)log_step};
__attribute__((noinline)) static void step(int n)
{
    while (n--)
        flush();
}
double f(double *x)
{
    log_step(1);
    step(2);
    double y = x[0] * x[0] * tell();
    flush();
    return y * get();
}
double g(double x)
{
    double kept[2] = {x, x * x};
    flush();
    return kept[0] * kept[1] * get();
}
int main(void)
{
    double x[1] = {2}, bar[1] = {0};
    register_memory(x);
    __enzyme_autodiff((void *)REQUESTED, ARGUMENTS);
}
"""
ELSEWHERE = """static double *kept;
void register_memory(double *p) { kept = p; }
void flush(void) { kept[0] = 3; }
double get(void) { return kept[0]; }
void log_step(int n) {}
double tell(void) { return 2; }
"""


@pytest.mark.compile
@pytest.mark.parametrize(
    ("requested", "arguments", "expected"),
    [("f", "x, bar", [("18", "flush"), ("19", "get")]), ("g", "x[0]", [])],
    ids=["memory of an argument", "memory of its own"],
)
def test_memory_that_others_may_have(
    tmp_path: Path, requested: str, arguments: str, expected: list[tuple[str, str]]
) -> None:
    (tmp_path / "w.c").write_text(HIDDEN.replace("REQUESTED", requested).replace("ARGUMENTS", arguments))
    (tmp_path / "elsewhere.c").write_text(ELSEWHERE)
    subprocess.run(["clang-22", "-c", "elsewhere.c"], cwd=tmp_path, check=True, timeout=60)
    command = [*DRIVER, "-O2", "-g", "w.c", "elsewhere.o", "-o", "w"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120)
    found = re.findall(r"w\.c:(\d+):\d+: warning: '(\w+)' has no body here: .* \[-Wenzyme-hidden-memory\]", done.stderr)
    assert found == expected


WITH_RULE = """extern int enzyme_runtime_activity;
double __enzyme_autodiff(void *, ...);
double f(double *x) { return x[0] * x[0]; }
double augmented_f(double *x, double *x_bar) { return x[0] * x[0]; }
void reverse_f(double *x, double *x_bar, double seed) { x_bar[0] += 7 * seed; }
void *__enzyme_register_gradient_f[] = {(void *)f, (void *)augmented_f, (void *)reverse_f};
double g(double *x) { return 2 * f(x); }
int main(void)
{
    double x[1] = {3}, x_bar[1] = {0};
    __enzyme_autodiff((void *)g, enzyme_runtime_activity, x, x_bar);
    return (int)x_bar[0] != 12;
}
"""


@pytest.mark.compile
def test_rule_left_aside(tmp_path: Path) -> None:
    (tmp_path / "r.c").write_text(WITH_RULE)
    command = [*DRIVER, "-O2", "-g", "r.c", "-o", "r"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120)
    assert "r.c:3: warning: 'f' is differentiated by its body" in done.stderr
    assert "[-Wenzyme-unused-rule]" in done.stderr
    assert subprocess.run([tmp_path / "r"], check=False, timeout=60).returncode == 0


GROWING = """#include <cstdlib>
#include <memory>
#include <vector>
template <typename... Arguments> double __enzyme_autodiff(void *, Arguments...);
template <typename... Arguments> double __enzyme_fwddiff(void *, Arguments...);
static double sum(const std::vector<double> &v) { double s = 0; for (double x : v) s += x * x; return s; }
static double grow(std::vector<double> &v) { v.push_back(v[0] * v[1]); return sum(v); }
static double copy(std::vector<double> &v) { std::vector<double> w(v); w.push_back(v[0] * v[1]); return sum(w); }
static double chosen(std::vector<double> &v, bool squared) // its own memory, or the argument's
{
    double *own = (double *)malloc(v.size() * sizeof(double)), s = 0;
    for (size_t i = 0; i < v.size(); i++) own[i] = v[i] * v[i];
    const double *p = squared ? own : v.data();
    for (size_t i = 0; i < v.size(); i++) s += p[i];
    free(own);
    return s;
}
static double renew(std::unique_ptr<double> &p) { p = std::make_unique<double>(*p * *p); return *p; }
int main()
{
    std::vector<double> v{2, 3}, v_bar(2), w{2, 3}, w_bar(2);
    auto p = std::make_unique<double>(2), p_bar = std::make_unique<double>(0);
    __enzyme_autodiff((void *)copy, &v, &v_bar);
    if (v_bar[0] != 40 || v_bar[1] != 30) return 1;
    __enzyme_autodiff((void *)chosen, &v, &v_bar, true);
    if (v_bar[0] != 44 || v_bar[1] != 36) return 2;
    __enzyme_autodiff((void *)grow, &v, &v_bar);
    __enzyme_autodiff((void *)renew, &p, &p_bar);
    w_bar = {1, 0};
    return __enzyme_fwddiff((void *)grow, &w, &w_bar) != 40;
}
"""


@pytest.mark.compile
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_freed_arguments(tmp_path: Path, level: str) -> None:
    (tmp_path / "g.cpp").write_text(GROWING)
    driver = [DRIVER[0], "-c", DRIVER[2].replace("cc", "cxx")]
    command = [*driver, level, "-g", "g.cpp", "-o", "g"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120)
    found = re.findall(r"g\.cpp:(\d+):\d+: warning: '(\w+)\(.*\[-Wenzyme-freed-argument\]", done.stderr)
    assert found == [("27", "grow"), ("28", "renew")]
    assert subprocess.run([tmp_path / "g"], check=False, timeout=60).returncode == 0


RESIZED = """#include <stdlib.h>
#include <string.h>
extern double __enzyme_autodiff(void *, ...);
struct history { double *past; int length; };
static double push(struct history *h, double v)
{
    h->past = realloc(h->past, (h->length + 1) * sizeof(double));
    h->past[h->length++] = v * v;
    return h->past[0] * v;
}
static double own(struct history *h, double v)
{
    double *past = malloc(h->length * sizeof(double));
    memcpy(past, h->past, h->length * sizeof(double));
    past = realloc(past, (h->length + 1) * sizeof(double));
    past[h->length] = v * v;
    const double s = past[0] * past[h->length];
    free(past);
    return s;
}
int main(void)
{
    struct history h = {calloc(1, 8), 1}, h_bar = {calloc(1, 8), 1};
    __enzyme_autodiff((void *)own, &h, &h_bar, 2.0);
    __enzyme_autodiff((void *)push, &h, &h_bar, 2.0);
    return 0;
}
"""


@pytest.mark.compile
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_resized_arguments(tmp_path: Path, level: str) -> None:
    (tmp_path / "g.c").write_text(RESIZED)
    command = [*DRIVER, level, "-g", "g.c", "-o", "g"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120)
    found = re.findall(r"g\.c:(\d+):\d+: warning: '(\w+)' .*\[-Wenzyme-freed-argument\]", done.stderr)
    assert found == [("25", "push")]


UNSET = """#include <stdlib.h>
extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);
struct model { void (*limit)(double *, int); double *x; int limited; };
__attribute__((noinline)) static void look(struct model *m) { if (m->limited) m->limit(m->x, 1); }
double f(double *x)
{
    struct model *m = malloc(sizeof *m);
    m->x = x;
    m->limited = 0;
    look(m);
    const double y = m->x[0] * m->x[0];
    free(m);
    return y;
}
int main(void) { double x[1] = {3}, b[1] = {0}; __enzyme_autodiff((void *)f, enzyme_dup, x, b); return b[0] != 6; }
"""


COPIED = """#include <map>
#include <string>
#include <vector>
extern "C" void __enzyme_autodiff(void *, const double *, double *);
double f(const double *x)
{
    std::map<std::string, std::vector<double>> m;
    for (int i = 0; i < 4; i++) m[i % 2 ? "odd" : "even"].push_back(x[i]);
    double s = 0;
    for (auto &[k, v] : m)
        for (double e : v) s += e * e * k.size();
    return s;
}
int main()
{
    double x[4] = {1, 2, 3, 4}, d[4] = {};
    __enzyme_autodiff((void *)f, x, d);
    return !(d[0] == 8 && d[1] == 12);
}
"""


@pytest.mark.compile
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_constant_numbers_are_not_freed(tmp_path: Path, level: str) -> None:
    """Though they look like the vectors that they are copied to."""
    (tmp_path / "s.cpp").write_text(COPIED)
    words = ["-x", "c++", "-std=c++17", "-g", level, "-stdlib=libc++", "s.cpp", "-o", "s", "-lc++"]
    done = subprocess.run([*DRIVER, *words], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120)
    assert "freed-argument" not in done.stderr
    assert subprocess.run([tmp_path / "s"], check=False, timeout=60).returncode == 0


@pytest.mark.compile
def test_operations_that_nobody_sets(tmp_path: Path) -> None:
    (tmp_path / "u.c").write_text(UNSET)
    command = [*DRIVER, "-O2", "-g", "u.c", "-o", "u"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120)
    assert "u.c:5:79: warning: no function of the link has the type of the one that 'look' calls here" in done.stderr
    assert "[-Wenzyme-no-target]" in done.stderr
    assert subprocess.run([tmp_path / "u"], check=False, timeout=60).returncode == 0


@pytest.mark.compile
def test_functions_of_other_code_stay_refused(tmp_path: Path) -> None:
    source = UNSET.replace(
        "struct model { void (*limit)", "extern void (*limits[])(double *, int);\nstruct model { void (*limit)"
    )
    (tmp_path / "u.c").write_text(source.replace("m->limit(m->x, 1)", "limits[0](m->x, 1)"))
    command = [*DRIVER, "-O2", "-g", "-c", "u.c", "-o", "u.o"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=120)
    command = [*DRIVER, "-O2", "-g", "u.o", "-shared", "-o", "u.so"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode
    assert "[E0102]" in done.stderr


OWN_SHADOW = """extern int enzyme_dup, enzyme_runtime_activity;
extern void __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
double f(double *x, const double *c) { return x[0] * x[1] * c[0]; }
int main(void)
{
    double x[2] = {2, 3}, d[2] = {0}, c[1] = {2}, e[1] = {0};
    double *p = x, *q = c;
    __enzyme_autodiff((void *)f, enzyme_dup, p, d, enzyme_dup, q, q);
    __enzyme_autodiff((void *)f, enzyme_runtime_activity, enzyme_dup, p, d, enzyme_dup, q, q);
    const double along = __enzyme_fwddiff((void *)f, enzyme_dup, x, x, enzyme_dup, c, e);
    return !(d[0] == 6 + 3 * 8 && d[1] == 4 + 2 * 8 && c[0] == 8 && along == 2 * 2 * 3 * 8);
}
"""


@pytest.mark.compile
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_arguments_that_are_their_own_shadow(tmp_path: Path, level: str) -> None:
    """The derivative is added to the values; a direction may well be the point itself."""
    (tmp_path / "s.c").write_text(OWN_SHADOW)
    command = [*DRIVER, level, "-g", "s.c", "-o", "s"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120)
    assert re.findall(r"s\.c:(\d+):\d+: warning: the shadow of argument 2 \((\w+)\)", done.stderr) == [("9", "c")]
    assert subprocess.run([tmp_path / "s"], check=False, timeout=60).returncode == 0


SHORT = """extern void __enzyme_autodiff(void *, ...);
double f(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * x[i];
    return s;
}
int main(void)
{
    double x[4] = {1, 2, 3, 4}, short_one[2] = {0}, long_one[4] = {0};
    __enzyme_autodiff((void *)f, x + 1, short_one, 2);
    __enzyme_autodiff((void *)f, x + 2, short_one, 2);
    __enzyme_autodiff((void *)f, x, long_one, 2);
    return !(short_one[0] == 10 && short_one[1] == 14 && long_one[1] == 4);
}
"""


@pytest.mark.compile
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_shadows_that_end_early(tmp_path: Path, level: str) -> None:
    (tmp_path / "s.c").write_text(SHORT)
    command = [*DRIVER, level, "-g", "s.c", "-o", "s"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120)
    told = re.findall(
        r"s\.c:(\d+):\d+: warning: the shadow of argument 1 \(x\) of 'f' has (\d+) bytes, .* (\d+)", done.stderr
    )
    assert told == [("12", "16", "24")]
    assert subprocess.run([tmp_path / "s"], check=False, timeout=60).returncode == 0


STATES = """#include <stdlib.h>
#include <string.h>
void __enzyme_autodiff(void *, ...);
struct wide { double gain; };
struct thin { float gain, by; };
static void *copied(const void *p) { return memcpy(malloc(8), p, 8); }
static double of_wide(void *p) { return ((struct wide *)p)->gain; }
static double of_thin(void *p) { struct thin *t = p; return t->gain * t->by; }
double f(const double *x)
{
    double (*const get[2])(void *) = {of_wide, of_thin};
    struct wide w = {x[0]};
    struct thin t = {(float)x[1], 3};
    void *states[2] = {copied(&w), copied(&t)};
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        void *again = copied(states[i]);
        sum += get[i](again) * get[i](states[i]);
        free(again), free(states[i]);
    }
    return sum;
}
int main(void)
{
    double x[2] = {2, 5}, bar[2] = {0};
    __enzyme_autodiff((void *)f, x, bar);
    return bar[0] == 4 && bar[1] == 90 ? 0 : 9;
}
"""


@pytest.mark.compile
@pytest.mark.parametrize("option", ["", "-Wno-enzyme-noted-types", "-Werror=enzyme-noted-types"])
def test_types_that_are_noted(tmp_path: Path, option: str) -> None:
    """What is refused without is slower with them: that is said, or it is refused after all."""
    (tmp_path / "s.c").write_text(STATES)
    command = [*DRIVER, "-O2", "-g", *option.split(), "s.c", "-o", "s"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    said = re.findall(r"(?m)^s\.c:\d+:\d+: (\w+): [^\[]*\[([-\w]+)\]", done.stderr)
    if "error" in option:
        assert done.returncode == 1
        assert set(said) == {("error", "E0114")}
        return
    assert done.returncode == 0, done.stderr
    assert set(said) == (set() if option else {("warning", "-Wenzyme-noted-types")})
    assert subprocess.run(["./s"], cwd=tmp_path, check=False, timeout=60).returncode == 0


CURVE = """
static double cube(double x) { return x * x * x; }
double __enzyme_fwddiff(void *, ...);
static double slope(double x) { return __enzyme_fwddiff((void *)cube, x, 1.0); }
__attribute__((used)) double curve(double x) { return __enzyme_fwddiff((void *)slope, x, 1.0); }
"""


@pytest.mark.compile
def test_where_types_are_not_noted(tmp_path: Path) -> None:
    """A derivative of a derivative of another function is in the way: the refusal says so."""
    (tmp_path / "s.c").write_text(STATES + CURVE)
    command = [*DRIVER, "-O2", "-g", "s.c", "-o", "s"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 1
    assert "[E0114]" in done.stderr
    assert "  note: while the program runs it could be told which type is meant" in done.stderr
    assert "but not in a link with derivatives of derivatives" in done.stderr
