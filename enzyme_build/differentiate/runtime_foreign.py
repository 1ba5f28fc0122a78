"""Adjoints of bytes of which only the run shows what they are, as IR text (see `foreign_bytes` and `runtime`).

Four bytes may be (a part of) a number that makes a difference, or not: up to 0x007fffff they are zero or subnormal as a
float, and from 0xffc00001 on no number; small integers of either sign look like that. Eight bytes may be an address,
from 2⁴⁰ to 2⁴⁸ in user space: as a double they would be subnormal.
"""

from __future__ import annotations

from typing import Final

_COUNTS: Final = """
define internal i1 @enzyme_build.word_counts(i32 %word) alwaysinline nounwind memory(none) {
entry:
  %from = sub i32 %word, 8388608
  %counts = icmp ult i32 %from, -12582911
  ret i1 %counts
}
"""
_LEADS: Final = """
define internal i1 @enzyme_build.word_leads(i64 %word) alwaysinline nounwind memory(none) {
entry:
  %high = lshr i64 %word, 32
  %from = sub i64 %high, 256
  %leads = icmp ult i64 %from, 65280
  ret i1 %leads
}
"""

_EACH: Final = """
declare i64 @enzyme_build.{name}({types}, i64)
define internal i64 @enzyme_build.{name}_each({parameters}, i64 %size, i64 %step, i64 %n) nounwind {{
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %bits = phi i64 [ 0, %entry ], [ %more, %body ]
  %inside = icmp slt i64 %i, %n
  br i1 %inside, label %body, label %done

body:
  %distance = mul i64 %i, %step
{addresses}
  %new = call i64 @enzyme_build.{name}({arguments}, i64 %size)
  %more = or i64 %bits, %new
  %next = add nuw nsw i64 %i, 1
  br label %loop

done:
  ret i64 %bits
}}
"""


def _each(name: str, count: int) -> dict[str, str]:
    """The same for every element of an array, of a function of so many addresses."""
    pointers = "pq"[:count]
    text = _EACH.format(
        name=name,
        types=", ".join("ptr" for _ in pointers),
        parameters=", ".join(f"ptr %{p}" for p in pointers),
        addresses="\n".join(f"  %{p}.at = getelementptr i8, ptr %{p}, i64 %distance" for p in pointers),
        arguments=", ".join(f"ptr %{p}.at" for p in pointers),
    )
    return {f"enzyme_build.{name}_each": text}


FOREIGN: Final = {
    **_each("words_other", 2),
    **_each("words_clear", 2),
    **_each("words_left", 1),
    **_each("words_return", 2),
    **_each("bytes_other", 2),
    **_each("bytes_left", 1),
    "enzyme_build.word_counts": _COUNTS,
    "enzyme_build.word_leads": _LEADS,
    # Has shadow memory an address that is not that of the memory?
    "enzyme_build.words_other": """
declare i1 @enzyme_build.word_leads(i64)
define internal i64 @enzyme_build.words_other(ptr %memory, ptr %shadow, i64 %size) nounwind {
entry:
  %address = ptrtoint ptr %shadow to i64
  %below = sub i64 0, %address
  %first = and i64 %below, 7
  br label %test

test:
  %i = phi i64 [ %first, %entry ], [ %next, %same ], [ %next, %look ]
  %next = add i64 %i, 8
  %inside = icmp sle i64 %next, %size
  br i1 %inside, label %look, label %none

look:
  %q = getelementptr i8, ptr %shadow, i64 %i
  %s = load i64, ptr %q, align 8
  %leads = call i1 @enzyme_build.word_leads(i64 %s)
  br i1 %leads, label %same, label %test

same:
  %p = getelementptr i8, ptr %memory, i64 %i
  %v = load i64, ptr %p, align 1
  %other = icmp ne i64 %v, %s
  br i1 %other, label %found, label %test

found:
  ret i64 1

none:
  ret i64 0
}
""",
    # Clears addresses in shadow memory that are those of the memory. What else there is the same, and may be a number:
    # is it one, or left of an object that was copied? (Memory where the shadow is zero may not be initialised.)
    "enzyme_build.words_clear": """
declare i1 @enzyme_build.word_leads(i64)
declare i1 @enzyme_build.word_counts(i32)
define internal i64 @enzyme_build.words_clear(ptr %memory, ptr %shadow, i64 %size) nounwind {
entry:
  %own = icmp eq ptr %memory, %shadow
  br i1 %own, label %none, label %begin

begin:
  %address = ptrtoint ptr %shadow to i64
  br label %test

test:
  %i = phi i64 [ 0, %begin ], [ %after, %next ]
  %left = sub i64 %size, %i
  %any = icmp sgt i64 %left, 3
  br i1 %any, label %step, label %none

step:
  %at = add i64 %address, %i
  %low = and i64 %at, 7
  %aligned = icmp eq i64 %low, 0
  %room = icmp sgt i64 %left, 7
  %whole = and i1 %aligned, %room
  %q = getelementptr i8, ptr %shadow, i64 %i
  %p = getelementptr i8, ptr %memory, i64 %i
  br i1 %whole, label %look, label %word

look:
  %s = load i64, ptr %q, align 8
  %leads = call i1 @enzyme_build.word_leads(i64 %s)
  br i1 %leads, label %same, label %word

same:
  %v = load i64, ptr %p, align 1
  %equal = icmp eq i64 %v, %s
  br i1 %equal, label %clear, label %found

clear:
  store i64 0, ptr %q, align 8
  br label %next

word:
  %odd = and i64 %at, 3
  %shift = icmp eq i64 %odd, 0
  br i1 %shift, label %read, label %next

read:
  %sw = load i32, ptr %q, align 4
  %counts = call i1 @enzyme_build.word_counts(i32 %sw)
  br i1 %counts, label %compare, label %next

compare:
  %vw = load i32, ptr %p, align 1
  %alike = icmp eq i32 %vw, %sw
  br i1 %alike, label %found, label %next

next:
  %by = phi i64 [ 8, %clear ], [ 1, %word ], [ 4, %read ], [ 4, %compare ]
  %after = add i64 %i, %by
  br label %test

found:
  ret i64 1

none:
  ret i64 0
}
""",
    # Marks of shadow memory in a derivative that is differentiated again: parts of numbers that are read, which have no
    # adjoint, and such that are overwritten, whose adjoint is zero.
    "enzyme_build.words_seen": """
define internal void @enzyme_build.words_seen(ptr %shadow, i64 %size) nounwind {
entry:
  ret void
}
""",
    "enzyme_build.words_ended": """
define internal void @enzyme_build.words_ended(ptr %shadow, i64 %size) nounwind {
entry:
  ret void
}
""",
    # Is anything in shadow memory a number, and not an address?
    "enzyme_build.words_tangent": """
declare i1 @enzyme_build.word_leads(i64)
declare i64 @enzyme_build.words_left(ptr, i64)
define internal i64 @enzyme_build.words_tangent(ptr %shadow, i64 %size) nounwind {
entry:
  %address = ptrtoint ptr %shadow to i64
  %low = and i64 %address, 7
  %back = sub i64 0, %low
  %word = getelementptr i8, ptr %shadow, i64 %back
  %bits = load i64, ptr %word, align 8
  %leads = call i1 @enzyme_build.word_leads(i64 %bits)
  br i1 %leads, label %none, label %look

look:
  %left = call i64 @enzyme_build.words_left(ptr %shadow, i64 %size)
  ret i64 %left

none:
  ret i64 0
}
""",
    # Is anything in shadow memory a number?
    "enzyme_build.words_left": """
declare i1 @enzyme_build.word_counts(i32)
define internal i64 @enzyme_build.words_left(ptr %shadow, i64 %size) nounwind {
entry:
  %address = ptrtoint ptr %shadow to i64
  br label %test

test:
  %i = phi i64 [ 0, %entry ], [ %after, %next ]
  %left = sub i64 %size, %i
  %any = icmp sgt i64 %left, 0
  br i1 %any, label %step, label %none

step:
  %at = add i64 %address, %i
  %q = getelementptr i8, ptr %shadow, i64 %i
  %odd = and i64 %at, 3
  %fits = icmp eq i64 %odd, 0
  %four = icmp sgt i64 %left, 3
  %word = and i1 %fits, %four
  br i1 %word, label %read, label %byte

read:
  %sw = load i32, ptr %q, align 4
  %counts = call i1 @enzyme_build.word_counts(i32 %sw)
  br i1 %counts, label %found, label %next

byte:
  %sb = load i8, ptr %q, align 1
  %some = icmp ne i8 %sb, 0
  br i1 %some, label %found, label %next

next:
  %by = phi i64 [ 4, %read ], [ 1, %byte ]
  %after = add i64 %i, %by
  br label %test

found:
  ret i64 1

none:
  ret i64 0
}
""",
    # The same of words in registers: the sum of two adjoints, of which only one may be a number, if not both are two
    # floats.
    "enzyme_build.word_sum": """
declare i1 @enzyme_build.word_counts(i32)
declare i32 @enzyme_build.float_sum(i32, i32)
define internal i64 @enzyme_build.word_sum(i64 %s, i64 %d, i1 %floats) alwaysinline nounwind memory(none) {
entry:
  %s.low = trunc i64 %s to i32
  %s.up = lshr i64 %s, 32
  %s.high = trunc i64 %s.up to i32
  %s.low.counts = call i1 @enzyme_build.word_counts(i32 %s.low)
  %s.high.counts = call i1 @enzyme_build.word_counts(i32 %s.high)
  %taken = or i1 %s.low.counts, %s.high.counts
  %d.low = trunc i64 %d to i32
  %d.up = lshr i64 %d, 32
  %d.high = trunc i64 %d.up to i32
  %d.low.counts = call i1 @enzyme_build.word_counts(i32 %d.low)
  %d.high.counts = call i1 @enzyme_build.word_counts(i32 %d.high)
  %some = or i1 %d.low.counts, %d.high.counts
  %low = call i32 @enzyme_build.float_sum(i32 %s.low, i32 %d.low)
  %high = call i32 @enzyme_build.float_sum(i32 %s.high, i32 %d.high)
  %low.wide = zext i32 %low to i64
  %high.wide = zext i32 %high to i64
  %high.up = shl i64 %high.wide, 32
  %halves = or i64 %high.up, %low.wide
  %apart = or i1 %taken, %floats
  %both = select i1 %apart, i64 %halves, i64 %d
  %sum = select i1 %some, i64 %both, i64 %s
  ret i64 %sum
}
""",
    # Are there two numbers in the same place?
    "enzyme_build.word_clash": """
declare i1 @enzyme_build.word_counts(i32)
define internal i64 @enzyme_build.word_clash(i64 %s, i64 %d) alwaysinline nounwind memory(none) {
entry:
  %s.low = trunc i64 %s to i32
  %s.up = lshr i64 %s, 32
  %s.high = trunc i64 %s.up to i32
  %s.low.counts = call i1 @enzyme_build.word_counts(i32 %s.low)
  %s.high.counts = call i1 @enzyme_build.word_counts(i32 %s.high)
  %d.low = trunc i64 %d to i32
  %d.up = lshr i64 %d, 32
  %d.high = trunc i64 %d.up to i32
  %d.low.counts = call i1 @enzyme_build.word_counts(i32 %d.low)
  %d.high.counts = call i1 @enzyme_build.word_counts(i32 %d.high)
  %low = and i1 %s.low.counts, %d.low.counts
  %high = and i1 %s.high.counts, %d.high.counts
  %any = or i1 %low, %high
  %bits = zext i1 %any to i64
  ret i64 %bits
}
""",
    # Of two floats, or of what is none.
    "enzyme_build.float_sum": """
declare i1 @enzyme_build.word_counts(i32)
define internal i32 @enzyme_build.float_sum(i32 %s, i32 %d) alwaysinline nounwind memory(none) {
entry:
  %more = call i1 @enzyme_build.word_counts(i32 %d)
  %some = call i1 @enzyme_build.word_counts(i32 %s)
  %a = bitcast i32 %s to float
  %b = bitcast i32 %d to float
  %c = fadd float %a, %b
  %sum = bitcast float %c to i32
  %both = select i1 %some, i32 %sum, i32 %d
  %result = select i1 %more, i32 %both, i32 %s
  ret i32 %result
}
""",
    # Four bytes that are no half of a double are a float.
    "enzyme_build.word_return": """
declare i1 @enzyme_build.word_counts(i32)
declare i32 @enzyme_build.float_sum(i32, i32)
define internal void @enzyme_build.word_return(ptr %p, ptr %q) nounwind {
entry:
  %d = load i32, ptr %p, align 4
  %counts = call i1 @enzyme_build.word_counts(i32 %d)
  br i1 %counts, label %move, label %done

move:
  %s = load i32, ptr %q, align 4
  %sum = call i32 @enzyme_build.float_sum(i32 %s, i32 %d)
  store i32 %sum, ptr %q, align 4
  store i32 0, ptr %p, align 4
  br label %done

done:
  ret void
}
""",
    # Moves adjoints from the shadow of where bytes were copied to, to that of where they came from. Where that has
    # none, the bits are moved, whatever they are; eight bytes at once, where both lie as a double does. Where both have
    # some, in different halves of these, they are floats. What has to be added, of numbers of unknown type, is told.
    "enzyme_build.words_return": """
declare i1 @enzyme_build.word_counts(i32)
declare void @enzyme_build.word_return(ptr, ptr)
define internal i64 @enzyme_build.words_return(ptr %destination, ptr %source, i64 %size) nounwind {
entry:
  %to = ptrtoint ptr %destination to i64
  %from = ptrtoint ptr %source to i64
  %apart = xor i64 %to, %from
  %same = icmp eq ptr %destination, %source
  br i1 %same, label %none, label %test

test:
  %i = phi i64 [ 0, %entry ], [ %after, %next ]
  %left = sub i64 %size, %i
  %any = icmp sgt i64 %left, 0
  br i1 %any, label %step, label %none

step:
  %at = add i64 %to, %i
  %both = or i64 %at, %apart
  %low = and i64 %both, 7
  %aligned = icmp eq i64 %low, 0
  %room = icmp sgt i64 %left, 7
  %whole = and i1 %aligned, %room
  %p = getelementptr i8, ptr %destination, i64 %i
  %q = getelementptr i8, ptr %source, i64 %i
  br i1 %whole, label %look, label %part

look:
  %d = load i64, ptr %p, align 8
  %d.low = trunc i64 %d to i32
  %d.up = lshr i64 %d, 32
  %d.high = trunc i64 %d.up to i32
  %low.counts = call i1 @enzyme_build.word_counts(i32 %d.low)
  %high.counts = call i1 @enzyme_build.word_counts(i32 %d.high)
  %some = or i1 %low.counts, %high.counts
  br i1 %some, label %other, label %next

other:
  %s = load i64, ptr %q, align 8
  %s.low = trunc i64 %s to i32
  %s.up = lshr i64 %s, 32
  %s.high = trunc i64 %s.up to i32
  %low.taken = call i1 @enzyme_build.word_counts(i32 %s.low)
  %high.taken = call i1 @enzyme_build.word_counts(i32 %s.high)
  %taken = or i1 %low.taken, %high.taken
  br i1 %taken, label %halves, label %move

move:
  store i64 %d, ptr %q, align 8
  store i64 0, ptr %p, align 8
  br label %next

halves:
  %low.both = and i1 %low.counts, %low.taken
  %high.both = and i1 %high.counts, %high.taken
  %wrong = or i1 %low.both, %high.both
  br i1 %wrong, label %found, label %floats

floats:
  %p.high = getelementptr i8, ptr %p, i64 4
  %q.high = getelementptr i8, ptr %q, i64 4
  call void @enzyme_build.word_return(ptr %p, ptr %q)
  call void @enzyme_build.word_return(ptr %p.high, ptr %q.high)
  br label %next

part:
  %odd = and i64 %both, 3
  %fits = icmp eq i64 %odd, 0
  %four = icmp sgt i64 %left, 3
  %word = and i1 %fits, %four
  br i1 %word, label %single, label %byte

single:
  call void @enzyme_build.word_return(ptr %p, ptr %q)
  br label %next

byte:
  %b = load i8, ptr %p, align 1
  %bits = icmp ne i8 %b, 0
  br i1 %bits, label %found, label %next

next:
  %by = phi i64 [ 8, %look ], [ 8, %move ], [ 8, %floats ], [ 4, %single ], [ 1, %byte ]
  %after = add i64 %i, %by
  br label %test

found:
  ret i64 1

none:
  ret i64 0
}
""",
}
