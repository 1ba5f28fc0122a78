"""Intrinsics by the table: LLVM accepts every declaration that we make from it."""

from __future__ import annotations

import pytest

from enzyme_build.errors import InternalError
from enzyme_build.ir.intrinsics import SIGNATURES, base_name, intrinsic, intrinsic_type, mangled, wrong_intrinsic
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_module
from enzyme_build.ir.types import DOUBLE, FLOAT, I32, I64, PTR, FloatType, IntType, Type, VectorType, vector_type

from .reading import llvm_text

MEANINGS: dict[str, tuple[Type, ...]] = {"F": (DOUBLE, FLOAT), "I": (I32, I64), "J": (I64,), "P": (PTR,), "Q": (PTR,)}


def overloads(base: str, *, second: bool) -> list[Type]:
    row = SIGNATURES[base]
    letters = dict.fromkeys(letter for letter in row if letter.isupper())
    types = [MEANINGS[letter][-1 if second else 0] if letter != "V" else None for letter in letters]
    element = DOUBLE if "f" in base.rsplit(".", 1)[-1] or base == "vector.reverse" else I32
    return [vector_type(element, 4) if type_ is None else type_ for type_ in types]


@pytest.mark.parametrize("base", SIGNATURES)
@pytest.mark.parametrize("second", [False, True])
def test_llvm_knows_every_row(base: str, second: bool) -> None:  # noqa: FBT001
    module = parse_module("")
    function = intrinsic(module, base, *overloads(base, second=second))
    text = llvm_text(print_module(module))
    # LLVM would rename a declaration whose type does not fit its name, and adds attributes to those it knows.
    assert f"@{function.name}(" in text
    assert text.rstrip().endswith("}"), f"LLVM does not know {function.name}"
    assert wrong_intrinsic(function.name, function.function_type) is None
    assert base_name(function.name) == base


def test_mangling() -> None:
    assert mangled(vector_type(FLOAT, 4)) == "v4f32"
    assert mangled(vector_type(I64, 2, scalable=True)) == "nxv2i64"
    assert mangled(PTR) == "p0"


def test_wrong_use_of_the_table() -> None:
    with pytest.raises(InternalError, match=r"unknown intrinsic llvm\.sine"):
        intrinsic_type("sine", [DOUBLE])
    with pytest.raises(InternalError, match="2 overloaded types"):
        intrinsic_type("powi", [DOUBLE])
    with pytest.raises(InternalError, match=r"llvm\.sqrt of i32"):
        intrinsic_type("sqrt", [I32])


def test_kinds_used_here_cover_the_table() -> None:
    assert {letter for row in SIGNATURES.values() for letter in row if letter.isupper()} <= {*MEANINGS, "V"}
    assert isinstance(DOUBLE, FloatType)
    assert isinstance(I32, IntType)
    assert not isinstance(DOUBLE, VectorType)
