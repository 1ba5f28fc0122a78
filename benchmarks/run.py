"""Gradient time over primal time, and peak memory, of the problems in `benchmarks/problems` (`make bench`).

The primal is compiled by clang -O3 alone. Its gradient is made by `enzyme-cc` from the same source (`NAME_ad.c`) and
compared, in time and in value, with the adjoint written by hand (`NAME_adj.c`), and with the other tools that are
installed (`--rivals`). Medians of process CPU time, all calls in turn; JAX and PyTorch in a process of their own.

Usage: python benchmarks/run.py [NAME…] [--seconds S] [--no-baseline] [--rivals] [--output FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import sys
import tempfile
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import other_tools
from report import Result, markdown, plot

from enzyme_build.errors import ToolError
from enzyme_build.settings import from_environment
from enzyme_build.toolchain import process
from enzyme_build.toolchain.find import find_compiler
from enzyme_build.toolchain.languages import Language

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).parent
PROBLEMS = HERE / "problems"
ALL = (
    *("gmm", "nbody", "vecnorm", "ba", "lstm", "logsumexp", "brusselator", "mlp", "cholesky", "adaptive_ode"),
    *("euler", "rk4", "dopri", "fft", "spmv", "montecarlo", "heat", "hand"),
    *("euler.cpp", "rk4.cpp", "gmm.F90", "lstm.F90", "heat.F90", "gmm.rs", "lstm.rs", "heat.rs"),
    *("gmm.blocks.c", "mlp.tiles.c"),
)
PRIMALS = {"ba": "ba_residual", "logsumexp": "logsumexp"}
GRADIENTS = {"ba": "ba_jacobian"}
BY_CLANG = (".c", ".cpp")
"""Of these the gradient can be made before optimisation, too: other compilers hand over optimised code."""
CLANG = shutil.which("clang-22") or "clang"
CLANGXX = shutil.which("clang++-22") or "clang++"
ODEINT, ODEINT_FROM = "boost/numeric/odeint.hpp", "apt-get install libboost-dev"
WORST_ERROR = 1e-8
BASELINE = ("--ad-before-opt",)
VECTORS = ("-march=native", "-fveclib=libmvec")


def driver(name: str) -> list[str]:
    return [sys.executable, "-c", f"import sys; from enzyme_build.drivers import {name}; sys.exit({name}())"]


def run(command: list[str]) -> str:
    return process.check(process.run(command), command, "a step of the benchmark").stdout


def compile_elsewhere(
    source: Path, objective: str, folder: Path, *, ours: bool, options: Sequence[str] = ()
) -> list[str]:
    """The primal in another language, or written in another way, under its name in C: as its compiler makes it, or for
    differentiation by us, with our `options` (C and C++ alone: the others' compilers hand over optimised code)."""
    output = folder / f"{source.name}-{objective}"
    if source.suffix in BY_CLANG:
        plain, of_cxx = (CLANGXX, ["-std=c++17"]) if source.suffix == ".cpp" else (CLANG, [])
        command = [*driver("cxx" if of_cxx else "cc"), *options] if ours else [plain]
        flags = ["-O3", *of_cxx, "-I", str(PROBLEMS), f"-DOBJECTIVE_NAME={objective}"]
        run([*command, *flags, "-c", str(source), "-o", f"{output}.o"])
        return [f"{output}.o"]
    language = Language.RUST if source.suffix == ".rs" else Language.FORTRAN
    compiler = find_compiler(language, from_environment().tools)
    if language is Language.RUST:
        flags = ["--edition=2021", "--crate-type=staticlib", "-Copt-level=3", "-Cpanic=abort", "-Ccodegen-units=1"]
        flags += [
            "--check-cfg=cfg(differentiated)",
            *(["--cfg=differentiated", *compiler.flags(flags)] if ours else []),
        ]
        run([*compiler.command, *flags, str(source), "-o", f"{output}.a"])
        return [f"{output}.a"]
    command = driver("fc") if ours else list(compiler.command)
    names = [f'-DOBJECTIVE_NAME="{objective}"', f"-DMODULE_NAME=module_of_{objective}"]
    flags = ["-O3", *names, "-module-dir", str(folder)]
    run([*command, *flags, "-c", str(source), "-o", f"{output}.o"])
    return [f"{output}.o"]


def build(variant: str, folder: Path, rivals: list[str], options: Sequence[str] = ()) -> Path:
    """The driver with the primal, the hand-written adjoint and the generated gradient of a problem, and the rivals.
    `options` are for the gradient alone."""
    name, _, language = variant.partition(".")
    source = PROBLEMS / name
    primal = PRIMALS.get(name, f"{name}_objective")
    gradient = GRADIENTS.get(name, f"{name}_gradient")
    plain = ["-O3", "-I", str(PROBLEMS), "-I", str(source)]
    objects = {stem: str(folder / f"{name}-{stem}.o") for stem in ("primal", "hand", "driver", "gradient")}
    elsewhere = []
    if language:
        part = source / variant
        elsewhere = compile_elsewhere(part, f"{primal}_differentiated", folder, ours=True, options=options)
        elsewhere += compile_elsewhere(part, primal, folder, ours=False)
        del objects["primal"]
    else:
        run([CLANG, *plain, "-c", str(source / f"{name}.c"), "-o", objects["primal"]])
    by_hand = f"-D{gradient}={gradient}_by_hand"
    run([CLANG, *plain, by_hand, "-c", str(source / f"{name}_adj.c"), "-o", objects["hand"]])
    run([CLANGXX, *plain, "-std=c++17", "-c", str(PROBLEMS / "driver.cpp"), "-o", objects["driver"]])
    # The copy of the primal in the gradient's file gets a name of its own: what is timed is clang's.
    own_copy = [f"-D{primal}={primal}_differentiated", *(["-DPRIMAL_ELSEWHERE"] if language else [])]
    run([*driver("cc"), *plain, *options, *own_copy, "-c", str(source / f"{name}_ad.c"), "-o", objects["gradient"]])
    program = folder / variant
    run([*driver("cxx"), "-O3", *options, *objects.values(), *elsewhere, *rivals, "-lm", "-o", str(program)])
    return program


def measure(name: str, folder: Path, tools: other_tools.Tools, *, seconds: float, baseline: bool) -> Result:
    rivals = [part for tool in tools.compiled for part in tool.build(PROBLEMS / name, folder)]
    started = time.monotonic()
    program = build(name, folder, rivals)
    spent = time.monotonic() - started
    times = json.loads(run([str(program), "time", str(seconds)]))
    variants = ("primal", "hand", "generated", *times["rivals"])
    peaks = {what: json.loads(run([str(program), "memory", what]))["peak_kb"] for what in variants}
    result = Result(name=name, build_seconds=round(spent, 2), peak_kb=peaks, **times)
    if baseline:
        result.before_ms = result.primal_ms * generated_ratio(name, folder, BASELINE, seconds)
        result.vector_ms = result.primal_ms * generated_ratio(name, folder, VECTORS, seconds)
    if tools.arrays:
        measure_arrays(result, program, folder, tools.arrays, seconds)
    for tool, figures in result.rivals.items():
        if tool != "differences" and not figures["error"] <= WORST_ERROR:
            print(f"{name}: {tool} is off by {figures['error']:.1e}", file=sys.stderr)
    return result


def generated_ratio(name: str, folder: Path, options: Sequence[str], seconds: float) -> float:
    """The gradient that is made with other options over the primal, which takes turns with it: the same minutes later a
    machine may be slower."""
    program = build(name, folder, [], options)
    times = json.loads(run([str(program), "time", str(min(seconds, 0.5))]))
    return float(times["generated_ms"] / times["primal_ms"])


def measure_arrays(result: Result, program: Path, folder: Path, tools: list[str], seconds: float) -> None:
    run([str(program), "dump", str(folder)])
    for tool in tools:
        try:
            figures = other_tools.measure_arrays(tool, result.name.partition(".")[0], folder, seconds)
        except ToolError as error:
            print(f"{error}\n{error.stderr}", file=sys.stderr)
            continue
        if figures:
            result.peak_kb[tool] = int(figures.pop("peak_kb"))
            result.rivals[tool] = figures


def write(results: list[Result], output: Path, missing: list[str], seconds: float) -> None:
    text = "\n\n".join([markdown(results), *missing])
    head = f"Times over the primal (clang -O3, one thread, process CPU time, medians) on {cpu()}."
    head += f" Measured for {seconds:g} s each, {os.cpu_count()} processors under a load of {os.getloadavg()[1]:.1f}."
    print(f"\n{text}")
    output.parent.mkdir(parents=True, exist_ok=True)
    output.with_suffix(".md").write_text(f"# Gradients\n\n{head}\n\n![gradients]({output.stem}.svg)\n\n{text}\n")
    output.with_suffix(".svg").write_text(plot(results))
    output.with_suffix(".json").write_text(json.dumps([asdict(r) for r in results], indent=1) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*ALL, []], metavar="NAME", help=f"of {', '.join(ALL)}")
    parser.add_argument("--seconds", type=float, default=1.5, help="time spent on measuring each problem")
    parser.add_argument("--no-baseline", action="store_true", help="leave out other options")
    parser.add_argument("--rivals", action="store_true", help="measure the other tools that are installed, too")
    parser.add_argument("--output", type=Path, default=HERE / "results" / "gradients", help="for .json, .md and .svg")
    options = parser.parse_args()
    tools = other_tools.installed() if options.rivals else other_tools.Tools()

    names, missing = options.names or ALL, tools.missing
    without = [name for name in names if name.endswith(".cpp")]
    if without and not other_tools.has_header(ODEINT):
        names = [name for name in names if name not in without]
        missing = [*missing, f"{' and '.join(without)} need Boost.Odeint and are left out: {ODEINT_FROM}"]

    results, failed = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            in_c = "." not in name  # compiled rivals are measured once
            by_clang = in_c or name.endswith(BY_CLANG)
            how = {"seconds": options.seconds, "baseline": by_clang and not options.no_baseline}
            others = replace(tools, compiled=[]) if name.endswith(".c") else tools if in_c else other_tools.Tools()
            try:
                result = measure(name, Path(folder), others, **how)
            except ToolError as error:
                failed.append(name)
                print(f"{name}: {error}\n{error.stderr}", file=sys.stderr)
                continue
            results.append(result)
            print(f"{name}: {result.ratio:.2f} times the primal, error {result.error:.1e}", flush=True)
    if results:
        write(results, options.output, missing, options.seconds)
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
