"""Loops over the fields of copied runs of memory, as IR text for a type of element (see `runtime`)."""

from __future__ import annotations

from typing import Final

HIGHEST_ADDRESS: Final = (1 << 52) - 1
"""No address has higher bits, and no number that is not subnormal has lower ones."""

# Moves the adjoints of a copied run back: source += destination, destination = 0, every `stride` bytes.
_ADJOINT_COPY: Final = """
define internal void @enzyme_build.adjoint_copy.{type}(ptr %d, ptr %s, i64 %count, i64 %stride, i1 %keep) alwaysinline nounwind {{
entry:
  %none = icmp sle i64 %count, 0
  br i1 %none, label %done, label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %at = mul i64 %i, %stride
  %p = getelementptr inbounds i8, ptr %d, i64 %at
  %q = getelementptr inbounds i8, ptr %s, i64 %at
  %bar = load {type}, ptr %p, align {align}
  store {type} {zero}, ptr %p, align {align}
  br i1 %keep, label %accumulate, label %more

accumulate:
  %old = load {type}, ptr %q, align {align}
  %new = fadd {type} %old, %bar
  store {type} %new, ptr %q, align {align}
  br label %more

more:
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %count
  br i1 %end, label %done, label %loop

done:
  ret void
}}
"""  # noqa: E501

# Copies or clears one field of every element of a run. Runs may overlap: what moves up is copied from the end.
_FIELD_COPY: Final = """
define internal void @enzyme_build.field_copy.{type}(ptr %d, ptr %s, i64 %count, i64 %stride) alwaysinline nounwind {{
entry:
  %last = add i64 %count, -1
  %up = icmp ugt ptr %d, %s
  %none = icmp sle i64 %count, 0
  br i1 %none, label %done, label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %left = sub i64 %last, %i
  %k = select i1 %up, i64 %left, i64 %i
  %at = mul i64 %k, %stride
  %p = getelementptr inbounds i8, ptr %d, i64 %at
  %q = getelementptr inbounds i8, ptr %s, i64 %at
  %v = load {type}, ptr %q, align {align}
  store {type} %v, ptr %p, align {align}
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %count
  br i1 %end, label %done, label %loop

done:
  ret void
}}
"""

_FIELD_CLEAR: Final = """
define internal void @enzyme_build.field_clear.{type}(ptr %d, i64 %count, i64 %stride) alwaysinline nounwind {{
entry:
  %none = icmp sle i64 %count, 0
  br i1 %none, label %done, label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = mul i64 %i, %stride
  %p = getelementptr inbounds i8, ptr %d, i64 %at
  store {type} {zero}, ptr %p, align {align}
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %count
  br i1 %end, label %done, label %loop

done:
  ret void
}}
"""

# What a pointer left where other numbers than doubles are now.
_FIELD_ALONE: Final = """
declare void @enzyme_build.pointers_gone(ptr, i64, i1)
define internal void @enzyme_build.field_alone.{type}(ptr %d, i64 %count, i64 %stride, i1 %own) nounwind {{
entry:
  %none = icmp sle i64 %count, 0
  br i1 %none, label %done, label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = mul i64 %i, %stride
  %p = getelementptr inbounds i8, ptr %d, i64 %at
  call void @enzyme_build.pointers_gone(ptr %p, i64 {size}, i1 %own)
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %count
  br i1 %end, label %done, label %loop

done:
  ret void
}}
"""

# Words that hold a shadow pointer or a number: a double with the bits of an address is subnormal. Only pointers are
# copied, and as such: this may be differentiated again. A pointer in whose place a number or an integer comes is gone.
_WORD_COPY: Final = """
define internal void @enzyme_build.word_copy.{type}(ptr %d, ptr %s, i64 %count, i64 %stride) nounwind {{
entry:
  %last = add i64 %count, -1
  %up = icmp ugt ptr %d, %s
  %none = icmp sle i64 %count, 0
  br i1 %none, label %done, label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %left = sub i64 %last, %i
  %k = select i1 %up, i64 %left, i64 %i
  %at = mul i64 %k, %stride
  %p = getelementptr inbounds i8, ptr %d, i64 %at
  %q = getelementptr inbounds i8, ptr %s, i64 %at
  %v = load ptr, ptr %q, align {align}
  %bits = ptrtoint ptr %v to i64
  %below = add i64 %bits, -1
  %pointer = icmp ult i64 %below, 4503599627370495
  br i1 %pointer, label %copy, label %other

copy:
  store ptr %v, ptr %p, align {align}
  br label %more

other:
  %old = load ptr, ptr %p, align {align}
  %were = ptrtoint ptr %old to i64
  %under = add i64 %were, -1
  %stale = icmp ult i64 %under, 4503599627370495
  br i1 %stale, label %drop, label %more

drop:
  store ptr null, ptr %p, align {align}
  br label %more

more:
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %count
  br i1 %end, label %done, label %loop

done:
  ret void
}}
"""

_WORD_CLEAR: Final = """
define internal void @enzyme_build.word_clear.{type}(ptr %d, i64 %count, i64 %stride, i1 %pointers) nounwind {{
entry:
  %none = icmp sle i64 %count, 0
  br i1 %none, label %done, label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %at = mul i64 %i, %stride
  %p = getelementptr inbounds i8, ptr %d, i64 %at
  %v = load ptr, ptr %p, align {align}
  %bits = ptrtoint ptr %v to i64
  %below = add i64 %bits, -1
  %pointer = icmp ult i64 %below, 4503599627370495
  %gone = icmp eq i1 %pointer, %pointers
  br i1 %gone, label %clear, label %more

clear:
  store i64 0, ptr %p, align {align}
  br label %more

more:
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %count
  br i1 %end, label %done, label %loop

done:
  ret void
}}
"""

_WORD_ADJOINT: Final = """
define internal void @enzyme_build.word_adjoint.{type}(ptr %d, ptr %s, i64 %count, i64 %stride, i1 %keep) nounwind {{
entry:
  %none = icmp sle i64 %count, 0
  br i1 %none, label %done, label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %at = mul i64 %i, %stride
  %p = getelementptr inbounds i8, ptr %d, i64 %at
  %q = getelementptr inbounds i8, ptr %s, i64 %at
  %v = load i64, ptr %p, align {align}
  %number = icmp ugt i64 %v, 4503599627370495
  br i1 %number, label %take, label %more

take:
  store i64 0, ptr %p, align {align}
  br i1 %keep, label %accumulate, label %more

accumulate:
  %old = load i64, ptr %q, align {align}
  %stale = icmp ult i64 %old, 4503599627370496
  %base = select i1 %stale, i64 0, i64 %old
  %x = bitcast i64 %base to double
  %bar = bitcast i64 %v to double
  %new = fadd double %x, %bar
  store double %new, ptr %q, align {align}
  br label %more

more:
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %count
  br i1 %end, label %done, label %loop

done:
  ret void
}}
"""

# The exponent of the number that the four bytes at an address are a half of, or zero. Of a word that ends outside of
# its memory, as integers may, nothing is read there.
_WORD_PART: Final = """
define internal i64 @enzyme_build.word_part.{type}(ptr %p) nounwind {{
entry:
  %bits = ptrtoint ptr %p to i64
  %by = and i64 %bits, 3
  %back = sub i64 0, %by
  %half = getelementptr i8, ptr %p, i64 %back
  %v = load i32, ptr %half, align 4
  %none = icmp eq i32 %v, 0
  br i1 %none, label %done, label %look

look:
  %low = and i64 %bits, 4
  %up = sub i64 4, %low
  %top = getelementptr i8, ptr %half, i64 %up
  %high = load i32, ptr %top, align 4
  %exponent = and i32 %high, 2146435072
  %found = zext i32 %exponent to i64
  br label %done

done:
  %result = phi i64 [ 0, %entry ], [ %found, %look ]
  ret i64 %result
}}
"""

# Zeros the bytes of a run that are in no whole word: those of integers.
_EDGE_CLEAR: Final = """
define internal void @enzyme_build.edge_clear.{type}(ptr %d, i64 %length) nounwind {{
entry:
  %start = ptrtoint ptr %d to i64
  %end = add i64 %start, %length
  %none = icmp sle i64 %length, 0
  br i1 %none, label %done, label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %at = add i64 %start, %i
  %word = and i64 %at, -8
  %behind = add i64 %word, 8
  %before = icmp ult i64 %word, %start
  %after = icmp ugt i64 %behind, %end
  %edge = or i1 %before, %after
  br i1 %edge, label %clear, label %more

clear:
  %p = getelementptr i8, ptr %d, i64 %i
  store i8 0, ptr %p, align 1
  br label %more

more:
  %next = add i64 %i, 1
  %on = icmp ult i64 %next, %length
  br i1 %on, label %loop, label %done

done:
  ret void
}}
"""

# What may be parts of numbers in words that a copied run of bytes holds in part, or at other distances from a multiple
# of eight than where they came from.
_WORD_CUTS: Final = """
define internal i64 @enzyme_build.word_cuts.{type}(ptr %d, ptr %s, i64 %length) nounwind {{
entry:
  %from = ptrtoint ptr %s to i64
  %start = ptrtoint ptr %d to i64
  %apart = sub i64 %start, %from
  %by = and i64 %apart, 7
  %moved = icmp ne i64 %by, 0
  %end = add i64 %start, %length
  %first = and i64 %start, -4
  %none = icmp sle i64 %length, 0
  br i1 %none, label %done, label %loop

loop:
  %at = phi i64 [ %first, %entry ], [ %next, %more ]
  %found = phi i64 [ 0, %entry ], [ %all, %more ]
  %next = add i64 %at, 4
  %word = and i64 %at, -8
  %behind = add i64 %word, 8
  %before = icmp ult i64 %word, %start
  %after = icmp ugt i64 %behind, %end
  %part = or i1 %before, %after
  %cut = or i1 %part, %moved
  br i1 %cut, label %look, label %more

look:
  %back = sub i64 %at, %start
  %p = getelementptr i8, ptr %d, i64 %back
  %v = load i32, ptr %p, align 4
  %nothing = icmp eq i32 %v, 0
  br i1 %nothing, label %more, label %above

above:
  %low = and i64 %at, 4
  %up = sub i64 4, %low
  %top = getelementptr i8, ptr %p, i64 %up
  %high = load i32, ptr %top, align 4
  %exponent = and i32 %high, 2146435072
  %bits = zext i32 %exponent to i64
  br label %more

more:
  %seen = phi i64 [ 0, %loop ], [ 0, %look ], [ %bits, %above ]
  %all = or i64 %found, %seen
  %on = icmp ult i64 %next, %end
  br i1 %on, label %loop, label %done

done:
  %result = phi i64 [ 0, %entry ], [ %all, %more ]
  ret i64 %result
}}
"""

# Not zero if shadow memory has addresses that are copied to other distances from a multiple of eight than where they
# come from. What the memory itself has, too, is text or an integer of an object that was copied, or constant.
_POINTER_CUTS: Final = """
define internal i64 @enzyme_build.pointer_cuts.{type}(ptr %d, ptr %s, ptr %own, i64 %length) nounwind {{
entry:
  %from = ptrtoint ptr %s to i64
  %start = ptrtoint ptr %d to i64
  %apart = sub i64 %start, %from
  %by = and i64 %apart, 7
  %back = sub i64 0, %from
  %skipped = and i64 %back, 7
  %first = add i64 %skipped, 8
  %same = icmp eq i64 %by, 0
  %short = icmp slt i64 %length, %first
  %none = or i1 %same, %short
  br i1 %none, label %done, label %loop

loop:
  %at = phi i64 [ %skipped, %entry ], [ %next, %loop ]
  %found = phi i1 [ false, %entry ], [ %all, %loop ]
  %p = getelementptr i8, ptr %s, i64 %at
  %v = load i64, ptr %p, align 1
  %q = getelementptr i8, ptr %own, i64 %at
  %w = load i64, ptr %q, align 1
  %other = icmp ne i64 %v, %w
  %above = add i64 %v, -65536
  %address = icmp ult i64 %above, {addresses}
  %one = and i1 %other, %address
  %all = or i1 %found, %one
  %next = add i64 %at, 8
  %behind = add i64 %next, 8
  %on = icmp sle i64 %behind, %length
  br i1 %on, label %loop, label %done

done:
  %cut = phi i1 [ false, %entry ], [ %all, %loop ]
  %result = zext i1 %cut to i64
  ret i64 %result
}}
""".replace("{addresses}", str(HIGHEST_ADDRESS - (1 << 16)))

# Notes the pointers of a run that are about to be overwritten (see `runtime_shadows`).
_FIELD_NOTE: Final = """
declare void @enzyme_build.pointer_note(ptr, ptr)
define internal void @enzyme_build.field_note.{type}(ptr %d, i64 %count, i64 %stride, ptr %arena) nounwind {{
entry:
  %none = icmp sle i64 %count, 0
  br i1 %none, label %done, label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = mul i64 %i, %stride
  %p = getelementptr inbounds i8, ptr %d, i64 %at
  call void @enzyme_build.pointer_note(ptr %arena, ptr %p)
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %count
  br i1 %end, label %done, label %loop

done:
  ret void
}}
"""

_BYTES_END: Final = """
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define internal void @enzyme_build.bytes_end.{type}(ptr %p, i64 %size, i64 %room, i64 %step) alwaysinline nounwind {{
entry:
  %none = icmp slt i64 %size, 1
  br i1 %none, label %done, label %test

test:
  %i = phi i64 [ 0, %entry ], [ %next, %clear ]
  %left = sub i64 %room, %i
  %inside = icmp sgt i64 %left, 0
  br i1 %inside, label %clear, label %done

clear:
  %short = icmp slt i64 %left, %size
  %some = select i1 %short, i64 %left, i64 %size
  %at = getelementptr i8, ptr %p, i64 %i
  call void @llvm.memset.p0.i64(ptr %at, i8 0, i64 %some, i1 false)
  %next = add i64 %i, %step
  br label %test

done:
  ret void
}}
"""
"""Clear so many bytes of every element of an array; the last may be cut."""

COPIES: Final = {
    "bytes_end": _BYTES_END,
    "adjoint_copy": _ADJOINT_COPY,
    "field_copy": _FIELD_COPY,
    "field_clear": _FIELD_CLEAR,
    "field_alone": _FIELD_ALONE,
    "field_note": _FIELD_NOTE,
    "word_copy": _WORD_COPY,
    "word_clear": _WORD_CLEAR,
    "word_adjoint": _WORD_ADJOINT,
    "edge_clear": _EDGE_CLEAR,
    "word_part": _WORD_PART,
    "word_cuts": _WORD_CUTS,
    "pointer_cuts": _POINTER_CUTS,
}
