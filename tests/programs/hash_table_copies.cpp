// check: array n=6
// Hash tables copied, moved, assigned and swapped: the links of a table lead to its nodes and to a member of the table
// itself, whose load factor lies where the nodes have their value.
#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace {
struct Weighted {
    int key;
    double weight;
    bool operator==(const Weighted &other) const { return key == other.key; }
};
struct ByKey {
    std::size_t operator()(const Weighted &of) const { return (std::size_t)of.key; }
};
}

static double of_numbers(const double *x, int n)
{
    std::unordered_map<int, double> a, b;
    for (int i = 0; i < n; i++)
        a[i % 4] += x[i] * x[(i + 1) % n];
    b[7] = x[0];
    auto c = a;
    std::swap(a, b);
    b[1] *= x[1];
    auto d = std::move(b);
    for (auto &entry : c)
        entry.second *= 2;
    a = c;
    a[9] = d[1] * x[2];
    d = std::move(c);
    a.erase(0);
    a.rehash(100);
    double sum = 0;
    for (auto &[key, value] : a)
        sum += value * value * (key + 1);
    for (auto &[key, value] : d)
        sum += value * x[key % n];
    return sum;
}

static double of_structs(const double *x, int n)
{
    std::unordered_set<Weighted, ByKey> a;
    for (int i = 0; i < n; i++)
        a.insert({i % 4, x[i] * x[i]});
    auto b = a;
    b.erase({0, 0});
    std::swap(a, b);
    double sum = 0;
    for (auto &one : a)
        sum += one.weight * one.weight * (one.key + 1);
    for (auto &one : b)
        sum += one.weight * b.size();
    return sum;
}

extern "C" double objective(const double *x, int n)
{
    return of_numbers(x, n) + of_structs(x, n);
}
