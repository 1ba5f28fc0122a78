"""What leads into members that are marked inactive, also where LLVM goes on with the address of the mark."""

from __future__ import annotations

from enzyme_build.analysis.inactive_places import InactivePlaces

from .models import Model

HEAD = """
%struct.layer = type { double, double, [2 x double], double }
@.str = private constant [16 x i8] c"enzyme_inactive\\00", section "llvm.metadata"
@.file = private constant [4 x i8] c"a.c\\00", section "llvm.metadata"
declare ptr @llvm.ptr.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
declare void @g(ptr)
define ptr @f(ptr %p, i64 %i, i1 %c) {
"""
MARK = "%{} = call ptr @llvm.ptr.annotation.p0.p0(ptr %{}, ptr @.str, ptr @.file, i32 1, ptr null)\n"


def places(body: str) -> tuple[set[str | None], set[str | None], str | None]:
    """The pointers, the loads, and what takes an address away."""
    m = Model(f"{HEAD}{body}\n}}")
    found = InactivePlaces(m.memory, m.cfg)
    lost = type(found.lost).__name__ if found.lost is not None else None
    return {v.name for v in found.pointers}, {v.name for v in found.accesses}, lost


def test_all_that_is_counted_from_the_mark():
    body = f"""  %at = getelementptr i8, ptr %p, i64 16
  {MARK.format("m", "at")}
  %e = getelementptr double, ptr %m, i64 %i
  %v = load double, ptr %e
  %other = getelementptr i8, ptr %p, i64 32
  %w = load double, ptr %other
  call void @g(ptr %e)
  ret ptr null"""
    assert places(body) == ({"m", "at", "e"}, {"v"}, None)


def test_the_first_member_is_where_its_struct_is():
    body = f"""  {MARK.format("m", "p")}
  %v = load double, ptr %p
  %other = getelementptr i8, ptr %p, i64 8
  %w = load double, ptr %other
  ret ptr null"""
    assert places(body) == ({"m"}, {"v"}, None)


def test_elements_are_found_by_the_type_of_the_struct():
    body = f"""  %s = getelementptr %struct.layer, ptr %p, i64 %i
  %at = getelementptr i8, ptr %s, i64 16
  {MARK.format("m", "at")}
  %e = getelementptr i8, ptr %s, i64 24
  %v = load double, ptr %e
  %other = getelementptr i8, ptr %s, i64 32
  %w = load double, ptr %other
  ret ptr null"""
    assert places(body) == ({"m", "at", "e"}, {"v"}, None)


def test_without_a_type_nothing_tells_elements_from_other_members():
    body = f"""  %at = getelementptr i8, ptr %p, i64 16
  {MARK.format("m", "at")}
  %e = getelementptr i8, ptr %p, i64 24
  %v = load double, ptr %e
  ret ptr null"""
    assert places(body)[1:] == (set(), "Call")


def test_addresses_that_are_kept_or_chosen():
    begin = f"  %at = getelementptr i8, ptr %p, i64 16\n  {MARK.format('m', 'at')}\n"
    assert places(f"{begin}  ret ptr %m")[2] == "Return"
    assert places(f"{begin}  store ptr %m, ptr %p\n  ret ptr null")[2] == "Store"
    assert places(f"{begin}  %s = select i1 %c, ptr %m, ptr %p\n  ret ptr null")[2] == "Select"
    assert places(f"{begin}  %s = select i1 %c, ptr %m, ptr null\n  %v = load double, ptr %s\n  ret ptr null") == (
        {"m", "at", "s"},
        {"v"},
        None,
    )
