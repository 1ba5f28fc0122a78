// check: array n=6
// Input checks that print and abort; assertions on the way.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double objective(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        if (!(x[i] > 0.0)) {
            fprintf(stderr, "entry %d is not positive: %g\n", i, x[i]);
            abort();
        }
        sum += log(x[i]) * x[i];
        assert(isfinite(sum));
    }
    return sum;
}
