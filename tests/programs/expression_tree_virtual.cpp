// check: array n=5
// An expression as a tree of nodes that evaluate their children; children are shared.
#include <cmath>
#include <memory>
#include <vector>

struct Expression {
    virtual ~Expression() = default;
    virtual double value(const double *x) const = 0;
};
using Tree = std::shared_ptr<Expression>;

struct Variable : Expression {
    int index;
    explicit Variable(int index) : index(index) {}
    double value(const double *x) const override { return x[index]; }
};

struct Number : Expression {
    double number;
    explicit Number(double number) : number(number) {}
    double value(const double *) const override { return number; }
};

struct Sum : Expression {
    std::vector<Tree> terms;
    explicit Sum(std::vector<Tree> terms) : terms(std::move(terms)) {}
    double value(const double *x) const override
    {
        double sum = 0.0;
        for (auto &term : terms)
            sum += term->value(x);
        return sum;
    }
};

struct Product : Expression {
    Tree a, b;
    Product(Tree a, Tree b) : a(a), b(b) {}
    double value(const double *x) const override { return a->value(x) * b->value(x); }
};

struct Sine : Expression {
    Tree inner;
    explicit Sine(Tree inner) : inner(inner) {}
    double value(const double *x) const override { return std::sin(inner->value(x)); }
};

extern "C" double objective(const double *x, int n)
{
    Tree sum = std::make_shared<Number>(0.5);
    for (int i = 0; i < n; i++) {
        Tree v = std::make_shared<Variable>(i);
        Tree scaled = std::make_shared<Product>(v, std::make_shared<Sine>(sum));
        sum = std::make_shared<Sum>(std::vector<Tree>{sum, scaled, v});
    }
    return sum->value(x) * sum->value(x + 0);
}
