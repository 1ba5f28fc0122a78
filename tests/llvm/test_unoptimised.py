"""Functions that were compiled without optimisation."""

from __future__ import annotations

import pytest

from enzyme_build.llvm.context import parse_text
from enzyme_build.llvm.unoptimised import (
    allow_inlining_of_unoptimised,
    unoptimised_programs,
    with_skipped_passes,
)

MODULE = """
define void @f() #0 !dbg !4 {
  ret void
}
define void @g() #1 !dbg !5 {
  ret void
}
define void @h() #2 {
  ret void
}
attributes #0 = { noinline }
attributes #1 = { noinline nounwind }
attributes #2 = { noinline cold }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, isOptimized: true, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "f", file: !1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!5 = distinct !DISubprogram(name: "g", file: !1, type: !3, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
"""


def groups(module: str) -> list[str]:
    return [line for line in module.splitlines() if line.startswith("attributes")]


def test_only_unoptimised_functions_lose_noinline() -> None:
    edited = allow_inlining_of_unoptimised(MODULE)
    parse_text(edited, "a test")
    assert groups(edited)[0] == 'attributes #0 = { "enzyme-empty" }'
    assert groups(edited)[1:] == groups(MODULE)[1:]


@pytest.mark.parametrize(
    ("flags", "programs"),
    [
        ("", {"!4"}),
        ("-O2 -g", {"!4"}),
        ("passes-skipped", {"!4", "!5"}),
        ("clang -Xclang passes-skipped -g", {"!4", "!5"}),
    ],
)
@pytest.mark.parametrize("said", ["DISPFlagOptimized", "DISPFlagOptimized | DISPFlagMainSubprogram"])
def test_what_is_compiled_without_passes_is_not_optimised(flags: str, programs: set[str], said: str) -> None:
    given = MODULE.replace("isOptimized: true,", f'isOptimized: true, flags: "{flags}",')
    given = given.replace("DISPFlagOptimized", said)
    edited = with_skipped_passes(given, "passes-skipped")
    parse_text(edited, "a test")
    assert unoptimised_programs(edited) == programs
    assert "passes-skipped" not in edited
    assert ("isOptimized: true" in edited) is (programs == {"!4"})


def test_other_units_stay_as_they_are() -> None:
    other = MODULE.replace("!llvm.dbg.cu = !{!0}", "!llvm.dbg.cu = !{!0, !6}") + (
        '!6 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, isOptimized: true, flags: "skipped")\n'
        '!7 = distinct !DISubprogram(name: "k", file: !1, type: !3, spFlags: DISPFlagOptimized, unit: !6)\n'
    )
    edited = with_skipped_passes(other, "skipped")
    parse_text(edited, "a test")
    assert unoptimised_programs(edited) == {"!4", "!7"}
