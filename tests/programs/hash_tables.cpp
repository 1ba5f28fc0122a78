// check: main flags=-Itests/support
// Hash tables of numbers: the links of a table lead to its nodes and to a member of the table itself, so that the
// numbers of the one lie where the other has its load factor, a float.
#include "expect.h"

#include <unordered_map>
#include <unordered_set>

extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

struct Network {
    std::unordered_map<int, double> weights;
    std::unordered_map<long, double> edges;
    double bias;
};

static double run(const Network &network, double x)
{
    double sum = network.bias;
    for (auto &[key, weight] : network.weights)
        sum += weight * x * key;
    for (auto &[key, edge] : network.edges)
        if (network.weights.count(int(key)))
            sum += edge * network.weights.at(int(key)) * edge;
    return sum;
}

static double built(const double *x)
{
    Network network{{}, {}, x[3]};
    std::unordered_set<int> seen;
    for (int i = 0; i < 4; i++) {
        if (!seen.insert(i % 3).second)
            continue;
        network.weights[i * 7] += x[i] * x[i];
        network.edges[i * 7] = x[i] * x[i + 1];
    }
    network.weights.erase(7);
    network.weights.emplace(9, x[2]);
    return run(network, x[0]) * run(network, x[1]);
}

int main()
{
    double x[4] = {0.5, 1.25, -0.75, 2.0}, x_bar[4] = {0}, x_dot[4] = {1, -2, 0.5, 3}, along = 0;
    __enzyme_autodiff((void *)built, enzyme_dup, x, x_bar);
    for (int i = 0; i < 4; i++) {
        double at = x[i], step = 1e-5;
        x[i] = at + step;
        double above = built(x);
        x[i] = at - step;
        double below = built(x);
        x[i] = at;
        EXPECT(fabs(x_bar[i] - (above - below) / (2 * step)) < 1e-6, 1);
        along += x_bar[i] * x_dot[i];
    }
    EXPECT(__enzyme_fwddiff((void *)built, enzyme_dup, x, x_dot), along);

    Network network{{{1, 2.0}, {3, 4.0}}, {{3, 1.5}}, 0.25}, bar{{{1, 0.0}, {3, 0.0}}, {{3, 0.0}}, 0.0};
    EXPECT(__enzyme_autodiff((void *)run, enzyme_dup, &network, &bar, 2.0), 14);
    EXPECT(bar.weights[3], 8.25);
    EXPECT(bar.edges[3], 12.0);
    EXPECT(bar.bias, 1);
    return expect_failures;
}
