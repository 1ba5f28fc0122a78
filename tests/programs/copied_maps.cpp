// check: array n=23,1
// Copied trees that grow, shrink and are walked backward: the library goes by the colours of their nodes.
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace {
struct Load {
    int key;
    double weight;
    bool operator<(const Load &other) const { return key < other.key; }
};
using Table = std::map<int, double>;
}

static double backward(const Table &table)
{
    double sum = 0;
    int place = 1;
    for (auto it = table.rbegin(); it != table.rend(); ++it)
        sum += it->second * it->second * place++;
    return sum;
}

static double of_maps(const double *x, int n)
{
    Table first, second;
    for (int i = 0; i < n; i++) {
        first[(i * 7) % 31] += x[i];
        second[(i * 5) % 29] = x[i] * x[0];
    }
    Table copy = first, other(second);
    for (auto &[key, value] : second)
        copy[key + 3] += value;
    for (int i = 0; i < n; i += 2)
        copy.erase((i * 7) % 31);
    other = copy;
    for (int i = 0; i < n; i++)
        other.insert({100 - i, x[i] * (i + 1)});
    Table moved = std::move(other);
    moved.erase(moved.begin(), std::next(moved.begin(), (long)moved.size() / 3));
    std::swap(moved, first);
    first.merge(second);
    auto node = first.extract(std::prev(first.end()));
    node.key() = -1;
    first.insert(std::move(node));
    return backward(first) + backward(copy) + backward(moved);
}

static double of_sets(const double *x, int n)
{
    std::multiset<Load> loads;
    for (int i = 0; i < n; i++)
        loads.insert({i % 5, x[i]});
    auto copy = loads;
    copy.erase(copy.find({0, 0}));
    for (int i = 0; i < n; i++)
        copy.insert({i % 7, x[i] * x[n - 1 - i]});
    double sum = 0;
    int place = 1;
    for (auto it = copy.end(); it != copy.begin();)
        sum += (--it)->weight * place++;
    return sum;
}

extern "C" double objective(const double *x, int n)
{
    return of_maps(x, n) + of_sets(x, n);
}
