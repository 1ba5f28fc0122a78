// check: array n=7,3
// A graph whose nodes lead to each other by weak pointers, and to numbers in others by pointers that share them.
#include <functional>
#include <memory>
#include <vector>
struct N { double v; std::vector<std::weak_ptr<N>> next; std::shared_ptr<double> extra; };
extern "C" double objective(const double *x, int n) {
  std::vector<std::shared_ptr<N>> all; for (int i = 0; i < n; i++) { auto p = std::make_unique<N>(); p->v = x[i]; all.push_back(std::move(p)); } for (int i = 0; i < n; i++) { all[i]->next.push_back(all[(i + 1) % n]); all[i]->next.push_back(all[(i + 2) % n]); all[i]->extra = std::shared_ptr<double>(all[(i + 1) % n], &all[(i + 1) % n]->v); }
  std::function<double(const std::shared_ptr<N> &, int)> walk = [&](const std::shared_ptr<N> &p, int d) { if (!d) return p->v * p->v; double s = *p->extra * 0.1; for (auto &w : p->next) if (auto q = w.lock()) s += 0.5 * p->v * walk(q, d - 1); return s; };
  double s = walk(all[0], 3); for (auto &p : all) p->extra.reset(); return s;
}
