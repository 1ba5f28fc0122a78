"""The link worker: `python -m enzyme_build.worker job.json` runs one link and writes `result.json` beside the job.

A process of its own, because a bug in LLVM aborts the process it is in. Run by hand it repeats a saved job and prints
its error. Drivers start it before they know the job (`early.py`).
"""

from __future__ import annotations

import gc
import json
import select
import sys
import traceback
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from enzyme_build import analysis, differentiate, ir, llvm, rules
from enzyme_build.early import WAITS
from enzyme_build.errors import EnzymeBuildError
from enzyme_build.jobs import RESULT_FILE, error_to_json, is_our_bug, job_from_json, result_to_json
from enzyme_build.link_step import run_link
from enzyme_build.regex import compile_ahead
from enzyme_build.settings import from_environment
from enzyme_build.toolchain import process
from enzyme_build.toolchain.find import shared_llvm

if TYPE_CHECKING:
    from collections.abc import Iterator


def collect_seldom() -> None:
    """What the pass makes lives until it is printed, and there are millions of it: looking for garbage each time that a
    few hundred are new took a quarter of the time. What is there already stays to the end."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)
    gc.enable()


_PACKAGES = (ir, rules, analysis, differentiate, llvm)
"""Of what most links need; what few need comes last."""


def _awaited() -> str:
    """The name of the job's file, once the driver knows it. What links need is made ready until then."""
    for _ in _preparations():
        if select.select([sys.stdin], [], [], 0)[0]:
            break
    return sys.stdin.readline()


def _preparations() -> Iterator[None]:
    """Each step is a short one: a job does not wait for the next. llvmlite is what few need, where LLVM's shared
    library is."""
    for package in _PACKAGES:
        for module in iter_modules(package.__path__):
            if module.name != "wheel":
                import_module(f"{package.__name__}.{module.name}")
                yield
    from enzyme_build.llvm.engine import use

    if library := shared_llvm(from_environment().tools):
        use(library, asked=False)
    yield
    yield from compile_ahead()


def main(arguments: list[str]) -> int:
    gc.disable()  # until what is loaded is there
    name = _awaited() if arguments[0] == WAITS else arguments[0]
    if not name:
        return 0  # there is no job after all
    job_file = Path(name).absolute()
    answer_file = job_file.with_name(RESULT_FILE)
    job = job_from_json(json.loads(job_file.read_text()))
    collect_seldom()
    sys.setrecursionlimit(20000)  # long chains of instructions are walked recursively in places
    try:
        answer = result_to_json(run_link(job, job_file.parent))
    except EnzymeBuildError as error:
        answer_file.write_text(json.dumps({"error": error_to_json(error)}))
        if is_our_bug(error):
            traceback.print_exc()
        elif sys.stderr.isatty():
            sys.stderr.write(f"{error}\n")
        return 1
    answer_file.write_text(json.dumps(answer))
    return 0


def start(arguments: list[str]) -> int:
    """The same for a process that is stopped by signals."""
    process.raise_interrupts()
    try:
        return main(arguments)
    except process.Interrupted as stop:
        return 128 + stop.signal


if __name__ == "__main__":
    sys.exit(start(sys.argv[1:]))
