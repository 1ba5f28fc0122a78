// check: array n=5,3
// Text that the library makes is copied into structs with numbers.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char name[16];
    double value;
    double *table;
    char unit[8];
} entry;

static void set(entry *e, int n, const char *name, double v) {
    for (int i = 0; i < n; i++)
        if (strncmp(e[i].name, name, sizeof e[i].name) == 0)
            e[i].value += v;
}

double objective(const double *x, int n) {
    entry *e = calloc((size_t)n, sizeof *e);
    char line[64] = "", *key = NULL, *copy;
    for (int i = 0; i < n; i++)
        sprintf(line + strlen(line), "%sk%d", i ? "," : "", i);
    for (int i = 0; i < n; i++) sprintf(e[i].name, "k%d", i);
    for (int i = 0; i < n; i++) {
        e[i].table = malloc(2 * sizeof(double));
        e[i].table[0] = x[i] * x[i];
        e[i].table[1] = x[i] + i;
        int length = asprintf(&key, "k%d", (i + 1) % n);
        set(e, n, key, x[i] * e[i].table[1]);
        memcpy(e[i].unit, key, (size_t)length);
        free(key);
    }
    copy = strdup("k0 ");
    set(e, n, copy, x[n - 1]);
    memcpy(e[0].unit, copy, strlen(copy) - 1);
    free(copy);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += e[i].value * e[i].value + e[i].table[0] * e[i].table[1] + (e[i].unit[1] - '0') * x[i];
        free(e[i].table);
    }
    free(e);
    return sum;
}
