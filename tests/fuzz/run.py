"""Fuzz the differentiation pass: `python tests/fuzz/run.py --count N --seed S [--jobs 2]`.

Functions are compiled several to a file at -O0 and -O2; those that are refused leave the file and are counted. Failing
functions are saved, alone and reduced, in --save. Verdicts: PASS; FAIL (a wrong derivative, a leak, a crash of the
program); REFUSED (an error message that names the function's lines); CRASH (an internal error of the tool).
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess  # noqa: TID251
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
from generate import HEAD, random_function  # noqa: E402
from reduce import reduced  # noqa: E402

ROOT = HERE.parent.parent
ENVIRONMENT = os.environ | {  # noqa: TID251
    "MALLOC_PERTURB_": "128", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0", "PYTHONPATH": str(ROOT)}  # fmt: skip
DRIVER = [sys.executable, "-c", "import sys; from enzyme_build.drivers import cc; sys.exit(cc())"]
BAD = re.compile(r"internal error|Traceback|link step stopped|reproducer")


@dataclass
class Subject:
    seed: int
    text: str
    verdict: str = ""
    detail: str = ""
    extended: bool = True
    values: dict[str, list[float]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"p{self.seed}"

    @property
    def extras(self) -> list[str]:
        """What is checked besides first derivatives, one at a time: each costs as much as they do."""
        return {1: ["WIDE"], 3: ["SECOND"]}.get(self.seed % 4, []) if self.extended else []


def run(command: list[str], seconds: int) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False, env=ENVIRONMENT,
                              errors="replace")  # fmt: skip
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", "internal error: no end")


def source(subjects: list[Subject]) -> tuple[str, list[tuple[int, int, Subject]]]:
    """The file, and which lines belong to whom."""
    lines = [*HEAD.splitlines(), f'#include "{HERE}/driver.h"']
    ranges = []
    for subject in subjects:
        first = len(lines) + 1
        lines += subject.text.splitlines()
        ranges.append((first, len(lines), subject))
    for subject in subjects:
        lines.append(f"SUBJECT({subject.name})")
        lines += [f"{extra}({subject.name})" for extra in subject.extras]
    lines.append("static const Subject subjects[] = {")
    for s in subjects:
        sharp = int("float f" not in s.text)
        functions = [s.name, f"{s.name}_reverse", f"{s.name}_forward"]
        functions += [f"{s.name}_wide_forward", f"{s.name}_wide_reverse"] if "WIDE" in s.extras else ["0", "0"]
        functions.append(f"{s.name}_second" if "SECOND" in s.extras else "0")
        lines.append(f'    {{"{s.name}", {sharp}, {", ".join(functions)}}},')
    lines += ["};", "int main(void) {", f"    return check_all(subjects, {len(subjects)}) != 0;", "}"]
    return "\n".join(lines) + "\n", ranges


def check(subjects: list[Subject], level: str) -> None:
    """Fill in the verdicts at one level."""
    left = [s for s in subjects if s.verdict in ("", "PASS")]
    with tempfile.TemporaryDirectory() as folder:
        path, output = Path(folder) / "batch.c", Path(folder) / "batch"
        while left:
            text, ranges = source(left)
            path.write_text(text)
            done = run([*DRIVER, "-g", level, "-w", str(path), "-lm", "-o", str(output)], 60 + 20 * len(left))
            if done.returncode == 0:
                break
            said = done.stdout + done.stderr
            if BAD.search(said) or "batch.c" not in said:
                if len(left) == 1:
                    left[0].verdict, left[0].detail = "CRASH", f"{level} {said[-1500:]}"
                else:
                    half = len(left) // 2
                    check(left[:half], level)
                    check(left[half:], level)
                return
            hit = False
            for line in said.splitlines():
                match = re.search(r"batch\.c:(\d+)", line)
                if match is None or "error" not in line:
                    continue
                for first, last, subject in ranges:
                    if first <= int(match[1]) <= last and subject in left:
                        refused = "[E0" in said or "cannot" in said
                        subject.verdict, subject.detail = (
                            "REFUSED" if refused else "INVALID",
                            f"{level} {line.strip()[-200:]}",
                        )
                        left.remove(subject)
                        hit = True
            if not hit and len(left) == 1:
                left[0].verdict = "REFUSED" if "[E0" in said else "CRASH"
                left[0].detail = f"{level} {said[-1500:]}"
                return
            if not hit:
                half = len(left) // 2
                check(left[:half], level)
                check(left[half:], level)
                return
        if not left:
            return
        for line in run([str(output)], 25 * len(left)).stdout.splitlines():
            kind, name, *rest = line.split(" ", 2)
            subject = next((s for s in left if s.name == name), None)
            if subject is None:
                continue
            if kind == "VALUE":
                subject.values.setdefault(level, []).append(float(rest[0]))
            elif kind == "WILD":
                subject.verdict, subject.detail = "WILD", rest[0]
            elif kind == "UNSURE":
                subject.detail = subject.detail or f"unsure {rest[0]}"
            elif not (kind == "PASS" and subject.verdict):
                subject.verdict, subject.detail = (
                    kind,
                    f"{level} {' '.join(rest)}" if kind == "FAIL" else subject.detail,
                )
        for s in left:
            if not s.verdict:
                s.verdict, s.detail = "FAIL", f"{level} said nothing"


def compare_levels(subject: Subject) -> None:
    """The values themselves must not depend on the level."""
    if subject.verdict != "PASS" or "float f" in subject.text:
        return
    (first, a), *others = list(subject.values.items()) or [("", [])]
    for level, b in others:
        if any(abs(p - q) > 1e-8 * (1 + abs(p)) for p, q in zip(a, b, strict=False)):
            subject.verdict, subject.detail = "FAIL", f"{first} value {a} {level} value {b}"
            return


SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def is_sound(subject: Subject) -> bool:
    """Is the function itself free of undefined behaviour, and tame?"""
    with tempfile.TemporaryDirectory() as folder:
        path, output = Path(folder) / "sound.c", Path(folder) / "sound"
        path.write_text(source([subject])[0])
        built = run(
            ["clang-22", "-w", "-g", "-O1", "-DPRIMAL_ONLY", *SANITIZERS, str(path), "-lm", "-o", str(output)], 60
        )
        if built.returncode:
            return False
        ran = run([str(output)], 60)
        return ran.returncode == 0 and "PASS" in ran.stdout


def same_failure(text: str, original: Subject) -> bool:
    level, *words = original.detail.split(" ")
    subject = Subject(original.seed, text, extended=original.extended)
    if not is_sound(subject):
        return False
    check([subject], level)
    if subject.verdict != original.verdict:
        return False
    a, b = words[0], subject.detail.split(" ")[1] if " " in subject.detail else ""
    return original.verdict != "FAIL" or a == b


def save(subject: Subject, folder: Path, *, reduce: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{subject.verdict.lower()}-{subject.name}.c"
    path.write_text(f"/* {subject.detail} */\n{source([subject])[0]}")
    if reduce and subject.verdict in ("FAIL", "CRASH"):
        subject.text = reduced(subject.text, lambda text: same_failure(text, subject))
        (folder / f"{subject.verdict.lower()}-{subject.name}-reduced.c").write_text(
            f"/* {subject.detail} */\n{source([subject])[0]}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--level", action="append", help="optimisation level (-O0 and -O2 unless told)")
    parser.add_argument("--save", type=Path, default=Path(tempfile.gettempdir()) / "fuzz")
    parser.add_argument("--no-reduce", action="store_true")
    parser.add_argument("--plain", action="store_true", help="first derivatives only: no second order, no vector mode")
    parser.add_argument("--refused", action="store_true", help="print what was refused")
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.count)
    batches = [seeds[at : at + options.batch] for at in range(0, len(seeds), options.batch)]

    def work(batch: range) -> list[Subject]:
        subjects = [Subject(seed, random_function(seed, f"p{seed}"), extended=not options.plain) for seed in batch]
        for level in options.level or ("-O2", "-O0"):
            check(subjects, level)
        for subject in subjects:
            compare_levels(subject)
            if subject.verdict in ("FAIL", "CRASH") and not is_sound(subject):
                subject.verdict = "INVALID"
        return subjects

    counts: Counter[str] = Counter()
    with ThreadPoolExecutor(options.jobs) as pool:
        for subjects in pool.map(work, batches):
            for subject in subjects:
                counts[subject.verdict] += 1
                if subject.verdict == "PASS" and subject.detail:
                    counts["UNSURE"] += 1
                if subject.verdict in ("FAIL", "CRASH", "INVALID") or (
                    subject.verdict == "REFUSED" and options.refused
                ):
                    print(f"{subject.verdict} {subject.name}: {subject.detail.strip()[:400]}", flush=True)
                if subject.verdict in ("FAIL", "CRASH"):
                    save(subject, options.save, reduce=not options.no_reduce)
    print(", ".join(f"{number} {verdict}" for verdict, number in sorted(counts.items())))
    return 1 if counts["FAIL"] + counts["CRASH"] else 0


if __name__ == "__main__":
    sys.exit(main())
