// check: array n=6
// A function-local static object, made at the first call (with its guard), and a thread-local scratch buffer.
#include <cmath>
#include <vector>

namespace {
struct Table {
    std::vector<double> knots;
    Table()
    {
        for (int i = 0; i < 20; i++)
            knots.push_back(std::cos(0.3 * i));
    }
    double at(double t) const
    {
        int i = static_cast<int>(t);
        double rest = t - i;
        return knots[i] * (1.0 - rest) + knots[i + 1] * rest;
    }
};

const Table &table()
{
    static const Table instance;
    return instance;
}

thread_local double scratch[8];
}

extern "C" double objective(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        scratch[i] = table().at(3.0 * x[i]) * x[i];
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += scratch[i] * scratch[n - 1 - i];
    return sum;
}
