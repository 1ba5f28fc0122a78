"""Programs do the same with our bodies of libc++'s functions as with its own; only derivatives get them."""

from __future__ import annotations

import re
import shutil
import subprocess  # noqa: TID251 - to run compilers and their programs
import sys
from pathlib import Path

import pytest

from enzyme_build.cxx import bodies
from enzyme_build.errors import ToolError
from enzyme_build.toolchain.find import ToolSettings

PROGRAM = Path(__file__).parent / "library.cpp"
RELEASED = "_ZNSt3__119__shared_weak_count14__release_weakEv"
SORTED = "_ZNSt3__16__sortIRNS_6__lessIddEEPdEEvT0_S5_T_"
MODULE = f"""
declare void @{RELEASED}(ptr)
declare void @{SORTED}(ptr, ptr, ptr)
declare void @__enzyme_autodiff(ptr, ...)
define void @f(ptr %x, ptr %end) {{
  call void @{SORTED}(ptr %x, ptr %end, ptr null)
  ret void
}}
define void @elsewhere(ptr %counts) {{
  call void @{RELEASED}(ptr %counts)
  ret void
}}
define void @asks(ptr %x, ptr %x_bar, ptr %end) {{
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %x_bar, ptr %end)
  ret void
}}
"""


def run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def library() -> Path:
    """Our bodies, compiled."""
    found = bodies.compiled(ToolSettings()) if shutil.which("clang++-22") else None
    if found is None:
        pytest.skip("libc++ not found")
    return found


@pytest.mark.compile
@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_bodies_do_what_the_library_does(tmp_path: Path, level: str) -> None:
    words = [level, "-stdlib=libc++", str(PROGRAM), "-o"]
    driver = [sys.executable, "-P", "-c", "import sys; from enzyme_build.drivers import cxx; sys.exit(cxx())"]
    run(tmp_path, "clang++-22", *words, "plain")
    run(tmp_path, *driver, "-DREQUEST", *words, "derived")
    assert run(tmp_path, "./derived") == run(tmp_path, "./plain")
    names = run(tmp_path, "nm", "-D", "--undefined-only", "derived")
    assert not re.search(r"6__sort|14__release_weak|9to_string|basic_string\S*6insert", names)


@pytest.mark.compile
def test_only_what_requests_lead_to_gets_a_body(library: Path) -> None:
    found = bodies.add_bodies(MODULE, library)
    assert re.search(rf"(?m)^define internal void @{SORTED}\(", found)
    assert re.search(rf"(?m)^declare void @{RELEASED}\(", found)
    assert re.search(r"(?m)^define void @elsewhere\(", found)


@pytest.mark.compile
def test_functions_whose_derivatives_are_made_ahead_lead_to_bodies(library: Path) -> None:
    found = bodies.add_bodies(MODULE, library, frozenset(["elsewhere"]))
    assert re.search(rf"(?m)^define internal void @{RELEASED}\(", found)


def test_without_the_library_there_are_no_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> Path:
        raise ToolError("no such header")

    monkeypatch.setattr(bodies, "compiled_bodies", missing)
    assert bodies.compiled(ToolSettings()) is None
