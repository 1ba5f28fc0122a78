// check: array n=8
// Smoothed particles in cells of a hash table, beside vectors of structs of numbers in one class: its load factor, a float, is
// none of them.
#include <array>
#include <bitset>
#include <cmath>
#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>
template <class D> struct KernelBase { double w(double r, double h) const { double q = r / h; return q < 1 ? static_cast<const D *>(this)->shape(q) / (h * h) : 0; } };
struct Cubic : KernelBase<Cubic> { double gain = 1; double shape(double q) const { return gain * (1 - q) * (1 - q) * (1 + 2 * q); } };
struct Gauss : KernelBase<Gauss> { double shape(double q) const { return std::exp(-4 * q * q); } };
struct P { std::array<double, 2> x, v; double rho = 0, p = 0; std::bitset<4> flags; std::uint16_t cell = 0; };
template <class K> class Fluid {
  std::vector<P> ps_; K kernel_; double h_; std::unordered_map<std::uint16_t, std::list<int>> cells_; std::vector<bool> awake_;
  void bin() { cells_.clear(); for (int i = 0; i < int(ps_.size()); ++i) { auto &p = ps_[i]; p.cell = std::uint16_t((int(std::floor(p.x[0] / h_)) & 15) * 16 + (int(std::floor(p.x[1] / h_)) & 15)); cells_[p.cell].push_front(i); } }
  template <class F> void near(int i, F f) { int cx = ps_[i].cell / 16, cy = ps_[i].cell % 16; for (int a = -1; a <= 1; ++a) for (int b = -1; b <= 1; ++b) { auto it = cells_.find(std::uint16_t(((cx + a) & 15) * 16 + ((cy + b) & 15))); if (it != cells_.end()) for (int j : it->second) f(j); } }
 public:
  Fluid(K k, double h) : kernel_(k), h_(h) {}
  void add(double x, double y, double vx) { P p{}; p.x = {x, y}; p.v = {vx, 0}; p.flags.set(ps_.size() % 4); ps_.push_back(p); awake_.push_back(ps_.size() % 3 != 0); }
  void step(double dt) {
    bin();
    for (int i = 0; i < int(ps_.size()); ++i) { ps_[i].rho = 0.05; near(i, [&](int j) { double dx = ps_[i].x[0] - ps_[j].x[0], dy = ps_[i].x[1] - ps_[j].x[1]; ps_[i].rho += 0.1 * kernel_.w(std::sqrt(dx * dx + dy * dy + 1e-6), h_); }); ps_[i].p = std::pow(ps_[i].rho, 1.4); }
    std::vector<std::array<double, 2>> f(ps_.size(), {0, 0});
    for (int i = 0; i < int(ps_.size()); ++i) near(i, [&](int j) { if (j == i) return; for (int k = 0; k < 2; ++k) f[i][k] += (ps_[i].p + ps_[j].p) * (ps_[i].x[k] - ps_[j].x[k]) * (ps_[j].flags.test(1) ? 1.1 : 1.0); });
    for (std::size_t i = 0; i < ps_.size(); ++i) if (awake_[i]) for (int k = 0; k < 2; ++k) { ps_[i].v[k] += dt * f[i][k] / ps_[i].rho; ps_[i].x[k] += dt * ps_[i].v[k]; }
  }
  double energy() const { double s = 0; for (auto &p : ps_) s += p.rho * (p.v[0] * p.v[0] + p.v[1] * p.v[1]) + p.x[1] * double(p.flags.count()); return s; }
};
extern "C" double objective(const double *x, int n) {
  double total = 0;
  Fluid<Cubic> a(Cubic{{}, 1 + 0.1 * x[0]}, 0.8);
  Fluid<Gauss> b(Gauss{}, 0.9);
  for (int i = 0; i < n; ++i) { a.add(0.41 * i + 0.05 * x[i], 0.3 + 0.1 * x[(i + 3) % n], x[i] * 0.1); b.add(0.33 * (i % 4) + 0.02 * x[i], 0.37 * (i / 4) + 0.11, 0.2); }
  for (int t = 0; t < 4; ++t) { a.step(0.05); b.step(0.04); total += a.energy() * b.energy(); }
  return total;
}
