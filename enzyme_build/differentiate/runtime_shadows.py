"""Shadow memory looked at and put back, as IR text (see `runtime`)."""

from __future__ import annotations

from typing import Final

SHADOWS: Final = {
    # Tangents from a tape begin with the shadow pointers that the augmented pass began with: it notes what it
    # overwrites in memory that it may not have made, among the postponed deallocations. A note is the address, what
    # was there, and what the tangents found there. A word that was zero is a null pointer again where there is a
    # pointer now, and may else be a number whose tangent was put there since.
    "enzyme_build.pointer_note": """
declare ptr @enzyme_build.reserve(ptr, i64)
declare void @enzyme_build.defer(ptr, ptr, ptr)
declare void @enzyme_build.pointer_drop(ptr)
define internal void @enzyme_build.pointer_note(ptr %arena, ptr %address) noinline nounwind {
entry:
  %none = icmp eq ptr %address, null
  br i1 %none, label %done, label %read

read:
  %old = load ptr, ptr %address, align 1
  %bits = ptrtoint ptr %old to i64
  %pointer = icmp ult i64 %bits, 4503599627370496
  br i1 %pointer, label %note, label %done

note:
  %entry.of = call ptr @enzyme_build.reserve(ptr null, i64 24)
  store ptr %address, ptr %entry.of, align 8
  %behind = getelementptr i8, ptr %entry.of, i64 8
  store ptr %old, ptr %behind, align 8
  call void @enzyme_build.defer(ptr %arena, ptr %entry.of, ptr @enzyme_build.pointer_drop)
  br label %done

done:
  ret void
}
""",
    "enzyme_build.pointer_drop": """
declare void @free(ptr)
define internal void @enzyme_build.pointer_drop(ptr %entry.of) noinline nounwind {
entry:
  call void @free(ptr %entry.of)
  ret void
}
""",
    "enzyme_build.pointers_back": """
declare void @enzyme_build.pointer_drop(ptr)
define internal void @enzyme_build.pointers_back(ptr %arena) noinline nounwind {
entry:
  %newest = load ptr, ptr %arena, align 8
  br label %test

test:
  %node = phi ptr [ %newest, %entry ], [ %next, %more ]
  %end = icmp eq ptr %node, null
  br i1 %end, label %done, label %body

body:
  %next = load ptr, ptr %node, align 8
  %m = getelementptr i8, ptr %node, i64 8
  %memory = load ptr, ptr %m, align 8
  %f = getelementptr i8, ptr %node, i64 16
  %function = load ptr, ptr %f, align 8
  %noted = icmp eq ptr %function, @enzyme_build.pointer_drop
  br i1 %noted, label %back, label %more

back:
  %address = load ptr, ptr %memory, align 8
  %behind = getelementptr i8, ptr %memory, i64 8
  %old = load ptr, ptr %behind, align 8
  %third = getelementptr i8, ptr %memory, i64 16
  %now = load ptr, ptr %address, align 1
  store ptr %now, ptr %third, align 8
  %bits = ptrtoint ptr %now to i64
  %number = icmp uge i64 %bits, 4503599627370496
  %null = icmp eq ptr %old, null
  %stays = and i1 %null, %number
  %then = select i1 %stays, ptr %now, ptr %old
  store ptr %then, ptr %address, align 1
  br label %more

more:
  br label %test

done:
  ret void
}
""",
    # What the tangents did not write (they have shadows of their own for what the function makes) is as the augmented
    # pass left it again: the oldest note first.
    "enzyme_build.pointers_forth": """
declare void @enzyme_build.pointer_drop(ptr)
define internal void @enzyme_build.pointers_forth(ptr %arena) noinline nounwind {
entry:
  %newest = load ptr, ptr %arena, align 8
  br label %turn

turn:
  %from = phi ptr [ %newest, %entry ], [ %behind, %turned ]
  %turned.to = phi ptr [ null, %entry ], [ %from, %turned ]
  %all = icmp eq ptr %from, null
  br i1 %all, label %test, label %turned

turned:
  %behind = load ptr, ptr %from, align 8
  store ptr %turned.to, ptr %from, align 8
  br label %turn

test:
  %node = phi ptr [ %turned.to, %turn ], [ %next, %more ]
  %before = phi ptr [ null, %turn ], [ %node, %more ]
  %end = icmp eq ptr %node, null
  br i1 %end, label %done, label %body

body:
  %next = load ptr, ptr %node, align 8
  store ptr %before, ptr %node, align 8
  %m = getelementptr i8, ptr %node, i64 8
  %memory = load ptr, ptr %m, align 8
  %f = getelementptr i8, ptr %node, i64 16
  %function = load ptr, ptr %f, align 8
  %noted = icmp eq ptr %function, @enzyme_build.pointer_drop
  br i1 %noted, label %look, label %more

look:
  %address = load ptr, ptr %memory, align 8
  %second = getelementptr i8, ptr %memory, i64 8
  %old = load ptr, ptr %second, align 8
  %now = load ptr, ptr %address, align 1
  %same = icmp eq ptr %now, %old
  br i1 %same, label %forth, label %more

forth:
  %third = getelementptr i8, ptr %memory, i64 16
  %then = load ptr, ptr %third, align 8
  store ptr %then, ptr %address, align 1
  br label %more

more:
  br label %test

done:
  ret void
}
""",
    # See `foreign_bytes`. Is shadow memory neither zero nor what the memory is?
    "enzyme_build.bytes_other": """
define internal i64 @enzyme_build.bytes_other(ptr %memory, ptr %shadow, i64 %size) nounwind {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %some = phi i8 [ 0, %entry ], [ %somes, %loop ]
  %other = phi i8 [ 0, %entry ], [ %others, %loop ]
  %p = getelementptr i8, ptr %memory, i64 %i
  %q = getelementptr i8, ptr %shadow, i64 %i
  %v = load i8, ptr %p, align 1
  %s = load i8, ptr %q, align 1
  %differs = xor i8 %v, %s
  %somes = or i8 %some, %s
  %others = or i8 %other, %differs
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %size
  br i1 %end, label %done, label %loop

done:
  %any = icmp ne i8 %somes, 0
  %wrong = icmp ne i8 %others, 0
  %both = and i1 %any, %wrong
  %result = zext i1 %both to i64
  ret i64 %result
}
""",
    # Clears shadow memory with the text of the memory, or its begin: characters up to the first zero, and zeros.
    # Memory where the shadow is zero may not be initialised.
    "enzyme_build.bytes_clear": """
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define internal void @enzyme_build.bytes_clear(ptr %memory, ptr %shadow, i64 %size) nounwind {
entry:
  %own = icmp eq ptr %memory, %shadow
  br i1 %own, label %done, label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %ended = phi i1 [ false, %entry ], [ %ends, %loop ]
  %some = phi i8 [ 0, %entry ], [ %somes, %loop ]
  %all = phi i1 [ true, %entry ], [ %alls, %loop ]
  %p = getelementptr i8, ptr %memory, i64 %i
  %q = getelementptr i8, ptr %shadow, i64 %i
  %v = load i8, ptr %p, align 1
  %s = load i8, ptr %q, align 1
  %somes = or i8 %some, %s
  %zero = icmp eq i8 %s, 0
  %mask = select i1 %zero, i8 0, i8 -1
  %differs = xor i8 %v, %s
  %other = and i8 %differs, %mask
  %same = icmp eq i8 %other, 0
  %ends = or i1 %ended, %zero
  %from = add i8 %s, -32
  %printed = icmp ult i8 %from, 95
  %inside = xor i1 %ended, true
  %character = and i1 %inside, %printed
  %fits = or i1 %zero, %character
  %text = and i1 %same, %fits
  %alls = and i1 %all, %text
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %size
  br i1 %end, label %read, label %loop

read:
  %any = icmp ne i8 %somes, 0
  br i1 %any, label %told, label %done

told:
  br i1 %alls, label %clear, label %done

clear:
  call void @llvm.memset.p0.i64(ptr %shadow, i8 0, i64 %size, i1 false)
  br label %done

done:
  ret void
}
""",
    # Is any byte of shadow memory not zero?
    "enzyme_build.bytes_left": """
define internal i64 @enzyme_build.bytes_left(ptr %shadow, i64 %size) nounwind {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %some = phi i8 [ 0, %entry ], [ %somes, %loop ]
  %q = getelementptr i8, ptr %shadow, i64 %i
  %s = load i8, ptr %q, align 1
  %somes = or i8 %some, %s
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %size
  br i1 %end, label %done, label %loop

done:
  %any = icmp ne i8 %somes, 0
  %result = zext i1 %any to i64
  ret i64 %result
}
""",
}
