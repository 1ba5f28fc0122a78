// check: array n=9 step=1e-5 tol=1e-5
// Bodies on a line that are sorted in each of many steps, with copies of what was before.
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double x, v;
    int id;
} body;

static int by_place(const void *a, const void *b)
{
    double l = ((const body *)a)->x, r = ((const body *)b)->x;
    return (l > r) - (l < r);
}

double objective(const double *x, int n)
{
    body *b = malloc(n * sizeof *b), old[9];
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        b[i] = (body){sin(9 * x[i]), cos(7 * x[i]), i};
    for (int t = 0; t < 25; t++) {
        qsort(b, n, sizeof *b, by_place);
        memcpy(old, b, n * sizeof *b);
        for (int i = 0; i < n; i++) {
            double force = 0.0;
            if (i > 0)
                force += 0.01 / (0.1 + old[i].x - old[i - 1].x);
            if (i + 1 < n)
                force -= 0.01 / (0.1 + old[i + 1].x - old[i].x);
            b[i].v += force;
            b[i].x += 0.05 * b[i].v;
        }
        if (t % 5 == 0)
            sum += b[t % n].x * b[n - 1].id;
    }
    for (int i = 0; i < n; i++)
        sum += b[i].v * b[i].v * (b[i].id + 1);
    free(b);
    return sum;
}
