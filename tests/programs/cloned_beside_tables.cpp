// check: array n=5
// Virtual functions copy objects of two classes, in which a number of the one lies where the other has a count or a
// pointer, beside a hash table, whose load factor is a float: it is none of theirs.
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

struct Law {
  virtual ~Law() = default;
  virtual double constant(double t) const = 0;
  virtual std::unique_ptr<Law> clone() const = 0;
};

struct Simple final : Law {
  double a, e;
  Simple(double a_, double e_) : a(a_), e(e_) {}
  double constant(double t) const override { return a * t * t + e; }
  std::unique_ptr<Law> clone() const override { return std::make_unique<Simple>(*this); }
};

struct Falloff final : Law {
  int order = 3;
  Simple low;
  Falloff(const Simple &l) : low(l) {}
  double constant(double t) const override { return low.constant(t) * order; }
  std::unique_ptr<Law> clone() const override { return std::make_unique<Falloff>(*this); }
};

extern "C" double objective(const double *x, int n) {
  std::vector<std::unique_ptr<Law>> laws;
  laws.push_back(std::make_unique<Simple>(x[0], x[1]));
  laws.push_back(std::make_unique<Falloff>(Simple(x[2] * x[3], x[1])));
  std::unordered_map<std::string, int> index{{"simple", 0}, {"falloff", 1}};
  for (int i = 0; i < 2; i++) laws.push_back(laws[i]->clone());
  auto moved = std::move(index);
  double sum = 0;
  for (auto &law : laws) sum += law->constant(x[4]) * law->constant(x[n - 2]);
  return sum * (moved["falloff"] + n) + laws[moved["simple"]]->constant(x[3]);
}
