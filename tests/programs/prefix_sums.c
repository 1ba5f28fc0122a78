// check: map n=8 m=8
// Running sums and products written backwards and forwards.
void transform(const double *x, double *y, int n, int m)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i];
        y[i] = sum;
    }
    for (int i = n - 2; i >= 0; i--)
        y[i] = y[i] * y[i + 1] / (1.0 + y[i]);
}
