// check: array n=6,2 with=mixed_cpp_to_c_part.c
// C++ calls C: vectors as pointers, a member function behind a callback with context, memory that C allocates.
#include <algorithm>
#include <memory>
#include <vector>

extern "C" {
double *smoothed(const double *x, int n, int times);
double integrate(double (*f)(double, void *), void *context, double a, double b);
void release(double *x);
}

namespace {
struct polynomial {
    std::vector<double> coefficients;
    double at(double t) const
    {
        double value = 0;
        for (double c : coefficients)
            value = value * t + c;
        return value;
    }
};
}  // namespace

extern "C" double objective(double *x, int n)
{
    polynomial p{std::vector<double>(x, x + n)};
    auto evaluate = [](double t, void *self) { return static_cast<polynomial *>(self)->at(t); };
    std::unique_ptr<double, void (*)(double *)> smooth(smoothed(x, n, 3), release);
    double area = integrate(evaluate, &p, 0, smooth.get()[n / 2]);
    std::transform(smooth.get(), smooth.get() + n, p.coefficients.begin(), [](double v) { return v * v; });
    return area + p.at(0.7);
}
