"""How fast bodies of functions are parsed and printed, and that the time grows linearly.

Programs: one of every language that is installed here, at -O0 and -O2. Parsed means: every operand resolved, every
constant an object. Run it with `python benchmarks/ir_speed.py [file.ll …]`; files given are measured instead.
The goal is 150,000 instructions per second; debug records are counted apart, though they take time too.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_function
from enzyme_build.llvm.context import parse_module_file
from enzyme_build.toolchain.process import run

SAMPLES = Path(__file__).parent.parent / "tests" / "ir"
EIGEN = "/usr/include/eigen3"
COMMANDS = {
    "C++": ["clang++-22", "-std=c++20", "-c", "-emit-llvm", str(SAMPLES / "sample.cpp")],
    "Eigen": ["clang++-22", "-w", "-I" + EIGEN, "-c", "-emit-llvm", str(SAMPLES / "sample_eigen.cpp")],
    "Fortran": ["flang-22", "-c", "-emit-llvm", str(SAMPLES / "sample.f90")],
}
GOAL = 150_000


def programs(folder: Path) -> dict[str, str]:
    """Names and texts of what the compilers here make of the samples."""
    found: dict[str, str] = {}
    for language, command in COMMANDS.items():
        if shutil.which(command[0]) is None:
            continue
        for options in (["-O0"], ["-O2"], ["-O2", "-g"]):
            output = folder / "out.bc"
            if run([*command, *options, "-o", str(output)], cwd=folder).returncode == 0:
                found[f"{language} {' '.join(options)}"] = llvm_text(output)
    if shutil.which("rustc"):
        for level in ("0", "2"):
            output = folder / "out.bc"
            options = ["--emit=llvm-bc", "-Awarnings", "-Copt-level=" + level, str(SAMPLES / "sample.rs")]
            if run(["rustc", *options, "-o", str(output)], cwd=folder).returncode == 0:
                found[f"Rust opt-level={level}"] = llvm_text(output)
    return found


def llvm_text(path: Path) -> str:
    return str(parse_module_file(path.read_bytes(), path.name))


def measure(text: str) -> tuple[int, int, float, float, float]:
    """Instructions, debug records, and the best of three times to split, to parse bodies and to print them."""
    best = [float("inf")] * 3
    instructions = records = 0
    for _ in range(3):
        start = time.perf_counter()
        module = parse_module(text)
        split = time.perf_counter()
        functions = [module.function(name) for name in module.bodies]
        parsed = time.perf_counter()
        for function in functions:
            print_function(function)
        printed = time.perf_counter()
        times = (split - start, parsed - split, printed - parsed)
        best = [min(pair) for pair in zip(best, times, strict=True)]
        instructions = sum(len(block.instructions) for function in functions for block in function.blocks)
        records = sum(len(block.records) for function in functions for block in function.blocks)
    return instructions, records, best[0], best[1], best[2]


def copies(name: str, count: int) -> str:
    """A module with `count` copies of one long function."""
    pairs = (f"  %a{i} = fadd double %x, %b{i - 1}\n  %b{i} = fmul fast double %a{i}, %y\n" for i in range(1, 500))
    body = f"{{\n  %b0 = fneg double %x\n{''.join(pairs)}  ret double %b499\n}}\n\n"
    return "".join(f"define double @{name}{number}(double %x, double %y) {body}" for number in range(count))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    files: list[Path] = parser.parse_args().files
    with tempfile.TemporaryDirectory() as folder:
        texts = {path.name: llvm_text(path) for path in files} if files else programs(Path(folder))
    columns = ("instructions", "records", "split ms", "parse ms", "instr./s", "print/s")
    print(f"{'program':24} " + " ".join(f"{column:>12}" for column in columns))
    total = seconds = 0.0
    for name, text in texts.items():
        count, records, split, parse, printing = measure(text)
        total += count
        seconds += parse
        print(
            f"{name:24} {count:12,} {records:12,} {split * 1e3:12.1f} {parse * 1e3:12.1f}"
            f" {count / parse:12,.0f} {count / printing:12,.0f}"
        )
    if total:
        print(f"all: {total / seconds:,.0f} instructions per second (goal {GOAL:,})")
    if not files:
        print("growth (copies of a function of 1,000 instructions):")
        for count in (10, 50, 250):
            instructions, _, _, parse, _ = measure(copies("f", count))
            print(f"  {instructions:9,} instructions: {parse / instructions * 1e6:.2f} µs each")
    return 0 if not total or total / seconds >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
