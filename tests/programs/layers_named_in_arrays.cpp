// check: array n=4,6
// Tables of structs with a name and a function, beside layers that lead to the numbers of the caller where others have
// a function: the address of a function has no shadow, wherever it was kept.
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Layer {
  virtual ~Layer() = default;
  virtual double apply(double) const = 0;
};

using Function = double (*)(double);

double square(double x) { return x * x; }

struct Named {
  std::string name;
  Function function;
};

const Named named[] = {{"tanh", std::tanh}, {"square", square}};
const std::vector<std::pair<std::string, Function>> pairs{{"sin", std::sin}, {"a name that is longer", std::exp}};

struct Activation : Layer {
  Function function = nullptr;
  explicit Activation(const std::string &name) {
    for (const auto &entry : named)
      if (entry.name == name) function = entry.function;
    for (const auto &entry : pairs)
      if (entry.first == name) function = entry.second;
  }
  double apply(double x) const override { return function(x); }
};

struct Dense : Layer {
  const double *weights;
  explicit Dense(const double *w) : weights(w) {}
  double apply(double x) const override { return weights[0] * x + weights[1]; }
};

}  // namespace

extern "C" double objective(const double *x, int n) {
  static const char *const names[] = {"tanh", "sin", "square", "a name that is longer"};
  std::vector<std::unique_ptr<Layer>> layers;
  for (int i = 0; i + 1 < n; i++) {
    layers.push_back(std::make_unique<Dense>(x + i));
    layers.push_back(std::make_unique<Activation>(names[i % 4]));
  }
  double value = 0.7;
  for (const auto &layer : layers) value = layer->apply(value);
  return value;
}
