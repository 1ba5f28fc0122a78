"""The programs that `pass_time.py` measures: small ones, and three kinds that grow.

Many functions kept out of line, one function of many statements, and decompositions of Eigen's for matrices of many
sizes, which are functions of their own for each size.
"""

from __future__ import annotations

import random
from pathlib import Path

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"
PROBLEMS = HERE / "problems"
COMPILED = ("gmm", "ba", "lstm", "fft")
"""Problems whose whole compilation is measured beside clang's."""
EIGEN = "/usr/include/eigen3"

REQUEST = """
extern int enzyme_dup, enzyme_const;
extern double __enzyme_autodiff(void *, ...);
%svoid gradient(double *x, double *dx, double *w, double *dw, int n)
{
    __enzyme_autodiff((void *)%s, enzyme_dup, x, dx, enzyme_dup, w, dw, enzyme_const, n);
}
"""
CELL = """
__attribute__((noinline)) static double cell_{i}(double *state, double a)
{{
    double sum = a;
    for (int k = 0; k < {trips}; k++) {{
        double v = state[k] * {factor} + sum;
        if (v > {limit})
            v = sin(v) * a;
        else
            v = v * v + exp(-a * {factor});
        state[k] = v;
        sum += v * state[(k + {shift}) % {trips}];
    }}
    return sum / (1.0 + a * a);
}}
"""
DECOMPOSITIONS = """#include <Eigen/Dense>
using namespace Eigen;
template <int N> __attribute__((noinline)) static double systems(const double *x)
{
    typedef Matrix<double, N, N> M;
    typedef Matrix<double, N, 1> V;
    M a = Map<const M>(x) + 3 * M::Identity(), s = a * a.transpose();
    V b = Map<const V>(x + N * N);
    PartialPivLU<M> partial(a);
    FullPivLU<M> full(a);
    LLT<M> llt(s);
    return partial.solve(b).sum() + full.solve(b).sum() + s.ldlt().solve(b).sum() + llt.solve(b).sum();
}
template <int N> __attribute__((noinline)) static double least_squares(const double *x)
{
    typedef Matrix<double, N + 2, N> M;
    typedef Matrix<double, N + 2, 1> V;
    M a = Map<const M>(x);
    V b = Map<const V>(x + N * (N + 2));
    Matrix<double, N, 1> s = a.householderQr().solve(b), p = a.colPivHouseholderQr().solve(b);
    return s.squaredNorm() + (a * p - b).squaredNorm();
}
"""


def many_functions(count: int) -> str:
    """Functions kept out of line, each with a loop, a branch and memory that is overwritten."""
    parts = ["#include <math.h>"]
    for i in range(count):
        numbers = {"trips": 5 + i % 7, "factor": 0.5 + i % 11 / 10, "limit": 1.0 + i % 5, "shift": 1 + i % 3}
        parts.append(CELL.format(i=i, **numbers))
    parts.append("static double chain(double *x, double *w, int n)\n{\n    double sum = x[n - 1] + w[0];")
    parts += [f"    sum = cell_{i}(x, sum * {1 + i % 4}e-1);" for i in range(count)]
    parts.append("    return sum;\n}")
    return "\n".join(parts) + REQUEST % ("", "chain")


def one_function(count: int) -> str:
    """One function of so many statements: arithmetic, memory that is overwritten, branches and loops, at random."""
    choose = random.Random(1)
    lines = ["#include <math.h>", "static double whole(double *x, double *w, int n)", "{"]
    lines.append("    double a = x[0], b = x[1], c = x[2], d = 1.0;")
    for _ in range(count):
        i, j, k, factor = choose.randrange(40), choose.randrange(40), choose.randrange(20), choose.randrange(10, 99)
        u, v, t = choose.sample("abcd", 3)
        kinds = [f"{u} = {v} * {t} * 0.{factor} + x[{i}];"] * 3
        kinds += [f"w[{k}] = sin({u}) * x[{i}];", f"{u} += w[{k}] * {v} / (2.0 + {t} * {t});"]
        kinds += [f"w[{k}] = w[{(k + 3) % 20}] * {u};"]
        kinds += [f"if ({u} > 0.{factor}) {v} = {t} * x[{i}]; else w[{k}] += {v};"]
        kinds += [
            f"for (int i = 0; i < n; i++) {{ {u} += x[i] * x[i + {j}] * {v}; w[i + {k}] = exp(-{u} * {u}); }}",
        ]
        lines.append(f"    {choose.choice(kinds)}")
    return "\n".join([*lines, "    return a + b + c + d;", "}"]) + REQUEST % ("", "whole")


def eigen(count: int) -> str:
    """Systems of equations and least squares by six decompositions, for so many sizes of matrices."""
    calls = " + ".join(f"systems<{n}>(x) + least_squares<{n}>(x)" for n in range(3, 3 + count))
    body = f"static double everything(double *x, double *w, int n)\n{{\n    return w[0] * n + {calls};\n}}\n"
    return DECOMPOSITIONS + body + REQUEST % ('extern "C" ', "everything")
