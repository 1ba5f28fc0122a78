// check: array n=4 range=0.5:2.0 tol=1e-6 flags=-stdlib=libc++ refused=E0103
// a source of bytes of the program's own: underflow gives characters, and sums what it gave
#include <streambuf>
#include <istream>
struct Source : std::streambuf {
  const double *x; int at = 0, n; char c = 0; double used = 0;
  Source(const double *x, int n) : x(x), n(n) {}
  int underflow() override { if (at == n) return traits_type::eof(); used += x[at] * x[at]; c = (char)('0' + at++); setg(&c, &c, &c + 1); return (unsigned char)c; }
};
extern "C" double objective(double *x, int n) {
  Source s(x, n); std::istream in(&s);
  char c; int digits = 0;
  while (in.get(c)) digits += c - '0';
  return s.used + digits * x[1];
}
