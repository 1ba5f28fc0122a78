// check: array n=7 range=0.5:1.5 tol=1e-6 flags=-std=c++20
#include <map>
#include <vector>
struct City { double x, y; };
struct Road { int from, to; double length; float limit; };
struct Map {
    std::vector<City> cities; std::multimap<int, Road> roads; std::map<int, int> index;
    int city(int k, double x, double y) { auto [it, fresh] = index.try_emplace(k, static_cast<int>(cities.size())); if (fresh) cities.push_back({x, y}); return it->second; }
    void road(int a, int b, double bend, float limit) { roads.emplace(a, Road{a, b, bend * (cities[a].x - cities[b].x), limit}); }
    double from(int at) const { double s = 0; for (auto [it, end] = roads.equal_range(at); it != end; ++it) s += it->second.length * (100 / it->second.limit); return s; }
};
extern "C" double objective(double *x, int n) {
    Map m;
    for (int i = 0; i < n; i++) m.city(i, x[i], x[i]);
    m.city(7, 0.1, x[0] * x[1]);
    for (int i = 0; i < n; i++) m.road(i, i % 2 ? 7 : (i + 3) % n, 1 + 0.1 * x[i], i % 2 ? 80.f : 60.f);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += m.from(i) * (i + 1);
    return sum;
}
