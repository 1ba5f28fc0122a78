"""Time and memory of the gradient of a long time loop: without checkpoints, and with snapshots for the square root and
the logarithm of the steps.

Burgers' equation with a viscosity for each cell, which takes the states of all steps. Each measurement is a process of
its own: processor time of the primal and of the gradient (medians), and the memory that the gradient takes above the
primal, at its peak.

Usage: python benchmarks/checkpoints.py [--cells N] [--steps N …] [--repeats N]
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

from enzyme_build.toolchain import process

RESULTS = Path(__file__).parent / "results"
VARIANTS = {"none": None, "root": 0, "logarithm": -1}
PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
void __enzyme_checkpoint(long);

static double energy(const double *viscosity, int n, long steps)
{
    double *u = calloc(n, sizeof *u), *v = calloc(n, sizeof *v), sum = 0;
    for (int i = n / 4; i < n / 2; i++)
        u[i] = 1;
    for (long step = 0; step < steps; step++) {
#ifdef SNAPSHOTS
        __enzyme_checkpoint(SNAPSHOTS);
#endif
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i] - 0.1 * u[i] * (u[i] - u[i - 1]) + viscosity[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
        double *swap = u;
        u = v;
        v = swap;
    }
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i];
    free(u);
    free(v);
    return sum;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* of this program: what getrusage says begins with what its parent had */
static double peak(void)
{
    char line[200];
    double kilobytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %lf", &kilobytes) == 1)
            break;
    if (status)
        fclose(status);
    return 1024 * kilobytes;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    long steps = atol(argv[2]);
    double *k = calloc(n, sizeof *k), *k_bar = calloc(n, sizeof *k_bar), sum = 0;
    for (int i = 0; i < n; i++)
        k[i] = 0.1 + 0.05 * (i % 7);
    double start = seconds(), value = energy(k, n, steps), middle = seconds(), before = peak();
    __enzyme_autodiff((void *)energy, enzyme_dup, k, k_bar, enzyme_const, n, enzyme_const, steps);
    double end = seconds(), bytes = peak() - before;
    for (int i = 0; i < n; i++)
        sum += k_bar[i] * (1 + i % 3);
    printf("%.9g %.9g %.0f %.17g %.17g\n", middle - start, end - middle, bytes, value, sum);
}
"""


def build(folder: Path, name: str, snapshots: int | None) -> Path:
    source, program = folder / "burgers.c", folder / name
    source.write_text(PROGRAM)
    define = [] if snapshots is None else [f"-DSNAPSHOTS={snapshots}"]
    code = "import sys; from enzyme_build.drivers import cc; sys.exit(cc())"
    process.run([sys.executable, "-c", code, "-O2", *define, str(source), "-o", str(program)])
    return program


def measure(program: Path, cells: int, steps: int) -> list[float]:
    """Seconds of primal and gradient, bytes, and what was computed."""
    done = process.run([str(program), str(cells), str(steps)])
    return [float(word) for word in done.stdout.split()]


def table(rows: list[dict[str, object]]) -> str:
    lines = [
        "| steps | snapshots | primal, ms | gradient, ms | gradient / primal | memory, MB |",
        "|---:|---|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row['steps']} | {row['variant']} | {row['primal_ms']:.1f} | {row['gradient_ms']:.1f} | {row['ratio']:.1f} "
        f"| {row['megabytes']:.1f} |"
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--cells", type=int, default=1000)
    parser.add_argument("--steps", type=int, nargs="+", default=[500, 2000, 8000, 32000])
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as folder:
        programs = {name: build(Path(folder), name, asked) for name, asked in VARIANTS.items()}
        for steps in options.steps:
            taken: dict[str, list[list[float]]] = {name: [] for name in programs}
            for _ in range(options.repeats):  # in turn, so that a busy machine slows all of them alike
                for name, program in programs.items():
                    taken[name].append(measure(program, options.cells, steps))
            for name, runs in taken.items():
                primal, gradient, most, *found = (statistics.median(column) for column in zip(*runs, strict=True))
                expected = [*taken["none"][0][3:]]
                if any(abs(a - b) > 1e-10 * abs(b) for a, b in zip(found, expected, strict=True)):
                    sys.exit(f"{name}, {steps} steps: {found} instead of {expected}")
                rows.append(
                    {
                        "steps": steps,
                        "variant": name,
                        "primal_ms": 1e3 * primal,
                        "gradient_ms": 1e3 * gradient,
                        "ratio": gradient / primal,
                        "megabytes": most / 1e6,
                    }
                )
                print(table(rows[-1:]).splitlines()[-1], flush=True)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "checkpoints.md").write_text(f"{options.cells} cells.\n\n{table(rows)}")
    (RESULTS / "checkpoints.json").write_text(json.dumps(rows, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
