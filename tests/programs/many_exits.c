// check: array n=6,1,11
// Loops that are left from several levels, to several places, also for good; loops without an end of their own.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noreturn, noinline)) static void give_up(const char *why, double value)
{
    fprintf(stderr, "%s: %g\n", why, value);
    exit(3);
}

static double search(const double *x, int n, double limit)
{
    double best = 0.1, inner;
    int rounds = 0;
    for (;;) {
        inner = best;
        for (int i = 0;; i++) {
            if (i == n)
                break;
            if (x[i] < -100.0)
                give_up("too small", x[i]);
            for (int k = i; k < n; k++) {
                inner += x[i] * x[k] * 0.1;
                if (inner > limit)
                    goto found;
                if (inner != inner)
                    abort();
                if (k > i + 3)
                    goto next;
            }
            inner *= 0.9;
        next:
            best += 0.05 * sin(inner);
        }
        best = 0.5 * (best + inner);
        if (++rounds == 3)
            return best;
        if (rounds > 100)
            __builtin_unreachable();
    }
found:
    return inner * best + rounds;
}

double objective(const double *x, int n)
{
    double sum = 0.0;
    int turn = 0;
    do {
        if (turn == 2)
            continue;
        sum += search(x, n, 0.5 + turn);
    } while (++turn < 5 && sum < 40.0);
    return sum;
}
