"""`enzyme-build doctor`: which tools were found, whether they work, and what to install for those that are missing."""

from __future__ import annotations

import shlex
import sys
import sysconfig
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from enzyme_build import settings as settings_of
from enzyme_build.errors import ToolError
from enzyme_build.records import dataclass
from enzyme_build.toolchain import process
from enzyme_build.toolchain.bitcode import NEWEST_LLVM
from enzyme_build.toolchain.find import (
    LINKER_HINT,
    ProbeCache,
    ToolSettings,
    candidates,
    find_linker,
    probe,
    shared_llvm,
)
from enzyme_build.toolchain.languages import LANGUAGES, Language
from enzyme_build.toolchain.openmp import REMEDY as OPENMP_REMEDY
from enzyme_build.toolchain.openmp import runtime_library

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class Finding:
    """One line of the report; `problem` is empty when the tool works."""

    tool: str
    what: str = ""
    version: str = ""
    problem: str = ""
    remedy: str = ""
    required: bool = False


_NEEDS = {**{row.title: language for language, row in LANGUAGES.items()}, "Python": None}
"""What a build may need, by name: the languages, and the headers for modules."""


@click.command("doctor")
@click.option(
    "--need",
    "needs",
    multiple=True,
    type=click.Choice(tuple(_NEEDS), case_sensitive=False),
    help="Say nothing but what is missing for this, and exit with 1 then.",
)
def command(needs: tuple[str, ...]) -> int:
    """Show which compilers and tools were found, and what is missing. Exit code 1 when no C compiler works."""
    tools = settings_of.from_environment().tools
    if needs:
        missing = [finding for need in dict.fromkeys(needs) for finding in lacking(_NEEDS[need], tools)]
        for finding in missing:
            click.echo(f"{finding.tool} ({finding.problem}): {finding.remedy}")
        return 1 if missing else 0
    findings = list(examine(tools))
    _print(findings)
    return 1 if any(finding.problem and finding.required for finding in findings) else 0


def lacking(need: Language | None, tools: ToolSettings) -> Iterable[Finding]:
    """What is missing to compile a language, or (None) modules for Python."""
    found = [python_headers()] if need is None else compilers(need, tools, ProbeCache(tools.cache))
    return [finding for finding in found if finding.remedy]


def examine(tools: ToolSettings) -> Iterable[Finding]:
    cache = ProbeCache(tools.cache)
    for language in Language:
        yield from compilers(language, tools, cache, required=language is Language.C)
    yield zig()
    yield linker(tools)
    yield openmp(tools)
    yield llvmlite()
    yield shared(tools)
    yield python_headers()


def compilers(language: Language, tools: ToolSettings, cache: ProbeCache, *, required: bool = False) -> list[Finding]:
    """Every candidate; the first that works is the one used, and satisfies the requirement."""
    name = f"{LANGUAGES[language].title} compiler"
    findings = []
    used = False
    for candidate in candidates(language, tools):
        found = probe(candidate, language, cache)
        works = not found.problem
        what = f"{shlex.join(candidate.command)} ({candidate.origin}{', used' if works and not used else ''})"
        findings.append(Finding(name, what, found.version, found.problem))
        used = used or works
    if not used:
        problem = "none works" if findings else "not found"
        findings.append(Finding(name, problem=problem, remedy=LANGUAGES[language].remedy, required=required))
    return findings


def zig() -> Finding:
    try:
        return Finding("ziglang", "PyPI package, the fallback for C and C++", version("ziglang"))
    except PackageNotFoundError:
        return Finding("ziglang", problem="not installed (optional)", remedy="pip install ziglang")


def linker(tools: ToolSettings) -> Finding:
    try:
        command = find_linker(tools)
    except ToolError:
        return Finding("linker", problem="not found", remedy=LINKER_HINT)
    lines = _output([*command, "--version"]).splitlines()
    return Finding("linker", shlex.join(command), lines[0] if lines else "")


def openmp(tools: ToolSettings) -> Finding:
    found = runtime_library(tools)
    if found is None:
        return Finding("OpenMP runtime", problem="not found (optional, for -fopenmp)", remedy=OPENMP_REMEDY)
    return Finding("OpenMP runtime", str(found))


def llvmlite() -> Finding:
    """llvmlite is asked in a process of its own: a broken library must not take the report with it."""
    done = _output([sys.executable, "-c", "import enzyme_build.llvm.context as c; print(c.llvm_version())"])
    try:
        package = version("llvmlite")
    except PackageNotFoundError:
        return Finding("llvmlite", problem="not installed", remedy="pip install 'llvmlite==0.50.*'", required=True)
    if not done.strip():
        return Finding(
            "llvmlite", package, problem="cannot be loaded", remedy="pip install 'llvmlite==0.50.*'", required=True
        )
    return Finding("llvmlite", package, f"LLVM {done.strip()}")


def shared(tools: ToolSettings) -> Finding:
    """Asked in a process of its own, too."""
    label = "LLVM library"
    library = shared_llvm(tools)
    if library is None and tools.llvm:
        return Finding(label, "left out by ENZYME_LLVM: llvmlite's is used")
    if library is None:
        return Finding(label, problem="not found (optional: links take less time with it)", remedy=_LIBRARY_REMEDY)
    code = "import pathlib, sys; from enzyme_build.llvm import engine as e; "
    code += "e.use(pathlib.Path(sys.argv[1])); print(e.engine().version())"
    done = _output([sys.executable, "-c", code, str(library)]).strip()
    if not done and tools.llvm:
        return Finding(label, str(library), problem="cannot be used", remedy="set ENZYME_LLVM=llvmlite", required=True)
    if not done:
        return Finding(label, str(library), problem="cannot be used (optional: links take less time with one)")
    return Finding(label, f"{library} (used)", f"LLVM {done}")


_LIBRARY_REMEDY: Final = f"install libllvm{NEWEST_LLVM} of Debian or apt.llvm.org"


def python_headers() -> Finding:
    header = Path(sysconfig.get_path("include"), "Python.h")
    label = f"Python {sysconfig.get_python_version()}"
    if header.exists():
        return Finding("Python headers", str(header.parent), label)
    return Finding("Python headers", str(header.parent), label, "Python.h not found", "apt-get install python3-dev")


def _output(command_line: list[str]) -> str:
    try:
        return process.run(command_line).stdout
    except ToolError:
        return ""


def _print(findings: list[Finding]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("tool", "found", "version", "state"):
        table.add_column(heading, overflow="fold")
    for finding in findings:
        state = (
            Text(finding.problem, "yellow" if not finding.required else "red")
            if finding.problem
            else Text("ok", "green")
        )
        table.add_row(finding.tool, Text(finding.what), Text(finding.version), state)
    console = Console(width=None if sys.stdout.isatty() else 160)
    console.print(table)
    for finding in findings:
        if finding.remedy:
            console.print(Text(f"{finding.tool} ({finding.problem}): {finding.remedy}"))
