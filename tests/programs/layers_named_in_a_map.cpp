// check: array n=4,6
// A static map of names and functions, beside layers that own numbers where others have a function: the nodes of the
// map were there before the call, lead to no numbers, and need no shadow.
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

struct Layer {
  virtual ~Layer() = default;
  virtual double apply(double) const = 0;
};

double square(double x) { return x * x; }

const std::map<std::string, double (*)(double)> functions{{"tanh", std::tanh}, {"sin", std::sin}, {"square", square}};

struct Activation : Layer {
  double (*function)(double) = nullptr;
  explicit Activation(const std::string &name) {
    auto found = functions.find(name);
    if (found != functions.end()) function = found->second;
  }
  double apply(double x) const override { return function(x); }
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
