// check: array n=6
// A heap array of which only the written part is read; the rest never gets a value.
#include <stdlib.h>

double objective(const double *x, int n)
{
    double *grid = malloc(sizeof(double) * 100), sum = 0.0;
    for (int i = 0; i < n; i++)
        grid[7 * i] = x[i] * x[i];
    for (int i = 0; i + 1 < n; i++) {
        grid[7 * i + 1] = grid[7 * i] * grid[7 * i + 7];
        sum += grid[7 * i + 1] - x[i] * grid[7 * i];
    }
    free(grid);
    return sum;
}
