// check: array n=6,3
// Functions with captures of every kind, in structs of a map and behind shared pointers.
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>
struct Op { int kind; std::function<double(double)> f; double scale; };
extern "C" double objective(const double *x, int n) {
  std::map<int, Op> ops; std::vector<std::shared_ptr<std::function<double(double)>>> shared; auto counter = std::make_shared<int>(0); auto acc = std::make_shared<double>(x[0]);
  for (int i = 0; i < n; i++) {
    double c = x[i]; std::vector<double> v(x, x + 2);
    switch (i % 4) {
    case 0: ops[i] = {i, [c](double t) { return c * t; }, x[0]}; break;
    case 1: ops[i] = {i, [v, i](double t) { return v[0] * t + v[1] * i; }, x[1]}; break;
    case 2: ops[i] = {i, [counter, c](double t) { return ++*counter * c * t; }, x[1]}; break;
    default: { auto f = ops[i - 1].f; ops[i] = {i, [f, acc](double t) { *acc += t; return f(t) * *acc; }, 2.0}; } }
    shared.push_back(std::make_shared<std::function<double(double)>>(ops[i].f));
  }
  double t = 1;
  for (auto &o : ops) t = 0.3 * o.second.f(t) * o.second.scale + o.second.kind;
  for (auto &f : shared) t += 0.01 * (*f)(t);
  return t + *counter;
}
