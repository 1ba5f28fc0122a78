// check: array n=3 tol=1e-3 refused=E0111
// Numbers that are rounded to an array of integers, whose bytes are copied to one of floats.
#include <stdint.h>
#include <string.h>
struct bits { int32_t v[8]; };
__attribute__((always_inline)) static inline void round_all(const double *x, struct bits *b, int n) { for (int i = 0; i < n; i++) b->v[i] = (int32_t)(12102203.0f * x[i]) + 1064866805; }
__attribute__((always_inline)) static inline void take_all(const struct bits *b, float *y, int n) { memcpy(y, b->v, n * sizeof *y); }
double objective(double *x, int n)
{
    struct bits b = {{0}};
    float y[8];
    double s = 0;
    round_all(x, &b, n);
    take_all(&b, y, n);
    for (int i = 0; i < n; i++) s += y[i] * x[0];
    return s;
}
