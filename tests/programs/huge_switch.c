// check: array n=6
// An interpreter whose switch has many cases.
#include <math.h>

#define CASE4(k) case k: v += x[(k) % n]; break; case k + 1: v = 1.0 + 0.5 * v * x[(k) % n]; break; \
    case k + 2: v = sin(v) + 0.1 * k; break; case k + 3: v = v * v / (k + 1.0) + 0.1; break;

double objective(const double *x, int n)
{
    static const unsigned char program[] = {0, 5, 18, 33, 62, 7, 44, 81, 99, 12, 2, 57, 75, 70, 21, 200};
    double v = 1.0;
    for (unsigned i = 0; i < sizeof program; i++) {
        switch (program[i]) {
            CASE4(0) CASE4(4) CASE4(8) CASE4(12) CASE4(16) CASE4(20) CASE4(24) CASE4(28) CASE4(32) CASE4(36)
            CASE4(40) CASE4(44) CASE4(48) CASE4(52) CASE4(56) CASE4(60) CASE4(64) CASE4(68) CASE4(72) CASE4(76)
            CASE4(80) CASE4(84) CASE4(88) CASE4(92) CASE4(96)
        default:
            v += 0.5 * x[n - 1];
        }
    }
    return v;
}
