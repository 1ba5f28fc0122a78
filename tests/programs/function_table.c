// check: array n=8
// Functions in constant tables, chosen by data: some of the program, some of the library.
#include <math.h>

typedef double (*unary)(double);

static double square(double v)
{
    return v * v;
}

static double cubic(double v)
{
    return v * v * v - v;
}

static const unary table[] = {sin, square, exp, cubic, sqrt};

static const struct entry {
    const char *name;
    unary f;
    double factor;
    double (*two)(double, double);
} entries[] = {{"tan", tan, 0.5, pow}, {"square", square, 2.0, atan2}, {"cubic", cubic, -1.0, hypot}};

double objective(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += table[i % 5](x[i]);
        const struct entry *e = &entries[(int)(3 * x[i]) % 3];
        sum += e->factor * e->f(x[i]) * e->two(x[i], x[(i + 1) % n]);
    }
    return sum;
}
