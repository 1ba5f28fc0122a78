"""Characters of strings, in objects that have numbers behind them."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.strings import (
    is_in_string,
    is_length,
    is_text,
    is_untold,
    leads_to_characters,
    mark_text,
    other_side,
)
from enzyme_build.ir import instructions as ir

from .models import Model

# A struct of a string (32 bytes) and a number.
TEXT = """
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define double @f(ptr %a, ptr %b, ptr %other, i64 %n, i64 %i) {{
  %pointer = load ptr, ptr %a, !tbaa !5
  %length_at = getelementptr i8, ptr %a, i64 8
  %length = load i64, ptr %length_at, !tbaa !6
  %inside = getelementptr i8, ptr %a, i64 16
  %number_at = getelementptr i8, ptr %a, i64 32
  %number = load double, ptr %number_at, !tbaa !8
  %b_inside = getelementptr i8, ptr %b, i64 16
  store ptr %b_inside, ptr %b, !tbaa !5
  {more}
  ret double %number
}}

!0 = !{{!"Simple C++ TBAA"}}
!1 = !{{!"omnipotent char", !0, i64 0}}
!2 = !{{!"p1 omnipotent char", !1, i64 0}}
!3 = !{{!"long", !1, i64 0}}
!4 = !{{!"_ZTSNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", !2, i64 0, !3, i64 8, !1, i64 16}}
!5 = !{{!4, !2, i64 0}}
!6 = !{{!4, !3, i64 8}}
!7 = !{{!"double", !1, i64 0}}
!8 = !{{!7, !7, i64 0}}
!9 = !{{!1, !1, i64 0}}
!10 = !{{!"p1 double", !1, i64 0}}
!11 = !{{!10, !10, i64 0}}
"""
COPY = "call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {source}, i64 %n, i1 false)"


def marked(more: str) -> Model:
    model = Model(TEXT.format(more=more))
    mark_text(model.module, model.function)
    return model


def copies(model: Model) -> list[ir.CallBase]:
    return [i for i in model.function.instructions() if isinstance(i, ir.CallBase)]


def test_members_of_a_string_are_known_by_their_tags() -> None:
    model = marked("call void %other()")
    assert leads_to_characters(model["pointer"])
    assert is_length(model["length"])  # type: ignore[arg-type]
    assert not is_in_string(model["number"])  # type: ignore[arg-type]
    assert not leads_to_characters(model["number_at"])


@pytest.mark.parametrize(
    ("pointer", "is_character"),
    [
        ("%pointer", True),
        ("%inside", True),
        ("%number_at", False),
        ("%length_at", False),
        ("%other", False),
        ("%p", True),
        ("%q", True),
        ("%chosen", True),
        ("%mixed", False),
        ("%fifth", True),
        ("%next", False),
        ("%eighth", False),
        ("%far", True),
        ("%behind", False),
    ],
)
def test_accesses_to_characters(pointer: str, *, is_character: bool) -> None:
    model = marked(
        f"""
  %p = getelementptr i8, ptr %pointer, i64 %i
  %q = getelementptr i8, ptr %inside, i64 %i
  %c = icmp eq i64 %i, 0
  %chosen = select i1 %c, ptr %pointer, ptr %b_inside
  %mixed = select i1 %c, ptr %pointer, ptr %other
  %times5 = mul i64 %i, 5
  %fifth = getelementptr i8, ptr %inside, i64 %times5
  %times8 = mul i64 %i, 8
  %eighth = getelementptr i8, ptr %inside, i64 %times8
  %next = getelementptr double, ptr %inside, i64 %i
  %far = getelementptr i8, ptr %pointer, i64 100
  %behind = getelementptr i8, ptr %q, i64 16
  %character = load i8, ptr {pointer}, !tbaa !9"""
    )
    assert is_text(model["character"]) == is_character  # type: ignore[arg-type]


def test_numbers_among_characters_are_told_from_them() -> None:
    model = marked("%p = getelementptr double, ptr %pointer, i64 %i\n  %found = load double, ptr %p, !tbaa !9")
    assert is_untold(model["found"])  # type: ignore[arg-type]


def test_a_pointer_of_another_type_is_none_to_characters() -> None:
    """A variant may hold a vector where it holds a string at other times."""
    model = marked("%data = load ptr, ptr %a, !tbaa !11\n  %x = load i8, ptr %data, !tbaa !9")
    assert not leads_to_characters(model["data"])
    assert not is_text(model["x"])  # type: ignore[arg-type]


def test_copies_say_which_side_is_not_known_to_be_characters() -> None:
    model = marked(
        "\n  ".join(
            COPY.format(to=to, source=source)
            for to, source in [("%inside", "%b_inside"), ("%pointer", "%other"), ("%other", "%inside"), ("%a", "%b")]
        )
    )
    both, written, read, whole = copies(model)
    assert is_text(both)
    assert other_side(both) is None
    assert is_text(written)
    assert other_side(written) == 1
    assert is_text(read)
    assert other_side(read) == 0
    assert not is_text(whole)


def test_what_is_left_of_a_string_that_is_moved_on_is_its_characters() -> None:
    """Its pointer and length are in registers; its object, or the room alone, is a variable."""
    model = marked(
        "%t = alloca [40 x i8]\n  %t_inside = getelementptr i8, ptr %t, i64 16\n  %room = alloca [32 x i8]\n  "
        + "\n  ".join(
            COPY.format(to=to, source=source)
            for to, source in [("%t_inside", "%inside"), ("%room", "%t_inside"), ("%other", "%room")]
        )
        + "\n  store i64 %n, ptr %room, !tbaa !9\n  %behind = getelementptr i8, ptr %room, i64 16"
        + "\n  %x = load double, ptr %behind, !tbaa !8"
    )
    first, second, third = copies(model)
    assert other_side(first) is None
    assert other_side(second) is None
    assert other_side(third) == 0
    assert not is_text(model["x"])  # type: ignore[arg-type]
    fixed = marked("%t = alloca [40 x i8]\n  " + COPY.format(to="%t", source="%a").replace("%n", "40"))
    assert not is_text(copies(fixed)[0])


def test_what_only_returns_characters_is_known_by_its_callers() -> None:
    text = TEXT.format(more="%data = call ptr @data(ptr %a)\n  %x = load i8, ptr %data, !tbaa !9").replace(
        "define double",
        "define ptr @data(ptr %s) {\n  %p = load ptr, ptr %s, !tbaa !5\n  ret ptr %p\n}\ndefine double",
        1,
    )
    model = Model(text)
    mark_text(model.module, model.module.function("data"))
    mark_text(model.module, model.function)
    assert leads_to_characters(model["data"])
    assert is_text(model["x"])  # type: ignore[arg-type]


ROOM = "%room = getelementptr i8, ptr %a, i64 16\n  store i64 %n, ptr %room, !tbaa !9"


@pytest.mark.parametrize(
    ("pointer", "is_room"),
    [("%new", True), ("%moved", True), ("%pointer", False), ("%inside", False), ("%other", False)],
)
def test_a_string_with_characters_elsewhere_keeps_how_much_room_it_has(pointer: str, *, is_room: bool) -> None:
    new = "%new = call ptr %other(i64 %n)\n  %moved = load ptr, ptr %b, !tbaa !5"
    model = marked(f"{new}\n  store ptr {pointer}, ptr %a, !tbaa !5\n  {ROOM}")
    stores = [i for i in model.function.instructions() if isinstance(i, ir.Store)]
    assert is_length(stores[-1]) == is_room


@pytest.mark.parametrize(
    ("one", "other", "is_room"),
    [
        ("%between", "%moved", True),
        ("%between", "%new", True),
        ("%inside", "%moved", False),
        ("%pointer", "%between", False),
        ("%other", "%moved", False),
    ],
)
def test_a_string_that_was_moved_twice(one: str, other: str, *, is_room: bool) -> None:
    """The one between may be gone but for the characters inside it."""
    new = "%between = alloca i64\n  %new = call ptr %other(i64 %n)\n  %moved = load ptr, ptr %b, !tbaa !5"
    chosen = f"%c = icmp eq i64 %n, 3\n  %chosen = select i1 %c, ptr {one}, ptr {other}"
    model = marked(f"{new}\n  {chosen}\n  store ptr %chosen, ptr %a, !tbaa !5\n  {ROOM}")
    stores = [i for i in model.function.instructions() if isinstance(i, ir.Store)]
    assert is_length(stores[-1]) == is_room


def test_eight_characters_are_no_number_of_characters() -> None:
    model = marked(ROOM)
    stores = [i for i in model.function.instructions() if isinstance(i, ir.Store)]
    assert is_text(stores[-1])
    assert not is_length(stores[-1])
