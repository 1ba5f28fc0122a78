// check: map n=6 m=4
// A vector map with std::vector inside and a span-like view class.
#include <cmath>
#include <vector>

struct View {
    const double *data;
    int count, stride;
    double operator[](int i) const { return data[i * stride]; }
};

static double energy(View v)
{
    double sum = 0.0;
    for (int i = 0; i < v.count; i++)
        sum += std::cosh(v[i]);
    return sum;
}

extern "C" void transform(const double *x, double *y, int n, int m)
{
    std::vector<double> doubled(2 * n);
    for (int i = 0; i < 2 * n; i++)
        doubled[i] = x[i % n] * (i < n ? 1.0 : x[0]);
    for (int j = 0; j < m; j++)
        y[j] = energy({doubled.data() + j, (2 * n - j + 2) / 3, 3});
}
