// check: array n=5 range=0.3:0.9 tol=1e-6 flags=-std=c++20
#include <algorithm>
#include <array>
#include <numeric>
#include <vector>
struct Particle { std::array<double, 2> p, v; float mass; int id; };
extern "C" double objective(double *x, int n) {
    std::vector<Particle> ps;
    for (int i = 0; i < n; i++) ps.push_back({{x[i], x[(i + 2) % n]}, {x[0], x[i]}, 0.5f + i, 7 * i % 5});
    std::sort(ps.begin(), ps.end(), [](const Particle &a, const Particle &b) { return a.id < b.id; });
    double e = 0;
    for (auto &q : ps) e += q.mass * std::inner_product(q.v.begin(), q.v.end(), q.v.begin(), 0.0) + q.p[1] * q.id;
    return e;
}
