// check: array n=6,2,9
// A generator in the manner of protothreads: each call resumes inside nested loops where the last one left them.
#include <math.h>

struct generator {
    int resume, row, column;
    double sum, last;
};

#define YIELD(number, value)                                                                                           \
    do {                                                                                                               \
        g->resume = number;                                                                                            \
        return value;                                                                                                  \
    case number:;                                                                                                      \
    } while (0)

static int next(struct generator *g, const double *x, int n, double *out)
{
    switch (g->resume) {
    case 0:
        for (g->row = 0; g->row < n; g->row++) {
            *out = g->sum * x[g->row];
            YIELD(1, 1);
            for (g->column = 0; g->column <= g->row; g->column++) {
                g->sum += x[g->column] * cos(g->last);
                *out = g->sum;
                if (g->column % 2)
                    YIELD(2, 1);
                g->last = g->sum * x[g->row];
            }
        }
    }
    g->resume = -1;
    return 0;
}

double objective(const double *x, int n)
{
    struct generator g = {0, 0, 0, 0.5, 0.1};
    double value = 0.0, total = 0.0;
    while (next(&g, x, n, &value))
        total += value * value - 0.3 * g.last;
    return total;
}
