// check: main
// Arrays of unions of which a function uses the integers, copied as a whole: with lengths that only the run knows, to
// memory that grows, onto themselves; and what is overwritten in them.
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

typedef struct {
    int kind;
    union {
        long n;
        double d;
        float w[2];
    } u;
    double x;
} cell;

volatile int all = 6;

static void start(cell *t)
{
    for (int i = 0; i < 6; i++) {
        t[i].x = 1 + i;
        if (i & 1)
            t[i].u.d = 0.5 + i;
        else {
            t[i].u.w[0] = 0.25f + i;
            t[i].u.w[1] = 1.5f;
        }
    }
}

static double sum_of(cell *t)
{
    double sum = 0;
    for (int i = 0; i < 6; i++)
        sum += t[i].kind == 9 ? t[i].u.n * t[i].x : t[i].x * t[i].x;
    return sum;
}

// Float pairs at even places, doubles at odd ones.
static void list(cell *t)
{
    for (int i = 0; i < 6; i++) {
        whole(&t[i].x);
        if (i & 1)
            whole(&t[i].u.d);
        else {
            half(&t[i].u.w[0]);
            half(&t[i].u.w[1]);
        }
    }
}

#define SAME(name)                                                                                                     \
    static void name##_start(cell *t) { start(t); }                                                                    \
    static void name##_numbers(cell *t) { list(t); }

static double turned(cell *t)
{
    int n = all;
    cell *kept = malloc(n * sizeof *kept);
    memcpy(kept, t, n * sizeof *kept);
    double sum = sum_of(kept);
    for (int i = 0; i < n; i++)
        t[i] = kept[(i + 2) % n];
    free(kept);
    return sum;
}

SAME(turned)
CHECK(turned, cell, 6)

static double grown(cell *t)
{
    int n = all;
    cell *kept = malloc(sizeof *kept);
    for (int i = 0; i < n; i++) {
        kept = realloc(kept, (i + 1) * sizeof *kept);
        kept[i] = t[i];
    }
    double sum = sum_of(kept);
    for (int i = 0; i < n; i++)
        t[i] = kept[n - 2 + (i & 1) - i / 2 * 2];
    free(kept);
    return sum;
}

SAME(grown)
CHECK(grown, cell, 6)

static double cleared(cell *t)
{
    memset(t, 0, (all - 1) * sizeof *t);
    return sum_of(t);
}

SAME(cleared)
CHECK(cleared, cell, 6)

__attribute__((noinline)) static void assign(cell *to, const cell *from) { *to = *from; }

static double selves(cell *t)
{
    int last = all - 1;
    for (int i = 0; i < 6; i++)
        assign(t + i, t + (i > last ? last : i));
    return sum_of(t);
}

SAME(selves)
CHECK(selves, cell, 6)

int main(void)
{
    int bad = 0;
    for (int copied = 0; copied < 2; copied++)
        bad += check_turned(copied) + check_grown(copied) + check_cleared(copied) + check_selves(copied);
    return bad != 0;
}
