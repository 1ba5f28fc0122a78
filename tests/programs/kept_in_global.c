// check: main
// What a derivative call finds in memory that is kept is constant; what it leaves there is what the function leaves.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

enum { LENGTH = 4 };
typedef struct {
    int at;
    double *values;
} history;
static history *past;

void begin(double first)
{
    if (!past) {
        past = malloc(sizeof *past);
        past->values = malloc(LENGTH * sizeof(double));
    }
    past->at = 0;
    for (int i = 0; i < LENGTH; i++)
        past->values[i] = first + i;
}

/* The newest value is 3 x y, where y is the oldest. */
double step(double x)
{
    double *oldest = &past->values[past->at];
    past->at = (past->at + 1) % LENGTH;
    *oldest *= 3 * x;
    double sum = 0;
    for (int i = 0; i < LENGTH; i++)
        sum += past->values[i] * past->values[i];
    return sum;
}

static int differs(const char *what, double got, double want)
{
    if (got > want - 1e-12 && got < want + 1e-12)
        return 0;
    printf("%s is %g, not %g\n", what, got, want);
    return 1;
}

int main(void)
{
    int wrong = 0;
    double there[LENGTH];
    begin(1.0);
    for (int i = 0; i < 6; i++)
        step(0.5);
    memcpy(there, past->values, sizeof there);
    const int at = past->at;

    begin(1.0);
    for (int i = 0; i < 6; i++) {
        const double oldest = past->values[past->at], slope = 2 * 9 * 0.5 * oldest * oldest;
        if (i % 2)
            wrong += differs("adjoint", __enzyme_autodiff((void *)step, 0.5), slope);
        else
            wrong += differs("tangent", __enzyme_fwddiff((void *)step, 0.5, 1.0), slope);
    }
    for (int i = 0; i < LENGTH; i++)
        wrong += differs("what is left", past->values[i], there[i]);
    return wrong || past->at != at;
}
