"""What a link without any derivative request costs more than the plain one.

Each line is linked by the compiler and by our driver in turn, so that a busy machine slows both alike; the table shows
medians of processor time. Exit code 1 when a line costs more than the limit.

Usage: python benchmarks/link_time.py [--rounds N] [--limit MILLISECONDS]
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import tempfile
from pathlib import Path

from enzyme_build.settings import from_environment
from enzyme_build.toolchain import process
from enzyme_build.toolchain.find import find_compiler, find_linker
from enzyme_build.toolchain.languages import Language

LIMIT_MILLISECONDS = 50.0
UNITS = 200
LINES = {
    "one object": ("cc", ["main.o"]),
    "200 objects": ("cc", ["main.o", *(f"unit{index}.o" for index in range(UNITS))]),
    "an archive": ("cc", ["main.o", "-L.", "-lunits"]),
    "a shared library": ("cc", ["-shared", "-Wl,-soname,libx.so", "unit0.o", "unit1.o"]),
    "a response file": ("cc", ["@line"]),
    "200 objects, ld -r": ("ld", ["-r", *(f"unit{index}.o" for index in range(UNITS))]),
}


def prepare(folder: Path, compiler: str) -> None:
    (folder / "main.c").write_text("int main(void) { return 0; }\n")
    for index in range(UNITS):
        (folder / f"unit{index}.c").write_text(f"int unit{index}(int x) {{ return x + {index}; }}\n")
    sources = sorted(path.name for path in folder.glob("*.c"))
    process.check(process.run([compiler, "-fPIC", "-c", *sources], cwd=folder), [compiler], "compiling")
    units = sorted(path.name for path in folder.glob("unit*.o"))
    process.check(process.run(["ar", "rcs", "libunits.a", *units], cwd=folder), ["ar"], "ar")
    (folder / "line").write_text("main.o\nunit0.o\n")


def seconds(command: list[str], folder: Path) -> float:
    """Processor time of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process.check(process.run(command, cwd=folder), command, "linking")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=15)
    options.add_argument("--limit", type=float, default=LIMIT_MILLISECONDS)
    chosen = options.parse_args()
    tools = from_environment().tools
    plain = {"cc": list(find_compiler(Language.C, tools).command), "ld": list(find_linker(tools))}
    worst = 0.0
    print(f"| {'link':20} | {'plain':>8} | {'ours':>8} | {'more':>8} |\n|---|---:|---:|---:|")
    with tempfile.TemporaryDirectory(prefix="link-time-") as name:
        folder = Path(name)
        prepare(folder, plain["cc"][0])
        for title, (tool, words) in LINES.items():
            driver = [sys.executable, "-c", f"from enzyme_build.drivers import {tool}; {tool}()"]
            line = [*words, "-o", "out"]
            rounds = [
                (seconds([*plain[tool], *line], folder), seconds([*driver, *line], folder))
                for _ in range(chosen.rounds)
            ]
            own, ours = (1000 * statistics.median(times) for times in zip(*rounds, strict=True))
            worst = max(worst, ours - own)
            print(f"| {title:20} | {own:5.0f} ms | {ours:5.0f} ms | {ours - own:5.0f} ms |", flush=True)
    if worst > chosen.limit:
        print(f"a link costs {worst:.0f} ms more than the plain one: the limit is {chosen.limit:.0f} ms")
    return int(worst > chosen.limit)


if __name__ == "__main__":
    sys.exit(main())
