// check: array n=8
// Inner trip counts computed from the data, some of them zero.
double objective(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        int count = (int)(6.0 * x[i]) - 4;
        double v = x[i];
        for (int k = 0; k < count; k++)
            v = v * x[(i + k) % n] + 0.3;
        sum += v;
    }
    return sum;
}
