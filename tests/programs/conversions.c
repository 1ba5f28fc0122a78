// check: array n=6 range=2.1:2.4
// Integers from floats and floats from integers of all widths.
#include <stdint.h>

double objective(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        int whole = (int)x[i];
        uint64_t wide = (uint64_t)(x[i] * 10.0);
        signed char small = (signed char)(i - 2);
        unsigned short index = (unsigned short)i;
        sum += (x[i] - whole) * small + x[i] * (double)wide + x[i] * x[i] / (float)(index + 1u);
    }
    return sum;
}
