"""What building again costs in a CMake project of 200 C files with a gradient through all of them.

One file changed: the build may cost what compiling that file costs, and 1.5 times the link with its derivative. Nothing
changed: nothing is run. The cache of links is off. Exit code 1 when a limit is exceeded.

Usage: python benchmarks/rebuild.py [--files N] [--rounds N]
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import enzyme_build
from enzyme_build.settings import from_environment
from enzyme_build.toolchain import process
from enzyme_build.toolchain.find import find_compiler
from enzyme_build.toolchain.languages import Language

LIMIT_LINKS = 1.5
PACKAGE = Path(enzyme_build.__file__).parent
LISTS = """
cmake_minimum_required(VERSION 3.25)
project(many LANGUAGES C)
set(CMAKE_BUILD_TYPE Release)
find_package(EnzymeBuild CONFIG REQUIRED)
file(GLOB units CONFIGURE_DEPENDS unit*.c)
add_library(units STATIC ${units})
enzyme_add_gradient(total_grad FROM units FUNCTION "unit0(x[n], n)")
add_executable(main main.c)
target_link_libraries(main PRIVATE total_grad)
"""
UNIT = """
#include <math.h>
{declaration}
double helper{index}(double a, double b) {{ return {factor} * sin(a) * b + exp(-a * a); }}
double unit{index}(const double *x, int n)
{{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += helper{index}(x[i], x[(i + 1) % n]);
    return sum{more};
}}
"""
MAIN = """
#include <stdio.h>
#include "total_grad.h"
int main(void)
{
    double x[3] = {1, 2, 3}, x_bar[3] = {0};
    double value = unit0_grad(x, x_bar, 3);
    printf("%.15g %.15g\\n", value, x_bar[0] + x_bar[1] + x_bar[2]);
}
"""


def write(folder: Path, index: int, files: int, factor: float = 1.5) -> None:
    last = index + 1 == files
    text = UNIT.format(
        index=index,
        factor=factor,
        declaration="" if last else f"double unit{index + 1}(const double *x, int n);",
        more="" if last else f" + unit{index + 1}(x, n)",
    )
    (folder / f"unit{index}.c").write_text(text)


def run(*command: str | Path, cwd: Path) -> tuple[float, str]:
    """Seconds, and what was said."""
    start = time.perf_counter()
    done = process.run([str(word) for word in command], cwd=cwd)
    process.check(done, [str(word) for word in command], "building")
    return time.perf_counter() - start, done.stdout


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--files", type=int, default=200)
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    os.environ["ENZYME_CACHE_SIZE"] = "0"  # noqa: TID251 - links are measured
    tools = from_environment().tools
    compiler = find_compiler(Language.C, tools).command[0]
    with tempfile.TemporaryDirectory(prefix="rebuild-") as name:
        folder = Path(name)
        for index in range(chosen.files):
            write(folder, index, chosen.files)
        (folder / "CMakeLists.txt").write_text(LISTS)
        (folder / "main.c").write_text(MAIN)
        command = f"-DEnzymeBuild_COMMAND={sys.executable};-m;enzyme_build"
        setup = ["-G", "Ninja", f"-DCMAKE_C_COMPILER={compiler}", f"-DEnzymeBuild_DIR={PACKAGE / 'cmake'}", command]
        run("cmake", "-S", folder, "-B", folder / "build", *setup, cwd=folder)
        build = folder / "build"
        whole, _ = run("ninja", cwd=build)
        nothing, said = run("ninja", cwd=build)
        again, compiled, linked = [], [], []
        for turn in range(chosen.rounds):
            write(folder, chosen.files // 2, chosen.files, factor=2 + turn)
            again.append(run("ninja", cwd=build)[0])
            write(folder, chosen.files // 2, chosen.files, factor=3 + turn)
            compiled.append(run("ninja", f"CMakeFiles/units.dir/unit{chosen.files // 2}.c.o", cwd=build)[0])
            linked.append(run("ninja", cwd=build)[0])
    rebuild, compile_, link = map(statistics.median, (again, compiled, linked))
    limit = compile_ + LIMIT_LINKS * link
    print("| build | time |\n|---|---:|")
    for title, seconds in {
        f"all of {chosen.files} files": whole,
        "one file changed": rebuild,
        "that file's compilation": compile_,
        "the link with its derivative, and the program": link,
        "nothing changed": nothing,
    }.items():
        print(f"| {title} | {seconds:.2f} s |")
    idle = "no work to do" in said
    print(
        f"one file changed: {rebuild:.2f} s of at most {limit:.2f} s; nothing changed: {said.strip().splitlines()[-1]}"
    )
    return int(rebuild > limit or not idle)


if __name__ == "__main__":
    sys.exit(main())
