"""Access tags of memory that `move_alloc` moves."""

from __future__ import annotations

from enzyme_build.fortran.moved_tags import without_moved_names

TAGS = """
!0 = !{!1, !1, i64 0}
!1 = !{!"allocated data/_QFfEone", !3, i64 0}
!2 = !{!4, !4, i64 0}
!3 = !{!"allocated data", !5, i64 0}
!4 = !{!"dummy arg data/_QFfEx", !5, i64 0}
!5 = !{!"any data access", !6, i64 0}
!6 = !{!"any access", !7, i64 0}
!7 = !{!"Flang function root f"}
"""
CALL = "  %1 = call i32 @_FortranAMoveAlloc(ptr %a, ptr %b, ptr null, i1 false, ptr null, ptr null, i32 1)\n"


def test_what_is_moved_has_one_type():
    assert without_moved_names(CALL + TAGS) == CALL + TAGS.replace("!0 = !{!1, !1, i64 0}", "!0 = !{!3, !3, i64 0}")


def test_nothing_is_moved():
    assert without_moved_names(TAGS) == TAGS
