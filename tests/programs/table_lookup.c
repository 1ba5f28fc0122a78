// check: array n=9 range=0.06:0.94
// Linear interpolation in a table whose values are inputs too: the index comes from a float.
double objective(const double *x, int n)
{
    const double *values = x;
    int intervals = n - 4;
    double sum = 0.0;
    for (int q = n - 3; q < n; q++) {
        double scaled = x[q] * intervals;
        int cell = (int)scaled;
        double t = scaled - cell;
        sum += (1.0 - t) * values[cell] + t * values[cell + 1];
    }
    return sum * sum;
}
