"""What access tags of flang say of names."""

from __future__ import annotations

import re

import pytest

from enzyme_build.fortran.access_tags import without_names
from enzyme_build.llvm.context import parse_text

MODULE = """
@g = global double 0.0
define double @f(ptr %a, ptr %out) {{
  %x = load double, ptr %a, !tbaa !0
  store double %x, ptr %out, !tbaa !1
  %d = load ptr, ptr %out, !tbaa !2
  store double %x, ptr @g, !tbaa !11
  ret double %x
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
!11 = !{{!12, !12, i64 0}}
!12 = !{{!"global data/_QMmEg", !13, i64 0}}
!13 = !{{!"global data", !7, i64 0}}
"""


@pytest.mark.parametrize(
    ("root", "types"),
    [
        ("Flang function root _QMmPtwice", ["!7", "!7", "!5", "!12"]),
        ("Simple C/C++ TBAA", ["!3", "!4", "!5", "!12"]),
    ],
)
def test_all_data_but_static_variables_may_be_one_array(root: str, types: list[str]) -> None:
    text = without_names(MODULE.format(root=root))
    parse_text(text, "the module").close()
    assert re.findall(r"(?m)^!(?:[012]|11) = !\{(!\d+), \1, i64 0\}$", text) == types
