"""Bitcode and LLVM text of other compilers as inputs: each is differentiated, or refused with its name."""

from __future__ import annotations

import re
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
LLVMLITE = """
from llvmlite import ir
number, count = ir.DoubleType(), ir.IntType(32)
module = ir.Module("loss")
loss = ir.Function(module, ir.FunctionType(number, [number.as_pointer(), count, number]), "loss")
x, n, k = loss.args
entry, test, body, end = map(loss.append_basic_block, ["entry", "test", "body", "end"])
b = ir.IRBuilder(entry)
total = b.alloca(number)
b.store(number(0.0), total)
b.branch(test)
b.position_at_end(test)
i = b.phi(count)
b.cbranch(b.icmp_signed("<", i, n), body, end)
b.position_at_end(body)
v = b.load(b.gep(x, [i]))
b.store(b.fadd(b.load(total), b.fmul(k, b.fmul(v, b.call(module.declare_intrinsic("llvm.sin", [number]), [v])))), total)
i.add_incoming(count(0), entry)
i.add_incoming(b.add(i, count(1)), body)
b.branch(test)
b.position_at_end(end)
b.ret(b.load(total))
print(module)
"""
SOURCES = {
    "loss.c": C, "loss.cpp": CXX, "loss.d": D, "loss.zig": ZIG, "loss.py": NUMBA, "built.py": LLVMLITE
}  # fmt: skip
PRINTED = {"numba", "llvmlite"}
"""Scripts that print the text."""
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
        if self.program in {*PRINTED, "ziglang"} and not find_spec(self.program):
            pytest.skip(f"{self.program} is not installed")
        command = {
            **{name: [sys.executable] for name in PRINTED},
            "ziglang": [sys.executable, "-m", "ziglang"],
        }.get(self.program) or [shutil.which(self.program) or pytest.skip(f"{self.program} not found")]
        done = subprocess.run([*command, *self.words.split()], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        if self.program in PRINTED:
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
    Producer("llvmlite", "built.py", "loss.ll"),
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


def test_bitcode_of_a_newer_llvm_is_refused_by_name():
    """Also such as LLVM 22 cannot read."""
    clang = shutil.which("clang-22") or pytest.skip("clang-22 not found")
    subprocess.run([clang, "-O1", "-c", "-emit-llvm", "loss.c", "-o", "loss.bc"], check=True)
    Path("loss.bc").write_bytes(newer(Path("loss.bc").read_bytes()))
    done = command("check", "loss.bc", "-f", "loss(x[n]: float64, n, k)")
    assert done.returncode == 1
    assert "'loss.bc' was made by a compiler with LLVM 24, which is newer than LLVM 22 of llvmlite" in done.stderr


def newer(bitcode: bytes) -> bytes:
    """Bitcode that says that it is LLVM 24's, and ends too early."""
    bits = int.from_bytes(bitcode, "little")
    # The characters stand in six bits each: the digit 2 is 54.
    told, wanted = 54 << 6 | 54, 56 << 6 | 54
    at = next(at for at in range(64, 800) if bits >> at & 0xFFF == told)
    return (bits ^ (told ^ wanted) << at).to_bytes(len(bitcode), "little")[: len(bitcode) // 8 * 4]


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


VHDL = """
package cmath is
  function sin(x : real) return real;
  attribute foreign of sin : function is "VHPIDIRECT sin";
end;
package body cmath is
  function sin(x : real) return real is begin assert false severity failure; end;
end;
use work.cmath.all;
package p is
  type numbers is array(natural range <>) of real;
  function loss(x : numbers; k : real) return real;
end;
package body p is
  function loss(x : numbers; k : real) return real is
    variable sum : real := 0.0;
  begin
    for i in x'range loop sum := sum + k * x(i) * sin(x(i)); end loop;
    return sum;
  end;
end;
"""
ARRAYS = """
#include <stdlib.h>
typedef struct { int left, right; signed char direction; int length; } range;
typedef struct { double *numbers; range *bounds; } array;
double loss(array *, double) __asm__("work__p__loss"), __enzyme_autodiff(void *, ...);
void __ghdl_integer_index_check_failed(void *file, int line, int value, range *bounds) { abort(); }
static double of(double *x) {
  range bounds = {0, 1, 0, 2};
  array all = {x, &bounds};
  return loss(&all, 2);
}
int main(void) {
  double x[2] = {0, 1.5707963267948966}, x_bar[2] = {0};
  __enzyme_autodiff((void *)of, x, x_bar);
  __builtin_printf("%.3f %.3f\\n", x_bar[0], x_bar[1]);
}
"""


@pytest.mark.parametrize("words", ["--emit-llvm -O2 -o loss.ll", "--emit-bc -O0 -o loss.bc"])
def test_vhdl_of_ghdls(words):
    """Of LLVM 14. The rest of GHDL's runtime is not linked: the function that is called needs none of it."""
    ghdl = shutil.which("ghdl-llvm") or pytest.skip("ghdl-llvm not found")
    library = Path(ghdl).parent.parent / "lib/ghdl/llvm"
    Path("loss.vhd").write_text(VHDL)
    Path("main.c").write_text(ARRAYS)
    compiler = [library / "ghdl1-llvm", "--std=08", f"-P{library}/vhdl/std/v08/"]
    subprocess.run([*compiler, *words.split(), "loss.vhd"], check=True)
    driver = [sys.executable, "-c", "from enzyme_build.drivers import cc; cc()", "-O2"]
    line = [*driver, "main.c", words.split()[-1], "-lm", "-Wl,--unresolved-symbols=ignore-all", "-o", "prog"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert subprocess.run("./prog", capture_output=True, text=True, check=True).stdout == "0.000 2.000\n"


DRJIT = """
import os
import sys
os.environ["DRJIT_LIBLLVM_PATH"] = sys.argv[2]
import drjit as dr
import drjit.llvm
dr.set_log_level(dr.LogLevel.Trace)
number = getattr(drjit.llvm, sys.argv[1])
x = number([0.3 + 0.05 * i for i in range(32)])
dr.eval(x)
i = dr.arange(drjit.llvm.UInt32, 32)
dr.eval(dr.sin(dr.gather(number, x, (i * 7) % 32, active=i != 5)) * dr.log(x) / (1 + dr.exp(x)))
"""
KERNEL = """
#include <math.h>
void kernel(long, long, int, void **), __enzyme_autodiff(void *, ...);
static __attribute__((aligned(128))) real x[32], y[32], x_bar[32], y_bar[32];
static void of(real *x, real *y) {
  void *arrays[] = {0, 0, 0, x, x, y};
  kernel(0, 32, 0, arrays);
}
int main(void) {
  double worst = 0, wanted[32] = {0};
  for (int i = 0; i < 32; i++) x[i] = 0.3 + 0.05 * i, y_bar[i] = i + 1;
  __enzyme_autodiff((void *)of, x, x_bar, y, y_bar);
  for (int i = 0; i < 32; i++) {
    int from = i * 7 % 32;
    double s = i != 5 ? sin(x[from]) : 0, l = log(x[i]), e = 1 + exp(x[i]);
    if (i != 5) wanted[from] += (i + 1) * cos(x[from]) * l / e;
    wanted[i] += (i + 1) * s * (1 / (x[i] * e) - l * exp(x[i]) / (e * e));
  }
  for (int i = 0; i < 32; i++) worst = fmax(worst, fabs(wanted[i] - x_bar[i]));
  return !(worst < (sizeof(real) == 8 ? 1e-12 : 1e-4));
}
"""


@pytest.mark.parametrize(("number", "real"), [("Float64", "double"), ("Float32", "float")])
def test_kernels_of_drjits(number, real):
    """Text for the processor that is there: functions as vectors compute them, and addresses in vectors."""
    if not find_spec("drjit"):
        pytest.skip("drjit is not installed")
    llvm = next(Path("/usr/lib").glob("*/libLLVM.so.22*"), None) or pytest.skip("LLVM's library not found")
    Path("kernel.py").write_text(DRJIT)
    Path("main.c").write_text(KERNEL)
    words = [sys.executable, "kernel.py", number, llvm]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    text = done.stdout[done.stdout.index("define void @drjit_") :].partition("\n  -> launching")[0]
    Path("kernel.ll").write_text(re.sub(r"@drjit_\w+", "@kernel", text))
    driver = [sys.executable, "-c", "from enzyme_build.drivers import cc; cc()", "-O2", "-march=native"]
    done = subprocess.run(
        [*driver, f"-Dreal={real}", "main.c", "kernel.ll", "-lm", "-o", "prog"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert subprocess.run("./prog", check=False).returncode == 0


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
