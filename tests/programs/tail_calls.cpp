// check: array n=3
struct S { double v; const double *x; int n; };
static double f(S *s, int i);
static double g(S *s, int i) { s->v *= s->x[i]; [[clang::musttail]] return f(s, i + 1); }
static double f(S *s, int i) { if (i >= s->n) return s->v; s->v += s->x[i]; [[clang::musttail]] return g(s, i); }
extern "C" double objective(const double *x, int n)
{
    S s{1, x, n};
    return f(&s, 0);
}
