"""What BESSEL_JN of several orders is given at 0."""

from __future__ import annotations

import pytest

from enzyme_build.fortran.bessel import give_arguments
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_module

NAME = "_FortranABesselJnX0_8"
TEXT = """
declare void @{name}(ptr, i32, i32, ptr, i32)
define void @f(double %x, ptr %d, i1 %other) {{
entry:
  %zero = fcmp {predicate} double %x, {constant}
  br i1 {condition}, label %one, label %two
one:
  {call_in_one}
  ret void
two:
  {call_in_two}
  ret void
}}"""
CALL = f"call void @{NAME}(ptr %d, i32 0, i32 2, ptr null, i32 3)"


@pytest.mark.parametrize(
    ("predicate", "constant", "condition", "block", "told"),
    [
        ("ueq", "0.000000e+00", "%zero", 1, True),
        ("une", "0.000000e+00", "%zero", 2, True),
        ("ueq", "0.000000e+00", "%zero", 2, False),
        ("ueq", "1.000000e+00", "%zero", 1, False),
        ("ole", "0.000000e+00", "%zero", 1, False),
        ("ueq", "0.000000e+00", "%other", 1, False),
    ],
)
def test_the_argument_is_what_is_compared_with_0(
    predicate: str, constant: str, condition: str, block: int, *, told: bool
) -> None:
    calls = {"call_in_one": CALL if block == 1 else "", "call_in_two": CALL if block == 2 else ""}
    text = TEXT.format(name=NAME, predicate=predicate, constant=constant, condition=condition, **calls)
    module = parse_module(text)
    assert give_arguments(module, "own_") == ({"own_BesselJnX0_8At"} if told else set())
    changed = "call void @own_BesselJnX0_8At(ptr %d, i32 0, i32 2, ptr null, i32 3, double %x)"
    assert (changed if told else CALL) in print_module(module)
