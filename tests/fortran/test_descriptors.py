"""What is known of descriptors and derived types, on small modules as flang writes them."""

from __future__ import annotations

import re

from enzyme_build.fortran.descriptor_types import assume_types
from enzyme_build.fortran.type_tables import functions_of_types
from enzyme_build.ir.parser import parse_module
from enzyme_build.llvm.context import parse_text

DESCRIPTOR = "{ ptr, i64, i32, i8, i8, i8, i8, [1 x [3 x i64]] }"
NO_BOUNDS = "[1 x [3 x i64]] [[3 x i64] [i64 1, i64 0, i64 8]]"
HEAD = """
@kept = global {descriptor} {{ ptr null, i64 8, i32 20240719, i8 1, i8 28, i8 2, i8 0, {bounds} }}
declare void @enzyme_fortran_Assign(ptr, ptr, ptr, i32)
declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)
define void @f(ptr %unknown) {{
{body}
  ret void
}}
"""


def assumed(body: str) -> list[tuple[str, int, int]]:
    """(descriptor, offset, value) of each assumption."""
    text = HEAD.format(descriptor=DESCRIPTOR, bounds=NO_BOUNDS, body=body)
    told = assume_types(parse_module(text), "enzyme_fortran_")
    parse_text(told, "the module with assumptions").close()
    found = re.findall(r"getelementptr i8, ptr (\S+), i64 (\d+)\n.*= load \S+ .*\n.*= icmp eq \S+ \S+, (-?\d+)", told)
    return [(descriptor, int(offset), int(value)) for descriptor, offset, value in found]


def test_a_descriptor_stored_as_a_value() -> None:
    value = f"{DESCRIPTOR} {{ ptr undef, i64 4, i32 20240719, i8 1, i8 27, i8 0, i8 0, {NO_BOUNDS} }}"
    found = assumed(f"""
  %d = alloca {DESCRIPTOR}
  %v = insertvalue {value}, ptr %unknown, 0
  store {DESCRIPTOR} %v, ptr %d
  call void @enzyme_fortran_Assign(ptr %d, ptr %unknown, ptr null, i32 1)""")
    assert {(offset, value) for _, offset, value in found} == {(21, 27), (20, 1), (22, 0), (8, 4)}


def test_a_copy_of_a_global_descriptor() -> None:
    found = assumed(f"""
  %d = alloca {DESCRIPTOR}
  call void @llvm.memcpy.p0.p0.i32(ptr %d, ptr @kept, i32 48, i1 false)
  call void @enzyme_fortran_Assign(ptr @kept, ptr %d, ptr null, i32 1)""")
    assert {(offset, value) for _, offset, value in found} == {(21, 28), (20, 1), (22, 2), (8, 8)}
    assert len({descriptor for descriptor, _, _ in found}) == 2


def test_two_types_in_one_place_are_none() -> None:
    values = [f"ptr null, i64 {size}, i32 20240719, i8 1, i8 {code}, i8 2" for size, code in ((4, 27), (8, 28))]
    stores = "\n".join(f"  store {DESCRIPTOR} {{ {value}, i8 0, {NO_BOUNDS} }}, ptr %d" for value in values)
    call = "  call void @enzyme_fortran_Assign(ptr %d, ptr %unknown, ptr null, i32 1)"
    found = assumed(f"  %d = alloca {DESCRIPTOR}\n{stores}\n{call}")
    assert {(offset, value) for _, offset, value in found} == {(20, 1), (22, 2)}


def test_nothing_is_known_of_arguments_without_debug_data() -> None:
    assert assumed("  call void @enzyme_fortran_Assign(ptr %unknown, ptr %unknown, ptr null, i32 1)") == []


def test_no_types_leave_a_choice_among_none() -> None:
    text = functions_of_types(parse_module(""))
    module = parse_text(text, "functions of no types")
    names = {function.name for function in module.functions if not function.is_declaration}
    actions = ("copy", "assign", "duplicate", "finalize", "finalize_in_array", "destroy", "initialize")
    assert names == {f"enzyme_fortran_{action}{of_many}" for action in actions for of_many in ("", "_run")}
    module.close()


def test_an_array_that_is_assigned_tells_the_rank_and_type_of_what_it_is_assigned_to() -> None:
    found = assumed("  call void @enzyme_fortran_Assign(ptr %unknown, ptr @kept, ptr null, i32 1)")
    assert {(offset, value) for name, offset, value in found if name == "%unknown"} == {(20, 1), (21, 28), (8, 8)}


def test_a_scalar_that_is_assigned_tells_no_rank() -> None:
    found = assumed(f"""
  %d = alloca {DESCRIPTOR}
  store {DESCRIPTOR} {{ ptr undef, i64 8, i32 20240719, i8 0, i8 28, i8 0, i8 0, {NO_BOUNDS} }}, ptr %d
  call void @enzyme_fortran_Assign(ptr %unknown, ptr %d, ptr null, i32 1)""")
    assert {(offset, value) for name, offset, value in found if name == "%unknown"} == {(21, 28), (8, 8)}


def test_of_logicals_the_code_may_be_either_of_two() -> None:
    value = f"{DESCRIPTOR} {{ ptr undef, i64 4, i32 20240719, i8 1, i8 14, i8 0, i8 0, {NO_BOUNDS} }}"
    found = assumed(f"""
  %d = alloca {DESCRIPTOR}
  store {value}, ptr %d
  call void @enzyme_fortran_Assign(ptr %d, ptr %unknown, ptr null, i32 1)""")
    assert ("%d", 8, 4) in found
    assert not [found for found in found if found[1] == 21]
