"""The documentation says what the program does: every code is in the catalogue, every example behaves as described."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess  # noqa: TID251 - examples are built as a user does
import sys
from pathlib import Path

import pytest

import enzyme_build

PACKAGE = Path(enzyme_build.__file__).parent
ROOT = Path(__file__).parents[1]
ERRORS = (ROOT / "docs" / "errors.md").read_text()
README = (ROOT / "README.md").read_text()
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def sections() -> dict[str, str]:
    """The text below each `### E…` of the catalogue."""
    parts = re.split(r"(?m)^### (E\d{4}): .*\n", ERRORS)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", text)


PRELUDE = blocks(ERRORS, "c")[0]
EXAMPLES = {code: found[0] for code, text in sections().items() if (found := blocks(text, "c"))}
CXX_EXAMPLES = {code: found[0] for code, text in sections().items() if (found := blocks(text, "cpp"))}
FORTRAN_EXAMPLES = {code: found[0] for code, text in sections().items() if (found := blocks(text, "fortran"))}
LLVM_EXAMPLES = {code: found[0] for code, text in sections().items() if (found := blocks(text, "llvm"))}
needs_flang = pytest.mark.skipif(not (shutil.which("flang-22") or shutil.which("flang")), reason="flang not found")


def driver(name: str) -> list[str]:
    return [sys.executable, "-c", f"from enzyme_build.drivers import {name}; {name}()"]


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}  # noqa: TID251
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_catalogue_has_every_code_and_no_other() -> None:
    sources = "\n".join(path.read_text() for path in PACKAGE.rglob("*.py"))
    assert sorted(sections()) == sorted(set(re.findall(r'"(E\d{4})"', sources)))


def test_every_code_has_an_example() -> None:
    assert [code for code, text in sections().items() if "```" not in text] == []


def test_every_code_has_a_remedy() -> None:
    assert [code for code, text in sections().items() if "**Remedy.**" not in text] == []


@pytest.mark.compile
@pytest.mark.parametrize("code", EXAMPLES)
def test_the_example_gets_its_code(code: str, tmp_path: Path) -> None:
    (tmp_path / "example.c").write_text(PRELUDE + EXAMPLES[code])
    done = run([*driver("cc"), "-O2", "-g", "example.c", "-lm"], tmp_path)
    assert done.returncode == 1
    assert f"[{code}]" in done.stderr
    assert not (tmp_path / "a.out").exists()


@pytest.mark.compile
@pytest.mark.parametrize("code", CXX_EXAMPLES)
def test_the_cxx_example_gets_its_code(code: str, tmp_path: Path) -> None:
    (tmp_path / "example.cpp").write_text(CXX_EXAMPLES[code])
    done = run([*driver("cxx"), "-O2", "-g", "example.cpp"], tmp_path)
    assert done.returncode == 1
    assert f"[{code}]" in done.stderr


@pytest.mark.compile
@pytest.mark.parametrize("code", LLVM_EXAMPLES)
def test_the_llvm_example_gets_its_code(code: str, tmp_path: Path) -> None:
    (tmp_path / "example.ll").write_text(LLVM_EXAMPLES[code])
    done = run([*driver("cc"), "-O2", "example.ll"], tmp_path)
    assert done.returncode == 1
    assert f"[{code}]" in done.stderr


@needs_flang
@pytest.mark.compile
@pytest.mark.parametrize("code", FORTRAN_EXAMPLES)
def test_the_fortran_example_gets_its_code(code: str, tmp_path: Path) -> None:
    (tmp_path / "example.f90").write_text(FORTRAN_EXAMPLES[code])
    done = run([*driver("fc"), "-O2", "example.f90"], tmp_path)
    assert done.returncode == 1
    assert f"[{code}]" in done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    prose = re.sub(r"(?ms)^```.*?^```$", "", page.read_text())
    targets = re.findall(r"\]\(([^)#]+)[^)]*\)", prose)
    missing = [t for t in targets if not t.startswith("http") and not (page.parent / t).exists()]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_named_exist(page: Path) -> None:
    """Paths in backquotes, as `ir/parser.py`, are files of the package or of the repository."""
    names = re.findall(r"`((?:[\w.]+/)+[\w.]+\.(?:py|md|sh|toml))`", page.read_text())
    missing = [name for name in names if not any((base / name).exists() for base in (ROOT, PACKAGE))]
    assert missing == []


@pytest.mark.compile
def test_program_of_the_readme(tmp_path: Path) -> None:
    (tmp_path / "descend.c").write_text(blocks(README, "c")[1])
    commands, said = re.findall(r"(?ms)^```console\n\$ (enzyme-cc .*?)\n\$ \./descend\n(.*?)^```$", README)[0]
    done = run([*driver("cc"), *commands.split()[1:]], tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert run([str(tmp_path / "descend")], tmp_path).stdout == said


@pytest.mark.compile
def test_commands_of_the_readme(tmp_path: Path) -> None:
    (tmp_path / "springs.c").write_text(blocks(README, "c")[0])
    commands = re.findall(r"(?m)^\$ enzyme-build (.*)$", README)
    assert commands
    for command in commands:
        done = run([sys.executable, "-m", "enzyme_build", *shlex.split(command)], tmp_path)
        assert done.returncode == 0, done.stderr


@pytest.mark.compile
@pytest.mark.slow
def test_module_of_the_readme(tmp_path: Path) -> None:
    project, target = tmp_path / "project", tmp_path / "installed"
    project.mkdir()
    (project / "springs.c").write_text(blocks(README, "c")[0])
    (project / "pyproject.toml").write_text(blocks(README, "toml")[0])
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--no-build-isolation"]
    done = run([*pip, "--target", str(target), str(project)], tmp_path)
    assert done.returncode == 0, done.stderr
    program = blocks(README, "python")[0]
    done = run([sys.executable, "-c", f"import sys; sys.path.insert(0, {str(target)!r})\n{program}"], tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == re.findall(r"print\(.*?\)  # (.*)", program)


@pytest.mark.compile
def test_library_of_the_page_on_exports(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "export.md").read_text()
    for name, text in zip(("solver.c", "main.c"), blocks(page, "c"), strict=True):
        (tmp_path / name).write_text(text)
    *commands, program = re.findall(r"(?m)^\$ (.*)$", blocks(page, "console")[0])
    tools = {"enzyme-build": [sys.executable, "-m", "enzyme_build"], "enzyme-cc": driver("cc")}
    for command in commands:
        tool, *words = shlex.split(command)
        done = run([*tools[tool], *words], tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
    assert blocks(page, "console")[0].endswith(f"$ {program}\n{run([program], tmp_path).stdout}")


@pytest.mark.compile
def test_derivative_of_the_page_on_gradients(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "gradient.md").read_text()
    for name, text in zip(("model.c", "main.c"), blocks(page, "c"), strict=True):
        (tmp_path / name).write_text(text)
    (session,) = blocks(page, "console")
    made, linked, program = re.findall(r"(?m)^\$ (.*)$", session)
    assert made.startswith("enzyme-build ")
    for command in ([sys.executable, "-m", "enzyme_build", *shlex.split(made)[1:]], shlex.split(linked)):
        done = run(command, tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
    assert session.endswith(f"$ {program}\n{run([program], tmp_path).stdout}")


@pytest.mark.compile
def test_plan_of_the_page_on_tapes(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "explain.md").read_text()
    (source,) = blocks(page, "c")
    (session,) = blocks(page, "console")
    command = session.partition("\n")[0].removeprefix("$ enzyme-build ")
    words = [sys.executable, "-m", "enzyme_build", *shlex.split(command)]
    (tmp_path / "settle.c").write_text(source)
    done = run(words, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert session == f"$ enzyme-build {command}\n{done.stdout}"
    # The advice, followed.
    better = source.replace("const double *x", "const double *restrict x").replace("x[i] / h", "x[i] * inverse")
    (tmp_path / "settle.c").write_text(better.replace("double sum = 0;", "double sum = 0, inverse = 1 / h;"))
    (claimed,) = re.findall(r"the tape above is (.*?)\.\n", page)
    assert f"  tape: {claimed} (about 8.01 kB)\n" in run(words, tmp_path).stdout


@pytest.mark.compile
def test_program_with_the_header(tmp_path: Path) -> None:
    (tmp_path / "loss.cpp").write_text(blocks((ROOT / "docs" / "requests.md").read_text(), "cpp")[0])
    done = run([*driver("cxx"), "-O1", "-Wall", "-Wextra", "loss.cpp", "-o", "loss"], tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert run([str(tmp_path / "loss")], tmp_path).stdout == "28 14 12 4\n36\n"


@needs_flang
@pytest.mark.compile
def test_program_with_the_fortran_module(tmp_path: Path) -> None:
    (tmp_path / "descend.f90").write_text(blocks((ROOT / "docs" / "requests.md").read_text(), "fortran")[0])
    done = run([*driver("fc"), "-O1", "descend.f90", "-o", "descend"], tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert run([str(tmp_path / "descend")], tmp_path).stdout == "  32.0   8.0  12.0  14.0  16.0\n"
