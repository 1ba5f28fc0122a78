"""Alignments that become pointers to nothing."""

import pytest

from enzyme_build.llvm.dangling import with_dangling_pointers

ALLOCATOR = "_RNvCsfLfy6EI15iL_7___rustc"
MADE = "  %d = inttoptr i64 %align to ptr, !dbg !3\n"


def function(*lines: str) -> str:
    body = "".join(f"  {line}\n" for line in lines)
    return f"define internal ptr @f(i64 %size, i64 %align, i64 %align.2, ptr %p) {{\n{body}{MADE}  ret ptr %d\n}}\n"


@pytest.mark.parametrize(
    "call",
    [
        f"%m = tail call noundef ptr @{ALLOCATOR}12___rust_alloc(i64 noundef %size, i64 noundef %align) #4",
        f"%m = call ptr @{ALLOCATOR}19___rust_alloc_zeroed(i64 %size, i64 range(i64 1, -9223372036854775807) %align)",
        f"%m = call ptr @{ALLOCATOR}14___rust_realloc(ptr %p, i64 %size, i64 %align, i64 8)",
    ],
)
def test_an_alignment_is_a_distance_from_nowhere(call):
    changed = with_dangling_pointers(function(call))
    assert "  %d = getelementptr i8, ptr null, i64 %align, !dbg !3\n" in changed
    assert call in changed


@pytest.mark.parametrize(
    "call",
    [
        f"%m = call ptr @{ALLOCATOR}12___rust_alloc(i64 %align, i64 %size)",
        f"%m = call ptr @{ALLOCATOR}12___rust_alloc(i64 %size, i64 %align.2)",
        f"call void @{ALLOCATOR}14___rust_dealloc(ptr %p, i64 %align, i64 8)",
        "%m = call ptr @other(i64 %size, i64 %align)",
    ],
)
def test_other_integers_stay(call):
    text = function(call)
    assert with_dangling_pointers(text) == text


def test_of_each_function_for_itself():
    call = f"%m = call ptr @{ALLOCATOR}12___rust_alloc(i64 %size, i64 %align)"
    changed = with_dangling_pointers(function(call) + function("%m = load ptr, ptr %p"))
    assert changed.count("getelementptr") == changed.count("inttoptr") == 1
