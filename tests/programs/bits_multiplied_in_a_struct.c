// check: array n=4 range=0.5:2.0 stopped=-O0+-O1+-O2+-O2-fno-inline refused=E0111@-O3
// The bits of a number in a member that is an integer, by the language, are multiplied: the run tells that they were a number.
#include <string.h>
#include <stdint.h>
#include <stdlib.h>
struct value { int64_t word; char kind; };
struct cell { int64_t word; char kind; };
__attribute__((noinline)) static struct value times(const struct cell *a, int64_t b) { struct value v = {a->word * b, a->kind}; return v; }
__attribute__((noinline)) static void put(struct cell *c, double x) { memcpy(&c->word, &x, 8); c->kind = 1; }
__attribute__((noinline)) static double get(const struct cell *c) { double d; memcpy(&d, &c->word, 8); return d; }
double objective(double *x, int n)
{
    struct cell *cells = malloc((n + 1) * sizeof *cells);
    double sum = 0;
    for (int i = 0; i < n; i++) put(&cells[i], x[i] * x[i]);
    volatile int one = 1;
    for (int i = 0; i < n; i++) {
        struct value v = times(&cells[i], one);
        struct cell c = {v.word, v.kind};
        memcpy(&cells[i], &c, sizeof c);
        sum += get(&cells[i]) * x[i];
    }
    free(cells);
    return sum;
}
