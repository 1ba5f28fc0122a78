// check: array n=6,3
// std::variant of strings, structs of numbers and vectors: alternatives that are not held use the same bytes otherwise.
#include <string>
#include <variant>
#include <vector>
struct Gauss { double mean, width; };
using Value = std::variant<std::string, Gauss, std::vector<double>>;
template <class... F> struct overloaded : F... { using F::operator()...; };
template <class... F> overloaded(F...) -> overloaded<F...>;
static double measure(const Value &v) {
  return std::visit(overloaded{[](const std::string &s) { return 0.5 * s.size(); },
                               [](const Gauss &g) { return g.mean * g.mean / g.width; },
                               [](const std::vector<double> &w) { double t = 0; for (double a : w) t += a * a * a; return t; }}, v);
}
extern "C" double objective(const double *x, int n) {
  std::vector<Value> values;
  for (int i = 0; i < n; i++) {
    if (i % 3 == 0) values.push_back(Gauss{x[i], 1 + x[(i + 1) % n]});
    else if (i % 3 == 1) values.push_back(std::string("label that is long enough ") + std::to_string(i));
    else values.push_back(std::vector<double>(x, x + i));
  }
  double sum = 0;
  for (auto &v : values) sum += measure(v);
  return sum;
}
