"""Fuzz the differentiation pass: `python tests/fuzz/run.py --count N --seed S [--jobs 2]`.

Functions are compiled several to a file, each at two optimisation levels whose results must agree; those that are
refused leave the file and are counted. Failing functions are saved, alone and reduced, in --save.

Verdicts: PASS; FAIL (a wrong derivative, a leak, a crash of the program); CRASH (an internal error); REFUSED
(a message with a code). Set aside, as nothing tells whether the derivative is right: UNSURE (differences do not
converge, or the last bits of the inputs decide), WILD (infinite numbers on the way), INVALID (undefined behaviour).
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import subprocess  # noqa: TID251
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
from build import build  # noqa: E402
from generate import HEAD  # noqa: E402
from languages import LANGUAGES, Language  # noqa: E402
from reduce import reduced  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ENVIRONMENT = os.environ | {"GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}  # noqa: TID251
FILLED = ("128", "0", "1", "254")
"""What fresh memory is filled with, by turns: large numbers, nothing (mostly zeros), more nonsense."""
BAD = re.compile(r"internal error|Traceback|link step stopped|reproducer")
EXTRAS = ("", "WIDE", "SPLIT", "SECOND", "SPLIT_FORWARD", "WIDE", "FIXED", "SPLIT")
"""What is checked besides first derivatives, by the seed: each costs as much as they do."""
SET_ASIDE = ("UNSURE", "WILD", "INVALID")


@dataclass
class Subject:
    seed: int
    text: str
    language: str = "c"
    verdict: str = ""
    detail: str = ""
    extended: bool = True
    values: dict[str, list[list[float]]] = field(default_factory=dict)
    """By level: for each point the value, a directional derivative, and how exact each is."""

    @property
    def name(self) -> str:
        return f"p{self.seed}"

    @property
    def extra(self) -> str:
        extra = EXTRAS[self.seed % len(EXTRAS)] if self.extended else ""
        has_own = LANGUAGES[self.language].has_requests or (self.language == "ir" and extra == "FIXED")
        return "" if has_own else extra

    @property
    def sharp(self) -> bool:
        """Only in double: differences and the two modes agree to many digits, and second derivatives are checked."""
        return not re.search(r"\bfloat f =|; rounds", self.text)


def subject_of(seed: int, language: str = "c", *, plain: bool) -> Subject:
    name, fixed = f"p{seed}", EXTRAS[seed % len(EXTRAS)] == "FIXED"
    return Subject(seed, LANGUAGES[language].random(seed, name, fixed=fixed), language, extended=not plain)


def run(command: list[str], seconds: int, filled: str = FILLED[0]) -> subprocess.CompletedProcess[str]:
    environment = ENVIRONMENT | {"MALLOC_PERTURB_": filled}
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False, env=environment,
                              errors="replace")  # fmt: skip
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", "internal error: no end")


_MEMBERS = {
    "WIDE": ("wide_forward", "wide_reverse"),
    "SECOND": ("second",),
    "SPLIT": ("split",),
    "SPLIT_FORWARD": ("split_forward",),
    "FIXED": ("fixed", "fixed_forward"),
}


def source(subjects: Sequence[Subject], *, plain: bool = False) -> tuple[str, list[tuple[int, int, Subject]]]:
    """The C file, and which lines belong to whom."""
    lines = [*HEAD.splitlines(), f'#include "{HERE}/driver.h"']
    ranges = []
    for subject in subjects:
        first = len(lines) + 1
        lines += subject.text.splitlines() if LANGUAGES[subject.language].is_c else []
        ranges.append((first, len(lines), subject))
    for subject in subjects:
        first = len(lines) + 1
        lines += [] if LANGUAGES[subject.language].has_requests else [f"SUBJECT({subject.name})"]
        lines += [f"{subject.extra}({subject.name})"] if subject.extra and not plain else []
        ranges.append((first, len(lines), subject))
    lines.append("static const Subject subjects[] = {")
    for s in subjects:
        extras = () if plain else _MEMBERS.get(s.extra, ())
        members = {"name": f'"{s.name}"', "sharp": str(int(s.sharp)), "primal": s.name}
        members |= {name: f"{s.name}_{name}" for name in ("reverse", "forward", *extras)}
        lines.append(f"    {{{', '.join(f'.{name} = {value}' for name, value in members.items())}}},")
    lines += ["};", "int main(void) {", f"    return check_all(subjects, {len(subjects)}) != 0;", "}"]
    return "\n".join(lines) + "\n", ranges


def one_module(texts: Sequence[str]) -> str:
    """Modules in LLVM's language as one: declarations stand once."""
    lines = [line for text in texts for line in text.splitlines()]
    declared = dict.fromkeys(line for line in lines if line.startswith("declare "))
    return "\n".join([*declared, *(line for line in lines if not line.startswith("declare "))])


def file_apart(subjects: Sequence[Subject], folder: Path) -> Path | None:
    """The file with the functions that are in a language with files of its own, if there are any."""
    language = _language_apart(subjects)
    if language is None:
        return None
    path = folder / f"more{language.ending}"
    path.write_text("\n".join([language.head, *(s.text for s in subjects)]))
    return path


def _language_apart(subjects: Sequence[Subject]) -> Language | None:
    """That of all these functions, if they stand in a file beside the C file."""
    language = LANGUAGES[subjects[0].language]
    return language if language.ending else None


def _ranges_apart(subjects: Sequence[Subject]) -> list[tuple[int, int, Subject]]:
    """Which lines of that file belong to whom."""
    language = _language_apart(subjects)
    if language is None:
        return []
    last, ranges = len(language.head.split("\n")), []
    for subject in {s.name: s for s in subjects}.values():
        first, last = last + 1, last + len(subject.text.split("\n"))
        ranges.append((first, last, subject))
    return ranges


def check(subjects: list[Subject], level: str, *, plain: bool = False) -> None:
    """Fill in the verdicts at one level. `plain`: without what is checked besides first derivatives."""
    left = [s for s in subjects if s.verdict in ("", "PASS")]
    with tempfile.TemporaryDirectory() as folder:
        path, output = Path(folder) / "batch.c", Path(folder) / "batch"
        while left:
            text, ranges = source(left, plain=plain)
            path.write_text(text)
            more = one_module([s.text for s in left if s.language == "ir"])
            code, said = 0, ""
            seconds, words_apart = 60 + 20 * len(left), []
            apart = file_apart(left, Path(folder))
            if apart is not None:
                code, said, words_apart = LANGUAGES[left[0].language].compile(apart, level, seconds)
            if code == 0:
                words = [*level.split(), "-w", str(path), *words_apart, "-lm", "-o", str(output)]
                code, said = build(words, seconds, more)
            if code == 0:
                break
            blamed = set() if BAD.search(said) else _blamed(said, ranges)
            if not blamed and len(left) > 1:
                check(left[: len(left) // 2], level, plain=plain)
                check(left[len(left) // 2 :], level, plain=plain)
                return
            if len(left) == 1:
                _rejected(left[0], said, level)
                return
            # once more alone: a call through a pointer may reach functions of the others
            for subject in left:
                if subject.name in blamed:
                    check([subject], level, plain=plain)
            left = [s for s in left if s.name not in blamed]
        if left:
            filled = FILLED[(left[0].seed // 8 + len(level)) % len(FILLED)]
            done = run([str(output)], 25 * len(left), filled)
            _read_results(done.stdout, left, level)
            _stopped(done.stderr, ranges, level)


def _blamed(said: str, ranges: list[tuple[int, int, Subject]]) -> set[str]:
    """Whose lines or functions the errors name."""
    names = set()
    apart = _ranges_apart([subject for _, _, subject in ranges])
    for line in said.splitlines():
        if "error" not in line:
            continue
        place = re.search(r"(batch\.c|more\.\w+):(\d+)", line)
        owners = ranges if place and place[1] == "batch.c" else apart
        owned = [s.name for first, last, s in owners if place and first <= int(place[2]) <= last]
        names |= set(owned or re.findall(r"(?:\b|_QM)(p\d+)(?=_|\b)", line.replace("_", " _")))
    return names & {subject.name for _, _, subject in ranges}


def _rejected(subject: Subject, said: str, level: str) -> None:
    refused = re.search(r"(?<!error)\[E0\d+\]", said) and not BAD.search(said)  # the others are rustc's own codes
    malformed = re.search(r"(batch\.c|more\.\w+):\d+:\d+: error", said) and not BAD.search(said)
    subject.verdict = "REFUSED" if refused else "INVALID" if malformed else "CRASH"
    lines = [line.strip() for line in said.splitlines() if "error" in line]
    own = [line for line in lines if subject.name in line] or lines
    subject.detail = f"{level}: {own[0][-300:] if refused and own else said[-1500:]}"


def _read_results(printed: str, subjects: list[Subject], level: str) -> None:
    by_name = {subject.name: subject for subject in subjects}
    said: set[str] = set()
    for line in printed.splitlines():
        kind, name, *rest = line.split(" ", 2)
        subject = by_name.get(name)
        if subject is None:
            continue
        said.add(name)
        if kind == "VALUE":
            subject.values.setdefault(level, []).append([float(word) for word in rest[0].split()])
        elif kind == "UNSURE":
            subject.detail = subject.detail or f"{level}: unsure: {rest[0]}"
        elif kind in ("FAIL", "WILD"):
            subject.verdict, subject.detail = kind, f"{level}: {rest[0]}"
        elif kind == "PASS":
            subject.verdict = subject.verdict or "PASS"
    for subject in subjects:
        if subject.name not in said or not subject.verdict:
            subject.verdict, subject.detail = "FAIL", f"{level}: said nothing"


def _stopped(said: str, ranges: list[tuple[int, int, Subject]], level: str) -> None:
    """What a derivative refuses at run time, with a message that names the function, or the line."""
    subjects = [subject for _, _, subject in ranges if subject.verdict == "FAIL" and "signal 6" in subject.detail]
    for line in said.splitlines():
        place = re.match(r"enzyme_build: \S*batch\.c:(\d+):(?:\d+:)? ", line)
        for first, last, subject in ranges:
            named = re.match(rf"enzyme_build: in '[^']*(?:\b|_QM){subject.name}(?![0-9])[^']*': ", line)
            here = named or (place is not None and first <= int(place[1]) <= last)
            # A line of a library is nobody's, unless there is nobody else.
            here = here or (place is None and len(subjects) == 1 and line.startswith("enzyme_build: "))
            if here and subject.verdict == "FAIL" and "signal 6" in subject.detail:
                subject.verdict, subject.detail = "REFUSED", f"{level}: at run time: {line}"


def compare_levels(subject: Subject) -> None:
    """Values and derivatives must not depend on the level."""
    if subject.verdict != "PASS" or len(subject.values) < 2:
        return
    (first, points), (second, others) = subject.values.items()
    margin = 1e-8 if subject.sharp else 1e-3
    for p, q in zip(points, others, strict=False):
        if abs(p[0] - q[0]) > margin * (1 + abs(p[0])) + p[2] + q[2]:
            subject.verdict, subject.detail = "FAIL", f"{first}: value {p[0]}, at {second} {q[0]}"
        elif abs(p[1] - q[1]) > margin * (1 + abs(p[1])) + p[3] + q[3]:
            subject.verdict, subject.detail = "FAIL", f"{first}: derivative {p[1]}, at {second} {q[1]}"


SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")


@cache
def sanitizing_compiler() -> list[str]:
    """A compiler that has its sanitizers; without one, clang, and valgrind watches the program."""
    with tempfile.TemporaryDirectory() as folder:
        path, output = Path(folder) / "empty.c", Path(folder) / "empty"
        path.write_text("int main(void) { return 0; }")
        for compiler in ("clang-22", "clang", "gcc"):
            command = [compiler, *SANITIZERS]
            if which(compiler) and run([*command, str(path), "-o", str(output)], 60).returncode == 0:
                return command
    return ["clang-22"]


def _built_plainly(
    subjects: Sequence[Subject], compiler: Sequence[str], folder: Path, optimised: str = "-O0"
) -> Path | None:
    """A program without derivatives, which runs the functions only."""
    path, output, ir = folder / "sound.c", folder / "sound", folder / "more.ll"
    path.write_text(source(subjects)[0])
    ir.write_text(one_module([s.text for s in subjects if s.language == "ir"]))
    words = ["-w", "-gdwarf-4", optimised]
    apart = file_apart(subjects, folder)
    more: list[str] | None = [str(ir)] if subjects[0].language == "ir" else []
    if apart is not None:
        more = LANGUAGES[subjects[0].language].compile_plain(apart, words)
    if more is None:
        return None
    words = [*compiler, *words, "-DPRIMAL_ONLY", str(path), *more, "-lm", "-o", str(output)]
    return output if run(words, 60 + 10 * len(subjects)).returncode == 0 else None


def compare_values(subjects: Sequence[Subject]) -> None:
    """Values must be those of a plain build."""
    passed = [s for s in subjects if s.verdict == "PASS" and s.values]
    if not passed:
        return
    with tempfile.TemporaryDirectory() as folder:
        program = _built_plainly(passed, ["clang-22"], Path(folder))
        printed = run([str(program)], 25 * len(passed)).stdout if program else ""
    for subject in passed:
        expected = [float(value) for value in re.findall(rf"^VALUE {subject.name} (\S+)$", printed, re.MULTILINE)]
        level, points = next(iter(subject.values.items()))
        margin = 1e-8 if subject.sharp else 1e-3
        for p, plain in zip(points, expected, strict=False):
            if abs(p[0] - plain) > margin * (1 + abs(plain)) + p[2]:
                subject.verdict, subject.detail = "FAIL", f"{level}: value {p[0]}, in a plain build {plain}"
        if not expected:
            subject.verdict, subject.detail = "FAIL", f"{level}: no value in a plain build"


def is_miscompiled(subject: Subject) -> bool:
    """Does the function crash as the compiler alone builds it, at the level that failed?"""
    level = re.search(r"-O[1-3]", subject.detail.split(": ", 1)[0])
    if level is None or "signal" not in subject.detail:
        return False
    with tempfile.TemporaryDirectory() as folder:
        output = _built_plainly([subject], ["clang-22"], Path(folder), level[0])
        return output is not None and run([str(output)], 120).returncode != 0


def soundness(subject: Subject) -> str:
    """PASS if the function is free of undefined behaviour and infinite numbers, and the compiler makes no mistake
    of its own; else WILD or INVALID."""
    if is_miscompiled(subject):
        return "INVALID"
    compiler = sanitizing_compiler() if LANGUAGES[subject.language].is_c else ["clang-22"]
    with tempfile.TemporaryDirectory() as folder:
        output = _built_plainly([subject], compiler, Path(folder))
        if output is None:
            return "INVALID"
        watched = ["valgrind", "-q", "--error-exitcode=9"] if len(compiler) == 1 and which("valgrind") else []
        ran = run([*watched, str(output)], 120)
        return "WILD" if "WILD" in ran.stdout else "PASS" if ran.returncode == 0 and "PASS" in ran.stdout else "INVALID"


def judge(subject: Subject) -> None:
    """The last word: a failure of a function that is not sound says nothing."""
    compare_levels(subject)
    if subject.verdict in ("FAIL", "CRASH"):
        sound = soundness(subject)
        subject.verdict = subject.verdict if sound == "PASS" or subject.verdict == "CRASH" else sound
    elif subject.verdict == "PASS" and subject.detail:
        subject.verdict = "UNSURE"


def same_failure(text: str, original: Subject) -> bool:
    level, words = original.detail.split(": ", 1)
    subject = Subject(original.seed, text, original.language, extended=original.extended)
    if soundness(subject) != "PASS":
        return False
    check([subject], level)
    if subject.verdict == "PASS" and original.values:
        check([subject], next((other for other in original.values if other != level), level), plain=True)
        compare_levels(subject)
    if subject.verdict != original.verdict:
        return False
    kind = words.split()[0]
    return original.verdict != "FAIL" or kind == subject.detail.split(": ", 1)[1].split()[0]


def save(subject: Subject, folder: Path, *, reduce: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if reduce and subject.verdict in ("FAIL", "CRASH") and subject.language != "ir":
        subject.text = reduced(subject.text, lambda text: same_failure(text, subject))
    stem = f"{subject.verdict.lower()}-{subject.name}{'-reduced' if reduce else ''}"
    language = LANGUAGES[subject.language]
    if subject.language == "ir":
        (folder / f"{stem}.ll").write_text(subject.text)
    elif language.ending:
        (folder / f"{stem}{language.ending}").write_text(f"{language.head}\n{subject.text}")
    (folder / f"{stem}.c").write_text(f"/* {subject.detail} */\n{source([subject])[0]}")


Batch = tuple[int, list[int]]
OPTIONS = argparse.Namespace()


def work(batch: Batch) -> list[Subject]:
    number, seeds = batch
    subjects = [subject_of(seed, OPTIONS.language, plain=OPTIONS.plain) for seed in seeds]
    pairs = LANGUAGES[OPTIONS.language].levels
    for turn, level in enumerate(OPTIONS.level or pairs[number % len(pairs)]):
        check(subjects, level, plain=turn > 0)
    if OPTIONS.values:
        compare_values(subjects)
    for subject in subjects:
        judge(subject)
    return subjects


def batches(options: argparse.Namespace) -> Iterator[Batch]:
    """Functions whose second derivatives are wanted stand together: derivatives of derivatives take a round of their
    own, of everything in the file."""
    seeds = range(options.seed, options.seed + options.count)
    groups = [[s for s in seeds if (EXTRAS[s % len(EXTRAS)] == "SECOND") == second] for second in (False, True)]
    cut = [group[at : at + options.batch] for group in groups for at in range(0, len(group), options.batch)]
    yield from enumerate(cut)


def _summary(counts: Counter[str]) -> str:
    total = counts.total()
    aside = sum(counts[verdict] for verdict in SET_ASIDE)
    return (f"{total} functions: {counts['PASS']} passed, {counts['FAIL']} wrong, {counts['CRASH']} crashed,"
            f" {counts['REFUSED']} refused ({100 * counts['REFUSED'] / total:.1f} %),"
            f" {aside} set aside ({100 * aside / total:.1f} %)")  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--level", action="append", help="flags of a build (two, which vary, unless told)")
    parser.add_argument("--save", type=Path, default=Path(tempfile.gettempdir()) / "fuzz")
    parser.add_argument("--no-reduce", action="store_true")
    parser.add_argument("--plain", action="store_true", help="first derivatives in combined and forward mode only")
    parser.add_argument("--values", action="store_true", help="compare values with those of a plain build, too")
    languages = parser.add_mutually_exclusive_group()
    for language in list(LANGUAGES.values())[1:]:
        languages.add_argument(f"--{language.option}", dest="language", action="store_const", const=language.name,
                               default="c", help=f"functions in {language.what} instead of C")  # fmt: skip
    parser.add_argument("--print", action="store_true", help="print what was refused or set aside")
    OPTIONS.__dict__.update(parser.parse_args().__dict__)
    counts: Counter[str] = Counter()
    shown = ("FAIL", "CRASH", "REFUSED", *SET_ASIDE) if OPTIONS.print else ("FAIL", "CRASH")
    with multiprocessing.get_context("fork").Pool(OPTIONS.jobs) as pool:
        for number, subjects in enumerate(pool.imap(work, batches(OPTIONS))):
            if number and number % 10 == 0:
                print(f"… {_summary(counts)}", flush=True)
            for subject in subjects:
                counts[subject.verdict] += 1
                if subject.verdict in shown:
                    print(f"{subject.verdict} {subject.name}: {subject.detail.strip()[:400]}", flush=True)
                if subject.verdict in ("FAIL", "CRASH"):
                    save(subject, OPTIONS.save, reduce=not OPTIONS.no_reduce)
    print(_summary(counts))
    return 1 if counts["FAIL"] + counts["CRASH"] else 0


if __name__ == "__main__":
    sys.exit(main())
