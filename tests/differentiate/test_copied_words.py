"""Words that may be pointers are copied as bytes, be they moved as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.bytetypes import memory_models
from enzyme_build.analysis.callgraph import call_graph
from enzyme_build.differentiate.copied_words import copy_words
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.types import DOUBLE

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function

MOVED = """
define double @f(ptr %from, ptr %to, double %x, i1 %c) {
  %word = getelementptr i8, ptr %from, i64 8
  br i1 %c, label %number, label %pointer
number:
  store double %x, ptr %word, align 8
  br label %moved
pointer:
  store ptr %to, ptr %word, align 8
  br label %moved
moved:
  %w = load double, ptr %word, align 8
  br i1 %c, label %other, label %end
other:
  br label %end
end:
  %m = phi double [ %w, %moved ], [ %x, %other ]
  %there = getelementptr i8, ptr %to, i64 8
  store double %m, ptr %there, align 8
  ret double %m
}"""


def copied(text: str) -> tuple[Function, list[ir.Instruction]]:
    """The model of `f`, and its stores of numbers."""
    module = parse_module(text)
    function = module.function("f")
    graph = call_graph(module, [function])
    copy_words(module, function, memory_models(module, graph, {function})[function])
    assert not check_function(module, function)
    stores = [i for i in function.instructions() if isinstance(i, ir.Store) and i.value.type is DOUBLE]
    return function, stores


def copies(function: Function) -> int:
    return sum(isinstance(i, ir.Call) for i in function.instructions())


def test_numbers_that_may_be_pointers_are_copied():
    function, stores = copied(MOVED)
    assert copies(function) >= 3  # from the word, where both ways meet, and to where it goes
    assert all(getattr(i, "value", None) is not phi for i in stores for phi in function.instructions())


def test_what_the_source_reads_as_a_number_stays_one():
    marked = MOVED.replace(
        "%w = load double, ptr %word, align 8", "%w = load double, ptr %word, align 8, !enzyme.number !0"
    )
    function, _ = copied(marked + "\n!0 = !{}\n")
    assert copies(function) == 0


def test_where_no_pointer_is_numbers_stay():
    function, _ = copied(MOVED.replace("store ptr %to, ptr %word", "store double 1.0, ptr %word"))
    assert copies(function) == 0


UNTOLD = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define double @f(ptr %from, ptr %to, double %x, i64 %n, i1 %c) {
  %object = alloca [16 x i8]
  %word = getelementptr i8, ptr %object, i64 8
  br i1 %c, label %number, label %pointer
number:
  store double %x, ptr %word, align 8
  br label %moved
pointer:
  store ptr %to, ptr %word, align 8
  br label %moved
moved:
  %odd = getelementptr i8, ptr %object, i64 9
  %byte = load i8, ptr %odd, align 1
  %character = getelementptr i8, ptr %object, i64 %n
  call void @llvm.memcpy.p0.p0.i64(ptr %character, ptr %from, i64 %n, i1 false)
  %w = load double, ptr %word, align 8
  %there = getelementptr i8, ptr %to, i64 8
  store double %w, ptr %there, align 8
  ret double %x
}"""


def test_numbers_are_copied_where_bytes_at_unknown_places_contradict_their_types():
    function, stores = copied(UNTOLD)
    assert copies(function) == 3  # also to a room, and from there
    assert len(stores) == 1


def test_what_is_followed_is_read_as_an_address():
    followed = MOVED.replace("  ret double %m", """  %bits = bitcast double %m to i64
  %address = inttoptr i64 %bits to ptr
  %v = load double, ptr %address
  ret double %v""")  # fmt: skip
    function, _ = copied(followed)
    (address,) = (i for i in function.instructions() if isinstance(i, ir.Cast) and i.op == "inttoptr")
    assert isinstance(address.operands[0], ir.Load)


MERGED_AS_POINTER = """
define double @f(ptr %from, ptr %to, double %x, i1 %c) {
  %word = getelementptr i8, ptr %from, i64 8
  br i1 %c, label %number, label %pointer
number:
  store double %x, ptr %word, align 8
  br label %moved
pointer:
  store ptr %to, ptr %word, align 8
  br label %moved
moved:
  %w = load ptr, ptr %word, align 8
  br i1 %c, label %other, label %end
other:
  br label %end
end:
  %p = phi ptr [ %w, %moved ], [ %to, %other ]
  %bits = ptrtoint ptr %p to i64
  br i1 %c, label %last, label %done
last:
  %v = load i64, ptr %word, align 8
  br label %done
done:
  %m = phi i64 [ %bits, %end ], [ %v, %last ]
  %there = getelementptr i8, ptr %to, i64 8
  store i64 %m, ptr %there, align 8
  %y = load double, ptr %there, align 8
  ret double %y
}"""


def test_what_is_merged_as_a_pointer_and_then_as_an_integer_is_copied_twice():
    function, _ = copied(MERGED_AS_POINTER)
    defined = {*function.instructions(), *function.arguments}
    used = {o for i in function.instructions() for o in i.operands if isinstance(o, ir.Instruction)}
    assert used <= defined
    assert copies(function) >= 3


COUNTING = """
  br i1 %c, label %count, label %store
count:
  %more = add i64 %m, 1
  store i64 %more, ptr %to, align 8
  br label %store
store:
"""
COUNTED = MERGED_AS_POINTER.replace("  %there", f"{COUNTING}  %there", 1)


def test_what_is_counted_with_is_read_where_that_is_done():
    function, _ = copied(COUNTED)
    (more,) = (i for i in function.instructions() if i.name == "more")
    word = more.operands[0]
    assert isinstance(word, ir.Load)
    assert word.block is more.block


FOLLOWED = """
define double @f(ptr %from, ptr %to, double %x, i1 %c) {
  br i1 %c, label %number, label %pointer
number:
  store double %x, ptr %from, align 8
  br label %moved
pointer:
  store ptr %to, ptr %from, align 8
  br label %moved
moved:
  %w = load ptr, ptr %from, align 8
  br i1 %c, label %end, label %follow
follow:
  %v = load double, ptr %w, align 8
  br label %end
end:
  %there = getelementptr i8, ptr %to, i64 8
  store ptr %w, ptr %there, align 8
  %y = load double, ptr %there, align 8
  ret double %y
}"""


def test_pointers_that_are_followed_on_the_way_are_copied_too():
    function, _ = copied(FOLLOWED)
    assert copies(function) == 2  # to a room, and from there
    (load,) = (i for i in function.instructions() if isinstance(i, ir.Load) and i.name == "w")
    stores = [i for i in function.instructions() if isinstance(i, ir.Store)]
    assert load not in {i.value for i in stores}


def test_what_words_are_read_from_stays():
    chain = FOLLOWED.replace("load double, ptr %w, align 8", "load double, ptr %from, align 8").replace(
        "store ptr %w, ptr %there",
        "%next = load ptr, ptr %w, align 8\n  store ptr %w, ptr %to, align 8\n  store ptr %next, ptr %there",
    )
    function, _ = copied(chain)
    defined = {*function.instructions(), *function.arguments}
    used = {o for i in function.instructions() for o in i.operands if isinstance(o, ir.Instruction)}
    assert copies(function) == 4
    assert used <= defined


CHOSEN = """
define double @f(ptr %from, ptr %to, double %x, i1 %c) {
  br i1 %c, label %number, label %pointer
number:
  store double %x, ptr %from, align 8
  br label %read
pointer:
  store ptr %to, ptr %from, align 8
  br label %read
read:
  %w = load i64, ptr %from, align 8
  %d = bitcast i64 %w to double
  %m = select i1 %c, double %d, double %x
  USE
  %v = load double, ptr %from, align 8
  %p = load ptr, ptr %from, align 8
  %y = load double, ptr %p, align 8
  %r = fadd double %y, %v
  ret double %r
}"""


def test_numbers_that_are_chosen_and_go_on_as_words_are_copied():
    use = "%bits = bitcast double %m to i64\n  store i64 %bits, ptr %to, align 8"
    function, _ = copied(CHOSEN.replace("USE", use))
    assert copies(function) >= 2  # the word to a room, and what was chosen to another
    (select,) = (i for i in function.instructions() if isinstance(i, ir.Select) and i.type is not DOUBLE)
    assert select.type.text == "ptr"


def test_numbers_that_are_chosen_to_count_stay():
    function, _ = copied(CHOSEN.replace("USE", "store double %m, ptr %to, align 8"))
    assert not any(isinstance(i, ir.Select) and i.type is not DOUBLE for i in function.instructions())
