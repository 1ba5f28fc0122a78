// check: array n=6,3
// Copied maps of maps of vectors, walked backward: words of their nodes are told apart at run time.
#include <map>
#include <vector>
extern "C" double objective(const double *x, int n) {
  double s = 0;
  std::map<int, std::map<int, std::vector<double>>> deep; for (int i = 0; i < n; i++) deep[i % 2][i % 3].push_back(x[i]);
  auto copy = deep; copy[0][0].push_back(x[1]); copy.erase(1); deep[5][7] = {x[0], x[1]};
  for (auto &[k, m] : deep) for (auto &[l, v] : m) for (double e : v) s += e * e * (k + 1) * l; for (auto &[k, m] : copy) for (auto it = m.rbegin(); it != m.rend(); ++it) for (double e : it->second) s = 0.9 * s + e;
  return s;
}
