// check: array n=5,7
// Nodes that static containers keep: erased, spliced, swapped, reversed, between nodes of this call.
#include <map>
#include <set>
#include <list>
static std::set<double> kept_set;
static std::map<int, std::map<int, double>> nested;
static std::list<double> first, second;
extern "C" double objective(const double *x, int n)
{
    std::multimap<int, double> m;
    std::list<double> l;
    std::multiset<double> s;
    for (int i = 0; i < n; i++) {
        m.insert({i % 3, x[i] * x[i]});
        l.push_back(x[i] * x[i]);
        s.insert(x[i] * l.back());
        kept_set.insert(x[i]);
        nested[i % 2][i] = x[i] * x[i];
        first.push_front(x[i] * i);
    }
    second.splice(second.end(), first, first.begin());
    second.reverse();
    first.swap(second);
    double sum = 0, f = 1;
    for (auto &[k, v] : m)
        sum += (k + 1) * v;
    for (double v : l)
        sum += v * v;
    for (double v : s)
        sum += (f *= 1.1) * v;
    for (double v : kept_set)
        sum += (f *= 1.1) * v * v;
    for (auto &[k, row] : nested)
        for (auto &[j, v] : row)
            sum += v * (j + k);
    for (double v : first)
        sum += (f *= 0.9) * v * v;
    while (kept_set.size() > 2)
        kept_set.erase(kept_set.begin());
    kept_set.clear();
    for (int i = 1; i < n; i += 2)
        nested[1].erase(i);
    while (first.size() > 3)
        first.pop_back();
    second.clear();
    first.clear();
    return sum;
}
