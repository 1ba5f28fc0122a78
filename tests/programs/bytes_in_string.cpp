// check: array n=4 refused=E0113
// Numbers that are kept in a string, whose characters the library moves when it grows.
#include <cstring>
#include <string>
static std::string save(const double *x, int n) { std::string s; for (int i = 0; i < n; i++) { const char *c = reinterpret_cast<const char *>(&x[i]); for (int k = 0; k < 8; k++) s.push_back(c[k]); } return s; }
static double load(const std::string &s, int i) { char c[8]; for (int k = 0; k < 8; k++) c[k] = s[8 * i + k]; double d; std::memcpy(&d, c, 8); return d; }
extern "C" double objective(const double *x, int n) {
  std::string s = save(x, n); double sum = 0;
  for (int i = 0; i < n; i++) sum += load(s, i) * load(s, n - 1 - i) * (i + 1);
  return sum;
}
