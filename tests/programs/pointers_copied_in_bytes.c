// check: array n=4
/* Two copies of a struct of a float and pointers behind it lie in one array of bytes, which one of them is told by the run. */
#include <stdlib.h>
#include <string.h>
#include <math.h>
typedef struct { float w; int n; char t; double *items[]; } R;
double objective(double *x, int n)
{
    double w[3][4] = {{0}}, a = 0;
    for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) w[i][j] = x[(i + j) % n] * 0.3 * j;
    R *r = malloc(sizeof(*r) + n * sizeof(double *));
    r->w = 0.5f; r->n = n; r->t = 2;
    for (int i = 0; i < n; i++) r->items[i] = w[n % 3];
    for (int k = 0; k < 3; k++) {
        char *s = malloc(2 * (sizeof(*r) + n * sizeof(double *) + 16));
        size_t b = (sizeof(*r) + n * sizeof(double *) + 15) / 16 * 16;
        memcpy(s, r, sizeof(*r) + n * sizeof(double *));
        memcpy(s + b, r, sizeof(*r) + n * sizeof(double *));
        for (int i = 0; i < n; i++) w[2][(int)(3.0 * fabs(x[k % n])) % 4] += 0.1 * *((R *)(s + (k % 2) * b))->items[i];
        free(s);
    }
    for (int i = 0; i < n; i++) a += 0.1 * *r->items[i] * (1 + 1);
    free(r);
    return a;
}
