// check: array n=6
// Lists of structs: splicing, sorting, merging, reversing; the element copied as bytes lies where the header counts.
#include <list>
#include <algorithm>
struct item { double v; int tag; };
extern "C" double objective(const double *x, int n)
{
    std::list<item> a, b;
    for (int i = 0; i < n; i++) {
        a.push_back({x[i] * x[i], i});
        b.push_front({x[i] + 1.0, n - i});
    }
    auto mid = std::next(a.begin(), n / 2);
    a.splice(mid, b, b.begin(), std::next(b.begin(), n / 3));
    a.remove_if([](const item &it) { return it.tag % 5 == 4; });
    a.reverse();
    b.sort([](const item &p, const item &q) { return p.tag < q.tag; });
    a.merge(b, [](const item &p, const item &q) { return p.tag < q.tag; });
    double sum = 0.0, weight = 1.0;
    for (const item &it : a) {
        sum += it.v * weight;
        weight = weight * 0.9 + 0.01 * it.v;
    }
    return sum;
}
