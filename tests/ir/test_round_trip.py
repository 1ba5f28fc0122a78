"""Programs of four languages through the model: LLVM must print the same text again, so it is the same program."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_module
from enzyme_build.llvm.context import parse_bitcode, parse_text
from enzyme_build.llvm.emit import emit_object
from enzyme_build.llvm.optimise import Target
from enzyme_build.toolchain.process import run

from .reading import llvm_text, reprinted

HERE = Path(__file__).parent
LEVELS = ("-O0", "-O1", "-O2", "-O3")


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def compiled(command: list[str], output: Path) -> str:
    """LLVM's text of what a front end makes."""
    result = run([*command, "-o", str(output)])
    assert result.returncode == 0, result.stderr
    return str(parse_bitcode(output.read_bytes(), str(output))).split("\n", 1)[1]


def assert_same(text: str) -> None:
    # Text from bitcode numbers its metadata in another order than text from text.
    assert llvm_text(reprinted(text)) == llvm_text(text)


def test_every_instruction() -> None:
    assert_same(llvm_text((HERE / "every_instruction.ll").read_text()))


def test_initialisers_are_read_completely() -> None:
    module = parse_module(llvm_text((HERE / "every_instruction.ll").read_text()))
    for variable in module.globals.values():
        text = getattr(variable, "initializer", None)
        if text is not None:
            constant = module.global_initializer(variable)
            assert constant is not None
            assert constant.text == text


def test_an_untouched_module_is_its_own_text() -> None:
    text = llvm_text((HERE / "every_instruction.ll").read_text())
    module = parse_module(text)
    for name in module.bodies:
        module.function(name)
    assert llvm_text(print_module(module)) == text
    assert text[: module.attribute_spans[0][0]] in print_module(module)


@pytest.mark.compile
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("debug", ["", "-g"])
def test_c(tmp_path: Path, level: str, debug: str) -> None:
    options = [option for option in (level, debug) if option]
    text = compiled([tool("clang-22"), "-c", "-emit-llvm", *options, str(HERE / "sample.c")], tmp_path / "c.bc")
    assert_same(text)


@pytest.mark.compile
@pytest.mark.parametrize("level", LEVELS)
def test_cpp(tmp_path: Path, level: str) -> None:
    command = [tool("clang++-22"), "-std=c++20", "-c", "-emit-llvm", level, str(HERE / "sample.cpp")]
    assert_same(compiled(command, tmp_path / "cpp.bc"))


@pytest.mark.compile
@pytest.mark.parametrize("options", [["-O0"], ["-O3", "-march=x86-64-v3", "-ffast-math"]])
def test_eigen(tmp_path: Path, options: list[str]) -> None:
    if not Path("/usr/include/eigen3").is_dir():
        pytest.skip("Eigen is not installed")
    command = [tool("clang++-22"), "-w", "-I/usr/include/eigen3", "-c", "-emit-llvm", str(HERE / "sample_eigen.cpp")]
    assert_same(compiled([*command, *options], tmp_path / "eigen.bc"))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("debug", ["", "-g"])
def test_fortran(tmp_path: Path, level: str, debug: str) -> None:
    options = [option for option in (level, debug) if option]
    command = [tool("flang-22"), "-c", "-emit-llvm", *options, "-module-dir", str(tmp_path), str(HERE / "sample.f90")]
    assert_same(compiled(command, tmp_path / "f.bc"))


@pytest.mark.parametrize("level", ["0", "1", "2", "3"])
@pytest.mark.parametrize("debug", ["0", "2"])
def test_rust(tmp_path: Path, level: str, debug: str) -> None:
    command = [tool("rustc"), "--emit=llvm-bc", "-Cdebuginfo=" + debug, "-Copt-level=" + level, "-Awarnings"]
    assert_same(compiled([*command, str(HERE / "sample.rs")], tmp_path / "r.bc"))


@pytest.mark.compile
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_the_object_code_is_the_same(tmp_path: Path, level: str) -> None:
    command = [tool("clang++-22"), "-std=c++20", "-c", "-emit-llvm", level, str(HERE / "sample.cpp")]
    text = compiled(command, tmp_path / "cpp.bc")
    before = emit_object(parse_text(text, "the original"), Target())
    after = emit_object(parse_text(reprinted(text), "the reprinted module"), Target())
    assert before == after


@pytest.mark.compile
def test_the_program_runs_as_before(tmp_path: Path) -> None:
    clang = tool("clang++-22")
    text = compiled(
        [clang, "-std=c++20", "-fPIC", "-O1", "-c", "-emit-llvm", str(HERE / "sample.cpp")], tmp_path / "p.bc"
    )
    outputs = []
    for name, content in (("before", text), ("after", reprinted(text))):
        (tmp_path / f"{name}.o").write_bytes(emit_object(parse_text(content, name), Target()))
        assert run([clang, str(tmp_path / f"{name}.o"), "-o", str(tmp_path / name)]).returncode == 0
        result = run([str(tmp_path / name)])
        outputs.append((result.returncode, result.stdout, result.stderr))
    assert outputs[0] == outputs[1]
    assert "14" in outputs[0][1]
