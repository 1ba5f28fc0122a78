"""Functions with rules that a compiler inlined before it could know of them."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.inlined import lost_rules
from enzyme_build.ir.parser import parse_module

TEXT = """
target triple = "x86_64-pc-linux-gnu"
@__enzyme_register_derivative_f = global [2 x ptr] [ptr @f, ptr @tangent]
declare double @tangent(double, double)
define double @f(double RETURNED%x) !dbg !3 {
  %y = fmul double %x, %x, !dbg !5
  ret double RESULT, !dbg !5
}
define double @g(double %x) !dbg !4 {
  %y = fmul double %x, %x, !dbg LOCATION
  %z = call double @f(double %y), !dbg !7
  ret double USED, !dbg !7
}
!0 = !DIFile(filename: "f.c", directory: "/")
!1 = distinct !DICompileUnit(language: DW_LANG_C11, file: !0, isOptimized: true, emissionKind: LineTablesOnly)
!2 = !DISubroutineType(types: !{})
!3 = distinct !DISubprogram(name: "f", scope: !0, file: !0, line: 1, type: !2, unit: !1)
!4 = distinct !DISubprogram(name: "g", scope: !0, file: !0, line: 2, type: !2, unit: !1)
!5 = !DILocation(line: 1, column: 3, scope: !3)
!6 = !DILocation(line: 1, column: 3, scope: !8, inlinedAt: !7)
!7 = !DILocation(line: 2, column: 9, scope: !4)
!8 = distinct !DILexicalBlock(scope: !3, file: !0, line: 1)
"""


@pytest.mark.parametrize(
    ("returned", "result", "location", "used", "message"),
    [
        ("", "%y", "!7", "%z", None),
        ("returned ", "%x", "!7", "%z", None),
        ("", "%y", "!6", "%z", "f.c:1:3: error: 'f' has a rule of its own, but was inlined here"),
        ("returned ", "%x", "!7", "%y", "f.c:2:9: error: 'f' has a rule of its own, but always returns its argument"),
        ("", "3.0", "!7", "3.0", "f.c:2:9: error: 'f' has a rule of its own, but always returns the same"),
    ],
)
def test_lost_rules_are_found(returned: str, result: str, location: str, used: str, message: str | None) -> None:
    text = TEXT.replace("RETURNED", returned).replace("RESULT", result).replace("LOCATION", location)
    text = text.replace("USED", used)
    module = parse_module(text)
    findings = lost_rules(module, [module.function("g")])
    assert len(findings) == (message is not None)
    for finding in findings:
        assert message is not None
        assert str(finding).startswith(message)
        assert finding.code == "E0338"


UNTOLD = """
target triple = "x86_64-pc-linux-gnu"
@__enzyme_register_derivative_f = global [2 x ptr] [ptr @f, ptr @tangent]
declare double @tangent(double, double)
define double @f(double returned %x) "enzyme-untold"="WHERE" !dbg !3 {
  ret double %x
}
define double @g(double %x) !dbg !4 {
  %y = fmul double %x, %x
  ret double %y
}
!0 = !DIFile(filename: "g.c", directory: "/")
!1 = distinct !DICompileUnit(language: DW_LANG_C11, file: !0, isOptimized: true, emissionKind: LineTablesOnly)
!2 = !DISubroutineType(types: !{})
!3 = distinct !DISubprogram(name: "f", scope: !0, file: !0, line: 1, spFlags: DISPFlagDefinition, unit: !1)
!4 = distinct !DISubprogram(name: "g", scope: !0, file: !0, line: 2, spFlags: FLAGS, unit: UNIT)
!5 = distinct !DICompileUnit(language: DW_LANG_C11, file: !0, isOptimized: true, emissionKind: LineTablesOnly)
"""


@pytest.mark.parametrize(
    ("where", "unit", "flags", "found"),
    [
        ("file", "!1", "DISPFlagDefinition | DISPFlagOptimized", True),
        ("file", "!5", "DISPFlagDefinition | DISPFlagOptimized", False),
        ("others", "!5", "DISPFlagDefinition | DISPFlagOptimized", True),
        ("others", "!1", "DISPFlagDefinition | DISPFlagOptimized", False),
        ("all", "!1", "DISPFlagDefinition | DISPFlagOptimized", True),
        ("file", "!1", "DISPFlagDefinition", False),
    ],
)
def test_calls_replaced_by_a_known_result(where: str, unit: str, flags: str, found: bool) -> None:  # noqa: FBT001
    text = UNTOLD.replace("WHERE", where).replace("UNIT", unit).replace("FLAGS", flags)
    module = parse_module(text)
    messages = [str(finding) for finding in lost_rules(module, [module.function("g")])]
    assert len(messages) == found
    assert all(
        message.startswith("g.c:2: error: 'f' has a rule of its own, but always returns") for message in messages
    )
