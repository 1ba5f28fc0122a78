// check: array n=6
// A stream writes to characters of the program, by way of a buffer that the program has derived.
#include <ostream>
#include <streambuf>

struct View : std::streambuf {
  View(char *b, size_t n) {
    setg(b, b, b + n);
    setp(b, b + n);
  }
};

extern "C" double objective(const double *x, int n) {
  double s = 0;
  char b[16] = "1234512345";
  View view(b, 10);
  std::ostream out(&view);
  for (int r = 0; r < 3; r++) {
    for (int i = 0; i < 4; i++)
      s += x[b[i] - '0'] * x[b[(i * n + r) % 4] - '0'];
    out << (r + n) % 6 << r;
  }
  return s;
}
