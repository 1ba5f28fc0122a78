"""What the shadow has where integers and pointers are written that may be members of unions, as IR text (see
`foreign_bytes` and `runtime`)."""

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


UNIONS: Final = {
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
