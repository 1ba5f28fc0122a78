// check: array n=3 refused=E0110
// Bytes of records with pointers that are moved in an order of which nothing is known.
#include <stdlib.h>
#define NOINLINE __attribute__((noinline))
struct named { double weight, *where; };
static const int order[sizeof(struct named)] = {3, 0, 7, 1, 2, 6, 5, 4, 8, 15, 9, 14, 10, 13, 12, 11};

NOINLINE static void move(char *to, const char *from)
{
    for (size_t i = 0; i < sizeof(struct named); i++)
        to[order[i]] = from[order[i]];
}

double objective(double *x, int n)
{
    struct named *a = malloc(n * sizeof *a), b;
    double sum = 0;
    for (int i = 0; i < n; i++)
        a[i] = (struct named){x[i] * x[0], x + i};
    for (int i = 0; i < n; i++) {
        move((char *)&b, (const char *)&a[i]);
        sum += b.weight * *b.where;
    }
    free(a);
    return sum;
}
