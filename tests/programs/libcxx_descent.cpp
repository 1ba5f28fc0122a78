// check: main flags=-Itests/support,-stdlib=libc++
// A class that asks for the gradient and goes down it: libc++ tells of the alignment of what its vectors begin with.
#include "expect.h"
#include <cmath>
#include <vector>

static double energy(const std::vector<double> &x) {
  double e = 0;
  for (std::size_t i = 0; i < x.size(); i++) {
    double d = x[i] - (i ? x[i - 1] : 1.0);
    e += d * d + 0.1 * std::pow(x[i], 4);
  }
  return e;
}

extern "C" void __enzyme_autodiff(void *, ...);
extern int enzyme_dup;

class Descent {
public:
  explicit Descent(std::size_t n) : x_(n, 0.7), slope_(n) {}

  double step(double length) {
    for (double &s : slope_)
      s = 0;
    __enzyme_autodiff((void *)energy, enzyme_dup, &x_, &slope_);
    double norm = 0;
    for (double s : slope_)
      norm += s * s;
    for (std::size_t i = 0; i < x_.size(); i++)
      x_[i] -= length * slope_[i];
    return std::sqrt(norm);
  }

  double error() const {
    double worst = 0;
    for (std::size_t i = 0; i < x_.size(); i++) {
      std::vector<double> a = x_, b = x_;
      a[i] += 1e-6;
      b[i] -= 1e-6;
      worst = std::fmax(worst, std::fabs((energy(a) - energy(b)) / 2e-6 - slope_[i]));
    }
    return worst;
  }

private:
  std::vector<double> x_, slope_;
};

int main() {
  Descent descent(6);
  double first = descent.step(0);
  EXPECT(descent.error() < 1e-8, 1);
  for (int k = 0; k < 200; k++)
    descent.step(0.1);
  EXPECT(descent.step(0) < 1e-3 * first, 1);
  return expect_failures;
}
