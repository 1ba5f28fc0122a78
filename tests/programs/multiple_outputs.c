// check: map n=5 m=15
// Many outputs: the upper triangle of an outer product, scaled.
void transform(const double *x, double *y, int n, int m)
{
    int at = 0;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            y[at++] = x[i] * x[j] / (1.0 + x[0] * x[0]);
}
