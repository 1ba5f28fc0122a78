// check: array n=5,7
// A solver object made once and kept by a static unique_ptr, with a virtual function and buffers of its own.
#include <cmath>
#include <memory>
#include <vector>

namespace {
struct Solver {
    virtual ~Solver() = default;
    virtual double solve(const double *x, int n) = 0;
};

struct Relaxation : Solver {
    std::vector<double> now, next;
    std::unique_ptr<double[]> rest;

    explicit Relaxation(int n) : now(n), next(n), rest(new double[n]) {}

    double solve(const double *x, int n) override
    {
        if ((int)now.size() < n) {
            now.resize(n);
            next.resize(n);
            rest = std::make_unique<double[]>(n);
        }
        std::copy(x, x + n, now.begin());
        for (int step = 0; step < 4; step++) {
            for (int i = 0; i < n; i++)
                next[i] = 0.5 * now[i] + 0.25 * (now[(i + 1) % n] * x[i] + now[(i + n - 1) % n]);
            std::swap(now, next);
        }
        double sum = 0;
        for (int i = 0; i < n; i++)
            rest[i] = now[i] - x[i];
        for (int i = 0; i < n; i++)
            sum += rest[i] * rest[i] * std::exp(-x[i]);
        return sum;
    }
};

Solver &instance()
{
    static std::unique_ptr<Solver> solver = std::make_unique<Relaxation>(4);
    return *solver;
}
}

extern "C" double objective(const double *x, int n)
{
    return instance().solve(x, n);
}
