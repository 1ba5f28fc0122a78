// check: array n=3 range=1.1:2.0 refused=E0111
// A fast power by the upper half of a double, which is taken for a count and rounded back (Ankerl, "Optimized pow()
// approximation for Java, C / C++, and C#", 2007), and one by lrint.
#include <math.h>
#include <stdint.h>
#include <string.h>

static double fast_pow(double a, double b)
{
    union {
        double number;
        int halves[2];
    } u = {a};
    u.halves[1] = (int)(b * (u.halves[1] - 1072632447) + 1072632447);
    u.halves[0] = 0;
    return u.number;
}

static double fast_exp(double v)
{
    long bits = lrint(6497320848556798.0 * v + 4606794787981739000.0);
    double r;
    memcpy(&r, &bits, sizeof r);
    return r;
}

double objective(double *x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += fast_pow(x[i], 1.7) + fast_exp(x[i]);
    return s;
}
