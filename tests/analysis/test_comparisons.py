"""What functions that compare for a sort do to memory, and what they tell of the elements."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.kinds import Kind
from enzyme_build.ir import instructions as ir

from .models import Model

TEXT = """
@total = internal global double 0.0
declare void @enzyme_build.order_qsort(ptr, ptr, i64, i64, ptr, ptr, i1, ...)
define internal i32 @compare(ptr %a, ptr %b) {{
  %k = getelementptr i8, ptr %a, i64 8
  %x = load double, ptr %k, align 8
  {more}
  %c = fcmp olt double %x, 1.0
  %r = zext i1 %c to i32
  ret i32 %r
}}
define void @f(ptr %order, ptr %p, i64 %n, ptr %g) {{
  call void (ptr, ptr, i64, i64, ptr, ptr, i1, ...) @enzyme_build.order_qsort(ptr %order, ptr %p, i64 %n, {given})
  ret void
}}"""
NAMED = "i64 16, ptr @compare, ptr null, i1 true"
GUESSED = "i64 16, ptr %g, ptr null, i1 false, ptr @compare"


def written(model: Model) -> set[str]:
    (call,) = (i for i in model.function.instructions() if isinstance(i, ir.Call))
    regions = {place.resolved().region for place in model.memory.effects[call].writes}
    found = {name for name in ("order", "p") if model.place(name).region in regions}
    named = {value.name for region in regions for value in region.globals}
    return found | named


@pytest.mark.parametrize("given", [NAMED, GUESSED])
def test_the_order_is_written(given: str) -> None:
    assert written(Model(TEXT.format(more="", given=given))) == {"order"}


@pytest.mark.parametrize("given", [NAMED, GUESSED])
def test_what_is_written_beside_comparing_counts(given: str) -> None:
    model = Model(TEXT.format(more="store double %x, ptr @total, align 8", given=given))
    assert written(model) == {"order", "total"}


def test_elements_may_be_changed_by_a_function_that_is_known() -> None:
    model = Model(TEXT.format(more="store double 0.0, ptr %k, align 8", given=NAMED))
    assert written(model) == {"order", "p"}


def test_a_function_that_is_known_tells_what_elements_are() -> None:
    model = Model(TEXT.format(more="", given=NAMED))
    assert model.holds("p", 8)[0] is Kind.FLOAT


def test_a_guess_tells_nothing() -> None:
    model = Model(TEXT.format(more="", given=GUESSED))
    assert model.holds("p", 8)[0] is not Kind.FLOAT
