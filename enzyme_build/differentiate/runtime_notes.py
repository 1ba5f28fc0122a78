"""Which type of number each adjoint in memory has, as IR text (see `noted`, `runtime`).

A note is a byte for each aligned word of eight bytes of shadow memory: 0 nothing is known, 1 floats, 2 a double, 3
parts of numbers at addresses that are no multiples of their size. Notes of 64 KiB lie together, in a table of lists for
each thread. They are dropped when a derivative begins and when it is done, since memory is used again.
"""

from __future__ import annotations

from typing import Final

_TABLE: Final = """@enzyme_build.note_lists = internal thread_local global [1024 x ptr] zeroinitializer, align 8
@enzyme_build.note_last = internal thread_local global ptr null, align 8"""

NOTES: Final = {
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
  %start = ptrtoint ptr %p to i64
  %first = and i64 %start, -8
  %end = add i64 %start, %size
  %wide = zext i8 %type to i64
  %bytes = shl i64 %wide, 2
  %mask = sub i64 %bytes, 1
  %by = and i64 %start, %mask
  %askew = icmp ne i64 %by, 0
  %kind = select i1 %askew, i8 3, i8 %type
  br label %word

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
  %start = ptrtoint ptr %p to i64
  %first = and i64 %start, -8
  %end = add i64 %start, %size
  %wide = zext i8 %type to i64
  %bytes = shl i64 %wide, 2
  %mask = sub i64 %bytes, 1
  %by = and i64 %start, %mask
  %askew = icmp ne i64 %by, 0
  %kind = select i1 %askew, i8 3, i8 %type
  br label %word

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
  %start = ptrtoint ptr %p to i64
  %first = and i64 %start, -8
  %end = add i64 %start, %size
  %wide = zext i8 %type to i64
  %bytes = shl i64 %wide, 2
  %some = icmp ne i64 %bytes, 0
  %one = zext i1 %some to i64
  %mask = sub i64 %bytes, %one
  %by = and i64 %start, %mask
  %askew = icmp ne i64 %by, 0
  %kind = select i1 %askew, i8 3, i8 %type
  br label %word

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
    # The adjoints of a copied run go back to where it came from. Not zero where that cannot be: in parts of a double,
    # or where two have to be added of which nothing tells the type, or different things. Where one of two is noted, the
    # other is of the same type: both are of the value that was copied. What is alone is moved, whatever it is.
    "enzyme_build.noted_return": """
declare i64 @enzyme_build.noted_word(i64, ptr, ptr, i64, i1, i1)
define internal i64 @enzyme_build.noted_return(ptr %d, ptr %s, i64 %size, i1 %keep, i1 %own) nounwind {
entry:
  %start = ptrtoint ptr %d to i64
  %first = and i64 %start, -8
  %end = add i64 %start, %size
  %room = sub i64 %end, %first
  %more = add i64 %room, 7
  %count = lshr i64 %more, 3
  %up = icmp ugt ptr %d, %s
  %same = icmp eq ptr %d, %s
  %empty = icmp sle i64 %size, 0
  %none = or i1 %same, %empty
  br i1 %none, label %done, label %word

word:
  %i = phi i64 [ 0, %entry ], [ %next, %word ]
  %wrong = phi i64 [ 0, %entry ], [ %all, %word ]
  %left = sub i64 %count, %i
  %back = sub i64 %left, 1
  %k = select i1 %up, i64 %i, i64 %back
  %by = shl i64 %k, 3
  %at = add i64 %first, %by
  %bad = call i64 @enzyme_build.noted_word(i64 %at, ptr %d, ptr %s, i64 %size, i1 %keep, i1 %own)
  %all = or i64 %wrong, %bad
  %next = add i64 %i, 1
  %on = icmp ult i64 %next, %count
  br i1 %on, label %word, label %done

done:
  %result = phi i64 [ 0, %entry ], [ %all, %word ]
  ret i64 %result
}
""",
    "enzyme_build.noted_word": """
declare ptr @enzyme_build.note_of(i64)
declare i1 @enzyme_build.double_counts(i64)
declare i1 @enzyme_build.word_leads(i64)
declare i64 @enzyme_build.noted_half(i64, i8, ptr, ptr, i64, i1, i1)
define internal i64 @enzyme_build.noted_word(i64 %at, ptr %d, ptr %s, i64 %size, i1 %keep, i1 %own) nounwind {
entry:
  %start = ptrtoint ptr %d to i64
  %from = ptrtoint ptr %s to i64
  %apart = sub i64 %start, %from
  %by = and i64 %apart, 7
  %end = add i64 %start, %size
  %behind = add i64 %at, 8
  %before = icmp ult i64 %at, %start
  %after = icmp ugt i64 %behind, %end
  %part = or i1 %before, %after
  %offset = sub i64 %at, %start
  %p = getelementptr i8, ptr %d, i64 %offset
  %q = getelementptr i8, ptr %s, i64 %offset
  %note = call ptr @enzyme_build.note_of(i64 %at)
  %type = load i8, ptr %note, align 1
  %floats = icmp eq i8 %type, 1
  %double = icmp eq i8 %type, 2
  %askew = icmp eq i8 %type, 3
  br i1 %floats, label %halves, label %other

other:
  br i1 %askew, label %parts, label %known

parts:
  %part.bits = load i64, ptr %p, align 8
  %part.counts = call i1 @enzyme_build.double_counts(i64 %part.bits)
  %part.wrong = zext i1 %part.counts to i64
  ret i64 %part.wrong

known:
  br i1 %part, label %cut, label %whole

cut:
  br i1 %double, label %cut.double, label %halves

cut.double:
  %cut.bits = load i64, ptr %p, align 8
  %cut.counts = call i1 @enzyme_build.double_counts(i64 %cut.bits)
  %cut.wrong = zext i1 %cut.counts to i64
  ret i64 %cut.wrong

whole:
  %v = load i64, ptr %p, align 8
  %counts = call i1 @enzyme_build.double_counts(i64 %v)
  %leads = call i1 @enzyme_build.word_leads(i64 %v)
  %number = xor i1 %leads, true
  %moves = and i1 %counts, %number
  br i1 %moves, label %move, label %none

move:
  %origin = sub i64 %at, %apart
  %source.note = call ptr @enzyme_build.note_of(i64 %origin)
  %source.said = load i8, ptr %source.note, align 1
  %source.known = icmp ne i8 %source.said, 0
  br i1 %source.known, label %believe, label %judge

believe:
  %low.at = and i64 %origin, -8
  %low.by = sub i64 %low.at, %origin
  %source.word = getelementptr i8, ptr %q, i64 %low.by
  %source.bits = load i64, ptr %source.word, align 8
  %source.holds = call i1 @enzyme_build.double_counts(i64 %source.bits)
  br label %judge

judge:
  %source.true = phi i1 [ false, %move ], [ %source.holds, %believe ]
  %source.type = select i1 %source.true, i8 %source.said, i8 0
  %source.floats = icmp eq i8 %source.type, 1
  %untold = xor i1 %double, true
  %by.source = and i1 %untold, %source.floats
  br i1 %by.source, label %as.floats, label %straight

straight:
  %aligned = icmp eq i64 %by, 0
  br i1 %aligned, label %take, label %wrong

take:
  store i64 0, ptr %p, align 8
  store i8 0, ptr %note, align 1
  br i1 %keep, label %give, label %none

give:
  %w = load i64, ptr %q, align 8
  %source.counts = call i1 @enzyme_build.double_counts(i64 %w)
  %source.leads = call i1 @enzyme_build.word_leads(i64 %w)
  %source.number = xor i1 %source.leads, true
  %source.some = or i1 %source.floats, %source.number
  %taken = and i1 %source.counts, %source.some
  br i1 %taken, label %add, label %put

put:
  store i64 %v, ptr %q, align 8
  store i8 %type, ptr %source.note, align 1
  br label %none

add:
  %types = or i8 %type, %source.type
  %both = icmp eq i8 %types, 2
  br i1 %both, label %sum, label %wrong

sum:
  %a = bitcast i64 %v to double
  %b = bitcast i64 %w to double
  %c = fadd double %b, %a
  store double %c, ptr %q, align 8
  store i8 2, ptr %source.note, align 1
  br label %none

as.floats:
  br label %halves

halves:
  %half.type = phi i8 [ %type, %entry ], [ %type, %cut ], [ 1, %as.floats ]
  %low = call i64 @enzyme_build.noted_half(i64 %at, i8 %half.type, ptr %d, ptr %s, i64 %size, i1 %keep, i1 %own)
  %upper = add i64 %at, 4
  %high = call i64 @enzyme_build.noted_half(i64 %upper, i8 %half.type, ptr %d, ptr %s, i64 %size, i1 %keep, i1 %own)
  %bad = or i64 %low, %high
  ret i64 %bad

wrong:
  ret i64 1

none:
  ret i64 0
}
""",
    # Of a part of four bytes nothing but itself is read, unless a double is known to be there: the rest of the word may
    # be no memory.
    "enzyme_build.noted_half": """
declare ptr @enzyme_build.note_of(i64)
declare i1 @enzyme_build.double_counts(i64)
declare i1 @enzyme_build.word_counts(i32)
declare i1 @enzyme_build.word_leads(i64)
define internal i64 @enzyme_build.noted_half(i64 %at, i8 %type, ptr %d, ptr %s, i64 %size, i1 %keep, i1 %own) nounwind {
entry:
  %start = ptrtoint ptr %d to i64
  %from = ptrtoint ptr %s to i64
  %end = add i64 %start, %size
  %behind = add i64 %at, 4
  %before = icmp ult i64 %at, %start
  %after = icmp ugt i64 %behind, %end
  %outside = or i1 %before, %after
  br i1 %outside, label %none, label %look

look:
  %offset = sub i64 %at, %start
  %p = getelementptr i8, ptr %d, i64 %offset
  %q = getelementptr i8, ptr %s, i64 %offset
  %v = load i32, ptr %p, align 4
  %counts = call i1 @enzyme_build.word_counts(i32 %v)
  br i1 %counts, label %some, label %none

some:
  %apart = sub i64 %start, %from
  %by = and i64 %apart, 3
  %straight = icmp eq i64 %by, 0
  br i1 %straight, label %move, label %wrong

move:
  store i32 0, ptr %p, align 4
  br i1 %keep, label %give, label %none

give:
  %origin = add i64 %from, %offset
  %note = call ptr @enzyme_build.note_of(i64 %origin)
  %there = load i8, ptr %note, align 1
  %whole.number = icmp uge i8 %there, 2
  br i1 %whole.number, label %whole, label %part

whole:
  %low = and i64 %origin, 4
  %back = sub i64 0, %low
  %word = getelementptr i8, ptr %q, i64 %back
  %bits = load i64, ptr %word, align 8
  %other = call i1 @enzyme_build.double_counts(i64 %bits)
  br i1 %other, label %wrong, label %part

part:
  %w = load i32, ptr %q, align 4
  %taken = call i1 @enzyme_build.word_counts(i32 %w)
  %untold = icmp eq i8 %there, 0
  %bits.there = icmp ne i32 %w, 0
  %looks = and i1 %bits.there, %untold
  br i1 %looks, label %around, label %choose

around:
  %around.low = and i64 %origin, 4
  %around.back = sub i64 0, %around.low
  %around.word = getelementptr i8, ptr %q, i64 %around.back
  %around.bits = load i64, ptr %around.word, align 8
  %leads = call i1 @enzyme_build.word_leads(i64 %around.bits)
  br i1 %leads, label %gone, label %choose

gone:
  store i64 0, ptr %around.word, align 8
  br i1 %own, label %put, label %wrong

choose:
  br i1 %taken, label %add, label %put

put:
  store i32 %v, ptr %q, align 4
  %known = icmp ne i8 %type, 0
  br i1 %known, label %tell, label %none

tell:
  store i8 1, ptr %note, align 1
  br label %none

add:
  %types = or i8 %type, %there
  %both = icmp eq i8 %types, 1
  br i1 %both, label %sum, label %wrong

sum:
  store i8 1, ptr %note, align 1
  %a = bitcast i32 %v to float
  %b = bitcast i32 %w to float
  %c = fadd float %b, %a
  store float %c, ptr %q, align 4
  br label %none

wrong:
  ret i64 1

none:
  ret i64 0
}
""",
    # What is no pointer in a run of shadow memory, or (`pointers`) what is one, becomes zero.
    "enzyme_build.noted_clear": """
declare ptr @enzyme_build.note_of(i64)
declare i1 @enzyme_build.word_leads(i64)
define internal void @enzyme_build.noted_clear(ptr %d, i64 %size, i1 %pointers) nounwind {
entry:
  %start = ptrtoint ptr %d to i64
  %none = icmp sle i64 %size, 0
  br i1 %none, label %done, label %test

test:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %at = add i64 %start, %i
  %low = and i64 %at, 7
  %left = sub i64 %size, %i
  %aligned = icmp eq i64 %low, 0
  %room = icmp sgt i64 %left, 7
  %whole = and i1 %aligned, %room
  %p = getelementptr i8, ptr %d, i64 %i
  br i1 %whole, label %look, label %byte

look:
  %v = load i64, ptr %p, align 8
  %note = call ptr @enzyme_build.note_of(i64 %at)
  %type = load i8, ptr %note, align 1
  %floats = icmp eq i8 %type, 1
  %leads = call i1 @enzyme_build.word_leads(i64 %v)
  %number = xor i1 %floats, true
  %pointer = and i1 %leads, %number
  %gone = icmp eq i1 %pointer, %pointers
  br i1 %gone, label %zero, label %more

zero:
  store i64 0, ptr %p, align 8
  store i8 0, ptr %note, align 1
  br label %more

byte:
  br i1 %pointers, label %more, label %clear

clear:
  store i8 0, ptr %p, align 1
  br label %more

more:
  %by = phi i64 [ 8, %look ], [ 8, %zero ], [ 1, %byte ], [ 1, %clear ]
  %next = add i64 %i, %by
  %on = icmp slt i64 %next, %size
  br i1 %on, label %test, label %done

done:
  ret void
}
""",
    # The shadow pointers of a run are copied as such; `own` is the memory itself, of which text may look like a
    # pointer. Not zero where they would go to where no word is.
    "enzyme_build.noted_pointers": """
declare i1 @enzyme_build.word_leads(i64)
declare i1 @enzyme_build.word_spells(i64, i64)
define internal i64 @enzyme_build.noted_pointers(ptr %d, ptr %s, ptr %own, i64 %size) nounwind {
entry:
  %to = ptrtoint ptr %d to i64
  %from = ptrtoint ptr %s to i64
  %apart = sub i64 %to, %from
  %by = and i64 %apart, 7
  %straight = icmp eq i64 %by, 0
  %up = icmp ugt ptr %d, %s
  %back = sub i64 0, %from
  %skipped = and i64 %back, 7
  %room = sub i64 %size, %skipped
  %count = ashr i64 %room, 3
  %none = icmp slt i64 %count, 1
  br i1 %none, label %done, label %word

word:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %wrong = phi i1 [ false, %entry ], [ %all, %more ]
  %left = sub i64 %count, %i
  %last = sub i64 %left, 1
  %k = select i1 %up, i64 %last, i64 %i
  %words = shl i64 %k, 3
  %at = add i64 %skipped, %words
  %p = getelementptr i8, ptr %s, i64 %at
  %q = getelementptr i8, ptr %d, i64 %at
  %m = getelementptr i8, ptr %own, i64 %at
  %v = load ptr, ptr %p, align 8
  %bits = ptrtoint ptr %v to i64
  %leads = call i1 @enzyme_build.word_leads(i64 %bits)
  br i1 %leads, label %look, label %other

look:
  %primal = load i64, ptr %m, align 1
  %same = icmp eq i64 %bits, %primal
  %spells = call i1 @enzyme_build.word_spells(i64 %bits, i64 %to)
  %text = and i1 %same, %spells
  br i1 %text, label %other, label %pointer

pointer:
  br i1 %straight, label %copy, label %cut

copy:
  store ptr %v, ptr %q, align 8
  br label %more

cut:
  %lost = xor i1 %same, true
  br label %more

other:
  br i1 %straight, label %stale, label %more

stale:
  %old = load i64, ptr %q, align 8
  %were = call i1 @enzyme_build.word_leads(i64 %old)
  br i1 %were, label %drop, label %more

drop:
  store i64 0, ptr %q, align 8
  br label %more

more:
  %bad = phi i1 [ false, %copy ], [ %lost, %cut ], [ false, %other ], [ false, %stale ], [ false, %drop ]
  %all = or i1 %wrong, %bad
  %next = add i64 %i, 1
  %on = icmp ult i64 %next, %count
  br i1 %on, label %word, label %done

done:
  %result = phi i1 [ false, %entry ], [ %all, %more ]
  %one = zext i1 %result to i64
  ret i64 %one
}
""",
}
