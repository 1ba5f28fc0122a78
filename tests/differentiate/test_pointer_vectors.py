"""Vectors of addresses become addresses one by one."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.pointer_vectors import has_pointer_vectors, single_pointers, vectors_left
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module

TEXT = """
declare <2 x double> @llvm.masked.gather.v2f64.v2p0(<2 x ptr>, <2 x i1>, <2 x double>)
declare <2 x ptr> @llvm.masked.gather.v2p0.v2p0(<2 x ptr>, <2 x i1>, <2 x ptr>)
declare void @llvm.masked.scatter.v2f64.v2p0(<2 x double>, <2 x ptr>, <2 x i1>)
declare <2 x ptr> @other()
define RESULT @f(ptr %x, ptr %y, i64 %n, <2 x i64> %at, <2 x i1> %mask, <2 x double> %v) {
entry:
  %a = getelementptr double, ptr %x, <2 x i64> %at
  OPERATIONS
}"""

LOOP = """br label %loop
loop:
  %b = phi <2 x ptr> [ %a, %entry ], [ %d, %loop ]
  %d = getelementptr double, <2 x ptr> %b, i64 1
  %c = icmp eq <2 x ptr> %d, zeroinitializer
  %e = extractelement <2 x i1> %c, i64 0
  br i1 %e, label %end, label %loop
end:"""
MIXED = """%b = call <2 x ptr> @other()
  %d = shufflevector <2 x ptr> %a, <2 x ptr> %b, <2 x i32> <i32 1, i32 3>
  %p = extractelement <2 x ptr> %d, i64 0
  ret ptr %p"""


def taken_apart(operations: str, result: str = "double") -> list[ir.Instruction]:
    module = parse_module(TEXT.replace("OPERATIONS", operations).replace("RESULT", result))
    function = module.function("f")
    single_pointers(module.layout, function)
    assert not check_function(module, function)
    left = list(vectors_left(module, [function]))
    assert bool(left) == any(has_pointer_vectors(i) for i in function.instructions())
    return list(function.instructions())


def of(kind: type[ir.Instruction], found: list[ir.Instruction]) -> list[ir.Instruction]:
    return [i for i in found if isinstance(i, kind)]


def test_an_address_that_is_taken_out():
    found = taken_apart("%p = extractelement <2 x ptr> %a, i64 1\n  %r = load double, ptr %p\n  ret double %r")
    (load,) = of(ir.Load, found)
    (element,) = (i for i in of(ir.GetElementPtr, found) if i is load.operands[0])
    lane = element.operands[1]
    assert isinstance(lane, ir.ExtractElement)
    assert lane.operands[1].value == 1


@pytest.mark.parametrize(
    "operations",
    [
        "%b = getelementptr i8, <2 x ptr> %a, i64 %n",
        "%b = getelementptr { i32, double }, <2 x ptr> %a, <2 x i64> zeroinitializer, <2 x i32> splat (i32 1)",
        "%b = insertelement <2 x ptr> %a, ptr %y, i64 0",
        "%b = insertelement <2 x ptr> %a, ptr %y, i64 %n",
        "%b = insertelement <2 x ptr> poison, ptr %y, i64 1",
        "%b = shufflevector <2 x ptr> %a, <2 x ptr> poison, <2 x i32> <i32 1, i32 0>",
        "%b = select <2 x i1> %mask, <2 x ptr> %a, <2 x ptr> zeroinitializer",
        "%c = icmp eq i64 %n, 0\n  %b = select i1 %c, <2 x ptr> %a, <2 x ptr> zeroinitializer",
        "%b = freeze <2 x ptr> %a",
        "%b = load <2 x ptr>, ptr %y",
        "store <2 x ptr> %a, ptr %y\n  %b = load <2 x ptr>, ptr %y, align 8",
        "%w = ptrtoint <2 x ptr> %a to <2 x i64>\n  %b = inttoptr <2 x i64> %w to <2 x ptr>",
        "%b = call <2 x ptr> @llvm.masked.gather.v2p0.v2p0(<2 x ptr> %a, <2 x i1> %mask, <2 x ptr> zeroinitializer)",
        LOOP,
    ],
)
def test_moves_of_addresses(operations: str) -> None:
    found = taken_apart(f"{operations}\n  %p = extractelement <2 x ptr> %b, i64 %n\n  ret ptr %p", "ptr")
    assert not any(has_pointer_vectors(i) for i in found)


def test_a_gather_reads_where_the_mask_says_so():
    found = taken_apart(
        "%r = call <2 x double> @llvm.masked.gather.v2f64.v2p0(<2 x ptr> %a, <2 x i1> <i1 true, i1 false>,"
        " <2 x double> %v)\n  ret <2 x double> %r",
        "<2 x double>",
    )
    first, second = of(ir.Load, found)
    assert isinstance(first.operands[0], ir.GetElementPtr)
    assert isinstance(second.operands[0], ir.Select)  # or what the lane is then
    (room,) = of(ir.Alloca, found)
    assert second.operands[0].operands[2] is room
    assert [i.operands[1] for i in of(ir.Store, found)] == [room]


def test_a_scatter_stores_in_the_order_of_lanes():
    found = taken_apart(
        "call void @llvm.masked.scatter.v2f64.v2p0(<2 x double> %v, <2 x ptr> %a, <2 x i1> splat (i1 true))\n"
        "  ret void",
        "void",
    )
    assert [i.operands[0].operands[1].value for i in of(ir.Store, found)] == [0, 1]
    assert not of(ir.Alloca, found)


@pytest.mark.parametrize(
    "operations",
    [
        "%b = call <2 x ptr> @other()\n  %p = extractelement <2 x ptr> %b, i64 0\n  ret ptr %p",
        MIXED,
    ],
)
def test_what_stays_is_refused(operations: str) -> None:
    assert any(has_pointer_vectors(i) for i in taken_apart(operations, "ptr"))


def test_the_refusal_names_the_function():
    text = "%b = call <2 x ptr> @other()\n  %p = extractelement <2 x ptr> %b, i64 0\n  ret ptr %p"
    module = parse_module(TEXT.replace("OPERATIONS", text).replace("RESULT", "ptr"))
    function = module.function("f")
    single_pointers(module.layout, function)
    (refusal,) = vectors_left(module, [function])
    assert "'f'" in str(refusal)
    assert refusal.code == "E0110"
