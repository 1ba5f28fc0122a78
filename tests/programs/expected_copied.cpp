// check: array n=5 flags=-std=c++23
// A number or an error with a text: copied, swapped and assigned, of which the compiler reads either as the other's bits.
#include <cmath>
#include <expected>
#include <string>
#include <utility>

struct Failure {
    int code;
    std::string where;
};
using Number = std::expected<double, Failure>;

static Number root(double v)
{
    if (v < 0)
        return std::unexpected(Failure{3, "a root of a negative number, somewhere"});
    return std::sqrt(v);
}

extern "C" double objective(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        Number r = root(x[i] + (i % 2 ? -100 : 3));
        if (r)
            r = *r * x[i] + std::sin(*r);
        else if (r.error().code == 3)
            r = x[i] * 0.25 * r.error().where.size();
        Number copy = r;
        copy.emplace(2 * r.value());
        std::swap(copy, r);
        sum += *copy + r.value_or(0.0);
        if (Number failed = root(-x[i] * x[i]); !failed)
            sum += x[i] * failed.error().code;
    }
    return sum;
}
