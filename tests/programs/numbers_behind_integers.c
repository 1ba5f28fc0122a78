// check: main
// Structs with a number in the same eight bytes as an integer, copied as bytes by a function that uses only the integer:
// what is behind it is no padding. The adjoint of every number goes back to where it was copied from.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
extern double __enzyme_autodiff(void *, ...);

typedef struct {
    double x;
    int n;
    float w;
} Item;

typedef struct {
    double x;
    char kind;
    float w;
} Small;

#define COPIES(name, type, member, copy)                                                                               \
    static double name(type *from, type *to, int n)                                                                    \
    {                                                                                                                  \
        double sum = 0;                                                                                                \
        for (int i = 0; i < n; i++)                                                                                    \
            sum += from[i].x * from[i].member;                                                                         \
        copy;                                                                                                          \
        return sum;                                                                                                    \
    }                                                                                                                  \
    static int test_##name(void)                                                                                       \
    {                                                                                                                  \
        type from[3], to[3], from_bar[3], to_bar[3];                                                                   \
        memset(from, 0, sizeof from);                                                                                  \
        memset(to, 0, sizeof to);                                                                                      \
        memset(from_bar, 0, sizeof from_bar);                                                                          \
        memset(to_bar, 0, sizeof to_bar);                                                                              \
        for (int i = 0; i < 3; i++) {                                                                                  \
            from[i].x = i + 0.5;                                                                                       \
            from[i].member = i + 2;                                                                                    \
            from[i].w = 0.25f * i;                                                                                     \
            to_bar[i].x = i + 1;                                                                                       \
            to_bar[i].w = 10 * (i + 1);                                                                                \
        }                                                                                                              \
        __enzyme_autodiff((void *)name, enzyme_dup, from, from_bar, enzyme_dup, to, to_bar, enzyme_const, 3);          \
        for (int i = 0; i < 3; i++)                                                                                    \
            if (from_bar[i].w != 10 * (i + 1) || from_bar[i].x != 2 * i + 3 || to_bar[i].w != 0) {                     \
                printf("FAIL: " #name ": %g %g %g\n", from_bar[i].w, from_bar[i].x, to_bar[i].w);                      \
                return 1;                                                                                              \
            }                                                                                                          \
        return 0;                                                                                                      \
    }

COPIES(whole, Item, n, memcpy(to, from, n * sizeof *to))
COPIES(fixed, Item, n, memcpy(to, from, 3 * sizeof *to))
COPIES(one_by_one, Item, n, for (int i = 0; i < n; i++) memcpy(to + i, from + i, sizeof *to))
COPIES(small, Small, kind, memcpy(to, from, n * sizeof *to))
COPIES(by_heap, Item, n, Item *kept = malloc(n * sizeof *kept); memcpy(kept, from, n * sizeof *kept);
       memcpy(to, kept, n * sizeof *kept); free(kept))

// Words of constants end the adjoints of numbers that they overwrite.
static double ended(Item *from, Item *to, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += from[i].x * from[i].n;
    memcpy(to, from, n * sizeof *to);
    memset(&to[1].n, 0, sizeof to[1].n + sizeof to[1].w);
    return sum;
}

static int test_ended(void)
{
    Item from[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, to[3] = {{0}}, from_bar[3] = {{0}};
    Item to_bar[3] = {{1, 0, 10}, {2, 0, 20}, {3, 0, 30}};
    __enzyme_autodiff((void *)ended, enzyme_dup, from, from_bar, enzyme_dup, to, to_bar, enzyme_const, 3);
    if (from_bar[0].w == 10 && from_bar[1].w == 0 && from_bar[2].w == 30 && from_bar[1].x == 7)
        return 0;
    printf("FAIL: ended: %g %g %g\n", from_bar[0].w, from_bar[1].w, from_bar[2].w);
    return 1;
}

int main(void)
{
    return test_ended() || test_whole() || test_fixed() || test_one_by_one() || test_small() || test_by_heap();
}
