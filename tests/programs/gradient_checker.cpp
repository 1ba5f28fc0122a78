// check: array n=5
// A function that computes finite differences of another, differentiated as it is.
#include <cmath>
#include <vector>

template <class F> static std::vector<double> differences(const F &f, std::vector<double> x, double h)
{
    std::vector<double> g;
    for (std::size_t i = 0; i < x.size(); i++) {
        double kept = x[i];
        x[i] = kept + h;
        double up = f(x);
        x[i] = kept - h;
        double down = f(x);
        x[i] = kept;
        g.push_back((up - down) / (2.0 * h));
    }
    return g;
}

extern "C" double objective(const double *x, int n)
{
    auto f = [](const std::vector<double> &v) {
        double product = 1.0;
        for (double e : v)
            product *= std::sin(e) + 1.5;
        return product;
    };
    double sum = 0.0;
    for (double g : differences(f, std::vector<double>(x, x + n), 0.05))
        sum += g * g;
    return sum;
}
