// check: array n=6 real=float
// Lambdas that capture a float, which lies where `std::function` keeps pointers at other times.
#include <functional>

__attribute__((noinline)) static float use(float v, const std::function<float(float)> &f) { return f(v) * v; }

extern "C" float objective(const float *x, int n)
{
    float result = 0;
    for (int i = 0; i + 1 < n; i++) {
        float factor = x[i];
        result += use(x[i + 1], [factor](float v) { return factor * v + 0.5f; });
    }
    return result;
}
