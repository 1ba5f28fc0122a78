// check: map n=8 m=8
// Two buffers exchanged after every step: explicit heat conduction.
#include <stdlib.h>
#include <string.h>

void transform(const double *x, double *y, int n, int m)
{
    double *now = malloc(n * sizeof *now), *next = malloc(n * sizeof *next);
    memcpy(now, x, n * sizeof *now);
    for (int step = 0; step < 7; step++) {
        for (int i = 0; i < n; i++) {
            double left = now[(i + n - 1) % n], right = now[(i + 1) % n];
            next[i] = now[i] + 0.2 * (left - 2.0 * now[i] + right) * now[i];
        }
        double *swap = now;
        now = next;
        next = swap;
    }
    memcpy(y, now, m * sizeof *y);
    free(now);
    free(next);
}
