"""Packages with our crate in their build scripts: the example by the commands of its manual, one with every language
and kind of user, one over other people's crates, and a program that asks for its gradient itself."""

from __future__ import annotations

import ctypes
import re
import shutil
import tomllib
from pathlib import Path

import pytest

pytestmark = [pytest.mark.compile]

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[1] / "examples" / "cargo"
MANUAL = (HERE.parents[1] / "docs" / "cargo.md").read_text()
SCRIPT = "build-script-build`"
REGISTRY = Path("/usr/share/cargo/registry")


def blocks(language):
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", MANUAL)


@pytest.fixture(scope="module")
def example(make_workspace):
    """The example, built and run by the commands of the manual."""
    workspace = make_workspace(EXAMPLE)
    *commands, last = re.findall(r"(?m)^\$ (.*)$", blocks("console")[0])
    for command in commands:
        assert "warning" not in workspace.run(command)
    assert blocks("console")[0].endswith(f"$ {last}\n{workspace.prints(last)}")
    return workspace


def test_the_manual_shows_the_example():
    shown = blocks("rust")
    assert shown[0] == (EXAMPLE / "build.rs").read_text()
    module, _, function = shown[1].partition("\n\n")
    text = (EXAMPLE / "src" / "lib.rs").read_text()
    assert module in text
    assert function.strip() in text


def test_only_what_depends_on_a_change_is_differentiated_again(example):
    def runs_the_script():
        return SCRIPT in example.run("cargo build --release --verbose")

    assert not runs_the_script()
    (example.folder / "model" / "springs.h").touch()
    assert runs_the_script()
    assert not runs_the_script()
    (example.folder / "src" / "main.rs").touch()
    assert not runs_the_script()


def test_what_the_command_says_of_a_mistake(example):
    script = example.folder / "build.rs"
    right = script.read_text()
    script.write_text(right.replace("energy(x", "enrgy(x"))
    done = example.start("cargo build --release")
    script.write_text(right)
    assert done.returncode == 101
    assert "panicked at build.rs:9:10" in done.stderr
    assert "enzyme-build: enzyme-build could not differentiate 'enrgy(x[n], n, k)' (exit status: 1)" in done.stderr
    assert "no function 'enrgy'" in done.stderr
    assert "to run it by hand:" in done.stderr


def test_variables_that_were_read_count(example):
    example.environment = {**example.environment, "CC_x86_64_unknown_linux_gnu": "clang-22"}
    assert SCRIPT in example.run("cargo build --release --verbose")
    assert SCRIPT not in example.run("cargo build --release --verbose")


@pytest.fixture(scope="module")
def languages(make_workspace):
    if not shutil.which("flang-22"):
        pytest.skip("flang not found")
    workspace = make_workspace(HERE / "languages", with_crate=True)
    workspace.run("cargo build")
    return workspace


def test_every_language_and_what_is_handed_on(languages):
    assert languages.prints("cargo run --quiet") == "1.433359 [-1.637462, -1.797316, -0.991793] -4.426571\n"
    assert "1 passed; 0 failed" in languages.run("cargo test --package model --lib")


def test_a_c_interface(languages):
    library = ctypes.CDLL(str(languages.folder / "target" / "debug" / "libcapi.so"))
    library.model_evaluate.restype = ctypes.c_double
    x, gradient = (ctypes.c_double * 3)(0.1, 0.2, 0.3), (ctypes.c_double * 3)()
    assert library.model_evaluate(x, ctypes.c_size_t(3), gradient) == pytest.approx(1.433359, abs=1e-6)
    assert list(gradient) == pytest.approx([-1.637462, -1.797316, -0.991793], abs=1e-6)


def test_crates_of_others_in_a_program_with_its_own_allocator(make_workspace):
    needed = tomllib.loads((HERE / "registry" / "kernel" / "Cargo.toml").read_text())["dependencies"]
    for name in needed:
        if not list(REGISTRY.glob(f"{name}-[0-9]*")):
            pytest.skip(f"librust-{name}-dev not installed")
    workspace = make_workspace(HERE / "registry", with_crate=True)
    assert workspace.prints("cargo run --quiet") == "9 right\n"
    told = next(workspace.folder.glob("target/debug/build/registry-*/output")).read_text()
    assert "rerun-if-changed=kernel/src/lib.rs" in told.replace(f"{workspace.folder}/", "")
    assert not (workspace.folder / "kernel" / "target").exists()


def test_a_program_that_asks_itself(make_workspace, tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / ".cargo").mkdir()
    (tmp_path / "Cargo.toml").write_text('[package]\nname = "asking"\nversion = "0.1.0"\nedition = "2024"\n')
    (tmp_path / ".cargo" / "config.toml").write_text(blocks("toml")[0])
    (tmp_path / "src" / "main.rs").write_text(blocks("rust")[2])
    workspace = make_workspace(tmp_path)
    for profile in ("", " --release"):
        assert blocks("console")[1] == f"$ cargo run\n{workspace.prints(f'cargo run{profile}')}"
