"""Adjoints of bytes of unknown type are moved, or it is told that they cannot be."""

from __future__ import annotations

import ctypes
import math
import re
import struct

import pytest

from enzyme_build.differentiate import runtime
from enzyme_build.differentiate.helpers import ensure_helpers
from enzyme_build.differentiate.runtime_foreign import FOREIGN
from enzyme_build.differentiate.runtime_unions import UNIONS
from enzyme_build.differentiate.runtime_words import WORDS
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_module
from enzyme_build.llvm.context import parse_text

from .jit import Compiled

NAMES = sorted(name.removeprefix("enzyme_build.") for name in (*FOREIGN, *UNIONS, *WORDS))
EMPTY = 'target triple = "x86_64-pc-linux-gnu"\n'
ADDRESS = 0x55D0_1234_5678
OTHER = 0x7FFE_1234_5678
TEXT, BLANKS = (int.from_bytes(text, "little") for text in (b"init  ", b"      "))


def function(name: str, *types, result=ctypes.c_int64, end_of_heap: int | None = None):
    """A function of the runtime in this process, or one whose heap ends elsewhere."""
    module = parse_module(EMPTY)
    runtime.runtime_function(module, name)
    ensure_helpers(module)
    symbol = f"enzyme_build.{name}"
    text = print_module(module)
    if end_of_heap is not None:
        heap = f"define internal ptr @sbrk(i64 %n) {{\n  ret ptr inttoptr (i64 {end_of_heap} to ptr)\n}}"
        text = re.sub(r"declare [^\n]*@sbrk\([^\n]*", heap, text)
    for type_ in ("i64", "void", "i1"):
        text = text.replace(f"define internal {type_} @{symbol}(", f"define {type_} @{symbol}(")
    return Compiled(text)(symbol, result, *types)


POINTER, SIZE = ctypes.c_void_p, ctypes.c_int64


def memory(format_: str, *values):
    return (ctypes.c_uint64 * 8).from_buffer_copy(struct.pack("<" + format_, *values).ljust(64, b"\0"))


def held(buffer, format_: str):
    return struct.unpack_from("<" + format_, bytes(buffer))


@pytest.mark.parametrize("name", NAMES)
def test_functions_are_valid(name):
    module = parse_module(EMPTY)
    assert check_function(module, runtime.runtime_function(module, name)) == []
    ensure_helpers(module)
    parse_text(print_module(module), name)


MOVES = [
    # what the shadows hold of the copy and of where it came from; afterwards; whether it can be done
    ("d", (1.5,), (0.0,), (0.0,), (1.5,), True),
    ("d", (0.0,), (2.5,), (0.0,), (2.5,), True),
    ("d", (1.5,), (2.5,), None, None, False),
    ("2f", (1.5, 0.25), (0, 0), (0, 0), (1.5, 0.25), True),
    ("2f", (1.5, 0), (0, 0.25), (0, 0), (1.5, 0.25), True),
    ("2f", (1.5, 0), (2.5, 0), None, None, False),
    ("f", (1.5,), (2.5,), (0,), (4.0,), True),  # too short for a double
    ("if", (7, 1.5), (7, 0), (0, 0), (7, 1.5), True),  # integers of an object that was copied
    ("if", (-3, 1.5), (-3, 0), (0, 0), (-3, 1.5), True),
    ("if", (-3, 1.5), (-3, 2.0), None, None, False),
    ("dd", (1.5, 0), (0, 2.5), (0, 0), (1.5, 2.5), True),
    ("df", (1.5, 2.5), (0, 1.0), (0, 0), (1.5, 3.5), True),
    ("d", (-math.inf,), (0.0,), (0.0,), (-math.inf,), True),
    ("d", (0.0,), (-math.inf,), (0.0,), (-math.inf,), True),
    ("d", (-math.inf,), (1.5,), None, None, False),
    ("d", (1.5,), (-math.inf,), None, None, False),
    ("b", (1,), (0,), None, None, False),
    ("b", (0,), (1,), (0,), (1,), True),
]


@pytest.mark.parametrize(("format_", "copy", "origin", "left", "found", "works"), MOVES)
def test_adjoints_go_back(format_, copy, origin, left, found, works):
    move = function("words_return", POINTER, POINTER, SIZE, ctypes.c_bool)
    destination, source = memory(format_, *copy), memory(format_, *origin)
    assert move(destination, source, struct.calcsize("<" + format_), True) == (not works)
    if works:
        assert held(destination, format_) == left
        assert held(source, format_) == found


def test_halves_of_doubles_are_not_added():
    move = function("words_return", POINTER, POINTER, SIZE, ctypes.c_bool)
    assert move(memory("f", 1.5), memory("f", 2.5), 4, False) == 1
    destination, source = memory("f", 1.5), memory("f", 0)
    assert move(destination, source, 4, False) == 0
    assert held(destination, "f") == (0,)
    assert held(source, "f") == (1.5,)


def test_undefined_doubles_count():
    move = function("words_return", POINTER, POINTER, SIZE, ctypes.c_bool)
    destination, source = memory("Q", 0xFFF8 << 48), memory("d", 0)
    assert move(destination, source, 8, True) == 0
    assert held(source, "Q") == (0xFFF8 << 48,)
    assert function("words_left", POINTER, SIZE)(source, 8) == 1


def test_elements_of_arrays():
    move = function("words_return_each", POINTER, POINTER, SIZE, ctypes.c_bool, SIZE, SIZE)
    destination, source = memory("4d", 1.5, 2.5, 3.5, 4.5), memory("4d", 0, 0, 0, 0)
    assert move(destination, source, 8, False, 24, 16) == 0
    assert held(destination, "4d") == (0, 2.5, 0, 4.5)
    assert held(source, "4d") == (1.5, 0, 3.5, 0)
    left = function("words_left_each", POINTER, SIZE, SIZE, SIZE)
    assert left(destination, 8, 32, 16) == 0
    assert left(ctypes.addressof(destination) + 8, 8, 8, 16) == 1
    assert left(ctypes.addressof(destination) + 8, 8, 0, 16) == 0


def test_floats_that_lie_otherwise_in_words():
    move = function("words_return", POINTER, POINTER, SIZE, ctypes.c_bool)
    destination, source = memory("4f", 0, 1.5, 2.5, 9), memory("4f", 0.5, 1, 0, 9)
    assert move(ctypes.addressof(destination) + 4, source, 8, True) == 0
    assert held(destination, "4f") == (0, 0, 0, 9)
    assert held(source, "4f") == (2, 3.5, 0, 9)


def test_the_same_memory_stays():
    move = function("words_return", POINTER, POINTER, SIZE, ctypes.c_bool)
    both = memory("d", 1.5)
    assert move(both, both, 8, True) == 0
    assert held(both, "d") == (1.5,)


@pytest.mark.parametrize(
    ("format_", "values", "found"),
    [
        ("d", (1e-3,), True),
        ("d", (0.0,), False),
        ("ii", (5, -5), False),
        ("if", (5, 1e-30), True),
        ("q", (-1,), False),
        ("b", (3,), True),
        ("q", (ADDRESS,), True),
    ],
)
def test_what_is_left_of_adjoints(format_, values, found):
    left = function("words_left", POINTER, SIZE)
    assert left(memory(format_, *values), struct.calcsize("<" + format_)) == found


@pytest.mark.parametrize(
    ("format_", "values", "found"),
    [
        ("q", (0,), False),
        ("q", (ADDRESS,), False),
        ("d", (1.5,), True),
        ("d", (-1e-300,), True),
        ("2f", (0, -2.5), True),
        ("2f", (0.5, 0), True),
        ("q", (12,), False),
    ],
)
def test_what_is_left_where_a_pointer_is(format_, values, found):
    left = function("pointer_left", POINTER)
    assert left(memory(format_, *values)) == found


@pytest.mark.parametrize(
    ("format_", "values", "found"),
    [
        ("2f", (1.5, 0.25), True),
        ("2f", (1.5, 0), False),
        ("2f", (0, 1.5), False),
        ("d", (1.1,), True),
        ("d", (0.5,), False),
    ],
)
def test_numbers_of_which_a_half_is_written(format_, values, found):
    left = function("half_left", POINTER)
    assert left(memory(format_, *values)) == found


@pytest.mark.parametrize(
    ("of_object", "of_shadow", "found"),
    [
        (ADDRESS, 0, False),
        (ADDRESS, OTHER, True),
        (ADDRESS, ADDRESS, False),
        (0, OTHER, True),
        (3, 3, False),
        (TEXT, BLANKS, False),
        (TEXT, BLANKS + 0x7F_0000, True),
        (TEXT, BLANKS - 1, True),
    ],
)
def test_pointers_of_their_own(of_object, of_shadow, found):
    other = function("words_other", POINTER, POINTER, SIZE)
    assert other(memory("q", of_object), memory("q", of_shadow), 8) == found
    assert other(memory("dq", 1.0, of_object), memory("dq", 2.0, of_shadow), 16) == found
    assert other(memory("q", of_object), memory("q", of_shadow), 4) == 0


@pytest.mark.parametrize(
    ("of_object", "of_shadow", "found"),
    [(ADDRESS, OTHER, True), (ADDRESS, ADDRESS, False), (7, OTHER, False), (0, OTHER, False), (ADDRESS, 0, False)],
)
def test_pointers_where_the_memory_has_one_too(of_object, of_shadow, found):
    other = function("pointers_other", POINTER, POINTER, SIZE)
    assert other(memory("q", of_object), memory("q", of_shadow), 8) == found


@pytest.mark.parametrize(
    ("format_", "of_object", "of_shadow", "left"),
    [
        ("qq", (7, ADDRESS), (OTHER, OTHER), (0, OTHER)),
        ("qq", (0, 3), (3, OTHER), (3, 0)),
        ("dq", (1.5, -1), (2.5, OTHER), (2.5, 0)),
    ],
)
def test_what_is_left_of_pointers_goes(format_, of_object, of_shadow, left):
    clear = function("left_clear", POINTER, POINTER, SIZE, result=None)
    shadow = memory(format_, *of_shadow)
    clear(memory(format_, *of_object), shadow, struct.calcsize("<" + format_))
    assert held(shadow, format_) == left


@pytest.mark.parametrize(
    ("format_", "of_object", "of_shadow", "left", "found"),
    [
        ("fI", (1.5, 20000), (1.5, 20000), None, True),  # as if it was one
        ("q", (ADDRESS,), (OTHER,), None, True),
        ("d", (1.0,), (1.0,), None, True),  # an adjoint, or a copy?
        ("d", (1.0,), (2.0,), (2.0,), False),
        ("if", (7, 1.0), (7, 2.0), (7, 2.0), False),
        ("if", (7, 1.0), (7, 1.0), None, True),
    ],
)
def test_what_a_copied_object_left(format_, of_object, of_shadow, left, found):
    clear = function("words_clear", POINTER, POINTER, SIZE)
    shadow = memory(format_, *of_shadow)
    assert clear(memory(format_, *of_object), shadow, struct.calcsize("<" + format_)) == found
    if not found:
        assert held(shadow, format_) == left


def test_addresses_that_a_copied_object_left():
    clear = function("words_clear", POINTER, POINTER, SIZE)
    text = ctypes.create_string_buffer(b"text")
    shadow, copied = memory("qd", ctypes.addressof(text), 0.0), memory("qd", ctypes.addressof(text), 1.0)
    places = ctypes.addressof(copied), ctypes.cast(clear, ctypes.c_void_p).value
    near = ctypes.addressof(text) >> 32 in {place >> 32 for place in places}
    assert clear(copied, shadow, 16) == (not near)
    own = memory("qd", 0, 0.0)
    struct.pack_into("<q", own, 0, ctypes.addressof(own))
    shadow = memory("qd", ctypes.addressof(own), 0.0)
    assert clear(own, shadow, 16) == 0
    assert held(shadow, "qd") == (0, 0.0)


def bits(format_: str, *values) -> int:
    return struct.unpack("<Q", struct.pack("<" + format_, *values).ljust(8, b"\0"))[0]


@pytest.mark.parametrize(
    ("a", "b", "floats", "total", "clash"),
    [
        (bits("d", 0), bits("d", 1.5), False, bits("d", 1.5), False),
        (bits("d", 1.5), bits("d", 0), False, bits("d", 1.5), False),
        (bits("2f", 1.5, 0), bits("2f", 0, 2.5), False, bits("2f", 1.5, 2.5), False),
        (bits("2f", 1.5, 0), bits("2f", 0.5, 2.5), True, bits("2f", 2, 2.5), True),
        (bits("if", 7, 0.5), bits("if", 7, 2.5), True, bits("if", 7, 3), True),
        (bits("d", 0.1), bits("d", 0.2), False, None, True),
    ],
)
def test_sums_of_words(a, b, floats, total, clash):
    word = ctypes.c_uint64
    assert function("word_clash", word, word)(a, b) == clash
    if total is not None:
        assert function("word_sum", word, word, ctypes.c_bool, result=word)(a, b, floats) == total


@pytest.mark.parametrize(
    ("at", "size", "words", "left"),
    [
        (0, 4, (ADDRESS, OTHER), (0, OTHER)),
        (4, 4, (ADDRESS, OTHER), (0, OTHER)),
        (4, 8, (ADDRESS, OTHER), (0, 0)),
        (0, 16, (0x6020_0000_0010, 0x5655_0000_0000), (0, 0)),
        (0, 16, (0x3F80_0000, 0x3F80_0000_3F80_0000), (0x3F80_0000, 0x3F80_0000_3F80_0000)),
        (0, 16, (0x0001_3F80_0000, 0x1000_3F80_0000), (0x0001_3F80_0000, 0x1000_3F80_0000)),  # beside small subnormals
    ],
)
def test_pointers_are_gone_where_short_numbers_are(at, size, words, left):
    buffer = memory("2Q", *words)
    function("pointers_gone", POINTER, SIZE, ctypes.c_bool, result=None)(ctypes.addressof(buffer) + at, size, True)
    assert held(buffer, "2Q") == left


@pytest.mark.parametrize(
    ("end", "word", "leads"),
    [
        (0x55D0_2000_0000, ADDRESS, True),
        (0x55D0_2000_0000, 0x0123_4567, False),
        # A program at a fixed address, its heap behind it, mapped memory and the stack
        (0x2345_0000, 0x0123_4567, True),
        (0x2345_0000, OTHER, True),
        (0x2345_0000, 0x1000, False),
        (0x2345_0000, 0x3F80_0000, False),  # 1.0 and 0.0
        (0x4000_0000, 0x3F80_0000, True),
        # Valgrind: its heap is elsewhere
        (0x0040_0000, 0x0485_0040, True),
    ],
)
def test_addresses_are_known_where_the_heap_is_low(end, word, leads):
    found = function("word_leads", ctypes.c_uint64, result=ctypes.c_bool, end_of_heap=end)
    assert found(word) == leads
