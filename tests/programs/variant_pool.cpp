// check: array n=6 flags=-std=c++20 range=0.1:0.9
// A tree in a pool of variants, whose nodes hold indices where leaves hold numbers; indices are passed on in recursion.
#include <array>
#include <cmath>
#include <variant>
#include <vector>

struct Leaf {
    double x, weight;
};
struct Inner {
    std::array<int, 2> child{-1, -1};
    double moment = 0, weight = 0;
};
using Node = std::variant<std::monostate, Leaf, Inner>;

struct Tree {
    std::vector<Node> pool{1};

    void insert(int at, Leaf leaf, double middle, double half)
    {
        if (std::holds_alternative<std::monostate>(pool[at])) {
            pool[at] = leaf;
            return;
        }
        if (auto *old = std::get_if<Leaf>(&pool[at])) {
            Leaf moved = *old;
            pool[at] = Inner{};
            down(at, moved, middle, half);
        }
        down(at, leaf, middle, half);
    }

    void down(int at, Leaf leaf, double middle, double half)
    {
        int side = leaf.x > middle;
        if (std::get<Inner>(pool[at]).child[side] < 0) {
            std::get<Inner>(pool[at]).child[side] = (int)pool.size();
            pool.emplace_back();
        }
        auto &inner = std::get<Inner>(pool[at]);
        inner.moment += leaf.weight * leaf.x;
        inner.weight += leaf.weight;
        insert(inner.child[side], leaf, middle + (side ? half : -half) / 2, half / 2);
    }

    double potential(int at, double x) const
    {
        if (auto *leaf = std::get_if<Leaf>(&pool[at]))
            return leaf->weight / std::sqrt(0.01 + (leaf->x - x) * (leaf->x - x));
        auto *inner = std::get_if<Inner>(&pool[at]);
        if (!inner)
            return 0;
        double distance = inner->moment / inner->weight - x, sum = 0;
        if (distance > 0.5)
            return inner->weight / distance;
        for (int child : inner->child)
            if (child >= 0)
                sum += potential(child, x);
        return sum;
    }
};

extern "C" double objective(const double *x, int n)
{
    Tree tree;
    for (int i = 0; i < n; i++)
        tree.insert(0, {x[i], 1 + 0.1 * x[(i + 1) % n]}, 0.5, 0.5);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (i + 1) * tree.potential(0, x[i]);
    return sum;
}
