// check: array n=6 flags=-std=c++20
// An expression tree as a variant that is moved by value: the integer of one variant lies where another has its
// pointer, so that what is moved is a choice between the words read and the lower bytes of the pointer read.
#include <memory>
#include <variant>

struct Node;
using Expression = std::variant<double, int, std::unique_ptr<Node>>;

struct Node {
    char operation;
    Expression left, right;
};

struct Evaluate {
    const double *x;

    double operator()(double constant) const { return constant; }
    double operator()(int variable) const { return x[variable]; }
    double operator()(const std::unique_ptr<Node> &node) const {
        const double left = std::visit(*this, node->left), right = std::visit(*this, node->right);
        return node->operation == '*' ? left * right : left + right;
    }
};

static Expression node(char operation, Expression left, Expression right) {
    return std::make_unique<Node>(Node{operation, std::move(left), std::move(right)});
}

extern "C" double objective(const double *x, int n) {
    Expression product = node('*', node('+', 3, x[4]), node('*', 0, 2.5));
    for (int i = 1; i < n; ++i) product = node(i % 2 ? '+' : '*', std::move(product), node('*', i, x[i - 1]));
    return std::visit(Evaluate{x}, product);
}
