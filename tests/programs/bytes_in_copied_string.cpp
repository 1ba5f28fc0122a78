// check: array n=4 refused=E0113
// Bytes of numbers in a string that is copied before they are read again.
#include <string>
extern "C" double objective(const double *x, int n) {
  std::string buffer;
  for (int i = 0; i < n; i++) { const char *p = reinterpret_cast<const char *>(x + i); for (int k = 0; k < 8; k++) buffer.push_back(p[k]); }
  std::string copy = buffer; double sum = 0;
  for (int i = 0; i < n; i++) { double y; char *p = reinterpret_cast<char *>(&y); for (int k = 0; k < 8; k++) p[k] = copy[8 * i + k]; sum += y * y; }
  return sum;
}
