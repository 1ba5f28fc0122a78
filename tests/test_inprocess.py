"""`enzyme_build.compile`: derivatives in a running Python."""

from __future__ import annotations

import gc
import os
import re
import subprocess  # noqa: TID251 - other processes find what one has made
import sys
import tempfile
import threading
from pathlib import Path

import numpy as np
import pytest

import enzyme_build
from enzyme_build import inprocess
from enzyme_build.errors import ConfigError, FindingsError, InputError, ToolError

pytestmark = pytest.mark.compile

SPRINGS = """
#include "rest.h"
double energy(const double *x, int n, double k) {
  double sum = 0;
  for (int i = 0; i + 1 < n; i++) {
    double stretch = x[i + 1] - x[i] - REST;
    sum += 0.5 * k * stretch * stretch;
  }
  return sum;
}
void forces(const double *x, double *restrict f, int n) {
  for (int i = 0; i < n; i++) f[i] = -x[i] * x[i];
}
extern double elsewhere(double);
double hidden(double x) { return elsewhere(x); }
int count(int n) { return n + 1; }
"""
X = np.array([0.0, 1.5, 2.0])


@pytest.fixture(scope="module")
def springs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("springs")
    (folder / "springs.c").write_text(SPRINGS)
    (folder / "rest.h").write_text("#define REST 1\n")
    return folder / "springs.c"


@pytest.fixture(scope="module")
def program(springs):
    return enzyme_build.compile(springs)


@pytest.fixture(scope="module")
def energy(program):
    return program.function("energy(x[n], n, k)")


def test_a_function_and_its_derivatives(energy):
    assert energy(X, 2.0) == 0.5
    value, (x_bar, k_bar) = energy.grad(X, k=2.0)
    assert (value, k_bar) == (0.5, 0.25)
    np.testing.assert_allclose(x_bar, [-1, 2, -1])
    np.testing.assert_allclose(energy.vjp(X, 2.0, 10.0)[0], [-10, 20, -10])
    assert energy.jvp(X, 2.0, x_dot=np.ones(3), k_dot=1.0) == (0.5, 0.25)
    np.testing.assert_allclose(energy.hvp(X, 2.0, x_dot=[1.0, 0, 0] * np.ones(3))[0], [2, -2, 0])


def test_batches(energy):
    values, (x_bars, _) = energy.grad_batch(np.stack([X, X]), 2.0)
    np.testing.assert_allclose(values, [0.5, 0.5])
    np.testing.assert_allclose(x_bars, [[-1, 2, -1]] * 2)
    np.testing.assert_allclose(energy.primal_batch(np.stack([X, X]), 2.0), [0.5, 0.5])


def test_what_a_function_has_is_that_of_a_module(energy):
    assert energy.grad is energy.grad
    assert energy.grad.__doc__.startswith("Value of 'energy' and its gradient with respect to x and k.")
    assert {"primal", "grad", "vjp", "jvp", "hvp", "grad_batch"} <= set(dir(energy))
    assert repr(energy) == f"<function energy(x[n], n, k) of {energy._program._names[0]}>"


def test_chosen_arguments(program):
    value, bars = program.function("energy(x[n], n, k)", wrt=["k"]).grad(X, 2.0)
    assert (value, bars) == (0.5, (0.25,))


def test_what_is_not_there(program, energy):
    forces = program.function("forces(x[n], out f[n], n)")
    np.testing.assert_allclose(forces(X), -X * X)
    np.testing.assert_allclose(forces.vjp(X, np.ones(3))[0], -2 * X)
    assert not hasattr(forces, "grad")
    for name, message in {
        "grad": "'forces' has no grad: it returns no real number, so take its vjp",
        "hvp": "'forces' has no hvp: the mode hvp of 'forces' needs a function that returns a float and writes no "
        "active array",
        "gradient": "a compiled function has no attribute 'gradient': it has primal, grad, vjp, jvp, hvp, "
        "primal_batch, grad_batch, vjp_batch, jvp_batch, hvp_batch",
    }.items():
        with pytest.raises(AttributeError, match=f"^{re.escape(message)}$"):
            getattr(forces, name)
    with pytest.raises(AttributeError, match="'count' has no jvp: 'count' has no floating-point input"):
        program.function("count(n)").jvp  # noqa: B018
    assert program.function("count(n)")(3) == 4


def test_text_with_words_for_the_compiler():
    made = enzyme_build.compile(text={"model.c": "double f(double x) { return x * x * TWO; }"}, defines=["TWO=2"])
    assert made.function("f(x)").grad(3.0) == (18.0, (12.0,))


def test_several_languages_and_folders(tmp_path):
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "half.h").write_text("#define HALF 0.5\n")
    made = enzyme_build.compile(
        text={
            "a.cpp": '#include <half.h>\nextern "C" double g(double);\n'
            "namespace m { double f(double x) { return HALF * g(x); } double f(int n) { return n; } }",
            "b.c": "double g(double x) { return x * x * x; }",
        },
        include_dirs=[tmp_path / "include"],
    )
    assert made.function("m::f(double)(x)").grad(2.0) == (4.0, (6.0,))
    assert made.function("f(x)", name="m::f(double)").jvp(2.0, x_dot=1.0) == (4.0, 6.0)


MISTAKES = {
    "nothing": (enzyme_build.compile, ConfigError, "nothing to compile"),
    "no file": (lambda: enzyme_build.compile("no.c"), InputError, "no such file: 'no.c'"),
    "text for a file": (
        lambda: enzyme_build.compile("double f(double x) {\n}"), ConfigError, "a source is the name of a file",
    ),
    "a folder in a name": (
        lambda: enzyme_build.compile(text={"a/b.c": ""}), ConfigError,
        "text is for names of files without folders, not 'a/b.c'",
    ),
    "no language": (
        lambda: enzyme_build.compile(text={"model": ""}), InputError, "cannot tell the language of",
    ),
    "a word for words": (
        lambda: enzyme_build.compile(text={"a.c": ""}, defines="X"), ConfigError,
        "compile().defines must be an array of strings, not 'X'",
    ),
    "one name for names": (
        lambda: enzyme_build.compile(text={"a.c": "double f(double x) { return x; }"}).function("f(x)", wrt="x"),
        ConfigError, "wrt is a sequence of names, not 'x'",
    ),
    "no function": (
        lambda: enzyme_build.compile(text={"a.c": "double f(double x) { return x; }"}).function("g(x)"), InputError,
        "no function 'g'",
    ),
    "no shapes": (
        lambda: enzyme_build.compile(text={"a.c": "double f(const double *x) { return *x; }"}).function("f"),
        ConfigError, "argument 'x' of 'f' is a pointer of unknown shape",
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(mistake):
    made, kind, message = MISTAKES[mistake]
    with pytest.raises(kind, match=re.escape(message)):
        made()


def test_what_the_compiler_says_is_in_the_error(capfd):
    with pytest.raises(ToolError) as caught:
        enzyme_build.compile(text={"bad.c": "double f(double x) { return y; }"})
    assert "bad.c' does not compile" in str(caught.value)
    assert "use of undeclared identifier 'y'" in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_warnings_of_the_compiler_are_shown(capsys):
    enzyme_build.compile(text={"odd.c": "int f(void) { }"}, compile_args=["-Wall"])
    assert "warning: non-void function does not return a value" in capsys.readouterr().err


def test_what_cannot_be_differentiated_is_said_at_each_use(program):
    hidden = program.function("hidden(x)")
    for _ in range(2):
        with pytest.raises(FindingsError, match=r"springs.c:15:34: error: cannot differentiate 'hidden'"):
            hidden.grad  # noqa: B018


def test_the_same_is_made_once(springs, monkeypatch):
    made = []
    link = inprocess.link_module
    monkeypatch.setattr(inprocess, "link_module", lambda *a, **k: (made.append(1), link(*a, **k))[1])
    functions = [enzyme_build.compile(springs, defines=["ONCE"]).function("energy(x[n], n, k)") for _ in range(2)]
    results = []
    threads = [threading.Thread(target=lambda f=f: results.append(f.grad(X, 2.0)[0])) for f in functions * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [0.5] * 4
    assert made == [1]
    assert functions[0].grad is functions[1].grad
    assert functions[0](X, 2.0) == 0.5
    assert made == [1]


def test_a_changed_header_is_another_program(springs):
    assert enzyme_build.compile(springs).function("energy(x[n], n, k)")(X, 2.0) == 0.5
    header = springs.with_name("rest.h")
    header.write_text("#define REST 0\n")
    try:
        assert enzyme_build.compile(springs).function("energy(x[n], n, k)")(X, 2.0) == 2.5
    finally:
        header.write_text("#define REST 1\n")


PROGRAM = """
import sys
import enzyme_build
from enzyme_build import inprocess
made, link = [], inprocess.link_module
inprocess.link_module = lambda *a, **k: (made.append(1), link(*a, **k))[1]
square = enzyme_build.compile(text={"square.c": "double square(double x) { return x * x; }"}).function("square(x)")
print(square.grad(3.0), len(made))
"""


def test_processes_find_what_others_made(tmp_path):
    package = str(Path(enzyme_build.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": package, "ENZYME_CACHE_SIZE": "1G", "ENZYME_CACHE_DIR": str(tmp_path)}  # noqa: TID251

    def start():
        command = [sys.executable, "-c", PROGRAM]
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    said = [one.communicate() for one in [start(), start()]]
    assert [out.split()[:2] for out, err in said] == [["(9.0,", "(6.0,))"]] * 2, said
    assert start().communicate() == ("(9.0, (6.0,)) 0\n", "")
    assert len(list((tmp_path / "texts").iterdir())) == 1
    command = [sys.executable, "-m", "enzyme_build", "cache", "--clear"]
    cleared = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert cleared.stdout == f"2 links removed from {tmp_path / 'links'}\n"
    assert not (tmp_path / "texts").exists()


def test_programs_leave_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    square = enzyme_build.compile(text={"s.c": "double s(double x) { return x * x; }"}).function("s(x)")
    assert square.grad(3.0) == (9.0, (6.0,))
    assert len(list(tmp_path.iterdir())) == 1
    grad = square.grad
    del square
    gc.collect()
    assert list(tmp_path.iterdir()) == []
    assert grad(4.0) == (16.0, (8.0,))


def test_texts_make_room(tmp_path):
    for index in range(5):
        (tmp_path / str(index)).mkdir()
        os.utime(tmp_path / str(index), (index, index))
    inprocess._make_room(tmp_path)
    assert len(list(tmp_path.iterdir())) == 5
    inprocess._make_room(tmp_path, most=2)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["3", "4"]
