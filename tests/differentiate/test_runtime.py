"""The texts of runtime functions: LLVM accepts them, they can be added to any module, and they do what they say."""

from __future__ import annotations

import ctypes

import pytest

from enzyme_build.differentiate import runtime
from enzyme_build.differentiate.helpers import ensure_helpers
from enzyme_build.differentiate.runtime_arenas import ARENAS
from enzyme_build.differentiate.runtime_trees import TREES
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_module
from enzyme_build.ir.types import BFLOAT, DOUBLE, FLOAT, HALF, I64, PTR, X86_FP80
from enzyme_build.llvm.context import parse_text

from .jit import Compiled

FIXED = sorted(name.removeprefix("enzyme_build.") for name in runtime._FIXED | ARENAS)
EMPTY = 'target triple = "x86_64-pc-linux-gnu"\n'


@pytest.mark.parametrize("name", FIXED)
def test_fixed_functions_are_valid(name):
    module = parse_module(EMPTY)
    function = runtime.runtime_function(module, name)
    ensure_helpers(module)
    assert check_function(module, function) == []
    parse_text(print_module(module), name)
    assert runtime.runtime_function(module, name) is function


def test_all_fixed_functions_together():
    module = parse_module(EMPTY)
    names = [*FIXED, *(name.removeprefix("enzyme_build.") for name in TREES)]
    for name in names:
        runtime.runtime_function(module, name)
    ensure_helpers(module)
    parsed = parse_text(print_module(module), "the runtime")
    defined = {f.name for f in parsed.functions if not f.is_declaration}
    assert defined == {f"enzyme_build.{name}" for name in names}


@pytest.mark.parametrize("type_", [HALF, BFLOAT, FLOAT, DOUBLE, X86_FP80], ids=str)
@pytest.mark.parametrize("name", ["adjoint_copy", "field_copy", "field_clear"])
def test_typed_functions_are_valid(name, type_):
    module = parse_module(EMPTY)
    size = module.layout.store_size(type_)
    function = runtime.typed_function(module, name, type_, size)
    assert check_function(module, function) == []
    parse_text(print_module(module), name)
    assert runtime.typed_function(module, name, type_, size) is function


def test_pointers_are_copied():
    module = parse_module(EMPTY)
    runtime.typed_function(module, "field_copy", PTR, 8)
    parse_text(print_module(module), "field_copy")


@pytest.fixture
def compiled():
    """`run(symbol, types…)`: a function of the runtime in this process."""

    def run(module, symbol, *types, returns=None):
        text = print_module(module).replace("define internal", "define").replace(symbol, "golden")
        return Compiled(text)("golden", returns, *types)

    return run


def doubles(*values):
    return (ctypes.c_double * len(values))(*values)


def test_adjoints_move_back(compiled):
    module = parse_module("")
    runtime.typed_function(module, "adjoint_copy", DOUBLE, 8)
    p, n = ctypes.c_void_p, ctypes.c_int64
    move = compiled(module, "enzyme_build.adjoint_copy.double", p, p, n, n, ctypes.c_bool)
    destination, source = doubles(1, 2, 3, 4), doubles(10, 20, 30, 40)
    move(destination, source, 2, 16, True)  # every second number
    assert list(destination) == [0, 2, 0, 4]
    assert list(source) == [11, 20, 33, 40]
    move(destination, source, 4, 8, False)
    assert list(destination) == [0, 0, 0, 0]
    assert list(source) == [11, 20, 33, 40]
    move(destination, source, 0, 8, True)
    assert list(source) == [11, 20, 33, 40]


def test_fields_are_cleared(compiled):
    module = parse_module("")
    runtime.typed_function(module, "field_clear", DOUBLE, 8)
    clear = compiled(module, "enzyme_build.field_clear.double", ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
    memory = doubles(1, 2, 3, 4, 5)
    clear(memory, 2, 24)
    assert list(memory) == [0, 2, 3, 0, 5]


def test_addresses_that_are_copied_to_odd_places_are_found(compiled):
    module = parse_module("")
    runtime.typed_function(module, "pointer_cuts", I64, 8)
    p, n = ctypes.c_void_p, ctypes.c_int64
    cuts = compiled(module, "enzyme_build.pointer_cuts.i64", p, p, p, n, returns=n)
    address = 0x7F12_3456_7890
    shadow, own = (ctypes.c_int64 * 3)(0, address, 7), (ctypes.c_int64 * 3)(1, 2, 3)
    number = (ctypes.c_int64 * 3)(0, 0x3FF0_0000_0000_0000, 7)
    target = ctypes.create_string_buffer(64)
    even = (ctypes.addressof(target) + 7) & -8
    assert cuts(even + 1, shadow, own, 24) == 1
    assert cuts(even, shadow, own, 24) == 0
    assert cuts(even + 1, shadow, own, 8) == 0  # the address lies behind what is copied
    assert cuts(even + 1, shadow, shadow, 24) == 0  # constant memory is its own shadow
    assert cuts(even + 1, number, own, 24) == 0  # of which the reverse sweep takes care
    assert cuts(even + 1, shadow, own, 0) == 0


@pytest.mark.parametrize(("outer", "inner"), [(400_000, 150_000), (150_000, 70_000), (70_000, 400_000)])
def test_blocks_that_are_kept_do_not_grow(outer, inner):
    """Two arenas are alive at once, as in a derivative of a derivative: each may find the other's block."""
    module = parse_module(EMPTY)
    for name in ("arena_take", "release"):
        runtime.runtime_function(module, name)
    ensure_helpers(module)
    text = print_module(module).replace("define internal", "define").replace("enzyme_build.", "runtime_")
    compiled = Compiled(text.replace("= internal global", "= global"))
    p, n = ctypes.c_void_p, ctypes.c_int64
    take, release = compiled("runtime_arena_take", p, p, n), compiled("runtime_release", None, p)
    blocks = (n * 16).from_address(compiled.address("runtime_tape_blocks"))

    def filled(total):
        arena = (n * 4)()
        for start in range(0, total, 4000):
            ctypes.memset(take(arena, 4000), start % 100, 4000)
        return arena

    def kept():
        return sum(n.from_address(block).value for block in blocks if block)

    def call():
        first, second = filled(outer), filled(inner)
        release(second)
        release(first)

    for _ in range(10):
        call()
    before = kept()
    for _ in range(100):
        call()
    assert 0 < kept() <= before
