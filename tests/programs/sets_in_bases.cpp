// check: array n=4
// A set of addresses in a base class, beside shared pointers and a function: quotes that others depend upon.
#include <functional>
#include <memory>
#include <unordered_set>
#include <vector>
struct Quote {
    std::unordered_set<int *> watchers;
    double v;
    explicit Quote(double v_) : v(v_) {}
    virtual ~Quote() = default;
    virtual double value() const { return v; }
};
struct Derived : Quote {
    std::vector<std::shared_ptr<Quote>> from;
    int seen = 0;
    Derived(std::vector<std::shared_ptr<Quote>> a, std::function<double(double, double)> g) : Quote(0), from(std::move(a)) { from[0]->watchers.insert(&seen); }
    double value() const override { return from[0]->value(); }
};
extern "C" double objective(const double *x, int n) {
    auto a = std::make_shared<Quote>(x[0]), b = std::make_shared<Quote>(x[1]);
    auto d = std::make_unique<Derived>(std::vector<std::shared_ptr<Quote>>{a}, nullptr);
    return d->value();
}
