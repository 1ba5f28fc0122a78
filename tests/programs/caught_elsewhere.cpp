// check: array n=6
// Exceptions compiled in: bounds-checked access and a try block around code that does not throw here.
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

static double checked_root(double v)
{
    if (v < 0.0)
        throw std::domain_error("negative: " + std::to_string(v));
    return std::sqrt(v);
}

extern "C" double objective(const double *x, int n)
{
    std::vector<double> v(x, x + n);
    std::string label = "sum of roots";
    double sum = 0.0;
    try {
        for (int i = 0; i < n; i++)
            sum += checked_root(v.at(i)) * v.at(n - 1 - i);
        if (label.size() > 100)
            throw std::runtime_error(label);
    } catch (const std::exception &error) {
        sum = -1.0;
    }
    return sum;
}
