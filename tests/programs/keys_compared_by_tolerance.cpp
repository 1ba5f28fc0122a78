// check: array n=5 tol=1e-3 identity=1e-6 step=0.05
// A set whose keys are compared by an object like a table's own settings, a float and a count, which is read back.
#include <cmath>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>
struct Alike {
  float tolerance;
  long seed;
  bool operator()(int a, int b) const { return a == b; }
};
struct Mark { float value; long count; };
static __attribute__((noinline)) double used(const Alike *a, const Mark *m) { return a->tolerance * double(a->seed) + m->value * double(m->count); }
extern "C" double objective(const double *x, int n) {
  using Table = std::unordered_map<int, Mark, std::hash<int>, Alike>;
  Table t(8, {}, Alike{float(x[0] * x[1]), 3});
  std::unordered_set<int, std::hash<int>, Alike> s(8, {}, Alike{float(x[2]), 2});
  for (int i = 0; i < n; ++i) { t[i * 5 % 7] = Mark{float(x[i] * x[i]), i}; s.insert(i % 3); }
  Table u = t, v(4, {}, Alike{0, 0});
  v = u;
  std::swap(u, t);
  Table w(std::move(t));
  double sum = double(s.size());
  Alike a = v.key_eq(), b = w.key_eq(), c = s.key_eq();
  for (auto &[k, m] : w) { Mark copy = m; sum += used(&b, &copy) * (k + 1); }
  for (auto &[k, m] : v) sum += used(&a, &m) + used(&c, &u.at(k));
  return sum;
}
