// check: array n=3 range=0.5:2.0 tol=1e-6
/* Numbers in slots of void *, of which some are found and others are not: what is not found is null, and constant. */
#include <stdlib.h>
#include <string.h>

struct entry { const char *key; void *value; };

static void *found(const struct entry *table, int n, const char *key)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(table[i].key, key)) return table[i].value;
    return 0;
}

double objective(double *x, int n)
{
    static const char *const names[] = {"mass", "charge", "spin", "colour"};
    struct entry table[4];
    void **ring = malloc(n * sizeof *ring), **copy = malloc(n * sizeof *copy), *kept[4];
    for (int i = 0; i < n; i++) {
        double d = x[i] * x[0];
        memcpy(&ring[i], &d, sizeof d);
        table[i].key = names[i];
        table[i].value = ring[i];
    }
    for (int i = 0; i < n; i++) copy[i] = i == 1 ? 0 : ring[i];
    for (int i = 0; i < 4; i++) kept[i] = found(table, n, names[(i + 1) % 4]);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double d;
        memcpy(&d, &copy[i], sizeof d);
        sum += d * (i + 1);
    }
    for (int i = 0; i < 4; i++) {
        double d;
        memcpy(&d, &kept[i], sizeof d);
        sum += d * (i + 2);
    }
    free(ring);
    free(copy);
    return sum;
}
