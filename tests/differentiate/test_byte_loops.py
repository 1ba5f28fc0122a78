"""Loops over bytes are copies in the model that the pass reads."""

from __future__ import annotations

from enzyme_build.differentiate.byte_loops import copies_for_byte_loops
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module

BY_INDEX = """
define void @f(ptr %to, ptr %from, i64 %n, i64 %k) {
entry:
  %none = icmp eq i64 %n, 0
  br i1 %none, label %end, label %before
before:
  br label %loop
loop:
  %i = phi i64 [ 0, %before ], [ %next, %loop ]
  %p = getelementptr inbounds nuw i8, ptr %from, i64 %i
  %byte = load i8, ptr %p, align 1
  %q = getelementptr inbounds nuw i8, ptr %to, i64 %i
  store i8 %byte, ptr %q, align 1
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %left, label %loop
left:
  br label %end
end:
  ret void
}"""
BY_POINTERS = """
define ptr @f(ptr %to, ptr %from, i32 %n) {
before:
  br label %test
test:
  %d = phi ptr [ %to, %before ], [ %d.next, %body ]
  %s = phi ptr [ %from, %before ], [ %s.next, %body ]
  %left = phi i32 [ %n, %before ], [ %less, %body ]
  %more = icmp sgt i32 %left, 0
  br i1 %more, label %body, label %end
body:
  %less = add nsw i32 %left, -1
  %s.next = getelementptr inbounds nuw i8, ptr %s, i64 1
  %byte = load i8, ptr %s, align 1
  %d.next = getelementptr inbounds nuw i8, ptr %d, i64 1
  store i8 %byte, ptr %d, align 1
  br label %test
end:
  %behind = phi ptr [ %d, %test ]
  ret ptr %behind
}"""
EXCHANGED = BY_INDEX.replace("store i8 %byte", "%other = load i8, ptr %q, align 1\n  store i8 %byte").replace(
    "  %next = add", "  store i8 %other, ptr %p, align 1\n  %next = add"
)
READ_AGAIN = (
    BY_INDEX.replace("i64 %n, i64 %k", "ptr %size, i64 %k")
    .replace("entry:", "entry:\n  %n = load i64, ptr %size")
    .replace("  %i = phi", "  %begin = phi i64 [ %n, %before ], [ %again, %loop ]\n  %i = phi")
    .replace("ptr %to, i64 %i", "ptr %to, i64 %at")
    .replace("  %q =", "  %part = urem i64 %begin, 3\n  %at = add i64 %part, %i\n  %q =")
    .replace("  %done =", "  %again = load i64, ptr %size\n  %done =")
    .replace("%next, %n", "%next, %again")
)
TAGGED = """
!0 = !{!"simple"}
!1 = !{!"omnipotent char", !0, i64 0}
!2 = !{!"bool", !1, i64 0}
!3 = !{!2, !2, i64 0}"""


def moved(text: str) -> list[str]:
    """The operands of all copies in the model, once no byte is stored by itself any more."""
    module = parse_module(text)
    function = module.function("f")
    copies_for_byte_loops(module, function)
    assert not check_function(module, function)
    calls = [i for i in function.instructions() if isinstance(i, ir.Call)]
    copies = [i for i in calls if (i.callee.name or "").startswith("llvm.memmove")]
    assert bool(copies) != any(isinstance(i, ir.Store) for i in function.instructions())
    return [" ".join(str(operand.name) for operand in i.arguments[:3]) for i in copies]


def test_bytes_by_index():
    (operands,) = moved(BY_INDEX)
    assert operands.startswith("to from")


def called(text: str) -> list[str]:
    module = parse_module(text)
    function = module.function("f")
    copies_for_byte_loops(module, function)
    assert not check_function(module, function)
    return [str(i.callee.name) for i in function.instructions() if isinstance(i, ir.Call)]


def test_bytes_that_may_repeat():
    assert called(BY_INDEX).count("enzyme_build.bytes_repeated") == 1
    # Of words it is not known whether they repeat as a whole.
    words = BY_INDEX.replace("load i8", "load i64").replace("store i8", "store i64").replace("%i, 1", "%i, 8")
    assert called(words).count("enzyme_build.unknown_target") == 1


def test_bytes_that_cannot_repeat():
    near = BY_INDEX.replace("ptr %to, i64 %i", "ptr %from, i64 %at").replace("  %q =", "  %at = add i64 %i, 16\n  %q =")
    assert "enzyme_build.bytes_repeated" in called(near)
    assert called(near.replace("%next, %n", "%next, 16")) == ["llvm.memmove.p0.p0.i64"]
    assert "enzyme_build.bytes_repeated" in called(near.replace("%next, %n", "%next, 17"))


def test_a_length_that_is_read_again():
    module = parse_module(READ_AGAIN)
    function = module.function("f")
    copies_for_byte_loops(module, function)
    assert not check_function(module, function)
    # A message where it is written, or was not the same before the loop.
    assert sum(isinstance(i, ir.Unreachable) for i in function.instructions()) == 1
    before = next(block for block in function.blocks if block.name == "before")
    (read,) = (i for i in before.instructions if isinstance(i, ir.Load))
    assert any(
        isinstance(i, ir.Compare) and set(i.operands) == {function.blocks[0].instructions[0], read}
        for i in before.instructions
    )
    assert moved(READ_AGAIN)


def test_not_what_is_read_again_elsewhere_or_too_late():
    assert not moved(READ_AGAIN.replace("%again = load i64, ptr %size", "%again = load i64, ptr %q"))
    assert not moved(READ_AGAIN.replace("%again = load i64", "%again = load volatile i64"))
    late = BY_POINTERS.replace("i32 %n", "ptr %size").replace("[ %n, %before ]", "[ 9, %before ]")
    assert moved(late)
    assert not moved(
        late.replace("  %byte =", "  %at = load ptr, ptr %size\n  %byte =").replace("%byte, ptr %d", "%byte, ptr %at")
    )


def test_bytes_by_pointers_that_are_used_behind_the_loop():
    (operands,) = moved(BY_POINTERS)
    assert operands.startswith("to from")


def test_words_of_which_nothing_tells():
    words = BY_INDEX.replace("i8, ptr %p, align 1", "i64, ptr %p, align 1").replace("store i8", "store i64")
    words = words.replace("add nuw i64 %i, 1", "add nuw i64 %i, 8")
    (operands,) = moved(words)
    assert operands.startswith("to from")
    assert not moved(words.replace("add nuw i64 %i, 8", "add nuw i64 %i, 4"))
    halves = words.replace("load i64", "load i32").replace("store i64", "store i32").replace("%i, 8", "%i, 4")
    assert moved(halves)
    assert not moved(halves.replace("align 1", "align 4"))


def test_bytes_from_the_end():
    text = BY_INDEX.replace("phi i64 [ 0, %before ]", "phi i64 [ %k, %before ]").replace("%i, 1", "%i, -1")
    (operands,) = moved(text.replace("add nuw", "add").replace("%next, %n", "%next, 0"))
    assert not operands.startswith("to from")


def test_several_bytes_in_each_round():
    two = BY_INDEX.replace("add nuw i64 %i, 1", "add nuw i64 %i, 2").replace(
        "  %next =",
        """  %p2 = getelementptr i8, ptr %p, i64 1
  %other = load i8, ptr %p2, align 1
  %q2 = getelementptr i8, ptr %q, i64 1
  store i8 %other, ptr %q2, align 1
  %next =""",
    )
    (operands,) = moved(two)
    assert operands.startswith("to from")
    assert not moved(two.replace("ptr %q, i64 1", "ptr %q, i64 2"))
    assert not moved(two.replace("ptr %p, i64 1", "ptr %p, i64 2").replace("ptr %q, i64 1", "ptr %q, i64 2"))


def test_bytes_that_change_places():
    calls = called(EXCHANGED)
    assert calls.count("llvm.memmove.p0.p0.i64") == 3
    assert calls.count("enzyme_build.bytes_rotated") == 1
    assert not moved(EXCHANGED.replace("store i8 %other, ptr %p", "store i8 %other, ptr %to"))


def test_not_what_is_known_as_integers():
    assert not moved(BY_INDEX.replace("%p, align 1", "%p, align 1, !tbaa !3") + TAGGED)


def test_not_bytes_that_are_changed_or_skipped():
    assert not moved(BY_INDEX.replace("store i8 %byte", "%other = xor i8 %byte, 1\n  store i8 %other"))
    assert not moved(BY_INDEX.replace("add nuw i64 %i, 1", "add nuw i64 %i, 2"))
    assert not moved(BY_INDEX.replace("load i8", "load volatile i8"))


def test_not_a_text_that_ends_by_itself():
    assert not moved(BY_INDEX.replace("icmp eq i64 %next, %n", "icmp eq i8 %byte, 0"))


def test_not_where_anything_else_is_written():
    assert not moved(BY_INDEX.replace("  %next = add", "  store i64 %i, ptr %to\n  %next = add"))
