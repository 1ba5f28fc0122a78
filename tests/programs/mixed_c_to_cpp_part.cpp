#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

struct series {
    std::vector<double> values;
};

extern "C" {
series *series_of(const double *x, int n)
{
    auto made = std::make_unique<series>();
    for (int i = 0; i < n; i++)
        made->values.push_back(std::exp(-x[i]));
    return made.release();
}

double series_norm(const series *s, double (*weight)(double, const void *), const void *data)
{
    return std::sqrt(std::accumulate(s->values.begin(), s->values.end(), 0.5,
                                     [&](double sum, double v) { return sum + weight(v, data) * v; }));
}

void series_free(series *s)
{
    delete s;
}
}
