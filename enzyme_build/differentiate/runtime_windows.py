"""Windows: shadows of memory by its address, as IR text (see `runtime_kept`).

The *run* of pages around an address that are mapped without a gap, in which every block of memory lies as a whole, has
a window, a mapping of its size and more, so that the shadow of any address of the run is that address plus a constant.
Windows are zero at first. They belong to one outermost derivative call (and one lane); what that call left in them is
dropped at its end, and others use them again.

A window's first page is {next, lo, hi, from, to, shift, lane, bytes mapped, begin and end of the run}: addresses from
`lo` to `hi` (none between calls) are known to be of runs that lie between `from` and `to`, which is what it maps.
"""

from __future__ import annotations

from typing import Final

WINDOW_LIST: Final = "@enzyme_build.kept_windows = internal thread_local global ptr null, align 8"

WINDOWS: Final = {
    "enzyme_build.kept_wipe": """
declare void @enzyme_build.kept_zero(i64, i64)
define internal void @enzyme_build.kept_wipe(ptr %windows) noinline nounwind {
entry:
  br label %test

test:
  %w = phi ptr [ %windows, %entry ], [ %next, %look ], [ %next, %zero ]
  %end = icmp eq ptr %w, null
  br i1 %end, label %done, label %look

look:
  %next = load ptr, ptr %w, align 8
  %pl = getelementptr i8, ptr %w, i64 8
  %ph = getelementptr i8, ptr %w, i64 16
  %ps = getelementptr i8, ptr %w, i64 40
  %lo = load i64, ptr %pl, align 8
  %hi = load i64, ptr %ph, align 8
  %shift = load i64, ptr %ps, align 8
  %from = add i64 %lo, %shift
  %to = add i64 %hi, %shift
  %unused = icmp eq i64 %lo, %hi
  br i1 %unused, label %test, label %zero

zero:
  call void @enzyme_build.kept_zero(i64 %from, i64 %to)
  br label %test

done:
  ret void
}
""",
    # Fresh pages cost more than zeroing those that are there; others are given back, so that one that was swapped out
    # is zero, too. States are looked at eight at a time.
    "enzyme_build.kept_zero": """
declare i32 @mincore(ptr, i64, ptr)
declare i32 @madvise(ptr, i64, i32)
declare i64 @llvm.umin.i64(i64, i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define internal void @enzyme_build.kept_zero(i64 %from, i64 %to) noinline nounwind {
entry:
  %states = alloca [8200 x i8], align 8
  %whole = sub i64 %to, %from
  %huge = icmp ugt i64 %whole, 1073741824
  br i1 %huge, label %drop, label %chunk

drop:
  %p.from = inttoptr i64 %from to ptr
  %dropped = call i32 @madvise(ptr %p.from, i64 %whole, i32 4)
  br label %done

chunk:
  %at = phi i64 [ %from, %entry ], [ %chunk.end, %chunk.done ]
  %left = sub i64 %to, %at
  %over = icmp eq i64 %left, 0
  br i1 %over, label %done, label %ask

ask:
  %bytes = call i64 @llvm.umin.i64(i64 %left, i64 33554432)
  %chunk.end = add i64 %at, %bytes
  %count = lshr i64 %bytes, 12
  %behind = getelementptr i8, ptr %states, i64 %count
  store i64 0, ptr %behind, align 1
  %p.at = inttoptr i64 %at to ptr
  %asked = call i32 @mincore(ptr %p.at, i64 %bytes, ptr %states)
  %failed = icmp ne i32 %asked, 0
  br i1 %failed, label %unknown, label %run

unknown:
  call void @llvm.memset.p0.i64(ptr %states, i8 0, i64 8192, i1 false)
  br label %run

run:
  %i = phi i64 [ 0, %ask ], [ 0, %unknown ], [ %j, %run.done ]
  %none = icmp uge i64 %i, %count
  br i1 %none, label %chunk.done, label %first

first:
  %pi = getelementptr i8, ptr %states, i64 %i
  %si = load i8, ptr %pi, align 1
  %bit = and i8 %si, 1
  %there = icmp ne i8 %bit, 0
  br label %extend

extend:
  %j = phi i64 [ %i, %first ], [ %j.eight, %eight ], [ %j.one, %one.more ]
  %pj = getelementptr i8, ptr %states, i64 %j
  %word = load i64, ptr %pj, align 1
  %bits = and i64 %word, 72340172838076673
  %like = select i1 %there, i64 72340172838076673, i64 0
  %all = icmp eq i64 %bits, %like
  %j.eight = add i64 %j, 8
  %room = icmp ule i64 %j.eight, %count
  %fast = and i1 %all, %room
  br i1 %fast, label %eight, label %one

eight:
  br label %extend

one:
  %low = trunc i64 %bits to i1
  %same = icmp eq i1 %low, %there
  %inside = icmp ult i64 %j, %count
  %go = and i1 %same, %inside
  %j.one = add i64 %j, 1
  br i1 %go, label %one.more, label %ready

one.more:
  br label %extend

ready:
  %begin.bytes = shl i64 %i, 12
  %begin = add i64 %at, %begin.bytes
  %pages = sub i64 %j, %i
  %size = shl i64 %pages, 12
  %p = inttoptr i64 %begin to ptr
  br i1 %there, label %fill, label %give

fill:
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %size, i1 false)
  br label %run.done

give:
  %given = call i32 @madvise(ptr %p, i64 %size, i32 4)
  br label %run.done

run.done:
  br label %run

chunk.done:
  br label %chunk

done:
  ret void
}
""",
    # The shadow of an address, zero at first. It writes nothing that others see, so that LLVM may drop unused ones.
    "enzyme_build.kept_at": f"""
{WINDOW_LIST}
declare ptr @enzyme_build.kept_window(ptr, i64)
define internal ptr @enzyme_build.kept_at(ptr %p, i64 %lane) noinline nounwind willreturn memory(read) {{
entry:
  %a = ptrtoint ptr %p to i64
  %first = load ptr, ptr @enzyme_build.kept_windows, align 8
  br label %test

test:
  %w = phi ptr [ %first, %entry ], [ %next, %more ]
  %end = icmp eq ptr %w, null
  br i1 %end, label %slow, label %look

look:
  %pl = getelementptr i8, ptr %w, i64 8
  %ph = getelementptr i8, ptr %w, i64 16
  %pn = getelementptr i8, ptr %w, i64 48
  %lo = load i64, ptr %pl, align 8
  %hi = load i64, ptr %ph, align 8
  %number = load i64, ptr %pn, align 8
  %at = sub i64 %a, %lo
  %size = sub i64 %hi, %lo
  %inside = icmp ult i64 %at, %size
  %same = icmp eq i64 %number, %lane
  %both = and i1 %inside, %same
  br i1 %both, label %found, label %more

more:
  %next = load ptr, ptr %w, align 8
  br label %test

found:
  %ps = getelementptr i8, ptr %w, i64 40
  %shift = load i64, ptr %ps, align 8
  %s = add i64 %a, %shift
  %shadow = inttoptr i64 %s to ptr
  ret ptr %shadow

slow:
  %made = call ptr @enzyme_build.kept_window(ptr %p, i64 %lane)
  ret ptr %made
}}
""",
    # An address behind the last byte of a run is that of the end of memory there. Nothing is there for marks like -1.
    "enzyme_build.kept_window": f"""
{WINDOW_LIST}
@enzyme_build.kept_named = private unnamed_addr constant [112 x i8] c"enzyme_build: memory that was kept from before this call is a global variable that the derivative knows by name\\0A"
declare i1 @enzyme_build.named_memory(ptr)
declare i1 @enzyme_build.kept_mapped(i64, i64)
declare {{ i64, i64 }} @enzyme_build.kept_run(i64)
declare ptr @enzyme_build.kept_map(i64, i64)
declare void @enzyme_build.unknown_target(ptr, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)
declare i32 @munmap(ptr, i64)
define internal ptr @enzyme_build.kept_window(ptr %p, i64 %lane) noinline nounwind {{
entry:
  %a = ptrtoint ptr %p to i64
  %mark = icmp ult i64 %a, 4096
  br i1 %mark, label %none, label %named

none:
  ret ptr null

named:
  %known = call i1 @enzyme_build.named_memory(ptr %p)
  br i1 %known, label %stop, label %here

stop:
  call void @enzyme_build.unknown_target(ptr @enzyme_build.kept_named, i64 112)
  unreachable

here:
  %page = and i64 %a, -4096
  %mapped = call i1 @enzyme_build.kept_mapped(i64 %page, i64 1)
  br i1 %mapped, label %scan, label %before

before:
  %b = sub i64 %a, 1
  %page.before = and i64 %b, -4096
  %ends = call i1 @enzyme_build.kept_mapped(i64 %page.before, i64 1)
  br i1 %ends, label %scan, label %none

scan:
  %q = phi i64 [ %a, %here ], [ %b, %before ]
  br label %test

test:
  %at = phi ptr [ @enzyme_build.kept_windows, %scan ], [ %w, %skip ], [ %at, %misfit.unused ]
  %w = load ptr, ptr %at, align 8
  %end = icmp eq ptr %w, null
  br i1 %end, label %create, label %look

look:
  %pl = getelementptr i8, ptr %w, i64 8
  %ph = getelementptr i8, ptr %w, i64 16
  %pf = getelementptr i8, ptr %w, i64 24
  %pt = getelementptr i8, ptr %w, i64 32
  %pn = getelementptr i8, ptr %w, i64 48
  %prl = getelementptr i8, ptr %w, i64 64
  %prh = getelementptr i8, ptr %w, i64 72
  %lo = load i64, ptr %pl, align 8
  %hi = load i64, ptr %ph, align 8
  %from = load i64, ptr %pf, align 8
  %to = load i64, ptr %pt, align 8
  %number = load i64, ptr %pn, align 8
  %unused = icmp eq i64 %lo, %hi
  %in = sub i64 %q, %from
  %room = sub i64 %to, %from
  %inside = icmp ult i64 %in, %room
  %same = icmp eq i64 %number, %lane
  %both = and i1 %inside, %same
  br i1 %both, label %check, label %skip

skip:
  br label %test

check:
  %rl.old = load i64, ptr %prl, align 8
  %rh.old = load i64, ptr %prh, align 8
  %in.run = sub i64 %q, %rl.old
  %run.size = sub i64 %rh.old, %rl.old
  %inside.run = icmp ult i64 %in.run, %run.size
  %below = sub i64 %rl.old, 4096
  %grown.down = call i1 @enzyme_build.kept_mapped(i64 %below, i64 1)
  %grown.up = call i1 @enzyme_build.kept_mapped(i64 %rh.old, i64 1)
  %grown = or i1 %grown.down, %grown.up
  %ungrown = xor i1 %grown, true
  %as.before = and i1 %inside.run, %ungrown
  br i1 %as.before, label %fits, label %measure

measure:
  %run = call {{ i64, i64 }} @enzyme_build.kept_run(i64 %q)
  %rl.new = extractvalue {{ i64, i64 }} %run, 0
  %rh.new = extractvalue {{ i64, i64 }} %run, 1
  store i64 %rl.new, ptr %prl, align 8
  store i64 %rh.new, ptr %prh, align 8
  %fits.low = icmp uge i64 %rl.new, %from
  %fits.high = icmp ule i64 %rh.new, %to
  %fitting = and i1 %fits.low, %fits.high
  br i1 %fitting, label %fits, label %misfit

misfit:
  br i1 %unused, label %misfit.unused, label %skip

misfit.unused:
  %after = load ptr, ptr %w, align 8
  %pm = getelementptr i8, ptr %w, i64 56
  %bytes = load i64, ptr %pm, align 8
  store ptr %after, ptr %at, align 8
  %unmapped = call i32 @munmap(ptr %w, i64 %bytes)
  br label %test

fits:
  %rl = phi i64 [ %rl.old, %check ], [ %rl.new, %measure ]
  %rh = phi i64 [ %rh.old, %check ], [ %rh.new, %measure ]
  %lo.least = call i64 @llvm.umin.i64(i64 %lo, i64 %rl)
  %hi.most = call i64 @llvm.umax.i64(i64 %hi, i64 %rh)
  %lo.now = select i1 %unused, i64 %rl, i64 %lo.least
  %hi.now = select i1 %unused, i64 %rh, i64 %hi.most
  store i64 %lo.now, ptr %pl, align 8
  store i64 %hi.now, ptr %ph, align 8
  br label %found

create:
  %fresh = call ptr @enzyme_build.kept_map(i64 %q, i64 %lane)
  store ptr %fresh, ptr %at, align 8
  br label %found

found:
  %window = phi ptr [ %w, %fits ], [ %fresh, %create ]
  %ps = getelementptr i8, ptr %window, i64 40
  %shift = load i64, ptr %ps, align 8
  %s = add i64 %a, %shift
  %shadow = inttoptr i64 %s to ptr
  ret ptr %shadow
}}
""",  # noqa: E501
    # Are so many pages mapped from here on? At most 8192.
    "enzyme_build.kept_mapped": """
declare i32 @mincore(ptr, i64, ptr)
define internal i1 @enzyme_build.kept_mapped(i64 %page, i64 %count) noinline nounwind {
entry:
  %states = alloca [8192 x i8], align 1
  %p = inttoptr i64 %page to ptr
  %bytes = shl i64 %count, 12
  %failed = call i32 @mincore(ptr %p, i64 %bytes, ptr %states)
  %mapped = icmp eq i32 %failed, 0
  ret i1 %mapped
}
""",
    # Doubling steps until one fails, then halving ones.
    "enzyme_build.kept_run": """
declare i1 @enzyme_build.kept_mapped(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
define internal { i64, i64 } @enzyme_build.kept_run(i64 %address) noinline nounwind {
entry:
  %page = and i64 %address, -4096
  br label %up

up:
  %hi = phi i64 [ %page, %entry ], [ %hi.next, %up.more ]
  %up.count = phi i64 [ 1, %entry ], [ %up.larger, %up.more ]
  %up.good = call i1 @enzyme_build.kept_mapped(i64 %hi, i64 %up.count)
  br i1 %up.good, label %up.more, label %up.fine

up.more:
  %up.bytes = shl i64 %up.count, 12
  %hi.next = add i64 %hi, %up.bytes
  %up.double = shl i64 %up.count, 1
  %up.larger = call i64 @llvm.umin.i64(i64 %up.double, i64 8192)
  br label %up

up.fine:
  %hi.so.far = phi i64 [ %hi, %up ], [ %hi.finer, %up.step ]
  %up.last = phi i64 [ %up.count, %up ], [ %up.half, %up.step ]
  %up.half = lshr i64 %up.last, 1
  %up.done = icmp eq i64 %up.half, 0
  br i1 %up.done, label %down, label %up.step

up.step:
  %up.part = call i1 @enzyme_build.kept_mapped(i64 %hi.so.far, i64 %up.half)
  %up.part.bytes = shl i64 %up.half, 12
  %up.added = select i1 %up.part, i64 %up.part.bytes, i64 0
  %hi.finer = add i64 %hi.so.far, %up.added
  br label %up.fine

down:
  %lo = phi i64 [ %page, %up.fine ], [ %lo.next, %down.more ]
  %down.count = phi i64 [ 1, %up.fine ], [ %down.larger, %down.more ]
  %down.bytes = shl i64 %down.count, 12
  %lo.next = sub i64 %lo, %down.bytes
  %wraps = icmp ult i64 %lo, %down.bytes
  br i1 %wraps, label %down.fine, label %down.look

down.look:
  %down.good = call i1 @enzyme_build.kept_mapped(i64 %lo.next, i64 %down.count)
  br i1 %down.good, label %down.more, label %down.fine

down.more:
  %down.double = shl i64 %down.count, 1
  %down.larger = call i64 @llvm.umin.i64(i64 %down.double, i64 8192)
  br label %down

down.fine:
  %lo.so.far = phi i64 [ %lo, %down ], [ %lo, %down.look ], [ %lo.finer, %down.step ]
  %down.last = phi i64 [ %down.count, %down ], [ %down.count, %down.look ], [ %down.half, %down.step ]
  %down.half = lshr i64 %down.last, 1
  %down.done = icmp eq i64 %down.half, 0
  br i1 %down.done, label %done, label %down.step

down.step:
  %down.part.bytes = shl i64 %down.half, 12
  %lo.try = sub i64 %lo.so.far, %down.part.bytes
  %down.part = call i1 @enzyme_build.kept_mapped(i64 %lo.try, i64 %down.half)
  %down.wraps = icmp ult i64 %lo.so.far, %down.part.bytes
  %down.stays = xor i1 %down.wraps, true
  %down.take = and i1 %down.part, %down.stays
  %lo.finer = select i1 %down.take, i64 %lo.try, i64 %lo.so.far
  br label %down.fine

done:
  %first = insertvalue { i64, i64 } poison, i64 %lo.so.far, 0
  %both = insertvalue { i64, i64 } %first, i64 %hi.so.far, 1
  ret { i64, i64 } %both
}
""",
    # A gap on both sides keeps windows out of the runs of others. The margin is for what the run grows by until other
    # calls; pages cost nothing until somebody writes to them, and huge ones would cost much.
    "enzyme_build.kept_map": """
@enzyme_build.kept_no_room = private unnamed_addr constant [75 x i8] c"enzyme_build: no room for the shadows of memory that global variables keep\\0A"
declare { i64, i64 } @enzyme_build.kept_run(i64)
declare ptr @mmap(ptr, i64, i32, i32, i32, i64)
declare i32 @munmap(ptr, i64)
declare i32 @madvise(ptr, i64, i32)
declare void @enzyme_build.unknown_target(ptr, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)
define internal ptr @enzyme_build.kept_map(i64 %address, i64 %lane) noinline nounwind {
entry:
  %run = call { i64, i64 } @enzyme_build.kept_run(i64 %address)
  %lo = extractvalue { i64, i64 } %run, 0
  %hi = extractvalue { i64, i64 } %run, 1
  %size = sub i64 %hi, %lo
  %much = call i64 @llvm.umax.i64(i64 %size, i64 67108864)
  %margin.most = call i64 @llvm.umin.i64(i64 %much, i64 1073741824)
  br label %try

try:
  %margin = phi i64 [ %margin.most, %entry ], [ 0, %smaller ]
  %low = icmp ult i64 %lo, %margin
  %below = sub i64 %lo, %margin
  %from = select i1 %low, i64 0, i64 %below
  %to = add i64 %hi, %margin
  %bytes = sub i64 %to, %from
  %wanted = add i64 %bytes, 12288
  %m = call ptr @mmap(ptr null, i64 %wanted, i32 3, i32 16418, i32 -1, i64 0)
  %failed = icmp eq ptr %m, inttoptr (i64 -1 to ptr)
  br i1 %failed, label %smaller, label %good

smaller:
  %least = icmp eq i64 %margin, 0
  br i1 %least, label %stop, label %try

stop:
  call void @enzyme_build.unknown_target(ptr @enzyme_build.kept_no_room, i64 75)
  unreachable

good:
  %w = getelementptr i8, ptr %m, i64 4096
  %mapped = add i64 %bytes, 4096
  %last = getelementptr i8, ptr %w, i64 %mapped
  %gap.before = call i32 @munmap(ptr %m, i64 4096)
  %gap.behind = call i32 @munmap(ptr %last, i64 4096)
  %advised = call i32 @madvise(ptr %w, i64 %mapped, i32 15)
  %begin = ptrtoint ptr %w to i64
  %data = add i64 %begin, 4096
  %shift = sub i64 %data, %from
  %pl = getelementptr i8, ptr %w, i64 8
  %ph = getelementptr i8, ptr %w, i64 16
  %pf = getelementptr i8, ptr %w, i64 24
  %pt = getelementptr i8, ptr %w, i64 32
  %ps = getelementptr i8, ptr %w, i64 40
  %pn = getelementptr i8, ptr %w, i64 48
  %pm = getelementptr i8, ptr %w, i64 56
  %prl = getelementptr i8, ptr %w, i64 64
  %prh = getelementptr i8, ptr %w, i64 72
  store i64 %lo, ptr %pl, align 8
  store i64 %hi, ptr %ph, align 8
  store i64 %from, ptr %pf, align 8
  store i64 %to, ptr %pt, align 8
  store i64 %shift, ptr %ps, align 8
  store i64 %lane, ptr %pn, align 8
  store i64 %mapped, ptr %pm, align 8
  store i64 %lo, ptr %prl, align 8
  store i64 %hi, ptr %prh, align 8
  ret ptr %w
}
""",  # noqa: E501
}
