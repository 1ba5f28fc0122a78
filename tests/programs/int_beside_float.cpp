// check: array n=6 real=float stopped=-O2-fno-inline
// An integer and a float that are moved as one word of eight bytes: that the first half is an integer does not make the
// word one.
#include <list>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {
struct Entry {
    int key;
    float value;
};
struct Weight {
    float value;
    int key;
};
}

extern "C" float objective(const float *x, int n)
{
    std::vector<Entry> entries, again;
    for (int i = 0; i < n; i++)
        entries.push_back({i % 3, x[i] * x[i]});
    for (Entry entry : entries)
        again.push_back(entry);
    std::map<int, float> sums;
    std::unordered_map<int, float> products;
    for (const Entry &entry : again) {
        sums[entry.key] += entry.value;
        products[entry.key] += entry.value * x[entry.key];
    }
    auto totals = sums;
    auto copies = products;
    std::list<Weight> weights;
    for (int i = 0; i < n; i++)
        weights.push_back({x[i] * x[i], i});
    auto others = weights;
    float result = 0;
    for (auto &weight : others)
        result += weight.value * 0.1f * (float)(weight.key + (int)others.size());
    for (auto &[key, total] : totals)
        result += total * sums[key] * 0.1f + copies[key];
    return result;
}
