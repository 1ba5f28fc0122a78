// check: main
// Strings in the user's own objects and shadows: they stay whole, and shadows keep what strings they had.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>
int enzyme_dup, enzyme_const;
template <typename... A> void __enzyme_autodiff(void *, A...);
struct Body { std::string name; double mass; };
static double step(std::vector<Body> *bodies, double x) {
  double sum = 0;
  for (auto &b : *bodies) { b.name += " moved, and this makes the name a long one"; b.mass *= x; sum += b.mass * b.mass; }
  return sum;
}
static double merge(std::vector<Body> *bodies, double x) {
  Body a = (*bodies)[0]; a.mass *= x; a.name = a.name + a.name; (*bodies)[1] = a; (*bodies)[0].name = "other";
  return (*bodies)[0].mass * (*bodies)[1].mass;
}
int main() {
  std::vector<Body> bodies{{"a", 2}, {"the second, with a long name", 3}}, shadow{{"shadow of a", 0}, {"another shadow, with a long name", 0}};
  __enzyme_autodiff<>((void *)step, enzyme_dup, &bodies, &shadow, enzyme_const, 1.5);
  if (std::fabs(shadow[0].mass - 2 * 2 * 2.25) > 1e-12 || std::fabs(shadow[1].mass - 2 * 3 * 2.25) > 1e-12) return 1;
  if (bodies[0].name.substr(0, 7) != "a moved" || shadow[1].name != "another shadow, with a long name") return 2;
  bodies = {{"a rather long name for a body", 2}, {"b", 3}}; shadow = {{"s", 0}, {"t", 0}};
  __enzyme_autodiff<>((void *)merge, enzyme_dup, &bodies, &shadow, enzyme_const, 1.5);
  if (std::fabs(shadow[0].mass - 2 * 2 * 1.5) > 1e-12 || std::fabs(shadow[1].mass) > 1e-12) return 3;
  if (bodies[0].name != "other" || bodies[1].name.size() != 58 || shadow[0].name != "s") return 4;
  std::puts("ok");
}
