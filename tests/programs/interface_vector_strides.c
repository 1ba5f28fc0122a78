// check: main flags=-Itests/support
// enzyme_dupv: the shadows of all directions in one array, a stride of bytes apart.
#include "expect.h"

extern int enzyme_dup, enzyme_dupv, enzyme_width;

static void f(const double *x, double *y)
{
    for (int i = 0; i < 3; i++)
        y[i] = x[i] * x[(i + 1) % 3];
}

extern void __enzyme_fwddiff(void *, ...);

int main(void)
{
    double x[3] = {1.0, 2.0, 4.0}, y[3], in[2][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 1.0}}, out[2][4] = {{0}};
    __enzyme_fwddiff((void *)f, enzyme_width, 2, enzyme_dupv, sizeof in[0], x, in, enzyme_dupv, sizeof out[0], y, out);
    const double want[2][3] = {{2.0, 0.0, 4.0}, {1.0, 6.0, 1.0}};
    for (int d = 0; d < 2; d++)
        for (int i = 0; i < 3; i++)
            EXPECT(out[d][i], want[d][i]);
    EXPECT(out[0][3], 0.0);
    EXPECT(y[2], 4.0);
    return expect_failures != 0;
}
