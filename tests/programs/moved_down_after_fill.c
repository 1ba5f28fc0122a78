// check: array n=6
// A run moves down onto a part of itself whose shadow was just filled with zeros, but not what comes behind: LLVM 20 to
// 22 would drop the move (of tangents). Windows of few and of many numbers.
#include <string.h>

enum { MANY = 24 };

static double shifted(const double *x, int n)
{
    double window[3], start[3] = {0.2, 0.4, 0.7};
    for (int i = 0; i < 3; i++)
        window[i] = x[i] * x[n - 1];
    memcpy(window, start, 2 * sizeof *window);
    memmove(window, window + 1, 2 * sizeof *window);
    return window[0] + 3.0 * window[1] + x[0];
}

static double long_window(const double *x, int n)
{
    double window[MANY], start[MANY] = {0};
    for (int i = 0; i < MANY; i++)
        window[i] = x[i % n] * (i + 1);
    memcpy(window, start, (MANY - 1) * sizeof *window);
    memmove(window, window + 1, (MANY - 1) * sizeof *window);
    double sum = 0.0;
    for (int i = 0; i < MANY; i++)
        sum += window[i] * window[i] * (1 + i % 3);
    return sum;
}

double objective(double *x, int n)
{
    return shifted(x, n) * x[1] + long_window(x, n);
}
