// check: array n=3 tol=1e-3 identity=1e-6 step=0.05
// A load factor that depends on the inputs, and is used as a number: hash tables keep it as one then.
#include <cmath>
#include <unordered_map>
#include <vector>
class Field {
  std::vector<double> at_; std::unordered_map<int, double> weights_; double scale_;
 public:
  Field(double s, float full) : scale_(s) { weights_.max_load_factor(full); weights_.reserve(8); }
  void add(double x) { at_.push_back(x); weights_[int(at_.size()) % 5] += x * scale_; }
  double sum() { double s = 0; for (auto &[k, w] : weights_) s += w * k; for (double v : at_) s += v * v; return s + weights_.max_load_factor() * scale_; }
};
extern "C" double objective(const double *x, int n) {
  Field a(x[0], float(1 + 0.1 * x[1] * x[1]));
  for (int i = 0; i < n; ++i) a.add(x[i]);
  return a.sum();
}
