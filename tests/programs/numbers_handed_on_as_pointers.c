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

struct tagged {
    long tag;
    void *item;
};

__attribute__((noinline)) static struct tagged tagged_item(const struct tagged *items, int i)
{
    return items[i];
}

static double in_structs(const double *x, int n)
{
    struct tagged numbers[4], copies[4];
    void *slots[4];
    double s = 0;
    for (int i = 0; i < n; i++) {
        double number = x[i] * x[0];
        numbers[i].tag = i;
        memcpy(&numbers[i].item, &number, sizeof number);
    }
    for (int i = 0; i < n; i++) {
        copies[i] = tagged_item(numbers, i);
        set(slots, i, numbers[i].item);
    }
    for (int i = 0; i < n; i++) {
        double number, other;
        memcpy(&number, &copies[i].item, sizeof number);
        memcpy(&other, &slots[i], sizeof other);
        s += number * (i + 1) + other;
    }
    return s;
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
    return first + 3.0 * last + slot[0] * slot[1] + in_structs(x, n);
}
