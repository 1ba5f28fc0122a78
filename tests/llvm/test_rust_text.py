"""Text that Rust's library makes, as the program's own memory."""

from __future__ import annotations

from enzyme_build.llvm.context import parse_text
from enzyme_build.llvm.rust_text import COPY, with_copied_text

MAKES = "_RNvNvNtCslNYArtu3iFV_5alloc3fmt6format12format_inner"
FREES = "_RNvCsfLfy6EI15iL_7___rustc14___rust_dealloc"
PROGRAM = f"""
define void @f(ptr %out, ptr %pieces, ptr %values) {{
  call void @{MAKES}(ptr noalias noundef nonnull sret([24 x i8]) align 8 %out, ptr noundef %pieces, ptr noundef %values)
  ret void
}}
define void @g(ptr %text) {{
  call void @{FREES}(ptr %text, i64 3, i64 1)
  ret void
}}
declare void @{MAKES}(ptr dead_on_unwind noalias noundef writable sret([24 x i8]) align 8 captures(none), ptr, ptr) #0
declare void @{FREES}(ptr allocptr noundef, i64 noundef, i64 noundef) #0
attributes #0 = {{ nounwind }}
"""


def test_calls_copy_what_the_library_made():
    changed = with_copied_text(PROGRAM)
    parse_text(changed, "the program").close()
    caller = changed[changed.index("define void @f(") : changed.index("define void @g(")]
    assert MAKES not in caller
    assert "@enzyme_build.rust_text(" in caller
    assert changed.count(f"@{MAKES}(") == 2  # the declaration, and the one call
    assert "declare noalias ptr @_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc(i64, i64 allocalign)" in changed
    assert changed.count(f"declare void @{FREES}(") == 1
    # The characters of the library have no shadow: no `memcpy` of the program may read them.
    text = changed[changed.index("define internal void @enzyme_build.rust_text(") :]
    body, copy = text[: text.index("\n}\n")], text[text.index(f"define internal void @{COPY}(") :]
    assert f"call void @{COPY}(ptr %own, ptr %text, i64 %length)" in body
    assert "memcpy" not in body
    assert "noinline" in copy[: copy.index("{")]


def test_programs_without_text_stay_as_they_are():
    without = PROGRAM.replace("format_inner", "format_other")
    assert with_copied_text(without) == without
