// check: array n=6
// A deep chain of functions kept out of line, each overwriting memory the caller has read.
#define OUTLINE __attribute__((noinline))

OUTLINE static double level3(double *w, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        w[i] = w[i] * w[i] + 0.5;
        sum += w[i];
    }
    return sum;
}

OUTLINE static double level2(double *w, int n)
{
    double before = w[0] * w[n - 1], inside = level3(w, n);
    w[0] = before * inside;
    return w[0] * w[1];
}

OUTLINE static double level1(double *w, int n)
{
    double first = w[1], result = level2(w, n) * first;
    w[1] *= result;
    return result + level2(w + 1, n - 1);
}

double objective(const double *x, int n)
{
    double work[8];
    for (int i = 0; i < n; i++)
        work[i] = 0.3 * x[i];
    double result = level1(work, n) * work[1];
    for (int i = 0; i < n; i++)
        result += work[i];
    return result;
}
