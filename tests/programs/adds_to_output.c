// check: map n=6 m=3 keeps=1
// Outputs that are added to, scatter fashion.
void transform(const double *x, double *y, int n, int m)
{
    for (int i = 0; i < n; i++)
        y[i % m] += x[i] * x[(i + 1) % n];
}
