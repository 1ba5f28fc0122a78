"""Bits of numbers in slots for pointers, which functions hand on."""

from __future__ import annotations

import pytest

from .models import Model

TEXT = """
define internal ptr @item(ptr %slots, i64 %i) noinline {{
  %p = getelementptr ptr, ptr %slots, i64 %i
  %v = load ptr, ptr %p
  ret ptr %v
}}
define internal void @set(ptr %slots, i64 %i, ptr %v) noinline {{
  %p = getelementptr ptr, ptr %slots, i64 %i
  store ptr %v, ptr %p
  ret void
}}
define internal {{ i64, ptr }} @tagged(ptr %slots, i64 %i) noinline {{
  %p = getelementptr ptr, ptr %slots, i64 %i
  %v = load ptr, ptr %p
  %a = insertvalue {{ i64, ptr }} poison, i64 %i, 0
  %b = insertvalue {{ i64, ptr }} %a, ptr %v, 1
  ret {{ i64, ptr }} %b
}}
define double @f(double %x, i64 %i, ptr %other) {{
  %from = alloca [2 x ptr]
  %to = alloca [2 x ptr]
  {stored}
  {moved}
  %r = load double, ptr %to
  ret double %r
}}
"""
NUMBER = "store double %x, ptr %from"


@pytest.mark.parametrize(
    "moved",
    [
        "%v = call ptr @item(ptr %from, i64 %i)\n  store ptr %v, ptr %to",
        "%v = call ptr @item(ptr %from, i64 %i)\n  call void @set(ptr %to, i64 %i, ptr %v)",
        "%v = load ptr, ptr %from\n  call void @set(ptr %to, i64 %i, ptr %v)",
        """%s = call { i64, ptr } @tagged(ptr %from, i64 %i)
  %v = extractvalue { i64, ptr } %s, 1
  store ptr %v, ptr %to""",
    ],
)
def test_memory_where_they_are_stored_is_active(moved):
    m = Model(TEXT.format(stored=NUMBER, moved=moved))
    found = m.activity("out const const", "out")
    assert found.memory_active(m["to"])
    assert found.has_shadow(m["v"])


def test_pointers_alone_make_nothing_active():
    m = Model(TEXT.format(stored="store ptr %other, ptr %from", moved="%v = call ptr @item(ptr %from, i64 %i)\n  "
                          "store ptr %v, ptr %to"))  # fmt: skip
    assert not m.activity("out const const", "out").memory_active(m["to"])
