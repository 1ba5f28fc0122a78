"""What the adjoints of single instructions read."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.needed import ItemKind, reads

from .models import Model

KINDS = {ItemKind.PRIMAL: "", ItemKind.SHADOW: "'"}


def needed(line: str, activities: str = "out out dup const", result: str = "out", after: str = "") -> set[str]:
    """Names of primal values, and of shadows with a prime, that the adjoint of `%r = …` reads."""
    text = f"""
define double @f(double %x, double %y, ptr %p, i1 %c) {{
  {line}
  {after or "ret double %r"}
}}"""
    model = Model(text)
    found = model.activity(activities, result)
    instruction = next(i for i in model.function.instructions() if i.name == "r" or i.type.text == "void")
    return {item.subject.name + KINDS[item.kind] for item in reads(found, instruction)}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("%r = fadd double %x, %y", set()),
        ("%r = fsub double %x, %y", set()),
        ("%r = fneg double %x", set()),
        ("%r = fmul double %x, 2.0", set()),
        ("%r = fdiv double %x, 2.0", set()),
        ("%r = fmul double %x, %y", {"x", "y"}),
        ("%r = fmul double %x, %x", {"x"}),
        ("%r = fdiv double %x, %y", {"y", "r"}),
        ("%r = fdiv double 1.0, %y", {"y", "r"}),
        ("%r = select i1 %c, double %x, double %y", {"c"}),
        ("%r = load double, ptr %p", {"p'"}),
    ],
)
def test_active_operands(line, expected):
    assert needed(line) == expected


def test_constant_factor():
    """Only the partials by active operands count."""
    assert needed("%r = fmul double %x, %y", "out const dup const") == {"y"}
    assert needed("%r = fdiv double %x, %y", "out const dup const") == {"y"}


def test_inactive_instruction():
    assert needed("%r = fmul double %x, %y", "const const dup const") == set()


def test_store():
    assert needed("store double %x, ptr %p", after="ret double 0.0") == {"p'"}
    assert needed("store double %x, ptr %p", "out out const const", after="ret double 0.0") == set()
