"""Real links of every kind; each program must find the derivative (42 here) and the other units' state (8)."""

from __future__ import annotations

import shlex
import shutil
import signal
import subprocess  # noqa: TID251
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from enzyme_build.settings import from_environment
from enzyme_build.toolchain.find import shared_llvm

if TYPE_CHECKING:
    from conftest import Shell

pytestmark = pytest.mark.compile
ANSWER = "42 8\n"


@pytest.fixture
def objects(shell: Shell) -> Shell:
    for name in ("main", "grad", "f"):
        shell.built(f"-O2 -c {name}.c -o {name}.o", program="")
    return shell


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2", "-Os", "-O3 -g", "-flto -O2"])
def test_one_step(shell: Shell, level: str) -> None:
    assert shell.built(f"{level} main.c grad.c f.c") == ANSWER
    assert shell.left() == {"a.out"}


def test_python_files_in_the_folder_do_not_stand_in_for_the_standard_library(shell: Shell) -> None:
    for name in ("types", "json", "numpy"):
        (shell.folder / f"{name}.py").write_text("raise SystemExit('imported')\n")
    driver = shell.driver("cc")
    done = shell.run(driver[0], "-P", *driver[1:], "-O2", "main.c", "grad.c", "f.c")
    assert (done.returncode, done.stderr) == (0, "")
    assert shell.run(shell.folder / "a.out").stdout == ANSWER


def test_separate_steps(objects: Shell) -> None:
    assert objects.built("main.o grad.o f.o -o prog", "prog") == ANSWER
    assert objects.left() == {"main.o", "grad.o", "f.o", "prog"}


def test_sources_and_objects(objects: Shell) -> None:
    assert objects.built("main.c grad.o f.c -o prog", "prog") == ANSWER


def test_response_files(objects: Shell) -> None:
    (objects.folder / "line").write_text('main.o grad.o\nf.o -o "prog"')
    assert objects.built("@line", "prog") == ANSWER


@pytest.mark.parametrize("line", ["main.c grad.c f.c -o prog", "main.o grad.o f.o -o prog"])
def test_a_response_file_that_is_a_pipe(objects: Shell, line: str) -> None:
    """It can be read once."""
    done = objects.run("bash", "-c", f"{shlex.join(objects.driver('cc'))} @<(echo {line})")
    assert (done.returncode, done.stderr) == (0, "")
    assert objects.run(objects.folder / "prog").stdout == ANSWER


@pytest.mark.parametrize("flags", ["rcs", "rcsT"], ids=["plain", "thin"])
@pytest.mark.parametrize("line", ["main.o libg.a", "libg.a main.o", "main.o -L. -lg", "main.o -L . -l g"])
def test_archives(objects: Shell, flags: str, line: str) -> None:
    objects.run("ar", flags, "libg.a", "grad.o", "f.o")
    assert objects.built(f"{line} -o prog", "prog") == ANSWER


def test_whole_archives(objects: Shell) -> None:
    (objects.folder / "n.s").write_text('\t.globl native\nnative:\n\tret\n\t.section .note.GNU-stack,"",@progbits\n')
    objects.built("-c n.s -o n.o", program="")
    objects.run("ar", "rcs", "libg.a", "grad.o", "n.o", "f.o")
    line = "main.o -Wl,--whole-archive libg.a -Wl,--no-whole-archive -o prog"
    assert objects.built(line, "prog") == ANSWER
    assert " native\n" in objects.run("nm", "prog").stdout


def test_a_member_that_nothing_needs_stays_out(objects: Shell) -> None:
    (objects.folder / "extra.c").write_text(
        "int main_is_elsewhere(void); int extra(void) { return main_is_elsewhere(); }"
    )
    objects.built("-c extra.c", program="")
    objects.run("ar", "rcs", "libg.a", "extra.o", "grad.o", "f.o")
    assert objects.built("main.o libg.a -o prog", "prog") == ANSWER


def test_shared_library_keeps_its_interface(objects: Shell) -> None:
    objects.built("-shared grad.o f.o -o libsh.so", program="")
    names = objects.run("nm", "-D", "--defined-only", "libsh.so").stdout.split()[2::3]
    assert names == ["counter", "f", "grad", "unused"]
    assert objects.built(f"main.o -L. -lsh -Wl,-rpath,{objects.folder} -o prog", "prog") == ANSWER


def test_an_executable_drops_what_nobody_needs(objects: Shell) -> None:
    objects.built("main.o grad.o f.o -o prog", "prog")
    assert "unused" not in objects.run("nm", "prog").stdout
    objects.built("-rdynamic main.o grad.o f.o -o prog", "prog")
    assert "unused" in objects.run("nm", "-D", "prog").stdout


@pytest.mark.parametrize("line", ["-Wl,-u,unused", "-Wl,--export-dynamic-symbol=unused"])
def test_an_executable_keeps_what_the_linker_is_told_to(objects: Shell, line: str) -> None:
    objects.built(f"{line} main.o grad.o f.o -o prog", "prog")
    assert "unused" in objects.run("nm", "prog").stdout


@pytest.mark.parametrize("linker", ["-r main.o grad.o f.o -o all.o", "ld"])
def test_relocatable_links(objects: Shell, linker: str) -> None:
    if linker == "ld":
        objects.run("ld", "-r", "main.o", "grad.o", "f.o", "-o", "all.o")
    else:
        objects.built(linker, program="")
    assert objects.built("all.o -o prog", "prog") == ANSWER


@pytest.mark.parametrize(
    "flags", ["-emit-llvm -c", "-flto -c", "-flto=thin -c", "-O2 -c", "-Xclang -fembed-bitcode=all -c"]
)
def test_units_of_a_plain_clang(objects: Shell, flags: str) -> None:
    clang = shutil.which("clang-22") or shutil.which("clang") or ""
    objects.run(clang, *flags.split(), "f.c", "-o", "f.o")
    assert objects.built("main.o grad.o f.o -o prog", "prog") == ANSWER


@pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc was found")
def test_units_of_gcc(objects: Shell) -> None:
    objects.run("gcc", "-O2", "-c", "f.c", "-o", "f.o")
    assert objects.built("main.o grad.o f.o -o prog", "prog") == ANSWER


@pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc was found")
def test_fat_objects_are_for_any_linker(objects: Shell) -> None:
    objects.built("-O2 -c plain.c", program="")
    assert objects.run("gcc", "plain.o", "-lm", "-o", "prog").returncode == 0
    assert objects.run(objects.folder / "prog").stdout == "0.841\n"


def test_llvm_text_as_a_source(objects: Shell) -> None:
    objects.built("-S -emit-llvm -O1 f.c -o f.ll", program="")
    assert objects.built("main.o grad.o f.ll -o prog", "prog") == ANSWER


def test_cxx(objects: Shell) -> None:
    text = (objects.folder / "main.c").read_text().replace("double grad", 'extern "C" double grad')
    (objects.folder / "m.cpp").write_text("#include <string>\n" + text.replace("extern int", 'extern "C" int'))
    done = objects.cxx("-O2 m.cpp grad.o f.o -o prog")
    assert (done.returncode, done.stderr) == (0, "")
    assert objects.run(objects.folder / "prog").stdout == ANSWER


def test_stages_are_saved(shell: Shell) -> None:
    shell.built("main.c grad.c f.c --save-stages stages")
    stages = {path.name for path in (shell.folder / "stages").iterdir()}
    assert stages == {"merged.ll", "optimised.ll", "derivatives.ll", "final.ll"}


def test_no_request_no_change(shell: Shell) -> None:
    assert shell.built("-O2 plain.c -lm") == "0.841\n"
    assert shell.left() == {"a.out"}


def test_cc_may_name_ourselves(shell: Shell) -> None:
    done = shell.cc("-O2 plain.c -lm", CC="enzyme-cc")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("line", ["broken.c -o prog", "-c broken.c", "main.c grad.c broken.c -o prog"])
def test_a_syntax_error_is_clangs_own_message(shell: Shell, line: str) -> None:
    done = shell.cc(line)
    assert done.returncode == 1
    assert done.stderr.startswith("broken.c:1:25: error: use of undeclared identifier 'x'")
    assert "enzyme" not in done.stderr
    assert shell.left() == set()


@pytest.mark.parametrize("line", ["main.c grad.c f.rs -o prog", "-c f.rs"])
def test_rust_sources_are_for_rustc(shell: Shell, line: str) -> None:
    (shell.folder / "f.rs").write_text("")
    done = shell.cc(line)
    assert done.returncode == 1
    assert done.stderr.startswith("error: 'f.rs' is a Rust source")
    assert "pass libf.a here" in done.stderr


def test_an_undefined_symbol_is_the_linkers_message(objects: Shell) -> None:
    done = objects.cc("main.o grad.o -o prog")
    assert done.returncode == 1
    assert "undefined reference to `counter'" in done.stderr or "undefined symbol: counter" in done.stderr
    assert "prog" not in objects.left()


def test_a_missing_input_is_clangs_message(shell: Shell) -> None:
    done = shell.cc("missing.o main.c -o prog")
    assert done.returncode == 1
    assert "no such file or directory: 'missing.o'" in done.stderr


@pytest.mark.parametrize("line", ["main.c grad.c missing.a", "main.o grad.o missing.a -o prog"])
def test_a_missing_input_of_a_link_with_requests_is_clangs_message(objects: Shell, line: str) -> None:
    done = objects.cc(line)
    assert done.returncode == 1
    assert "no such file or directory: 'missing.a'" in done.stderr
    assert "E0" not in done.stderr


def test_an_output_that_cannot_be_written(shell: Shell) -> None:
    done = shell.cc("main.c grad.c f.c -o /nowhere/prog")
    assert done.returncode == 1
    assert done.stderr == "error: cannot write '/nowhere/prog': no such folder\n"


def test_a_crash_is_a_message_and_a_reproducer(shell: Shell) -> None:
    done = shell.cc("main.c grad.c f.c -o prog", ENZYME_TEST_WORKER="abort")
    assert done.returncode == 1
    message, hint = done.stderr.splitlines()[:2]
    assert message.startswith("error: the link step stopped with signal SIGABRT: python: LoopInfo.cpp:1: Assertion")
    saved = hint.split("reproduce it is in ")[1].split(" ")[0]
    listed = shell.run("ls", saved).stdout.split()
    assert {"job.json", "merged.ll", "optimised.ll", "stderr.txt"} < set(listed)
    again = shell.run(*hint.split("run: ")[1].split(")")[0].split())
    assert again.returncode == 0
    assert "out.o" in shell.run("ls", saved).stdout.split()
    assert shell.left() == set()


@pytest.mark.parametrize("llvm", ["", "llvmlite"])
def test_a_crash_of_the_shared_library_says_how_to_learn_more(shell: Shell, llvm: str) -> None:
    if shared_llvm(from_environment().tools) is None:
        pytest.skip("the shared library of LLVM was not found")
    done = shell.cc("main.c grad.c f.c -o prog", ENZYME_TEST_WORKER="abort", ENZYME_LLVM=llvm)
    assert ("with ENZYME_LLVM=llvmlite" in done.stderr) is not llvm.startswith("llvmlite")


def test_a_worker_that_is_stopped_is_no_crash(shell: Shell) -> None:
    done = shell.cc("main.c grad.c f.c -o prog", ENZYME_TEST_WORKER="stop")
    assert done.returncode == 1
    assert done.stderr.startswith("error: the link step was stopped (signal SIGTERM)")
    assert "reproduce" not in done.stderr
    assert shell.left() == set()


def test_a_bug_of_ours_is_a_message_and_a_traceback(shell: Shell) -> None:
    done = shell.cc("main.c grad.c f.c -o prog", ENZYME_TEST_WORKER="bug")
    assert done.returncode == 1
    assert done.stderr.startswith("error: the link step stopped with exit code 1: RuntimeError: a bug")
    assert "Traceback" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_nothing_behind(objects: Shell, number: signal.Signals) -> None:
    before = objects.left()
    child = subprocess.Popen(
        [*objects.driver("cc"), "main.o", "grad.o", "f.o", "-o", "prog"],
        cwd=objects.folder,
        env=objects.environment | {"ENZYME_TEST_WORKER": "hang"},
        stderr=subprocess.PIPE,
    )
    temporary = objects.folder.parent / "tmp"
    for _ in range(200):
        if list(temporary.glob("enzyme-link-*/optimised.ll")):
            break
        time.sleep(0.05)
    child.send_signal(number)
    _, stderr = child.communicate(timeout=10)
    assert (child.returncode, stderr) == (128 + number, b"")
    assert objects.left() == before
    assert list(temporary.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(not find_spec("ziglang"), reason="no ziglang was found")
def test_zig_in_place_of_clang(shell: Shell) -> None:
    zig = Path(str(find_spec("ziglang").origin)).parent / "zig"
    environment = {"ENZYME_CC": f"{zig} cc", "ENZYME_CXX": f"{zig} c++"}
    done = shell.cc("-O2 main.c grad.c f.c -o prog", **environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert shell.run(shell.folder / "prog").stdout == ANSWER
    (shell.folder / "m.cpp").write_text('#include <iostream>\nint main() { std::cout << "hello\\n"; }\n')
    done = shell.cxx("m.cpp -o prog", **environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert shell.run(shell.folder / "prog").stdout == "hello\n"


TAKEN_AGAIN = {
    "named.cpp": """
#include <cstdio>
#include <map>
#include <string>
struct Once { Once() { std::puts("constructed"); } } once;
extern "C" double scale(double);
extern "C" double named(const double *x, int n) {
  std::map<std::string, double> table;
  for (int i = 0; i < n; i++) table["number " + std::to_string(i)] = x[i] * x[i];
  double sum = 0;
  for (auto &[name, value] : table) sum += value * name.size();
  return scale(sum);
}
""",
    "scale.c": "double scale(double x) { return 2 * x; }\n",
    "plain.c": "int plain(void) { return 7; }\n",
    "main.c": """
#include <stdio.h>
void __enzyme_autodiff(void *, ...);
double named(const double *, int);
int plain(void);
int main(void) {
  double x[2] = {1, 2}, x_bar[2] = {0};
  __enzyme_autodiff((void *)named, x, x_bar, 2);
  printf("%g %g %d\\n", x_bar[0], x_bar[1], plain());
}
""",
}


@pytest.mark.compile
@pytest.mark.parametrize("kind", ["rc", "rcT"])
def test_members_are_not_taken_again_for_what_the_library_has_too(shell: Shell, kind: str) -> None:
    """Bodies of the string's functions that the program has are the library's to a derivative."""
    shell = shell.with_real_derivatives()
    for name, text in TAKEN_AGAIN.items():
        (shell.folder / name).write_text(text)
    for line in ("-O1 -c scale.c", "-O2 -c main.c"):
        assert shell.cc(line).returncode == 0
    assert shell.cxx("-std=c++20 -Os -c named.cpp").returncode == 0
    assert shell.run("clang-22", "-c", "plain.c").returncode == 0
    assert shell.run("ar", kind, "lib.a", "named.o", "scale.o", "plain.o").returncode == 0
    assert shell.built("main.o lib.a -lstdc++ -lm") == "constructed\n32 64 7\n"
