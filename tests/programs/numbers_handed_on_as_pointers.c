// check: array n=3 range=0.5:2.0 stopped=-O0+-O1+-O2+-O3+-O2-fno-inline
// Bits of numbers in lists of `void *`, which functions hand on that know nothing of numbers: tangents move along, and
// where an adjoint would have to move back, a message ends the program.
#include <stdlib.h>
#include <string.h>

struct list {
    void **items;
    int length, room;
};

__attribute__((noinline)) static void *item(const struct list *list, int i)
{
    return list->items[i];
}

__attribute__((noinline)) static void push(struct list *list, void *item)
{
    if (list->length == list->room) {
        list->room = 2 * list->room + 2;
        list->items = realloc(list->items, list->room * sizeof *list->items);
    }
    list->items[list->length++] = item;
}

__attribute__((noinline)) static void set(void **slots, int i, void *item)
{
    slots[i] = item;
}

double objective(double *x, int n)
{
    struct list numbers = {0}, copies = {0};
    void *slots[2];
    for (int i = 0; i < n; i++) {
        double number = x[i] * x[0];
        push(&numbers, NULL);
        memcpy(&numbers.items[i], &number, sizeof number);
    }
    for (int i = 0; i < n; i++)
        push(&copies, item(&numbers, i));
    set(slots, 0, item(&numbers, 1));
    set(slots, 1, item(&copies, 2));
    double first, last, slot[2];
    memcpy(&first, &copies.items[0], sizeof first);
    memcpy(&last, &copies.items[n - 1], sizeof last);
    memcpy(slot, slots, sizeof slot);
    free(numbers.items);
    free(copies.items);
    return first + 3.0 * last + slot[0] * slot[1];
}
