"""How long the pass takes: parsing, differentiating and printing, without LLVM's own work.

Measured on the examples, and on generated programs of growing size, where the time per instruction must stay the same.
Writes `results/pass_time.md` and `.json`.

Usage: python benchmarks/pass_time.py [--largest N]
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import re
import statistics
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from enzyme_build.differentiate.engine import differentiate
from enzyme_build.differentiate.options import DifferentiationOptions
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_module
from enzyme_build.toolchain import process

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"
SUBJECTS = {
    "nbody (C++)": (EXAMPLES / "nbody" / "solar.cpp", "distance_after"),
    "gmm": (EXAMPLES / "gmm" / "gmm.c", "log_posterior"),
    "normalize": (EXAMPLES / "normalize" / "normalize.c", "normalize"),
    "relu3": (EXAMPLES / "relu3" / "relu3.c", "relu3"),
}
LIMIT_SECONDS = 2.0
WORST_GROWTH = 1.25
"""Exponent of the time in the size that still counts as linear: small sizes carry a constant."""

CELL = """
__attribute__((noinline)) static double cell_{i}(double *state, double a)
{{
    double sum = a;
    for (int k = 0; k < {trips}; k++) {{
        double v = state[k] * {factor} + sum;
        if (v > {limit})
            v = sin(v) * a;
        else
            v = v * v + exp(-a * {factor});
        state[k] = v;
        sum += v * state[(k + {shift}) % {trips}];
    }}
    return sum / (1.0 + a * a);
}}
"""


@dataclass
class Timing:
    """One program; `instructions` counts those that the pass reads."""

    name: str
    instructions: int
    parse: float
    differentiate: float
    print: float

    @property
    def total(self) -> float:
        return self.parse + self.differentiate + self.print


def optimised_text(source: Path, function: str, folder: Path) -> str:
    """The module as the pass gets it: merged, internalised, optimised."""
    stages = folder / f"{source.stem}-stages"
    command = [sys.executable, "-m", "enzyme_build", "gradient", str(source), "--function", function]
    command += ["--save-stages", str(stages), "-o", str(folder / f"{source.stem}.o")]
    process.check(process.run(command), command, f"the gradient of {function}")
    return next(stages.rglob("optimised.ll")).read_text()


def generated_program(cells: int) -> str:
    """A program of `cells` functions kept out of line, each with a loop, a branch and memory that is overwritten."""
    parts = ["#include <math.h>"]
    for i in range(cells):
        numbers = {"trips": 5 + i % 7, "factor": 0.5 + i % 11 / 10, "limit": 1.0 + i % 5, "shift": 1 + i % 3}
        parts.append(CELL.format(i=i, **numbers))
    parts.append("double chain(double *x, int n)\n{\n    double sum = x[n - 1];")
    parts += [f"    sum = cell_{i}(x, sum * {1 + i % 4}e-1);" for i in range(cells)]
    parts.append("    return sum;\n}")
    return "\n".join(parts)


def measure(name: str, text: str) -> Timing:
    runs = []
    for _ in range(3):
        gc.collect()
        runs.append(_measure_once(name, text))
    return min(runs, key=lambda timing: timing.total)


def _measure_once(name: str, text: str) -> Timing:
    start = time.perf_counter()
    module = parse_module(text)
    parsed = time.perf_counter()
    differentiate(module, DifferentiationOptions())
    differentiated = time.perf_counter()
    print_module(module)
    printed = time.perf_counter()
    return Timing(name, count_instructions(text), parsed - start, differentiated - parsed, printed - differentiated)


def count_instructions(text: str) -> int:
    """Lines of function bodies that are instructions."""
    return len(re.findall(r"^  (?!#dbg_)\S", text, re.MULTILINE))


def table(timings: list[Timing]) -> str:
    lines = ["| program | instructions | parse s | differentiate s | print s | total s | µs per instruction |"]
    lines.append("|---|---:|---:|---:|---:|---:|---:|")
    for t in timings:
        times = " | ".join(f"{value:.3f}" for value in (t.parse, t.differentiate, t.print, t.total))
        lines.append(f"| {t.name} | {t.instructions} | {times} | {t.total / t.instructions * 1e6:.0f} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=1600, help="functions in the largest generated program")
    options = parser.parse_args()
    sys.setrecursionlimit(20000)

    sizes = [options.largest // 2**k for k in (5, 4, 3, 2, 1, 0)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        examples = [measure(what, optimised_text(*subject, folder)) for what, subject in SUBJECTS.items()]
        generated = []
        for cells in sizes:
            source = folder / f"chain{cells}.c"
            source.write_text(generated_program(cells))
            generated.append(measure(f"{cells} functions", optimised_text(source, "chain", folder)))
            print(f"{cells} functions: {generated[-1].total:.2f} s", flush=True)
    growth = _growth(generated)
    text = f"{table([*examples, *generated])}\n\nThe time of the generated programs grows as size^{growth:.2f}."
    print(f"\n{text}")
    results = HERE / "results"
    results.mkdir(exist_ok=True)
    (results / "pass_time.md").write_text(f"# Time of the pass\n\n{text}\n")
    document = {"timings": [asdict(t) for t in (*examples, *generated)], "growth": growth}
    (results / "pass_time.json").write_text(json.dumps(document, indent=1) + "\n")
    slow = [t.name for t in examples if t.total > LIMIT_SECONDS]
    if slow:
        print(f"over {LIMIT_SECONDS} s: {', '.join(slow)}", file=sys.stderr)
    return 1 if slow or growth > WORST_GROWTH else 0


def _growth(timings: list[Timing]) -> float:
    """The exponent p of time ~ size^p, by least squares on logarithms."""
    sizes = [math.log(t.instructions) for t in timings]
    times = [math.log(t.total) for t in timings]
    return statistics.linear_regression(sizes, times).slope


if __name__ == "__main__":
    raise SystemExit(main())
