"""Numbers that are moved as integers, by the tags of both accesses."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.tagged_numbers import numbers_for_tags
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module

TAGS = """
!0 = !{!1, !1, i64 0}
!1 = !{!"double", !4, i64 0}
!2 = !{!3, !3, i64 0}
!3 = !{!"long", !4, i64 0}
!4 = !{!"omnipotent char", !5, i64 0}
!5 = !{!"Simple C/C++ TBAA"}
!6 = !{!7, !7, i64 0}
!7 = !{!"float", !4, i64 0}
"""


def moved(body: str) -> list[tuple[str, str]]:
    """What is loaded and stored, as which types."""
    module = parse_module(f"define i64 @f(ptr %p, ptr %q) {{\n{body}\n}}{TAGS}")
    function = module.function("f")
    numbers_for_tags(module, function)
    assert not check_function(module, function)
    return [
        ("load", i.type.text) if isinstance(i, ir.Load) else ("store", i.value.type.text)
        for i in function.instructions()
        if isinstance(i, ir.Load | ir.Store)
    ]


def test_a_number_is_moved_as_one():
    body = "  %v = load i64, ptr %p, !tbaa !0\n  store i64 %v, ptr %q, !tbaa !0\n  ret i64 0"
    assert moved(body) == [("load", "double"), ("store", "double")]


def test_of_half_the_width_it_is_a_float():
    body = "  %v = load i32, ptr %p, !tbaa !6\n  store i32 %v, ptr %q, !tbaa !6\n  ret i64 0"
    assert moved(body) == [("load", "float"), ("store", "float")]


def test_other_users_have_the_bits():
    body = "  %v = load i64, ptr %p, !tbaa !0\n  store i64 %v, ptr %q, !tbaa !0\n  ret i64 %v"
    assert moved(body) == [("load", "double"), ("store", "double")]


def test_what_a_word_is_put_together_of():
    body = "  %v = load i32, ptr %p, !tbaa !6\n  %w = zext i32 %v to i64\n  %u = shl nuw i64 %w, 32\n  ret i64 %u"
    assert moved(body) == [("load", "float")]
    assert moved(body.replace("!6", "!2")) == [("load", "i32")]


@pytest.mark.parametrize(
    ("load", "store"),
    [(", !tbaa !2", ", !tbaa !0"), (", !tbaa !0", ", !tbaa !2"), (", !tbaa !0", ""), ("", ", !tbaa !0")],
)
def test_both_ends_say_it(load: str, store: str):
    body = f"  %v = load i64, ptr %p{load}\n  store i64 %v, ptr %q{store}\n  ret i64 0"
    assert moved(body) == [("load", "i64"), ("store", "i64")]


def test_volatile_accesses_stay():
    body = "  %v = load volatile i64, ptr %p, !tbaa !0\n  store i64 %v, ptr %q, !tbaa !0\n  ret i64 0"
    assert moved(body) == [("load", "i64"), ("store", "i64")]
