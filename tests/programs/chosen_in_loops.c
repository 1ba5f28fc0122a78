// check: array n=9,2,1
// Loops that choose: largest and smallest, of elements and of what is made of them, through a table of places, in the
// rows of a matrix; what none of the elements beats; two choices in one loop; the choice's place as well.
#include <math.h>

static double largest(const double *x, int n)
{
    double top = x[0];
    for (int i = 1; i < n; i++)
        if (x[i] > top)
            top = x[i];
    return top;
}

static double steepest(const double *x, const double *y, int n)
{
    double top = 1e-3;
    for (int i = 0; i < n; i++) {
        double slope = fabs(x[i] * y[i]) + x[i] * x[i];
        top = slope > top ? slope : top;
    }
    return top;
}

static double placed(const double *x, const int *places, int n)
{
    double least = 100;
    for (int i = 0; i < n; i++)
        least = x[places[i]] < least ? x[places[i]] : least;
    return least;
}

static double unbeaten(const double *x, double start, int n)
{
    for (int i = 0; i < n; i++)
        start = x[i] > start ? x[i] : start;
    return start;
}

static double span(const double *x, int n, int *where)
{
    double low = x[0], high = x[0];
    for (int i = 1; i < n; i++) {
        low = x[i] < low ? x[i] : low;
        if (x[i] > high) {
            high = x[i];
            *where = i;
        }
    }
    return high * high - low;
}

static double outer(const double *x, int n)
{
    double high = -INFINITY, low = 9;
    for (int i = 0; i < n; i++) {
        high = fmax(high, x[i] * x[i]);
        low = fmin(x[i], low);
    }
    return high * low;
}

double objective(double *x, int n)
{
    int places[16], where = 0;
    double y[16], rows = 0;
    for (int i = 0; i < n; i++) {
        places[i] = (5 * i + 2) % n;
        y[i] = sin(x[n - 1 - i]) + 0.1 * i;
    }
    for (int i = 0; i < n; i++) {
        double row = x[i];
        for (int j = 0; j < n; j++) {
            double entry = x[j] * y[i] - 0.2 * j;
            row = entry > row ? entry : row;
        }
        rows += row * x[i];
    }
    double sum = largest(x, n) * x[0] + steepest(x, y, n) + placed(x, places, n) * rows;
    sum += unbeaten(x, x[0] * x[0] + 50, n) * x[n - 1] + unbeaten(x, -50 * x[0] * x[0] - 9, n);
    sum += span(x, n, &where) + outer(x, n);
    return sum + x[where] * y[where];
}
