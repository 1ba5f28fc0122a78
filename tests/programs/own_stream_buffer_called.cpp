// check: array n=4 range=0.5:2.0 tol=1e-6 refused=E0103@-O2-fno-inline
// a buffer of the program's own, given characters directly
#include <streambuf>
struct Meter : std::streambuf {
  const double *weight; double ink = 0;
  explicit Meter(const double *w) : weight(w) {}
  int overflow(int c) override { ink += *weight * (c - 'a' + 1); return c; }
};
static void feed(std::streambuf &to, int n) { for (int i = 0; i < n; i++) to.sputc((char)('a' + i)); }
extern "C" double objective(double *x, int n) {
  double w = x[0] * x[1];
  Meter m(&w);
  feed(m, n);
  return m.ink * m.ink + x[2];
}
