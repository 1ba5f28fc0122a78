"""Which attachments clones keep."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.metadata import kept_metadata, shadow_alignment
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
        ("!tbaa.struct !5", ""),
        ("!llvm.loop !3", ""),
        ("!nontemporal !1, !invariant.load !2", ""),
    ],
)
def test_types_stay_and_places_go(text, kept):
    load = Load(DOUBLE, Argument(PTR, "p", 0), 8, metadata=text)
    assert kept_metadata(load) == kept


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
