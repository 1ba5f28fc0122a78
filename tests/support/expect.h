/* For whole programs (shape main): compare, report, and the exit code. */
#ifndef EXPECT_H
#define EXPECT_H
#include <math.h>
#include <stdio.h>

static int expect_failures;

static inline void expect_at(const char *file, int line, const char *what, double got, double want)
{
    if (!(fabs(got - want) <= 1e-12 * (1.0 + fabs(want)))) {
        printf("FAIL: %s:%d: %s is %.15g, expected %.15g\n", file, line, what, got, want);
        expect_failures++;
    }
}

#define EXPECT(got, want) expect_at(__FILE__, __LINE__, #got, (double)(got), (double)(want))
#endif
