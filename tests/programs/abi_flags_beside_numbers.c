// check: array n=4 real=float
// Small structs by value in which a flag, chosen by the data, fills a register with a number.
#include <stdbool.h>

typedef struct {
    float at[3];
    bool on;
} marked;
typedef struct {
    float weight;
    int rank;
} ranked;

__attribute__((noinline)) static marked damped(marked m)
{
    if (m.on)
        m.at[2] *= m.at[0];
    m.on = m.at[1] > 0.7f;
    return m;
}

__attribute__((noinline)) static float value(ranked r) { return r.rank == 7 ? r.weight * r.weight : 3 * r.weight; }

float objective(float *x, int n)
{
    float sum = 0;
    for (int i = 0; i + 2 < n; i++) {
        marked m = damped((marked){{x[i], x[i + 1], x[i + 2]}, x[i] > 0.5f});
        ranked r = {x[i] * m.at[2], x[i + 1] > x[i] ? 7 : 9};
        sum += m.at[2] * m.at[1] + (m.on ? m.at[0] : 2 * m.at[0]) + value(r);
    }
    return sum;
}
