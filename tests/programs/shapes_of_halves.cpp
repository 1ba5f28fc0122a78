// check: array n=6,3
// Shared objects of which some have flags, counts, strings or pointers where others have numbers; copied and changed.
#include <memory>
#include <vector>
#include <string>
struct Item { virtual ~Item() = default; virtual double value(double t) const = 0; virtual std::shared_ptr<Item> copy() const = 0; virtual void step() = 0; };
struct Flagged : Item { bool on; short level; int count; double w; Flagged(bool on, int c, double w) : on(on), level(3), count(c), w(w) {}
  double value(double t) const override { return on ? w * count * t : w + level; } std::shared_ptr<Item> copy() const override { return std::make_shared<Flagged>(*this); } void step() override { on = !on; count += 2; w *= 1.5; } };
struct Named : Item { std::string name; double a; std::vector<double> v; Named(const std::string &n, double a) : name(n), a(a), v{a, a * a} {}
  double value(double t) const override { return a * name.size() + v[0] * v[1] * t; } std::shared_ptr<Item> copy() const override { return std::make_shared<Named>(*this); } void step() override { name += "x"; v.push_back(a); v[0] += v.back(); } };
struct Sum : Item { std::shared_ptr<Item> l, r; double f; Sum(std::shared_ptr<Item> l, std::shared_ptr<Item> r, double f) : l(l), r(r), f(f) {}
  double value(double t) const override { return f * l->value(t) + r->value(f * t); } std::shared_ptr<Item> copy() const override { return std::make_shared<Sum>(l->copy(), r, f); } void step() override { l->step(); f += 0.5; std::swap(l, r); } };
struct Two : Item { double x, y, z; Two(double x, double y) : x(x), y(y), z(x * y) {}
  double value(double t) const override { return x * t + y * z; } std::shared_ptr<Item> copy() const override { return std::make_shared<Two>(*this); } void step() override { z += x; } };
extern "C" double objective(const double *x, int n) {
  std::vector<std::shared_ptr<Item>> all;
  for (int i = 0; i < n; i++) switch (i % 4) {
    case 0: all.push_back(std::make_shared<Two>(x[i], x[0])); break;
    case 1: all.push_back(std::make_shared<Flagged>(i % 2, i, x[i])); break;
    case 2: all.push_back(std::make_shared<Sum>(all[0], all[1], x[i])); break;
    default: all.push_back(std::make_shared<Named>("n" + std::string(i, 'a'), x[i])); }
  double t = 1;
  for (auto &s : all) { auto c = s->copy(); c->step(); t = 0.1 * t + c->value(0.5) + s->value(x[1]) ; }
  return t;
}
