// check: array n=6 refused=E0113
// Structs of a float and a count that change places as words which the language calls integers, at variable places: the
// derivatives of the floats would be left behind.
#include <math.h>
#include <string.h>

typedef struct {
    float weight;
    int count;
} Item;

double objective(const double *x, int n)
{
    Item items[8];
    unsigned long words[8];
    for (int i = 0; i < n; i++)
        items[i] = (Item){(float)sin(x[i]), i + 5};
    memcpy(words, items, sizeof words);
    for (int i = 0; i < n / 2; i++) {
        unsigned long kept = words[i];
        words[i] = words[n - 1 - i];
        words[n - 1 - i] = kept;
    }
    memcpy(items, words, sizeof words);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += items[i].weight * (items[i].count + 1);
    return sum;
}
