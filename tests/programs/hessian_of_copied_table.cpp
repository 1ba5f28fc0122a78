// check: main
// Second derivatives through a hash table that is copied.
#include <unordered_map>
#include <vector>
extern int enzyme_dup, enzyme_const;
extern "C" double __enzyme_autodiff(void *, ...);
extern "C" double __enzyme_fwddiff(void *, ...);
static double energy(const double *x, int n) {
  std::unordered_map<int, double> u;
  for (int i = 0; i < n; ++i) u[i] = x[i];
  auto t = u;
  double s = x[0];
  for (auto &[k, v] : t) s += v * v;
  return s;
}
static void gradient(const double *x, double *b, int n) { __enzyme_autodiff((void *)energy, enzyme_dup, x, b, enzyme_const, n); }
int main() {
  double x[3] = {1, 2, 3}, v[3] = {1, 0, 0}, b[3] = {}, h[3] = {};
  __enzyme_fwddiff((void *)gradient, enzyme_dup, x, v, enzyme_dup, b, h, enzyme_const, 3);
  __builtin_printf("%g (3) %g (2)\n", b[0], h[0]);
  return !(h[0] > 1.99 && h[0] < 2.01);
}
