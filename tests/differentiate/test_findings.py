"""Where a refusal is said to be."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.engine import differentiate
from enzyme_build.differentiate.options import DifferentiationOptions
from enzyme_build.errors import FindingsError
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
