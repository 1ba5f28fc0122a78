// check: main flags=-Itests/support
// <enzyme/enzyme>: every mode, activity and kind of function.
#include "expect.h"

#include <cmath>
#include <enzyme/enzyme>
#include <vector>

static double square(double x) { return x * x; }
static double product(double x, float y, const double *p, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += p[i] * p[i];
    return x * y * sum;
}
static void scale(const std::vector<double> &from, std::vector<double> &to, double by)
{
    for (std::size_t i = 0; i < from.size(); i++)
        to[i] = by * from[i];
}
static double norm(const std::vector<double> &v)
{
    double sum = 0.0;
    for (double e : v)
        sum += e * e;
    return std::sqrt(sum);
}

struct Spring {
    double k, rest;
    double energy(double x) const { return 0.5 * k * (x - rest) * (x - rest); }
    double operator()(double x) const { return energy(x) + x; }
};

static void reverse()
{
    auto plain = enzyme::autodiff<enzyme::Reverse>(square, enzyme::Active<double>(3.0));
    EXPECT(std::get<0>(std::get<0>(plain)), 6.0);
    EXPECT(enzyme::get<0>(enzyme::get<0>(enzyme::autodiff<enzyme::Reverse>(square, 4.0))), 8.0);

    double p[3] = {1.0, 2.0, 3.0}, p_bar[3] = {};
    auto [adjoints, value] = enzyme::autodiff<enzyme::ReverseWithPrimal>(
        product, enzyme::Active<double>(2.0), enzyme::Active<float>(0.5f), enzyme::Duplicated<double *>(p, p_bar), 3);
    auto [x_bar, y_bar] = adjoints;
    EXPECT(value, 14.0);
    EXPECT(x_bar, 7.0);
    EXPECT(y_bar, 28.0);
    EXPECT(p_bar[2], 6.0);

    auto [only] = enzyme::autodiff<enzyme::Reverse>(product, enzyme::Const(2.0), enzyme::Active(0.5f), enzyme::Const(p),
                                                    enzyme::Const(3));
    EXPECT(std::get<0>(only), 28.0);
}

static void references()
{
    std::vector<double> v{3.0, 4.0}, v_bar(2), w(2), w_bar{1.0, 10.0};
    enzyme::autodiff<enzyme::Reverse>(norm, enzyme::Duplicated(v, v_bar));
    EXPECT(v_bar[0], 0.6);
    auto [adjoints] = enzyme::autodiff<enzyme::Reverse>(scale, enzyme::Const(v), enzyme::DuplicatedNoNeed(w, w_bar), 2.0);
    EXPECT(std::get<0>(adjoints), 43.0);
    std::vector<double> v_dot{1.0, 0.0};
    auto [dot] = enzyme::autodiff<enzyme::Forward>(norm, enzyme::Duplicated<std::vector<double> &>(v, v_dot));
    EXPECT(dot, 0.6);
}

static void forward()
{
    auto [dot] = enzyme::autodiff<enzyme::Forward>(square, enzyme::Duplicated<double>(3.0, 2.0));
    EXPECT(dot, 12.0);
    auto [tangent, value] = enzyme::autodiff<enzyme::ForwardWithPrimal>(square, enzyme::Duplicated(3.0, 1.0));
    EXPECT(tangent, 6.0);
    EXPECT(value, 9.0);
}

static double fill(std::vector<double> &to, double x)
{
    for (double &e : to)
        e *= x;
    return x * x;
}

static void results()
{
    std::vector<double> v{1.0, 2.0}, bar{1.0, 1.0};
    auto [all] = enzyme::autodiff<enzyme::Reverse, enzyme::Const<double>>(fill, enzyme::Duplicated(v, bar), 3.0);
    EXPECT(std::get<0>(all), 3.0);
    v = {1.0, 2.0};
    bar = {1.0, 1.0};
    auto [seeded] = enzyme::autodiff<enzyme::Reverse, enzyme::Active<double>>(fill, enzyme::Duplicated(v, bar), 3.0);
    EXPECT(std::get<0>(seeded), 9.0);
}

static void objects()
{
    double a = 3.0;
    auto cubic = [&](double x) { return a * x * x * x; };
    EXPECT(std::get<0>(std::get<0>(enzyme::autodiff<enzyme::Reverse>(cubic, enzyme::Active(2.0)))), 36.0);
    auto generic = [](auto x, auto y) { return std::sin(x) * y; };
    auto [adjoints] = enzyme::autodiff<enzyme::Reverse>(generic, 0.5, enzyme::Active(2.0));
    EXPECT(std::get<0>(adjoints), 2.0 * std::cos(0.5));
    EXPECT(std::get<1>(adjoints), std::sin(0.5));

    Spring spring{4.0, 1.0}, bar{0.0, 0.0};
    auto [member] = enzyme::autodiff<enzyme::Reverse>(&Spring::energy, enzyme::Duplicated(&spring, &bar), enzyme::Active(2.5));
    EXPECT(std::get<0>(member), 6.0);
    EXPECT(bar.k, 1.125);
    EXPECT(bar.rest, -6.0);
    auto [functor] = enzyme::autodiff<enzyme::Reverse>(spring, enzyme::Active(2.0));
    EXPECT(std::get<0>(functor), 5.0);
    bar = {};
    enzyme::autodiff<enzyme::Reverse>(enzyme::Duplicated(spring, bar), enzyme::Const(2.0));
    EXPECT(bar.k, 0.5);
}

static double slope(double x)
{
    return std::get<0>(std::get<0>(enzyme::autodiff<enzyme::Reverse>([](double t) { return t * t * t; }, x)));
}

int main()
{
    reverse();
    references();
    forward();
    objects();
    results();
    auto [second] = enzyme::autodiff<enzyme::Forward>(slope, enzyme::Duplicated(2.0, 1.0));
    EXPECT(second, 12.0);
    return expect_failures != 0;
}
