"""Check the programs of `tests/programs` from the command line: one line each, PASS, FAIL or REFUSED.

The first line of a program says what it is and how it is checked, as `// check: SHAPE key=value …` (in Fortran, whose
functions have `bind(C)`, `! check:`; in Rust they are `#[no_mangle] pub extern "C" fn`):

    array     REAL objective(REAL *x, int n)                               real=float|long (default double)
    scalar    REAL objective(REAL a, …) of n=1, 2 or 3 arguments
    map       void transform(const double *x, double *y, int n, int m)     keeps=1: adds to y instead of overwriting it
    inplace   void transform(double *x, int n)
    main      a whole program that exits with 0 when all is well

n=7,1,0 runs it with several lengths; range=low:high is where the point lies (seed=… which one); tol is relative to
finite differences, identity that of forward against reverse mode, step the first step of the finite differences;
mutates=1 says that the program writes to x; lenient=1 compares with finite differences only where they are good;
refused=CODE says that the program is a documented limit and must be refused with this code (CODE@-O0: only there,
CODE@-O1+-O2-fno-inline: at these levels; several, with commas between them); stopped=-O2-fno-inline that its
derivative ends with a message there (levels joined by +); filled=1 that it is only run where fresh memory is filled;
valgrind=no leaves it out there, valgrind=errors lets it lose memory of its own; level=-O2 says that it takes too long
to build at others;
with=a.c,b.rs names further sources, of any language, flags=… options of the compiler (separated by commas).
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess  # noqa: TID251
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from prepared import LATE, prepared

SUPPORT = Path(__file__).parent
PROGRAMS = SUPPORT.parent / "programs"
ROOT = SUPPORT.parent.parent
# The package under test is the installed one; run by hand without any, the one of this tree.
INSTALLED = find_spec("enzyme_build")
PACKAGE = Path(INSTALLED.origin).parents[1] if INSTALLED and INSTALLED.origin else ROOT
# Plain compilers, for what the tool has no part in.
CLANG = shutil.which("clang-22") or "clang"
CLANGXX = shutil.which("clang++-22") or "clang++"
# Rust as it is built for a link by our drivers: the crate as bitcode, the standard library as it was delivered.
LIBCXX = "-stdlib=libc++"
RUSTC_PROGRAM = shutil.which("rustc") or str(Path.home() / ".cargo/bin/rustc")
RUSTC = (RUSTC_PROGRAM, "--edition=2021", "--crate-type=staticlib", "-g", "-Clinker-plugin-lto", "-Cpanic=abort",
         "-Ccodegen-units=1", "-Cno-vectorize-loops", "-Cno-vectorize-slp")  # fmt: skip
# Sources that clang does not compile, and the endings of what is made of them.
COMPILED_APART = {".f90": ".o", ".f": ".o", ".rs": ".a"}
# A level is options of the compiler. The last keeps every call until after differentiation.
LEVELS = ("-O0", "-O2")
OTHER_LEVELS = ("-O1", "-O3", "-O2 -fno-inline")
MODES = ("reverse", "forward")
# Of ours, by their console scripts' names: where they start.
DRIVERS = {"enzyme-cc": "cc", "enzyme-c++": "cxx", "enzyme-fc": "fc"}
COMPILE_SECONDS = 300
RUN_SECONDS = 60
# Every access of the derivatives is watched, and what they leave behind. Long doubles have the precision of doubles
# there, so numbers are not judged.
VALGRIND = ("valgrind", "-q", "--error-exitcode=99", "--leak-check=full", "--show-leak-kinds=definite",
            "--errors-for-leak-kinds=definite",
            f"--suppressions={Path(__file__).with_name('valgrind.supp')}")  # fmt: skip
VALGRIND_SECONDS = 600
WARNINGS = ("-Wall", "-Wextra", "-Wno-unused-parameter", "-Wno-unused-command-line-argument")
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fsanitize-address-use-after-return=always",
              # Attributes are the drivers', and what is deprecated the library's.
              "-Wno-unknown-attributes", "-Wno-deprecated-declarations")  # fmt: skip

# Run-time settings of the harness, in the order in which it must see them: n last, as it starts the checks.
HARNESS_KEYS = {"m": "m", "seed": "seed", "tol": "tol", "identity": "identity", "step": "step", "keeps": "keeps",
                "mutates": "mutates", "lenient": "lenient"}  # fmt: skip
REALS = {"double": "double", "float": "float", "long": "long double"}
# Two builds round differently: relative to the largest value.
VALUE_TOLERANCES = {"float": 1e-4, "double": 1e-10, "long": 1e-10}
ROUNDED = 1e-3
"""Programs whose derivatives are no more exact than that round some of their numbers to `float`."""
PRIMAL_VALUE = re.compile(r"^primal value (\S+)$", re.MULTILINE)
REAL_DEFAULTS = {"float": {"tol": "4e-3", "identity": "2e-5", "step": "0.3"}}


@dataclass(frozen=True)
class Program:
    """One file of `tests/programs` and what its first line says."""

    path: Path
    shape: str
    keys: dict[str, str]

    @property
    def name(self) -> str:
        return self.path.stem + {".cpp": "_cpp", ".f90": "_f90", ".f": "_f", ".rs": "_rs"}.get(self.path.suffix, "")

    @property
    def draw(self) -> int:
        """A number for samples, always the same."""
        return sum(self.name.encode())

    @property
    def is_cxx(self) -> bool:
        return self.path.suffix == ".cpp"

    @property
    def sources(self) -> list[Path]:
        others = self.keys.get("with", "")
        return [self.path, *(self.path.parent / name for name in others.split(",") if name)]

    def has(self, *suffixes: str) -> bool:
        """Is one of its sources in that language?"""
        return any(source.suffix in suffixes for source in self.sources)

    @property
    def flags(self) -> list[str]:
        return [flag for flag in self.keys.get("flags", "").split(",") if flag]

    def refusal(self, level: str) -> str:
        """The code with which the program is refused at this level; empty if it is differentiated."""
        for told in self.keys.get("refused", "").split(","):
            code, _, only = told.partition("@")
            if not only or level.replace(" ", "") in only.split("+"):
                return code
        return ""

    def stops(self, level: str) -> bool:
        """Does its derivative end the program at this level, with a message?"""
        return level.replace(" ", "") in self.keys.get("stopped", "").split("+")

    def is_limit_at(self, level: str) -> bool:
        """Is it said of this level that the program is refused or stopped there?"""
        return self.stops(level) or ("@" in self.keys.get("refused", "") and self.refusal(level) != "")

    @property
    def lacks_compiler(self) -> bool:
        """Is one of its languages without a compiler, or its library missing, on this machine?"""
        if LIBCXX in self.flags and not has_libcxx():
            return True
        return self.has(".rs") and not Path(RUSTC_PROGRAM).exists()

    def runs_at(self, level: str) -> bool:
        return self.keys.get("level", level) == level

    @property
    def shape_defines(self) -> list[str]:
        defines = [f"-DREAL={REALS[self.keys.get('real', 'double')]}"]
        if self.shape == "scalar":
            defines.append(f"-DARITY={self.keys['n']}")
        return defines

    def harness_arguments(self) -> list[str]:
        if self.shape == "main":
            return []
        keys = REAL_DEFAULTS.get(self.keys.get("real", ""), {}) | self.keys
        low, high = keys.get("range", "0.5:1.5").split(":")
        arguments = [f"low={low}", f"high={high}"]
        arguments += [f"{name}={keys[key]}" for key, name in HARNESS_KEYS.items() if key in keys]
        return arguments + [f"n={n}" for n in keys.get("n", "6").split(",")]


@dataclass
class Outcome:
    """What became of one program at one level."""

    program: Program
    level: str
    verdict: str  # PASS, FAIL, REFUSED
    output: str = ""
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def first_error(self) -> str:
        lines = [line for line in self.output.splitlines() if line.strip()]
        telling = [line for line in lines if re.search(r"error|FAIL|Error|runtime", line)]
        return (telling or lines or [""])[0].strip()


@cache
def has_libcxx() -> bool:
    """Does the C++ compiler find LLVM's C++ library?"""
    command = [CLANGXX, LIBCXX, "-x", "c++", "-include", "algorithm", "-fsyntax-only", os.devnull]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def read_program(path: Path) -> Program:
    first = path.read_text().split("\n", 1)[0]
    match = re.fullmatch(r"(?://|!) check: (\w+)((?: \w+=\S+)*)", first.strip())
    if match is None:
        raise ValueError(f"{path}: the first line is not '// check: SHAPE key=value …'")
    return Program(path, match[1], dict(item.split("=", 1) for item in match[2].split()))


def all_programs(pattern: str = "") -> list[Program]:
    """Programs whose name contains one of the words of `pattern`; files without the comment are parts of others."""
    paths = sorted(path for path in PROGRAMS.iterdir() if path.suffix in {".c", ".cpp", ".f90", ".f", ".rs"})
    programs = [read_program(path) for path in paths if path.read_text().startswith(("// check:", "! check:"))]
    return [p for p in programs if not pattern or any(word in p.name for word in pattern.split("|"))]


def random_programs(first: int, count: int) -> list[Program]:
    """Programs that stay in a folder, so that a failing one can be looked at."""
    from random_programs import random_program

    folder = Path(tempfile.gettempdir()) / "random-programs"
    folder.mkdir(exist_ok=True)
    paths = [folder / f"random{seed}.c" for seed in range(first, first + count)]
    for seed, path in enumerate(paths, first):
        path.write_text(random_program(seed))
    return [read_program(path) for path in paths]


class Bench:
    """A folder with the compiled harness and shapes, shared by all programs of a run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.modes = MODES
        self.extra: tuple[str, ...] = ()
        self.watched = False
        self.sanitized = False
        self.guarded = False
        self.split = False
        # Is vector mode left out for two thirds of the programs? It costs two more derivatives.
        self.few_lanes = False
        # Builds the same programs without derivatives, where only the primal's values are compared.
        self.plain: Bench | None = None

    def compiler(self, *, cxx: bool) -> list[str]:
        if self.sanitized:
            return [CLANGXX if cxx else CLANG, *SANITIZERS]
        return ["enzyme-c++" if cxx else "enzyme-cc"]

    def lacks_sanitizers(self) -> bool:
        """Is the run-time library of the sanitizers missing, which packages of compilers leave out?"""
        source = self.folder / "nothing.c"
        source.write_text("int main(void) { return 0; }\n")
        command = [*self.compiler(cxx=False), str(source), "-o", str(self.folder / "nothing")]
        return self.run(command, COMPILE_SECONDS).returncode != 0

    def run(self, command: list[str], seconds: int) -> subprocess.CompletedProcess[str]:
        if command[0] in DRIVERS:
            environment = os.environ | {"ENZYME_CACHE_SIZE": "0"}  # noqa: TID251
            return prepared(PACKAGE).run(DRIVERS[command[0]], command[1:], seconds, ROOT, environment)
        # Fresh memory full of 0x7f (large numbers), freed memory of 0x80: what nobody initialised is seen. Without
        # per-thread caches the count of memory in use is exact: a leak is seen.
        environment = os.environ | {  # noqa: TID251
            "MALLOC_PERTURB_": "128",
            "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0",
        }
        try:
            return subprocess.run(
                command, capture_output=True, text=True, timeout=seconds, check=False, cwd=ROOT, errors="replace",
                env=environment,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, LATE, "", f"error: no end after {seconds} s")

    def guard(self) -> Path:
        """The allocator for programs whose memory is guarded."""
        output = self.folder / "guarded_malloc.so"
        if not output.exists():
            source = str(SUPPORT / "guarded_malloc.c")
            self.must([CLANG, "-shared", "-fPIC", "-O1", "-fno-builtin", *WARNINGS, source, "-o", str(output)])
        return output

    def harness(self) -> Path:
        """The part without derivatives: compiled by plain clang, so that the link step does not read it."""
        output = self.folder / "harness.o"
        if not output.exists():
            mode = [*(SANITIZERS if self.sanitized else ["-O2"]), *([] if self.modes else ["-DPLAIN"])]
            self.must([CLANG, "-c", "-g", *WARNINGS, *mode, str(SUPPORT / "harness.c"), "-o", str(output)])
        return output

    def shape(self, program: Program, level: str) -> Path:
        lanes = level == "-O2" and self.modes == MODES and not self.split  # once is enough
        lanes = lanes and (not self.few_lanes or program.draw % 3 == 1)
        tag = "".join(re.findall(r"\w+", "".join(program.shape_defines) + level)) + "lanes" * lanes
        output = self.folder / f"{program.shape}-{tag}.o"
        if not output.exists():
            source = str(SUPPORT / f"shape_{program.shape}.c")
            defines = [*program.shape_defines, *(f"-D{mode.upper()}" for mode in self.modes)]
            if self.split:
                defines.append("-DSPLIT")
            if lanes:
                defines.append("-DLANES")
            command = [*self.compiler(cxx=False), "-c", "-g", *level.split(), *WARNINGS, *defines, source]
            self.must([*command, "-o", str(output)])
        return output

    def must(self, command: list[str]) -> None:
        # Written beside and moved: several programs may want the same object at once.
        target = Path(command[-1])
        beside = target.with_name(f"{time.monotonic_ns()}.o")
        done = self.run([*command[:-1], str(beside)], COMPILE_SECONDS)
        if done.returncode or done.stderr:
            raise RuntimeError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        beside.replace(target)

    def build(self, program: Program, level: str) -> tuple[subprocess.CompletedProcess[str], Path]:
        output = self.folder / f"{program.name}{level.replace(' ', '')}"
        inputs: list[str] = []
        archives: list[Path] = []
        for source in program.sources:
            inputs.append(str(source))
            if source.suffix in COMPILED_APART:
                inputs[-1] = f"{output}-{source.stem}{COMPILED_APART[source.suffix]}"
                compiled = self.run(self.command_apart(program, source, level, inputs[-1]), COMPILE_SECONDS)
                if compiled.returncode:
                    return compiled, output
                if source.suffix == ".rs":
                    archives.append(Path(inputs[-1]))
        if program.shape != "main":
            inputs[:0] = [str(self.shape(program, level)), str(self.harness())]  # archives stand behind their users
        command = [
            *self.compiler(cxx=program.is_cxx and not program.has(".c")),
            "-g",
            *level.split(),
            *WARNINGS,
            *([] if program.path.suffix in COMPILED_APART else program.flags),
            *self.extra,
            *(["-Wl,--strip-debug"] if self.watched else []),  # valgrind gives up on debug data newer than itself
            *inputs,
            # A link without requests is the plain compiler's, which adds the runtime of its own language only.
            *(["-lflang_rt.runtime"] if not self.modes and program.has(".f90", ".f") else []),
            *(["-lstdc++"] if not self.modes and program.has(".cpp") else []),
        ]
        built = self.run([*command, "-lm", "-o", str(output)], COMPILE_SECONDS)
        for archive in archives:  # the standard library is large
            archive.unlink()
        return built, output

    def command_apart(self, program: Program, source: Path, level: str, output: str) -> list[str]:
        """Compile a source that clang does not know; a program's flags are for the language of its first source."""
        own = program.flags if source.suffix == program.path.suffix else []
        if source.suffix == ".rs":
            inline = ["-Cllvm-args=-force-attribute=noinline"] if "-fno-inline" in level else []
            rustc = RUSTC if self.modes else [part for part in RUSTC if part != "-Clinker-plugin-lto"]
            return [*rustc, f"-Copt-level={level[2]}", *inline, *own, str(source), "-o", output]
        flags = level.replace("-fno-inline", "-mllvm -force-attribute=noinline").split()
        return ["enzyme-fc", "-c", "-g", *flags, *own, str(source), "-module-dir", str(self.folder), "-o", output]

    def check(self, program: Program, level: str) -> Outcome:
        start = time.monotonic()
        try:
            built, executable = self.build(program, level)
        except RuntimeError as error:
            return Outcome(program, level, "FAIL", f"the harness does not compile: {error}")
        seconds = {"build": time.monotonic() - start}
        said = built.stdout + built.stderr
        if self.sanitized and said:
            return Outcome(program, level, "FAIL", said, seconds)
        expected = program.refusal(level)
        if expected and not self.sanitized:
            # A documented limit: it must be refused, and say so.
            verdict = "PASS" if built.returncode and f"[{expected}]" in said else "FAIL"
            return Outcome(program, level, verdict, said or f"FAIL: accepted, though {expected} is a limit", seconds)
        if built.returncode:
            refused = "error: " in said and not re.search(r"internal error|Traceback|link step stopped", said)
            return Outcome(program, level, "REFUSED" if refused else "FAIL", said, seconds)
        if self.watched and program.has(".f90", ".f", ".rs"):
            # Valgrind gives up on the debug data of flang's runtime and of Rust's library.
            self.run(["strip", "--strip-debug", str(executable)], RUN_SECONDS)
        if self.plain:
            return self.compare_values(program, level, executable)
        start = time.monotonic()
        preloaded = ["env", f"LD_PRELOAD={self.guard()}"] if self.guarded else []
        command = [*preloaded, str(executable), *program.harness_arguments()]
        watch = [*VALGRIND, *(["--leak-check=no"] if program.keys.get("valgrind") == "errors" else [])]
        ran = self.run([*watch, *command], VALGRIND_SECONDS) if self.watched else self.run(command, RUN_SECONDS)
        if not ran.returncode and not self.watched and "filled" not in program.keys:
            # As users run it: fresh memory is mostly zero, which hides other mistakes than large numbers do.
            ran = self.run(["env", "-u", "MALLOC_PERTURB_", *command], RUN_SECONDS)
        seconds["run"] = time.monotonic() - start
        if "I can't recover" in ran.stderr:
            return Outcome(program, level, "FAIL", f"error: valgrind itself failed\n{ran.stderr}", seconds)
        executable.unlink(missing_ok=True)
        said += ran.stdout + ran.stderr
        if program.stops(level) and (self.modes or self.watched):
            verdict = "PASS" if ran.returncode == -signal.SIGABRT and "enzyme_build: " in ran.stderr else "FAIL"
            return Outcome(program, level, verdict, said or "FAIL: it went on", seconds)
        if ran.returncode < 0:
            said = f"FAIL: killed by signal {-ran.returncode}\n{said}"
        bad = ran.returncode != 0
        if self.watched:
            # Memory in such disorder that valgrind gave up on it, too, with another code.
            broken = "Giving up" in said or "\nvalgrind: " in said
            bad = ran.returncode in (99, 124) or ran.returncode < 0 or broken
        return Outcome(program, level, "FAIL" if bad else "PASS", said, seconds)

    def compare_values(self, program: Program, level: str, executable: Path) -> Outcome:
        """What the primal gives in the link with derivatives against what it gives in a plain build."""
        assert self.plain
        try:
            built, plain = self.plain.build(program, level)
        except RuntimeError as error:
            return Outcome(program, level, "FAIL", f"the harness does not compile: {error}")
        if built.returncode:
            return Outcome(program, level, "FAIL", f"error: no plain build: {built.stdout}{built.stderr}")
        arguments = ["values=1", *program.harness_arguments()]
        runs = [self.run([str(path), *arguments], RUN_SECONDS) for path in (executable, plain)]
        for path in (executable, plain):
            path.unlink()
        said = "".join(f"{run.stdout}{run.stderr}" for run in runs)
        if any(run.returncode for run in runs):
            codes = " and ".join(str(run.returncode) for run in runs)
            return Outcome(program, level, "FAIL", f"FAIL: ended with {codes} (with derivatives, plain)\n{said}")
        # Where some numbers are rounded to `float`, what optimisation changes in the last bit of a `double` is more.
        rounds = float(program.keys.get("tol", 0)) >= ROUNDED
        tolerance = VALUE_TOLERANCES["float" if rounds else program.keys.get("real", "double")]
        # Programs may print, too.
        values = [[float(word) for word in PRIMAL_VALUE.findall(run.stdout)] for run in runs]
        for number, (here, there) in enumerate(zip(*values, strict=True)):
            if not abs(here - there) <= tolerance * max(map(abs, values[1])):
                words = f"FAIL: value {number} is {here} in the link with derivatives, {there} in a plain build"
                return Outcome(program, level, "FAIL", words)
        return Outcome(program, level, "PASS")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-k", metavar="WORDS", default="", help="only programs whose name contains a word ('a|b')")
    for level in ("-O0", "-O1", "-O2", "-O3"):
        parser.add_argument(level, dest="levels", action="append_const", const=level)
    parser.add_argument("--no-inline", dest="levels", action="append_const", const=OTHER_LEVELS[-1])
    parser.add_argument("--all", dest="levels", action="store_const", const=[*LEVELS, *OTHER_LEVELS], help="all levels")
    parser.add_argument("-j", type=int, default=1, help="programs at once")
    parser.add_argument("-v", action="store_true", help="all that was printed, not only the first error")
    parser.add_argument("-x", action="append", default=[], metavar="OPTION", help="a further option for the driver")
    parser.add_argument("--primal", action="store_true", help="no derivatives: are the programs themselves right?")
    parser.add_argument(
        "--valgrind", action="store_true", help="watch the memory of the derivatives, not their numbers"
    )
    parser.add_argument("--guarded", action="store_true", help="with an allocator that looks behind the ends of memory")
    parser.add_argument("--split", action="store_true", help="by __enzyme_augmentfwd, …reverse and …fwdsplit")
    parser.add_argument("--values", action="store_true", help="only the primal's values, against a plain build's")
    parser.add_argument("--mode", choices=MODES, help="only this mode")
    parser.add_argument(
        "--random", type=int, metavar="COUNT", help="random programs instead of those of tests/programs"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the first random program")
    options = parser.parse_args()
    programs = random_programs(options.seed, options.random) if options.random else all_programs(options.k)
    if options.valgrind:
        # Its numbers are sizes of memory, which valgrind needs itself.
        programs = [program for program in programs if program.keys.get("valgrind") != "no"]
    if options.primal or options.mode or options.values:
        programs = [program for program in programs if program.shape != "main"]
    if options.primal:  # flang and rustc have no sanitizers
        programs = [program for program in programs if not program.has(*COMPILED_APART)]
    cases = [(program, level) for program in programs for level in options.levels or LEVELS if program.runs_at(level)]
    count = {"PASS": 0, "FAIL": 0, "REFUSED": 0}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.j) as pool:
        bench = Bench(Path(folder))
        bench.modes = () if options.primal else (options.mode,) if options.mode else MODES
        bench.extra = tuple(options.x)
        bench.watched = options.valgrind
        bench.guarded = options.guarded
        bench.split = options.split
        bench.sanitized = options.primal
        if options.values:
            bench.plain = Bench(Path(folder) / "plain")
            bench.plain.folder.mkdir()
            bench.plain.modes = ()
        if options.primal and bench.lacks_sanitizers():
            sys.exit(f"{CLANG} cannot link {SANITIZERS[0]}: install its run-time library (libclang-rt-22-dev)")
        for outcome in pool.map(lambda case: bench.check(*case), cases):
            count[outcome.verdict] += 1
            spent = " ".join(f"{what} {seconds:.1f}s" for what, seconds in outcome.seconds.items())
            line = f"{outcome.verdict:8}{outcome.level:4} {outcome.program.name:30} {spent}"
            if outcome.verdict != "PASS":
                line += f"\n         {outcome.output if options.v else outcome.first_error}"
            print(line, flush=True)
    print(", ".join(f"{number} {verdict.lower()}" for verdict, number in count.items()))
    return 1 if count["FAIL"] + count["REFUSED"] else 0


if __name__ == "__main__":
    sys.exit(main())
