// check: array n=9,1
// A helper that only knows sizes grows an array of structs of pointers: what realloc moves are pointers, too.
#include <stdlib.h>

struct record {
    double *values;
    int count;
};

__attribute__((noinline)) static void *grown(void *old, int *room, int needed, size_t size)
{
    if (needed <= *room)
        return old;
    *room = 2 * needed;
    return realloc(old, *room * size);
}

double objective(double *x, int n)
{
    struct record *records = NULL;
    int room = 0;
    for (int i = 0; i < n; i++) {
        records = grown(records, &room, i + 1, sizeof *records);
        records[i].count = i % 3 + 1;
        records[i].values = malloc(records[i].count * sizeof(double));
        for (int k = 0; k < records[i].count; k++)
            records[i].values[k] = x[i] * x[k % n] + k;
    }
    double sum = 0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < records[i].count; k++)
            sum += records[i].values[k] * records[n - 1 - i].values[0];
    }
    for (int i = 0; i < n; i++)
        free(records[i].values);
    free(records);
    return sum;
}
