// check: array n=9
// A k-d tree in a vector that grows, of elements with an array beside an integer and a float; nth_element by an axis.
#include <algorithm>
#include <vector>
struct P { int id; float w; double pos[3]; };
static void build(std::vector<P> &p, std::size_t lo, std::size_t hi, int axis) {
  if (hi - lo < 2) return;
  std::size_t mid = (lo + hi) / 2;
  std::nth_element(p.begin() + lo, p.begin() + mid, p.begin() + hi,
                   [axis](const P &a, const P &b) { return a.pos[axis] < b.pos[axis]; });
  build(p, lo, mid, (axis + 1) % 3);
  build(p, mid + 1, hi, (axis + 1) % 3);
}
extern "C" double objective(const double *x, int n) {
  std::vector<P> p;
  for (int i = 0; i + 2 < n; i++) p.push_back(P{i, 0.5f * float(i + 1), {x[i], x[i + 1], x[i + 2] * x[i]}});
  build(p, 0, p.size(), 0);
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); i++) sum += p[i].pos[unsigned(p[i].id) % 3] * p[i].w * p[i].pos[(i + 1) % 3] * double(i + 1);
  return sum;
}
