// check: array n=5
// Trees and objects with virtual functions that have names, made by adding strings and changed in place.
#include <memory>
#include <string>
#include <vector>
struct Node {
  std::string name; double weight; std::vector<std::shared_ptr<Node>> children;
  double sum(double factor) const { double s = weight * weight * factor; for (auto &c : children) s += c->sum(factor * weight); return s; }
};
struct Term { std::string name; explicit Term(const std::string &n) : name(n) {} virtual ~Term() {} virtual double value(double x) const = 0; };
struct Square : Term { double a; explicit Square(double v) : Term("square"), a(v) {} double value(double x) const override { return a * x * x; } };
struct Line : Term { double a; explicit Line(double v) : Term("a line, with a name that is long"), a(v) {} double value(double x) const override { return a * x; } };
extern "C" double objective(const double *x, int n) {
  auto root = std::make_shared<Node>(); root->name = "root"; root->weight = x[0];
  for (int i = 1; i < n; i++) {
    auto node = std::make_shared<Node>(); node->name = root->name + "/" + std::to_string(i) + "/and/so/on"; node->weight = x[i];
    (i % 2 ? root : root->children[0])->children.push_back(node);
  }
  std::vector<std::unique_ptr<Term>> terms; std::string log;
  for (int i = 0; i < n; i++) {
    if (i % 2) terms.push_back(std::make_unique<Square>(x[i])); else terms.push_back(std::make_unique<Line>(x[i]));
    log += terms.back()->name; if (log.size() > 40) log.erase(0, 30);
    terms.back()->name.insert(0, 3 * i, 'c'); std::swap(terms.back()->name, log);
  }
  double s = root->sum(1); for (auto &t : terms) s += t->value(s / 9) * (1 + t->name.size() * 0.01);
  for (char c : log) s += (c - 'a') * x[0] * 0.01;
  return s;
}
