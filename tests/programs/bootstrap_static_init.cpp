// check: array n=5
// A function-local static with a constructor and a global object initialised before main.
#include <cmath>
#include <vector>

static const std::vector<double> knots = [] {
    std::vector<double> v;
    for (int i = 0; i < 5; i++)
        v.push_back(std::cos(0.3 * i));
    return v;
}();

static const double *weights()
{
    static const double table[5] = {1.0, 0.5, std::sqrt(2.0), 0.25, 2.0};
    return table;
}

extern "C" double objective(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += knots[i] * weights()[i] * x[i] * x[(i + 2) % n];
    return sum;
}
