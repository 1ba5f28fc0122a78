"""Snapshots of the state of a checkpointed loop, and the order in which its steps run again (see `runtime_schedule`).

A snapshot of the forward sweep is not only restored: the steps in front of it may be run up to it once more, and seen
to lead to the same.
"""

from __future__ import annotations

from typing import Final

from .runtime_schedule import SCHEDULE

CHECKPOINTS: Final = SCHEDULE | {
    # Memory for one more snapshot. What earlier ones left behind in the array is used again.
    "enzyme_build.checkpoint_push": """
declare ptr @enzyme_build.reserve(ptr, i64)
define internal ptr @enzyme_build.checkpoint_push(ptr %s, i64 %position) noinline nounwind {
entry:
  %held = getelementptr i8, ptr %s, i64 16
  %0 = load i64, ptr %held, align 8
  %capacity = getelementptr i8, ptr %s, i64 64
  %1 = load i64, ptr %capacity, align 8
  %cmp = icmp eq i64 %0, %1
  br i1 %cmp, label %if.then, label %if.end

if.then:
  %mul = shl nsw i64 %1, 1
  %add = add nsw i64 %mul, 8
  %positions = getelementptr i8, ptr %s, i64 88
  %2 = load ptr, ptr %positions, align 8
  %mul2 = shl nsw i64 %add, 3
  %call = call ptr @enzyme_build.reserve(ptr %2, i64 %mul2)
  store ptr %call, ptr %positions, align 8
  %memories = getelementptr i8, ptr %s, i64 96
  %3 = load ptr, ptr %memories, align 8
  %call5 = call ptr @enzyme_build.reserve(ptr %3, i64 %mul2)
  store ptr %call5, ptr %memories, align 8
  %4 = load i64, ptr %capacity, align 8
  %cmp847 = icmp slt i64 %4, %add
  br i1 %cmp847, label %for.body, label %for.cond.cleanup

for.cond.cleanup:
  store i64 %add, ptr %capacity, align 8
  br label %if.end

for.body:
  %i.048 = phi i64 [ %inc, %for.body ], [ %4, %if.then ]
  %5 = load ptr, ptr %memories, align 8
  %arrayidx = getelementptr ptr, ptr %5, i64 %i.048
  store ptr null, ptr %arrayidx, align 8
  %inc = add nsw i64 %i.048, 1
  %exitcond.not = icmp eq i64 %inc, %add
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

if.end:
  %6 = load i64, ptr %held, align 8
  %inc12 = add nsw i64 %6, 1
  store i64 %inc12, ptr %held, align 8
  %positions13 = getelementptr i8, ptr %s, i64 88
  %7 = load ptr, ptr %positions13, align 8
  %arrayidx14 = getelementptr i64, ptr %7, i64 %6
  store i64 %position, ptr %arrayidx14, align 8
  %memories15 = getelementptr i8, ptr %s, i64 96
  %8 = load ptr, ptr %memories15, align 8
  %arrayidx16 = getelementptr ptr, ptr %8, i64 %6
  %9 = load ptr, ptr %arrayidx16, align 8
  %tobool.not = icmp eq ptr %9, null
  br i1 %tobool.not, label %if.then17, label %if.end21

if.then17:
  %10 = load i64, ptr %s, align 8
  %call18 = call ptr @enzyme_build.reserve(ptr null, i64 %10)
  %11 = load ptr, ptr %memories15, align 8
  %arrayidx20 = getelementptr ptr, ptr %11, i64 %6
  store ptr %call18, ptr %arrayidx20, align 8
  br label %if.end21

if.end21:
  %12 = load ptr, ptr %memories15, align 8
  %arrayidx23 = getelementptr ptr, ptr %12, i64 %6
  %13 = load ptr, ptr %arrayidx23, align 8
  ret ptr %13
}
""",
    # The record of a loop: bytes of a snapshot, limit, snapshots held, steps (-1: unknown), next one to keep, spacing,
    # position, steps not reversed yet, capacity, snapshots of the forward sweep, is compared, positions, memory, memory
    # of the snapshot to compare with, and of what is copied once.
    "enzyme_build.checkpoint_new": """
declare i64 @enzyme_build.checkpoint_limit(i64, i64)
declare ptr @enzyme_build.reserve(ptr, i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define internal ptr @enzyme_build.checkpoint_new(i64 %bytes, i64 %total, i64 %asked) noinline nounwind {
entry:
  %call = call ptr @enzyme_build.reserve(ptr null, i64 120)
  store i64 %bytes, ptr %call, align 8
  %cmp = icmp slt i64 %total, 0
  br i1 %cmp, label %cond.end, label %cond.false

cond.false:
  %call2 = call i64 @enzyme_build.checkpoint_limit(i64 %asked, i64 %total)
  br label %cond.end

cond.end:
  %cond = phi i64 [ %call2, %cond.false ], [ %asked, %entry ]
  %limit = getelementptr i8, ptr %call, i64 8
  store i64 %cond, ptr %limit, align 8
  %held = getelementptr i8, ptr %call, i64 16
  store i64 0, ptr %held, align 8
  %total3 = getelementptr i8, ptr %call, i64 24
  store i64 %total, ptr %total3, align 8
  %next = getelementptr i8, ptr %call, i64 32
  store i64 0, ptr %next, align 8
  %spacing = getelementptr i8, ptr %call, i64 40
  store i64 1, ptr %spacing, align 8
  %capacity = getelementptr i8, ptr %call, i64 64
  store i64 0, ptr %capacity, align 8
  %positions = getelementptr i8, ptr %call, i64 88
  call void @llvm.memset.p0.i64(ptr nonnull align 8 %positions, i8 0, i64 32, i1 false)
  ret ptr %call
}
""",
    # Drop every second snapshot, where the number of steps is not known beforehand.
    "enzyme_build.checkpoint_thin": """
define internal void @enzyme_build.checkpoint_thin(ptr %s) noinline nounwind {
entry:
  %held = getelementptr i8, ptr %s, i64 16
  %0 = load i64, ptr %held, align 8
  %cmp30 = icmp sgt i64 %0, 0
  br i1 %cmp30, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %memories = getelementptr i8, ptr %s, i64 96
  %positions = getelementptr i8, ptr %s, i64 88
  br label %for.body

for.cond.cleanup:
  %kept.0.lcssa = phi i64 [ 0, %entry ], [ %inc, %if.end ]
  %held.le = getelementptr i8, ptr %s, i64 16
  store i64 %kept.0.lcssa, ptr %held.le, align 8
  %spacing = getelementptr i8, ptr %s, i64 40
  %1 = load i64, ptr %spacing, align 8
  %mul = shl nsw i64 %1, 1
  store i64 %mul, ptr %spacing, align 8
  ret void

for.body:
  %kept.032 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %if.end ]
  %i.031 = phi i64 [ 0, %for.body.lr.ph ], [ %add, %if.end ]
  %2 = load ptr, ptr %memories, align 8
  %arrayidx = getelementptr ptr, ptr %2, i64 %kept.032
  %3 = load ptr, ptr %arrayidx, align 8
  %4 = load ptr, ptr %positions, align 8
  %arrayidx1 = getelementptr i64, ptr %4, i64 %i.031
  %5 = load i64, ptr %arrayidx1, align 8
  %arrayidx3 = getelementptr i64, ptr %4, i64 %kept.032
  store i64 %5, ptr %arrayidx3, align 8
  %6 = load ptr, ptr %memories, align 8
  %arrayidx5 = getelementptr ptr, ptr %6, i64 %i.031
  %7 = load ptr, ptr %arrayidx5, align 8
  %arrayidx7 = getelementptr ptr, ptr %6, i64 %kept.032
  store ptr %7, ptr %arrayidx7, align 8
  %cmp8.not = icmp eq i64 %kept.032, %i.031
  br i1 %cmp8.not, label %if.end, label %if.then

if.then:
  %8 = load ptr, ptr %memories, align 8
  %arrayidx10 = getelementptr ptr, ptr %8, i64 %i.031
  store ptr %3, ptr %arrayidx10, align 8
  br label %if.end

if.end:
  %inc = add nuw nsw i64 %kept.032, 1
  %add = add nuw nsw i64 %i.031, 2
  %9 = load i64, ptr %held, align 8
  %cmp = icmp slt i64 %add, %9
  br i1 %cmp, label %for.body, label %for.cond.cleanup
}
""",
    # In front of a step of the forward sweep: memory for a snapshot, or null.
    "enzyme_build.checkpoint_keep": """
declare i64 @enzyme_build.checkpoint_distance(i64, i64)
declare i64 @enzyme_build.checkpoint_most(ptr, i64)
declare ptr @enzyme_build.checkpoint_push(ptr, i64)
declare void @enzyme_build.checkpoint_thin(ptr)
define internal ptr @enzyme_build.checkpoint_keep(ptr %s, i64 %step) noinline nounwind {
entry:
  %next = getelementptr i8, ptr %s, i64 32
  %0 = load i64, ptr %next, align 8
  %cmp.not = icmp eq i64 %step, %0
  br i1 %cmp.not, label %if.end, label %return

if.end:
  %total = getelementptr i8, ptr %s, i64 24
  %1 = load i64, ptr %total, align 8
  %cmp1 = icmp slt i64 %1, 0
  br i1 %cmp1, label %if.then2, label %if.end14

if.then2:
  %add = add nsw i64 %step, 1
  %call = call i64 @enzyme_build.checkpoint_most(ptr %s, i64 %add)
  %held = getelementptr i8, ptr %s, i64 16
  %2 = load i64, ptr %held, align 8
  %cmp3.not = icmp slt i64 %2, %call
  br i1 %cmp3.not, label %if.end9, label %if.then4

if.then4:
  %cmp5 = icmp eq i64 %call, 1
  br i1 %cmp5, label %if.then6, label %if.end8

if.then6:
  store i64 -1, ptr %next, align 8
  br label %return

if.end8:
  call void @enzyme_build.checkpoint_thin(ptr %s)
  br label %if.end9

if.end9:
  %spacing = getelementptr i8, ptr %s, i64 40
  %3 = load i64, ptr %spacing, align 8
  %rem = urem i64 %step, %3
  %sub = add i64 %3, %step
  %add11 = sub i64 %sub, %rem
  store i64 %add11, ptr %next, align 8
  %tobool.not = icmp eq i64 %rem, 0
  br i1 %tobool.not, label %cond.false, label %return

cond.false:
  %call13 = call ptr @enzyme_build.checkpoint_push(ptr %s, i64 %step)
  br label %return

if.end14:
  %call15 = call ptr @enzyme_build.checkpoint_push(ptr %s, i64 %step)
  %4 = load i64, ptr %total, align 8
  %reass.sub = sub i64 %4, %step
  %sub18 = add i64 %reass.sub, 1
  %limit = getelementptr i8, ptr %s, i64 8
  %5 = load i64, ptr %limit, align 8
  %held19 = getelementptr i8, ptr %s, i64 16
  %6 = load i64, ptr %held19, align 8
  %sub20 = add i64 %5, 1
  %add21 = sub i64 %sub20, %6
  %call22 = call i64 @enzyme_build.checkpoint_distance(i64 %sub18, i64 %add21)
  %add26 = add nsw i64 %call22, %step
  %cmp23.inv = icmp sgt i64 %call22, -1
  %cond28 = select i1 %cmp23.inv, i64 %add26, i64 -1
  store i64 %cond28, ptr %next, align 8
  br label %return

return:
  %retval.1 = phi ptr [ %call15, %if.end14 ], [ null, %entry ], [ null, %if.then6 ], [ %call13, %cond.false ], [ null, %if.end9 ]
  ret ptr %retval.1
}
""",  # noqa: E501
    # The forward sweep is over.
    "enzyme_build.checkpoint_turn": """
declare i64 @enzyme_build.checkpoint_most(ptr, i64)
declare i64 @llvm.smax.i64(i64, i64)
define internal void @enzyme_build.checkpoint_turn(ptr %s, i64 %steps) noinline nounwind {
entry:
  %call = call i64 @enzyme_build.checkpoint_most(ptr %s, i64 %steps)
  %held = getelementptr i8, ptr %s, i64 16
  %0 = load i64, ptr %held, align 8
  %.call = call i64 @llvm.smax.i64(i64 %call, i64 %0)
  %limit = getelementptr i8, ptr %s, i64 8
  store i64 %.call, ptr %limit, align 8
  %end = getelementptr i8, ptr %s, i64 56
  store i64 %steps, ptr %end, align 8
  %position = getelementptr i8, ptr %s, i64 48
  store i64 -1, ptr %position, align 8
  %first = getelementptr i8, ptr %s, i64 72
  store i64 %0, ptr %first, align 8
  ret void
}
""",
    # What the reverse sweep does next (see `checkpointed`), and with which snapshot.
    "enzyme_build.checkpoint_next": """
declare ptr @enzyme_build.checkpoint_push(ptr, i64)
declare void @enzyme_build.checkpoint_plan(ptr)
declare void @free(ptr)
define internal i64 @enzyme_build.checkpoint_next(ptr %s, ptr %memory) noinline nounwind {
entry:
  %end = getelementptr i8, ptr %s, i64 56
  %0 = load i64, ptr %end, align 8
  %cmp = icmp eq i64 %0, 0
  br i1 %cmp, label %for.cond.preheader, label %if.end

for.cond.preheader:
  %capacity = getelementptr i8, ptr %s, i64 64
  %1 = load i64, ptr %capacity, align 8
  %cmp1101 = icmp sgt i64 %1, 0
  br i1 %cmp1101, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %memories = getelementptr i8, ptr %s, i64 96
  br label %for.body

for.cond.cleanup:
  %expected = getelementptr i8, ptr %s, i64 104
  %2 = load ptr, ptr %expected, align 8
  call void @free(ptr %2)
  %once = getelementptr i8, ptr %s, i64 112
  %3 = load ptr, ptr %once, align 8
  call void @free(ptr %3)
  %positions = getelementptr i8, ptr %s, i64 88
  %4 = load ptr, ptr %positions, align 8
  call void @free(ptr %4)
  %memories2 = getelementptr i8, ptr %s, i64 96
  %5 = load ptr, ptr %memories2, align 8
  call void @free(ptr %5)
  call void @free(ptr %s)
  br label %return

for.body:
  %i.0102 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %6 = load ptr, ptr %memories, align 8
  %arrayidx = getelementptr ptr, ptr %6, i64 %i.0102
  %7 = load ptr, ptr %arrayidx, align 8
  call void @free(ptr %7)
  %inc = add nuw nsw i64 %i.0102, 1
  %8 = load i64, ptr %capacity, align 8
  %cmp1 = icmp slt i64 %inc, %8
  br i1 %cmp1, label %for.body, label %for.cond.cleanup

if.end:
  %position = getelementptr i8, ptr %s, i64 48
  %9 = load i64, ptr %position, align 8
  %cmp3 = icmp slt i64 %9, 0
  br i1 %cmp3, label %if.then4, label %if.end28

if.then4:
  %held = getelementptr i8, ptr %s, i64 16
  %10 = load i64, ptr %held, align 8
  %sub = add nsw i64 %10, -1
  %positions5 = getelementptr i8, ptr %s, i64 88
  %11 = load ptr, ptr %positions5, align 8
  %arrayidx6 = getelementptr i64, ptr %11, i64 %sub
  %12 = load i64, ptr %arrayidx6, align 8
  %cmp8 = icmp eq i64 %12, %0
  br i1 %cmp8, label %if.then9, label %if.end22

if.then9:
  store i64 %sub, ptr %held, align 8
  %first = getelementptr i8, ptr %s, i64 72
  %13 = load i64, ptr %first, align 8
  %cmp11.not = icmp sgt i64 %10, %13
  br i1 %cmp11.not, label %if.end20, label %if.then12

if.then12:
  store i64 %sub, ptr %first, align 8
  %expected14 = getelementptr i8, ptr %s, i64 104
  %14 = load ptr, ptr %expected14, align 8
  call void @free(ptr %14)
  %memories15 = getelementptr i8, ptr %s, i64 96
  %15 = load ptr, ptr %memories15, align 8
  %arrayidx16 = getelementptr ptr, ptr %15, i64 %sub
  %16 = load ptr, ptr %arrayidx16, align 8
  store ptr %16, ptr %expected14, align 8
  store ptr null, ptr %arrayidx16, align 8
  %compared = getelementptr i8, ptr %s, i64 80
  store i64 0, ptr %compared, align 8
  br label %if.end20

if.end20:
  %dec21 = add nsw i64 %10, -2
  br label %if.end22

if.end22:
  %top.0 = phi i64 [ %dec21, %if.end20 ], [ %sub, %if.then4 ]
  %17 = load ptr, ptr %positions5, align 8
  %arrayidx24 = getelementptr i64, ptr %17, i64 %top.0
  %18 = load i64, ptr %arrayidx24, align 8
  store i64 %18, ptr %position, align 8
  call void @enzyme_build.checkpoint_plan(ptr %s)
  %memories26 = getelementptr i8, ptr %s, i64 96
  %19 = load ptr, ptr %memories26, align 8
  %arrayidx27 = getelementptr ptr, ptr %19, i64 %top.0
  %20 = load ptr, ptr %arrayidx27, align 8
  store ptr %20, ptr %memory, align 8
  br label %return

if.end28:
  %sub31 = add nsw i64 %0, -1
  %cmp32 = icmp eq i64 %9, %sub31
  br i1 %cmp32, label %if.then33, label %if.end44

if.then33:
  %expected34 = getelementptr i8, ptr %s, i64 104
  %21 = load ptr, ptr %expected34, align 8
  %tobool.not = icmp eq ptr %21, null
  br i1 %tobool.not, label %if.end40, label %land.lhs.true

land.lhs.true:
  %compared35 = getelementptr i8, ptr %s, i64 80
  %22 = load i64, ptr %compared35, align 8
  %tobool36.not = icmp eq i64 %22, 0
  br i1 %tobool36.not, label %if.then37, label %if.end40

if.then37:
  store i64 1, ptr %compared35, align 8
  store ptr %21, ptr %memory, align 8
  br label %return

if.end40:
  store i64 %sub31, ptr %end, align 8
  store i64 -1, ptr %position, align 8
  br label %return

if.end44:
  %next = getelementptr i8, ptr %s, i64 32
  %23 = load i64, ptr %next, align 8
  %cmp46 = icmp eq i64 %9, %23
  br i1 %cmp46, label %if.then47, label %if.end49

if.then47:
  %call = call ptr @enzyme_build.checkpoint_push(ptr %s, i64 %9)
  store ptr %call, ptr %memory, align 8
  call void @enzyme_build.checkpoint_plan(ptr %s)
  br label %return

if.end49:
  %inc51 = add nuw nsw i64 %9, 1
  store i64 %inc51, ptr %position, align 8
  br label %return

return:
  %retval.0 = phi i64 [ 0, %for.cond.cleanup ], [ 1, %if.end22 ], [ 4, %if.end40 ], [ 5, %if.then37 ], [ 2, %if.then47 ], [ 3, %if.end49 ]
  ret i64 %retval.0
}
""",  # noqa: E501
}
