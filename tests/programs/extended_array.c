// check: array n=7
// Sums carried in long double for accuracy, the result rounded back.
double objective(const double *x, int n)
{
    long double sum = 0.0L, squares = 0.0L, partial[8];
    for (int i = 0; i < n; i++) {
        sum += x[i];
        squares += (long double)x[i] * x[i];
        partial[i] = sum * squares;
    }
    long double mean = sum / n;
    return (double)(squares / n - mean * mean + partial[n - 1] * partial[n / 2]);
}
