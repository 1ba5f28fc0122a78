"""Type tags of the accesses in derivatives."""

from enzyme_build.llvm.tags import with_tags_of_types

MODULE = """
define internal void @plain(ptr %p) {
  store i32 1, ptr %p, align 4, !tbaa !1
  ret void
}
define internal void @"enzyme_build.forward.f"(ptr %p, ptr %q) {
entry:
  store i32 1, ptr %p, align 4, !tbaa !1, !alias.scope !9
  store i32 2, ptr %q, align 4, !tbaa !6
  store float 1.0, ptr %q, align 4, !tbaa !7
  ret void
}
!1 = !{!2, !3, i64 0}
!2 = !{!"disc", !3, i64 0, !8, i64 4}
!3 = !{!"int", !4, i64 0}
!4 = !{!"omnipotent char", !5, i64 0}
!5 = !{!"Simple C/C++ TBAA"}
!6 = !{!2, !3, i64 0, i64 1}
!7 = !{!8, !8, i64 0}
!8 = !{!"float", !4, i64 0}
!9 = !{}
"""


def test_members_of_structs_are_accesses_of_their_types():
    changed = with_tags_of_types(MODULE)
    before, after = changed.split('@"enzyme_build.forward.f"')
    assert "!tbaa !1\n" in before
    assert "ptr %p, align 4, !tbaa !10, !alias.scope !9" in after
    assert "ptr %q, align 4, !tbaa !10\n" in after
    assert "!tbaa !7" in after
    assert changed.endswith("!10 = !{!3, !3, i64 0}\n")


def test_nothing_changes_without_structs():
    text = MODULE.replace("!{!2, !3,", "!{!3, !3,")
    assert with_tags_of_types(text) == text
