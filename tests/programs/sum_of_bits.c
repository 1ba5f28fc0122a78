// check: array n=4 range=1.0:1.9 refused=E0111
#include <stdint.h>
#include <string.h>
double objective(double *x, int n)
{
    int64_t sum = 0, b;
    for (int i = 0; i < n; i++) { memcpy(&b, &x[i], 8); sum += b / 4; }
    double r;
    memcpy(&r, &sum, 8);
    return r;
}
