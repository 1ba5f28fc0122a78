// check: array n=8,4,8
// Plans of a transform, computed once for each length and kept in a list: integers and constant factors, no shadows.
#include <math.h>
#include <stdlib.h>

typedef struct plan {
    int n;
    int *order;
    double *factors;
    struct plan *next;
} plan;

static plan *plans;

static const plan *plan_of(int n)
{
    for (plan *p = plans; p; p = p->next)
        if (p->n == n)
            return p;
    plan *made = malloc(sizeof *made);
    made->n = n;
    made->order = malloc(n * sizeof(int));
    made->factors = malloc(2 * n * sizeof(double));
    for (int i = 0; i < n; i++) {
        int reversed = 0;
        for (int bit = 1; bit < n; bit *= 2)
            reversed = 2 * reversed + !!(i & bit);
        made->order[i] = reversed;
        made->factors[2 * i] = cos(2 * M_PI * i / n);
        made->factors[2 * i + 1] = -sin(2 * M_PI * i / n);
    }
    made->next = plans;
    return plans = made;
}

double objective(const double *x, int n)
{
    const plan *p = plan_of(n);
    double re[8], im[8];
    for (int i = 0; i < n; i++) {
        re[i] = x[p->order[i]];
        im[i] = 0;
    }
    for (int half = 1; half < n; half *= 2)
        for (int start = 0; start < n; start += 2 * half)
            for (int k = 0; k < half; k++) {
                double c = p->factors[2 * (k * n / (2 * half))], s = p->factors[2 * (k * n / (2 * half)) + 1];
                int a = start + k, b = a + half;
                double r = re[b] * c - im[b] * s, t = re[b] * s + im[b] * c;
                re[b] = re[a] - r, im[b] = im[a] - t;
                re[a] += r, im[a] += t;
            }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (i + 1) * (re[i] * re[i] + im[i] * im[i]);
    return sum;
}
