"""`enzyme-build explain`: what it says, that the bytes are those that derivatives take, and that its advice helps."""

from __future__ import annotations

import json
import re
import shutil
import subprocess  # noqa: TID251 - the command is started as a user does
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytestmark = pytest.mark.compile

HERE = Path(__file__).parent / "explained"
CASES = {
    "relax.c": ["-f", "relax"],
    "calls.c": ["-f", "run", "--arg", "scale:const"],
    "triangle.c": ["-f", "triangle(x[n], n)", "--value", "n=1000"],
    "bodies.cpp": ["-f", "simulate"],
    "heat.f90": ["-f", "diffuse", "--value", "n=1000", "--value", "steps=500"],
    "swirl.rs": ["-f", "swirl"],
}
TOOLS = {".f90": ("flang-22", "flang"), ".rs": ("rustc",)}


def enzyme_build(*words, folder):
    command = [sys.executable, "-m", "enzyme_build", *map(str, words)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)


def explained(*words, folder):
    """What the command says, and the plans."""
    report = folder / "report.json"
    done = enzyme_build("explain", *words, "--report", report, folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout, json.loads(report.read_text())["plans"]


@pytest.mark.parametrize("case", CASES)
def test_text(case, tmp_path, *, update):
    tools = TOOLS.get(Path(case).suffix)
    if tools and not any(map(shutil.which, tools)):
        pytest.skip(f"{tools[0]} not found")
    shutil.copy(HERE / case, tmp_path)
    done = enzyme_build("explain", case, *CASES[case], folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    expected = (HERE / case).with_suffix(".txt")
    if update:
        expected.write_text(done.stdout)
    assert done.stdout == expected.read_text()


# The bytes ----------------------------------------------------------------------------------------------------------

TAPES = """
#include <math.h>
double line(const double *x, int n) {
  double product = 1;
  for (int i = 0; i < n; i++) product = sin(product * x[i]);
  return product;
}
double nest(const double *x, int n) {
  double product = 1;
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) product = sin(product * x[i] + x[j]);
  return product;
}
double rows(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) sum = sin(sum + x[j]) * x[i];
  return sum;
}
"""
COUNTING = """
#include <stdio.h>
#include <stdlib.h>
extern long taken;
double line_grad(const double *, double *, int), nest_grad(const double *, double *, int);
double rows_grad(const double *, double *, int);
int main(void) {
  int n = 512;
  double *x = malloc(n * sizeof *x), *x_bar = calloc(n, sizeof *x);
  for (int i = 0; i < n; i++) x[i] = 1;
  FUNCTION(x, x_bar, n);
  printf("%ld\\n", taken);
}
"""
TAKE = "define internal noalias ptr @enzyme_build.arena_take(ptr %arena, i64 %bytes) nounwind {\nentry:\n"
COUNTED = """@taken = global i64 0
{take}  %taken.before = load i64, ptr @taken
  %taken.after = add i64 %taken.before, %bytes
  store i64 %taken.after, ptr @taken
"""


@pytest.fixture(scope="module")
def tapes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tapes")
    (folder / "tapes.c").write_text(TAPES)
    (folder / "main.c").write_text(COUNTING)
    return folder


def bytes_taken(folder, function):
    """What the derivative takes for its tape while it runs."""
    done = enzyme_build("gradient", "tapes.c", "-f", function, "-o", "out.ll", "--save-stages", "stages", folder=folder)
    assert done.returncode == 0, done.stderr
    text = (folder / "stages" / "derivatives.ll").read_text()
    assert text.count(TAKE) == 1
    (folder / "counted.ll").write_text(text.replace(TAKE, COUNTED.format(take=TAKE)))
    clang = shutil.which("clang-22") or shutil.which("clang")
    words = ["-Wno-override-module", f"-DFUNCTION={function}_grad", "counted.ll", "main.c", "-lm", "-o", "counted"]
    subprocess.run([clang, *words], cwd=folder, check=True)
    return int(subprocess.run(["./counted"], cwd=folder, capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize(("function", "iterations"), [("line", 512), ("nest", 3 * 512 * 512)])
def test_bytes_of_an_array_of_known_size_are_those_taken(tapes, function, iterations):
    _, (plan,) = explained("tapes.c", "-f", function, folder=tapes)
    *around, loop = plan["loops"]
    assert [outer["bytes"] for outer in around] == [0] * len(around)
    assert (loop["storage"], loop["iterations"]) == ("taken once, of exactly this size", "n")
    assert loop["bytes"] == sum(kept["bytes"] for kept in plan["kept"] if kept["loop"] == loop["number"]) > 0
    assert bytes_taken(tapes, function) == loop["bytes"] * iterations


def test_arrays_that_grow_reserve_up_to_ten_times_their_bytes(tapes):
    said, (plan,) = explained("tapes.c", "-f", "rows", folder=tapes)
    _, inner = plan["loops"]
    assert (inner["iterations"], inner["until"], inner["storage"]) == ("1", "n", "grows when the loop is entered")
    assert "reserve up to ten times" in said
    elements = 512 * 513 // 2
    assert inner["bytes"] * elements <= bytes_taken(tapes, "rows") <= 10 * inner["bytes"] * elements


# Advice -------------------------------------------------------------------------------------------------------------


def kept_in_loops(plans):
    return [kept["name"] for plan in plans for kept in plan["kept"] if kept["loop"] is not None]


def test_restrict_is_advised_and_helps(tmp_path):
    source = """double table[9];
    double scale(const double *{0}x, double *y, int n) {{
      for (int i = 0; i < n; i++) {{ y[i] = x[i] * x[i]; table[i % 9] = i; }}
      return table[n % 9];
    }}
    """
    (tmp_path / "scale.c").write_text(source.format(""))
    said, plans = explained("scale.c", "-f", "scale", folder=tmp_path)
    assert "advice: if x never overlaps table and y, declare x 'restrict'" in said
    (advice,) = plans[0]["advice"]
    assert advice["text"].endswith("then x[…] is read again instead of being kept")
    assert kept_in_loops(plans) == ["x[…]"]
    (tmp_path / "scale.c").write_text(source.format("restrict "))
    said, plans = explained("scale.c", "-f", "scale", folder=tmp_path)
    assert "read again: x[…]: nothing overwrites it" in said
    assert "advice" not in said
    assert kept_in_loops(plans) == []


def test_a_reciprocal_is_advised_and_helps(tmp_path):
    source = """
    double norm(const double *x, int n, double h) {{
      double sum = 0, inverse = 1 / h;
      for (int i = 0; i < n; i++) {{ double q = x[i] {0}; sum += q * q; }}
      return sum;
    }}
    """
    (tmp_path / "norm.c").write_text(source.format("/ h"))
    said, plans = explained("norm.c", "-f", "norm", folder=tmp_path)
    assert "advice: multiply by 1/h, computed before the loop" in said
    assert kept_in_loops(plans) == ["q, the quotient"]
    (tmp_path / "norm.c").write_text(source.format("* inverse"))
    said, plans = explained("norm.c", "-f", "norm", folder=tmp_path)
    assert "advice" not in said
    assert kept_in_loops(plans) == []


# Pages --------------------------------------------------------------------------------------------------------------

VOID = {"meta", "br", "link", "img", "input", "hr"}


class Page(HTMLParser):
    """Checks that what is opened is closed, and collects tags, attributes and text."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.attributes, self.said = [], [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.said.append(data)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    shutil.copy(HERE / "relax.c", folder)
    done = enzyme_build("explain", "relax.c", "-f", "relax", "-q", "--html", "page.html", folder=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    text = (folder / "page.html").read_text()
    found = Page()
    found.feed(text)
    found.close()
    return text, found


def test_page_is_well_formed(page):
    _, found = page
    assert found.open == []
    assert found.tags.count("svg") == 3


def test_page_needs_nothing_else(page):
    text, found = page
    assert not {"script", "link", "img", "iframe", "object"} & set(found.tags)
    assert not {"src", "href", "xlink:href"} & {name for name, _ in found.attributes}
    assert not re.search(r"https?:|@import|url\(", text)


def test_page_has_the_source_and_the_reasons(page):
    _, found = page
    said = "".join(found.said)
    source = (HERE / "relax.c").read_text().splitlines()
    assert [line for line in source if line not in said] == []
    assert "y is written later, before the reverse sweep reads it (line 9)" in said
    assert "line 9: 15.9 kB" in said


# Mistakes -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def several(tmp_path_factory):
    folder = tmp_path_factory.mktemp("several")
    text = (
        "namespace one { double f(double x) { return x * x; } }\nnamespace two { double f(double x) { return x; } }\n"
    )
    (folder / "several.cpp").write_text(text)
    (folder / "square.c").write_text("double square(double x, int n) { while (n--) x = x * x; return x; }\n")
    return folder


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["several.cpp", "-f", "g"], "no function 'g'"),
        (["several.cpp", "-f", "f"], "one::f"),
        (["several.cpp", "-f", "one::f", "--arg", "x:const"], "no active argument"),
        (["square.c", "-f", "square", "--value", "n"], "--value n: not a number"),
        (["square.c", "-f", "square", "--html", "nowhere/page.html"], "there is no folder"),
        (["nothing.c", "-f", "f"], "no such file"),
    ],
)
def test_mistakes(several, words, message):
    done = enzyme_build("explain", *words, folder=several)
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_without_debug_information_lines_are_not_known(several):
    words = [shutil.which("clang-22") or "clang", "-O2", "-flto", "-c", "square.c", "-o", "square.o"]
    subprocess.run(words, cwd=several, check=True)
    said, (plan,) = explained("square.o", "-f", "square", folder=several)
    assert "lines are not known; compile with -g" in said
    assert "in no line that is known" in said
    assert [kept["place"] for kept in plan["kept"]] == [[] for _ in plan["kept"]] != []


def test_forward_mode_keeps_nothing(several):
    said, (plan,) = explained("square.c", "-f", "square", "--mode", "forward", folder=several)
    assert "no tape: forward mode keeps nothing" in said
    assert (plan["kept"], plan["mode"]) == ([], "forward mode")
    assert plan["work"][0]["active"] > 0


def test_second_order_has_the_tape_twice(several):
    said, _ = explained("square.c", "-f", "square", "--mode", "hvp", folder=several)
    assert said.startswith("Forward mode goes over this reverse mode: the tape is there twice")


def test_several_adjoints_at_once_share_what_is_kept(several):
    words = ["square.c", "-f", "square", "--seed"]
    _, (one,) = explained(*words, folder=several)
    _, (four,) = explained(*words, "--width", "4", folder=several)
    assert four["mode"] == "reverse mode, 4 directions"
    assert four["kept"] == one["kept"]


def test_a_plan_is_kept_like_any_link(several, tmp_path, monkeypatch):
    monkeypatch.setenv("ENZYME_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("ENZYME_CACHE_SIZE", "10M")
    words = ["explain", "square.c", "-f", "square", "--verbose"]
    first, second = (enzyme_build(*words, folder=several) for _ in range(2))
    assert "was done before" not in first.stderr
    assert "was done before" in second.stderr
    assert second.stdout == first.stdout != ""
