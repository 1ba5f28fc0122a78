// check: main flags=-Itests/support
// A shadow of the same layout: a struct with integers and pointers whose pointees hold the adjoints.
#include "expect.h"

typedef struct {
    int count;
    double scale;
    double *data;
} model;

static double f(const model *m)
{
    double sum = 0.0;
    for (int i = 0; i < m->count; i++)
        sum += m->scale * m->data[i] * m->data[i];
    return sum;
}

extern void __enzyme_autodiff(double (*)(const model *), const model *, model *);
extern double __enzyme_fwddiff(double (*)(const model *), const model *, const model *);

int main(void)
{
    double data[3] = {1.0, 2.0, 3.0}, bar[3] = {0.5, 0.0, 0.0};
    model m = {3, 2.0, data}, shadow = {3, 0.0, bar};
    __enzyme_autodiff(f, &m, &shadow);
    EXPECT(shadow.scale, 14.0);
    EXPECT(shadow.count, 3);
    EXPECT(bar[0], 4.5);
    EXPECT(bar[2], 12.0);
    double dot[3] = {1.0, 0.0, 1.0};
    model tangent = {3, 1.0, dot};
    EXPECT(__enzyme_fwddiff(f, &m, &tangent), 14.0 + 4.0 + 12.0);
    return expect_failures != 0;
}
