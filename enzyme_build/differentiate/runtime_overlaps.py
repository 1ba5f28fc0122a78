"""What loops over bytes do where their runs overlap, as IR text (see `overlaps`, `runtime`)."""

from __future__ import annotations

from typing import Final


def _loop(name: str, body: str) -> str:
    return f"""
define internal void @enzyme_build.{name}(ptr %to, ptr %from, i64 %size, i1 %down) noinline nounwind cold {{
entry:
  %none = icmp eq i64 %size, 0
  br i1 %none, label %done, label %each

each:
  %i = phi i64 [ 0, %entry ], [ %next, %each ]
  %next = add i64 %i, 1
  %last = sub i64 %size, %next
  %at = select i1 %down, i64 %last, i64 %i
  %p = getelementptr i8, ptr %from, i64 %at
  %q = getelementptr i8, ptr %to, i64 %at
  %byte = load i8, ptr %p, align 1
{body}
  %end = icmp eq i64 %next, %size
  br i1 %end, label %done, label %each

done:
  ret void
}}
"""


OVERLAPS: Final = {
    "enzyme_build.bytes_repeated": _loop("bytes_repeated", "  store i8 %byte, ptr %q, align 1"),
    "enzyme_build.bytes_rotated": _loop(
        "bytes_rotated",
        "  %other = load i8, ptr %q, align 1\n  store i8 %byte, ptr %q, align 1\n  store i8 %other, ptr %p, align 1",
    ),
}
