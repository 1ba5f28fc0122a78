"""What access tags of flang say of inlined procedures."""

from __future__ import annotations

import re

import pytest

from enzyme_build.llvm.context import parse_text
from enzyme_build.llvm.inlined_tags import without_lost_names

MODULE = """
define double @{name}(ptr %a, ptr %out) {{
  %x = load double, ptr %a, !tbaa !0
  store double %x, ptr %out, !tbaa !1
  %d = load ptr, ptr %out, !tbaa !2
{call}  ret double %x
}}
!0 = !{{!3, !3, i64 0}}
!1 = !{{!4, !4, i64 0}}
!2 = !{{!5, !5, i64 0}}
!3 = !{{!"dummy arg data/_QMmFtwiceEa", !6, i64 0}}
!4 = !{{!"allocated data/_QMmFtwiceEout", !9, i64 0}}
!5 = !{{!"descriptor member", !8, i64 0}}
!6 = !{{!"dummy arg data", !7, i64 0}}
!7 = !{{!"any data access", !8, i64 0}}
!8 = !{{!"any access", !10, i64 0}}
!9 = !{{!"allocated data", !7, i64 0}}
!10 = !{{!"{root}"}}
"""


def tags(name: str, root: str, call: str = "") -> list[str]:
    text = without_lost_names(MODULE.format(name=name, root=root, call=call))
    parse_text(text, "the module").close()
    return re.findall(r"!tbaa (!\d+)", text)


def test_where_a_procedure_was_inlined_all_its_data_may_be_one_array() -> None:
    a, out, descriptor = tags("caller", "Flang function root _QMmPtwice")
    assert (a == out, descriptor) == (True, "!2")


@pytest.mark.parametrize(
    ("name", "root"), [("_QMmPtwice", "Flang function root _QMmPtwice"), ("caller", "Simple C/C++ TBAA")]
)
def test_in_the_procedure_itself_and_in_other_languages_tags_stay(name: str, root: str) -> None:
    assert tags(name, root) == ["!0", "!1", "!2"]


def test_a_procedure_that_calls_itself_may_swap_its_arguments() -> None:
    call = "  %again = call double @_QMmPtwice(ptr %out, ptr %a)\n"
    a, out, descriptor = tags("_QMmPtwice", "Flang function root _QMmPtwice", call)
    assert (a == out, descriptor) == (True, "!2")
