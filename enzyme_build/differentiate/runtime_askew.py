"""Whether adjoints lie where no aligned word is, as IR text (see `runtime`, `askew`)."""

from __future__ import annotations

from typing import Final

_SEEN: Final = "@enzyme_build.askew = internal global i8 0, align 1"

ASKEW: Final = {
    "enzyme_build.number_askew": f"""
{_SEEN}
define internal void @enzyme_build.number_askew(ptr %p, i64 %mask) alwaysinline nounwind {{
entry:
  %bits = ptrtoint ptr %p to i64
  %by = and i64 %bits, %mask
  %aligned = icmp eq i64 %by, 0
  br i1 %aligned, label %done, label %note

note:
  store atomic i8 1, ptr @enzyme_build.askew monotonic, align 1
  br label %done

done:
  ret void
}}
""",
    # Any bit of a run, if there were such adjoints before, or all that is known of the run is `askew`.
    "enzyme_build.adjoints_askew": f"""
{_SEEN}
define internal i64 @enzyme_build.adjoints_askew(ptr %p, i64 %length, i1 %askew) noinline optsize nounwind {{
entry:
  %seen = load atomic i8, ptr @enzyme_build.askew monotonic, align 1
  %unseen = icmp eq i8 %seen, 0
  %straight = xor i1 %askew, true
  %never = and i1 %unseen, %straight
  %empty = icmp sle i64 %length, 0
  %none = or i1 %never, %empty
  br i1 %none, label %done, label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %found = phi i64 [ 0, %entry ], [ %all, %loop ]
  %q = getelementptr i8, ptr %p, i64 %i
  %v = load i8, ptr %q, align 1
  %bits = zext i8 %v to i64
  %all = or i64 %found, %bits
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %length
  br i1 %end, label %done, label %loop

done:
  %result = phi i64 [ 0, %entry ], [ %all, %loop ]
  ret i64 %result
}}
""",
}
