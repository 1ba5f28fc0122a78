"""What access tags of flang say of names."""

from __future__ import annotations

import re

import pytest

from enzyme_build.fortran.access_tags import without_names, without_types
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


BODY = """
define void @enzyme_fortran_Body(ptr %to, ptr %from, i64 %n) {
  %x = load double, ptr %from, align 8, !tbaa !0
  %k = load i32, ptr %from, align 4, !tbaa !3
  %rank = load i64, ptr %from, align 8, !tbaa !5
  call void @enzyme_fortran_move_text(ptr noundef %to, ptr noundef %from, i64 noundef %n) #1
  ret void
}
declare void @enzyme_fortran_move_text(ptr noundef, ptr noundef, i64 noundef)
attributes #1 = { nounwind }
!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2, i64 0}
!2 = !{!"Simple C/C++ TBAA"}
!3 = !{!4, !4, i64 0}
!4 = !{!"int", !2, i64 0}
!5 = !{!6, !7, i64 8}
!6 = !{!"Descriptor", !7, i64 8}
!7 = !{!"long", !2, i64 0}
"""


def test_elements_are_told_apart_for_the_pass_only() -> None:
    text = without_types(BODY)
    parse_text(text, "the bodies").close()
    lines = {line.split(" = ")[0].strip(): line for line in text.splitlines() if " = load " in line}
    assert lines["%x"].endswith("align 8, !enzyme.member !0")
    assert lines["%k"].endswith("align 4")
    assert lines["%rank"].endswith("!tbaa !5")
    (move,) = re.findall(r"call void @llvm.memmove.p0.p0.i64\(ptr noundef %to, [^\n]*, i1 false\), !tbaa (!\d+)", text)
    (type_,) = re.findall(rf"(?m)^{move} = !{{(!\d+), \1, i64 0}}$", text)
    assert f'{type_} = !{{!"text of Fortran\'s objects", ' in text
