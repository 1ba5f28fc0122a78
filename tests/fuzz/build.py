"""Builds a file of random functions: the compiler driver in a copy of this process.

A copy, because a bug in LLVM aborts the process it is in, and because everything is imported there already. The object
is made without optimising the machine code: that is LLVM's affair and most of its time.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import traceback
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))

from enzyme_build import driver, link_step, pipeline  # noqa: E402
from enzyme_build.differentiate import engine  # noqa: E402, F401 - imported before the copies are made
from enzyme_build.llvm import emit, link, optimise, shared, text  # noqa: E402, F401

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.jobs import LinkJob, LinkResult
    from enzyme_build.llvm.engine import Target


QUICK = "--quick"
"""Not a flag of the driver: derivatives are optimised a little only, as at -O1."""


def build(
    words: Sequence[str], seconds: int, more_ir: str = "", *, driver: str = "c", folder: Path | None = None
) -> tuple[int, str]:
    """Run `enzyme-cc words`, or the driver of another language, with a module in LLVM's language linked along.

    It runs in the folder, where there is one. The exit code and what was said."""
    with tempfile.TemporaryFile() as said:
        child = os.fork()
        if child == 0:
            if folder:
                os.chdir(folder)
            _run(words, seconds, more_ir, said.fileno(), driver)
        _, status = os.waitpid(child, 0)
        said.seek(0)
        words_said = said.read().decode(errors="replace")
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        words_said += f"\ninternal error: the link step stopped with signal {-code}"
    return code, words_said


def _run(words: Sequence[str], seconds: int, more_ir: str, output: int, kind: str) -> None:
    code = 1
    try:
        signal.alarm(seconds)
        os.dup2(output, 1)
        os.dup2(output, 2)
        sys.setrecursionlimit(20000)
        emit.of_machine = _quick
        pipeline.link = lambda job, settings: _link(
            pipeline.with_library_bodies(job, settings), more_ir, quick=QUICK in words
        )
        code = driver.main([word for word in words if word != QUICK], kind)
    except BaseException:  # noqa: BLE001 - whatever it is, it is a finding
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _link(job: LinkJob, more_ir: str, *, quick: bool) -> LinkResult:
    if quick:
        job = replace(job, optimise=1)
    if more_ir:
        job = replace(job, extra_ir=(more_ir,))
    with tempfile.TemporaryDirectory() as folder:
        return link_step.run_link(job, Path(folder))


def _quick(target: Target) -> Target:
    return replace(target, level=0)
