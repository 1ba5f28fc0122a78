// check: array n=8
// An array of structs with an integer, a float and doubles; updated by index.
#include <stdlib.h>

typedef struct {
    int kind;
    double weight;
    float scale;
    double history[2];
} item;

double objective(const double *x, int n)
{
    item *items = calloc(n, sizeof *items);
    for (int i = 0; i < n; i++) {
        items[i].kind = i % 3;
        items[i].weight = x[i];
        items[i].scale = 0.5f * (float)(i + 1);
    }
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < n; i++) {
            item *it = &items[i];
            it->history[round % 2] += it->weight * it->scale;
            if (it->kind == 1)
                it->weight *= items[(i + 1) % n].weight;
        }
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += items[i].weight * items[i].history[0] - items[i].history[1];
    free(items);
    return sum;
}
