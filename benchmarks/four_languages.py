"""What a gradient through C, C++, Fortran and Rust costs beside that of the same function in C alone.

The function is `tests/programs/mixed_chain.c` with its parts: each calls the next language inside the loops. Both
programs run in turn, so that a busy machine slows both alike; the table shows medians of processor time of a
gradient, and whether calls between the languages are left in the optimised code. Exit code 1 when the four languages
cost more than the limit, or a call is left.

Usage: python benchmarks/four_languages.py [--rounds N] [--size N] [--limit RATIO]
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import tempfile
from pathlib import Path

from enzyme_build.settings import from_environment
from enzyme_build.toolchain import process
from enzyme_build.toolchain.find import find_compiler
from enzyme_build.toolchain.languages import Language

LIMIT = 1.1
PROGRAMS = Path(__file__).parent.parent / "tests" / "programs"
ALONE = """
#include <math.h>
static double link_third(double v, double e)
{
    double weights[3] = {0.5, 1.0, 2.0}, sum = 0, d = v - e;
    for (int i = 0; i < 3; i++) {
        double t = weights[i] * d;
        sum += t * t;
    }
    return sum + exp(e);
}
static double link_second(const double *v, const double *x, const int *n)
{
    double total = 0;
    for (int i = 0; i < *n; i++)
        total += link_third(*v, x[i]);
    return total;
}
static double link_first(double v, const double *x, int n)
{
    double root = sqrt(v);
    return v * link_second(&root, x, &n);
}
double objective(double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += sin(link_first(x[i], x, n));
    return sum;
}
"""
MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);
double objective(double *x, int n);
int main(int count, char **words)
{
    int n = atoi(words[count - 1]);
    double *x = malloc(n * sizeof *x), *x_bar = calloc(n, sizeof *x_bar), sum = 0;
    for (int i = 0; i < n; i++)
        x[i] = 0.5 + (double)i / n;
    clock_t start = clock();
    __enzyme_autodiff((void *)objective, enzyme_dup, x, x_bar, enzyme_const, n);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    for (int i = 0; i < n; i++)
        sum += x_bar[i] * (1 + i % 7);
    printf("%.9g %.12g\\n", seconds, sum);
    return 0;
}
"""
DRIVER = (sys.executable, "-P", "-c", "import sys; from enzyme_build.drivers import cc; sys.exit(cc())")
FORTRAN = (*DRIVER[:3], DRIVER[3].replace("cc", "fc"))


def check(command: list[str], environment: dict[str, str] | None = None) -> str:
    done = process.run([*(["env", *(f"{k}={v}" for k, v in (environment or {}).items())]), *command])
    return process.check(done, command, "building").stdout


def build(folder: Path) -> None:
    """`alone` and `chain` in the folder, and the optimised code of both."""
    (folder / "alone.c").write_text(ALONE)
    (folder / "main.c").write_text(MAIN)
    main = str(folder / "main.c")
    rustc = find_compiler(Language.RUST, from_environment().tools)
    flags = ["--edition=2021", "--crate-type=staticlib", "-Copt-level=2", *rustc.flags([])]
    archive, fortran = str(folder / "chain.a"), str(folder / "chain.o")
    check([*rustc.command, *flags, str(PROGRAMS / "mixed_chain_rust.rs"), "-o", archive])
    check([*FORTRAN, "-O2", "-c", str(PROGRAMS / "mixed_chain_fortran.f90"), "-o", fortran])
    parts = [str(PROGRAMS / name) for name in ("mixed_chain.c", "mixed_chain_cpp.cpp")]
    for name, inputs in {"alone": [str(folder / "alone.c")], "chain": [*parts, fortran, archive]}.items():
        stages = {"ENZYME_SAVE_STAGES": str(folder / f"{name}-stages")}
        check([*DRIVER, "-O2", main, *inputs, "-lm", "-o", str(folder / name)], stages)


def calls_left(folder: Path) -> list[str]:
    """Calls of the other languages' functions in the optimised code of the chain."""
    optimised = (folder / "chain-stages" / "optimised.ll").read_text()
    return sorted(set(re.findall(r"call [^\n]*@(link_\w+)\(", optimised)))


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=21)
    options.add_argument("--size", type=int, default=3000)
    options.add_argument("--limit", type=float, default=LIMIT)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(folder)
        left = calls_left(folder)
        times: dict[str, list[float]] = {"alone": [], "chain": []}
        sums: dict[str, float] = {}
        for _ in range(chosen.rounds):
            for program, found in times.items():
                seconds, total = check([str(folder / program), str(chosen.size)]).split()
                found.append(float(seconds))
                sums[program] = float(total)
    medians = {program: statistics.median(found) for program, found in times.items()}
    ratio = medians["chain"] / medians["alone"]
    print(f"C alone                 {medians['alone'] * 1e3:8.2f} ms")
    print(f"C, C++, Fortran, Rust   {medians['chain'] * 1e3:8.2f} ms   ratio {ratio:.3f}")
    print(f"calls left between languages: {', '.join(left) or 'none'}")
    agree = abs(sums["chain"] - sums["alone"]) <= 1e-9 * abs(sums["alone"])
    if not agree:
        print(f"the gradients differ: {sums}")
    return 0 if agree and not left and ratio <= chosen.limit else 1


if __name__ == "__main__":
    sys.exit(main())
