"""Which parameters of a rule function are arguments and which shadows; structs of C by size and offsets."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.convention import Kind, c_struct, formals, patterns, registers
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.types import DOUBLE, FLOAT, I32, PTR

HEAD = 'target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"\n%S = type { double, double, i32 }\n'


def found(primal: str, rule: str, *, tangents: bool = False, whole: bool = True) -> list[str]:
    module = parse_module(f"{HEAD}define void @f({primal}) {{\n  ret void\n}}\ndeclare void @r({rule})\n")
    given = module.globals["r"].arguments  # type: ignore[attr-defined]
    arguments = formals(module, module.function("f"))
    return [
        " ".join(f"{slot.index}'" if slot.shadow else str(slot.index) for slot in pattern)
        for pattern in patterns(module, arguments, given, tangents=tangents, whole=whole)
    ]


@pytest.mark.parametrize(
    ("primal", "rule", "want"),
    [
        ("double %x", "double", ["0"]),
        ("ptr %x, i32 %n", "ptr, ptr, i32", ["0 0' 1"]),
        ("ptr %x, ptr %y", "ptr, ptr, ptr, ptr", ["0 0' 1 1'"]),
        ("ptr %x, ptr %y", "ptr, ptr, ptr", ["0 0' 1", "0 1 1'"]),
        ("ptr %x, double %a, ptr %y", "ptr, double, ptr, ptr", ["0 1 2 2'"]),
        ("double %x", "float", []),
        ("double %x", "double, double", []),
        ("ptr byval(%S) %s, ptr %x", "ptr byval(%S), ptr, ptr", ["0 1 1'"]),
        ("ptr byval(%S) %s", "ptr", []),
        ("ptr sret(%S) %out, double %x", "double", ["1"]),
        ("ptr %v.coerce0, i64 %v.coerce1", "ptr, i64, ptr, i64", ["0 1 0' 1'"]),
    ],
)
def test_parameters_of_reverse_rules(primal: str, rule: str, want: list[str]) -> None:
    assert found(primal, rule) == want


@pytest.mark.parametrize(
    ("primal", "rule", "want"),
    [
        ("double %x, i32 %n, double %y", "double, double, i32, double, double", ["0 0' 1 2 2'"]),
        ("double %p.coerce0, double %p.coerce1", "double, double, double, double", ["0 1 0' 1'"]),
        ("ptr byval(%S) %s", "ptr byval(%S), ptr byval(%S)", ["0 0'"]),
    ],
)
def test_parameters_of_tangents(primal: str, rule: str, want: list[str]) -> None:
    assert found(primal, rule, tangents=True) == want


def test_what_follows_the_arguments_is_seed_and_tape() -> None:
    assert found("ptr %x", "ptr, ptr, double, ptr", whole=False)[0] == "0 0'"


def test_kinds_of_parameters() -> None:
    module = parse_module(f"{HEAD}declare void @f(ptr sret(%S), ptr, <2 x float>, ptr byref(%S), i1)\n")
    kinds = [formal.kind for formal in formals(module, module.globals["f"])]  # type: ignore[arg-type]
    assert kinds == [Kind.RESULT, Kind.POINTER, Kind.NUMBER, Kind.STRUCT, Kind.OTHER]


@pytest.mark.parametrize(
    ("members", "offsets", "size", "fits", "not_fits"),
    [
        ([FLOAT], (0,), 4, [4], [8]),
        ([FLOAT, FLOAT], (0, 4), 8, [8], [4, 16]),
        ([PTR, FLOAT], (0, 8), 16, [16], [8]),
        ([I32, FLOAT, FLOAT], (0, 4, 8), 12, [12, 16], [8, 24]),
        ([12, DOUBLE], (0, 16), 24, [24], [16, 32]),
        ([DOUBLE, FLOAT, DOUBLE], (0, 8, 16), 24, [24], [20]),
    ],
)
def test_structs_of_c(members: list, offsets: tuple[int, ...], size: int, fits: list[int], not_fits: list[int]) -> None:
    image = c_struct(parse_module(HEAD).layout, members)
    assert (image.offsets, image.size) == (offsets, size)
    assert all(image.is_size(size) for size in fits)
    assert not any(image.is_size(size) for size in not_fits)


def test_structs_in_registers_and_in_memory() -> None:
    module = parse_module(f"{HEAD}declare void @f(double, float, ptr byval(%S))\n")
    first, second, third = module.globals["f"].arguments  # type: ignore[attr-defined]
    assert [str(registers(module, parameters)[0]) for parameters in ([], [first], [first, second], [third])] == [
        "None",
        "double",
        "{ double, float }",
        "%S",
    ]
    assert [registers(module, parameters)[1] for parameters in ([first, second], [third])] == [12, 24]
