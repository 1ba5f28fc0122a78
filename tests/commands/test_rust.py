"""Rust sources and crates as inputs of the commands, and Rust's own programs with requests."""

from __future__ import annotations

import os
import shutil
import subprocess  # noqa: TID251 - the command and the module run as a user runs them
import sys
from pathlib import Path

import pytest

os_path = f"{os.environ.get('PATH', '')}:{Path.home()}/.cargo/bin"  # noqa: TID251 - as a user's shell has it

pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(not shutil.which("rustc", path=os_path), reason="rustc not found"),
]

LOSS = """
#[no_mangle]
pub extern "C" fn loss(x: *const f64, n: usize) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n) };
    let cubes: Vec<f64> = x.iter().map(|v| v * v * v).collect();
    let steps: Vec<f64> = x.windows(2).map(|w| w[1] - w[0]).collect();
    let mut sum = 0.0;
    for i in 0..n {
        sum += cubes[i] * x[(i + 1) % n];
    }
    sum + 0.0 * steps.iter().map(|v| v * v).sum::<f64>()
}
"""
LOSS_OF_TWO = """
#[no_mangle]
pub extern "C" fn loss(x: &[f64; 2], _n: usize) -> f64 {
    let cubes = [x[0].powi(3), x[1].powi(3)];
    cubes[0] * x[1] + cubes[1] * x[0]
}
"""
LOSS_OF_COLLECTIONS = """
use std::collections::BTreeMap;
#[no_mangle]
pub extern "C" fn loss(x: &[f64; 2], n: usize) -> f64 {
    let mut cubes: Vec<f64> = Vec::new();
    for v in x.iter().chain(x.iter()).take(n) { cubes.push(v.powi(3)); }
    let mut of: BTreeMap<usize, f64> = BTreeMap::new();
    for (i, v) in cubes.iter().enumerate() { of.insert(i, *v); }
    if n > 100 { panic!("{} are too many", n) }
    let mut parts: Vec<f64> = of.iter().map(|(i, v)| v * x[1 - i]).collect();
    parts.sort_by(|a, b| a.partial_cmp(b).unwrap());
    parts.iter().sum()
}
"""
CRATE = {
    "Cargo.toml": '[package]\nname = "two-springs"\nversion = "0.1.0"\nedition = "2021"\n'
    '[dependencies]\nshapes = { path = "shapes" }\n',
    "src/lib.rs": """
mod inner;
#[no_mangle]
pub extern "C" fn energy(x: &[f64; 3], k: f64) -> f64 {
    k * (shapes::square(inner::stretch(x[0], x[1])) + shapes::square(inner::stretch(x[1], x[2])))
}
""",
    "src/inner.rs": "pub fn stretch(a: f64, b: f64) -> f64 {\n    b - a - 1.0\n}\n",
    "shapes/Cargo.toml": '[package]\nname = "shapes"\nversion = "0.1.0"\nedition = "2021"\n',
    "shapes/src/lib.rs": "#[inline(never)]\npub fn square(x: f64) -> f64 {\n    x * x\n}\n",
}
PROGRAM = """
extern "C" {
    fn __enzyme_autodiff(f: *const (), ...);
    static enzyme_dup: i32;
    static enzyme_const: i32;
}
extern "C" fn loss(x: *const f64, n: usize) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n) };
    x.iter().map(|v| v * v * v).sum()
}
fn main() {
    let x = vec![1.0, 2.0, 3.0];
    let mut x_bar = vec![0.0; 3];
    unsafe {
        __enzyme_autodiff(loss as *const (), enzyme_dup, x.as_ptr(), x_bar.as_mut_ptr(), enzyme_const, x.len());
    }
    println!("{:?}", x_bar);
}
"""
CALL = """
#include <stdio.h>
double loss(const double *, unsigned long);
double loss_grad(const double *, double *, unsigned long);
int main(void) {
  double x[2] = {1, 2}, x_bar[2] = {0};
  printf("%g ", loss_grad(x, x_bar, 2));
  printf("%g %g\\n", x_bar[0], x_bar[1]);
  return 0;
}
"""
REQUEST = """
#include <stdio.h>
double loss(const double *, unsigned long);
void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
int main(void) {
  double x[2] = {1, 2}, x_bar[2] = {0};
  __enzyme_autodiff((void *)loss, enzyme_dup, x, x_bar, enzyme_const, 2ul);
  printf("%g %g\\n", x_bar[0], x_bar[1]);
  return 0;
}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in {"loss.rs": LOSS, "main.rs": PROGRAM, "call.c": CALL, "request.c": REQUEST}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", os_path)
    return tmp_path


@pytest.fixture
def crate(folder):
    for name, text in CRATE.items():
        path = folder / "springs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / "springs"


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def command(*words):
    return run(sys.executable, "-m", "enzyme_build", *words)


def cc(*words):
    return run(sys.executable, "-c", "from enzyme_build.drivers import cc; cc()", *words)


def plain_cc(*words):
    return run(shutil.which("clang-22") or "clang", *words)


def test_check(folder):
    assert "none wrong" in command("check", "loss.rs", "-f", "loss(x[n], n)")


@pytest.mark.parametrize(("ending", "linker"), [(".o", "lld"), (".a", "bfd")])
def test_an_object_has_what_it_needs_of_the_standard_library(folder, monkeypatch, ending, linker):
    monkeypatch.setenv("ENZYME_CC", f"{shutil.which('clang-22') or 'clang'} -fuse-ld={linker}")
    command("gradient", "loss.rs", "-f", "loss", "-o", f"grad{ending}")
    assert Path(f"grad{ending}").stat().st_size < 5e6  # the library's bitcode and debug data would be another 7e6
    plain_cc("call.c", f"grad{ending}", "-lm", "-o", "prog")
    assert run("./prog") == "10 14 13\n"


def test_an_object_can_be_linked_beside_another_rust_library(folder):
    command("gradient", "loss.rs", "-f", "loss", "-o", "grad.o")
    run("rustc", "--edition=2021", "--crate-type=staticlib", "-Cpanic=abort", "-O", "loss.rs", "-o", "libloss.a")
    plain_cc("call.c", "grad.o", "libloss.a", "-lm", "-o", "prog")
    assert run("./prog") == "10 14 13\n"


def test_two_objects_each_have_their_own_standard_library(folder):
    other = LOSS.replace("fn loss", "fn gain").replace("v * v * v)", "2.0 * v * v * v)")
    Path("gain.rs").write_text(other)
    for name in ("loss", "gain"):
        command("gradient", f"{name}.rs", "-f", name, "-o", f"{name}.o")
    text = "double gain_grad(const double *, double *, unsigned long);" + CALL
    Path("call.c").write_text(text.replace("return 0", 'printf("%g\\n", gain_grad(x, x_bar, 2));\n  return 0'))
    plain_cc("call.c", "loss.o", "gain.o", "-lm", "-o", "prog")
    assert run("./prog") == "10 14 13\n20\n"


def test_a_shared_library_shows_the_derivative_and_no_more(folder):
    command("gradient", "loss.rs", "-f", "loss", "-o", "libgrad.so", "--depfile", "grad.d")
    assert run("nm", "-D", "--defined-only", "libgrad.so").split()[2::3] == ["loss", "loss_grad"]
    assert "loss.rs" in Path("grad.d").read_text()
    plain_cc("call.c", "libgrad.so", f"-Wl,-rpath,{folder}", "-o", "prog")
    assert run("./prog") == "10 14 13\n"


def test_a_crate_with_a_dependency(crate):
    command(
        "gradient", crate / "Cargo.toml", "-f", "energy", "-o", "grad.o", "--depfile", "grad.d", "--header", "grad.h"
    )
    depends = Path("grad.d").read_text()
    assert "springs/src/inner.rs" in depends
    assert "springs/Cargo.toml" in depends
    assert "springs/shapes/Cargo.toml" in depends
    assert "double energy_grad(" in Path("grad.h").read_text()
    assert "none wrong" in command("check", crate / "Cargo.toml", "-f", "energy(x[3], k)")


def test_equal_crates_give_equal_bytes(crate, folder, monkeypatch):
    made = []
    for place in (folder, folder / "another" / "place"):
        if place != folder:
            shutil.copytree(crate, place / "springs", ignore=shutil.ignore_patterns("target"))
        monkeypatch.chdir(place)
        for output in ("grad.so", "grad.o", "grad.ll"):
            command("gradient", "springs/Cargo.toml", "-f", "energy", "-o", output)
        made.append([Path(name).read_bytes() for name in ("grad.so", "grad.o", "grad.ll")])
    assert made[0] == made[1]


def test_words_for_the_compiler_reach_rustc(crate, folder):
    for source in ("loss.rs", crate / "Cargo.toml"):
        function = "loss" if source == "loss.rs" else "energy"
        words = ["gradient", source, "-f", function, "-o", "grad.o", "--compile-arg=--no-such-option"]
        done = subprocess.run(
            [sys.executable, "-m", "enzyme_build", *map(str, words)], capture_output=True, text=True, check=False
        )
        assert done.returncode
        assert "Unrecognized option: 'no-such-option'" in done.stderr


def test_a_rust_library_without_bitcode(folder):
    (folder / "loss.rs").write_text(LOSS_OF_TWO)
    run("rustc", "--crate-type=staticlib", "-Cpanic=abort", "loss.rs", "-o", "libloss.a")
    words = [sys.executable, "-m", "enzyme_build", "gradient", "libloss.a", "-f", "loss", "-o", "loss.o"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "which is machine code without bitcode, compiled by rustc version 1" in done.stderr
    assert done.stderr.endswith("  hint: compile it with -C linker-plugin-lto, or give its source or Cargo.toml\n")


@pytest.mark.parametrize("panic", ["abort", "unwind"])
@pytest.mark.parametrize(("kind", "ending"), [("staticlib", "a"), ("rlib", "rlib")])
def test_a_c_program_with_a_rust_library(folder, kind, ending, panic):
    flags = ["-O", "-g", "-Clinker-plugin-lto", f"-Cpanic={panic}", "--edition=2021"]
    # Of the standard library, which an rlib leaves to whoever links it: vectors, a tree, sorting, a panic.
    (folder / "loss.rs").write_text(LOSS_OF_COLLECTIONS)
    run("rustc", f"--crate-type={kind}", *flags, "loss.rs", "-o", f"libloss.{ending}")
    cc("-O2", "request.c", f"libloss.{ending}", "-lm", "-o", "prog")
    assert run("./prog") == "14 13\n"


def test_a_rust_library_in_a_plain_link_and_in_commands(folder):
    (folder / "loss.rs").write_text(LOSS_OF_COLLECTIONS)
    run("rustc", "--crate-type=rlib", "-O", "--edition=2021", "loss.rs", "-o", "libplain.rlib")
    text = "double loss(const double *, long);\nint main(void) { double x[] = {1, 2}; return loss(x, 2) != 10; }\n"
    (folder / "plain.c").write_text(text)
    cc("plain.c", "libplain.rlib", "-lm", "-o", "plain")
    run("./plain")
    (folder / "loss.rs").write_text(LOSS)
    flags = ["-Clinker-plugin-lto", "-Cpanic=abort", "--edition=2021"]
    run("rustc", "--crate-type=rlib", "-O", "-g", *flags, "loss.rs", "-o", "libloss.rlib")
    assert "none wrong" in command("check", "libloss.rlib", "-f", "loss(x[n], n)")


@pytest.mark.parametrize("level", ["0", "2"])
def test_a_rust_program_that_asks_for_a_gradient(folder, level):
    driver = folder / "enzyme-cc"
    driver.write_text(f"#!{sys.executable}\nfrom enzyme_build.drivers import cc\ncc()\n")
    driver.chmod(0o755)
    flags = [f"-Copt-level={level}", f"-Clinker={driver}", "-Clinker-plugin-lto"]
    run("rustc", "--edition=2021", *flags, "main.rs", "-o", "prog")
    assert run("./prog") == "[3.0, 12.0, 27.0]\n"


def test_a_rust_program_without_requests_is_linked_as_it_is(folder):
    (folder / "hello.rs").write_text('fn main() { println!("hello"); }\n')
    driver = folder / "enzyme-cc"
    driver.write_text(f"#!{sys.executable}\nfrom enzyme_build.drivers import cc\ncc()\n")
    driver.chmod(0o755)
    run("rustc", f"-Clinker={driver}", "hello.rs", "-o", "prog")
    assert run("./prog") == "hello\n"


def test_a_manifest_without_a_package_is_refused(folder):
    Path("Cargo.toml").write_text("[workspace]\n")
    done = subprocess.run(
        [sys.executable, "-m", "enzyme_build", "gradient", "Cargo.toml", "-f", "f", "-o", "f.o"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "'Cargo.toml' describes no package" in done.stderr


CXX_MODEL = "namespace forces { double power(const double &x, double y) { return x * x * y; } }\n"
FORTRAN_MODEL = """
module springs
contains
  real(8) function energy(x, n, k)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), k
    energy = k * sum(x**2)
  end function
end module
"""
CALLER = """
mod power { include!("power.rs"); }
mod energy { include!("energy.rs"); }
fn main() {
    let (x, y, n) = ([3.0, 1.0], 2.0, 2);
    let (mut x_bar, mut y_bar) = ([0.0; 2], 0.0);
    unsafe {
        assert_eq!(power::power(&x[0], y), 18.0);
        assert_eq!(power::power_grad(&x[0], &mut x_bar[0], y, &mut y_bar), 18.0);
        assert_eq!((x_bar[0], y_bar), (12.0, 9.0));
        assert_eq!(energy::energy(x.as_ptr(), &n, &y), 20.0);
        x_bar[0] = 0.0;
        assert_eq!(energy::energy_grad(x.as_ptr(), x_bar.as_mut_ptr(), &n, &y, &mut y_bar), 20.0);
        assert_eq!((x_bar, y_bar), ([12.0, 4.0], 19.0));
    }
}
"""


@pytest.mark.skipif(not shutil.which("flang-22"), reason="flang not found")
def test_functions_of_other_languages_are_declared_by_their_symbols(folder):
    models = {"forces::power": ("power.cpp", CXX_MODEL), "springs::energy": ("energy.f90", FORTRAN_MODEL)}
    (folder / "caller.rs").write_text(CALLER)
    for function, (source, text) in models.items():
        (folder / source).write_text(text)
        stem = Path(source).stem
        command("gradient", source, "-f", function, "-o", f"{stem}.o", "--rust-bindings", f"{stem}.rs")
    objects = ["-Clink-arg=power.o", "-Clink-arg=energy.o", "-Clink-arg=-lm"]
    run("rustc", "--edition=2021", "-Dwarnings", *objects, "caller.rs", "-o", "caller")
    run("./caller")
