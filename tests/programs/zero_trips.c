// check: array n=5,1,0
// Loops that never run, or run once, in every nesting.
double objective(const double *x, int n)
{
    double sum = 1.0;
    for (int i = 5; i < n; i++)
        sum *= x[i];
    for (int i = 0; i < n - 1; i++) {
        for (int j = n; j < n; j++)
            sum += x[j];
        for (int j = i; j < 1; j++)
            sum *= x[j] + x[i + 1];
    }
    int k = n;
    while (k > 3)
        sum += x[--k] * sum;
    return sum;
}
