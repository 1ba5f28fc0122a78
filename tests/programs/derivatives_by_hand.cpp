// check: array n=10
// Tensors with reference counts, a tape of closures (reverse mode written by the user), intrusive lists, optional.
#include <cmath>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <vector>
struct Var;
using Ref = std::shared_ptr<Var>;
struct Var : std::enable_shared_from_this<Var> {
    double value, slope = 0;
    std::vector<Ref> parents;
    std::function<void(Var &)> back;
    std::string name;
    Var(double v, std::string n = "") : value(v), name(std::move(n)) {}
};
static Ref make(double v, std::vector<Ref> parents, std::function<void(Var &)> back)
{
    auto out = std::make_shared<Var>(v);
    out->parents = std::move(parents);
    out->back = std::move(back);
    return out;
}
static Ref operator*(Ref a, Ref b)
{
    return make(a->value * b->value, {a, b}, [](Var &o) {
        o.parents[0]->slope += o.slope * o.parents[1]->value;
        o.parents[1]->slope += o.slope * o.parents[0]->value;
    });
}
static Ref operator+(Ref a, Ref b)
{
    return make(a->value + b->value, {a, b}, [](Var &o) {
        for (auto &p : o.parents)
            p->slope += o.slope;
    });
}
static Ref tanh(Ref a)
{
    const double t = std::tanh(a->value);
    return make(t, {a}, [t](Var &o) { o.parents[0]->slope += o.slope * (1 - t * t); });
}
static void order(const Ref &v, std::unordered_set<Var *> &seen, std::list<Var *> &out)
{
    if (!seen.insert(v.get()).second)
        return;
    for (auto &p : v->parents)
        order(p, seen, out);
    out.push_front(v.get());
}
static std::optional<double> backward(Ref root)
{
    std::unordered_set<Var *> seen;
    std::list<Var *> sorted;
    order(root, seen, sorted);
    if (sorted.empty())
        return std::nullopt;
    root->slope = 1;
    for (Var *v : sorted)
        if (v->back)
            v->back(*v);
    return root->value;
}
extern "C" double objective(const double *x, int n)
{
    std::vector<Ref> in;
    for (int i = 0; i < n; i++)
        in.push_back(std::make_shared<Var>(x[i], "x" + std::to_string(i)));
    Ref h = in[0];
    for (int i = 1; i + 1 < n; i += 2)
        h = tanh(h * in[i] + in[i + 1]);
    const auto value = backward(h * h + in[n - 1]);
    double total = value.value_or(0);
    for (auto &v : in)
        total += v->slope * v->slope;
    return total;
}
