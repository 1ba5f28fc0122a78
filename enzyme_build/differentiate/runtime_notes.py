"""Which type of number each adjoint in memory has, as IR text (see `noted`, `runtime`).

A note is a byte for each aligned word of eight bytes of shadow memory: 0 nothing is known, 1 floats, 2 a double, 3
parts of numbers at addresses that are no multiples of their size. Notes of 64 KiB lie together, in a table of lists for
each thread. They are dropped when a derivative begins and when it is done, since memory is used again.
"""

from __future__ import annotations

from typing import Final

_TABLE: Final = """@enzyme_build.note_lists = internal thread_local global [1024 x ptr] zeroinitializer, align 8
@enzyme_build.note_last = internal thread_local global ptr null, align 8"""

_WORDS: Final = """  %start = ptrtoint ptr %p to i64
  %first = and i64 %start, -8
  %end = add i64 %start, %size
  %wide = zext i8 %type to i64
  %bytes = shl i64 %wide, 2
  %more = icmp ne i64 %bytes, 0
  %less = zext i1 %more to i64
  %mask = sub i64 %bytes, %less
  %by = and i64 %start, %mask
  %askew = icmp ne i64 %by, 0
  %kind = select i1 %askew, i8 3, i8 %type
"""
"""The first word of an access and its end, and what is noted of it."""

_TEXTS: Final = {
    "enzyme_build.notes_near": f"""
{_TABLE}
declare ptr @enzyme_build.reserve(ptr, i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define internal ptr @enzyme_build.notes_near(i64 %number) noinline optsize nounwind {{
entry:
  %slot = and i64 %number, 1023
  %head = getelementptr ptr, ptr @enzyme_build.note_lists, i64 %slot
  %first = load ptr, ptr %head, align 8
  br label %test

test:
  %page = phi ptr [ %first, %entry ], [ %behind, %next ]
  %end = icmp eq ptr %page, null
  br i1 %end, label %make, label %look

look:
  %own = load i64, ptr %page, align 8
  %same = icmp eq i64 %own, %number
  br i1 %same, label %found, label %next

next:
  %link = getelementptr i8, ptr %page, i64 8
  %behind = load ptr, ptr %link, align 8
  br label %test

make:
  %new = call ptr @enzyme_build.reserve(ptr null, i64 8208)
  call void @llvm.memset.p0.i64(ptr %new, i8 0, i64 8208, i1 false)
  store i64 %number, ptr %new, align 8
  %new.link = getelementptr i8, ptr %new, i64 8
  store ptr %first, ptr %new.link, align 8
  store ptr %new, ptr %head, align 8
  br label %found

found:
  %result = phi ptr [ %page, %look ], [ %new, %make ]
  store ptr %result, ptr @enzyme_build.note_last, align 8
  ret ptr %result
}}
""",
    "enzyme_build.notes_drop": f"""
{_TABLE}
declare void @free(ptr)
define internal void @enzyme_build.notes_drop() noinline optsize nounwind {{
entry:
  %last = load ptr, ptr @enzyme_build.note_last, align 8
  %none = icmp eq ptr %last, null
  br i1 %none, label %done, label %list

list:
  %slot = phi i64 [ 0, %entry ], [ %more, %empty ]
  %head = getelementptr ptr, ptr @enzyme_build.note_lists, i64 %slot
  %first = load ptr, ptr %head, align 8
  store ptr null, ptr %head, align 8
  br label %test

test:
  %page = phi ptr [ %first, %list ], [ %behind, %drop ]
  %end = icmp eq ptr %page, null
  br i1 %end, label %empty, label %drop

drop:
  %link = getelementptr i8, ptr %page, i64 8
  %behind = load ptr, ptr %link, align 8
  call void @free(ptr %page)
  br label %test

empty:
  %more = add i64 %slot, 1
  %all = icmp eq i64 %more, 1024
  br i1 %all, label %finish, label %list

finish:
  store ptr null, ptr @enzyme_build.note_last, align 8
  br label %done

done:
  ret void
}}
""",
    "enzyme_build.note_of": f"""
{_TABLE}
declare ptr @enzyme_build.notes_near(i64)
define internal ptr @enzyme_build.note_of(i64 %address) alwaysinline nounwind {{
entry:
  %number = lshr i64 %address, 16
  %last = load ptr, ptr @enzyme_build.note_last, align 8
  %none = icmp eq ptr %last, null
  br i1 %none, label %search, label %look

look:
  %own = load i64, ptr %last, align 8
  %same = icmp eq i64 %own, %number
  br i1 %same, label %found, label %search

search:
  %other = call ptr @enzyme_build.notes_near(i64 %number)
  br label %found

found:
  %page = phi ptr [ %last, %look ], [ %other, %search ]
  %word = lshr i64 %address, 3
  %at = and i64 %word, 8191
  %behind = add i64 %at, 16
  %note = getelementptr i8, ptr %page, i64 %behind
  ret ptr %note
}}
""",
    # Numbers of a type are accessed. Odd if there is an adjoint of the other type. What a pointer left there goes; more
    # than one if it was where a float is, in memory that is not the function's `own`.
    "enzyme_build.note_numbers": """
declare ptr @enzyme_build.note_of(i64)
declare i1 @enzyme_build.double_counts(i64)
declare i1 @enzyme_build.word_leads(i64)
define internal i64 @enzyme_build.note_numbers(ptr %p, i64 %size, i8 %type, i1 %own) nounwind {
entry:
{words}  br label %word

word:
  %at = phi i64 [ %first, %entry ], [ %next, %set ]
  %wrong = phi i64 [ 0, %entry ], [ %all, %set ]
  %note = call ptr @enzyme_build.note_of(i64 %at)
  %old = load i8, ptr %note, align 1
  %same = icmp eq i8 %old, %kind
  br i1 %same, label %set, label %look

look:
  %back = sub i64 %at, %start
  %memory = getelementptr i8, ptr %p, i64 %back
  %outside = icmp ult i64 %at, %start
  %behind = add i64 %at, 8
  %beyond = icmp ugt i64 %behind, %end
  %part = or i1 %outside, %beyond
  %unknown = icmp eq i8 %old, 0
  %half = and i1 %part, %unknown
  br i1 %half, label %edge, label %whole

edge:
  %here = select i1 %outside, ptr %p, ptr %memory
  %mine = load i32, ptr %here, align 4
  %some = icmp ne i32 %mine, 0
  br i1 %some, label %whole, label %set

whole:
  %bits = load i64, ptr %memory, align 8
  %counts = call i1 @enzyme_build.double_counts(i64 %bits)
  %leads = call i1 @enzyme_build.word_leads(i64 %bits)
  %known = xor i1 %unknown, true
  %floats = icmp eq i8 %old, 1
  %number = xor i1 %leads, true
  %is.number = or i1 %number, %floats
  %taken = and i1 %counts, %known
  %clash = and i1 %taken, %is.number
  %stale = xor i1 %is.number, true
  %float = icmp eq i8 %kind, 1
  %lost = or i1 %own, %float
  %goes = and i1 %stale, %lost
  %clashes = zext i1 %clash to i64
  br i1 %goes, label %gone, label %set

gone:
  store i64 0, ptr %memory, align 8
  %given = select i1 %own, i64 0, i64 2
  br label %set

set:
  %bad = phi i64 [ 0, %word ], [ 0, %edge ], [ %clashes, %whole ], [ %given, %gone ]
  store i8 %kind, ptr %note, align 1
  %all = or i64 %wrong, %bad
  %next = add i64 %at, 8
  %on = icmp ult i64 %next, %end
  br i1 %on, label %word, label %done

done:
  ret i64 %all
}
""",
    # Numbers of a type are read. Not zero if there is a tangent of the other type.
    "enzyme_build.note_tangents": """
declare ptr @enzyme_build.note_of(i64)
declare i1 @enzyme_build.double_counts(i64)
define internal i64 @enzyme_build.note_tangents(ptr %p, i64 %size, i8 %type) nounwind {
entry:
{words}  br label %word

word:
  %at = phi i64 [ %first, %entry ], [ %next, %set ]
  %wrong = phi i64 [ 0, %entry ], [ %all, %set ]
  %note = call ptr @enzyme_build.note_of(i64 %at)
  %old = load i8, ptr %note, align 1
  %known = icmp ne i8 %old, 0
  %differs = icmp ne i8 %old, %kind
  %other = and i1 %known, %differs
  br i1 %other, label %look, label %set

look:
  %back = sub i64 %at, %start
  %memory = getelementptr i8, ptr %p, i64 %back
  %bits = load i64, ptr %memory, align 8
  %counts = call i1 @enzyme_build.double_counts(i64 %bits)
  br label %set

set:
  %bad = phi i1 [ false, %word ], [ %counts, %look ]
  store i8 %kind, ptr %note, align 1
  %one = zext i1 %bad to i64
  %all = or i64 %wrong, %one
  %next = add i64 %at, 8
  %on = icmp ult i64 %next, %end
  br i1 %on, label %word, label %done

done:
  ret i64 %all
}
""",
    # The tangents of numbers of a type are written.
    "enzyme_build.note_written": """
declare ptr @enzyme_build.note_of(i64)
define internal void @enzyme_build.note_written(ptr %p, i64 %size, i8 %type) nounwind {
entry:
{words}  br label %word

word:
  %at = phi i64 [ %first, %entry ], [ %next, %word ]
  %note = call ptr @enzyme_build.note_of(i64 %at)
  store i8 %kind, ptr %note, align 1
  %next = add i64 %at, 8
  %on = icmp ult i64 %next, %end
  br i1 %on, label %word, label %done

done:
  ret void
}
""",
    # An integer is written over memory of noted types: not zero where there is an adjoint, if that may be of the very
    # bits that are written. Of a double no part is left.
    "enzyme_build.notes_end": """
declare ptr @enzyme_build.note_of(i64)
define internal i64 @enzyme_build.notes_end(ptr %p, i64 %size) nounwind {
entry:
  %start = ptrtoint ptr %p to i64
  %end = add i64 %start, %size
  br label %byte

byte:
  %at = phi i64 [ %start, %entry ], [ %next, %more ]
  %wrong = phi i64 [ 0, %entry ], [ %all, %more ]
  %next = add i64 %at, 1
  %note = call ptr @enzyme_build.note_of(i64 %at)
  %type = load i8, ptr %note, align 1
  %known = icmp ne i8 %type, 0
  br i1 %known, label %look, label %more

look:
  %double = icmp eq i8 %type, 2
  %mask = select i1 %double, i64 7, i64 0
  %low = and i64 %at, %mask
  %first = sub i64 %at, %low
  %by = sub i64 %first, %start
  %there = getelementptr i8, ptr %p, i64 %by
  br i1 %double, label %word, label %part

word:
  %bits = load i64, ptr %there, align 8
  %magnitude = and i64 %bits, 9223372036854775807
  store i64 0, ptr %there, align 8
  br label %more

part:
  %own = load i8, ptr %there, align 1
  %of = and i64 %at, 3
  %last = icmp eq i64 %of, 3
  %without = select i1 %last, i8 127, i8 -1
  %less = and i8 %own, %without
  %few = zext i8 %less to i64
  store i8 0, ptr %there, align 1
  br label %more

more:
  %found = phi i64 [ 0, %byte ], [ %magnitude, %word ], [ %few, %part ]
  %all = or i64 %wrong, %found
  %on = icmp ult i64 %next, %end
  br i1 %on, label %byte, label %done

done:
  ret i64 %all
}
""",
    # Of what is copied; runs may overlap. Floats may be copied by half a word.
    "enzyme_build.notes_copy": """
declare ptr @enzyme_build.note_of(i64)
define internal void @enzyme_build.notes_copy(ptr %d, ptr %s, i64 %size) nounwind {
entry:
  %to = ptrtoint ptr %d to i64
  %from = ptrtoint ptr %s to i64
  %apart = sub i64 %to, %from
  %up = icmp ugt ptr %d, %s
  %first = and i64 %from, -4
  %end = add i64 %from, %size
  %room = sub i64 %end, %first
  %more = add i64 %room, 3
  %count = lshr i64 %more, 2
  %none = icmp sle i64 %size, 0
  br i1 %none, label %done, label %half

half:
  %i = phi i64 [ 0, %entry ], [ %next, %half ]
  %left = sub i64 %count, %i
  %back = sub i64 %left, 1
  %k = select i1 %up, i64 %back, i64 %i
  %by = shl i64 %k, 2
  %at = add i64 %first, %by
  %target = add i64 %at, %apart
  %note = call ptr @enzyme_build.note_of(i64 %at)
  %type = load i8, ptr %note, align 1
  %other = call ptr @enzyme_build.note_of(i64 %target)
  store i8 %type, ptr %other, align 1
  %next = add i64 %i, 1
  %on = icmp ult i64 %next, %count
  br i1 %on, label %half, label %done

done:
  ret void
}
""",
    # Nothing is known any more of a word without an adjoint: one of unknown type comes there.
    "enzyme_build.note_untold": """
declare ptr @enzyme_build.note_of(i64)
declare i1 @enzyme_build.double_counts(i64)
define internal void @enzyme_build.note_untold(ptr %p) nounwind {
entry:
  %start = ptrtoint ptr %p to i64
  %at = and i64 %start, -8
  %note = call ptr @enzyme_build.note_of(i64 %at)
  %old = load i8, ptr %note, align 1
  %known = icmp ne i8 %old, 0
  br i1 %known, label %look, label %done

look:
  %back = sub i64 %at, %start
  %memory = getelementptr i8, ptr %p, i64 %back
  %bits = load i64, ptr %memory, align 8
  %counts = call i1 @enzyme_build.double_counts(i64 %bits)
  br i1 %counts, label %done, label %forget

forget:
  store i8 0, ptr %note, align 1
  br label %done

done:
  ret void
}
""",
}

NOTES: Final = {name: text.replace("{words}", _WORDS) for name, text in _TEXTS.items()}
