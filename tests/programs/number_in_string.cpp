// check: array n=5 refused=E0113 level=-O2
// A number that lies in the middle of a string, which is copied.
#include <cstring>
#include <string>
extern "C" double objective(const double *x, int n) {
  std::string buffer(8 * n + 64, ' '); double q = x[1] * x[2]; std::memcpy(&buffer[32], &q, 8);
  std::string copy = buffer; double y; std::memcpy(&y, copy.data() + 32, 8);
  return y * y;
}
