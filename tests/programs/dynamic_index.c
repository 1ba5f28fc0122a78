// check: array n=10
// A local array written at indices that depend on the data: a histogram with active weights.
double objective(const double *x, int n)
{
    double bin[5] = {0};
    for (int i = 0; i < n; i++) {
        int where = (int)(4.0 * (x[i] - 0.5)) % 5;
        bin[where] += x[i] * (i + 1);
        bin[(where + 1) % 5] *= x[i];
    }
    double sum = 0.0;
    for (int b = 0; b < 5; b++)
        sum += bin[b] * bin[b];
    return sum;
}
