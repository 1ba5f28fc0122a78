from __future__ import annotations

import pytest

from enzyme_build.ir.names import global_text, local_text, quote, unescape, unquote


@pytest.mark.parametrize("name", ["plain", "a.b-c_d", "12", "a b", 'with "quotes"', "back\\slash", "naïve", "a$b", ""])
def test_quoting_can_be_undone(name: str) -> None:
    assert unquote(quote(name)) == name


def test_only_odd_names_are_quoted() -> None:
    assert global_text("x.1") == "@x.1"
    assert local_text("0") == '%"0"'
    assert quote("é") == '"\\C3\\A9"'


def test_bytes_that_are_no_text_survive() -> None:
    assert quote(unescape("\\FF\\00")) == '"\\FF\\00"'
