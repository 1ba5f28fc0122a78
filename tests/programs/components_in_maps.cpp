// check: array n=6,3 level=-O2
// Components of entities in a tuple of hash tables, by type: names, positions, floats beside doubles.
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>
struct Pos { double x, y; }; struct Vel { double x, y; }; struct Name { std::string s; }; struct Heat { float t; double c; };
class World { std::tuple<std::unordered_map<int, Pos>, std::unordered_map<int, Vel>, std::unordered_map<int, Name>, std::unordered_map<int, Heat>> c; int next = 0;
public: int create() { return next++; } template <class T> auto &all() { return std::get<std::unordered_map<int, T>>(c); } template <class T> T &add(int e, T v) { return all<T>()[e] = std::move(v); }
  template <class A, class B, class F> void each(F f) { for (int e = 0; e < next; e++) { auto a = all<A>().find(e); auto b = all<B>().find(e); if (a != all<A>().end() && b != all<B>().end()) f(a->second, b->second); } } };
extern "C" double objective(const double *x, int n) {
  World w; for (int i = 0; i < n; i++) { int e = w.create(); w.add(e, Pos{x[i], 0.5}); if (i % 2) w.add(e, Vel{x[(i + 1) % n], 1}); if (i % 3 == 0) w.add(e, Name{"entity with name " + std::to_string(i)}); w.add(e, Heat{1.5f, x[i] * x[0]}); }
  for (int t = 0; t < 5; t++) { w.each<Pos, Vel>([](Pos &p, Vel &v) { p.x += 0.1 * v.x; p.y += 0.1 * v.y; v.x -= 0.1 * p.x * p.x; }); w.each<Heat, Pos>([](Heat &h, Pos &p) { h.c += 0.01 * h.t * p.x; }); }
  double s = 0; w.each<Name, Pos>([&](Name &m, Pos &p) { s += m.s.size() * p.x * p.y; }); for (int e = 0; e < n; e++) s += w.all<Heat>().at(e).c * w.all<Pos>()[e].x;
  return s;
}
