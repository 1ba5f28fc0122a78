"""What library functions overwrite, and what they may leave as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from enzyme_build.differentiate.overwritten import mark_overwritten
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.types import DOUBLE, FLOAT, I64, X86_FP80
from enzyme_build.ir.values import ConstantFloat, ConstantInt, Value

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function


def marked(declaration: str, call: str) -> tuple[Function, list[Value]]:
    """`f` with what follows the call in it, and the sizes of the fills."""
    module = parse_module(f"{declaration}\ndefine void @f(ptr %s, ptr %p, i64 %n) {{\n  {call}\n  ret void\n}}\n")
    function = module.function("f")
    mark_overwritten(module, function)
    assert not check_function(module, function)
    calls = [i for i in function.instructions() if isinstance(i, ir.Call)]
    return function, [call.arguments[1] for call in calls if call.callee.name == "enzyme_build.overwritten"]


FROM_CHARS = "_ZSt10from_charsPKcS0_RdSt12chars_format"


def test_bytes_up_to_the_count_of_a_stream() -> None:
    function, (size,) = marked(
        "declare ptr @_ZNSi4readEPcl(ptr, ptr, i64)", "call ptr @_ZNSi4readEPcl(ptr %s, ptr %p, i64 %n)"
    )
    assert isinstance(size, ir.Load)
    assert size.type is I64
    place = size.pointer
    assert isinstance(place, ir.GetElementPtr)
    assert place.operands[0] is function.arguments[0]
    assert isinstance(place.operands[1], ConstantInt)
    assert place.operands[1].value == 8


@pytest.mark.parametrize(
    ("declaration", "call"),
    [
        (
            f"declare {{ ptr, i32 }} @{FROM_CHARS}(ptr, ptr, ptr, i32)",
            f"%r = call {{ ptr, i32 }} @{FROM_CHARS}(ptr %s, ptr %s, ptr %p, i32 3)",
        ),
        ("declare i32 @getentropy(ptr, i64)", "%r = call i32 @getentropy(ptr %p, i64 %n)"),
    ],
)
def test_nothing_where_the_status_is_a_failure(declaration: str, call: str) -> None:
    _, (size,) = marked(declaration, call)
    assert isinstance(size, ir.Binary)
    assert size.op == "mul"
    (success,) = (i.operands[0] for i in size.operands if isinstance(i, ir.Cast))
    assert isinstance(success, ir.Compare)
    assert success.predicate == "eq"


@pytest.mark.parametrize("name", ["_ZNSi8readsomeEPcl", "_ZNSt15basic_streambufIcSt11char_traitsIcEE6xsgetnEPcl"])
def test_bytes_up_to_the_result(name: str) -> None:
    _, (size,) = marked(f"declare i64 @{name}(ptr, ptr, i64)", f"%r = call i64 @{name}(ptr %s, ptr %p, i64 %n)")
    assert isinstance(size, ir.Select)
    assert size.operands[1].name == "r"


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("_ZNSirsERf", [FLOAT]),
        ("_ZNSirsERd", [DOUBLE]),
        ("_ZNSi10_M_extractIeEERSiRT_", [X86_FP80]),
        ("_FortranAioInputReal32", [FLOAT]),
        ("_FortranAioInputComplex64", [DOUBLE, DOUBLE]),
    ],
)
def test_numbers_that_stay_where_none_is_read(name: str, numbers: list[object]) -> None:
    function, sizes = marked(f"declare ptr @{name}(ptr, ptr)", f"%r = tail call ptr @{name}(ptr %s, ptr %p)")
    assert not sizes
    (call,) = (i for i in function.instructions() if isinstance(i, ir.Call))
    own = call.arguments[1]
    assert isinstance(own, ir.Alloca)
    assert own.block is function.entry
    assert not call.tail
    before, behind = (
        [i for i in function.instructions() if isinstance(i, ir.Store) and isinstance(i.value, kind)]
        for kind in (ConstantFloat, ir.Select)
    )
    assert [store.value.type for store in before] == numbers
    assert [store.value.type for store in behind] == numbers
    for marker, store in zip(before, behind, strict=True):
        select = store.value
        assert isinstance(select, ir.Select)
        none, old, read = select.operands
        assert isinstance(none, ir.Compare)
        bits = none.operands[1]
        assert isinstance(bits, ConstantInt)
        # As LLVM writes it: a double, or in full
        assert isinstance(old, ir.Load)
        assert isinstance(read, ir.Load)
        assert (
            marker.value.text
            == {
                FLOAT: "0x7FF8A5C3E0000000",
                DOUBLE: f"0x{bits.value:016X}",
                X86_FP80: f"0xK{bits.value & (1 << 80) - 1:020X}",
            }[store.value.type]
        )
