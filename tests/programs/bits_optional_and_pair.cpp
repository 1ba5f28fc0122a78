// check: array n=3 range=1.1:1.4 refused=E0111
// bit_cast, optional and pair of integers
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>
static std::optional<std::int64_t> key(double v) { if (!(v > 0)) return std::nullopt; return __builtin_bit_cast(std::int64_t, v); }
static std::pair<std::int64_t, int> split(double v) { auto b = __builtin_bit_cast(std::int64_t, v); return {b & 0xfffffffffffffll, (int)(b >> 52)}; }
extern "C" double objective(double *x, int n) {
  double s = 0;
  std::vector<std::int64_t> kept;
  for (int i = 0; i < n; i++) { if (auto k = key(x[i] * x[0])) s += (double)*k * 0x1p-52 * (i + 1); kept.push_back(split(x[i]).first); }
  for (auto k : kept) s += 3 * (double)k * 0x1p-52;
  return s;
}
