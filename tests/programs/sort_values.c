// check: array n=7
// Insertion sort of active values, then a weighted sum of the order statistics.
double objective(const double *x, int n)
{
    double sorted[16];
    for (int i = 0; i < n; i++) {
        int at = i;
        while (at > 0 && sorted[at - 1] > x[i]) {
            sorted[at] = sorted[at - 1];
            at--;
        }
        sorted[at] = x[i];
    }
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += sorted[i] * sorted[i] * (i + 1);
    return sum;
}
