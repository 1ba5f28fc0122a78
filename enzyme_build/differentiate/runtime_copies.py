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

# Copies or clears one field of every element of a run.
_FIELD_COPY: Final = """
define internal void @enzyme_build.field_copy.{type}(ptr %d, ptr %s, i64 %count, i64 %stride) alwaysinline nounwind {{
entry:
  %none = icmp sle i64 %count, 0
  br i1 %none, label %done, label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = mul i64 %i, %stride
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

# Words that hold a shadow pointer or a number: a double with the bits of an address is subnormal. Only pointers are
# copied, and as such: this may be differentiated again.
_WORD_COPY: Final = """
define internal void @enzyme_build.word_copy.{type}(ptr %d, ptr %s, i64 %count, i64 %stride) nounwind {{
entry:
  %none = icmp sle i64 %count, 0
  br i1 %none, label %done, label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %at = mul i64 %i, %stride
  %p = getelementptr inbounds i8, ptr %d, i64 %at
  %q = getelementptr inbounds i8, ptr %s, i64 %at
  %v = load ptr, ptr %q, align {align}
  %bits = ptrtoint ptr %v to i64
  %below = add i64 %bits, -1
  %pointer = icmp ult i64 %below, 4503599627370495
  br i1 %pointer, label %copy, label %more

copy:
  store ptr %v, ptr %p, align {align}
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

COPIES: Final = {
    "adjoint_copy": _ADJOINT_COPY,
    "field_copy": _FIELD_COPY,
    "field_clear": _FIELD_CLEAR,
    "word_copy": _WORD_COPY,
    "word_clear": _WORD_CLEAR,
    "word_adjoint": _WORD_ADJOINT,
}
