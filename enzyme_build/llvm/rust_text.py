"""Text that Rust's library makes (`format!`), copied to memory that the program asked for.

The library's machine code asks for the memory of the text itself, more than once as the text grows. In an object that
has a shadow, an error beside numbers for instance, nothing would be allocated beside it. So the text is made in a
string that nobody else knows, and the program gets a copy, as of any other text: memory of a known size, allocated in
plain sight.

A `String` is three words: capacity, address, length (`alloc::vec::Vec`, as rustc lays it out). No capacity has the
highest bit, which tells the variants of enums: the optimiser must know that for the copy, too, or it goes on with a
pointer where there is a number.
"""

from __future__ import annotations

import re
from typing import Final

from enzyme_build.regex import regex

_MAKES: Final = regex(
    r"(?m)^declare [^\n@]*@(?P<name>_RNvNvNtCs\w+_5alloc3fmt6format12format_inner)\("
    r"ptr [^\n]*?sret\(\[24 x i8\]\)[^\n]*?, ptr[^\n,]*, ptr[^\n,]*\)[^\n]*\n"
)
_ALLOCATOR: Final = regex(r"@(_RNvCs\w+?_7___rustc)\d+___rust_\w+")
_OWN: Final = "enzyme_build.rust_text"
COPY: Final = "enzyme_build.text_copy"
"""Copies characters. A function of its own, as those of the library have no shadow that a `memcpy` could copy."""
_DECLARED: Final = (
    ("__enzyme_integer", "declare void @__enzyme_integer(ptr, i64)\n"),
    ("llvm.memcpy.p0.p0.i64", "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"),
    ("llvm.assume", "declare void @llvm.assume(i1)\n"),
    ("llvm.trap", "declare void @llvm.trap()\n"),
)


def with_copied_text(merged: str) -> str:
    """`merged` with calls of a function that copies, where text is made."""
    made, allocator = _MAKES.search(merged), _ALLOCATOR.search(merged)
    if made is None or allocator is None:
        return merged
    name = made["name"]
    calls = f"{merged[: made.start()]}{merged[made.end() :]}".replace(f"@{name}(", f"@{_OWN}(")
    give, take = f"{allocator[1]}12___rust_alloc", f"{allocator[1]}14___rust_dealloc"
    declarations = "".join(re.findall(r"(?m)^declare .*\n", merged))
    declared = made[0]
    for function, result, attributes in (
        (give, "noalias ptr", 'allockind("alloc,uninitialized,aligned") allocsize(0) "alloc-family"="__rust_alloc"'),
        (take, "void", 'allockind("free") "alloc-family"="__rust_alloc"'),
    ):
        if f"@{function}(" not in declarations:
            arguments = "i64, i64 allocalign" if function == give else "ptr allocptr, i64, i64"
            declared += f"declare {result} @{function}({arguments}) nounwind {attributes}\n"
    return f"""{calls}
{declared}
define internal void @{_OWN}(ptr noalias sret([24 x i8]) align 8 %string, ptr %pieces, ptr %values) {{
  %made = alloca [24 x i8], align 8
  call void @{name}(ptr sret([24 x i8]) align 8 %made, ptr %pieces, ptr %values)
  %capacity = load i64, ptr %made, align 8
  %text.at = getelementptr inbounds i8, ptr %made, i64 8
  %text = load ptr, ptr %text.at, align 8
  %length.at = getelementptr inbounds i8, ptr %made, i64 16
  %length = load i64, ptr %length.at, align 8
  %possible = icmp sge i64 %length, 0
  call void @llvm.assume(i1 %possible)
  %some = icmp ne i64 %length, 0
  br i1 %some, label %copy, label %free
copy:
  %own = call noalias ptr @{give}(i64 %length, i64 1)
  %given = icmp ne ptr %own, null
  br i1 %given, label %move, label %none
none:
  call void @llvm.trap()
  unreachable
move:
  call void @__enzyme_integer(ptr %own, i64 %length)
  call void @{COPY}(ptr %own, ptr %text, i64 %length)
  br label %free
free:
  %new = phi ptr [ inttoptr (i64 1 to ptr), %0 ], [ %own, %move ]
  %held = icmp ne i64 %capacity, 0
  br i1 %held, label %give.back, label %done
give.back:
  call void @{take}(ptr %text, i64 %capacity, i64 1)
  br label %done
done:
  store i64 %length, ptr %string, align 8
  %own.at = getelementptr inbounds i8, ptr %string, i64 8
  store ptr %new, ptr %own.at, align 8
  %own.length.at = getelementptr inbounds i8, ptr %string, i64 16
  store i64 %length, ptr %own.length.at, align 8
  ret void
}}

define internal void @{COPY}(ptr captures(none) %to, ptr captures(none) %from, i64 %count) noinline nounwind {{
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %to, ptr align 1 %from, i64 %count, i1 false)
  ret void
}}
{"".join(line for name, line in _DECLARED if f" @{name}(" not in declarations)}"""
