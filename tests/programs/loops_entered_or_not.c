// check: array n=7,3,1,0
// Loops inside others that are entered always or never, as conditions decide that do not change around them.
static double bent(double s, double a) { return s / (1 + 0.5 * s * s) + a; }
double objective(const double *x, int n)
{
    double sum = 1.0;
    int few = n - 3, wide = n > 4;
    for (int t = 0; t < 5; t++)
        for (int i = 0; i < few; i++)
            sum = bent(sum, x[i]);
    for (int t = 0; t < 4; t++) {
        if (wide)
            for (int i = 2; i < n; i++)
                for (int j = 1; j < few; j++)
                    sum = bent(sum, 0.25 * x[i] * x[j]);
        sum *= 1 + (n ? 0.25 * x[t % n] : 0.5);
        if (!wide)
            for (int i = few; i < 2; i++)
                sum = bent(sum, 0.5);
    }
    for (int t = 0; t < n; t++) {
        if (x[t] > 0.7)
            continue;
        for (int i = 0; i < n; i++)
            sum = bent(sum, x[i] * x[t]);
    }
    return sum;
}
