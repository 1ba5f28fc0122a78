"""The link worker: `python -m enzyme_build.worker job.json` runs one link and writes `result.json` beside the job.

A process of its own, because a bug in LLVM aborts the process it is in. Run by hand it repeats a saved job and prints
its error.
"""

from __future__ import annotations

import gc
import json
import sys
import traceback
from pathlib import Path

from enzyme_build.errors import EnzymeBuildError
from enzyme_build.jobs import error_to_json, is_our_bug, job_from_json, result_to_json
from enzyme_build.link_step import run_link
from enzyme_build.pipeline import RESULT_FILE
from enzyme_build.toolchain import process


def collect_seldom() -> None:
    """What the pass makes lives until it is printed, and there are millions of it: looking for garbage each time that a
    few hundred are new took a quarter of the time."""
    gc.set_threshold(100_000, 20, 100)


def main(arguments: list[str]) -> int:
    job_file = Path(arguments[0]).absolute()
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


if __name__ == "__main__":
    process.raise_interrupts()
    try:
        sys.exit(main(sys.argv[1:]))
    except process.Interrupted as stop:
        sys.exit(128 + stop.signal)
