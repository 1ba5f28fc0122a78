// check: array n=9
// Conditional expressions, nested and with side conditions on integers.
double objective(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        double v = x[i] > 1.0 ? x[i] * x[i] : i % 2 ? 2.0 * x[i] : -x[i];
        v = (i > 3 && x[i] < 1.2) ? v * sum : v + 1.0;
        sum += v > 0.0 ? v : 0.1 * v;
    }
    return sum;
}
