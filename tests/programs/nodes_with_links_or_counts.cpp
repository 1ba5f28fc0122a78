// check: array n=4,7 range=0.2:1.8 flags=-std=c++17
// Nodes in vectors and a deque that grow: a pointer or two indices, in a union and in a variant, beside numbers.
#include <deque>
#include <variant>
#include <vector>

struct Leaf { int tag; union { const double *body; int children[2]; }; double mass; };
struct Inner { int children[2]; };
struct Node { std::variant<const double *, Inner> what; double mass; };

static double sum(const std::deque<Node> &all, int at)
{
    const Node &n = all[at];
    if (auto body = std::get_if<const double *>(&n.what))
        return **body * n.mass;
    double s = n.mass;
    for (int c : std::get<Inner>(n.what).children)
        if (c)
            s += sum(all, c) * n.mass;
    return s;
}

extern "C" double objective(const double *x, int n)
{
    std::vector<Leaf> leaves;
    for (int i = 0; i < n; i++) {
        Leaf k;
        if (i % 2) {
            k.tag = 0;
            k.body = x + i;
        } else {
            k.tag = 1;
            k.children[0] = i;
            k.children[1] = 0;
        }
        k.mass = x[i] * x[0];
        leaves.push_back(k);
    }
    double total = 0;
    for (const Leaf &k : leaves)
        total += k.mass * k.mass + (k.tag ? k.children[0] * k.mass : *k.body);
    std::deque<Node> nodes;
    nodes.push_back({x, x[0]});
    for (int i = 1; i < n; i++) {
        nodes.push_back({x + i, x[i]});
        nodes[(i - 1) / 2].what = Inner{{i, 0}};
    }
    return total + sum(nodes, 0);
}
