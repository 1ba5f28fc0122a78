// check: array n=6 refused=E0361@-O2-fno-inline
// Vectors that are swapped in the steps of two checkpointed loops. (Where `std::swap` stays a call, it leaves pointers
// in memory.)
#include <cstddef>
#include <utility>
#include <vector>

extern "C" void __enzyme_checkpoint(long);

static void step(const std::vector<double> &u, std::vector<double> &v, double rate) {
    for (std::size_t i = 1; i + 1 < u.size(); ++i) v[i] = u[i] + rate * u[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
}

extern "C" double objective(const double *x, int n) {
    std::vector<double> u(x, x + n), v(n);
    for (int t = 0; t < 7; ++t) {
        __enzyme_checkpoint(0);
        step(u, v, 0.1);
        std::swap(u, v);
    }
    for (int t = 0; t < 9; ++t) {
        __enzyme_checkpoint(3);
        step(u, v, 0.05);
        std::swap(u, v);
    }
    double sum = 0;
    for (double value : u) sum += value * value;
    return sum + v[1];
}
