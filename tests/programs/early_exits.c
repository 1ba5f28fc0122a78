// check: array n=9
// break, continue, return from inside nested loops.
double objective(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        if (x[i] < 0.6)
            continue;
        for (int j = i; j < n; j++) {
            sum += x[i] * x[j];
            if (x[j] > 1.4)
                break;
            if (sum > 20.0)
                return sum * x[j];
        }
    }
    return sum;
}
