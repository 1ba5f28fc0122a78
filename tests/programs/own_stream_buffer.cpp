// check: array n=4 range=0.5:2.0 tol=1e-6 refused=E0103
// a recording buffer of the program's own, to which numbers are written as bytes; it keeps their sum
#include <cstring>
#include <ostream>
#include <streambuf>
struct Recorder : std::streambuf {
  double total = 0;
  std::streamsize xsputn(const char *s, std::streamsize n) override { double d; std::memcpy(&d, s, sizeof d); total += d * d; return n; }
  int overflow(int c) override { return c; }
};
extern "C" double objective(double *x, int n) {
  Recorder r; std::ostream out(&r);
  for (int i = 0; i < n; i++) out.write(reinterpret_cast<const char *>(&x[i]), sizeof(double));
  return r.total + x[0] * x[1];
}
