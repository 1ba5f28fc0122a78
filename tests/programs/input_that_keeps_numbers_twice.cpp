// check: main
// Derivatives of a derivative, and several at once, where input keeps a number.
#include <cmath>
#include <cstdio>
#include <sstream>

extern int enzyme_const, enzyme_dup, enzyme_width;
template <class R = void, class... T> R __enzyme_autodiff(void *, T...);
template <class R = void, class... T> R __enzyme_fwddiff(void *, T...);

static double f(double *x, const char *text)
{
    std::istringstream in(text);
    double a = x[0] * x[0] * x[1], b = x[0] * x[1] * x[1];
    in >> a >> b;
    return a * a + b * x[0] * x[0];
}

static void gradient(double *x, double *x_bar, const char *text)
{
    __enzyme_autodiff((void *)f, enzyme_dup, x, x_bar, enzyme_const, text);
}

struct Two {
    double of[2];
};

// With the number read: f = 1/4 + x0^3 x1^2, and b or both as they are otherwise.
static int wrong(const char *text, double d0, double d1, double d00, double d01)
{
    double x[2] = {1.5, 0.5}, first[2] = {1, 0}, second[2] = {0, 1}, x_bar[2] = {0, 0}, x_bar_dot[2] = {0, 0};
    __enzyme_fwddiff<void>((void *)gradient, enzyme_dup, x, first, enzyme_dup, x_bar, x_bar_dot, enzyme_const, text);
    Two both = __enzyme_fwddiff<Two>((void *)f, enzyme_width, 2, enzyme_dup, x, first, second, enzyme_const, text);
    std::printf("%g %g %g %g %g %g\n", x_bar[0], x_bar[1], x_bar_dot[0], x_bar_dot[1], both.of[0], both.of[1]);
    const double found[6] = {x_bar[0], x_bar[1], x_bar_dot[0], x_bar_dot[1], both.of[0], both.of[1]};
    const double expected[6] = {d0, d1, d00, d01, d0, d1};
    int count = 0;
    for (int i = 0; i < 6; i++)
        count += std::fabs(found[i] - expected[i]) > 1e-12;
    return count;
}

int main()
{
    const double x = 1.5, y = 0.5;
    int failed = wrong("0.5", 3 * x * x * y * y, 2 * x * x * x * y, 6 * x * y * y, 6 * x * x * y);
    failed += wrong("0.5 2", 4 * x, 0, 4, 0);
    failed += wrong("", 4 * x * x * x * y * y + 3 * x * x * y * y, 2 * x * x * x * x * y + 2 * x * x * x * y,
                    12 * x * x * y * y + 6 * x * y * y, 8 * x * x * x * y + 6 * x * x * y);
    return failed;
}
