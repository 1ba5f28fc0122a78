// check: array n=10 range=0.2:2.7
// Bilinear and Catmull-Rom interpolation in tables whose values are active, too.
#include <array>
#include <cmath>

template <int N> struct Grid {
    std::array<std::array<double, N>, N> values{};
    double operator()(double u, double v) const
    {
        int i = static_cast<int>(std::floor(u)), j = static_cast<int>(std::floor(v));
        double s = u - i, t = v - j;
        return (1 - s) * ((1 - t) * values[i][j] + t * values[i][j + 1]) + s * ((1 - t) * values[i + 1][j] + t * values[i + 1][j + 1]);
    }
};

static double catmull_rom(const double *p, double t)
{
    int i = static_cast<int>(t);
    double s = t - i, a = p[i], b = p[i + 1], c = p[i + 2], d = p[i + 3];
    return 0.5 * (2 * b + s * (c - a + s * (2 * a - 5 * b + 4 * c - d + s * (3 * (b - c) + d - a))));
}

extern "C" double objective(const double *x, int n)
{
    Grid<4> grid;
    for (int i = 0; i < 16; i++)
        grid.values[i / 4][i % 4] = x[i % n] * (i + 1);
    return grid(x[0], x[1]) + grid(x[2] * 0.5, x[3]) + catmull_rom(x, x[4] * 2.0) * catmull_rom(x + 1, x[5]);
}
