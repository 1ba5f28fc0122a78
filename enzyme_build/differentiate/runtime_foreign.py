"""Adjoints of bytes in memory of which only the run shows what they are, as IR text (see `foreign_bytes`, `runtime`,
and `runtime_words` for what their bits say)."""

from __future__ import annotations

from typing import Final


def _each(name: str, pointers: int, *, result: bool = True, extra: str = "") -> str:
    """The same for all elements of an array; the last may be cut."""
    ends = [f"ptr %{chr(ord('p') + at)}" for at in range(pointers)]
    moved = "\n".join(
        f"  %{chr(ord('p') + at)}.i = getelementptr i8, ptr %{chr(ord('p') + at)}, i64 %i" for at in range(pointers)
    )
    arguments = ", ".join(f"{end}.i" for end in ends)
    given = f", {extra} %extra" if extra else ""
    types = ", ".join(["ptr"] * pointers + ["i64"] + ([extra] if extra else []))
    call = f"call {'i64' if result else 'void'} @{name}({arguments}, i64 %some{given})"
    type_ = "i64" if result else "void"
    parameters = f"{', '.join(ends)}, i64 %size{given}, i64 %room, i64 %step"
    return f"""
declare {type_} @{name}({types})
define internal {type_} @{name}_each({parameters}) nounwind {{
entry:
  %none = icmp slt i64 %size, 1
  br i1 %none, label %done, label %test

test:
  %i = phi i64 [ 0, %entry ], [ %next, %look ]
  %bits = phi i64 [ 0, %entry ], [ %all, %look ]
  %left = sub i64 %room, %i
  %inside = icmp sgt i64 %left, 0
  br i1 %inside, label %look, label %done

look:
{moved}
  %short = icmp slt i64 %left, %size
  %some = select i1 %short, i64 %left, i64 %size
  {"%own = " + call if result else call}
  %all = or i64 %bits, {"%own" if result else "0"}
  %next = add i64 %i, %step
  br label %test

done:
  %found = phi i64 [ 0, %entry ], [ %bits, %test ]
  ret {"i64 %found" if result else "void"}
}}
"""


def _words_other(name: str, found: str) -> str:
    return f"""
declare i1 @enzyme_build.word_leads(i64)
declare i1 @enzyme_build.word_spells(i64, i64)
define internal i64 @enzyme_build.{name}(ptr %memory, ptr %shadow, i64 %size) nounwind {{
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
  %pointer = call i1 @enzyme_build.word_leads(i64 %v)
  %spells = call i1 @enzyme_build.word_spells(i64 %s, i64 %address)
  %text = xor i1 %spells, true
  %different = icmp ne i64 %v, %s
  %both = and i1 %different, {found}
  %other = and i1 %text, %both
  br i1 %other, label %found, label %test

found:
  ret i64 1

none:
  ret i64 0
}}
"""


FOREIGN: Final = {
    "enzyme_build.bytes_other_each": _each("enzyme_build.bytes_other", 2),
    "enzyme_build.words_other_each": _each("enzyme_build.words_other", 2),
    "enzyme_build.bytes_clear_each": _each("enzyme_build.bytes_clear", 2, result=False),
    "enzyme_build.words_clear_each": _each("enzyme_build.words_clear", 2),
    "enzyme_build.bytes_left_each": _each("enzyme_build.bytes_left", 1),
    "enzyme_build.words_left_each": _each("enzyme_build.words_left", 1),
    "enzyme_build.words_return_each": _each("enzyme_build.words_return", 2, extra="i1"),
    # Has shadow memory an address that is not that of the memory? Six characters may look like one.
    "enzyme_build.words_other": _words_other("words_other", "true"),
    # The same, where the memory has an address as well: what is left of a pointer beside an integer is none.
    "enzyme_build.pointers_other": _words_other("pointers_other", "%pointer"),
    # Clears what is left of pointers in shadow memory, where the memory has none any more.
    "enzyme_build.left_clear": """
declare i1 @enzyme_build.word_leads(i64)
define internal void @enzyme_build.left_clear(ptr %memory, ptr %shadow, i64 %size) nounwind {
entry:
  %own = icmp eq ptr %memory, %shadow
  %address = ptrtoint ptr %shadow to i64
  %below = sub i64 0, %address
  %first = and i64 %below, 7
  br i1 %own, label %done, label %test

test:
  %i = phi i64 [ %first, %entry ], [ %next, %look ], [ %next, %same ], [ %next, %clear ]
  %next = add i64 %i, 8
  %inside = icmp sle i64 %next, %size
  br i1 %inside, label %look, label %done

look:
  %q = getelementptr i8, ptr %shadow, i64 %i
  %s = load i64, ptr %q, align 8
  %leads = call i1 @enzyme_build.word_leads(i64 %s)
  br i1 %leads, label %same, label %test

same:
  %p = getelementptr i8, ptr %memory, i64 %i
  %v = load i64, ptr %p, align 1
  %pointer = call i1 @enzyme_build.word_leads(i64 %v)
  br i1 %pointer, label %test, label %clear

clear:
  store i64 0, ptr %q, align 8
  br label %test

done:
  ret void
}
""",
    "enzyme_build.left_clear_each": _each("enzyme_build.left_clear", 2, result=False),
    # Clears addresses in shadow memory that are those of the memory, and lie near it or near code: a float beside an
    # integer may look like an address, but hardly like such. What else there is the same, and may be a number: is it
    # one, or left of an object that was copied? (Memory where the shadow is zero may not be initialised.)
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
  %high = lshr i64 %s, 32
  %own = ptrtoint ptr %memory to i64
  %own.high = lshr i64 %own, 32
  %code = ptrtoint ptr @enzyme_build.words_clear to i64
  %code.high = lshr i64 %code, 32
  %near.own = icmp eq i64 %high, %own.high
  %near.code = icmp eq i64 %high, %code.high
  %near = or i1 %near.own, %near.code
  %left.over = and i1 %equal, %near
  br i1 %left.over, label %clear, label %found

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
declare i1 @enzyme_build.double_counts(i64)
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
  %rest = and i64 %at, 7
  %whole = icmp eq i64 %rest, 0
  %eight = icmp sgt i64 %left, 7
  %double = and i1 %whole, %eight
  br i1 %double, label %long, label %short

long:
  %sl = load i64, ptr %q, align 8
  %any.half = call i1 @enzyme_build.double_counts(i64 %sl)
  br i1 %any.half, label %found, label %next

short:
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
  %by = phi i64 [ 8, %long ], [ 4, %read ], [ 1, %byte ]
  %after = add i64 %i, %by
  br label %test

found:
  ret i64 1

none:
  ret i64 0
}
""",
    # Moves adjoints from the shadow of where bytes were copied to, to that of where they came from. Where that has
    # none, the bits are moved, whatever they are; eight bytes at once, where both lie as a double does. Where both have
    # some, in different halves of these, they are floats. What has to be added, of numbers of unknown type, is told.
    "enzyme_build.words_return": """
declare i1 @enzyme_build.word_counts(i32)
declare i1 @enzyme_build.double_counts(i64)
declare void @enzyme_build.word_return(ptr, ptr)
define internal i64 @enzyme_build.words_return(ptr %destination, ptr %source, i64 %size, i1 %single.floats) nounwind {
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
  %some = call i1 @enzyme_build.double_counts(i64 %d)
  br i1 %some, label %other, label %next

other:
  %s = load i64, ptr %q, align 8
  %s.low = trunc i64 %s to i32
  %s.up = lshr i64 %s, 32
  %s.high = trunc i64 %s.up to i32
  %low.taken = call i1 @enzyme_build.word_counts(i32 %s.low)
  %high.taken = call i1 @enzyme_build.word_counts(i32 %s.high)
  %taken = call i1 @enzyme_build.double_counts(i64 %s)
  br i1 %taken, label %halves, label %move

move:
  store i64 %d, ptr %q, align 8
  store i64 0, ptr %p, align 8
  br label %next

halves:
  %low.both = and i1 %low.counts, %low.taken
  %high.both = and i1 %high.counts, %high.taken
  %same.half = or i1 %low.both, %high.both
  %d.half = or i1 %low.counts, %high.counts
  %s.half = or i1 %low.taken, %high.taken
  %both.halves = and i1 %d.half, %s.half
  %special = xor i1 %both.halves, true
  %wrong = or i1 %same.half, %special
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
  %d.word = load i32, ptr %p, align 4
  %d.counts = call i1 @enzyme_build.word_counts(i32 %d.word)
  %s.word = load i32, ptr %q, align 4
  %s.counts = call i1 @enzyme_build.word_counts(i32 %s.word)
  %word.both = and i1 %d.counts, %s.counts
  %parts = xor i1 %single.floats, true
  %sum = and i1 %word.both, %parts
  br i1 %sum, label %found, label %add

add:
  call void @enzyme_build.word_return(ptr %p, ptr %q)
  br label %next

byte:
  %b = load i8, ptr %p, align 1
  %bits = icmp ne i8 %b, 0
  br i1 %bits, label %found, label %next

next:
  %by = phi i64 [ 8, %look ], [ 8, %move ], [ 8, %floats ], [ 4, %add ], [ 1, %byte ]
  %after = add i64 %i, %by
  br label %test

found:
  ret i64 1

none:
  ret i64 0
}
""",
}
