"""What a link means is what the linker alone makes of it: each line is linked by clang and by us, and the programs
print the same. To clang a function that always answers 42 stands for the derivative, as it does to us."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Shell

pytestmark = pytest.mark.compile

STUB = "double __enzyme_autodiff(void *f, ...) { (void)f; return 42; }"
GRAD = """
double f(double);
double __enzyme_autodiff(void *, ...);
double grad(double x) { return __enzyme_autodiff((void *)f, x); }
"""
F = "double f(double x) { return x * x; }"
MAIN = """
#include <stdio.h>
double grad(double);
int value(void);
int main(void) { printf("%g %d\\n", grad(1), value()); return 0; }
"""


def returns(number: int, attribute: str = "", name: str = "value") -> str:
    return f"{attribute} int {name}(void) {{ return {number}; }}"


@dataclass(frozen=True)
class Case:
    """A program: C files, commands that make libraries (`cc` is the compiler), and the line that links it."""

    name: str
    files: dict[str, str]
    line: str
    steps: tuple[str, ...] = ()
    flags: str = "-O2"
    linkers: tuple[str, ...] = ("bfd", "lld")
    main: str = MAIN
    output: str | None = None
    """What the program prints; None: whatever clang's does. "error": neither links."""
    shared: bool = False
    """The line makes `out`, a shared library; what it exports is compared."""
    native: tuple[str, ...] = field(default=())
    """Files compiled by gcc, without bitcode."""

    def __str__(self) -> str:
        return self.name


WEAK = "__attribute__((weak))"
ORDER = """
#include <stdio.h>
__attribute__((constructor)) static void %(name)s_first(void) { printf("%(name)s "); }
__attribute__((constructor(200))) static void %(name)s_early(void) { printf("early-%(name)s "); }
__attribute__((destructor)) static void %(name)s_last(void) { printf("~%(name)s "); }
int %(name)s(void) { return 1; }
"""
CXX_PART = """
#include <cstdio>
inline int counter = 0;
inline int next() { static int calls = 10; return ++calls; }
template <class T> T twice(T x) { return x + x + next(); }
struct Noted { Noted(const char *name) { std::printf("%%s%%d ", name, ++counter); } };
static Noted noted("%(name)s");
extern "C" int %(name)s() { return twice(next()) + counter; }
"""
ROW = """
struct row { int x; };
__attribute__((section("rows"), used, retain)) static struct row %(name)s = {%(value)d};
"""
SUM_OF_ROWS = """
extern struct row __start_rows[], __stop_rows[];
int value(void) {
  int sum = 0;
  for (struct row *r = __start_rows; r < __stop_rows; r++) sum += r->x;
  return sum;
}
"""
SPECIAL = """
_Thread_local int own = 3;
static int plain(void) { return 5; }
static int (*choose(void))(void) { return plain; }
int chosen(void) __attribute__((ifunc("choose")));
int real(void) { return 7; }
int other(void) __attribute__((alias("real")));
"""

CASES = [
    Case("strong over weak", {"a": returns(1, WEAK), "b": returns(2)}, "main.o grad.o f.o a.o b.o", output="42 2\n"),
    Case(
        "the first of two weak ones",
        {"a": returns(1, WEAK), "b": returns(2, WEAK)},
        "main.o grad.o f.o b.o a.o",
        output="42 2\n",
    ),
    Case(
        "weak here, strong in machine code",
        {"a": returns(1, WEAK), "b": returns(2)},
        "main.o grad.o f.o a.o b.o",
        native=("b",),
        output="42 2\n",
    ),
    Case(
        "strong here, weak in machine code",
        {"a": returns(1), "b": returns(2, WEAK)},
        "main.o grad.o f.o b.o a.o",
        native=("b",),
        output="42 1\n",
    ),
    Case(
        "a weak reference pulls nothing",
        {
            "a": f"{WEAK} int missing(void); int value(void) {{ return missing ? missing() : 0; }}",
            "b": returns(5, name="missing"),
        },
        "main.o grad.o f.o a.o libb.a",
        steps=("ar rcs libb.a b.o",),
        output="42 0\n",
    ),
    Case("two strong ones", {"a": returns(1), "b": returns(2)}, "main.o grad.o f.o a.o b.o", output="error"),
    Case("nothing", {"a": returns(1, name="other")}, "main.o grad.o f.o a.o", output="error"),
    Case(
        "common blocks of two sizes",
        {
            "a": "char block[4]; int value(void) { return block[2]; }",
            "b": "char block[9]; __attribute__((constructor)) static void set(void) { block[2] = 3; block[8] = 1; }",
        },
        "main.o grad.o f.o a.o b.o",
        flags="-O2 -fcommon",
        output="42 3\n",
    ),
    Case(
        "a common block and its definition",
        {"a": "int block; int value(void) { return block; }", "b": "int block = 7;"},
        "main.o grad.o f.o a.o b.o",
        flags="-O2 -fcommon",
        output="42 7\n",
    ),
    Case(
        "a definition in an archive for a common block",
        {"a": "int block; int value(void) { return block; }", "b": "int block = 7;"},
        "main.o grad.o f.o a.o libb.a",
        steps=("ar rcs libb.a b.o",),
        flags="-O2 -fcommon",
    ),
    Case(
        "names of their own in each file",
        {
            "a": "static int own(void) { return 1; } int first(void) { return own(); }",
            "b": "static int own(void) { return 10; } int first(void); int value(void) { return first() + own(); }",
        },
        "main.o grad.o f.o a.o b.o",
        output="42 11\n",
    ),
    Case(
        "the first archive",
        {"a": returns(1), "b": returns(2)},
        "main.o grad.o f.o liba.a libb.a",
        steps=("ar rcs liba.a a.o", "ar rcs libb.a b.o"),
        output="42 1\n",
    ),
    Case(
        "an archive before the object",
        {"a": returns(1), "b": returns(2)},
        "liba.a main.o grad.o f.o libb.a",
        steps=("ar rcs liba.a a.o", "ar rcs libb.a b.o"),
    ),
    Case(
        "the request in an archive before the object",
        {"a": returns(1)},
        "libg.a main.o libg.a a.o",
        steps=("ar rcs libg.a grad.o f.o",),
        output="42 1\n",
    ),
    Case(
        "archives that need each other, in a group",
        {
            "a": "int last(void); int value(void) { return last(); }",
            "b": "int inner(void); int last(void) { return inner() + 1; }",
            "c": returns(3, name="inner"),
        },
        "main.o grad.o f.o -Wl,--start-group liba.a libb.a -Wl,--end-group",
        steps=("ar rcs liba.a a.o c.o", "ar rcs libb.a b.o"),
        output="42 4\n",
    ),
    Case(
        "a group in one word",
        {
            "a": "int last(void); int value(void) { return last(); }",
            "b": "int inner(void); int last(void) { return inner() + 1; }",
            "c": returns(3, name="inner"),
        },
        "main.o grad.o f.o -Wl,-(,liba.a,-lb,-) -L.",
        steps=("ar rcs liba.a a.o c.o", "ar rcs libb.a b.o"),
        output="42 4\n",
    ),
    Case(
        "an archive twice",
        {
            "a": "int last(void); int value(void) { return last(); }",
            "b": "int inner(void); int last(void) { return inner() + 1; }",
            "c": returns(3, name="inner"),
        },
        "main.o grad.o f.o liba.a libb.a liba.a",
        steps=("ar rcs liba.a a.o c.o", "ar rcs libb.a b.o"),
        output="42 4\n",
    ),
    Case(
        "whole archives in one word",
        {"a": returns(1), "b": ORDER % {"name": "registered"}},
        "main.o grad.o f.o a.o -Wl,--whole-archive,libb.a,--no-whole-archive",
        steps=("ar rcs libb.a b.o",),
        output="early-registered registered 42 1\n~registered ",
    ),
    Case(
        "a whole archive between saved states",
        {"a": returns(1), "b": ORDER % {"name": "registered"}, "c": ORDER % {"name": "unused"}},
        "main.o grad.o f.o a.o -Wl,--push-state,--whole-archive libb.a -Wl,--pop-state libc.a",
        steps=("ar rcs libb.a b.o", "ar rcs libc.a c.o"),
        output="early-registered registered 42 1\n~registered ",
    ),
    Case(
        "a thin archive in another folder",
        {"a": returns(1)},
        "main.o grad.o -Lsub -lt",
        steps=("mkdir sub", "mv a.o f.o sub", "ar rcsT sub/libt.a sub/a.o sub/f.o"),
        output="42 1\n",
    ),
    Case(
        "a shared library is preferred",
        {"a": returns(1), "b": returns(2)},
        "main.o grad.o f.o -L. -lx -Wl,-rpath,.",
        steps=("ar rcs libx.a a.o", "cc -shared -fPIC b.c -o libx.so"),
        output="42 2\n",
    ),
    Case(
        "a static library by option",
        {"a": returns(1), "b": returns(2)},
        "main.o grad.o f.o -L. -Wl,-Bstatic,-lx,-Bdynamic",
        steps=("ar rcs libx.a a.o", "cc -shared -fPIC b.c -o libx.so"),
        output="42 1\n",
    ),
    Case(
        "a library by its file name",
        {"a": returns(1), "b": returns(2)},
        "main.o grad.o f.o -L . -l:libx.a",
        steps=("ar rcs libx.a a.o", "cc -shared -fPIC b.c -o libx.so"),
        output="42 1\n",
    ),
    Case(
        "an archive before a shared library",
        {"a": returns(1), "b": returns(2)},
        "main.o grad.o f.o liba.a libx.so -Wl,-rpath,.",
        steps=("ar rcs liba.a a.o", "cc -shared -fPIC b.c -o libx.so"),
        output="42 1\n",
    ),
    Case(
        "a shared library before an archive",
        {"a": returns(1), "b": returns(2)},
        "main.o grad.o f.o libx.so liba.a -Wl,-rpath,.",
        steps=("ar rcs liba.a a.o", "cc -shared -fPIC b.c -o libx.so"),
        output="42 2\n",
    ),
    Case(
        "a shared library that needs the program",
        {
            "a": "int helper(void) { return 3; } int shared(void); int value(void) { return shared(); }",
            "b": "int helper(void); int shared(void) { return helper() + 1; }",
        },
        "main.o grad.o f.o a.o libx.so -Wl,-rpath,.",
        steps=("cc -shared -fPIC b.c -o libx.so",),
        output="42 4\n",
    ),
    Case(
        "a shared library that needs a member",
        {
            "a": "int shared(void); int value(void) { return shared(); }",
            "b": "int helper(void); int shared(void) { return helper() + 1; }",
            "c": returns(3, name="helper"),
        },
        "main.o grad.o f.o a.o libx.so libc.a -Wl,-rpath,.",
        steps=("cc -shared -fPIC b.c -o libx.so", "ar rcs libc.a c.o"),
        output="42 4\n",
    ),
    Case(
        "constructors and destructors once and in order",
        {
            "a": ORDER % {"name": "one"},
            "b": ORDER % {"name": "two"},
            "c": ORDER % {"name": "left"},
            "d": "int one(void); int two(void); int value(void) { return one() + two(); }",
        },
        "main.o d.o grad.o f.o liba.a libc.a b.o",
        steps=("ar rcs liba.a a.o", "ar rcs libc.a c.o"),
    ),
    Case(
        "inline functions and variables of C++",
        {
            "a.cpp": CXX_PART % {"name": "one"},
            "b.cpp": CXX_PART % {"name": "two"},
            "c": "int one(void); int two(void); int value(void) { return one() * 1000 + two(); }",
        },
        "main.o grad.o f.o a.o b.o c.o -lstdc++",
    ),
    Case(
        "inline functions of C++ beside machine code",
        {
            "a.cpp": CXX_PART % {"name": "one"},
            "b.cpp": CXX_PART % {"name": "two"},
            "c": "int one(void); int two(void); int value(void) { return one() * 1000 + two(); }",
        },
        "main.o grad.o f.o a.o b.o c.o -lstdc++",
        native=("b.cpp",),
    ),
    Case(
        "outputs of ld -r",
        {"a": returns(1), "b": ORDER % {"name": "two"}},
        "main.o all.o",
        steps=("ld -r grad.o f.o a.o b.o -o all.o",),
        output="early-two two 42 1\n~two ",
    ),
    Case(
        "outputs of ld -r with machine code",
        {"a": returns(1), "b": "int extra = 5;"},
        "main.o all.o",
        native=("b",),
        steps=("ld -r grad.o f.o a.o b.o -o all.o",),
        output="42 1\n",
    ),
    Case(
        "response files in response files",
        {"a": returns(1)},
        "@outer",
        steps=("write inner grad.o 'f.o'", "write outer main.o @inner a.o"),
        output="42 1\n",
    ),
    Case(
        "a response file for the linker",
        {"a": returns(1)},
        "main.o -Wl,@inner a.o",
        steps=("write inner grad.o f.o",),
        output="42 1\n",
    ),
    Case(
        "a linker script",
        {"a": returns(1)},
        "main.o -L. -lall",
        steps=("ar rcs libg.a grad.o f.o a.o", "write liball.so GROUP(libg.a)"),
        output="42 1\n",
    ),
    Case(
        "a wrapped function",
        {"a": "int __real_value(void); int __wrap_value(void) { return __real_value() + 1; }", "b": returns(4)},
        "main.o grad.o f.o a.o b.o -Wl,--wrap=value",
        output="42 5\n",
    ),
    Case(
        "a wrapped function of machine code",
        {"a": "int __real_value(void); int __wrap_value(void) { return __real_value() + 1; }", "b": returns(4)},
        "main.o grad.o f.o a.o b.o -Wl,--wrap=value",
        output="42 5\n",
        native=("b",),
    ),
    Case(
        "a wrapped allocator",
        {
            "a": """
                #include <stddef.h>
                void *__real_malloc(size_t);
                static int calls;
                void *__wrap_malloc(size_t size) { calls++; return __real_malloc(size); }
                int count(void) { return calls; }""",
            "b": """
                #include <stdlib.h>
                int count(void);
                void *volatile kept;
                int value(void) { kept = malloc(8); free(kept); return count(); }""",
        },
        "main.o grad.o f.o a.o b.o -Wl,--wrap=malloc",
        output="42 1\n",
    ),
    Case(
        "a symbol defined by an option",
        {"a": "int other(void) { return 6; }"},
        "main.o grad.o f.o a.o -Wl,--defsym,value=other",
        output="42 6\n",
    ),
    *(
        Case(
            f"the first of two definitions ({option})",
            {"a": "int value(void) { return 7; }", "b": "int value(void) { return 8; } int more(void) { return 1; }"},
            f"main.o grad.o f.o a.o b.o {option}",
            output="42 7\n",
        )
        for option in ("-Wl,--allow-multiple-definition", "-Wl,-z,muldefs", "-z muldefs")
    ),
    Case(
        "tables between __start_ and __stop_",
        {
            "a": ROW % {"name": "one", "value": 1},
            "b": ROW % {"name": "two", "value": 20} + SUM_OF_ROWS,
        },
        "main.o grad.o f.o a.o b.o -Wl,--gc-sections",
        output="42 21\n",
    ),
    Case(
        "aliases, thread-local variables and functions chosen at start",
        {
            "a": SPECIAL,
            "b": "extern _Thread_local int own; int chosen(void); int other(void);"
            "int value(void) { return own * 100 + chosen() * 10 + other(); }",
        },
        "main.o grad.o f.o a.o b.o",
        output="42 357\n",
    ),
    Case(
        "names that assembly mentions",
        {"a": '__asm__(".globl value\\nvalue: jmp hidden_value\\n"); int hidden_value(void) { return 8; }'},
        "main.o grad.o f.o a.o",
        output="42 8\n",
    ),
    *(
        Case(f"a program made with {mode}", {"a": returns(1)}, f"{mode} main.o grad.o f.o a.o", output="42 1\n")
        for mode in ("-static", "-no-pie", "-pie", "-static-pie")
    ),
    Case(
        "objects between --start-lib and --end-lib",
        {"a": returns(1), "b": ORDER % {"name": "unused"}},
        "main.o grad.o f.o -Wl,--start-lib a.o b.o -Wl,--end-lib",
        linkers=("lld",),
        output="42 1\n",
    ),
    Case(
        "bitcode objects of -flto",
        {"a": returns(1), "b": returns(2, WEAK)},
        "main.o grad.o f.o a.o b.o",
        flags="-O2 -flto",
        linkers=("lld",),
        output="42 1\n",
    ),
    Case(
        "a shared library exports what is visible",
        {
            "a": returns(1),
            "b": returns(2, '__attribute__((visibility("hidden")))', "kept"),
            "c": "int kept(void); int used(void) { return kept(); }",
            "d": returns(3, '__attribute__((visibility("protected")))', "guarded"),
        },
        "-shared grad.o f.o a.o b.o c.o d.o -o out",
        shared=True,
    ),
    Case(
        "a version script",
        {"a": returns(1), "b": returns(2, name="other")},
        "-shared grad.o f.o a.o b.o -Wl,--version-script=map -o out",
        steps=("write map V1 { global: grad; val*; local: *; };",),
        shared=True,
    ),
    Case(
        "--exclude-libs",
        {"a": returns(1), "b": "int value(void); int other(void) { return value(); }"},
        "-shared b.o grad.o liba.a -Wl,--exclude-libs,ALL -o out",
        steps=("ar rcs liba.a a.o f.o",),
        shared=True,
    ),
    Case(
        "--exclude-libs beside machine code",
        {"a": returns(1), "b": "int value(void); int other(void) { return value(); }"},
        "-shared b.o grad.o liba.a -Wl,--exclude-libs,liba.a -o out",
        steps=("ar rcs liba.a a.o f.o",),
        native=("b",),
        shared=True,
    ),
    Case(
        "a dynamic list",
        {"a": returns(1), "b": returns(2, name="other")},
        "main.o grad.o f.o a.o b.o -Wl,--dynamic-list=list -o out",
        steps=("write list { other; };",),
        shared=True,
    ),
    Case(
        "exported by pattern",
        {"a": returns(1), "b": returns(2, name="other")},
        "main.o grad.o f.o a.o b.o -Wl,--export-dynamic-symbol=oth* -o out",
        shared=True,
    ),
]


class Builder:
    """Builds a case in a folder of its own, with one compiler."""

    def __init__(self, shell: Shell, name: str, compiler: list[str]) -> None:
        self.shell = shell
        self.folder: Path = shell.folder / name
        self.folder.mkdir()
        self.compiler = compiler

    def run(self, *words: str) -> tuple[int, str, str]:
        done = self.shell.run("env", "-C", str(self.folder), *words)
        return done.returncode, done.stdout, done.stderr

    def must(self, *words: str) -> str:
        code, output, errors = self.run(*words)
        assert code == 0, errors
        return output

    def build(self, case: Case, linker: str) -> tuple[int, str]:
        """Link; the exit code, and what was wrong."""
        sources = {"main": case.main, "grad": GRAD, "f": F, "stub": STUB} | case.files
        for name, text in sources.items():
            source = name if "." in name else f"{name}.c"
            (self.folder / source).write_text(text)
            compiler = ["gcc"] if name in case.native else self.compiler
            flags = [flag for flag in case.flags.split() if name not in case.native or "lto" not in flag]
            self.must(*compiler, *flags, "-fPIC", "-c", source, "-o", f"{name.partition('.')[0]}.o")
        for step in case.steps:
            word, *rest = step.split()
            if word == "write":
                (self.folder / rest[0]).write_text(" ".join(rest[1:]))
            else:
                self.must(*(self.compiler if word == "cc" else [word]), *rest)
        words = [*case.line.split(), f"-fuse-ld={linker}", *([] if "-o out" in case.line else ["-o", "out"])]
        code, _, errors = self.run(
            *self.compiler, *[flag for flag in case.flags.split() if "lto" in flag], *words, *self.extra
        )
        return code, errors

    extra: tuple[str, ...] = ()


@pytest.mark.parametrize(
    ("case", "linker"),
    [pytest.param(case, linker, id=f"{case} by {linker}") for case in CASES for linker in case.linkers],
)
def test_the_link_is_as_without_us(shell: Shell, case: Case, linker: str) -> None:
    if linker == "lld" and not (shutil.which("ld.lld") or shutil.which("ld.lld-22")):
        pytest.skip("lld not found")
    if case.native and not shutil.which("gcc"):
        pytest.skip("gcc not found")
    plain = Builder(shell, "plain", [shutil.which("clang-22") or "clang"])
    plain.extra = ("stub.o",)
    ours = Builder(shell, "ours", shell.driver("cc"))
    code, errors = plain.build(case, linker)
    our_code, our_errors = ours.build(case, linker)
    if case.output == "error":
        assert (code != 0, our_code != 0) == (True, True)
        return
    assert code == 0, errors
    assert our_code == 0, our_errors
    if case.shared:
        exported = [
            sorted(builder.must("nm", "-D", "--defined-only", "out").split()[2::3]) for builder in (plain, ours)
        ]
        assert [name for name in exported[0] if name != "__enzyme_autodiff"] == exported[1]
        return
    expected = plain.must("./out")
    assert case.output in {None, expected}
    assert ours.must("./out") == expected
