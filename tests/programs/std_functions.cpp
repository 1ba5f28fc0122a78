// check: array n=6
// std::function: stored, composed, passed on, captured by value and by reference.
#include <cmath>
#include <functional>
#include <vector>

using Map = std::function<double(double)>;

static Map compose(Map f, Map g)
{
    return [f, g](double v) { return f(g(v)); };
}

static double __attribute__((noinline)) call_one(const Map &f, double v)
{
    return f(v);
}

extern "C" double objective(const double *x, int n)
{
    double a = x[0], b = x[1];
    std::vector<Map> maps;
    maps.push_back([a](double v) { return a * v; });
    maps.push_back([a, b](double v) { return a + b * v * v; });
    maps.push_back([&](double v) { return std::sin(b * v) + x[2]; });
    maps.push_back([x, n](double v) {
        double sum = 0.0;
        for (int i = 0; i < n; i++)
            sum += x[i] * v;
        return sum;
    });
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += call_one(maps[i % maps.size()], x[i]);
    Map chain = [](double v) { return v; };
    for (auto &f : maps)
        chain = compose(f, chain);
    return sum + 0.01 * chain(x[3]);
}
