"""What is known of functions of Rust's library by their names."""

from __future__ import annotations

import pytest

from enzyme_build.rules.inactive_rows import Fill, Inactive, Why
from enzyme_build.rules.registry import lookup

_TRAIT = "NtNtNtB9_3str6traits7FromStr8from_str"
_OLDER = "_ZN4core3num7dec2flt60_$LT$impl$u20$core..str..traits..FromStr$u20$for$u20$"


@pytest.mark.parametrize(
    ("name", "fills"),
    [
        (f"_RNvXs2_NtNtCsgEmfK2I1SDS_4core3num7dec2fltd{_TRAIT}", (Fill(0, constant=16),)),
        (f"_RNvXs2_NtNtCs8NwYtU1Mohg_4core3num11float_parsed{_TRAIT}", (Fill(0, constant=16),)),
        (f"{_OLDER}f64$GT$8from_str17h0123456789abcdefE", (Fill(0, constant=16),)),
        (f"_RNvXs1_NtNtCsgEmfK2I1SDS_4core3num7dec2fltf{_TRAIT}", ()),
        (f"{_OLDER}f32$GT$8from_str17h0123456789abcdefE", ()),
    ],
)
def test_numbers_of_text(name: str, fills: tuple[Fill, ...]) -> None:
    known = lookup(name)
    assert isinstance(known, Inactive)
    assert (known.why, known.fills) == (Why.TEXT, fills)
    assert known.may_write(0) is bool(fills)
    assert not known.may_write(1)


@pytest.mark.parametrize(
    "name",
    [
        f"_RNvXs2_NtNtCsgEmfK2I1SDS_4mine3num7dec2fltd{_TRAIT}",
        f"_RNvXNtCs1234_4mine7dec2fltNtB2_5Price{_TRAIT}",
        "_RNvXs3_NtNtCsgEmfK2I1SDS_4core3num7dec2fltNtB5_15ParseFloatErrorNtNtB9_3fmt5Debug3fmt",
    ],
)
def test_others(name: str) -> None:
    assert lookup(name) is None
