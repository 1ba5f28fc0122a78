// check: array n=7,1,0
// Nested loops whose inner bounds depend on the outer index.
double objective(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = j; k < i; k++)
                sum += x[i] * x[j] * x[k] / (1 + i + k);
    return sum + (n ? x[0] : 0.0);
}
