// CHECK(name, type, n) defines int check_name(int copied): derivatives of `double name(type *)`, which changes its n elements,
// by all numbers in them that name_numbers() lists, from where name_start() begins; with a shadow of zeros, or one that is
// made by copying the elements.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

typedef struct {
    void *at;
    int is_float;
} number;

static number numbers[64];
static int count;

static void whole(double *at) { numbers[count++] = (number){at, 0}; }
static void half(float *at) { numbers[count++] = (number){at, 1}; }
static double get(int i) { return numbers[i].is_float ? *(float *)numbers[i].at : *(double *)numbers[i].at; }

static void set(int i, double value)
{
    if (numbers[i].is_float)
        *(float *)numbers[i].at = (float)value;
    else
        *(double *)numbers[i].at = value;
}

static double direction(int i) { return 0.25 + 0.125 * ((i * 7 + 3) % 11) - 0.5 * (i & 1); }
static double weight(int i) { return 0.5 - 0.125 * ((i * 5 + 1) % 7) + 0.25 * (i & 1); }

// f and the numbers in memory after it, weighted, are differentiated.
#define CHECK(name, type, n)                                                                                           \
    static int list_##name(type *in)                                                                                   \
    {                                                                                                                  \
        count = 0;                                                                                                     \
        name##_numbers(in);                                                                                            \
        return count;                                                                                                  \
    }                                                                                                                  \
    static double moved_##name(double h)                                                                               \
    {                                                                                                                  \
        static type memory[n];                                                                                         \
        memset(memory, 0, sizeof memory);                                                                              \
        name##_start(memory);                                                                                          \
        int all = list_##name(memory);                                                                                 \
        for (int i = 0; i < all; i++)                                                                                  \
            set(i, get(i) + h * direction(i));                                                                         \
        double sum = name(memory);                                                                                     \
        for (int i = 0; i < all; i++)                                                                                  \
            sum += weight(i) * get(i);                                                                                 \
        return sum;                                                                                                    \
    }                                                                                                                  \
    static int check_##name(int copied)                                                                                \
    {                                                                                                                  \
        static type memory[n], shadow[n];                                                                              \
        memset(memory, 0, sizeof memory);                                                                              \
        memset(shadow, 0, sizeof shadow);                                                                              \
        name##_start(memory);                                                                                          \
        int all = list_##name(shadow);                                                                                 \
        for (int i = 0; i < all; i++)                                                                                  \
            set(i, direction(i));                                                                                      \
        double forward = __enzyme_fwddiff((void *)name, enzyme_dup, memory, shadow), reverse = 0;                      \
        for (int i = 0; i < all; i++)                                                                                  \
            forward += weight(i) * get(i);                                                                             \
        memset(memory, 0, sizeof memory);                                                                              \
        name##_start(memory);                                                                                          \
        memset(shadow, 0, sizeof shadow);                                                                              \
        if (copied)                                                                                                    \
            memcpy(shadow, memory, sizeof memory);                                                                     \
        for (int i = 0; i < all; i++)                                                                                  \
            set(i, weight(i));                                                                                         \
        __enzyme_autodiff((void *)name, enzyme_dup, memory, shadow);                                                   \
        for (int i = 0; i < all; i++)                                                                                  \
            reverse += direction(i) * get(i);                                                                          \
        double h = 1.0 / 512, difference = (moved_##name(h) - moved_##name(-h)) / (2 * h);                             \
        if (fabs(forward - reverse) < 1e-6 && fabs(forward - difference) < 1e-3 * (1 + fabs(difference)))              \
            return 0;                                                                                                  \
        printf("FAIL: " #name " %d: %.9g %.9g %.9g\n", copied, forward, reverse, difference);                          \
        return 1;                                                                                                      \
    }
