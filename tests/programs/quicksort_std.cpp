// check: array n=9
// std::qsort and std::bsearch from C++: comparisons by lambdas, in methods, through variables and chosen at run time.
#include <cmath>
#include <cstdlib>
#include <vector>

struct Particle {
    double position[2];
    int cell;
    double charge;
};

using Compare = int (*)(const void *, const void *);

template <int axis>
static int by_axis(const void *a, const void *b)
{
    double l = static_cast<const Particle *>(a)->position[axis], r = static_cast<const Particle *>(b)->position[axis];
    return l < r ? -1 : l > r;
}

struct Sorter {
    Compare compare;
    void operator()(std::vector<Particle> &all) const { std::qsort(all.data(), all.size(), sizeof(Particle), compare); }
};

extern "C" double objective(const double *x, int n)
{
    std::vector<Particle> all;
    for (int i = 0; i < n; i++)
        all.push_back({{std::sin(7 * x[i]), std::cos(3 * x[i])}, i % 4, x[i]});
    double sum = 0;
    for (int round = 0; round < 2; round++) {
        Sorter{round ? by_axis<1> : by_axis<0>}(all);
        for (int i = 0; i + 1 < n; i++)
            sum += (i + 1) * (all[i + 1].position[0] - all[i].position[1]) * all[i].charge;
    }
    std::qsort(all.data(), all.size(), sizeof(Particle), [](const void *a, const void *b) {
        return static_cast<const Particle *>(a)->cell - static_cast<const Particle *>(b)->cell;
    });
    int wanted = 2;
    auto *found = static_cast<Particle *>(
        std::bsearch(&wanted, all.data(), all.size(), sizeof(Particle), [](const void *key, const void *element) {
            return *static_cast<const int *>(key) - static_cast<const Particle *>(element)->cell;
        }));
    return found != nullptr ? sum * found->charge + found->position[0] : sum;
}
