// check: main
// A pointer leads to a constant table, or to memory of an argument that is written through another pointer later: what
// was read of it must be kept. Reverse against forward mode for pointers into one array at several distances.
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);
extern void __enzyme_fwddiff(void *, ...);

static const double table[4] = {0.3, 0.9, 0.5, 1.2};

__attribute__((noinline)) static void blend(const double *from, double *to, int n)
{
    for (int i = 0; i < n; i++) {
        const double *source = from[2] * to[i % 2] > 0.3 ? table : from;
        to[i % 2] = source[i % 3] * from[1] + tanh(source[0]);
    }
}

int main(void)
{
    for (int distance = 0; distance < 4; distance++)
        for (int start = 0; start < 8; start++) {
            double x[2][6], dot[6], bar[6], u[6], w[6], forward = 0, reverse = 0;
            for (int i = 0; i < 6; i++) {
                x[0][i] = x[1][i] = sin(5.0 * i + start) * 0.9;
                u[i] = dot[i] = cos(3.0 * i + start);
                w[i] = bar[i] = sin(2.0 * i + 1 + start);
            }
            __enzyme_fwddiff((void *)blend, enzyme_dup, x[0], dot, enzyme_dup, x[0] + distance, dot + distance, 3);
            __enzyme_autodiff((void *)blend, enzyme_dup, x[1], bar, enzyme_dup, x[1] + distance, bar + distance, 3);
            for (int i = 0; i < 6; i++) {
                forward += dot[i] * w[i];
                reverse += bar[i] * u[i];
            }
            if (!(fabs(forward - reverse) <= 1e-12 * (1 + fabs(forward)))) {
                printf("FAIL: distance %d, start %d: forward %.15g, reverse %.15g\n", distance, start, forward, reverse);
                return 1;
            }
        }
    return 0;
}
