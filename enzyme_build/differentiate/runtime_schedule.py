"""When snapshots of the state of a checkpointed loop are made.

Where the number of steps is known, the schedule is the binomial one, which runs as few steps again as so many snapshots
allow; where it is not, the forward sweep keeps every step, every second, every fourth …, whenever there are too many,
and what lies between two snapshots is reversed by the binomial schedule with those that are free.
"""

from __future__ import annotations

from typing import Final

SCHEDULE: Final = {
    # How far from a snapshot the next one is made, where so many steps are to be reversed from there and `slots`
    # snapshots may be held, this one included; -1: there is none. With beta(s, r) = (s+r)! / (s! r!), the most steps
    # that s snapshots reverse running each r times again, any distance d between beta(s, r-2) and beta(s, r-1) that
    # leaves between beta(s-1, r-1) and beta(s-1, r) steps is optimal; here the largest (Griewank and Walther,
    # "Algorithm 799: revolve", 2000).
    "enzyme_build.checkpoint_distance": """
declare i64 @llvm.smin.i64(i64, i64)
define internal i64 @enzyme_build.checkpoint_distance(i64 %steps, i64 %slots) noinline nounwind {
entry:
  %cmp = icmp slt i64 %steps, 2
  br i1 %cmp, label %cleanup, label %if.end

if.end:
  %cmp1 = icmp slt i64 %slots, 2
  br i1 %cmp1, label %cleanup, label %if.end3

if.end3:
  %spec.select = call i64 @llvm.smin.i64(i64 %slots, i64 %steps)
  br label %while.body

while.body:
  %reach.033 = phi i64 [ %div, %while.body ], [ 1, %if.end3 ]
  %r.032 = phi i64 [ %inc, %while.body ], [ 0, %if.end3 ]
  %inc = add nuw nsw i64 %r.032, 1
  %add = add nuw nsw i64 %inc, %spec.select
  %mul = mul nsw i64 %add, %reach.033
  %div = udiv i64 %mul, %inc
  %cmp7 = icmp slt i64 %div, %steps
  br i1 %cmp7, label %while.body, label %while.end

while.end:
  %mul8 = mul nsw i64 %reach.033, %spec.select
  %sub = add nuw i64 %spec.select, %r.032
  %div10 = udiv i64 %mul8, %sub
  %sub11 = sub nsw i64 %steps, %div10
  %cond = call i64 @llvm.smin.i64(i64 %reach.033, i64 %sub11)
  br label %cleanup

cleanup:
  %retval.0 = phi i64 [ %cond, %while.end ], [ 1, %entry ], [ -1, %if.end ]
  ret i64 %retval.0
}
""",
    # How many snapshots are held for so many steps: as many as asked for, or for 0 the square root, below 0 the
    # logarithm to base 2.
    "enzyme_build.checkpoint_limit": """
define internal i64 @enzyme_build.checkpoint_limit(i64 %asked, i64 %steps) noinline nounwind {
entry:
  %cmp = icmp sgt i64 %asked, 0
  br i1 %cmp, label %return, label %if.end

if.end:
  %cmp1 = icmp eq i64 %asked, 0
  br i1 %cmp1, label %while.cond, label %while.cond4

while.cond:
  %found.0 = phi i64 [ %inc, %while.cond ], [ 1, %if.end ]
  %mul = mul nuw nsw i64 %found.0, %found.0
  %cmp3 = icmp slt i64 %mul, %steps
  %inc = add nuw nsw i64 %found.0, 1
  br i1 %cmp3, label %while.cond, label %return

while.cond4:
  %found.1 = phi i64 [ %inc7, %while.cond4 ], [ 1, %if.end ]
  %shl = shl nuw i64 1, %found.1
  %cmp5.not = icmp sgt i64 %shl, %steps
  %inc7 = add nuw nsw i64 %found.1, 1
  br i1 %cmp5.not, label %return, label %while.cond4

return:
  %retval.0 = phi i64 [ %asked, %entry ], [ %found.0, %while.cond ], [ %found.1, %while.cond4 ]
  ret i64 %retval.0
}
""",
    # The most snapshots that may be held when so many steps were made.
    "enzyme_build.checkpoint_most": """
declare i64 @enzyme_build.checkpoint_limit(i64, i64)
define internal i64 @enzyme_build.checkpoint_most(ptr %s, i64 %steps) noinline nounwind {
entry:
  %total = getelementptr i8, ptr %s, i64 24
  %0 = load i64, ptr %total, align 8
  %cmp = icmp sgt i64 %0, -1
  br i1 %cmp, label %if.then, label %lor.lhs.false

lor.lhs.false:
  %limit = getelementptr i8, ptr %s, i64 8
  %1 = load i64, ptr %limit, align 8
  %cmp1 = icmp sgt i64 %1, 0
  br i1 %cmp1, label %if.then, label %if.end

if.then:
  %limit2 = getelementptr i8, ptr %s, i64 8
  %2 = load i64, ptr %limit2, align 8
  br label %return

if.end:
  %cmp4 = icmp eq i64 %1, 0
  br i1 %cmp4, label %if.then5, label %if.end6

if.then5:
  %spacing = getelementptr i8, ptr %s, i64 40
  %3 = load i64, ptr %spacing, align 8
  %mul = shl nsw i64 %3, 1
  %add = add nsw i64 %mul, 2
  br label %return

if.end6:
  %call = call i64 @enzyme_build.checkpoint_limit(i64 -1, i64 %steps)
  %mul7 = shl nsw i64 %call, 1
  %add8 = add nsw i64 %mul7, 2
  br label %return

return:
  %retval.0 = phi i64 [ %2, %if.then ], [ %add, %if.then5 ], [ %add8, %if.end6 ]
  ret i64 %retval.0
}
""",
    # Where the next snapshot behind the last one is made.
    "enzyme_build.checkpoint_plan": """
declare i64 @enzyme_build.checkpoint_distance(i64, i64)
define internal void @enzyme_build.checkpoint_plan(ptr %s) noinline nounwind {
entry:
  %end = getelementptr i8, ptr %s, i64 56
  %0 = load i64, ptr %end, align 8
  %position = getelementptr i8, ptr %s, i64 48
  %1 = load i64, ptr %position, align 8
  %sub = sub nsw i64 %0, %1
  %limit = getelementptr i8, ptr %s, i64 8
  %2 = load i64, ptr %limit, align 8
  %held = getelementptr i8, ptr %s, i64 16
  %3 = load i64, ptr %held, align 8
  %sub1 = add i64 %2, 1
  %add = sub i64 %sub1, %3
  %call = call i64 @enzyme_build.checkpoint_distance(i64 %sub, i64 %add)
  %add3 = add nsw i64 %call, %1
  %cmp.inv = icmp sgt i64 %call, -1
  %spec.select = select i1 %cmp.inv, i64 %add3, i64 -1
  %next = getelementptr i8, ptr %s, i64 32
  store i64 %spec.select, ptr %next, align 8
  ret void
}
""",
}
