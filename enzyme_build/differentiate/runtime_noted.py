"""Copies of shadow memory that holds numbers of two types, by what is noted of each (`runtime_notes`), as IR text."""

from __future__ import annotations

from typing import Final

NOTED: Final = {
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
declare i64 @enzyme_build.noted_odd_pointers(ptr, ptr, ptr, i64)
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
  %odd = call i64 @enzyme_build.noted_odd_pointers(ptr %d, ptr %s, ptr %own, i64 %size)
  %either = or i64 %one, %odd
  ret i64 %either
}
""",
    # Are there any between two words, as in what the optimiser keeps of a struct behind its first four bytes? Their
    # halves would be taken for numbers. A part of a pointer beside one of another looks like one, too, but beside a
    # word that is a pointer there is none.
    "enzyme_build.noted_odd_pointers": """
declare i1 @enzyme_build.word_leads(i64)
declare i1 @enzyme_build.word_spells(i64, i64)
define internal i64 @enzyme_build.noted_odd_pointers(ptr %d, ptr %s, ptr %own, i64 %size) nounwind {
entry:
  %to = ptrtoint ptr %d to i64
  %from = ptrtoint ptr %s to i64
  %apart = sub i64 %to, %from
  %down = sub i64 0, %apart
  %far.up = icmp sge i64 %apart, %size
  %far.down = icmp sge i64 %down, %size
  %far = or i1 %far.up, %far.down
  %back = sub i64 4, %from
  %skipped = and i64 %back, 7
  %room = sub i64 %size, %skipped
  %count = ashr i64 %room, 3
  %some = icmp sgt i64 %count, 0
  %any = and i1 %some, %far
  br i1 %any, label %word, label %done

word:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %wrong = phi i1 [ false, %entry ], [ %all, %more ]
  %words = shl i64 %i, 3
  %at = add i64 %skipped, %words
  %p = getelementptr i8, ptr %s, i64 %at
  %v = load i64, ptr %p, align 4
  %leads = call i1 @enzyme_build.word_leads(i64 %v)
  br i1 %leads, label %look, label %more

look:
  %m = getelementptr i8, ptr %own, i64 %at
  %primal = load i64, ptr %m, align 1
  %same = icmp eq i64 %v, %primal
  %spells = call i1 @enzyme_build.word_spells(i64 %v, i64 %to)
  %text = and i1 %same, %spells
  br i1 %text, label %more, label %before

before:
  %first = icmp slt i64 %at, 4
  br i1 %first, label %after, label %left

left:
  %left.p = getelementptr i8, ptr %p, i64 -4
  %left.v = load i64, ptr %left.p, align 8
  %left.leads = call i1 @enzyme_build.word_leads(i64 %left.v)
  br i1 %left.leads, label %more, label %after

after:
  %end = add i64 %at, 12
  %last = icmp sgt i64 %end, %size
  br i1 %last, label %pointer, label %right

right:
  %right.p = getelementptr i8, ptr %p, i64 4
  %right.v = load i64, ptr %right.p, align 8
  %right.leads = call i1 @enzyme_build.word_leads(i64 %right.v)
  br i1 %right.leads, label %more, label %pointer

pointer:
  br label %more

more:
  %bad = phi i1 [ false, %word ], [ false, %look ], [ false, %left ], [ false, %right ], [ true, %pointer ]
  %all = or i1 %wrong, %bad
  %next = add i64 %i, 1
  %on = icmp slt i64 %next, %count
  br i1 %on, label %word, label %done

done:
  %result = phi i1 [ false, %entry ], [ %all, %more ]
  %one = zext i1 %result to i64
  ret i64 %one
}
""",
}
