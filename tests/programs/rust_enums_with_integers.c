// check: main with=rust_enums_with_integers_part.rs
// An enum of Rust holds integers in one variant and floats in another: a function that only computes with the integers
// and moves all of it leaves the adjoints of the floats where they belong.
#include <math.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

typedef struct {
    long kind;
    float w[2];
    double x;
} token;

extern double tokens(token *);

static void start(token *t, double h)
{
    static const int indices[2] = {3, 4};
    for (int i = 0; i < 4; i++) {
        t[i] = (token){i != 0, {0.5f + i + (float)h, 1.5f - (float)h * i}, 1 + i + h};
        if (i == 0)
            memcpy(t[i].w, indices, sizeof indices);
    }
}

static double weighted(const token *t)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += t[i].kind ? (i + 1) * t[i].w[0] - i * t[i].w[1] + t[i].x : t[i].x;
    return sum;
}

int main(void)
{
    token t[4], d[4] = {{0}}, bar[4] = {{0}};
    double h = 1.0 / 256, values[2], reverse = 0, forward;
    for (int side = 0; side < 2; side++) {
        start(t, side ? h : -h);
        values[side] = tokens(t);
        values[side] += weighted(t);
    }
    double difference = (values[1] - values[0]) / (2 * h);
    start(t, 0);
    for (int i = 0; i < 4; i++)
        d[i] = (token){0, {i != 0, i ? -i : 0}, 1};
    forward = __enzyme_fwddiff((void *)tokens, enzyme_dup, t, d);
    for (int i = 0; i < 4; i++)
        forward += d[i].x + (t[i].kind ? (i + 1) * d[i].w[0] - i * d[i].w[1] : 0);
    start(t, 0);
    tokens(t); // which of them have numbers afterwards
    for (int i = 0; i < 4; i++)
        bar[i] = (token){0, {t[i].kind ? i + 1 : 0, t[i].kind ? -i : 0}, 1};
    start(t, 0);
    __enzyme_autodiff((void *)tokens, enzyme_dup, t, bar);
    for (int i = 0; i < 4; i++)
        reverse += bar[i].x + (i ? bar[i].w[0] - i * bar[i].w[1] : 0);
    if (fabs(forward - reverse) < 1e-5 && fabs(forward - difference) < 1e-2)
        return 0;
    printf("FAIL: %.9g %.9g %.9g\n", forward, reverse, difference);
    return 1;
}
