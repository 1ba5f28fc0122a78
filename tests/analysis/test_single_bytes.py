"""Members of one byte, beside which no other byte is accessed, are no parts of numbers."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.single_bytes import is_alone
from enzyme_build.ir.types import I8

from .models import Model

TEXT = """
define void @f(ptr %p, ptr %q, double %x) {{
  store double %x, ptr %p
  %at = getelementptr i8, ptr %q, i64 {at}
  %b = load i8, ptr %at, !tbaa {tag}
  {more}
  ret void
}}
!0 = !{{!1, !3, i64 0}}
!1 = !{{!"node", !3, i64 0, !4, i64 8}}
!2 = !{{!3, !3, i64 0}}
!3 = !{{!"omnipotent char", !5, i64 0}}
!4 = !{{!"any pointer", !3, i64 0}}
!5 = !{{!"root"}}
"""
BESIDE = "%next = getelementptr i8, ptr %q, i64 1\n  store i8 1, ptr %next"
NUMBER = "store double %x, ptr %q"


@pytest.mark.parametrize(
    ("at", "tag", "more", "alone"),
    [
        (0, "!0", "", True),
        (0, "!0", NUMBER, True),  # the lowest byte of a number at other times
        (0, "!2", "", False),  # no member of a struct: one of many, maybe
        (0, "!0", BESIDE, False),
        (7, "!0", NUMBER, False),  # the highest one has the sign
    ],
)
def test_bytes_that_are_alone(at, tag, more, alone):
    m = Model(TEXT.format(at=at, tag=tag, more=more))
    assert is_alone(m.module, m.place("at"), I8, m["b"].metadata) is alone
