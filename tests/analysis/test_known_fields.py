"""Fields of copied runs are looked up once, until more is known of the memory."""

from __future__ import annotations

from enzyme_build.analysis import known_fields
from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.known_fields import KnownFields

from .models import Model

TEXT = """
define void @f(ptr %p) {
  %number = load double, ptr %p
  %behind = getelementptr i8, ptr %p, i64 8
  %count = load i64, ptr %behind
  %twice = mul i64 %count, 2
  ret void
}
"""


def test_same_question_is_answered_once(monkeypatch):
    m = Model(TEXT)
    asked = []
    fields = known_fields.fields
    monkeypatch.setattr(known_fields, "fields", lambda *a, **k: asked.append(a[2]) or fields(*a, **k))
    known = KnownFields(m.module.layout)
    first = known.of([m.place("p")], 16)
    assert [at for at, _ in first.numbers] == [0]
    assert known.of([m.place("p")], 16) is first
    known.of([m.place("p")], 8)
    assert asked == [16, 8]


def test_new_facts_are_seen():
    m = Model(TEXT)
    known = KnownFields(m.module.layout)
    assert known.of([m.place("p")], 32).pointers == ()
    m.place("p").region.content(24, 0).mark(Kind.POINTER)
    assert known.of([m.place("p")], 32).pointers == (24,)
