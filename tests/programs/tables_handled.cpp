// check: array n=7 refused=E0113@-O0+-O1+-O2+-O3
// Hash tables beside vectors of structs in one class: copied, moved and swapped with it, reserved.
#include <array>
#include <cmath>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>
struct Site { std::array<double, 2> at; double weight; int kind; };
class Mesh {
  std::vector<Site> sites_;
  std::unordered_map<int, std::vector<int>> cells_;
  std::unordered_set<int> kinds_;
  std::vector<std::array<double, 3>> sums_;
  double scale_;
 public:
  explicit Mesh(double s) : scale_(s) { cells_.reserve(16); }
  void add(double x, double y, int kind) {
    sites_.push_back({{x, y}, 0.5, kind});
    cells_[int(sites_.size()) % 3].push_back(int(sites_.size()) - 1);
    kinds_.insert(kind);
    if (cells_.load_factor() > 100) sites_.clear();
  }
  void sum() {
    for (auto &[cell, ids] : cells_) {
      std::array<double, 3> t{double(cell), 0, 0};
      for (int i : ids) {
        t[1] += sites_[i].at[0] * sites_[i].weight;
        t[2] += std::sin(sites_[i].at[1]) * sites_[i].kind;
      }
      sums_.push_back(t);
    }
  }
  double total() const {
    double s = 0;
    for (auto &t : sums_) s += scale_ * t[1] * t[1] + (t[0] + 1) * t[2];
    return s + double(kinds_.size()) * 0.01;
  }
  void swap(Mesh &other) { std::swap(*this, other); }
};
extern "C" double objective(const double *x, int n) {
  Mesh a(x[0]);
  for (int i = 0; i < n; ++i) a.add(x[i], x[(i + 1) % n], i % 4);
  Mesh b = a, c(2);
  b.add(x[0] * x[1], x[2], 5);
  c = b;
  c.add(x[3], x[4] * x[4], 1);
  a.swap(c);
  std::vector<Mesh> all;
  all.push_back(std::move(a));
  all.push_back(b);
  all.push_back(c);
  double s = 0;
  for (auto &m : all) {
    m.sum();
    s += m.total();
  }
  return s;
}
