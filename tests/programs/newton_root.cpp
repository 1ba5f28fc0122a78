// check: array n=3
// Newton's method with line search on a system of two equations, derivatives by hand inside.
#include <cmath>

extern "C" double objective(const double *p, int n)
{
    double x = 1.0, y = 1.0;
    for (int it = 0; it < 25; it++) {
        double f = x * x + p[0] * y - 3.0, g = x * y - p[1];
        if (std::fabs(f) + std::fabs(g) < 1e-13)
            break;
        double a = 2.0 * x, b = p[0], c = y, d = x, det = a * d - b * c;
        double dx = (d * f - b * g) / det, dy = (a * g - c * f) / det, t = 1.0;
        while (t > 0.1 && std::fabs((x - t * dx) * (y - t * dy) - p[1]) > 2.0 * std::fabs(g) + 1.0)
            t *= 0.5;
        x -= t * dx;
        y -= t * dy;
    }
    return x * y * y + p[n - 1] * x;
}
