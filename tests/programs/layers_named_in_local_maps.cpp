// check: array n=4,6 stopped=-O2-fno-inline
// Maps of names and functions that are made in the first call and kept for later ones, beside layers that own numbers.
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

struct Layer {
  virtual ~Layer() = default;
  virtual double apply(double) const = 0;
};

using Function = double (*)(double);

struct Ordered : Layer {
  Function function = nullptr;
  explicit Ordered(const std::string &name) {
    static const std::map<std::string, Function> functions{
        {"tanh", std::tanh}, {"sin", std::sin}, {"square", [](double x) { return x * x; }}};
    auto found = functions.find(name);
    if (found != functions.end()) function = found->second;
  }
  double apply(double x) const override { return function(x); }
};

struct Hashed : Layer {
  Function function = nullptr;
  explicit Hashed(const std::string &name) {
    static const std::unordered_map<std::string, Function> functions{{"exp", std::exp}, {"cos", std::cos}};
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

}  // namespace

extern "C" double objective(const double *x, int n) {
  std::vector<std::unique_ptr<Layer>> layers;
  for (int i = 0; i + 1 < n; i++) {
    layers.push_back(std::make_unique<Dense>(x + i));
    if (i % 2)
      layers.push_back(std::make_unique<Ordered>(i == 1 ? "tanh" : "square"));
    else
      layers.push_back(std::make_unique<Hashed>("cos"));
  }
  double value = 0.7;
  for (const auto &layer : layers) value = layer->apply(value);
  return value;
}
