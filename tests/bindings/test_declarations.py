"""Names and types of generated declarations, where languages differ."""

from __future__ import annotations

import re

import pytest

from enzyme_build.bindings.derivative import Derivative, Mode
from enzyme_build.bindings.fortran_module import fortran_module
from enzyme_build.bindings.header import declaration, header
from enzyme_build.bindings.interface import make_interface
from enzyme_build.bindings.rust_bindings import rust_bindings
from enzyme_build.bindings.signature import parse_signature
from enzyme_build.errors import ConfigError

from .functions import MIXED, native, parameter

ODD = Derivative(
    make_interface(
        parse_signature("f"),
        native(
            "f", "float64", *(parameter(name, "float64") for name in ("class", "X", "x", "_a", "value", "self", "type"))
        ),
    ),
    Mode.FORWARD,
)
MANY = Derivative(make_interface(parse_signature("mixed"), MIXED), Mode.REVERSE)
LONG = Derivative(
    make_interface(parse_signature("g"), native("g", "longdouble", parameter("x", "longdouble"))), Mode.REVERSE
)


def test_words_of_c_and_cxx_are_no_names() -> None:
    assert "double class_, double class_dot" in declaration(ODD)


def test_names_of_fortran_begin_with_a_letter_and_have_no_case() -> None:
    assert "f_jvp(class, class_dot, X, X_dot, x_2, x_dot_2, a_a, a_a_dot, value_2, value_dot," in re.sub(
        r" &\s*", " ", fortran_module([ODD], "m")
    )


def test_words_of_rust_are_raw_names() -> None:
    text = rust_bindings([ODD])
    assert "r#class: f64" not in text
    assert "self_: f64" in text
    assert "r#type: f64" in text


def test_types() -> None:
    fortran, rust = fortran_module([MANY], "m"), rust_bindings([MANY])
    for line in (
        "real(c_float), intent(in) :: a(*)",
        "integer(c_int64_t), value :: rows",
        "integer(c_int8_t), value :: columns",
        "logical(c_bool), value :: flag",
        "integer(c_int32_t), intent(in) :: index(*)",
    ):
        assert line in fortran
    for line in ("a: *const f32,", "rows: i64,", "columns: u8,", "flag: bool,", "index: *const i32,", ") -> f32;"):
        assert line in rust
    assert "bool flag" in header([MANY], "m.h")


def test_long_double() -> None:
    assert "real(c_long_double), value :: x" in fortran_module([LONG], "m")
    with pytest.raises(ConfigError, match="Rust has no type for 'long double'"):
        rust_bindings([LONG])
