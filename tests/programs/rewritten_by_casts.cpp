// check: array n=4
// Expressions that are rewritten with their inner ones, by dynamic casts of what a virtual function that calls itself
// returns: shared ones, and ones that change themselves.
#include <memory>

namespace {

struct Expression;
using Shared = std::shared_ptr<const Expression>;

struct Expression {
    virtual ~Expression() = default;
    virtual double value() const = 0;
    virtual Shared rewritten() const = 0;
};

struct Constant : Expression {
    double number;
    explicit Constant(double number) : number(number) {}
    double value() const override { return number; }
    Shared rewritten() const override { return std::make_shared<Constant>(number); }
};

struct Scaled : Expression {
    double factor;
    Shared of;
    Scaled(double factor, Shared of) : factor(factor), of(std::move(of)) {}
    double value() const override { return factor * of->value(); }
    Shared rewritten() const override {
        Shared inner = of->rewritten();
        if (const auto *scaled = dynamic_cast<const Scaled *>(inner.get())) {
            return std::make_shared<Scaled>(factor * scaled->factor, scaled->of);
        }
        return std::make_shared<Scaled>(factor, inner);
    }
};

struct Node {
    virtual double value() const = 0;
    virtual Node *fold() = 0;
};

struct Leaf : Node {
    double number;
    explicit Leaf(double number) : number(number) {}
    double value() const override { return number * number; }
    Node *fold() override { return this; }
};

struct Product : Node {
    double factor;
    Node *of;
    Product(double factor, Node *of) : factor(factor), of(of) {}
    double value() const override { return factor * of->value(); }
    Node *fold() override {
        if (auto *inner = dynamic_cast<Product *>(of->fold())) {
            factor *= inner->factor;
            of = inner->of;
        }
        return this;
    }
};

}  // namespace

extern "C" double objective(const double *x, int n) {
    Shared all = std::make_shared<Constant>(x[0]);
    for (int i = 1; i < n; i++) {
        all = std::make_shared<Scaled>(x[i], all);
    }
    Leaf leaf(x[2]);
    Product inner(x[1], &leaf), outer(x[0], &inner);
    return all->rewritten()->value() + outer.fold()->value();
}
