"""Places and types of the source, from debug information of real compilers."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from enzyme_build.errors import SourceLocation
from enzyme_build.ir.debug import DebugType, location_chain, location_of, subprogram_of
from enzyme_build.ir.parser import parse_module
from enzyme_build.llvm.context import parse_bitcode
from enzyme_build.toolchain.process import run

if TYPE_CHECKING:
    from pathlib import Path

    from enzyme_build.ir.module import Module

C = """\
typedef double real;
struct node { real x; float y[2][3]; const struct node *next; union { long i; double d; } u; };
static double inner(double a) {
  return a * a;
}
double f(const struct node *p, int n, _Bool flag, _Complex double z, void *any) {
  double s = inner(p->x);
  return s + n;
}
void g(void) {}
"""


def compiled(path: Path, tool: str, name: str, text: str, options: list[str]) -> Module:
    program = shutil.which(tool)
    if program is None:
        pytest.skip(f"{tool} is not installed")
    (path / name).write_text(text)
    result = run([program, *options, name, "-o", "out.bc"], cwd=path)
    assert result.returncode == 0, result.stderr
    return parse_module(str(parse_bitcode((path / "out.bc").read_bytes(), name)))


@pytest.fixture(params=["-O0", "-O2"])
def module(request: pytest.FixtureRequest, tmp_path: Path) -> Module:
    return compiled(tmp_path, "clang-22", "s.c", C, ["-g", "-c", "-emit-llvm", request.param])


@pytest.mark.compile
def test_parameters_and_result(module: Module) -> None:
    f = subprogram_of(module, module.function("f"))
    assert f is not None
    assert (f.name, f.location) == ("f", SourceLocation("s.c", 6))
    assert [parameter.name for parameter in f.parameters] == ["p", "n", "flag", "z", "any"]
    kinds = [(parameter.type.kind, parameter.type.size) for parameter in f.parameters]
    assert kinds == [("pointer", 8), ("int", 4), ("bool", 1), ("complex", 16), ("pointer", 8)]
    assert f.parameters[4].type.element is None
    assert f.result is not None
    assert (f.result.kind, f.result.size) == ("float", 8)
    g = subprogram_of(module, module.function("g"))
    assert g is not None
    assert (g.parameters, g.result) == ((), None)


@pytest.mark.compile
def test_a_recursive_struct(module: Module) -> None:
    f = subprogram_of(module, module.function("f"))
    assert f is not None
    node = f.parameters[0].type.element
    assert node is not None
    assert (node.kind, node.name, node.size) == ("struct", "node", 48)
    x, y, following, union = node.members
    assert [(m.name, m.offset) for m in node.members] == [("x", 0), ("y", 8), ("next", 32), ("u", 40)]
    assert (x.type.kind, x.type.name) == ("float", "real")
    assert (y.type.kind, y.type.dimensions, y.type.count, y.type.size) == ("array", (2, 3), 6, 24)
    assert isinstance(y.type.element, DebugType)
    assert y.type.element.size == 4
    assert following.type.element is not None
    assert [m.name for m in following.type.element.members] == ["x", "y", "next", "u"]
    assert (union.type.kind, [m.type.kind for m in union.type.members]) == ("union", ["int", "float"])


@pytest.mark.compile
def test_where_an_inlined_instruction_comes_from(tmp_path: Path) -> None:
    module = compiled(tmp_path, "clang-22", "s.c", C, ["-g", "-c", "-emit-llvm", "-O2"])
    function = module.function("f")
    multiply = next(i for i in function.instructions() if getattr(i, "op", "") == "fmul")
    chain = location_chain(module, multiply)
    assert [(place.file, place.line) for place in chain] == [("s.c", 4), ("s.c", 7)]
    assert location_of(module, multiply) == chain[0]
    assert chain[0].column == 12


def test_without_debug_information() -> None:
    module = parse_module("define void @f() {\n  ret void\n}\n")
    function = module.function("f")
    assert subprogram_of(module, function) is None
    assert location_of(module, function.entry.terminator) is None
    assert location_chain(module, function.entry.terminator) == []


def test_compiler_generated_code_is_placed_at_its_caller() -> None:
    module = parse_module(
        "define void @f() {\n  ret void, !dbg !0\n}\n\n"
        "!0 = !DILocation(line: 0, scope: !2, inlinedAt: !1)\n"
        "!1 = distinct !DILocation(line: 9, column: 3, scope: !2)\n"
        '!2 = distinct !DISubprogram(name: "f", file: !3, line: 8)\n!3 = !DIFile(filename: "a.c", directory: "/d")\n'
    )
    assert location_of(module, module.function("f").entry.terminator) == SourceLocation("a.c", 9, 3)


def test_fortran(tmp_path: Path) -> None:
    source = (
        "subroutine s(x, n, a)\n  integer :: n\n  real(8) :: x(n)\n  real(8), allocatable :: a(:, :)\n"
        "  x(1) = a(1, 1)\nend subroutine\n"
    )
    module = compiled(tmp_path, "flang-22", "s.f90", source, ["-g", "-c", "-emit-llvm"])
    s = subprogram_of(module, module.function("s_"))
    assert s is not None
    assert [parameter.name for parameter in s.parameters] == ["x", "n", "a"]
    assert [parameter.type.kind for parameter in s.parameters] == ["array", "int", "array"]
    assert s.parameters[2].type.dimensions == (None, None)


def test_rust(tmp_path: Path) -> None:
    source = (
        "pub struct P { pub a: f64, pub b: f32 }\npub enum E { A(f64), B }\n"
        "#[no_mangle] pub fn f(x: &[f64], p: &P, e: E) -> f64 {\n"
        "  x[0] + p.a + if let E::A(y) = e { y } else { 0.0 } }\n"
    )
    options = ["--emit=llvm-bc", "--crate-type=lib", "-g", "-Copt-level=0"]
    module = compiled(tmp_path, "rustc", "s.rs", source, options)
    f = subprogram_of(module, module.function("f"))
    assert f is not None
    assert [(parameter.name, parameter.type.kind) for parameter in f.parameters] == [
        ("x", "struct"),
        ("p", "pointer"),
        ("e", "struct"),
    ]
    assert [(m.name, m.offset) for m in f.parameters[0].type.members] == [("data_ptr", 0), ("length", 8)]
    assert [m.type.kind for m in f.parameters[2].type.members] == ["union"]


@pytest.mark.parametrize(("places", "line"), [(("!0", ""), 9), (("", "!0"), 9), (("!1", ""), 8), (("", ""), 8)])
def test_an_instruction_without_a_place_is_where_its_neighbours_are(places: tuple[str, str], line: int) -> None:
    before, behind = (f", !dbg {place}" if place else "" for place in places)
    module = parse_module(
        f"define double @f(double %x) !dbg !2 {{\n  %a = fadd double %x, %x{before}\n  %b = fmul double %a, %a\n"
        f"  ret double %b{behind}\n}}\n\n"
        "!0 = !DILocation(line: 9, column: 3, scope: !2)\n!1 = !DILocation(line: 0, scope: !2)\n"
        '!2 = distinct !DISubprogram(name: "f", file: !3, line: 8)\n!3 = !DIFile(filename: "a.c", directory: "/d")\n'
    )
    found = location_of(module, module.function("f").entry.instructions[1])
    assert found is not None
    assert (found.file, found.line) == ("a.c", line)
