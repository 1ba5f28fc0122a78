"""Memory whose type changes."""

import pytest

from enzyme_build.analysis.retyped import is_retyped, leads_to_retyped

from .models import Model

PLACES = """
  %p8 = getelementptr i8, ptr %p, i64 8
  %pi = getelementptr double, ptr %p, i64 %i
  %pk = getelementptr i32, ptr %p, i64 %i
  %ps = getelementptr { double, i64 }, ptr %p, i64 %i, i32 1
  %pv = getelementptr { double, i64 }, ptr %p, i64 %i, i32 0
"""


def region(*lines: str, origin: str = "call ptr @malloc(i64 80)"):
    body = "\n  ".join(lines)
    text = (
        f"declare ptr @malloc(i64)\ndefine void @f(i64 %i, ptr %to) {{\n  %p = {origin}{PLACES}  {body}\n  ret void\n}}"
    )
    m = Model(text)
    return m.memory.place(m["p"]).resolved().region


@pytest.mark.parametrize(
    ("lines", "retyped"),
    [
        (["store double 1.0, ptr %p", "store double 2.0, ptr %p8"], False),
        (["store double 1.0, ptr %p", "store i64 2, ptr %p8"], False),
        (["store double 1.0, ptr %pv", "store i64 2, ptr %ps"], False),
        (["store double 1.0, ptr %p", "store ptr null, ptr %p"], True),
        (["store double 1.0, ptr %p", "store float 1.0, ptr %p"], True),
        (["store double 1.0, ptr %pi", "store float 1.0, ptr %pk"], True),
        (["store double 1.0, ptr %pi", "store ptr %to, ptr %p8"], True),
    ],
)
def test_memory_that_is_used_as_several_types(lines, retyped):
    assert is_retyped(region(*lines)) is retyped


def test_declared_variables_keep_their_type():
    lines = "store double 1.0, ptr %p", "store float 1.0, ptr %p"
    assert not is_retyped(region(*lines, origin="alloca [10 x double]"))
    assert is_retyped(region(*lines, origin="alloca [80 x i8]"))


def test_what_pointers_lead_to_counts():
    lines = "%q = call ptr @malloc(i64 8)", "store double 1.0, ptr %q", "store float 1.0, ptr %q"
    outer = region(*lines, "store ptr %q, ptr %p")
    assert not is_retyped(outer)
    assert leads_to_retyped([outer])
    assert not leads_to_retyped([region(*lines)])
