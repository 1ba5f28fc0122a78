// check: main flags=-Itests/support valgrind=no
// Peak memory of gradients of long loops: 8 bytes an iteration where one value is needed, none where none is.
#include "expect.h"
#include <stdlib.h>
#include <sys/resource.h>

enum { N = 10000000, SLACK = 4 << 20 };
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_out;

/* cos of the value before */
static double one_value(double x, int n)
{
    double s = x;
    for (int i = 0; i < n; i++)
        s = sin(s) + 0.01 * x;
    return s;
}

/* linear */
static double no_value(double x, int n)
{
    double s = x;
    for (int i = 0; i < n; i++)
        s = 0.9999999 * s + (i & 1 ? 1e-7 : -1e-7) * x;
    return s;
}

/* the result of the whole loop is needed once, and nothing inside */
static double at_the_end(double x, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x * 1e-7;
    return s * s;
}

static double peak(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * (double)usage.ru_maxrss;
}

static void check(const char *name, double before, double allowed)
{
    double used = peak() - before;
    if (used > allowed + SLACK) {
        printf("FAIL: %s takes %.1f MB, allowed are %.1f\n", name, used / 1e6, allowed / 1e6);
        expect_failures++;
    }
}

int main(void)
{
    double start = peak();
    double linear = __enzyme_autodiff((void *)no_value, enzyme_out, 0.7, enzyme_const, N);
    check("a linear loop", start, 0);
    double square = __enzyme_autodiff((void *)at_the_end, enzyme_out, 0.7, enzyme_const, N);
    check("a sum", start, 0);
    double kept = __enzyme_autodiff((void *)one_value, enzyme_out, 0.7, enzyme_const, N);
    check("a loop that needs one value", start, 8.0 * N);
    double reached = no_value(1.0, N), sum = at_the_end(1.0, N), h = 1e-6;
    double difference = (one_value(0.7 + h, N) - one_value(0.7 - h, N)) / (2 * h);
    EXPECT(fabs(linear - reached) < 1e-9, 1);
    EXPECT(fabs(square - 2 * 0.7 * sum) < 1e-6, 1);
    EXPECT(fabs(kept - difference) < 1e-6, 1);
    return expect_failures != 0;
}
