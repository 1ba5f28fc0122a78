// check: array n=5 range=0.5:2.0
// Times in nanoseconds and cells of a grid, rounded from active numbers, beside numbers in structs that are copied and
// sorted, in tagged values, and in values that are read by the library: none is taken for the bits of a number.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct sample {
    int64_t time;
    double value;
};

struct tagged {
    int is_time;
    union {
        double value;
        int64_t time;
    } u;
};

static double copied(const double *x, int n)
{
    struct sample a[8], b[8];
    double s = 0;
    for (int i = 0; i < n; i++) {
        a[i].time = (int64_t)(x[i] * 1e9);
        a[i].value = x[i] * x[0];
    }
    memcpy(b, a, n * sizeof *a);
    for (int i = 1; i < n; i++) {
        struct sample moved = b[i];
        int j = i;
        for (; j > 0 && b[j - 1].time > moved.time; j--)
            b[j] = b[j - 1];
        b[j] = moved;
    }
    for (int i = 0; i < n; i++)
        s += b[i].value * (b[i].time > 1000 ? i + 2 : 1);
    return s;
}

static double in_turns(const double *x, int n)
{
    struct tagged a[8];
    double s = 0;
    for (int i = 0; i < n; i++) {
        a[i].is_time = i % 2;
        if (!a[i].is_time)
            a[i].u.value = x[i] * x[1];
        else if (i != 3)
            a[i].u.time = (int64_t)(x[i] * 1e9);
        else if (sscanf("1700000000", "%ld", &a[i].u.time) != 1)
            return 0;
    }
    for (int i = 0; i < n; i++)
        s += a[i].is_time ? (a[i].u.time > 1000) * x[i] : a[i].u.value;
    return s;
}

double objective(double *x, int n)
{
    return copied(x, n) + in_turns(x, n);
}
