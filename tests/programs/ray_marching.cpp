// check: array n=7 range=0.6:1.2 tol=1e-4
// Sphere tracing of a signed distance field; the smooth part of the picture is differentiated.
#include <cmath>

struct V {
    double x, y, z;
    V operator+(V o) const { return {x + o.x, y + o.y, z + o.z}; }
    V operator-(V o) const { return {x - o.x, y - o.y, z - o.z}; }
    V operator*(double s) const { return {x * s, y * s, z * s}; }
    friend double dot(V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
    double length() const { return std::sqrt(dot(*this, *this)); }
};

static double smooth_min(double a, double b, double k)
{
    double h = std::fmax(k - std::fabs(a - b), 0.0) / k;
    return std::fmin(a, b) - 0.25 * h * h * k;
}

template <class F> static V normal(const F &field, V p)
{
    const double e = 1e-3;
    V g{field(p + V{e, 0, 0}) - field(p - V{e, 0, 0}), field(p + V{0, e, 0}) - field(p - V{0, e, 0}),
        field(p + V{0, 0, e}) - field(p - V{0, 0, e})};
    return g * (1.0 / g.length());
}

extern "C" double objective(const double *x, int)
{
    auto field = [=](V p) {
        double a = (p - V{0.3 * x[0], 0.1, 4.0}).length() - x[1];
        double b = (p - V{-0.5, 0.2 * x[2], 4.5}).length() - x[3];
        return smooth_min(a, b, 0.4 * x[4]);
    };
    double light = 0.0;
    for (int pixel = 0; pixel < 4; pixel++) {
        V direction{0.1 * (pixel - 1.5), 0.05 * pixel, 1.0};
        direction = direction * (1.0 / direction.length());
        V p{0.0, 0.0, 0.0};
        for (int i = 0; i < 30; i++)
            p = p + direction * field(p);
        V n = normal(field, p);
        light += dot(n, V{x[5], x[6], -1.0}) * (pixel + 1) + 0.1 * p.z;
    }
    return light;
}
