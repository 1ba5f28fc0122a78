// check: array n=7
// A struct with a flexible array member, allocated, grown and summed.
#include <stdlib.h>
#include <string.h>

typedef struct {
    int length, capacity;
    double scale;
    double items[];
} List;

static List *push(List *list, double v)
{
    if (!list || list->length == list->capacity) {
        int capacity = list ? list->capacity * 2 : 2;
        List *larger = malloc(sizeof(List) + capacity * sizeof(double));
        larger->length = list ? list->length : 0;
        larger->capacity = capacity;
        larger->scale = list ? list->scale * 1.5 : v;
        if (list)
            memcpy(larger->items, list->items, list->length * sizeof(double));
        free(list);
        list = larger;
    }
    list->items[list->length++] = v;
    return list;
}

double objective(const double *x, int n)
{
    List *list = NULL;
    for (int i = 0; i < n; i++)
        list = push(list, x[i] * x[i]);
    double sum = 0.0;
    for (int i = 0; i < list->length; i++)
        sum += list->scale * list->items[i] * (i + 1);
    free(list);
    return sum;
}
