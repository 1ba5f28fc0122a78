// check: array n=3 tol=1e-3 refused=E0111
// Numbers that are rounded to the integers of unions, which are passed and returned, and read as their floats.
#include <stdint.h>
typedef union { float f; int32_t i; } fi;
__attribute__((noinline)) static fi make(float y) { fi u; u.i = (int32_t)(12102203.0f * y) + 1064866805; return u; }
__attribute__((noinline)) static void put(fi *u, float y) { u->i = (int32_t)(12102203.0f * y) + 1064866805; }
double objective(double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) { fi a; put(&a, x[i]); s += make(x[i]).f * x[0] + a.f * x[1]; }
    return s;
}
