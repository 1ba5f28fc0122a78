// check: array n=5
// Lists of pairs and structs are copied, spliced and sorted; the library links their nodes, which nobody sees.
#include <list>
#include <utility>

namespace {
struct Sample {
    int key;
    double value;
    float weight;
};
}

extern "C" double objective(const double *x, int n)
{
    std::list<std::pair<int, double>> pairs;
    std::list<Sample> samples;
    for (int i = 0; i < n; i++) {
        pairs.push_back({i, x[i] * x[i]});
        samples.push_back({n - i, x[i] * x[(i + 1) % n], 0.5f});
    }
    auto more = pairs;
    more.splice(more.end(), pairs);
    std::list<Sample> sorted(samples);
    sorted.sort([](const Sample &a, const Sample &b) { return a.key < b.key; });
    double sum = 0, scale = 1;
    for (auto &[key, value] : more)
        sum += value * value * (key + 1);
    for (auto &sample : sorted)
        sum += sample.value * sample.weight * (scale *= 0.5);
    return sum;
}
