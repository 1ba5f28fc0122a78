"""Adjoints in memory of two precisions go back as what they are noted to be, or it is told that they cannot."""

from __future__ import annotations

import ctypes
import re
import struct

import pytest

from enzyme_build.differentiate import runtime
from enzyme_build.differentiate.helpers import ensure_helpers
from enzyme_build.differentiate.runtime_noted import NOTED
from enzyme_build.differentiate.runtime_notes import NOTES
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_module

from .jit import Compiled

EMPTY = 'target triple = "x86_64-pc-linux-gnu"\n'
NAMES = [name.removeprefix("enzyme_build.") for name in NOTES | NOTED]
POINTER, SIZE, BYTE, BIT = ctypes.c_void_p, ctypes.c_int64, ctypes.c_int8, ctypes.c_bool
FLOATS, DOUBLE = 1, 2
ADDRESS = 0x55D0_1234_5678


@pytest.mark.parametrize("name", NAMES)
def test_functions_are_valid(name):
    module = parse_module(EMPTY)
    assert check_function(module, runtime.runtime_function(module, name)) == []


class Notes:
    """The functions of one module, which share their notes."""

    def __init__(self):
        module = parse_module(EMPTY)
        for name in NAMES:
            runtime.runtime_function(module, name)
        ensure_helpers(module)
        text = print_module(module)
        for name in NAMES:
            text = re.sub(rf"define internal (\w+ @enzyme_build\.{name}\()", r"define \1", text)
        text = text.replace("thread_local ", "")  # there are no threads here, and their memory is the loader's
        compiled = Compiled(text)

        def function(name, *types, result=SIZE):
            return compiled(f"enzyme_build.{name}", result, *types)

        self._numbers = function("note_numbers", POINTER, SIZE, BYTE, BIT)
        self._back = function("noted_return", POINTER, POINTER, SIZE, BIT, BIT)
        self.tangents = function("note_tangents", POINTER, SIZE, BYTE)
        self.written = function("note_written", POINTER, SIZE, BYTE, result=None)
        self.untold = function("note_untold", POINTER, result=None)
        self.copy = function("notes_copy", POINTER, POINTER, SIZE, result=None)
        self.clear = function("noted_clear", POINTER, SIZE, BIT, result=None)
        self.pointers = function("noted_pointers", POINTER, POINTER, POINTER, SIZE)
        self.drop = function("notes_drop", result=None)

    def numbers(self, address, size, type_, *, own=True):
        return self._numbers(address, size, type_, own)

    def back(self, to, origin, size, keep, *, own=True):
        return self._back(to, origin, size, keep, own)


@pytest.fixture(scope="module")
def shared():
    return Notes()


@pytest.fixture
def notes(shared):
    yield shared
    shared.drop()


def memory(format_, *values):
    """Aligned."""
    return (ctypes.c_uint64 * 8).from_buffer_copy(struct.pack("<" + format_, *values).ljust(64, b"\0"))


def at(buffer, offset=0):
    return ctypes.addressof(buffer) + offset


def held(buffer, format_):
    return struct.unpack_from("<" + format_, bytes(buffer))


def told(notes, buffer, format_):
    """Note what is in memory, and that it is."""
    offset = 0
    for letter in format_:
        size, type_ = {"f": (4, FLOATS), "d": (8, DOUBLE), "q": (8, 0), "i": (4, 0)}[letter]
        if type_:
            assert notes.numbers(at(buffer, offset), size, type_) == 0
        offset += size
    return buffer


def test_each_number_is_added_as_what_it_is(notes):
    d = told(notes, memory("ffdfi", 1.5, 2.5, 0.25, 4.5, 3), "ffdfi")
    s = told(notes, memory("ffdfi", 10.0, 20.0, 1.0, 30.0, 7), "ffdfi")
    assert notes.back(at(d), at(s), 24, True) == 0
    assert held(s, "ffdfi") == (11.5, 22.5, 1.25, 34.5, 7)
    assert held(d, "ffdfi") == (0.0, 0.0, 0.0, 0.0, 3)


def test_without_a_place_to_go_they_end(notes):
    d, s = told(notes, memory("df", 1.5, 2.5), "df"), memory("dd", 7.0, 8.0)
    assert notes.back(at(d), at(s), 16, False) == 0
    assert held(d, "df") == (0.0, 0.0)
    assert held(s, "dd") == (7.0, 8.0)


def test_what_comes_alone_is_moved_and_its_note_with_it(notes):
    d, s = told(notes, memory("fd", 1.5, 0.0), "f"), memory("")
    other = told(notes, memory("f", 2.0), "f")
    assert notes.back(at(d), at(s), 8, True) == 0
    assert notes.back(at(other), at(s), 8, True) == 0
    assert held(s, "f") == (3.5,)
    assert notes.numbers(at(s), 8, DOUBLE) == 1


@pytest.mark.parametrize(("here", "there"), [("d", "ff"), ("ff", "d"), ("f", "d")])
def test_different_types_are_told(notes, here, there):
    d = told(notes, memory(here, *(1.5,) * len(here)), here)
    s = told(notes, memory(there, *(2.5,) * len(there)), there)
    assert notes.back(at(d), at(s), 8, True) == 1


def test_a_number_is_not_read_as_another(notes):
    memory_ = told(notes, memory("d", 1.5), "d")
    assert notes.numbers(at(memory_), 4, FLOATS) == 1
    memory_[0] = 0
    assert notes.numbers(at(memory_), 4, FLOATS) == 0  # without an adjoint any


def test_what_is_not_noted_is_moved_alone(notes):
    d, s = memory("d", 1.5), memory("")
    assert notes.back(at(d), at(s), 8, True) == 0
    assert held(s, "d") == (1.5,)
    other = memory("d", 2.5)
    assert notes.back(at(other), at(s), 8, True) == 1


@pytest.mark.parametrize("format_", ["d", "ff"])
@pytest.mark.parametrize("here", [True, False])
def test_one_note_tells_of_both(notes, format_, here):
    d, s = memory(format_, *(2.5,) * len(format_)), memory(format_, *(1.5,) * len(format_))
    told(notes, d if here else s, format_)
    assert notes.back(at(d), at(s), 8, True) == 0
    assert held(s, format_) == (4.0,) * len(format_)
    assert notes.numbers(at(s), 8, FLOATS if format_ == "d" else DOUBLE) == 1


def test_pointers_and_small_integers_stay(notes):
    d, s = memory("qqd", ADDRESS, 5, 2.0), memory("qqd", ADDRESS + 64, 9, 1.0)
    told(notes, d, "qqd")
    told(notes, s, "qqd")
    assert notes.back(at(d), at(s), 24, True) == 0
    assert held(d, "qqd") == (ADDRESS, 5, 0.0)
    assert held(s, "qqd") == (ADDRESS + 64, 9, 3.0)


def test_what_is_left_of_a_pointer_is_no_number(notes):
    d, s = told(notes, memory("d", 2.0), "d"), memory("q", ADDRESS)
    assert notes.back(at(d), at(s), 8, True) == 0
    assert held(s, "d") == (2.0,)


@pytest.mark.parametrize("half", [0, 4])
def test_so_where_a_float_is(notes, half):
    """Read, or moved back; in memory of others the pointer would be lost."""
    for own in (True, False):
        s = memory("q", ADDRESS)
        assert notes.numbers(at(s, half), 4, FLOATS, own=own) == (0 if own else 2)
        assert held(s, "q") == (0,)
        notes.drop()
        d, s = memory("d", 0.0), memory("q", ADDRESS)
        ctypes.c_float.from_address(at(d, half)).value = 2.0
        notes.numbers(at(d, half), 4, FLOATS)
        assert notes.back(at(d, half), at(s, half), 4, True, own=own) == (not own)
        if own:
            assert ctypes.c_float.from_address(at(s, half)).value == 2.0
            assert ctypes.c_float.from_address(at(s, 4 - half)).value == 0.0
        notes.drop()


def test_a_note_without_an_adjoint_says_nothing(notes):
    """Floats whose adjoints were taken, and then a double of unknown type comes there twice."""
    s = told(notes, memory("ff", 1.0, 2.0), "ff")
    s[0] = 0
    first, second = memory("d", 1.0), memory("d", 10.0)
    assert notes.back(at(first), at(s), 8, True) == 0
    assert held(s, "d") == (1.0,)
    assert notes.back(at(second), at(s), 8, True) == 1


def test_floats_move_by_half_a_word(notes):
    """An array of three floats, of which the second struct is copied to the first."""
    array = told(notes, memory("ffffff", 1.0, 2.0, 3.0, 4.0, 5.0, 6.0), "ffffff")
    assert notes.back(at(array), at(array, 12), 12, True) == 0
    assert held(array, "ffffff") == (0.0, 0.0, 0.0, 5.0, 7.0, 9.0)


def test_a_double_does_not(notes):
    d, s = told(notes, memory("d", 1.0), "d"), memory("")
    assert notes.back(at(d), at(s, 4), 8, True) == 1
    d = told(notes, memory("d", 1.5), "d")
    assert notes.back(at(d), at(s), 4, True) == 1
    assert notes.back(at(d, 4), at(s, 4), 4, True) == 1


@pytest.mark.parametrize("by", [8, -8, 16, -16])
def test_runs_that_overlap(notes, by):
    """memmove: what is overwritten has no adjoint of its own."""
    values = [float(k) for k in range(1, 9)]
    array = told(notes, memory("8d", *values), "d" * 8)
    d, s = (16 + by, 16) if by > 0 else (16, 16 - by)
    notes_before = list(values)
    moved = notes_before[d // 8 : d // 8 + 3]
    expected = [0.0 if d // 8 <= k < d // 8 + 3 else v for k, v in enumerate(notes_before)]
    for k, v in enumerate(moved):
        expected[s // 8 + k] += v
    assert notes.back(at(array, d), at(array, s), 24, True) == 0
    assert list(held(array, "8d")) == expected


def test_askew_numbers_are_not_moved(notes):
    d, s = memory("if", 0, 0.0), memory("")
    ctypes.memmove(at(d, 4), struct.pack("<d", 1.5), 8)
    assert notes.numbers(at(d, 4), 8, DOUBLE) == 0
    assert notes.numbers(at(d, 4), 8, DOUBLE) == 0
    assert notes.back(at(d), at(s), 16, True) == 1
    assert notes.numbers(at(d, 8), 8, DOUBLE) == 1


def test_tangents_are_copied_with_their_notes(notes):
    s, d = memory("fd", 1.0, 2.0), memory("dd", 1.0, 1.0)
    notes.written(at(s), 4, FLOATS)
    notes.written(at(s, 8), 8, DOUBLE)
    notes.written(at(d), 16, DOUBLE)
    notes.copy(at(d), at(s), 16)
    assert notes.tangents(at(d, 8), 8, DOUBLE) == 0
    assert notes.tangents(at(d), 8, DOUBLE) == 1
    notes.written(at(d), 8, 0)
    assert notes.tangents(at(d), 4, FLOATS) == 0


def test_memory_is_cleared(notes):
    memory_ = memory("qdff", ADDRESS, 1.5, 2.5, 3.5)
    told(notes, memory_, "qdff")
    notes.clear(at(memory_), 24, True)
    assert held(memory_, "qdff") == (0, 1.5, 2.5, 3.5)
    memory_[0] = ADDRESS
    notes.clear(at(memory_), 20, False)
    assert held(memory_, "qdff") == (ADDRESS, 0.0, 0.0, 3.5)
    assert notes.numbers(at(memory_, 8), 4, FLOATS) == 0


def test_shadow_pointers_are_copied(notes):
    text = int.from_bytes(b"init  ", "little")
    s, d = memory("qqdq", ADDRESS, 0, 1.5, text), memory("qqdq", 0, ADDRESS, 0.0, 0)
    own = memory("qqdq", ADDRESS + 8, 0, 3.0, text)
    assert notes.pointers(at(d), at(s), at(own), 32) == 0
    assert held(d, "qqdq") == (ADDRESS, 0, 0.0, 0)
    assert notes.pointers(at(d, 4), at(s), at(own), 32) == 1


@pytest.mark.parametrize("to", [0, 4])
def test_shadow_pointers_between_words_are_lost(notes, to):
    s, own = memory("iqiq", 0, ADDRESS, 0, 0), memory("iqiq", 0, ADDRESS + 8, 0, 0)
    assert notes.pointers(at(memory(""), to), at(s), at(own), 12) == 1
    assert notes.pointers(at(memory(""), to), at(s), at(own), 8) == 0  # half of it is none


def test_halves_of_two_shadow_pointers_are_none(notes):
    small = ADDRESS & ~0xFFFFFFFF | 0x1234
    s, own = memory("qqq", ADDRESS, small, small), memory("qqq", ADDRESS + 8, small + 8, small + 8)
    d = memory("")
    assert notes.pointers(at(d), at(s), at(own), 24) == 0
    assert held(d, "qqq") == (ADDRESS, small, small)


def test_shadow_pointers_are_copied_up(notes):
    array = memory("qqqq", ADDRESS, ADDRESS + 8, ADDRESS + 16, 0)
    assert notes.pointers(at(array, 8), at(array), at(memory("8q", *range(8))), 24) == 0
    assert held(array, "qqqq") == (ADDRESS, ADDRESS, ADDRESS + 8, ADDRESS + 16)


def test_far_words_have_notes_of_their_own(notes):
    """More memory than the notes of one list."""
    large = (ctypes.c_double * (1 << 23))()
    base = ctypes.addressof(large)
    for k in range(0, 1 << 26, 1 << 14):
        notes.numbers(base + k, 8, DOUBLE if k >> 14 & 1 else FLOATS)
    for k in range(0, 1 << 26, 1 << 14):
        ctypes.c_double.from_address(base + k).value = 1.5
        assert notes.numbers(base + k, 8, FLOATS) == (k >> 14 & 1)


def test_dropped_notes_are_gone(notes):
    memory_ = told(notes, memory("d", 1.5), "d")
    notes.drop()
    assert notes.numbers(at(memory_), 4, FLOATS) == 0
