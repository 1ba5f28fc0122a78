// check: array n=4,6 stopped=-O0+-O2+-O2-fno-inline+-O1+-O3
// A limit: a static map of names and closures, beside layers that own numbers. What a closure holds may lead to
// anything, so that its nodes and the numbers look like one memory.
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

struct Layer {
  virtual ~Layer() = default;
  virtual double apply(double) const = 0;
};

using Closure = std::function<double(double)>;

const std::map<std::string, Closure> closures{{"tanh", [](double x) { return std::tanh(x); }},
                                              {"sin", [](double x) { return std::sin(x); }},
                                              {"square", [](double x) { return x * x; }}};

struct Activation : Layer {
  Closure closure;
  explicit Activation(const std::string &name) {
    auto found = closures.find(name);
    if (found != closures.end()) closure = found->second;
  }
  double apply(double x) const override { return closure(x); }
};

struct Dense : Layer {
  std::vector<double> weights;
  explicit Dense(const double *w) : weights(w, w + 2) {}
  double apply(double x) const override { return weights[0] * x + weights[1]; }
};

double net(const double *w, const char *name) {
  std::unique_ptr<Layer> dense = std::make_unique<Dense>(w), activation = std::make_unique<Activation>(name);
  return activation->apply(dense->apply(0.7));
}

}  // namespace

extern "C" double objective(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i + 1 < n; i++) sum += net(x + i, i % 2 ? "tanh" : "square") * (i + 1);
  return sum + net(x, "sin");
}
