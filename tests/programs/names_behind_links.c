// check: array n=5 range=0.5:2.0
/* Parts of names that lie behind a pointer are copied from a place that is counted from 1: what lies in front of the part
   is a pointer, and no byte of it is moved. */
#include <stdlib.h>
#include <string.h>

struct item { double *value; char name[16]; double weight; };

__attribute__((noinline)) static void part(char *to, const struct item *from, long first, size_t count)
{
    memmove(to, from->name + first - 1, count);
    to[count] = 0;
}

double objective(double *x, int n)
{
    struct item *items = calloc(n, sizeof *items);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        items[i].value = &x[n - 1 - i];
        memcpy(items[i].name, i % 2 ? "odd one" : "even one", 8);
        items[i].weight = x[i];
    }
    for (int i = 0; i < n; i++) {
        char kept[16];
        part(kept, &items[i], 1 + i % 3, 3 + i % 2);
        sum += items[i].weight * *items[i].value * (double)strlen(kept) * (kept[0] - 'a' + 1);
    }
    free(items);
    return sum;
}
