// check: array n=6 mutates=1
// The input array is used as work space.
double objective(double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        x[i] = x[i] * x[i] + (i ? x[i - 1] : 0.0);
        sum += x[i] * x[n - 1 - i];
    }
    for (int i = 0; i < n; i++)
        x[i] = 0.5;
    return sum;
}
