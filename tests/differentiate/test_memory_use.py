"""How much the tape takes: the C program counts what the derivative allocates."""

from __future__ import annotations

import re
import shutil
import subprocess  # noqa: TID251

import pytest

from enzyme_build.differentiate.engine import differentiate
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_module
from enzyme_build.llvm.context import parse_text
from enzyme_build.llvm.emit import emit_object
from enzyme_build.llvm.optimise import Target, after_differentiation, before_differentiation

ITERATIONS = 1_000_000
SLACK = 1 << 16

# Our own allocator below the derivative's: the program's symbols go before libc's.
MAIN = r"""
#include <stddef.h>
#include <stdio.h>
#include <string.h>
static char pool[512 << 20] __attribute__((aligned(64)));
static size_t used, live, peak;
static void *take(size_t n) {
  size_t size = (n + 127) / 64 * 64;
  char *block = pool + used;
  if (used + size > sizeof pool) return NULL;
  used += size;
  *(size_t *)block = n;
  live += n;
  if (live > peak) peak = live;
  return block + 64;
}
void *malloc(size_t n) { return take(n); }
void free(void *p) { if (p) live -= *(size_t *)((char *)p - 64); }
void *calloc(size_t n, size_t m) { return take(n * m); }
void *realloc(void *p, size_t n) {
  void *q = take(n);
  if (p && q) {
    size_t old = *(size_t *)((char *)p - 64);
    memcpy(q, p, old < n ? old : n);
    free(p);
  }
  return q;
}
void *aligned_alloc(size_t a, size_t n) { return take(n); }
int posix_memalign(void **p, size_t a, size_t n) { *p = take(n); return 0; }
double derivative(double x, long n);
int main(int argc, char **argv) {
  volatile double x = 1.0;
  size_t before = live;
  peak = live;
  volatile double d = derivative(x, ITERATIONS);
  size_t most = peak - before;
  char text[100];
  snprintf(text, sizeof text, "%zu %.17g\n", most, d);
  fputs(text, stdout);
  return 0;
}
"""

LOOP = """
declare double @llvm.sin.f64(double)
declare double @__enzyme_autodiff(...)
define internal double @f(double %x, i64 %n) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ %x, %entry ], [ %t, %loop ]
  {body}
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = phi double [ %t, %loop ]
  ret double %r
}}
define double @derivative(double %x, i64 %n) {{
  %d = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %d
}}
"""


def memory_of(tmp_path, *body, text=None):
    """(bytes at once, derivative) of the gradient of a loop."""
    text = text or LOOP.format(body="\n  ".join(body))
    parsed = parse_text(text, "the loop")
    before_differentiation(parsed, Target())
    module = parse_module(str(parsed))
    differentiate(module)
    derived = parse_text(print_module(module), "the derivative")
    after_differentiation(derived, Target())
    (tmp_path / "d.o").write_bytes(emit_object(derived, Target()))
    (tmp_path / "main.c").write_text(MAIN.replace("ITERATIONS", str(ITERATIONS)))
    compiler = shutil.which("clang-22") or shutil.which("clang") or shutil.which("cc")
    program = tmp_path / "program"
    files = [tmp_path / "main.c", tmp_path / "d.o"]
    subprocess.run([compiler, "-O1", "-fno-builtin", "-w", *files, "-o", program, "-lm"], check=True)
    out = subprocess.run([program], check=True, capture_output=True, text=True, timeout=120).stdout
    match = re.fullmatch(r"(\d+) (\S+)\n", out)
    return int(match[1]), float(match[2])


@pytest.mark.compile
def test_one_value_an_iteration(tmp_path):
    """s = sin(s) reads s again: 8 bytes each time."""
    used, _ = memory_of(tmp_path, "%t = call double @llvm.sin.f64(double %s)")
    assert 8 * ITERATIONS <= used <= 8 * ITERATIONS + SLACK


@pytest.mark.compile
def test_linear_loops_keep_nothing(tmp_path):
    """s = s + 2x"""
    used, found = memory_of(tmp_path, "%w = fmul double %x, 2.0", "%t = fadd double %s, %w")
    assert used == 0
    assert found == 2 * ITERATIONS + 1


@pytest.mark.compile
def test_values_that_follow_from_the_iteration_keep_nothing(tmp_path):
    """s = s + i·x: the factor i is computed again. 1 + Σ i = 1 + n(n-1)/2."""
    used, found = memory_of(
        tmp_path, "%c = sitofp i64 %i to double", "%w = fmul double %x, %c", "%t = fadd double %s, %w"
    )
    assert used == 0
    assert found == 1 + ITERATIONS * (ITERATIONS - 1) // 2


@pytest.mark.compile
def test_several_needs_of_one_value_share_its_place(tmp_path):
    """s = sin(s)·(s + 1) - s·s/2: everything but the sine follows from s."""
    used, _ = memory_of(
        tmp_path,
        "%a = call double @llvm.sin.f64(double %s)", "%b = fadd double %s, 1.0", "%c = fmul double %a, %b",
        "%d = fmul double %s, %s", "%e = fmul double %d, 0.5", "%t = fsub double %c, %e",
    )  # fmt: skip
    assert used <= 16 * ITERATIONS + SLACK


# Σ over items of (Σ wᵢ²)² where wᵢ = (item + i) x / 10⁶, in a work array of 8.
ITEMS = """
declare double @__enzyme_autodiff(...)
define internal double @f(double %x, i64 %n) {
entry:
  %w = alloca [8 x double]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %item ]
  %s = phi double [ 0.0, %entry ], [ %s1, %item ]
  br label %fill
fill:
  %a = phi i64 [ 0, %loop ], [ %a1, %fill ]
  %k = add nuw nsw i64 %a, %i
  %c = sitofp i64 %k to double
  %d = fmul double %c, 1.0e-6
  %v = fmul double %d, %x
  %p = getelementptr inbounds double, ptr %w, i64 %a
  store double %v, ptr %p
  %a1 = add nuw nsw i64 %a, 1
  %filled = icmp eq i64 %a1, 8
  br i1 %filled, label %sum, label %fill
sum:
  %b = phi i64 [ 0, %fill ], [ %b1, %sum ]
  %t = phi double [ 0.0, %fill ], [ %t1, %sum ]
  %q = getelementptr inbounds double, ptr %w, i64 %b
  %u = load double, ptr %q
  %uu = fmul double %u, %u
  %t1 = fadd double %t, %uu
  %b1 = add nuw nsw i64 %b, 1
  %summed = icmp eq i64 %b1, 8
  br i1 %summed, label %item, label %sum
item:
  %tt = fmul double %t1, %t1
  %s1 = fadd double %s, %tt
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret double %s1
}
define double @derivative(double %x, i64 %n) {
  %d = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %d
}
"""


@pytest.mark.compile
def test_independent_iterations_keep_nothing(tmp_path):
    """The function is a multiple of x⁴."""
    used, found = memory_of(tmp_path, text=ITEMS)
    assert used <= SLACK
    value = sum(sum(((item + i) * 1e-6) ** 2 for i in range(8)) ** 2 for item in range(ITERATIONS))
    assert found == pytest.approx(4 * value, rel=1e-9)
