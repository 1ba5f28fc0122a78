"""What a word is by its bits, and sums of words of which only the run shows that, as IR text (see `runtime_foreign`).

Four bytes may be (a part of) a number that makes a difference, or not: up to 0x007fffff they are zero or subnormal as a
float, and from 0xffc00001 on no number; small integers of either sign look like that. Eight bytes may be an address,
from 2⁴⁴ to 2⁴⁸ in user space: as a double they would be subnormal. Where the process has its heap right behind a
program at a fixed address (linked with -no-pie or -static; Debian's python is), addresses up to its end are such, too.
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
declare i1 @enzyme_build.word_leads_low(i64)
define internal i1 @enzyme_build.word_leads(i64 %word) alwaysinline nounwind {
entry:
  %high = lshr i64 %word, 32
  %from = sub i64 %high, 4096
  %leads = icmp ult i64 %from, 61440
  br i1 %leads, label %done, label %other

other:
  %beyond = sub i64 %word, 65536
  %short = icmp ult i64 %beyond, 4294901760
  br i1 %short, label %low, label %done

low:
  %used = call i1 @enzyme_build.word_leads_low(i64 %word)
  br label %done

done:
  %result = phi i1 [ true, %entry ], [ false, %other ], [ %used, %low ]
  ret i1 %result
}
"""

# Is a word of four bytes an address of a program with its heap behind it? Valgrind has its heap elsewhere, in the first
# quarter of a GiB.
_LEADS_LOW: Final = """
declare ptr @sbrk(i64)
define internal i1 @enzyme_build.word_leads_low(i64 %word) noinline optsize nounwind cold {
entry:
  %last = call ptr @sbrk(i64 0)
  %end = ptrtoint ptr %last to i64
  %is.low = icmp ult i64 %end, 1099511627776
  %used = icmp ult i64 %word, %end
  %small = icmp ult i64 %word, 268435456
  %inside = or i1 %used, %small
  %leads = and i1 %is.low, %inside
  ret i1 %leads
}
"""

# Is what looks like an address six characters that print? The highest of them is not that of addresses near some
# memory, near the stack or near code.
_SPELLS: Final = """
define internal i1 @enzyme_build.word_spells(i64 %word, i64 %memory) nounwind {
entry:
  %here = alloca i8
  %filled = or i64 %word, 2314850208468434944
  %above = sub i64 %filled, 2314885530818453536
  %odd = or i64 %filled, %above
  %signs = and i64 %odd, -9187201950435737472
  %print = icmp eq i64 %signs, 0
  %high = lshr i64 %word, 40
  %memory.high = lshr i64 %memory, 40
  %stack = ptrtoint ptr %here to i64
  %stack.high = lshr i64 %stack, 40
  %code = ptrtoint ptr @enzyme_build.word_spells to i64
  %code.high = lshr i64 %code, 40
  %far = icmp ne i64 %high, %memory.high
  %far.stack = icmp ne i64 %high, %stack.high
  %far.code = icmp ne i64 %high, %code.high
  %far.both = and i1 %far.stack, %far.code
  %far.all = and i1 %far, %far.both
  %spells = and i1 %print, %far.all
  ret i1 %spells
}
"""

_WHOLE: Final = """
define internal i1 @enzyme_build.double_counts(i64 %word) alwaysinline nounwind memory(none) {
entry:
  %low = trunc i64 %word to i32
  %up = lshr i64 %word, 32
  %high = trunc i64 %up to i32
  %low.from = sub i32 %low, 8388608
  %low.counts = icmp ult i32 %low.from, -12582911
  %high.from = sub i32 %high, 8388608
  %high.counts = icmp ult i32 %high.from, -12582911
  %half = or i1 %low.counts, %high.counts
  %infinite = icmp eq i64 %word, -4503599627370496
  %undefined = icmp eq i64 %word, -2251799813685248
  %special = or i1 %infinite, %undefined
  %counts = or i1 %half, %special
  ret i1 %counts
}
"""
"""Of doubles, −∞ and what 0/0 gives on most machines look like small negative integers."""

WORDS: Final = {
    "enzyme_build.double_counts": _WHOLE,
    "enzyme_build.word_counts": _COUNTS,
    "enzyme_build.word_leads": _LEADS,
    "enzyme_build.word_leads_low": _LEADS_LOW,
    "enzyme_build.word_spells": _SPELLS,
    # The same of words in registers: the sum of two adjoints, of which only one may be a number, if not both are two
    # floats.
    "enzyme_build.word_sum": """
declare i1 @enzyme_build.word_counts(i32)
declare i1 @enzyme_build.double_counts(i64)
declare i32 @enzyme_build.float_sum(i32, i32)
define internal i64 @enzyme_build.word_sum(i64 %s, i64 %d, i1 %floats) alwaysinline nounwind memory(none) {
entry:
  %s.low = trunc i64 %s to i32
  %s.up = lshr i64 %s, 32
  %s.high = trunc i64 %s.up to i32
  %s.low.counts = call i1 @enzyme_build.word_counts(i32 %s.low)
  %s.high.counts = call i1 @enzyme_build.word_counts(i32 %s.high)
  %taken = call i1 @enzyme_build.double_counts(i64 %s)
  %d.low = trunc i64 %d to i32
  %d.up = lshr i64 %d, 32
  %d.high = trunc i64 %d.up to i32
  %d.low.counts = call i1 @enzyme_build.word_counts(i32 %d.low)
  %d.high.counts = call i1 @enzyme_build.word_counts(i32 %d.high)
  %some = call i1 @enzyme_build.double_counts(i64 %d)
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
declare i1 @enzyme_build.double_counts(i64)
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
  %same = or i1 %low, %high
  %s.halves = or i1 %s.low.counts, %s.high.counts
  %d.halves = or i1 %d.low.counts, %d.high.counts
  %s.counts = call i1 @enzyme_build.double_counts(i64 %s)
  %d.counts = call i1 @enzyme_build.double_counts(i64 %d)
  %both = and i1 %s.counts, %d.counts
  %halves = and i1 %s.halves, %d.halves
  %special = xor i1 %halves, true
  %whole = and i1 %both, %special
  %any = or i1 %same, %whole
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
}
