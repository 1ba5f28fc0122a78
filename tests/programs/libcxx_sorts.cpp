// check: array n=9,1 flags=-stdlib=libc++
// Sorts of numbers are machine code of libc++, but for those by a comparison of one's own.
#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

extern "C" double objective(double *x, int n) {
  std::vector<double> up(x, x + n), down(up), part(up);
  std::sort(up.begin(), up.end());
  std::sort(down.begin(), down.end(), std::greater<double>());
  std::partial_sort(part.begin(), part.begin() + n / 2, part.end());
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (i + 1) * up[i] * up[i] + i * down[i] * x[i];
  for (int i = 0; i < n / 2; i++) sum += i * part[i] * part[i];

  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return x[a] < x[b]; });
  for (int i = 0; i < n; i++) sum += (i + 1) * x[order[i]] * x[i];
  std::sort(order.begin(), order.end());
  for (int i = 0; i < n; i++) sum += x[order[i]] * i;
  return sum;
}
