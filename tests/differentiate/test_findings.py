"""Where a refusal is said to be."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.engine import differentiate
from enzyme_build.differentiate.options import DifferentiationOptions
from enzyme_build.errors import FindingsError, SourceLocation, UnsupportedError
from enzyme_build.ir.parser import parse_module

CALLED = """
declare double @unknown(double)
declare double @__enzyme_autodiff(ptr, double)
define internal double @inner(double %x) {
  %y = call double @unknown(double %x)
  ret double %y
}
define internal double @middle(double %x) {
  %y = call double @inner(double %x)
  ret double %y
}
define internal double @f(double %x) !dbg !2 {
  %y = call double @middle(double %x), !dbg !0
  ret double %y, !dbg !0
}
define double @grad(double %x) {
  %y = call double @__enzyme_autodiff(ptr @f, double %x)
  ret double %y
}
!0 = !DILocation(line: 9, column: 3, scope: !2)
!2 = distinct !DISubprogram(name: "f", file: !3, line: 8)
!3 = !DIFile(filename: "a.c", directory: "/d")
"""


@pytest.mark.parametrize("known", [True, False])
def test_a_function_without_lines_is_where_it_is_called(known: bool) -> None:  # noqa: FBT001
    text = CALLED if known else CALLED.replace(", !dbg !0", "").replace(" !dbg !2", "")
    with pytest.raises(FindingsError) as caught:
        differentiate(parse_module(text), DifferentiationOptions(), [])
    (finding,) = caught.value.findings
    if known:
        assert finding.location is not None
        assert (finding.location.file, finding.location.line) == ("a.c", 9)
        assert "(in function 'inner', which is called here)" in finding.message
        assert not finding.notes
    else:
        assert finding.location is None
        assert finding.message.endswith("(in function 'inner')")
        assert "compile with -g" in finding.hint


IN_LIBRARY = """
declare double @unknown(double)
declare double @__enzyme_autodiff(ptr, double)
define double @f(double %x) !dbg !2 {
  %y = call double @unknown(double %x), !dbg !5
  ret double %y, !dbg !0
}
define double @grad(double %x) {
  %y = call double @__enzyme_autodiff(ptr @f, double %x)
  ret double %y
}
!0 = !DILocation(line: 9, column: 3, scope: !2)
!2 = distinct !DISubprogram(name: "f", file: !3, line: 8)
!3 = !DIFile(filename: "a.cpp", directory: "/d")
!4 = !DIFile(filename: "/usr/include/c++/12/variant", directory: "/d")
!5 = !DILocation(line: 70, column: 5, scope: !6, inlinedAt: !7)
!6 = distinct !DISubprogram(name: "invoke", file: !4, line: 60)
!7 = !DILocation(line: 80, column: 6, scope: !8, inlinedAt: !0)
!8 = distinct !DISubprogram(name: "visit", file: !4, line: 75)
"""


def test_the_line_of_a_user_comes_before_that_of_a_library() -> None:
    with pytest.raises(FindingsError) as caught:
        differentiate(parse_module(IN_LIBRARY), DifferentiationOptions(), [])
    (finding,) = caught.value.findings
    assert str(finding.location) == "a.cpp:9:3"
    assert finding.notes == ("in a library, at /usr/include/c++/12/variant:70:5, in 'invoke', 2 calls below this line",)


def test_without_a_line_of_a_user_that_of_the_library_stays() -> None:
    with pytest.raises(FindingsError) as caught:
        differentiate(parse_module(IN_LIBRARY.replace('"a.cpp"', '"/usr/include/a"')), DifferentiationOptions(), [])
    (finding,) = caught.value.findings
    assert str(finding.location) == "/usr/include/c++/12/variant:70:5"
    assert [note[:11] for note in finding.notes] == ["called from"] * 2


def test_one_finding_for_one_thing() -> None:
    """Findings of one code about the same thing are one with the places of the others; not so others."""

    def found(line: int, about: object, code: str = "E0201") -> UnsupportedError:
        return UnsupportedError("of two types", location=SourceLocation("a.c", line, 1), code=code, about=about)

    one, other = object(), object()
    joined = FindingsError([found(7, one), found(3, one), found(5, other), found(3, None), found(9, one, "E0202")])
    assert [(finding.location.line, finding.notes) for finding in joined.findings if finding.location] == [
        (3, ("the same memory at a.c:7:1",)),
        (5, ()),
        (9, ()),
    ]
    many = FindingsError([found(line, one) for line in range(1, 12)])
    eight = ", ".join(f"a.c:{line}:1" for line in range(2, 10))
    assert many.findings[0].notes == (f"the same memory at {eight} and 2 more places",)
