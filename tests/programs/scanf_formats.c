// check: array n=3
// Formats of scanf with flags and widths, numbers of other widths, and conversions that fail.
#include <stdio.h>

double objective(const double *x, int n)
{
    double a = x[0] * x[1], b = x[1] * x[1], c = x[2] * x[0], d = x[0], e = x[n - 1];
    float f = (float)x[1];
    int m = 0;
    char word[8];
    int items = sscanf("2.5 12345 7", "%'lf%3lf%lf %*'d", &a, &b, &c);
    items += sscanf("a]b 1.5 2", "%7[]ab]%n %'5lf %I*d %f", word, &m, &d, &f);
    items += sscanf("1 nothing", "%d %lf %f", &m, &e, &f);
    return a * x[1] + b * x[0] + c * x[1] + d * x[2] + e * e + (double)f * x[0] + items * x[0];
}
