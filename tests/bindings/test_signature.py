"""The mini-language of signatures."""

from __future__ import annotations

import pytest

from enzyme_build.bindings.dimension import Name, Number
from enzyme_build.bindings.dtypes import DTYPES
from enzyme_build.bindings.signature import Declared, Intent, Order, Signature, parse_signature
from enzyme_build.errors import ConfigError


def test_shapes_and_plain_arguments():
    assert parse_signature("energy(x[n], n, k)") == Signature(
        "energy", (Declared("x", (Name("n"),)), Declared("n"), Declared("k"))
    )


def test_roles_types_and_namespaces():
    parsed = parse_signature(" a::b::step ( in x[n, 3] , out y[] : float32, inout const s[2] ) -> double ")
    assert parsed == Signature(
        "a::b::step",
        (
            Declared("x", (Name("n"), Number(3)), Intent.IN),
            Declared("y", (), Intent.OUT, dtype=DTYPES["float32"]),
            Declared("s", (Number(2),), Intent.INOUT, constant=True),
        ),
        DTYPES["float64"],
    )
    assert parsed.base_name == "step"


def test_order_and_strides():
    (a, b, c) = parse_signature("f(in F a[m, n stride lda], x[n stride incx], C[n])").arguments
    assert a == Declared("a", (Name("m"), Name("n")), Intent.IN, order=Order.F, strides=(None, "lda"))
    assert b == Declared("x", (Name("n"),), strides=("incx",))
    assert c == Declared("C", (Name("n"),))


def test_only_a_name():
    assert parse_signature("forces::energy") == Signature("forces::energy")


def test_no_arguments():
    assert parse_signature("f()") == Signature("f", ())


def test_words_may_be_names():
    assert parse_signature("f(in, out[n])").arguments == (Declared("in"), Declared("out", (Name("n"),)))


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("", "expected the name of a function, got the end", 0),
        ("f(x[n)", "expected ',' or ']' between dimensions, got ')'", 5),
        ("f(x", "expected ',' or ')' between arguments, got the end", 3),
        ("f(x y[n])", "unexpected 'x': an argument may begin with in, out, inout, const, C or F", 2),
        ("f(F x)", "'F' is for arrays, and 'x' has no dimensions", 2),
        ("f(C x[])", "'C' is for arrays, and 'x' has no dimensions", 2),
        ("f(x[n stride 2])", "expected the argument that is the stride, got '2'", 13),
        ("f(x[n stride s t])", "expected ',' or ']' between dimensions, got 't'", 15),
        ("f(x, x)", "two arguments named 'x'", 5),
        ("f(x[n]) z", "unexpected 'z' after the signature", 8),
        ("f(x[n][m])", "write several dimensions as x[n, m]", 6),
        ("f(x; y)", "unexpected ';'", 3),
        ("f(x[])]", "unexpected ']' after the signature", 6),
        ("f(x[2*])", "expected a length, got ']'", 6),
        ("f(x: flaot32)", "unknown element type 'flaot32' (did you mean 'float32'?)", 5),
        ("f(x[99999999999999999999])", "a length of 99999999999999999999 is more than memory has bytes", 4),
        ("f::(x)", "expected a name after '::', got '('", 3),
    ],
)
def test_errors_point_at_their_place(text, message, column):
    with pytest.raises(ConfigError) as caught:
        parse_signature(text)
    assert caught.value.message == f"in the signature: {message}"
    assert caught.value.notes == (text, " " * column + "^")


def test_a_symbol_with_points():
    found = parse_signature("cfunc._ZN8__main__4costE(x[n], n)")
    assert (found.name, found.base_name) == ("cfunc._ZN8__main__4costE", "cfunc__ZN8__main__4costE")
