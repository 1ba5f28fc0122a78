"""Which attachments clones keep."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.metadata import kept_metadata
from enzyme_build.ir.instructions import Load
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
