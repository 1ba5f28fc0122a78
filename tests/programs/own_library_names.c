// check: array n=6
// Static functions with names of the C library's, which the derivative calls for its tape: realloc, write, abort.
static double *realloc(double *p, int by)
{
    return p + by;
}

static int write(double *to, double value)
{
    *to = value * value;
    return *to > 2;
}

static int abort(const double *x, int i, int n)
{
    return i >= n || x[i] > 100;
}

static double cosh(double x)
{
    return 1 + x * x;
}

double objective(const double *x, int n)
{
    double y[8], sum = 0;
    int many = 0, i = 0;
    while (!abort(x, i, n)) {
        many += write(realloc(y, i), x[i] * cosh(x[n - 1 - i]));
        i++;
    }
    while (i-- > 0)
        sum += y[i] * (i + 1 + many) + __builtin_sinh(x[i]);
    return sum;
}
