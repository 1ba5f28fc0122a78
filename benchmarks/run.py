"""Gradient time over primal time, and peak memory, of the problems in `benchmarks/problems` (`make bench`).

The primal is compiled by clang -O3 alone. Its gradient is made by `enzyme-cc` from the same source (`NAME_ad.c`) and
compared, in time and in value, with the adjoint written by hand (`NAME_adj.c`). Medians of process CPU time, the three
calls in turn.

Usage: python benchmarks/run.py [NAME…] [--seconds S] [--no-baseline] [--output FILE]
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import shutil
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from enzyme_build.errors import ToolError
from enzyme_build.toolchain import process

HERE = Path(__file__).parent
PROBLEMS = HERE / "problems"
ALL = (
    *("gmm", "nbody", "vecnorm", "ba", "lstm", "logsumexp", "brusselator", "mlp", "cholesky", "adaptive_ode"),
    *("euler", "rk4", "dopri", "fft", "spmv", "montecarlo"),
)
PRIMALS = {"ba": "ba_residual", "logsumexp": "logsumexp"}
GRADIENTS = {"ba": "ba_jacobian"}
CLANG = shutil.which("clang-22") or "clang"
CLANGXX = shutil.which("clang++-22") or "clang++"
WORST_ERROR = 1e-8


@dataclass
class Result:
    """One problem; `ratio` is the generated gradient over the primal, memory in kilobytes."""

    name: str
    inputs: int
    primal_ms: float
    hand_ms: float
    generated_ms: float
    error: float
    build_seconds: float
    peak_kb: dict[str, int]
    before_ms: float | None = None
    """The gradient made before optimisation, where it could be made."""

    @property
    def ratio(self) -> float:
        return self.generated_ms / self.primal_ms


def driver(name: str) -> list[str]:
    return [sys.executable, "-c", f"import sys; from enzyme_build.drivers import {name}; sys.exit({name}())"]


def run(command: list[str]) -> str:
    return process.check(process.run(command), command, "a step of the benchmark").stdout


def build(name: str, folder: Path, *, before_optimisation: bool = False) -> Path:
    """The driver with the primal, the hand-written adjoint and the generated gradient of one problem."""
    source = PROBLEMS / name
    primal = PRIMALS.get(name, f"{name}_objective")
    gradient = GRADIENTS.get(name, f"{name}_gradient")
    baseline = ["--ad-before-opt"] if before_optimisation else []
    plain = ["-O3", "-I", str(PROBLEMS), "-I", str(source)]
    objects = {stem: str(folder / f"{name}-{stem}.o") for stem in ("primal", "hand", "driver", "gradient")}
    run([CLANG, *plain, "-c", str(source / f"{name}.c"), "-o", objects["primal"]])
    by_hand = f"-D{gradient}={gradient}_by_hand"
    run([CLANG, *plain, by_hand, "-c", str(source / f"{name}_adj.c"), "-o", objects["hand"]])
    run([CLANGXX, *plain, "-std=c++17", "-c", str(PROBLEMS / "driver.cpp"), "-o", objects["driver"]])
    # The copy of the primal in the gradient's file gets a name of its own: what is timed is clang's.
    own_copy = f"-D{primal}={primal}_differentiated"
    run([*driver("cc"), *plain, *baseline, own_copy, "-c", str(source / f"{name}_ad.c"), "-o", objects["gradient"]])
    program = folder / name
    run([*driver("cxx"), "-O3", *baseline, *objects.values(), "-lm", "-o", str(program)])
    return program


def measure(name: str, folder: Path, *, seconds: float, baseline: bool) -> Result:
    started = time.monotonic()
    program = build(name, folder)
    spent = time.monotonic() - started
    times = json.loads(run([str(program), "time", str(seconds)]))
    peaks = {
        what: json.loads(run([str(program), "memory", what]))["peak_kb"] for what in ("primal", "hand", "generated")
    }
    times.pop("samples")
    result = Result(name=name, build_seconds=round(spent, 2), peak_kb=peaks, **times)
    if baseline:
        before = build(name, folder, before_optimisation=True)
        result.before_ms = json.loads(run([str(before), "time", str(min(seconds, 0.5))]))["generated_ms"]
    return result


def markdown(results: list[Result]) -> str:
    heads = ("problem", "inputs", "primal ms", "by hand", "generated", "before optimisation", "error")
    memory_head = "peak MB: primal / by hand / generated"
    lines = [f"| {' | '.join(heads)} | {memory_head} |", "|---|---:|---:|---:|---:|---:|---:|---:|"]
    for r in results:
        before = f"{r.before_ms / r.primal_ms:.2f}" if r.before_ms else "-"
        memory = " / ".join(f"{r.peak_kb[what] / 1024:.2f}" for what in ("primal", "hand", "generated"))
        numbers = [r.name, str(r.inputs), f"{r.primal_ms:.4g}", f"{r.hand_ms / r.primal_ms:.2f}", f"**{r.ratio:.2f}**"]
        lines.append(f"| {' | '.join([*numbers, before, f'{r.error:.1e}', memory])} |")
    mean = math.exp(sum(math.log(r.generated_ms / r.hand_ms) for r in results) / len(results))
    lines += ["", f"Geometric mean of generated over by hand: {mean:.2f}."]
    with_before = [r for r in results if r.before_ms]
    if with_before:
        gain = math.exp(sum(math.log(r.before_ms / r.generated_ms) for r in with_before) / len(with_before))
        lines.append(f"Geometric mean of the gain over differentiating before optimisation: {gain:.2f}.")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*ALL, []], metavar="NAME", help=f"of {', '.join(ALL)}")
    parser.add_argument("--seconds", type=float, default=1.5, help="time spent on measuring each problem")
    parser.add_argument("--no-baseline", action="store_true", help="leave out differentiation before optimisation")
    parser.add_argument("--output", type=Path, default=HERE / "results" / "gradients", help="for .json and .md")
    options = parser.parse_args()

    results, failed = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.names or ALL:
            try:
                result = measure(name, Path(folder), seconds=options.seconds, baseline=not options.no_baseline)
            except ToolError as error:
                failed.append(name)
                print(f"{name}: {error}\n{error.stderr}", file=sys.stderr)
                continue
            results.append(result)
            print(f"{name}: {result.ratio:.2f} times the primal, error {result.error:.1e}", flush=True)
    if results:
        table = markdown(results)
        head = f"Times over the primal (clang -O3, one thread, process CPU time, medians) on {cpu()}.\n\n"
        print(f"\n{table}")
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.with_suffix(".md").write_text(f"# Gradients\n\n{head}{table}\n")
        options.output.with_suffix(".json").write_text(json.dumps([asdict(r) for r in results], indent=1) + "\n")
    wrong = [r.name for r in results if not r.error <= WORST_ERROR]
    if wrong:
        print(f"wrong gradient: {', '.join(wrong)}", file=sys.stderr)
    return 1 if failed or wrong else 0


def cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(": ")[1] for line in lines if line.startswith("model name")), platform.machine())


if __name__ == "__main__":
    raise SystemExit(main())
