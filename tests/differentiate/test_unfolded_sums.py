"""Sums that leave a word as it is at times are ways around the addition."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.unfolded_sums import unfold_sums
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from tests.analysis.models import Model

TEXT = """
define void @f(ptr %from, i64 %k, i1 %c, ptr %n) {{
entry:
  %to = call ptr @malloc(i64 8)
  %word = load i64, ptr %from
  {lines}
  store i64 %stored, ptr %to
  %x = load double, ptr %to
  %y = load double, ptr %from
  store double %x, ptr %n
  %count = load i64, ptr %to
  %more = add i64 %count, 1
  ret void
}}
declare ptr @malloc(i64)
"""
SUMS = {
    "something or nothing": "%a = select i1 %c, i64 %k, i64 0\n  %stored = add i64 %word, %a",
    "nothing or something": "%a = select i1 %c, i64 0, i64 %k\n  %stored = sub i64 %word, %a",
    "one or nothing": "%a = zext i1 %c to i64\n  %stored = add i64 %a, %word",
    "chosen": "%a = add i64 %word, 5\n  %stored = select i1 %c, i64 %word, i64 %a",
    "one of several": "%a = select i1 %c, i64 %k, i64 0\n  %b = or i64 %word, %a\n  "
    "%stored = select i1 %c, i64 %b, i64 7",
}


@pytest.mark.parametrize("lines", SUMS.values(), ids=SUMS)
def test_words_go_around_the_addition(lines):
    model = Model(TEXT.format(lines=lines))
    assert unfold_sums(model.function, model.memory)
    assert not check_function(model.module, model.function)
    assert len(model.function.blocks) == 3
    before, adds, rest = model.function.blocks
    sum_, _ = adds.instructions
    assert isinstance(sum_, ir.Binary)
    assert [*adds.successors] == [rest]
    (phi,) = rest.phis
    word = next(i for i in before.instructions if i.name == "word")
    assert (phi.incoming(before), phi.incoming(adds)) == (word, sum_)


@pytest.mark.parametrize(
    "lines",
    [
        "%stored = add i64 %word, 5",
        "%a = select i1 %c, i64 %k, i64 3\n  %stored = add i64 %word, %a",
        "%a = select i1 %c, i64 %k, i64 0\n  %stored = sub i64 %a, %word",
        "%a = select i1 %c, i64 %k, i64 0\n  %stored = mul i64 %word, %a",
    ],
    ids=["always", "something else", "taken from", "a product"],
)
def test_other_sums_stay(lines):
    model = Model(TEXT.format(lines=lines))
    assert not unfold_sums(model.function, model.memory)
    assert len(model.function.blocks) == 1
