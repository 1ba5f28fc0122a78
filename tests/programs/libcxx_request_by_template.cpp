// check: main flags=-stdlib=libc++
// A request by a template, whose name is longer than that of the function in the manual.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>
#include <cmath>
struct Layer { std::string name; std::vector<double> w; virtual double run(double x) const { double s = 0; for (double v : w) s += v * x; return s; } virtual ~Layer() = default; };
struct Square : Layer { double run(double x) const override { return Layer::run(x) * Layer::run(x); } };
double net(const double *x, int n) {
  std::vector<std::shared_ptr<Layer>> l; l.push_back(std::make_shared<Layer>()); l.push_back(std::make_shared<Square>());
  for (auto &p : l) { p->name = "layer"; p->w.assign(x, x + n); }
  std::vector<double> r; for (auto &p : l) r.push_back(p->run(0.5)); std::sort(r.begin(), r.end()); return r[0] * 2 + r[1];
}
int enzyme_const, enzyme_dup; template <class R, class... T> R __enzyme_autodiff(void *, T...);
int main() {
  double x[3] = {1, 2, 3}, d[3] = {};
  __enzyme_autodiff<void>((void *)net, enzyme_dup, x, d, enzyme_const, 3);
  for (int i = 0; i < 3; i++) {
    const double h = 1e-6, at = x[i];
    x[i] = at + h;
    const double above = net(x, 3);
    x[i] = at - h;
    const double below = net(x, 3);
    x[i] = at;
    if (!(std::fabs(d[i] - (above - below) / (2 * h)) < 1e-6))
      return 1;
  }
  return 0;
}
