"""Merging modules."""

from __future__ import annotations

import tempfile

import pytest

from enzyme_build.errors import InputError
from enzyme_build.llvm.context import parse_text
from enzyme_build.llvm.link import merge

CALLER = (
    "declare double @f(double)\ndefine double @g(double %x) {\n  %r = call double @f(double %x)\n  ret double %r\n}\n"
)
CALLEE = "define double @f(double %x) {\n  ret double %x\n}\n"


def bitcode(text: str) -> bytes:
    return bytes(parse_text(text, "a test").as_bitcode())


@pytest.mark.parametrize("encode", [str.encode, bitcode], ids=["text", "bitcode"])
def test_definitions_meet_their_declarations(encode: object) -> None:
    assert callable(encode)
    merged = merge([("a", encode(CALLER)), ("b", encode(CALLEE))])
    assert "declare double @f" not in merged
    parse_text(merged, "the merged module")


def test_triples_of_different_languages_are_one_target() -> None:
    triples = [f'target triple = "{name}"\n' for name in ("x86_64-pc-linux-gnu", "x86_64-unknown-linux-gnu")]
    merged = merge([("a", (triples[0] + CALLER).encode()), ("b", (triples[1] + CALLEE).encode())])
    assert triples[0].strip() in merged


@pytest.mark.parametrize("encode", [str.encode, bitcode], ids=["text", "bitcode"])
@pytest.mark.parametrize("told", ["", 'target triple = "unknown-unknown-unknown"\ntarget datalayout = ""\n'])
def test_code_for_no_processor_is_for_this_one(told: str, encode: object) -> None:
    assert callable(encode)
    merged = merge([("a", encode(told + CALLER)), ("b", encode(CALLEE))])
    assert 'target triple = "x86_64-unknown-linux-gnu"' in merged
    assert 'target datalayout = "e-m:e-' in merged


def test_code_for_another_processor_is_refused() -> None:
    other = 'target triple = "aarch64-unknown-linux-gnu"\n'
    with pytest.raises(InputError, match="'b' is code for 'aarch64-unknown-linux-gnu'"):
        merge([("a", CALLER.encode()), ("b", (other + CALLEE).encode())])


def test_numbers_in_memory_may_change_between_calls() -> None:
    kernel = """
define double @f(ptr %p) {
  %q = load ptr, ptr %p, align 8, !invariant.load !0
  %x = load double, ptr %q, align 8, !tbaa !1, !invariant.load !0, !noundef !0
  ret double %x
}
!0 = !{}
!1 = !{!2, !2, i64 0}
!2 = !{!"double", !3}
!3 = !{!"root"}
"""
    merged = merge([("a", kernel.encode())])
    address, number = (line for line in merged.splitlines() if " = load " in line)
    assert "!invariant.load" in address
    assert "!invariant.load" not in number
    assert "!tbaa" in number
    assert "!noundef" in number


@pytest.mark.parametrize("flag", ["EnableSplitLTOUnit", "ThinLTO"])
def test_kinds_of_lto_are_reconciled(flag: str) -> None:
    flags = [f'!llvm.module.flags = !{{!0}}\n!0 = !{{i32 1, !"{flag}", i32 {value}}}\n' for value in (0, 1)]
    merged = merge([("a", bitcode(CALLER + flags[0])), ("b", bitcode(CALLEE + flags[1]))])
    assert "define double @f" in merged


def test_static_functions_of_one_name_stay_apart() -> None:
    one = CALLEE.replace("define", "define internal") + "define ptr @p() {\n  ret ptr @f\n}\n"
    two = CALLEE.replace("define", "define internal") + "define ptr @q() {\n  ret ptr @f\n}\n"
    assert merge([("a", one.encode()), ("b", two.encode())]).count("define internal double @f") == 2


@pytest.mark.parametrize("encode", [str.encode, bitcode], ids=["text", "bitcode"])
@pytest.mark.parametrize("others", [0, 1])
def test_internal_registrations_are_kept(encode: object, others: int) -> None:
    assert callable(encode)
    told = "@__enzyme_inactivefn = internal global [1 x ptr] [ptr @f]\n"
    merged = merge([*[("c", encode(CALLER))] * others, ("a", encode(told + CALLEE)), ("b", encode(told + LISTED))])
    assert merged.count("internal global [1 x ptr] [ptr @f]") == 2
    used = next(line for line in merged.splitlines() if line.startswith("@llvm.compiler.used"))
    assert used.count("ptr @__enzyme_inactivefn") == 2
    assert "[3 x ptr] [ptr @" in used
    parse_text(merged, "the merged module")


LISTED = (
    "@x = internal global double 0.0\n"
    '@llvm.compiler.used = appending global [1 x ptr] [ptr @x], section "llvm.metadata"\n'
    "declare double @f(double)\n"
)


def test_two_definitions_are_an_error_that_names_the_files() -> None:
    with pytest.raises(InputError, match=r"'\w+' is defined in 'a.o' and in 'b.o'"):
        merge([("a.o", CALLEE.encode()), ("b.o", CALLEE.encode())])
    hidden = [f"{tempfile.gettempdir()}/{name}.o" for name in "ab"]
    texts = [f'source_filename = "{name}.c"\n{CALLEE}'.encode() for name in "ab"]
    with pytest.raises(InputError, match=r"is defined in 'a.c' and in 'b.c'"):
        merge([*zip(hidden, texts, strict=True)])


STRONG = "@w = global i32 2\n@c = global i32 3"


def test_the_first_of_several_definitions_may_count() -> None:
    one = b"define double @f() { ret double 1.0 }\n@v = global i32 1"
    other = (
        b"@v = global i32 2\ndefine double @f() { ret double 2.0 }\n"
        b"define double @g() {\n %r = call double @f()\n ret double %r\n}"
    )
    third = b"define double @g() { ret double 3.0 }"
    weak = b"define weak double @f() { ret double 4.0 }"
    merged = merge([("weak", weak), ("one", one), ("other", other), ("third", third)], first_counts=True)
    assert "ret double 1.0" in merged
    assert "@v = global i32 1" in merged
    assert "call double @f()" in merged
    assert not any(f"ret double {left_out}" in merged for left_out in ("2.0", "3.0", "4.0"))
    # What gives way to others, or is added to theirs, is no other definition.
    entry = "{ i32, ptr, ptr }"
    started = f"@llvm.global_ctors = appending global [1 x {entry}] [{entry} {{ i32 9, ptr @START, ptr null }}]"
    function = "define void @START() {\n ret void\n}"
    weak, strong = (
        f"{variables}\n{started}\n{function}".replace("START", name)
        for name, variables in (("a", "@w = weak global i32 1\n@c = common global i32 0"), ("b", STRONG))
    )
    merged = merge([("weak", weak.encode()), ("strong", strong.encode())], first_counts=True)
    assert "@w = global i32 2" in merged
    assert "@c = global i32 3" in merged
    assert "[2 x { i32, ptr, ptr }]" in merged


@pytest.mark.parametrize("data", [b"BC\xc0\xdegarbage!", b"define nonsense"])
def test_unreadable_input_is_named(data: bytes) -> None:
    with pytest.raises(InputError, match=r"cannot read .* 'x.bc'"):
        merge([("x.bc", data)])
