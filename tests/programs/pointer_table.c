// check: array n=6
// An array of pointers to rows, exchanged and shared: two entries may point to one row.
#include <stdlib.h>

double objective(const double *x, int n)
{
    double *rows[4], store[3][6];
    for (int r = 0; r < 3; r++) {
        rows[r] = store[r];
        for (int i = 0; i < n; i++)
            store[r][i] = x[i] * (r + 1);
    }
    rows[3] = rows[0];
    double *swap = rows[1];
    rows[1] = rows[2];
    rows[2] = swap;
    double sum = 0.0;
    for (int r = 0; r < 4; r++)
        for (int i = 0; i < n; i++) {
            rows[r][i] *= rows[(r + 1) % 4][n - 1 - i];
            sum += rows[r][i];
        }
    return sum;
}
