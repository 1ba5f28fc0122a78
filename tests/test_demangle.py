"""Names as their users wrote them."""

from __future__ import annotations

import pytest

from enzyme_build.demangle import demangle, demangled


@pytest.mark.parametrize(
    ("name", "readable"),
    [
        ("_Z1fd", "f(double)"),
        ("_ZN3lib5ModelIdE4lossERKS1_", "lib::Model<double>::loss(lib::Model<double> const&)"),
        ("_ZL5tableB5cxx11", "table"),
        ("_Z1fd.part.0", "f(double).part.0"),
        ("_Znonsense", "_Znonsense"),
        ("loss", "loss"),
    ],
)
def test_demangle(name: str, readable: str) -> None:
    assert demangle(name) == readable


def test_only_names_in_quotes() -> None:
    assert demangled("cannot differentiate '_Z1fd': _Z1gd") == "cannot differentiate 'f(double)': _Z1gd"


def test_fortran_names_before_what_is_said_of_derivatives() -> None:
    assert demangled("'_QMmPf:reverse:1=dup' of '_QMmPf'") == "'m::f:reverse:1=dup' of 'm::f'"


def test_long_names_are_cut() -> None:
    assert demangle("_Z1f" + "PKc" * 100).endswith("…")
