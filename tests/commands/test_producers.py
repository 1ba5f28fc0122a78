"""Bitcode and LLVM text of other compilers as inputs: each is differentiated, or refused with its name."""

from __future__ import annotations

import shutil
import subprocess  # noqa: TID251 - compilers run as a user runs them
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = pytest.mark.compile

C = """
#include <math.h>
double loss(const double *x, int n, double k) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += k * x[i] * sin(x[i]);
  return sum;
}
"""
CXX = """
#include <algorithm>
#include <numeric>
#include <vector>
extern "C" double loss(const double *x, int n, double k) {
  std::vector<double> y(x, x + n);
  std::transform(y.begin(), y.end(), y.begin(), [=](double v) { return k * v * v; });
  return std::accumulate(y.begin(), y.end(), 0.0);
}
"""
D = """
import std.math : sin;
extern (C) double loss(const(double)* x, int n, double k) {
    double sum = 0;
    foreach (v; x[0 .. n]) sum += k * v * sin(v);
    return sum;
}
"""
ZIG = """
export fn loss(x: [*]const f64, n: i32, k: f64) f64 {
    var sum: f64 = 0;
    for (x[0..@intCast(n)]) |v| sum += k * v * @sin(v);
    return sum;
}
"""
NUMBA = """
import os
os.environ["NUMBA_OPT"] = "0"
import math
from numba import cfunc, types
@cfunc(types.double(types.CPointer(types.double), types.int32, types.double))
def loss(x, n, k):
    sum = 0.0
    for i in range(n):
        sum += k * x[i] * math.sin(x[i])
    return sum
print(loss.inspect_llvm())
"""
SOURCES = {"loss.c": C, "loss.cpp": CXX, "loss.d": D, "loss.zig": ZIG, "loss.py": NUMBA}
PIC = ["-fPIC"]


@dataclass(frozen=True)
class Producer:
    """How a compiler makes a file of LLVM's: `program`, its words, and what it writes (empty: to standard output)."""

    program: str
    words: str
    made: str

    def __str__(self) -> str:
        return f"{self.program} {self.words}".replace("/", "-")

    def run(self) -> Path:
        if self.program in {"numba", "ziglang"} and not find_spec(self.program):
            pytest.skip(f"{self.program} is not installed")
        command = {
            "numba": [sys.executable],
            "ziglang": [sys.executable, "-m", "ziglang"],
        }.get(self.program) or [shutil.which(self.program) or pytest.skip(f"{self.program} not found")]
        done = subprocess.run([*command, *self.words.split()], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        if self.program == "numba":
            Path(self.made).write_text(done.stdout)
        return Path(self.made)


PRODUCERS = [
    Producer("clang-14", "-O1 -g -c -emit-llvm loss.c -o loss.bc", "loss.bc"),
    Producer("clang-14", "-O2 -S -emit-llvm loss.c -o loss.ll", "loss.ll"),
    Producer("clang-14", "-O2 -g -flto -c loss.c", "loss.o"),
    Producer("clang-14", "-O2 -g -c -Xclang -fembed-bitcode=bitcode loss.c", "loss.o"),
    Producer("clang++-14", "-O1 -g -c -emit-llvm loss.cpp -o loss.bc", "loss.bc"),
    Producer("clang-22", "-O0 -c -emit-llvm loss.c -o loss.bc", "loss.bc"),
    Producer("ldc2", "-O2 -g -c -betterC --output-bc loss.d", "loss.bc"),
    Producer("ldc2", "-O1 -c -betterC --output-ll loss.d", "loss.ll"),
    Producer("ziglang", "cc -O2 -g -c -emit-llvm loss.c -o loss.bc", "loss.bc"),
    Producer("ziglang", "build-obj -OReleaseFast -fno-emit-bin -femit-llvm-bc=loss.bc loss.zig", "loss.bc"),
    Producer("numba", "loss.py", "loss.ll"),
    *(
        Producer(f"clang{plus}-{version}", words.format(source=source), made)
        for version in (16, 19)
        for plus, source in (("", "loss.c"), ("++", "loss.cpp"))
        for words, made in (
            ("-O1 -g -c -emit-llvm {source} -o loss.bc", "loss.bc"),
            ("-O2 -g -flto -c {source}", "loss.o"),
        )
    ),
]


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in SOURCES.items():
        Path(name).write_text(text)


def command(*words):
    line = [sys.executable, "-m", "enzyme_build", *map(str, words)]
    return subprocess.run(line, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("producer", PRODUCERS, ids=str)
def test_the_function_is_differentiated(producer):
    done = command("check", producer.run(), "-f", "loss(x[n]: float64, n, k)")
    assert done.returncode == 0, done.stderr
    assert "none wrong" in done.stdout


@pytest.mark.parametrize("producer", [PRODUCERS[0], PRODUCERS[6], PRODUCERS[10]], ids=str)
def test_it_stands_on_a_drivers_line(producer):
    made = producer.run()
    name = "loss"
    if producer.program == "numba":
        name = next(line for line in made.read_text().splitlines() if "@cfunc." in line).split("@")[1].split("(")[0]
    Path("main.c").write_text(f"""
        #include <stdio.h>
        double loss(const double *, int, double) __asm__("{name}");
        double __enzyme_autodiff(void *, ...);
        extern int enzyme_dup, enzyme_const, enzyme_out;
        int main(void) {{
          double x[2] = {{0.0, 1.5707963267948966}}, x_bar[2] = {{0}};
          double k_bar = __enzyme_autodiff((void *)loss, enzyme_dup, x, x_bar, enzyme_const, 2, enzyme_out, 2.0);
          printf("%.3f %.3f %.3f\\n", x_bar[0], x_bar[1], k_bar);
        }}""")
    driver = [sys.executable, "-c", "from enzyme_build.drivers import cc; cc()"]
    done = subprocess.run(
        [*driver, "-O2", "main.c", made, "-lm", "-o", "prog"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert subprocess.run("./prog", capture_output=True, text=True, check=True).stdout == "0.000 2.000 1.571\n"


VECTORISED = """
declare <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr>, <4 x i1>, <4 x double>)
declare void @llvm.masked.scatter.v4f64.v4p0(<4 x double>, <4 x ptr>, <4 x i1>)
declare double @llvm.vector.reduce.fadd.v4f64(double, <4 x double>)

define double @loss(ptr %x, i32 %n, double %k) {
entry:
  %copy = alloca [8 x double]
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %x, i64 64, i1 false)
  %first = getelementptr double, ptr %copy, <4 x i64> <i64 0, i64 3, i64 2, i64 1>
  br label %loop

loop:
  %p = phi <4 x ptr> [ %first, %entry ], [ %next, %loop ]
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %s = phi <4 x double> [ zeroinitializer, %entry ], [ %t, %loop ]
  %v = call <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr> %p, <4 x i1> <i1 true, i1 false, i1 true, i1 true>,
    <4 x double> splat (double 2.0))
  %w = fmul <4 x double> %v, %v
  call void @llvm.masked.scatter.v4f64.v4p0(<4 x double> %w, <4 x ptr> %p,
    <4 x i1> <i1 true, i1 false, i1 true, i1 true>)
  %t = fadd <4 x double> %s, %w
  %above = getelementptr double, <4 x ptr> %p, i64 1
  %c = icmp ult i64 %i, 3
  %next = select i1 %c, <4 x ptr> %above, <4 x ptr> %first
  %j = add i64 %i, 1
  %d = icmp eq i64 %j, 6
  br i1 %d, label %end, label %loop

end:
  %r = call double @llvm.vector.reduce.fadd.v4f64(double 0.0, <4 x double> %t)
  %l = extractelement <4 x ptr> %p, i32 1
  %q = load double, ptr %l
  %a = fadd double %r, %q
  %m = fmul double %a, %k
  ret double %m
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""


def test_addresses_in_vectors():
    """As they stand in text that was vectorised before."""
    Path("loss.ll").write_text(VECTORISED)
    done = command("check", "loss.ll", "-f", "loss(x[8]: float64, n, k)")
    assert done.returncode == 0, done.stderr
    assert "none wrong" in done.stdout


MIXER = """
#include <string.h>
void computemydsp(void *, int, double **, double **), __enzyme_autodiff(void *, ...);
static double mixed(double *x) {
  char state[64];
  double y[1], *inputs[2] = {x, x + 1}, *outputs[1] = {y};
  memset(state, 0, sizeof state);
  computemydsp(state, 1, inputs, outputs);
  return y[0];
}
int main(void) {
  double x[2] = {2, 3}, x_bar[2] = {0};
  __enzyme_autodiff((void *)mixed, x, x_bar);
  __builtin_printf("%g %g\\n", x_bar[0], x_bar[1]);
}
"""


def test_a_signal_processor_of_fausts():
    """Bitcode of LLVM 14, on a driver's line."""
    faust = shutil.which("faust") or pytest.skip("faust not found")
    Path("mixer.dsp").write_text("process(x, y) = x * y + 0.5 * x;\n")
    Path("mixer.c").write_text(MIXER)
    subprocess.run([faust, "-lang", "llvm", "-double", "mixer.dsp", "-o", "mixer.bc"], check=True)
    driver = [sys.executable, "-c", "from enzyme_build.drivers import cc; cc()"]
    words = [*driver, "-O2", "mixer.c", "mixer.bc", "-o", "mixer"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert subprocess.run("./mixer", capture_output=True, text=True, check=True).stdout == "3.5 2\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("-O2 -c", "'loss' is in 'loss.o', which is machine code without bitcode, compiled by GCC "),
        (
            "-O2 -c -flto -ffat-lto-objects",
            "'loss' is in 'loss.o', which is machine code without bitcode, compiled by GCC ",
        ),
        ("-O2 -c -flto", "with -flto: it holds GCC's own intermediate code only"),
    ],
)
def test_gcc_is_refused_by_name(words, message):
    gcc = shutil.which("gcc") or pytest.skip("gcc not found")
    subprocess.run([gcc, *words.split(), "loss.c", "-o", "loss.o"], check=True)
    done = command("gradient", "loss.o", "-f", "loss", "-o", "grad.o")
    assert done.returncode == 1
    assert message in done.stderr
    assert "enzyme-cc" in done.stderr


def test_a_request_for_a_function_of_gccs_names_gcc():
    gcc = shutil.which("gcc") or pytest.skip("gcc not found")
    subprocess.run([gcc, "-O2", "-c", "loss.c"], check=True)
    Path("main.c").write_text("""
        double loss(const double *, int, double);
        double __enzyme_autodiff(void *, ...);
        double square(const double *x) { return loss(x, 1, 2) * x[0]; }
        int main(void) {
          double x[1] = {1}, x_bar[1] = {0};
          __enzyme_autodiff((void *)square, x, x_bar);
          return 0;
        }""")
    driver = [sys.executable, "-c", "from enzyme_build.drivers import cc; cc()"]
    done = subprocess.run([*driver, "-O2", "main.c", "loss.o", "-lm"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "note: 'loss' is in 'loss.o', which is machine code without bitcode, compiled by GCC " in done.stderr
    assert "hint: compile the source of 'loss' with enzyme-cc too" in done.stderr


GFORTRAN = """
module forces
contains
  real(8) function energy(x)
    real(8), intent(in) :: x(:)
    energy = sum(x**2)
  end function
end module
real(8) function drag(v)
  real(8), intent(in) :: v
  drag = v * abs(v)
end function
"""


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("-O2 -c", "machine code without bitcode, compiled by GCC "),
        ("-O2 -c -flto", "with -flto: it holds GCC's own intermediate code only"),
    ],
)
@pytest.mark.parametrize("archived", [False, True])
def test_gfortran_is_refused_by_name(words, says, archived):
    """Beside Fortran of ours, whose names of procedures are the same."""
    gfortran = shutil.which("gfortran") or pytest.skip("gfortran not found")
    Path("work.f90").write_text(GFORTRAN)
    subprocess.run([gfortran, *words.split(), "work.f90", "-o", "work.o"], check=True)
    made = "libwork.a" if archived else "work.o"
    if archived:
        subprocess.run(["ar", "rcs", made, "work.o"], check=True)
    Path("loss.f90").write_text(
        "real(8) function loss(v) bind(C)\n real(8), intent(in) :: v\n real(8), external :: drag\n loss = 2 * drag(v)\n"
        "end function\n"
    )
    done = command("gradient", "loss.f90", made, "-f", "loss", "-o", "grad.o")
    assert done.returncode == 1
    assert says in done.stderr
    assert "enzyme-fc" in done.stderr
    if "-flto" not in words:
        inside = "libwork.a(work.o)" if archived else "work.o"
        assert f"note: 'drag_' is in '{inside}'" in done.stderr
        assert "loss.f90:4" in done.stderr
    assert not Path("grad.o").exists()


@pytest.mark.parametrize(("variable", "number"), [("double shared", "shared"), ("double *shared", "shared[0]")])
def test_machine_code_may_read_what_a_variable_keeps(variable, number):
    gcc = shutil.which("gcc") or pytest.skip("gcc not found")
    Path("state.c").write_text(f"{variable}; double kept(void) {{ return {number}; }}")
    subprocess.run([gcc, "-O2", "-c", "state.c"], check=True)
    Path("main.c").write_text(f"""
        double __enzyme_autodiff(void *, ...);
        double kept(void);
        extern {variable};
        double square(double x) {{ {number} = x * x; return x + kept(); }}
        int main(void) {{ return __enzyme_autodiff((void *)square, 3.0) > 0; }}""")
    driver = [sys.executable, "-c", "from enzyme_build.drivers import cc; cc()"]
    done = subprocess.run([*driver, "-O2", "main.c", "state.o"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "'kept' without body may read the global variable 'shared'" in done.stderr
