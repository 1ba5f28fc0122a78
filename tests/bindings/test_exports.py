"""What `--function` and `-fenzyme-export=` say, matched with the functions of a module."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.request import Activity, Mode
from enzyme_build.bindings.exports import export_requests, parse_specification
from enzyme_build.errors import ConfigError
from enzyme_build.ir.parser import parse_module

CONST, OUT, DUP = Activity.CONSTANT, Activity.ACTIVE, Activity.DUPLICATED
MODULE = """
define double @solver_sum(ptr %x, i32 %n, double %k) {
  ret double %k
}
define void @solver_step(ptr %x) {
  ret void
}
define i32 @solver_version() {
  ret i32 1
}
define internal double @solver_helper(double %x) {
  ret double %x
}
define double @_ZN6forces6energyEd(double %x) {
  ret double %x
}
declare double @solver_elsewhere(double)
"""


def requested(*texts: str) -> list[tuple[str, Mode, tuple[Activity, ...]]]:
    found = export_requests(parse_module(MODULE), [parse_specification(text) for text in texts])
    return [(request.function, request.mode, request.arguments) for request in found]


def test_both_modes_with_pointers_dup_and_numbers_out() -> None:
    assert requested("solver_sum") == [
        ("solver_sum", Mode.SPLIT, (DUP, CONST, OUT)),
        ("solver_sum", Mode.FORWARD, (DUP, CONST, OUT)),
    ]


def test_a_pattern_leaves_out_what_has_no_derivative() -> None:
    assert [name for name, _, _ in requested("solver_*:forward")] == ["solver_sum", "solver_step"]


@pytest.mark.parametrize("name", ["forces::energy", "energy", "_ZN6forces6energyEd", "forces::*"])
def test_names_of_cxx(name: str) -> None:
    assert requested(f"{name}:reverse") == [("_ZN6forces6energyEd", Mode.SPLIT, (OUT,))]


def test_activities_by_name_and_number_add_patterns() -> None:
    found = requested("solver_sum:reverse:x=const,3=const", "solver_sum:reverse", "solver_s*:reverse")
    assert found == [
        ("solver_sum", Mode.SPLIT, (CONST, CONST, CONST)),
        ("solver_sum", Mode.SPLIT, (DUP, CONST, OUT)),
        ("solver_step", Mode.SPLIT, (DUP,)),
    ]


@pytest.mark.parametrize("text", ["f:backward", "f:reverse:x", "f:reverse:x=dupnoneed", "f:reverse:x=const:y=const"])
def test_what_means_nothing(text: str) -> None:
    with pytest.raises(ConfigError):
        parse_specification(text)
