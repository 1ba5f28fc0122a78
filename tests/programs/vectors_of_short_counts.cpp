// check: array n=4,1 flags=-std=c++20
// Generations of two bytes that are counted in place, in a struct with a vector of numbers.
#include <cmath>
#include <cstdint>
#include <vector>

namespace {
struct world {
    std::vector<std::uint16_t> generation;
    std::vector<double> place;

    unsigned create()
    {
        generation.push_back(1);
        return generation.size() - 1;
    }
    void destroy(unsigned one) { generation[one]++; }
};
}

extern "C" double objective(double *x, int n)
{
    world w;
    for (int i = 0; i < n; ++i) {
        w.create();
        w.place.push_back(x[i] * x[i]);
    }
    w.destroy(n / 2);
    double total = 0;
    for (int i = 0; i < n; ++i)
        total += std::cos(w.place[i]) * w.generation[i];
    return total;
}
