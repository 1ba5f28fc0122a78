"""Derivatives of Rust code beside other Rust code: each brings its own part of the standard library."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Folder

PATH = f"{os.environ.get('PATH', '')}:{Path.home()}/.cargo/bin"  # noqa: TID251 - as a user's shell has it
pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(not shutil.which("rustc", path=PATH), reason="rustc not found"),
]

SQUARES = """
#[no_mangle] pub extern "C" fn NAME(x: f64, n: usize) -> f64 {
    let v: Vec<f64> = (0..n).map(|i| x * i as f64).collect();
    v.iter().map(|a| a * a).sum()
}
"""
ALLOCATED = """
use std::alloc::{alloc, dealloc, Layout};
#[no_mangle] pub unsafe extern "C" fn NAME(x: f64, n: usize) -> f64 {
    let layout = Layout::from_size_align_unchecked(8, 8);
    let p = alloc(layout) as *mut f64;
    *p = x * x * n as f64;
    let value = *p;
    dealloc(p as *mut u8, layout);
    value
}
"""
RUST_PROGRAM = """
unsafe extern "C" { fn one(x: f64, n: usize) -> f64; fn __enzyme_autodiff(f: *const (), ...) -> f64; }
extern "C" fn loss(x: f64) -> f64 { let s = vec![x, 2.0]; unsafe { one(s[0] * s[1], 3) } }
fn main() { println!("{}", unsafe { __enzyme_autodiff(loss as *const (), 2.0f64) }); }
"""
OWN_ALLOCATOR = """
struct Counted;
unsafe impl std::alloc::GlobalAlloc for Counted {
    unsafe fn alloc(&self, l: std::alloc::Layout) -> *mut u8 { std::alloc::System.alloc(l).add(0) }
    unsafe fn dealloc(&self, p: *mut u8, l: std::alloc::Layout) { std::alloc::System.dealloc(p, l) }
}
#[global_allocator] static ALLOCATOR: Counted = Counted;
"""
C_PROGRAM = """
#include <stdio.h>
#include <stddef.h>
double one(double, size_t), two(double, size_t); double __enzyme_autodiff(void *, ...);
double loss(double x) { return one(x, 3) + two(x * x, 3); }
int main(void) { printf("%g\\n", __enzyme_autodiff((void *)loss, 2.0)); }
"""


@pytest.mark.parametrize(("source", "slope"), [(SQUARES, 80), (ALLOCATED, 48)], ids=["vector", "allocator alone"])
@pytest.mark.parametrize("output", ["libone.a", "one.o", "libone.so"])
def test_in_a_program_of_rust(folder: Folder, source: str, slope: int, output: str) -> None:
    folder.write("one.rs", source.replace("NAME", "one"))
    folder.export("one.rs", "--function", "one", "-o", output, PATH=PATH)
    for name, text in (("use", RUST_PROGRAM), ("own", RUST_PROGRAM + OWN_ALLOCATOR)):
        folder.write(f"{name}.rs", text)
        folder.rust(f"-O {name}.rs -Clink-arg={output} -Clink-arg=-Wl,-rpath,{folder.path}", PATH=PATH)
        assert folder.good(folder.path / name) == f"{slope}\n"


def test_two_in_one_program(folder: Folder) -> None:
    folder.write("use.c", C_PROGRAM)
    for name in ("one", "two"):
        folder.write(f"{name}.rs", SQUARES.replace("NAME", name))
        folder.export(f"{name}.rs", "--function", name, "-o", f"{name}.a", PATH=PATH)
    folder.compiled("-O2 use.c one.a two.a -lm -o use")
    assert folder.good(folder.path / "use") == "180\n"


def test_static_libraries_of_rustc(folder: Folder) -> None:
    """What is not the crate's own in them is not the library's either."""
    folder.write("use.c", C_PROGRAM)
    for name in ("one", "two"):
        folder.write(f"{name}.rs", SQUARES.replace("NAME", name))
        folder.rust(f"-O --crate-type=staticlib {name}.rs -o {name}_rust.a", PATH=PATH)
        folder.export(f"{name}_rust.a", "--function", name, "-o", f"{name}.a", PATH=PATH)
    folder.compiled("-O2 use.c one.a two.a -lm -o use")
    assert folder.good(folder.path / "use") == "180\n"
    folder.write("again.rs", RUST_PROGRAM)
    folder.rust("-O again.rs -Clink-arg=one.a", PATH=PATH)
    assert folder.good(folder.path / "again") == "80\n"
