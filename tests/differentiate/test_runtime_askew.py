"""Adjoints across words are noted, and seen among bytes that are moved."""

from __future__ import annotations

import ctypes

import pytest

from enzyme_build.differentiate import runtime
from enzyme_build.differentiate.helpers import ensure_helpers
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_module

from .jit import Compiled


@pytest.fixture
def functions():
    """Those of a process in which nothing was noted."""
    module = parse_module('target triple = "x86_64-pc-linux-gnu"\n')
    for name in ("number_askew", "adjoints_askew"):
        runtime.runtime_function(module, name)
    ensure_helpers(module)
    text = print_module(module)
    for type_ in ("void", "i64"):
        text = text.replace(f"define internal {type_} @", f"define {type_} @")
    compiled = Compiled(text)
    pointer, integer = ctypes.c_void_p, ctypes.c_int64
    return (
        compiled("enzyme_build.number_askew", None, pointer, integer, integer),
        compiled("enzyme_build.adjoints_askew", integer, pointer, integer, ctypes.c_bool),
    )


def test_nothing_is_said_before_a_number_lies_across_words(functions):
    note, seen = functions
    bytes_ = ctypes.create_string_buffer(b"\1" * 16)
    start = ctypes.addressof(bytes_)
    note(start - start % 8 + 8, 7, 8)
    note(start - start % 8 + 4, 3, 4)
    assert seen(start, 16, False) == 0
    note(start - start % 8 + 4, 7, 8)
    assert seen(start, 16, False) != 0


def test_only_adjoints_in_the_run_count(functions):
    note, seen = functions
    bytes_ = ctypes.create_string_buffer(b"\0" * 12 + b"\1" * 4)
    start = ctypes.addressof(bytes_)
    note(start | 3, 3, 4)
    assert seen(start, 12, False) == 0
    assert seen(start, 13, False) != 0
    assert seen(start + 12, 0, False) == 0
    assert seen(start + 12, -4, False) == 0


def test_numbers_far_away_do_not_count(functions):
    note, seen = functions
    bytes_ = ctypes.create_string_buffer(b"\1" * 64)
    start = -(-ctypes.addressof(bytes_) // 8) * 8
    note(start + 17, 7, 8)
    note(start + 25, 7, 8)
    assert seen(start, 17, False) == 0
    assert seen(start, 18, False) != 0
    assert seen(start + 32, 8, False) != 0  # where the last one ends
    assert seen(start + 33, 8, False) == 0
    note(start + 25, 7, 30)
    assert seen(start + 48, 8, False) != 0
    assert seen(start + 55, 8, False) == 0


def test_a_run_that_is_known_to_be_askew_needs_no_note(functions):
    _, seen = functions
    bytes_ = ctypes.create_string_buffer(b"\0" * 7 + b"\1")
    assert seen(ctypes.addressof(bytes_), 8, True) != 0
    assert seen(ctypes.addressof(bytes_), 7, True) == 0
