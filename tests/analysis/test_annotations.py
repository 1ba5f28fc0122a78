"""The table of what users tell the pass, from every way to tell it."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.annotations import annotations_of
from enzyme_build.ir.parser import parse_module

HEAD = """
target triple = "x86_64-pc-linux-gnu"
declare double @f(double)
declare double @augmented(double)
declare double @reverse(double, double)
declare double @tangent(double, double)
declare ptr @take(i64, i64)
declare void @give(i64, ptr)
@g = global double 1.0
@dg = global double 0.0
@wide = global [2 x double] zeroinitializer
@name = private constant [6 x i8] c"log1p\\00"
@freed = private constant [5 x i8] c"0,-1\\00"
@file = private constant [4 x i8] c"f.c\\00"
"""


def table(text: str):
    return annotations_of(parse_module(HEAD + text))


def test_a_gradient_by_a_variable() -> None:
    found = table("@_ZN1a30__enzyme_register_gradient_fooE = global [3 x ptr] [ptr @f, ptr @augmented, ptr @reverse]")
    rule = found.rules["f"]
    assert rule.augmented is not None
    assert rule.reverse is not None
    assert (rule.augmented.name, rule.reverse.name, rule.tangent) == ("augmented", "reverse", None)
    assert found.kept_as_calls() == {"f"}
    assert found.findings == []


def test_derivatives_of_both_modes_make_one_rule() -> None:
    found = table(
        "@__enzyme_register_gradient_f = global [3 x ptr] [ptr @f, ptr @augmented, ptr @reverse]\n"
        "@__enzyme_register_derivative_f = global [2 x ptr] [ptr @f, ptr @tangent]"
    )
    assert [part.name for part in found.rules["f"].functions()] == ["augmented", "reverse", "tangent"]


def test_lists_of_functions_and_variables() -> None:
    found = table(
        "@__enzyme_inactivefn = global [2 x ptr] [ptr @f, ptr @tangent]\n"
        "@__enzyme_inactive_global_one = global ptr @g\n"
        "@__enzyme_inactive_global_more = global [2 x ptr] [ptr @dg, ptr @wide]\n"
        "@__enzyme_nofree = global [1 x ptr] [ptr @reverse]"
    )
    assert found.inactive == {"f", "tangent"}
    assert found.inactive_globals == {"g", "dg", "wide"}
    assert found.free_of_frees == {"reverse"}


def test_shadows_known_functions_and_allocators() -> None:
    found = table(
        "@__enzyme_shadow_g = global [2 x ptr] [ptr @g, ptr @dg]\n"
        "@__enzyme_function_like_f = global [2 x ptr] [ptr @f, ptr @name]\n"
        "@__enzyme_allocation_like_take = global [4 x ptr] "
        "[ptr @take, ptr inttoptr (i64 1 to ptr), ptr @freed, ptr @give]"
    )
    assert found.shadows["g"].name == "dg"
    assert found.alike == {"f": "log1p"}
    assert (found.allocators["take"].sizes, found.allocators["take"].freed_with) == ((1,), (0, -1))
    assert found.deallocators["give"].pointer == 1


def test_attributes_of_clang() -> None:
    entries = [
        "{ ptr @f, ptr @a1, ptr @file, i32 7, ptr @args }",
        "{ ptr @g, ptr @a2, ptr @file, i32 8, ptr null }",
        "{ ptr @augmented, ptr @a3, ptr @file, i32 9, ptr null }",
        "{ ptr @tangent, ptr @a4, ptr @file, i32 9, ptr null }",
    ]
    type_ = "{ ptr, ptr, ptr, i32, ptr }"
    members = ", ".join(f"{type_} {entry}" for entry in entries)
    found = table(
        f"""
@a1 = private constant [16 x i8] c"enzyme_gradient\\00"
@a2 = private constant [16 x i8] c"enzyme_inactive\\00"
@a3 = private constant [27 x i8] c"enzyme_function_like=log1p\\00"
@a4 = private constant [10 x i8] c"unrelated\\00"
@args = private constant {{ ptr }} {{ ptr @reverse }}
@llvm.global.annotations = appending global [4 x {type_}] [{members}], section "llvm.metadata"
"""
    )
    rule = found.rules["f"]
    assert rule.reverse is not None
    assert rule.reverse.name == "reverse"
    assert str(rule.place) == "f.c:7"
    assert found.inactive_globals == {"g"}
    assert found.alike == {"augmented": "log1p"}
    assert found.inactive == set()


def test_metadata_and_attributes_of_llvm() -> None:
    found = table(
        """
declare !enzyme_gradient !0 !enzyme_augment !1 double @h(double)
define double @k(double %x) #0 !enzyme_derivative !2 {
  ret double %x
}
declare double @quiet(double) #1
attributes #0 = { nounwind "enzyme_math"="log1p" }
attributes #1 = { "enzyme_inactive" }
!0 = !{ptr @reverse}
!1 = !{ptr @augmented}
!2 = !{ptr @tangent}
"""
    )
    assert [part.name for part in found.rules["h"].functions()] == ["augmented", "reverse"]
    assert [part.name for part in found.rules["k"].functions()] == ["tangent"]
    assert found.alike == {"k": "log1p"}
    assert found.inactive == {"quiet"}
    assert found.kept_as_calls() == {"h", "k", "quiet", "augmented", "reverse", "tangent"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@__enzyme_register_gradient_f = global [2 x ptr] [ptr @f, ptr @reverse]", "is not a list of 3 functions"),
        ("@__enzyme_inactivefn = global [1 x ptr] [ptr @g]", "is not a list of 1 functions"),
        ("@__enzyme_inactive_global_x = global ptr @f", "does not hold addresses of global variables"),
        ("@__enzyme_shadow_x = global [2 x ptr] [ptr @g, ptr @wide]", "of the same type"),
        ("@__enzyme_shadow_x = global [2 x ptr] zeroinitializer", "has no constant value"),
        ("@__enzyme_function_like_x = global [2 x ptr] [ptr @reverse, ptr @name]", "has another type"),
        ("@__enzyme_allocation_like_x = global [2 x ptr] [ptr @take, ptr @give]", "does not describe an allocator"),
        (
            (
                "@__enzyme_allocation_like_x = global [4 x ptr] [ptr @f, ptr null, ptr @own, ptr @give]\n"
                '@own = private constant [3 x i8] c"-1\\00"'
            ),
            "does not describe an allocator",
        ),
        (
            (
                "@__enzyme_allocation_like_x = global [4 x ptr] [ptr @take, ptr null, ptr @own, ptr @give]\n"
                '@own = private constant [3 x i8] c"-1\\00"'
            ),
            "does not describe an allocator",
        ),
        (
            "@__enzyme_register_gradient_x = global [3 x ptr] [ptr @f, ptr @reverse, ptr @reverse]",
            "has 'reverse' for both its augmented and reverse function",
        ),
    ],
)
def test_what_means_nothing_is_refused(text: str, message: str) -> None:
    (finding,) = table(text).findings
    assert message in str(finding)
    assert finding.code == "E0330"
