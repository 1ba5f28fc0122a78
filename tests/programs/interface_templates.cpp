// check: main flags=-Itests/support
// The entry points as C++ users declare them: templates, mangled names, markers by reference.
#include "expect.h"

#include <vector>

extern int enzyme_dup;
extern int enzyme_const;
extern int enzyme_out;

template <typename Return, typename... Arguments> Return __enzyme_autodiff(void *, Arguments...);
template <typename Return, typename... Arguments> Return __enzyme_fwddiff(void *, Arguments...);

static double loss(const std::vector<double> &v, double a)
{
    double sum = 0.0;
    for (double e : v)
        sum += a * e * e;
    return sum;
}

int main()
{
    std::vector<double> v{1.0, 2.0, 3.0}, bar(3), dot{1.0, 0.0, 2.0};
    double a = __enzyme_autodiff<double>((void *)loss, enzyme_dup, &v, &bar, enzyme_out, 2.0);
    EXPECT(a, 14.0);
    EXPECT(bar[0], 4.0);
    EXPECT(bar[2], 12.0);
    double t = __enzyme_fwddiff<double>((void *)loss, enzyme_dup, &v, &dot, enzyme_const, 2.0);
    EXPECT(t, 4.0 + 24.0);
    return expect_failures != 0;
}
