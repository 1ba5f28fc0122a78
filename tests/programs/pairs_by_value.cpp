// check: array n=8 tol=2e-3 identity=1e-5
// Pairs and tuples of an integer and a float by value: counted up, cut, replaced by constants, rotated.
#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>
using Item = std::pair<int, float>;
static Item make(int k, double v) { return {k, (float)v}; }
static std::optional<float> cut(Item it, float limit) { if (it.second > limit) return std::nullopt; return it.second * it.first; }
static std::tuple<int, float, double> widen(Item it) { return {it.first + 1, it.second, it.second * 0.5}; }
extern "C" double objective(const double *x, int n) {
    std::vector<Item> v;
    for (int i = 0; i < n; ++i) v.push_back(make(i + 1, std::sin(x[i])));
    double total = 0;
    for (auto &it : v) { auto c = cut(it, .5f); total += c.value_or(.25f) * it.first; if (!c) it = Item(it.first, .75f); }
    std::rotate(v.begin(), v.begin() + 2, v.end());
    std::partition(v.begin(), v.end(), [](const Item &a) { return a.first % 2; });
    for (std::size_t i = 0; i + 1 < v.size(); ++i) { auto [k, f, d] = widen(v[i]); total += k * f + d * v[i + 1].second; std::swap(v[i], v[i + 1]); }
    v.front() = make(2, x[0] * x[1]);
    std::fill_n(v.begin() + 1, 2, Item{3, 1.5f});
    for (auto &[k, f] : v) total += k * f * f;
    return total;
}
