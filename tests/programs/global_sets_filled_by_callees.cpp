// check: array n=6
#include <set>
#include <vector>
static std::vector<std::set<int>> levels(2);
struct Index { std::vector<std::set<int>> *l; double *v; };
__attribute__((noinline)) static void place(Index &s, const double *x, int n) {
    for (int i = 0; i < n; i++) { (*s.l)[i & 1].insert(7 * i % 5); s.v[i] += x[i] * x[i]; }
}
extern "C" double objective(const double *x, int n) {
    levels.assign(2, {});
    double v[8] = {}, e = 0, w = 1;
    Index s{&levels, v};
    place(s, x, n);
    for (auto &l : *s.l) for (int i : l) e += s.v[i] * (w += 0.2);
    levels.clear(); levels.shrink_to_fit();
    return e * 0.1;
}
