"""Which copies a function's callers repeat."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.handed_copies import handed_copies
from enzyme_build.analysis.kinds import Kind
from enzyme_build.ir.types import DOUBLE

from .models import Model

COPY = "call void @llvm.memcpy.p0.p0.i64(ptr {}, ptr {}, i64 {}, i1 false)"
DECLARED = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"


def handed(*copies: tuple[str, str, str]) -> list[tuple[str, int, str, int, int | None]]:
    """The runs of a function with two arguments and some memory of its own, by their names."""
    body = "\n  ".join(COPY.format(*copy) for copy in copies)
    m = Model(f"""{DECLARED}
define void @f(ptr %p, ptr %q, i64 %n) {{
  %a = alloca [64 x i8]
  %b = alloca [64 x i8]
  %c = alloca [64 x i8]
  %a8 = getelementptr i8, ptr %a, i64 8
  {body}
  ret void
}}""")
    names = {m.place(name).region: name for name in ("p", "q", "a", "b", "c")}
    return sorted(
        (names[to.region], to.offset, names[from_.region], from_.offset, length)
        for to, from_, length, _ in handed_copies(m.memory)
    )


@pytest.mark.parametrize(
    ("copies", "expected"),
    [
        ([("%p", "%q", "32")], [("p", 0, "q", 0, 32)]),
        ([("%a", "%q", "32")], []),
        ([("%a", "%b", "32"), ("%b", "%c", "32"), ("%a", "%p", "8")], []),
        ([("%a", "%q", "32"), ("%p", "%a", "32")], [("p", 0, "q", 0, 32)]),
        ([("%a8", "%q", "32"), ("%b", "%a", "24"), ("%p", "%b", "64")], [("p", 8, "q", 0, 16)]),
        ([("%a", "%q", "8"), ("%p", "%a8", "8")], []),
        ([("%a", "%q", "%n"), ("%p", "%a", "8")], [("a", 0, "q", 0, None), ("p", 0, "a", 0, 8)]),
    ],
)
def test_what_goes_through_memory_of_its_own(copies: list[tuple[str, str, str]], expected: list[object]):
    assert handed(*copies) == expected


def test_a_caller_sees_what_went_through_two_callees():
    m = Model(f"""{DECLARED}
define internal void @inner(ptr %to, ptr %from) {{
  %own = alloca [32 x i8]
  {COPY.format("%own", "%from", 32)}
  {COPY.format("%to", "%own", 32)}
  ret void
}}
define internal void @outer(ptr %to, ptr %from) {{
  %own = alloca [32 x i8]
  call void @inner(ptr %own, ptr %from)
  call void @inner(ptr %to, ptr %own)
  ret void
}}
define void @f(ptr %p, ptr %q) {{
  %at = getelementptr i8, ptr %q, i64 8
  %v = load double, ptr %at
  call void @outer(ptr %p, ptr %q)
  ret void
}}""")
    assert m.holds("p", 8) == (Kind.FLOAT, DOUBLE)
