// check: array n=5
// Cell lists whose integers are filled, changed and enlarged by callees, beside the numbers that they sort.
#include <stdlib.h>
#include <string.h>
struct cells { int *head, *next, count; double side; const double *x; double *work; };
__attribute__((noinline)) static void fill(struct cells *c, int n)
{
    memset(c->head, -1, sizeof(int) * c->count);
    for (int i = 0; i < n; i++) {
        int k = (i * 7) % c->count;
        c->next[i] = c->head[k];
        c->head[k] = i;
        c->work[i] = c->x[i] * c->side;
    }
}
__attribute__((noinline)) static void grow(struct cells *c, int n)
{
    c->next = realloc(c->next, sizeof(int) * 2 * n);
    for (int i = n; i < 2 * n; i++) c->next[i] = 1;
}
__attribute__((noinline)) static double energy(const struct cells *c, int n)
{
    double e = 0;
    for (int k = 0; k < c->count; k++)
        for (int i = c->head[k]; i >= 0; i = c->next[i])
            for (int j = c->next[i]; j >= 0; j = c->next[j])
                e += c->work[i] * c->work[j] * (k + c->next[n]);
    return e;
}
double objective(const double *x, int n)
{
    struct cells c = {.count = 3, .side = x[0] * 2, .x = x};
    c.head = malloc(sizeof(int) * 3);
    c.next = malloc(sizeof(int) * n);
    c.work = malloc(sizeof(double) * n);
    double e = 0;
    for (int r = 0; r < 2; r++) {
        fill(&c, n);
        if (r == 0) grow(&c, n);
        e += energy(&c, n);
        c.side += x[1];
    }
    free(c.head); free(c.next); free(c.work);
    return e;
}
