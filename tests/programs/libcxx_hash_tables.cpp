// check: array n=6 flags=-stdlib=libc++,-static-libstdc++
// Hash tables of libc++, of numbers and of text. (Its library is linked statically: a package of its headers may come
// with a shared library that is older, and has no function to hash text by.)
#include <string>
#include <unordered_map>
#include <unordered_set>

extern "C" double objective(double *x, int n) {
  std::unordered_map<int, double> counted;
  std::unordered_map<std::string, double> named;
  std::unordered_set<int> seen;
  for (int i = 0; i < n; i++) {
    counted[i * 7 % 5] += x[i] * x[i];
    named["x" + std::to_string(i)] = x[i];
    seen.insert(i % 3);
  }
  double sum = 0;
  for (auto &[key, value] : counted) sum += value * value;
  for (int i = 0; i < n; i++) sum += named["x" + std::to_string(i)] * named.at("x" + std::to_string(n - 1 - i));
  return sum * (double)seen.size();
}
