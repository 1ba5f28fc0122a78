// check: array n=4
// A tree of constant nodes that several own: counters of owners lie where other nodes have numbers, as callers see it.
#include <cmath>
#include <memory>
#include <string>
struct Node;
using Expression = std::shared_ptr<const Node>;
struct Node { enum Kind { NUMBER, SUM, PRODUCT, SINE } kind; double value; std::string name; Expression a, b; };
static Expression number(double v) { return std::make_shared<Node>(Node{Node::NUMBER, v, "", nullptr, nullptr}); }
__attribute__((noinline)) static Expression operator*(Expression a, Expression b)
{
  if (a->kind == Node::NUMBER && b->kind == Node::NUMBER) return number(a->value * b->value);
  return std::make_shared<Node>(Node{Node::PRODUCT, 0, "product", a, b});
}
static Expression sine(Expression a) { return std::make_shared<Node>(Node{Node::SINE, 0, "", a, nullptr}); }
static Expression operator+(Expression a, Expression b) { return std::make_shared<Node>(Node{Node::SUM, 0, "sum", a, b}); }
static Expression slope(const Expression &e, const std::string &name) {
  switch (e->kind) {
  case Node::NUMBER: return number(e->name == name ? 1 : 0);
  case Node::SUM: return slope(e->a, name) + slope(e->b, name);
  case Node::PRODUCT: return slope(e->a, name) * e->b + e->a * slope(e->b, name);
  default: return sine(e->a) * slope(e->a, name);
  }
}
static double value(const Expression &e) {
  switch (e->kind) {
  case Node::NUMBER: return e->value;
  case Node::SUM: return value(e->a) + value(e->b);
  case Node::PRODUCT: return value(e->a) * value(e->b);
  default: return std::sin(value(e->a));
  }
}
extern "C" double objective(const double *x, int n) {
  Expression e = number(x[0]);
  for (int i = 1; i < n; i++) e = sine(e * number(x[i])) * e;
  return value(e) + value(slope(e, "")) + 0.1 * (double)e->name.size();
}
