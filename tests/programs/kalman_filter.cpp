// check: array n=10
// A Kalman filter with two states: log-likelihood of observations with the noise levels as parameters.
#include <cmath>

struct M2 {
    double a, b, c, d;
};
static M2 operator*(M2 x, M2 y) { return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d}; }
static M2 operator+(M2 x, M2 y) { return {x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d}; }
static M2 transposed(M2 x) { return {x.a, x.c, x.b, x.d}; }

extern "C" double objective(const double *x, int n)
{
    double q = x[0] * x[0], r = x[1] * x[1];
    M2 f{1.0, 0.1, 0.0, 1.0}, p{1.0, 0.0, 0.0, 1.0}, noise{q * 0.01, 0.0, 0.0, q};
    double position = 0.0, speed = x[2], likelihood = 0.0;
    for (int k = 3; k < n; k++) {
        position += 0.1 * speed;
        p = f * p * transposed(f) + noise;
        double s = p.a + r, innovation = x[k] - position;
        double g = p.a / s, h = p.c / s;
        position += g * innovation;
        speed += h * innovation;
        p = M2{1.0 - g, 0.0, -h, 1.0} * p;
        likelihood += 0.5 * (std::log(s) + innovation * innovation / s);
    }
    return likelihood;
}
