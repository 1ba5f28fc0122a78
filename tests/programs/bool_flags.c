// check: array n=9
// Flags remembered in bool variables and a bit mask, used after the loop that sets them.
#include <stdbool.h>

double objective(const double *x, int n)
{
    bool seen_large = false, last_small = true;
    unsigned mask = 0;
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        bool large = x[i] > 1.1;
        if (large && !seen_large) {
            seen_large = true;
            sum += x[i] * x[i];
        }
        if (last_small)
            sum *= 1.0 + 0.1 * x[i];
        last_small = !large;
        mask |= (unsigned)large << i;
    }
    for (int i = 0; i < n; i++)
        if (mask >> i & 1)
            sum += x[i] * sum * 0.1;
    return seen_large ? sum : -sum;
}
