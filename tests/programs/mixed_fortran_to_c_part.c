#include <math.h>

double hypotenuse(double a, double b)
{
    return sqrt(a * a + b * b);
}

void normalise(double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    for (int i = 0; i < n; i++)
        x[i] /= sum;
}

/* Solves f(t) = right by secants. */
double root_of(double (*f)(double), double right)
{
    double a = 0, b = 1, fa = f(a) - right, fb = f(b) - right;
    for (int i = 0; i < 6 && fabs(fb) > 1e-12; i++) {
        double next = b - fb * (b - a) / (fb - fa);
        a = b, fa = fb;
        b = next, fb = f(b) - right;
    }
    return b;
}
