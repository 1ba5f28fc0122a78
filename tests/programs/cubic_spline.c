// check: map n=7 m=4
// Natural cubic spline: a tridiagonal solve on local arrays, then evaluation with a search.
void transform(const double *x, double *y, int n, int m)
{
    double diagonal[16], right[16], second[16];
    int last = n - 1;
    for (int i = 1; i < last; i++) {
        diagonal[i] = 4.0;
        right[i] = 6.0 * (x[i + 1] - 2.0 * x[i] + x[i - 1]);
    }
    for (int i = 2; i < last; i++) {
        double factor = 1.0 / diagonal[i - 1];
        diagonal[i] -= factor;
        right[i] -= factor * right[i - 1];
    }
    second[0] = second[last] = 0.0;
    for (int i = last - 1; i > 0; i--)
        second[i] = (right[i] - (i + 1 < last ? second[i + 1] : 0.0)) / diagonal[i];
    for (int q = 0; q < m; q++) {
        double at = (q + 0.37) * last / m;
        int low = 0, high = last;
        while (high - low > 1) {
            int mid = (low + high) / 2;
            if (at < mid)
                high = mid;
            else
                low = mid;
        }
        double b = at - low, a = 1.0 - b;
        y[q] = a * x[low] + b * x[high] + ((a * a * a - a) * second[low] + (b * b * b - b) * second[high]) / 6.0;
    }
}
