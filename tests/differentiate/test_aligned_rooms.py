"""Memory in which copied words lie at odd addresses begins where they are aligned, in the model."""

from __future__ import annotations

from enzyme_build.differentiate.aligned_rooms import align_rooms
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.values import ConstantInt

SHIFTED = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.lifetime.start.p0(ptr)
define void @f(ptr %p, ptr %q, ptr %r, i64 %i) {
  %room = alloca [31 x i8], align 1
  %further = alloca [31 x i8], align 1
  call void @llvm.lifetime.start.p0(ptr %room)
  %tag = load i8, ptr %p, align 8
  %rest = getelementptr i8, ptr %p, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %room, ptr %rest, i64 31, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %further, ptr %room, i64 31, i1 false)
  %behind = getelementptr i8, ptr %q, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %behind, ptr %further, i64 31, i1 false)
  store i8 %tag, ptr %q, align 1
  ret void
}"""


def rooms(text: str) -> dict[str, tuple[int, int, int]]:
    """Size, alignment and, for each room, how far behind its begin it is copied to and from."""
    module = parse_module(text)
    function = module.function("f")
    align_rooms(module, function)
    assert not check_function(module, function)
    found = {}
    for room in function.instructions():
        if isinstance(room, ir.Alloca):
            geps = [i for i in function.instructions() if isinstance(i, ir.GetElementPtr) and i.operands[0] is room]
            offsets = [i.operands[1] for i in geps]
            begin = offsets[0].value if offsets and isinstance(offsets[0], ConstantInt) else 0
            found[str(room.name)] = (module.layout.alloc_size(room.allocated_type), room.align, begin)
    return found


def test_rooms_begin_as_what_is_copied_to_them():
    assert rooms(SHIFTED) == {"room": (32, 16, 1), "further": (32, 16, 1)}


def test_marks_stay_at_the_memory_itself():
    module = parse_module(SHIFTED)
    function = module.function("f")
    align_rooms(module, function)
    marks = [i for i in function.instructions() if isinstance(i, ir.Call) and len(i.arguments) == 1]
    assert [i.arguments[0].name for i in marks] == ["room"]


def test_arguments_of_copies_tell_of_alignment_too():
    told = SHIFTED.replace(", ptr %p, align 8", ", ptr %p, align 1")
    assert rooms(told) == {"room": (31, 1, 0), "further": (31, 1, 0)}
    whole = "  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %q, ptr align 8 %r, i64 32, i1 false)\n  ret void"
    assert rooms(told.replace("  ret void", whole)) == {"room": (32, 16, 1), "further": (32, 16, 1)}


def test_elements_of_arrays_are_as_far_from_a_multiple_as_the_array():
    element = SHIFTED.replace("i8, ptr %p, i64 1", "[16 x i8], ptr %p, i64 %i").replace("align 8", "align 16")
    assert rooms(element) == {"room": (31, 16, 0), "further": (31, 16, 0)}
    odd = SHIFTED.replace("i8, ptr %p, i64 1", "[12 x i8], ptr %p, i64 %i")
    assert rooms(odd) == {"room": (31, 1, 0), "further": (31, 1, 0)}


def test_what_would_have_to_begin_at_two_places_stays():
    both = SHIFTED.replace("store i8 %tag, ptr %q, align 1", "store i8 %tag, ptr %behind, align 8")
    assert rooms(both) == {"room": (31, 1, 0), "further": (31, 1, 0)}


ASKEW = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define ptr @f(ptr %p, ptr %q, i64 %bits) {
  %room = alloca [12 x i8], align 8
  store i64 %bits, ptr %room, align 8
  %word = getelementptr i8, ptr %room, i64 4
  store ptr %p, ptr %word, align 4
  %tag = load i32, ptr %q, align 8
  %rest = getelementptr i8, ptr %q, i64 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %rest, ptr align 8 %room, i64 12, i1 false)
  %got = load ptr, ptr %word, align 4
  ret ptr %got
}"""


def test_aligned_memory_of_which_the_pointers_are_not_is_shifted():
    module = parse_module(ASKEW)
    function = module.function("f")
    assert rooms(ASKEW) == {"room": (16, 16, 4)}
    align_rooms(module, function)
    assert not check_function(module, function)
    stores = [i for i in function.instructions() if isinstance(i, ir.Store)]
    assert [i.align for i in stores] == [4, 4]
    (copy,) = (i for i in function.instructions() if isinstance(i, ir.Call))
    assert [text.strip() for text in copy.argument_attributes] == ["align 4", "", "", ""]


def test_aligned_memory_of_which_others_know_stays():
    assert rooms(ASKEW.replace("ret ptr %got", "ret ptr %room")) == {"room": (12, 8, 4)}  # the word
    assert rooms(ASKEW.replace("store i64 %bits", "store double 1.0")) == {"room": (12, 8, 4)}  # the word
