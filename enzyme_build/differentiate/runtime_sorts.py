"""Sorting and searching by callback, as IR text: what the C library's functions find, as numbers of elements.

An order is found by the C library's own `qsort`, on copies of the elements that carry their number behind them. So ties
come out as in the program, whatever the library does with them. The comparison function sees elements at addresses as
aligned as in an array of their size, up to a cache line. What follows the function and its context is only there for
analyses: functions that it may be.
"""

from __future__ import annotations

from typing import Final

_ORDER: Final = """
declare ptr @enzyme_build.reserve_aligned(i64)
declare void @free(ptr)
declare void @{name}(ptr, i64, i64, ptr{more})
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define internal void @enzyme_build.order_{name}(ptr %order, ptr %base, i64 %n, i64 %size, ptr %compare, ptr %context, i1 %known, ...) noinline {{
entry:
  %negative = sub i64 0, %size
  %power = and i64 %size, %negative
  %line = call i64 @llvm.umin.i64(i64 %power, i64 64)
  %room = call i64 @llvm.umax.i64(i64 %line, i64 8)
  %stride = add i64 %size, %room
  %last = sub i64 %stride, 8
  %bytes = mul i64 %n, %stride
  %copies = call ptr @enzyme_build.reserve_aligned(i64 %bytes)
  br label %fill

fill:
  %i = phi i64 [ 0, %entry ], [ %i.next, %fill ]
  %at = mul i64 %i, %stride
  %copy = getelementptr i8, ptr %copies, i64 %at
  %from = mul i64 %i, %size
  %element = getelementptr i8, ptr %base, i64 %from
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %element, i64 %size, i1 false)
  %mark = getelementptr i8, ptr %copy, i64 %last
  store i64 %i, ptr %mark, align 1
  %i.next = add i64 %i, 1
  %filled = icmp eq i64 %i.next, %n
  br i1 %filled, label %sort, label %fill

sort:
  call void @{name}(ptr %copies, i64 %n, i64 %stride, ptr %compare{context})
  br label %read

read:
  %j = phi i64 [ 0, %sort ], [ %j.next, %read ]
  %to = mul i64 %j, %stride
  %sorted = getelementptr i8, ptr %copies, i64 %to
  %found = getelementptr i8, ptr %sorted, i64 %last
  %number = load i64, ptr %found, align 1
  %place = getelementptr i64, ptr %order, i64 %j
  store i64 %number, ptr %place, align 8
  %j.next = add i64 %j, 1
  %done = icmp eq i64 %j.next, %n
  br i1 %done, label %end, label %read

end:
  call void @free(ptr %copies)
  ret void
}}
"""  # noqa: E501

_PLACE: Final = """
declare ptr @{name}(ptr, ptr, {number}, i64, ptr)
declare i64 @llvm.umax.i64(i64, i64)
define internal i64 @enzyme_build.place_{name}(ptr %key, ptr %base, {number} %n, i64 %size, ptr %compare, i1 %known, ...) noinline {{
entry:
  %found = call ptr @{name}(ptr %key, ptr %base, {number} %n, i64 %size, ptr %compare)
  %none = icmp eq ptr %found, null
  br i1 %none, label %nowhere, label %somewhere

nowhere:
  ret i64 -1

somewhere:
  %to = ptrtoint ptr %found to i64
  %from = ptrtoint ptr %base to i64
  %distance = sub i64 %to, %from
  %some = call i64 @llvm.umax.i64(i64 %size, i64 1)
  %element = udiv i64 %distance, %some
  ret i64 %element
}}
"""  # noqa: E501

SORTS: Final = {
    "enzyme_build.order_qsort": _ORDER.format(name="qsort", more="", context=""),
    "enzyme_build.order_qsort_r": _ORDER.format(name="qsort_r", more=", ptr", context=", ptr %context"),
    "enzyme_build.place_bsearch": _PLACE.format(name="bsearch", number="i64"),
    "enzyme_build.place_lfind": _PLACE.format(name="lfind", number="ptr"),
}
