"""Which attachments clones keep."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.metadata import TagsOfSums, kept_metadata, shadow_alignment
from enzyme_build.ir.instructions import Load
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.types import DOUBLE, PTR
from enzyme_build.ir.values import Argument


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("", ""),
        ("!tbaa !5", "!tbaa !5"),
        ("!tbaa !5, !dbg !10", "!tbaa !5"),
        ("!dbg !10, !tbaa !5, !alias.scope !7, !noalias !8", "!tbaa !5"),
        ("!tbaa.struct !5, !dbg !4", "!tbaa.struct !5"),
        ("!enzyme.member !5, !enzyme.number !6", "!enzyme.member !5"),
        ("!llvm.loop !3", ""),
        ("!nontemporal !1, !invariant.load !2", ""),
    ],
)
def test_types_stay_and_places_go(text, kept):
    load = Load(DOUBLE, Argument(PTR, "p", 0), 8, metadata=text)
    assert kept_metadata(load) == kept


TAGS = """
!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
!4 = !{!5, !1, i64 8}
!5 = !{!"pair", !1, i64 0, !1, i64 8}
"""


@pytest.mark.parametrize(
    ("tag", "sums"),
    [
        ("", ""),
        ("!tbaa !0, !dbg !99", "!tbaa !0"),
        ("!tbaa !4", "!tbaa !6 = !{!1, !1, i64 0}"),
    ],
)
def test_what_only_readers_tell_apart_is_not_told_apart_by_sums(tag: str, sums: str) -> None:
    module = parse_module(TAGS)
    tags = TagsOfSums(module)
    load = Load(DOUBLE, Argument(PTR, "p", 0), 8, metadata=tag)
    assert tags.of(load) == tags.of(load) == sums.partition(" = ")[0]
    assert module.added_metadata == [text for text in [sums.removeprefix("!tbaa ")] if " = " in text]


def test_shadows_are_aligned_as_their_type():
    """The primal's address was looked at, the shadow's was not."""
    module = parse_module("""
define void @f(ptr %p, double %x, <2 x double> %v, { double, i32 } %s) {
  store double %x, ptr %p, align 16
  store <2 x double> %v, ptr %p, align 16
  store <2 x double> %v, ptr %p, align 4
  store { double, i32 } %s, ptr %p, align 32
  %l = load <2 x double>, ptr %p, align 16
  ret void
}""")
    accesses = list(module.function("f").instructions())[:-1]
    assert [shadow_alignment(module.layout, i) for i in accesses] == [8, 8, 4, 8, 8]
