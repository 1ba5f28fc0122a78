// check: array n=12 range=-1:1 seed=4
// In place: Gauss elimination with partial pivoting of a 3x3 system, then back substitution.
#include <math.h>
#include <string.h>

enum { SIZE = 3 };

static void solve(double a[SIZE][SIZE], double *b)
{
    for (int k = 0; k < SIZE; k++) {
        int pivot = k;
        for (int i = k + 1; i < SIZE; i++)
            if (fabs(a[i][k]) > fabs(a[pivot][k]))
                pivot = i;
        if (pivot != k) {
            for (int j = 0; j < SIZE; j++) {
                double t = a[k][j];
                a[k][j] = a[pivot][j];
                a[pivot][j] = t;
            }
            double t = b[k];
            b[k] = b[pivot];
            b[pivot] = t;
        }
        for (int i = k + 1; i < SIZE; i++) {
            double factor = a[i][k] / a[k][k];
            for (int j = k; j < SIZE; j++)
                a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int i = SIZE - 1; i >= 0; i--) {
        for (int j = i + 1; j < SIZE; j++)
            b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
}

double objective(const double *x, int n)
{
    double a[SIZE][SIZE], b[SIZE];
    memcpy(a, x, sizeof a);
    memcpy(b, x + SIZE * SIZE, sizeof b);
    for (int i = 0; i < SIZE; i++)
        a[i][i] += 0.4 * i;
    solve(a, b);
    return b[0] * b[1] + b[2];
}
