"""What runs of copied bytes hold; what is not known is said, not guessed."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.fields import ONCE, Fields, fields, runs
from enzyme_build.analysis.leaves import scalar_at
from enzyme_build.ir.types import DOUBLE, FLOAT, I8, I32, PTR, array_type, struct_type

from .models import Model


def run(text: str, length: int | None, *names: str, loose: bool = False) -> Fields:
    model = Model(text)
    return fields(model.module.layout, [model.place(name) for name in names or ("p",)], length, loose=loose)


def accesses(*members: tuple[int, str], stride: int = 0, header: str = "define void @f(ptr %p, i64 %i)") -> str:
    """A function that loads a member of each type at each offset of p, or of the i-th element of p."""
    lines = [f"  %e = getelementptr i8, ptr %p, i64 {0 if not stride else '%at'}"]
    if stride:
        lines.insert(0, f"  %at = mul i64 %i, {stride}")
    for n, (offset, type_) in enumerate(members):
        lines += [f"  %m{n} = getelementptr i8, ptr %e, i64 {offset}", f"  %v{n} = load {type_}, ptr %m{n}"]
        lines += [f"  %u{n} = add {type_} %v{n}, 1"] if type_.startswith("i") else []
    return "\n".join([header + " {", *lines, "  ret void", "}"])


def test_array_of_doubles_of_any_length():
    found = run(accesses((0, "double"), stride=8), None)
    assert found == Fields(8, ((0, DOUBLE),), ())


def test_array_of_pointers_and_of_integers():
    assert run(accesses((0, "ptr"), stride=8), None) == Fields(8, (), (0,))
    assert run(accesses((0, "i32"), stride=4), None).numbers == ()
    assert run(accesses((0, "i32"), stride=4), None).unknown == ()


def test_struct_with_padding():
    """{ i32, (4 bytes), double, ptr }"""
    found = run(accesses((0, "i32"), (8, "double"), (16, "ptr")), 24)
    assert found == Fields(0, ((8, DOUBLE),), (16,))
    assert found.assumed == tuple(range(1, 8))  # the rest of the integer, and what may be more than padding


def test_array_of_structs_of_any_length():
    found = run(accesses((0, "float"), (4, "float"), (8, "i64"), (16, "double"), stride=24), None)
    assert found == Fields(24, ((0, FLOAT), (4, FLOAT), (16, DOUBLE)), ())


def test_ten_bytes_of_sixteen_are_a_number():
    layout = 'target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"\n'
    text = layout + accesses((0, "i32"), (16, "x86_fp80"), (32, "x86_fp80"))
    found = run(text, 48)
    assert [at for at, _ in found.numbers] == [16, 32]
    assert found.unknown == tuple(range(8, 16))  # what is in front of the first may be more than padding


def test_part_of_a_struct():
    assert run(accesses((0, "double"), (8, "i64")), 8) == Fields(0, ((0, DOUBLE),), ())


def test_members_of_constants_that_nobody_accesses():
    """Code elsewhere may read what a constant begins with, and keep nothing there; in a variable it may."""
    text = """
declare void @elsewhere(ptr)
@empty = KIND <{ i64, [8 x i8] }> <{ i64 3, [8 x i8] zeroinitializer }>
define i64 @f() {
  %p = alloca [16 x i8]
  call void @elsewhere(ptr @empty)
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @empty, i64 16, i1 false)
  %first = load i64, ptr %p
  %next = add i64 %first, 1
  ret i64 %next
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""
    found = {}
    for kind in ("constant", "global"):
        model = Model(text.replace("KIND", kind))
        places = [model.place("p"), model.memory.place(model.module.globals["empty"])]
        found[kind] = fields(model.module.layout, places, 16)
    assert found["constant"] == Fields(0, (), ())
    assert 8 in found["global"].unknown


def test_member_that_nobody_accesses_is_unknown():
    """Only the integer in front is used here; what follows may be a number."""
    assert 8 in run(accesses((0, "i64")), 16).unknown
    assert 8 in run(accesses((0, "double")), 16).unknown
    assert 8 in run(accesses((0, "ptr")), 16).unknown
    assert 8 in run(accesses((0, "double"), stride=16), None).unknown


def test_integer_in_front_of_a_run_of_unknown_length():
    """struct { long n; double x[]; }"""
    assert run(accesses((0, "i64")), None).unknown


def behind(members: tuple[tuple[int, str], ...], at: int, element: str, step: int) -> str:
    """A function that loads members of p, and the i-th element of an array behind them."""
    text = accesses(*members, header="define void @f(ptr %p, i64 %i)").replace("  ret void", "")
    use = f"  %used = add {element} %last, 1\n" if element.startswith("i") else ""
    return f"""{text.rstrip("}")}
  %array = getelementptr i8, ptr %p, i64 {at}
  %by = mul i64 %i, {step}
  %there = getelementptr i8, ptr %array, i64 %by
  %last = load {element}, ptr %there
{use}  ret void
}}"""


@pytest.mark.parametrize(
    ("members", "numbers", "pointers"),
    [
        (((0, "double"), (8, "double"), (16, "i32")), ((0, DOUBLE), (8, DOUBLE)), ()),
        (((0, "ptr"), (8, "i32")), (), (0,)),
        (((0, "ptr"), (8, "double"), (16, "i32")), ((8, DOUBLE),), (0,)),
    ],
)
def test_members_in_front_of_integers_lie_there_once(members, numbers, pointers):
    assert run(behind(members, 20, "i32", 4), None) == Fields(ONCE, numbers, pointers)


def test_members_in_front_of_other_numbers_are_not_told():
    found = run(behind(((0, "ptr"), (8, "i32")), 12, "float", 4), None)
    assert found.mixed == (0,)


def test_loose_types_take_the_rest_for_the_same():
    assert run(accesses((0, "double")), 16, loose=True) == Fields(8, ((0, DOUBLE),), ())


def test_nothing_is_known():
    text = "define void @f(ptr %p) {\n  ret void\n}"
    assert run(text, 8).unknown
    assert run(text, None).unknown


def test_memory_that_no_outsider_sees_holds_what_is_accessed():
    text = """
declare ptr @malloc(i64)
define void @f() {
  %p = call ptr @malloc(i64 32)
  store double 1.0, ptr %p
  ret void
}"""
    assert run(text, 32) == Fields(0, ((0, DOUBLE),), ())


def test_contradiction_is_mixed():
    text = """
define void @f(ptr %p) {
  %a = load double, ptr %p
  %b = load float, ptr %p
  %q = getelementptr i8, ptr %p, i64 8
  %c = load double, ptr %q
  ret void
}"""
    assert 0 in run(text, 16).mixed


def test_declared_type_fills_in():
    text = """
%s = type { double, i32, ptr }
define void @f() {
  %p = alloca %s
  call void @g(ptr %p)
  ret void
}
declare void @g(ptr)"""
    assert run(text, 24) == Fields(0, ((0, DOUBLE),), (16,))


def test_declared_pointer_beside_an_accessed_double():
    text = """
%s = type { double, ptr }
define void @f() {
  %p = alloca %s
  store double 1.0, ptr %p
  call void @g(ptr %p)
  ret void
}
declare void @g(ptr)"""
    assert run(text, 16) == Fields(0, ((0, DOUBLE),), (8,))


def test_evidence_of_either_memory_counts():
    text = """
define void @f(ptr %p, ptr %q) {
  %a = load double, ptr %p
  %r = getelementptr i8, ptr %q, i64 8
  %b = load ptr, ptr %r
  ret void
}"""
    assert run(text, 16, "p", "q") == Fields(0, ((0, DOUBLE),), (8,))


def test_scalar_at():
    layout = Model("define void @f() {\n  ret void\n}").module.layout
    inner = struct_type((I8, FLOAT))
    type_ = struct_type((array_type(inner, 2), PTR, array_type(I8, 8), I32))
    assert scalar_at(layout, type_, 4) is FLOAT
    assert scalar_at(layout, type_, 12) is FLOAT
    assert scalar_at(layout, type_, 1) is None  # padding
    assert scalar_at(layout, type_, 16) is PTR
    assert scalar_at(layout, type_, 24) is None  # bytes may be anything
    assert scalar_at(layout, type_, 32) is I32
    assert scalar_at(layout, type_, 48) is None


def test_words_that_are_pointers_in_some_objects_and_numbers_in_others():
    """Two classes behind one pointer: { ptr, double, i64 } and { ptr, ptr, ptr }."""
    both = run(accesses((0, "ptr"), (8, "double"), (8, "ptr"), (16, "i64"), (16, "double"), (16, "ptr")), 24)
    assert (both.pointers, both.words, both.mixed) == ((0,), (8, 16), ())


def test_halves_of_words_are_not_told_apart_at_run_time():
    found = run(accesses((0, "float"), (0, "ptr"), (4, "float")), 8)
    assert found.words == ()
    assert found.mixed


def test_a_part_of_a_word_is_neither_pointer_nor_number():
    assert run(accesses((0, "double"), (0, "ptr")), 5) == Fields(0, (), ())


STORAGE = """
define void @f(i64 %n, i64 %i) {
  %p = alloca i8, i64 %n
  %e = getelementptr double, ptr %p, i64 %i
  store double 1.0, ptr %e
  ret void
}"""


def test_bytes_are_storage_for_anything():
    assert run(STORAGE, None) == Fields(8, ((0, DOUBLE),), ())


def test_bytes_do_not_say_that_all_of_them_are_used():
    text = STORAGE.replace("i64 %i\n", "i64 0\n").replace("alloca i8, i64 %n", "alloca [64 x i8]")
    assert run(text, 64) == Fields(0, ((0, DOUBLE),), ())


def test_blocks_of_an_array_repeat_what_its_elements_hold():
    """Elements of 24 bytes, of which others see blocks of ten."""
    text = accesses((0, "double"), (16, "ptr"), (8, "i64"), stride=24)
    block = "  %b = mul i64 %i, 240\n  %q = getelementptr i8, ptr %p, i64 %b\n  %w = load double, ptr %q\n  ret void"
    assert run(text.replace("  ret void", block), None) == Fields(24, ((0, DOUBLE),), (16,))


def test_runs_of_fields_at_equal_distances():
    assert runs((0, 24, 48, 8, 32, 56), 3) == [(0, 24, 3), (8, 24, 3)]
    assert runs(range(8, 88, 8), 4) == [(8, 8, 10)]


def test_short_runs_of_fields_stand_alone():
    assert runs((0, 8, 16, 40), 4) == [(0, 1, 1), (8, 1, 1), (16, 1, 1), (40, 1, 1)]
    assert runs((), 1) == []


MOVED = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %p) {{
  %v = load {type}, ptr %p
  {use}
  %q = alloca [8 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 8, i1 false)
  ret void
}}
"""


@pytest.mark.parametrize(
    ("type_", "use", "told", "expected"),
    [
        ("float", "%u = fadd float %v, 1.0", DOUBLE, Fields(0, ((0, FLOAT),), (), mixed=(0,))),
        ("ptr", "%u = load i8, ptr %v", FLOAT, Fields(0, (), (0,), mixed=(0,))),
        ("ptr", "%u = load i8, ptr %v", DOUBLE, Fields(0, (), (), words=(0,))),
        ("i32", "%u = mul i32 %v, 3", FLOAT, Fields(0, ((0, FLOAT),), ())),
        ("i32", "%u = mul i32 %v, 3", None, Fields(0, (), ())),
    ],
)
def test_what_callers_say_counts_where_bytes_are_copied(type_, use, told, expected):
    model = Model(MOVED.format(type=type_, use=use))
    place = model.place("p").resolved()
    place.region.content(place.offset, place.stride).tell(frozenset([told] if told else []))
    assert fields(model.module.layout, [place], 8 if type_ == "ptr" else 4) == expected


def test_what_nothing_tells_of_reaches_to_what_is_known():
    told = Fields(0, ((8, DOUBLE),), (24,), mixed=(0, 16, 32))
    assert told.untold(36) == [(0, 8), (16, 8), (32, 4)]
    assert Fields(0, (), (), mixed=(0, 8)).untold(40) == [(0, 24)]
    assert Fields(40, (), (32,), mixed=(0, 8), unknown=(36, 37)).untold(None) == [(0, 24), (36, 2)]
    assert Fields(0, (), (), unknown=(0, 1, 2, 6)).untold(7) == [(0, 3), (6, 1)]
