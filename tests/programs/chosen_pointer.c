// check: array n=6
// A pointer chosen at run time between two buffers, written through.
double objective(const double *x, int n)
{
    double small[6] = {0}, large[6] = {0};
    for (int i = 0; i < n; i++) {
        double *target = x[i] > 1.0 ? large : small;
        target[i % 3] += x[i] * x[i];
        target[5 - i % 2] = target[0] * x[i];
    }
    double sum = 0.0;
    for (int i = 0; i < 6; i++)
        sum += small[i] * (i + 1) - large[i] * large[i];
    return sum;
}
