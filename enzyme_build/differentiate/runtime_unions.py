"""What the shadow has where integers and pointers are written that may be members of unions, and where numbers take
turns with pointers, as IR text (see `foreign_bytes` and `runtime`)."""

from __future__ import annotations

import re
from typing import Final


def _end(name: str, word: str, test: str, result: str) -> str:
    """Zeroes those words of shadow memory that are numbers."""
    declared = re.sub(r" %\w+", "", test)
    return f"""
declare {declared}
define internal void @enzyme_build.{name}(ptr %shadow, i64 %count, i64 %stride) nounwind {{
entry:
  br label %test

test:
  %i = phi i64 [ 0, %entry ], [ %next, %past ]
  %p = phi ptr [ %shadow, %entry ], [ %after, %past ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %look, label %done

look:
  %word = load {word}, ptr %p, align 1
  %found = call {test}
  %number = icmp ne {result} %found, 0
  br i1 %number, label %clear, label %past

clear:
  store {word} 0, ptr %p, align 1
  br label %past

past:
  %next = add i64 %i, 1
  %after = getelementptr i8, ptr %p, i64 %stride
  br label %test

done:
  ret void
}}
"""


_TURNS: Final = (
    "enzyme_build: a float is where a pointer was, in memory that the derivative is given (or in a program with low "
    "addresses, linked with -no-pie or -static): use separate memory for each, or allocate it inside the function"
)

UNIONS: Final = {
    # Clears the words of shadow memory that are addresses, where a number of less than a word is now; of memory that is
    # not its own, which may end in the middle of a word, it ends the program instead. Two floats look like an address
    # where the second is subnormal and in few small ranges: these are where Linux puts programs with their heaps
    # (0x55…, 0x56…), mapped memory (0x70… to 0x7f…), and what sanitizers allocate (0x60… to 0x64…). Where the program
    # itself lies low, so does its heap, whose first quarter of a GiB are numbers below 2.6e-29.
    "enzyme_build.pointers_gone": f"""
@enzyme_build.stop.turns = internal unnamed_addr constant [{len(_TURNS) + 1} x i8] c"{_TURNS}\\0A", align 1
declare ptr @sbrk(i64)
declare void @enzyme_build.moved_part(i64, ptr, i64)
define internal void @enzyme_build.pointers_gone(ptr %shadow, i64 %size, i1 %own) nounwind {{
entry:
  %address = ptrtoint ptr %shadow to i64
  %low = and i64 %address, 7
  %back = sub i64 0, %low
  %start = getelementptr i8, ptr %shadow, i64 %back
  %length = add i64 %size, %low
  %last = call ptr @sbrk(i64 0)
  %end = ptrtoint ptr %last to i64
  %is.low = icmp ult i64 %end, 1099511627776
  br label %test

test:
  %i = phi i64 [ 0, %entry ], [ %next, %clear ], [ %next, %other ], [ %next, %large ], [ %next, %stop ]
  %next = add i64 %i, 8
  %inside = icmp ult i64 %i, %length
  br i1 %inside, label %look, label %done

look:
  %q = getelementptr i8, ptr %start, i64 %i
  %s = load i64, ptr %q, align 8
  %high = lshr i64 %s, 40
  %code = sub i64 %high, 85
  %of.code = icmp ult i64 %code, 2
  %checked = sub i64 %high, 96
  %of.checked = icmp ult i64 %checked, 5
  %mapped = sub i64 %high, 112
  %of.mapped = icmp ult i64 %mapped, 16
  %some = or i1 %of.code, %of.checked
  %leads = or i1 %some, %of.mapped
  br i1 %leads, label %found, label %other

other:
  %beyond = sub i64 %s, 65536
  %short = icmp ult i64 %beyond, 4294901760
  %doubtful = and i1 %short, %is.low
  br i1 %doubtful, label %heap, label %test

heap:
  %small = icmp ult i64 %s, 268435456
  br i1 %small, label %found, label %large

large:
  %used = icmp ult i64 %s, %end
  %bits = zext i1 %used to i64
  call void @enzyme_build.moved_part(i64 %bits, ptr @enzyme_build.stop.turns, i64 LENGTH)
  br label %test

found:
  br i1 %own, label %clear, label %stop

stop:
  call void @enzyme_build.moved_part(i64 1, ptr @enzyme_build.stop.turns, i64 LENGTH)
  br label %test

clear:
  store i64 0, ptr %q, align 8
  br label %test

done:
  ret void
}}
""".replace("LENGTH", str(len(_TURNS) + 1)),
    # Is a word of shadow memory where a pointer is a number? Its lower half alone may be an address, if ours are such.
    "enzyme_build.pointer_left": """
declare i1 @enzyme_build.word_counts(i32)
define internal i64 @enzyme_build.pointer_left(ptr %shadow) nounwind {
entry:
  %word = load i64, ptr %shadow, align 1
  %up = lshr i64 %word, 32
  %high = trunc i64 %up to i32
  %low = trunc i64 %word to i32
  %number = call i1 @enzyme_build.word_counts(i32 %high)
  %single = icmp eq i32 %high, 0
  %half = call i1 @enzyme_build.word_counts(i32 %low)
  %own = icmp ugt ptr @enzyme_build.pointer_left, inttoptr (i64 4294967295 to ptr)
  %alone = and i1 %single, %half
  %float = and i1 %alone, %own
  %found = or i1 %number, %float
  %bits = zext i1 %found to i64
  ret i64 %bits
}
""",
    "enzyme_build.pointers_left": """
declare i64 @enzyme_build.pointer_left(ptr)
define internal i64 @enzyme_build.pointers_left(ptr %shadow, i64 %count, i64 %stride) nounwind {
entry:
  br label %test

test:
  %i = phi i64 [ 0, %entry ], [ %next, %look ]
  %p = phi ptr [ %shadow, %entry ], [ %after, %look ]
  %bits = phi i64 [ 0, %entry ], [ %all, %look ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %look, label %done

look:
  %own = call i64 @enzyme_build.pointer_left(ptr %p)
  %all = or i64 %bits, %own
  %next = add i64 %i, 1
  %after = getelementptr i8, ptr %p, i64 %stride
  br label %test

done:
  ret i64 %bits
}
""",
    "enzyme_build.pointers_end": _end("pointers_end", "i64", "i64 @enzyme_build.pointer_left(ptr %p)", "i64"),
    "enzyme_build.halves_end": _end("halves_end", "i32", "i1 @enzyme_build.half_ends(ptr %p)", "i1"),
    # Are four bytes a number, and not the lower half of a double?
    "enzyme_build.half_ends": """
declare i1 @enzyme_build.word_counts(i32)
define internal i1 @enzyme_build.half_ends(ptr %shadow) nounwind {
entry:
  %word = load i32, ptr %shadow, align 1
  %number = call i1 @enzyme_build.word_counts(i32 %word)
  br i1 %number, label %look, label %done

look:
  %address = ptrtoint ptr %shadow to i64
  %low = and i64 %address, 7
  %first = icmp eq i64 %low, 0
  br i1 %first, label %beyond, label %done

beyond:
  %q = getelementptr i8, ptr %shadow, i64 4
  %up = load i32, ptr %q, align 4
  %double = call i1 @enzyme_build.word_counts(i32 %up)
  %single = xor i1 %double, true
  br label %done

done:
  %ends = phi i1 [ false, %entry ], [ true, %look ], [ %single, %beyond ]
  ret i1 %ends
}
""",
    # The same, and so are the four bytes behind them, in the same eight: both may be one number.
    "enzyme_build.half_left": """
declare i1 @enzyme_build.word_counts(i32)
define internal i64 @enzyme_build.half_left(ptr %shadow) nounwind {
entry:
  %address = ptrtoint ptr %shadow to i64
  %low = and i64 %address, 7
  %first = icmp eq i64 %low, 0
  br i1 %first, label %look, label %done

look:
  %word = load i64, ptr %shadow, align 8
  %lower = trunc i64 %word to i32
  %shifted = lshr i64 %word, 32
  %upper = trunc i64 %shifted to i32
  %a = call i1 @enzyme_build.word_counts(i32 %lower)
  %b = call i1 @enzyme_build.word_counts(i32 %upper)
  %both = and i1 %a, %b
  %bits = zext i1 %both to i64
  br label %done

done:
  %found = phi i64 [ 0, %entry ], [ %bits, %look ]
  ret i64 %found
}
""",
    "enzyme_build.words_end": _end("words_end", "i32", "i1 @enzyme_build.word_counts(i32 %word)", "i1"),
}
