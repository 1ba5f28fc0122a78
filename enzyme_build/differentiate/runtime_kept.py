"""What an outermost derivative call has for memory that global variables keep, as IR text (see `runtime`, `kept`).

Nobody made a shadow beside memory that was there before the call: it gets one by its address, in *windows* (see
`runtime_windows`). Shadows of memory that the call itself allocates, and that globals may keep, are *blocks*: what is
not freed in the call is freed at its end. In front of a block stands {next, where the pointer to this is, the
allocation}.
"""

from __future__ import annotations

from typing import Final

from .runtime_windows import WINDOW_LIST

_BLOCKS: Final = "@enzyme_build.kept_blocks = internal thread_local global ptr null, align 8"
_STOCK: Final = "@enzyme_build.kept_stock = internal global [16 x ptr] zeroinitializer, align 8"

KEPT: Final = {
    # What an outer derivative call has comes back at the end of the inner one.
    "enzyme_build.kept_begin": f"""
{WINDOW_LIST}
{_BLOCKS}
{_STOCK}
define internal {{ ptr, ptr }} @enzyme_build.kept_begin() noinline nounwind {{
entry:
  %w = load ptr, ptr @enzyme_build.kept_windows, align 8
  %b = load ptr, ptr @enzyme_build.kept_blocks, align 8
  %half = insertvalue {{ ptr, ptr }} poison, ptr %w, 0
  %outer = insertvalue {{ ptr, ptr }} %half, ptr %b, 1
  store ptr null, ptr @enzyme_build.kept_blocks, align 8
  br label %search

search:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %slot = getelementptr ptr, ptr @enzyme_build.kept_stock, i64 %i
  %seen = load atomic ptr, ptr %slot monotonic, align 8
  %bare = icmp eq ptr %seen, null
  br i1 %bare, label %more, label %grab

grab:
  %taken = atomicrmw xchg ptr %slot, ptr null acq_rel, align 8
  %empty = icmp eq ptr %taken, null
  br i1 %empty, label %more, label %done

more:
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, 16
  br i1 %end, label %done, label %search

done:
  %windows = phi ptr [ %taken, %grab ], [ null, %more ]
  store ptr %windows, ptr @enzyme_build.kept_windows, align 8
  ret {{ ptr, ptr }} %outer
}}
""",
    "enzyme_build.kept_end": f"""
{WINDOW_LIST}
{_BLOCKS}
declare void @enzyme_build.kept_drop(ptr, ptr)
define internal void @enzyme_build.kept_end({{ ptr, ptr }} %outer) noinline nounwind {{
entry:
  %w = load ptr, ptr @enzyme_build.kept_windows, align 8
  %b = load ptr, ptr @enzyme_build.kept_blocks, align 8
  call void @enzyme_build.kept_drop(ptr %w, ptr %b)
  %w.outer = extractvalue {{ ptr, ptr }} %outer, 0
  %b.outer = extractvalue {{ ptr, ptr }} %outer, 1
  store ptr %w.outer, ptr @enzyme_build.kept_windows, align 8
  store ptr %b.outer, ptr @enzyme_build.kept_blocks, align 8
  ret void
}}
""",
    # Between the passes of split mode, the tape has them: they are given back with it.
    "enzyme_build.kept_stash": f"""
{WINDOW_LIST}
{_BLOCKS}
declare ptr @enzyme_build.reserve(ptr, i64)
declare void @enzyme_build.defer(ptr, ptr, ptr)
declare void @enzyme_build.kept_unstash(ptr)
define internal void @enzyme_build.kept_stash(ptr %arena, {{ ptr, ptr }} %outer) noinline nounwind {{
entry:
  %w = load ptr, ptr @enzyme_build.kept_windows, align 8
  %b = load ptr, ptr @enzyme_build.kept_blocks, align 8
  %both = call ptr @enzyme_build.reserve(ptr null, i64 16)
  %second = getelementptr i8, ptr %both, i64 8
  store ptr %w, ptr %both, align 8
  store ptr %b, ptr %second, align 8
  call void @enzyme_build.defer(ptr %arena, ptr %both, ptr @enzyme_build.kept_unstash)
  %none = icmp eq ptr %b, null
  br i1 %none, label %back, label %relink

relink:
  %where = getelementptr i8, ptr %b, i64 8
  store ptr %second, ptr %where, align 8
  br label %back

back:
  %w.outer = extractvalue {{ ptr, ptr }} %outer, 0
  %b.outer = extractvalue {{ ptr, ptr }} %outer, 1
  store ptr %w.outer, ptr @enzyme_build.kept_windows, align 8
  store ptr %b.outer, ptr @enzyme_build.kept_blocks, align 8
  ret void
}}
""",
    "enzyme_build.kept_unstash": """
declare void @free(ptr)
declare void @enzyme_build.kept_drop(ptr, ptr)
define internal void @enzyme_build.kept_unstash(ptr %both) noinline nounwind {
entry:
  %second = getelementptr i8, ptr %both, i64 8
  %w = load ptr, ptr %both, align 8
  %b = load ptr, ptr %second, align 8
  call void @enzyme_build.kept_drop(ptr %w, ptr %b)
  call void @free(ptr %both)
  ret void
}
""",
    # Another reverse pass will find zeros. Pointers it has in the tape.
    "enzyme_build.kept_clear": """
declare void @enzyme_build.kept_unstash(ptr)
declare void @enzyme_build.kept_wipe(ptr)
define internal void @enzyme_build.kept_clear(ptr %arena) noinline nounwind {
entry:
  br label %test

test:
  %at = phi ptr [ %arena, %entry ], [ %node, %more ], [ %node, %clear ]
  %node = load ptr, ptr %at, align 8
  %end = icmp eq ptr %node, null
  br i1 %end, label %done, label %more.test

more.test:
  %m = getelementptr i8, ptr %node, i64 8
  %f = getelementptr i8, ptr %node, i64 16
  %both = load ptr, ptr %m, align 8
  %deallocate = load ptr, ptr %f, align 8
  %ours = icmp eq ptr %deallocate, @enzyme_build.kept_unstash
  br i1 %ours, label %clear, label %more

more:
  br label %test

clear:
  %windows = load ptr, ptr %both, align 8
  call void @enzyme_build.kept_wipe(ptr %windows)
  br label %test

done:
  ret void
}
""",
    "enzyme_build.kept_drop": f"""
{_STOCK}
declare void @free(ptr)
declare void @enzyme_build.kept_wipe(ptr)
declare i32 @munmap(ptr, i64)
define internal void @enzyme_build.kept_drop(ptr %windows, ptr %blocks) noinline nounwind {{
entry:
  br label %blocks.test

blocks.test:
  %b = phi ptr [ %blocks, %entry ], [ %b.next, %blocks.free ]
  %b.end = icmp eq ptr %b, null
  br i1 %b.end, label %wipe, label %blocks.free

blocks.free:
  %b.next = load ptr, ptr %b, align 8
  %pa = getelementptr i8, ptr %b, i64 16
  %allocation = load ptr, ptr %pa, align 8
  call void @free(ptr %allocation)
  br label %blocks.test

wipe:
  call void @enzyme_build.kept_wipe(ptr %windows)
  br label %test

test:
  %w = phi ptr [ %windows, %wipe ], [ %w.next, %reset ]
  %w.end = icmp eq ptr %w, null
  br i1 %w.end, label %put, label %reset

reset:
  %w.next = load ptr, ptr %w, align 8
  %pl = getelementptr i8, ptr %w, i64 8
  %ph = getelementptr i8, ptr %w, i64 16
  store i64 0, ptr %pl, align 8
  store i64 0, ptr %ph, align 8
  br label %test

put:
  %none = icmp eq ptr %windows, null
  br i1 %none, label %done, label %search

search:
  %i = phi i64 [ 0, %put ], [ %next, %more ]
  %slot = getelementptr ptr, ptr @enzyme_build.kept_stock, i64 %i
  %pair = cmpxchg ptr %slot, ptr null, ptr %windows acq_rel monotonic, align 8
  %stored = extractvalue {{ ptr, i1 }} %pair, 1
  br i1 %stored, label %done, label %more

more:
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, 16
  br i1 %end, label %unmap, label %search

unmap:
  %u = phi ptr [ %windows, %more ], [ %u.next, %unmap ]
  %u.next = load ptr, ptr %u, align 8
  %pm = getelementptr i8, ptr %u, i64 56
  %mapped = load i64, ptr %pm, align 8
  %unmapped = call i32 @munmap(ptr %u, i64 %mapped)
  %last = icmp eq ptr %u.next, null
  br i1 %last, label %done, label %unmap

done:
  ret void
}}
""",
    # A block of zeros.
    "enzyme_build.kept_take": f"""
{_BLOCKS}
declare ptr @enzyme_build.reserve_aligned(i64)
declare i64 @llvm.umax.i64(i64, i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define internal noalias ptr @enzyme_build.kept_take(i64 %bytes, i64 %alignment) noinline nounwind {{
entry:
  %align = call i64 @llvm.umax.i64(i64 %alignment, i64 64)
  %more = add i64 %bytes, 64
  %whole = add i64 %more, %align
  %allocation = call ptr @enzyme_build.reserve_aligned(i64 %whole)
  %a = ptrtoint ptr %allocation to i64
  %behind = add i64 %a, 63
  %up = add i64 %behind, %align
  %mask = sub i64 0, %align
  %s = and i64 %up, %mask
  %shadow = inttoptr i64 %s to ptr
  call void @llvm.memset.p0.i64(ptr %shadow, i8 0, i64 %bytes, i1 false)
  %b = getelementptr i8, ptr %shadow, i64 -32
  %where = getelementptr i8, ptr %b, i64 8
  %pa = getelementptr i8, ptr %b, i64 16
  %first = load ptr, ptr @enzyme_build.kept_blocks, align 8
  store ptr %first, ptr %b, align 8
  store ptr @enzyme_build.kept_blocks, ptr %where, align 8
  store ptr %allocation, ptr %pa, align 8
  %ps = getelementptr i8, ptr %b, i64 24
  store i64 %bytes, ptr %ps, align 8
  store ptr %b, ptr @enzyme_build.kept_blocks, align 8
  %only = icmp eq ptr %first, null
  br i1 %only, label %done, label %relink

relink:
  %first.where = getelementptr i8, ptr %first, i64 8
  store ptr %b, ptr %first.where, align 8
  br label %done

done:
  ret ptr %shadow
}}
""",
    # Frees a block; what is in a window goes with the call.
    "enzyme_build.kept_give": """
declare void @free(ptr)
declare ptr @enzyme_build.kept_own(ptr)
define internal void @enzyme_build.kept_give(ptr %shadow) noinline nounwind {
entry:
  %own = call ptr @enzyme_build.kept_own(ptr %shadow)
  %none = icmp eq ptr %own, null
  br i1 %none, label %done, label %unlink

unlink:
  %b = getelementptr i8, ptr %shadow, i64 -32
  %pw = getelementptr i8, ptr %b, i64 8
  %pa = getelementptr i8, ptr %b, i64 16
  %next = load ptr, ptr %b, align 8
  %where = load ptr, ptr %pw, align 8
  %allocation = load ptr, ptr %pa, align 8
  store ptr %next, ptr %where, align 8
  %last = icmp eq ptr %next, null
  br i1 %last, label %give, label %relink

relink:
  %next.where = getelementptr i8, ptr %next, i64 8
  store ptr %where, ptr %next.where, align 8
  br label %give

give:
  call void @free(ptr %allocation)
  br label %done

done:
  ret void
}
""",
    # The bytes of a block, or of what is not in a window; a window has as many as the memory itself.
    "enzyme_build.kept_room": """
declare i64 @malloc_usable_size(ptr)
declare ptr @enzyme_build.kept_own(ptr)
define internal i64 @enzyme_build.kept_room(ptr %shadow, i1 %block) noinline nounwind {
entry:
  %own = call ptr @enzyme_build.kept_own(ptr %shadow)
  %none = icmp eq ptr %own, null
  br i1 %none, label %none.of.ours, label %look

none.of.ours:
  %null = icmp eq ptr %shadow, null
  %all = select i1 %null, i64 0, i64 -1
  ret i64 %all

look:
  br i1 %block, label %known, label %asked

known:
  %ps = getelementptr i8, ptr %shadow, i64 -8
  %bytes = load i64, ptr %ps, align 8
  ret i64 %bytes

asked:
  %usable = call i64 @malloc_usable_size(ptr %shadow)
  ret i64 %usable
}
""",
    # The shadow, if it is not in a window; else null.
    "enzyme_build.kept_own": f"""
{WINDOW_LIST}
define internal ptr @enzyme_build.kept_own(ptr %shadow) noinline nounwind {{
entry:
  %s = ptrtoint ptr %shadow to i64
  %first = load ptr, ptr @enzyme_build.kept_windows, align 8
  br label %test

test:
  %w = phi ptr [ %first, %entry ], [ %next, %look ]
  %end = icmp eq ptr %w, null
  br i1 %end, label %done, label %look

look:
  %next = load ptr, ptr %w, align 8
  %pm = getelementptr i8, ptr %w, i64 56
  %mapped = load i64, ptr %pm, align 8
  %begin = ptrtoint ptr %w to i64
  %at = sub i64 %s, %begin
  %inside = icmp ult i64 %at, %mapped
  br i1 %inside, label %done, label %test

done:
  %own = phi ptr [ %shadow, %test ], [ null, %look ]
  ret ptr %own
}}
""",
}
