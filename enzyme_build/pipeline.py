"""The path of data: bitcode to one object with its derivatives.

    sources -> fat objects (compilation.py) -> link step (link_step.py) -> one object

`link` runs the link step in a worker process, because a bug in LLVM aborts the process it is in.
"""

from __future__ import annotations

import json
import shlex
import shutil
import signal
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from enzyme_build import early
from enzyme_build.errors import EnzymeBuildError, ToolError
from enzyme_build.jobs import (
    JOB_FILE,
    RESULT_FILE,
    LinkJob,
    LinkResult,
    Product,
    error_from_json,
    is_our_bug,
    job_to_json,
    result_from_json,
)
from enzyme_build.regex import regex
from enzyme_build.toolchain import process
from enzyme_build.toolchain.find import shared_llvm
from enzyme_build.toolchain.objects import mentions
from enzyme_build.toolchain.resolve import LinkInput
from enzyme_build.toolchain.runtimes import vector_functions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.settings import Settings


__all__ = ["LinkInput", "LinkJob", "LinkResult", "Product", "job_options", "link"]


def job_options(settings: Settings) -> dict[str, Any]:
    """The fields of a LinkJob that settings decide."""
    return {
        "llvm": shared_llvm(settings.tools),
        "llvm_asked": bool(settings.tools.llvm),
        "optimise": settings.optimise,
        "target_cpu": settings.target_cpu,
        "vector_functions": vector_functions(settings.veclib, settings.tools),
        "ad_before_opt": settings.ad_before_opt,
        "loose_types": settings.loose_types,
        "warnings": settings.warnings,
        "save_stages": settings.save_stages,
    }


def link(job: LinkJob, settings: Settings) -> LinkResult:
    """Run `job` in a worker process, unless its result is known (see `cache`); a crash of LLVM becomes a ToolError that
    names a folder to reproduce it with."""
    job = with_library_bodies(job, settings)
    if not settings.cache_size:
        return _link_apart(job, settings)[0]
    from enzyme_build.cache import LinkCache

    cache = LinkCache(settings)
    key = cache.key(job)
    if key and (found := cache.find(key, job)):
        early.dismiss()
        if settings.verbose:
            sys.stderr.write(f"enzyme_build: link {key} was done before (enzyme-build cache)\n")
        return found
    result, stderr = _link_apart(job, settings)
    if key:
        cache.keep(key, job, result, stderr)
    return result


def with_library_bodies(job: LinkJob, settings: Settings) -> LinkJob:
    """The same with bodies of Fortran's runtime, where an input may call it or pass internal procedures on, and of
    libc++'s functions, where one may call them."""
    if any(mentions(given.path, needle) for given in job.inputs for needle in FORTRAN_NEEDLES):
        from enzyme_build.fortran.bodies import compiled as compiled_for_fortran

        job = replace(job, fortran_bodies=compiled_for_fortran(settings.tools))
    if any(mentions(given.path, LIBCXX_NEEDLE) for given in job.inputs):
        from enzyme_build.cxx.bodies import compiled as compiled_for_libcxx

        job = replace(job, libcxx_bodies=compiled_for_libcxx(settings.tools))
    return job


def _link_apart(job: LinkJob, settings: Settings) -> tuple[LinkResult, str]:
    """The link in a process of its own, and what it said."""
    with tempfile.TemporaryDirectory(prefix="enzyme-link-") as name:
        folder = Path(name)
        (folder / JOB_FILE).write_text(json.dumps(job_to_json(job), indent=1))
        done, command = _worked(folder / JOB_FILE, settings)
        answer = _read_answer(folder / RESULT_FILE)
        error = error_from_json(answer["error"]) if answer and "error" in answer else None
        number = process.exit_code(done.returncode) - 128  # also of a worker that cleans up first
        if answer is None and number in _STOPS:
            raise ToolError(f"the link step was stopped ({process.describe_exit(-number)})", command=command)
        if answer is None or (error and is_our_bug(error)):
            saved = _save_reproducer(job, folder, done.stderr)
            raise _crash_error(command, done, error, saved, own_llvm=job.llvm is None)
        said = _LOOPS_LEFT.sub("", done.stderr)
        sys.stderr.write(said)
        if error:
            raise error
        return result_from_json(answer), said


def _worked(job_file: Path, settings: Settings) -> tuple[process.Completed, list[str]]:
    """What a worker made of the job, and the command that does the same again."""
    command = early.module_command("enzyme_build.worker", str(job_file))
    worker = early.waiting()
    if worker is None:
        return process.run(command, verbose=settings.verbose), command
    if settings.verbose:
        sys.stderr.write(shlex.join(command) + "\n")
    code, said = worker.run(str(job_file))
    return process.Completed(code, "", said), command


_LOOPS_LEFT: Final = regex(r"(?m)^(?:remark|warning): .*: loop not (?:vectorized|interleaved|unrolled)\b.*\n?")
"""What LLVM says of loops with `omp simd` and the like, in derivatives too; of the user's own the compiler said it."""

_STOPS: Final = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
"""Signals of users and build tools, which are no crash."""
FORTRAN_NEEDLES: Final = (b"_FortranA", b"llvm.init.trampoline", b"CFI_")
"""Beginning of the names of the functions of flang's runtime, and what makes an address of an internal procedure."""
LIBCXX_NEEDLE: Final = b"NSt3__1"
"""Beginning of the mangled names of libc++'s functions and classes."""


def _read_answer(file: Path) -> dict[str, Any] | None:
    try:
        answer = json.loads(file.read_text())
    except (OSError, ValueError):
        return None
    return answer if isinstance(answer, dict) else None


def _save_reproducer(job: LinkJob, folder: Path, stderr: str) -> Path:
    """A folder with everything the job read and wrote, that `python -m enzyme_build.worker` runs again."""
    saved = Path(tempfile.mkdtemp(prefix="enzyme-build-crash-"))
    copies = []
    for index, given in enumerate(job.inputs):
        copy = saved / f"{index}-{given.path.name}"
        shutil.copyfile(given.path, copy)
        copies.append(replace(given, path=copy))
    for stage in folder.glob("*.ll"):
        shutil.copyfile(stage, saved / stage.name)
    again = replace(job, inputs=tuple(copies), output=saved / f"out{job.output.suffix}", save_stages=None)
    (saved / JOB_FILE).write_text(json.dumps(job_to_json(again), indent=1))
    (saved / "stderr.txt").write_text(stderr)
    return saved


def _crash_error(
    command: Sequence[str], done: process.Completed, error: EnzymeBuildError | None, saved: Path, *, own_llvm: bool
) -> EnzymeBuildError:
    again = f"{sys.executable} -m enzyme_build.worker {saved / JOB_FILE}"
    if error is not None:
        return EnzymeBuildError(
            str(error).removeprefix("error: "),
            notes=[f"everything needed to reproduce this is in {saved}", f"run: {again}"],
        )
    cause = next((line.strip() for line in done.stderr.splitlines() if "Assertion" in line or "LLVM ERROR" in line), "")
    if "Traceback (most recent call last)" in done.stderr:
        cause = done.stderr.strip().splitlines()[-1]
    # The shared library is built without assertions.
    more = "" if own_llvm else "; with ENZYME_LLVM=llvmlite, LLVM says more of what is wrong"
    everything = f"everything needed to reproduce it is in {saved} (run: {again})"
    return ToolError(
        f"the link step stopped with {process.describe_exit(done.returncode)}" + (f": {cause}" if cause else ""),
        command=command,
        stderr=done.stderr,
        hint=f"this is a bug in enzyme_build or LLVM; {everything}{more}",
    )
