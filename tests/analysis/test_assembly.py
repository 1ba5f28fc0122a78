"""Which memory the text of inline assembly shows."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.assembly import may_touch_hidden_memory, named_globals
from enzyme_build.ir.instructions import CallBase
from enzyme_build.ir.parser import parse_module


def hidden(template: str, constraints: str = "", arguments: str = "", flags: str = "sideeffect") -> bool:
    module, call = parsed(template, constraints, arguments, flags)
    return may_touch_hidden_memory(module, call)


def parsed(template: str, constraints: str, arguments: str, flags: str):
    text = template.replace("\n", "\\0A").replace("\t", "\\09")
    module = parse_module(
        "@known = global double 0.0\n@twice.12 = internal global double 0.0\n"
        "@same = internal global double 0.0\n@same.3 = internal global double 0.0\n@x86 = global i32 0\n"
        "declare void @elsewhere()\ndefine void @here() {\n  ret void\n}\n"
        f"define void @f(ptr %p, i64 %n, double %x) {{\n  %w = ptrtoint ptr %p to i64\n"
        f'  call void asm {flags} "{text}", "{constraints}"({arguments})\n  ret void\n}}'
    )
    return module, next(i for i in module.function("f").instructions() if isinstance(i, CallBase))


@pytest.mark.parametrize(
    "template",
    [
        "",
        "# known is only mentioned (%rax)",
        "pause",
        "mfence; lfence\n\tsfence",
        "rdtsc",
        "xchgq %rbx,${1:q}; cpuid; xchgq %rbx,${1:q}",
        "xchg$(q$)\t$(%$)rbx, ${1:q}; cpuid; xchg$(q$)\t$(%$)rbx, ${1:q}",
        "$(movl %ebx, %eax$|mov eax, [ebx]$)",
        "lock; addl $$0,0(%rsp)",
        "nopw 0(%rax,%rax)",
        "prefetcht0 64(%rdi)",
        "pushfq\n\tpopq %rax",
        "1: movq $$-1, %rcx\n\tloop 1b",
        "movsd %xmm0, %xmm1",
        "movsd known(%rip), %xmm0",
        "movq known@GOTPCREL(%rip), %rax",
        "vaddpd %zmm0, %zmm1, %zmm2{%k1}{z}",
    ],
)
def test_shown(template: str) -> None:
    assert not hidden(template)


@pytest.mark.parametrize(
    "template",
    [
        "movsd (%rax), %xmm0",
        "movsd 8(%rsp), %xmm0",
        "movq %fs:0, %rax",
        "movl 0x1234, %eax",
        "movsd unknown(%rip), %xmm0",
        "rep; movsb",
        "rep stosq",
        "syscall",
        "call elsewhere",
        "leaq here(%rip), %rax",
        "movsd same(%rip), %xmm0",
        "call *%rax",
        "jmp elsewhere",
        ".byte 0x0f, 0x0b",
        "maskmovdqu %xmm0, %xmm1",
        "$(movl (%eax)$|mov$), %eax",
    ],
)
def test_hidden(template: str) -> None:
    assert hidden(template)


@pytest.mark.parametrize(
    ("operand", "expected"),
    [("ptr %p", False), ("i64 %w", False), ("i64 ptrtoint (ptr @known to i64)", False), ("i64 %n", True)],
)
def test_addresses_in_operands(operand: str, expected: bool) -> None:  # noqa: FBT001
    assert hidden("movq $$0, 8($0)", "r,~{memory}", operand) is expected
    assert hidden("movq $$0, (${0:q},%rcx,8)", "r,~{memory}", operand) is expected
    assert not hidden("incq ${0:q}", "r", operand)


def test_what_outputs_and_labels_count() -> None:
    assert not hidden("movq ($2), $0; movq $1, ($2)", "=*m,r,r,~{memory}", "ptr elementtype(i64) %p, i64 %n, ptr %p")
    assert hidden("movq ($1), $0", "=*m,r,r,~{memory}", "ptr elementtype(i64) %p, i64 %n, ptr %p")


def test_the_other_syntax() -> None:
    assert not hidden("pause", flags="sideeffect inteldialect")
    assert hidden("mov rax, [rbx]", flags="sideeffect inteldialect")
    assert hidden("movsd", flags="sideeffect inteldialect")


@pytest.mark.parametrize(
    ("template", "names"),
    [
        ("movsd known(%rip), %xmm0", ["known"]),
        ("leaq known+8(%rip), %rax; call elsewhere", ["elsewhere", "known"]),
        ("movsd twice(%rip), %xmm0", ["twice.12"]),
        ("movq $$known, %rax", ["known"]),
        ("mov known, $0 # x86", ["known"]),
        ("movq %x86, %rax; pause", []),
    ],
)
def test_names(template: str, names: list[str]) -> None:
    module, call = parsed(template, "", "", "sideeffect")
    assert [value.name for value in named_globals(module, call)] == names
