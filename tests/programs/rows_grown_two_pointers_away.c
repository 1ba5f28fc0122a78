// check: array n=6
// Integers behind two pointers that callees reallocate, sort and exchange by the C library.
#include <stdlib.h>
#include <string.h>
struct ids { int **data; int *used; char **text; };
struct sim { struct ids *k; double *f; const double *x; };
static int less(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
__attribute__((noinline)) static void append(struct sim *s, int v) {
    *s->k->data = realloc(*s->k->data, sizeof(int) * (*s->k->used + 1));
    (*s->k->data)[(*s->k->used)++] = v; s->f[v] += s->x[v] * s->x[v];
}
__attribute__((noinline)) static void order(struct sim *s) {
    qsort(*s->k->data, *s->k->used, sizeof(int), less);
    free(*s->k->text); *s->k->text = strdup("abcdef");
    s->f[0] *= (*s->k->text)[0] * 0.01;
}
__attribute__((noinline)) static double sum(const struct sim *s) {
    double e = 0;
    for (int k = 0; k < *s->k->used; k++) e += s->f[(*s->k->data)[k]] * (k + 1) * (*s->k->text)[k];
    return e * 0.01;
}
double objective(const double *x, int n) {
    int *d = 0, used = 0; char *text = strdup("zyxwvu"); double f[8] = {0};
    struct ids k = {&d, &used, &text};
    struct sim s = {&k, f, x};
    for (int i = 0; i < n; i++) append(&s, (i * 5 + 2) % n);
    double e = sum(&s);
    order(&s);
    e += sum(&s);
    free(d); free(text);
    return e;
}
