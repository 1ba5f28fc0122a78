"""Symbols of objects, changed; the linker and `nm` say what became of them."""

from __future__ import annotations

import shutil
import subprocess  # noqa: TID251 - tools outside the package read the objects

import pytest

from enzyme_build.commands.symbols import private, weakened

pytestmark = pytest.mark.compile

ONE = "int shared(void) { return 1; } int first(void) { return shared(); } int again(void) { return 10 * shared(); }"
OTHER = "int shared(void) { return 2; } int second(void) { return shared(); }"
MAIN = "int first(void), second(void), again(void);\nint main(void) { return first() + second() + again(); }"


@pytest.fixture
def compiler(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    program = shutil.which("clang-22") or "clang"

    def compiled(name, text, *words):
        (tmp_path / f"{name}.c").write_text(text)
        command = [program, "-O0", "-fPIC", "-ffunction-sections", "-c", f"{name}.c", "-o", f"{name}.o", *words]
        subprocess.run(command, check=True)
        return (tmp_path / f"{name}.o").read_bytes()

    def result(*objects):
        for index, data in enumerate(objects):
            (tmp_path / f"{index}.o").write_bytes(data)
        subprocess.run([program, *(f"{index}.o" for index in range(len(objects))), "-o", "prog"], check=True)
        return subprocess.run(["./prog"], check=False).returncode

    compiled.result = result
    return compiled


def test_weak_symbols_give_way(compiler):
    one, other, main = compiler("one", ONE), compiler("other", OTHER), compiler("main", MAIN)
    assert compiler.result(weakened(one, {"shared"}), other, main) == 2 + 2 + 20


def test_private_symbols_stay_with_their_object(compiler):
    one, other, main = compiler("one", ONE), compiler("other", OTHER), compiler("main", MAIN)
    assert compiler.result(private(one, {"shared", "printf"}, "one."), other, main) == 1 + 2 + 10


def test_what_is_no_object_stays_as_it_is():
    assert private(b"BC\xc0\xde", {"f"}, "g.") == weakened(b"BC\xc0\xde", {"f"}) == b"BC\xc0\xde"
