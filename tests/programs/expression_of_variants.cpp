// check: array n=9 flags=-std=c++20
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>
// Symbolic expression with simplification: variant of nodes, visitor with overloaded lambdas, environment map.
struct Num { double v; };
struct Var { std::string name; };
struct Bin; struct Fn;
using Expr = std::variant<Num, Var, std::shared_ptr<Bin>, std::shared_ptr<Fn>>;
struct Bin { char op; Expr l, r; };
struct Fn { double (*f)(double); Expr arg; };
template <class... T> struct over : T... { using T::operator()...; };
template <class... T> over(T...) -> over<T...>;
static double eval(const Expr &e, const std::map<std::string, double> &env) {
    return std::visit(over{[](const Num &n) { return n.v; },
                           [&](const Var &v) { auto it = env.find(v.name); return it == env.end() ? 0.0 : it->second; },
                           [&](const std::shared_ptr<Bin> &b) {
                               double l = eval(b->l, env), r = eval(b->r, env);
                               switch (b->op) { case '+': return l + r; case '*': return l * r; case '-': return l - r; default: return l / (1 + r * r); }
                           },
                           [&](const std::shared_ptr<Fn> &f) { return f->f(eval(f->arg, env)); }}, e);
}
static std::optional<double> constant(const Expr &e) { if (auto *n = std::get_if<Num>(&e)) return n->v; return std::nullopt; }
static Expr bin(char op, Expr l, Expr r) {
    auto a = constant(l), b = constant(r);
    if (a && b && op == '+') return Num{*a + *b};
    if (a && b && op == '*') return Num{*a * *b};
    return std::make_shared<Bin>(Bin{op, std::move(l), std::move(r)});
}
extern "C" double objective(const double *x, int n) {
    Expr e = Num{x[0]};
    for (int i = 1; i < n; ++i) {
        if (i % 4 == 1) e = bin('+', e, Num{x[i]});
        else if (i % 4 == 2) e = bin('*', e, Var{"v" + std::to_string(i)});
        else if (i % 4 == 3) e = std::make_shared<Fn>(Fn{i % 3 ? (double (*)(double))std::sin : (double (*)(double))std::tanh, e});
        else e = bin('/', bin('-', e, Num{x[i]}), Num{x[i - 1]});
    }
    std::map<std::string, double> env{{"v2", x[2] * x[3]}, {"v6", x[6]}};
    return eval(e, env) + eval(bin('*', e, e), env);
}
