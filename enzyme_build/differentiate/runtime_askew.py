"""Whether adjoints lie where no aligned number is, as IR text (see `runtime`, `askew`).

What is remembered is where such adjoints begin and end so far.
"""

from __future__ import annotations

from typing import Final

_SEEN: Final = """@enzyme_build.askew_begin = internal global i64 -1, align 8
@enzyme_build.askew_end = internal global i64 0, align 8"""

ASKEW: Final = {
    "enzyme_build.number_askew": f"""
{_SEEN}
define internal void @enzyme_build.number_askew(ptr %p, i64 %mask, i64 %bytes) alwaysinline nounwind {{
entry:
  %bits = ptrtoint ptr %p to i64
  %by = and i64 %bits, %mask
  %aligned = icmp eq i64 %by, 0
  br i1 %aligned, label %done, label %note

note:
  %a = atomicrmw umin ptr @enzyme_build.askew_begin, i64 %bits monotonic, align 8
  %end = add i64 %bits, %bytes
  %b = atomicrmw umax ptr @enzyme_build.askew_end, i64 %end monotonic, align 8
  br label %done

done:
  ret void
}}
""",
    # Any bit of a run, if there were such adjoints near it before, or all that is known of the run is `askew`.
    "enzyme_build.adjoints_askew": f"""
{_SEEN}
define internal i64 @enzyme_build.adjoints_askew(ptr %p, i64 %length, i1 %askew) noinline optsize nounwind {{
entry:
  %first = load atomic i64, ptr @enzyme_build.askew_begin monotonic, align 8
  %reach = load atomic i64, ptr @enzyme_build.askew_end monotonic, align 8
  %start = ptrtoint ptr %p to i64
  %end = add i64 %start, %length
  %before = icmp ule i64 %end, %first
  %behind = icmp ule i64 %reach, %start
  %away = or i1 %before, %behind
  %straight = xor i1 %askew, true
  %fine = and i1 %away, %straight
  %empty = icmp sle i64 %length, 0
  %none = or i1 %fine, %empty
  br i1 %none, label %done, label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %found = phi i64 [ 0, %entry ], [ %all, %loop ]
  %q = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %q, align 1
  %bits = zext i8 %v to i64
  %all = or i64 %found, %bits
  %next = add nuw nsw i64 %i, 1
  %stop = icmp eq i64 %next, %length
  br i1 %stop, label %done, label %loop

done:
  %result = phi i64 [ 0, %entry ], [ %all, %loop ]
  ret i64 %result
}}
""",
}
