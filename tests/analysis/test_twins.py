"""Twins: which calls stand in the slopes of other calls."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.cfg import control_flow
from enzyme_build.analysis.dominators import dominators
from enzyme_build.analysis.known import call_effects
from enzyme_build.analysis.loops import loop_forest
from enzyme_build.analysis.twins import Twins
from enzyme_build.ir.instructions import Call
from enzyme_build.ir.parser import parse_module

DECLARATIONS = "\n".join(
    f"declare {t} @{f}{s}({t})" for f in ("sin", "cos", "sinh", "cosh") for t, s in (("double", ""), ("float", "f"))
)


def twins_of(body, name, *, before=False):
    module = parse_module(f"{DECLARATIONS}\ndefine double @f(double %x, double %y, i1 %c) {{\nentry:\n{body}\n}}\n")
    function = module.function("f")
    cfg = control_flow(function)
    calls = {i.name: i for block in cfg.order for i in block.instructions if isinstance(i, Call)}
    call = calls[name]
    tree = dominators(cfg)
    twins = Twins(module, cfg, tree, loop_forest(cfg, tree))
    partials = twins.partials(call, call_effects(module, call).known, before=before)
    return {text: twin.name for text, twin in partials.twins.items()}, [str(f) for f in partials.formulas]


def test_the_cosine_beside_a_sine():
    body = "  %s = call double @sin(double %x)\n  %c1 = call double @cos(double %x)\n  ret double %s"
    assert twins_of(body, "s") == ({"cos(x)": "c1"}, ["cos(x)"])
    assert twins_of(body, "c1") == ({"sin(x)": "s"}, ["-sin(x)"])
    # In forward mode only what has been computed already.
    assert twins_of(body, "s", before=True)[0] == {}
    assert twins_of(body, "c1", before=True)[0] == {"sin(x)": "s"}


@pytest.mark.parametrize("other", ["cos(double %y)", "cosh(double %x)", "sin(double %x)"])
def test_other_operands_and_functions_are_none(other):
    assert twins_of(f"  %s = call double @sin(double %x)\n  %t = call double @{other}\n  ret double %s", "s")[0] == {}


def test_other_precisions_are_none():
    body = """  %n = fptrunc double %x to float
  %s = call float @sinf(float %n)
  %t = call double @cos(double %x)
  ret double %t"""
    assert twins_of(body, "s")[0] == {}


BRANCH = """  {before}
  br i1 %c, label %a, label %b
a:
  {inside}
  br label %b
b:
  {after}
  ret double %x"""
COSINE, SINE = "%t = call double @cos(double %x)", "%s = call double @sin(double %x)"


def test_only_what_is_always_computed_counts():
    assert twins_of(BRANCH.format(before=COSINE, inside=SINE, after=""), "s")[0] == {"cos(x)": "t"}
    assert twins_of(BRANCH.format(before="", inside=COSINE, after=SINE), "s")[0] == {}
    assert twins_of(BRANCH.format(before=SINE, inside=COSINE, after=""), "s")[0] == {}
    # Behind the branch it is computed too, but when the adjoint of what comes before is, too: not known here.
    assert twins_of(BRANCH.format(before="", inside=SINE, after=COSINE), "s")[0] == {}


LOOPS = """  br label %a
a:
  %t = call double @cos(double %x)
  br i1 %c, label %a, label %b
b:
  %s = call double @sin(double %x)
  br i1 %c, label %b, label %e
e:
  %u = call double @sin(double %x)
  ret double %x"""


@pytest.mark.parametrize("before", [False, True])
def test_a_tape_has_no_values_of_loops_that_are_over(before):
    """Tangents from it read it, too."""
    for name in ("s", "u"):
        assert twins_of(LOOPS, name, before=before)[0] == {}
