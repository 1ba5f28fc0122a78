"""How long it takes to compile with derivatives: all of it beside clang's time, and the pass alone.

The pass (parsing, differentiating and printing, without LLVM's own work) is measured on the examples and on programs of
growing size, whose time must grow as their size: many functions, one function, and Eigen's decompositions. All times
are CPU time, as machines are busy; the memory is the most that the process had, Python and the module's text included.
Writes `results/pass_time.md` and `.json`.

Usage: python benchmarks/pass_time.py [--largest INSTRUCTIONS]
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import os
import re
import resource
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from shutil import which

from pass_programs import COMPILED, EIGEN, EXAMPLES, PROBLEMS, eigen, many_functions, one_function

from enzyme_build.differentiate.engine import differentiate
from enzyme_build.differentiate.options import DifferentiationOptions
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_module
from enzyme_build.jobs import LinkJob, Product
from enzyme_build.link_step import run_link
from enzyme_build.toolchain import process
from enzyme_build.toolchain.resolve import LinkInput
from enzyme_build.worker import collect_seldom

CLANG = which("clang-22") or "clang"
EXAMPLE_SUBJECTS = {
    "nbody (C++)": (EXAMPLES / "nbody" / "solar.cpp", "distance_after"),
    "gmm": (EXAMPLES / "gmm" / "gmm.c", "log_posterior"),
    "normalize": (EXAMPLES / "normalize" / "normalize.c", "normalize"),
    "relu3": (EXAMPLES / "relu3" / "relu3.c", "relu3"),
}
GROWING = {
    "functions": (many_functions, ".c", 32),
    "statements of one function": (one_function, ".c", 6),
    "sizes of Eigen's matrices": (eigen, ".cpp", 8_000),
}
"""What makes them, the ending of their source, and about how many instructions each of the things counted has."""
STEPS = (8, 4, 2, 1)
LIMIT_SECONDS = 2.0
"""For each example."""
LARGEST_SECONDS = 60.0
LARGEST_GIB = 2.0
WORST_GROWTH = 1.25
"""Exponent of the time in the size that still counts as linear: small sizes carry a constant."""
START_UP = 0.3
"""Seconds that no program is asked for: Python, LLVM's library and the package are loaded."""
WORST_RATIO = 1.7
MOST_WITHOUT_REQUESTS = 0.08
"""Seconds above clang's where nothing is differentiated."""
RUNS = 5


@dataclass
class Timing:
    """One program; `instructions` counts those of all functions that are left in the module."""

    name: str
    instructions: int
    parse: float
    differentiate: float
    print: float
    gib: float = 0.0

    @property
    def total(self) -> float:
        return self.parse + self.differentiate + self.print


@dataclass(frozen=True)
class Spent:
    """Seconds of a command and all that it starts, in the median."""

    waited: float
    cpu: float


@dataclass
class Compilation:
    """Of one problem into a shared library: by clang, which leaves the request open, and with the gradient."""

    name: str
    clang: Spent
    by_hand: Spent
    """By clang, of the primal and the adjoint that was written by hand."""
    ours: Spent

    @property
    def ratio(self) -> float:
        """Of the time that somebody waits, above the fixed start."""
        return (self.ours.waited - START_UP) / self.clang.waited

    @property
    def cpu_ratio(self) -> float:
        """The same of what the processors do: part of the start runs beside clang."""
        return (self.ours.cpu - START_UP) / self.clang.cpu


# Whole compilations --------------------------------------------------------------------------------------------------


def driver(entry: str) -> list[str]:
    return [sys.executable, "-P", "-c", f"import sys; from enzyme_build.drivers import {entry}; sys.exit({entry}())"]


def spent(command: list[str]) -> Spent:
    os.environ["ENZYME_CACHE_SIZE"] = "0"  # noqa: TID251 - a link done before would not be done again
    # An installed package is compiled; a tree may not be, and Python would compile it in each process.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # noqa: TID251
    times, waits = [], []
    for _ in range(RUNS):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        process.check(process.run(command), command, "the compilation")
        waits.append(time.perf_counter() - start)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return Spent(statistics.median(waits), statistics.median(times))


def compile_problem(name: str, folder: Path) -> Compilation:
    source = PROBLEMS / name
    options = ["-O2", "-fPIC", "-shared", "-o", str(folder / f"{name}.so")]
    primal, request, adjoint = (str(source / f"{name}{end}.c") for end in ("", "_ad", "_adj"))
    return Compilation(
        name,
        clang=spent([CLANG, *options, request, "-lm"]),
        by_hand=spent([CLANG, *options, primal, adjoint, "-lm"]),
        ours=spent([*driver("cc"), *options, request, "-lm"]),
    )


def without_requests(folder: Path) -> float:
    """What the driver costs above clang where a file asks for nothing."""
    source = folder / "nothing.c"
    source.write_text("int twice(int x)\n{\n    return 2 * x;\n}\n")
    options = ["-O2", "-c", str(source), "-o", str(folder / "nothing.o")]
    spent([*driver("cc"), *options])  # options are looked at when they are seen first
    return spent([*driver("cc"), *options]).waited - spent([CLANG, *options]).waited


def compilations_table(compilations: list[Compilation], start: float) -> str:
    ratio = f"(enzyme-cc - {START_UP}) / clang"
    lines = [
        f"| problem | clang s | clang, adjoint by hand s | enzyme-cc s | {ratio} | the same of CPU time |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for c in compilations:
        seconds = " | ".join(f"{what.waited:.3f}" for what in (c.clang, c.by_hand, c.ours))
        lines.append(f"| {c.name} | {seconds} | {c.ratio:.1f} | {c.cpu_ratio:.1f} |")
    return "\n".join([*lines, "", f"A file without requests costs {start * 1000:.0f} ms more than by clang."])


# The pass ------------------------------------------------------------------------------------------------------------


class _EnoughError(Exception):
    pass


def optimise(built: Path, output: Path) -> None:
    """Write the module as the pass gets it: merged, internalised, optimised."""

    def stop(text: str, job: LinkJob) -> tuple[str, bool]:
        del job
        output.write_text(text)
        raise _EnoughError

    with tempfile.TemporaryDirectory() as name:
        job = LinkJob((LinkInput(built),), Path(name) / "all.o", product=Product.SHARED)
        with suppress(_EnoughError):
            run_link(job, Path(name), stop)


def example_text(source: Path, function: str, folder: Path) -> Path:
    stages = folder / f"{source.stem}-stages"
    command = [sys.executable, "-m", "enzyme_build", "gradient", str(source), "--function", function]
    command += ["--save-stages", str(stages), "-o", str(folder / f"{source.stem}.o")]
    process.check(process.run(command), command, f"the gradient of {function}")
    return next(stages.rglob("optimised.ll"))


def grown_text(source: Path) -> Path:
    built, output = source.with_suffix(".o"), source.with_suffix(".ll")
    cxx = source.suffix == ".cpp"
    command = [*driver("cxx" if cxx else "cc"), "-O2", "-fPIC", "-c", str(source), "-o", str(built)]
    command += ["-isystem", EIGEN] if cxx else []
    process.check(process.run(command), command, f"the compilation of {source.name}")
    apart("optimise", str(built), str(output))
    return output


def apart(*arguments: str) -> str:
    """Run a part of this file in a process of its own, whose memory is its own, too."""
    command = [sys.executable, str(Path(__file__)), *arguments]
    return process.check(process.run(command), command, f"the step '{arguments[0]}'").stdout


def measure(name: str, text: Path, *, runs: int) -> Timing:
    found = [Timing(**json.loads(apart("measure", name, str(text)))) for _ in range(runs)]
    return min(found, key=lambda timing: timing.total)


def measure_here(name: str, text: str) -> Timing:
    gc.collect()
    start = time.process_time()
    module = parse_module(text)
    parsed = time.process_time()
    differentiate(module, DifferentiationOptions())
    differentiated = time.process_time()
    print_module(module)
    printed = time.process_time()
    gib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    times = (parsed - start, differentiated - parsed, printed - differentiated)
    return Timing(name, count_instructions(text), *times, gib)


def count_instructions(text: str) -> int:
    """Lines of function bodies that are instructions."""
    return len(re.findall(r"^  (?!#dbg_)\S", text, re.MULTILINE))


def table(timings: list[Timing]) -> str:
    lines = ["| program | instructions | parse s | differentiate s | print s | total s | µs per instruction | GiB |"]
    lines.append("|---|---:|---:|---:|---:|---:|---:|---:|")
    for t in timings:
        times = " | ".join(f"{value:.3f}" for value in (t.parse, t.differentiate, t.print, t.total))
        each = t.total / t.instructions * 1e6
        lines.append(f"| {t.name} | {t.instructions} | {times} | {each:.0f} | {t.gib:.2f} |")
    return "\n".join(lines)


def grow(what: str, largest: int, folder: Path) -> list[Timing]:
    """The program at each of its sizes."""
    program, ending, each = GROWING[what]
    timings: list[Timing] = []
    for count in dict.fromkeys(max(1, largest // each // step) for step in STEPS):
        source = folder / f"{program.__name__}{count}{ending}"
        source.write_text(program(count))
        timings.append(measure(f"{count} {what}", grown_text(source), runs=2))
        print(f"{timings[-1].name}: {timings[-1].total:.2f} s", flush=True)
    return timings


def growth(timings: list[Timing]) -> float:
    """The exponent p of time ~ size^p, by least squares on logarithms."""
    sizes = [math.log(t.instructions) for t in timings]
    times = [math.log(t.total) for t in timings]
    return statistics.linear_regression(sizes, times).slope if len(timings) > 1 else 1.0


# All -----------------------------------------------------------------------------------------------------------------


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=100_000, help="instructions of the largest programs, about")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compilations = [compile_problem(problem, folder) for problem in COMPILED]
        start = without_requests(folder)
        print(compilations_table(compilations, start), flush=True)
        subjects = EXAMPLE_SUBJECTS.items()
        examples = [measure(what, example_text(*subject, folder), runs=3) for what, subject in subjects]
        grown = {what: grow(what, options.largest, folder) for what in GROWING if _can_be_built(what)}
    exponents = {what: growth(timings) for what, timings in grown.items()}
    sentences = [f"The time grows as size^{exponent:.2f} ({what})." for what, exponent in exponents.items()]
    passes = table([*examples, *(timing for timings in grown.values() for timing in timings)])
    text = "\n\n".join([compilations_table(compilations, start), passes, "\n".join(sentences)])
    print(f"\n{text}")
    results = Path(__file__).parent / "results"
    results.mkdir(exist_ok=True)
    (results / "pass_time.md").write_text(f"# Time of the pass\n\n{text}\n")
    document = {
        "compilations": [asdict(c) | {"ratio": c.ratio} for c in compilations],
        "without_requests": start,
        "timings": [asdict(t) for t in (*examples, *(t for timings in grown.values() for t in timings))],
        "growth": exponents,
    }
    (results / "pass_time.json").write_text(json.dumps(document, indent=1) + "\n")
    missed = [f"{c.name}: {c.ratio:.1f} times clang" for c in compilations if c.ratio > WORST_RATIO]
    missed += [f"{t.name}: {t.total:.1f} s" for t in examples if t.total > LIMIT_SECONDS]
    missed += [
        f"{t.name}: {t.total:.1f} s, {t.gib:.1f} GiB"
        for timings in grown.values()
        for t in timings
        if t.total > LARGEST_SECONDS or t.gib > LARGEST_GIB
    ]
    missed += [f"{what}: size^{p:.2f}" for what, p in exponents.items() if p > WORST_GROWTH]
    missed += ["a file without requests"] if start > MOST_WITHOUT_REQUESTS else []
    if missed:
        print(f"beyond the limits: {'; '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


def _can_be_built(what: str) -> bool:
    return GROWING[what][1] != ".cpp" or Path(EIGEN).exists()


if __name__ == "__main__":
    sys.setrecursionlimit(20000)
    collect_seldom()
    if sys.argv[1:2] == ["optimise"]:
        optimise(Path(sys.argv[2]), Path(sys.argv[3]))
    elif sys.argv[1:2] == ["measure"]:
        print(json.dumps(asdict(measure_here(sys.argv[2], Path(sys.argv[3]).read_text()))))
    else:
        raise SystemExit(main())
