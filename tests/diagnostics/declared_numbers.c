#include <string.h>
extern int enzyme_dup, enzyme_dupnoneed;
void __enzyme_autodiff(void *, ...);

/* the bits of a number as two of another precision */
static float halves(const double *x)
{
    float y[2];
    memcpy(y, x, sizeof y);
    return y[0] * y[1];
}

static void joined(const float *x, double *y)
{
    double whole;
    memcpy(&whole, x, sizeof whole);
    y[0] = whole * whole;
}

void gradients(const double *x, double *x_bar, const float *w, float *w_bar, double *y, double *y_bar)
{
    __enzyme_autodiff((void *)halves, enzyme_dup, x, x_bar);
    __enzyme_autodiff((void *)joined, enzyme_dup, w, w_bar, enzyme_dupnoneed, y, y_bar);
}

int main(void)
{
    double x[1] = {2.5}, x_bar[1] = {0.0}, y[1], y_bar[1] = {1.0};
    float w[2] = {1.0f, 2.0f}, w_bar[2] = {0.0f, 0.0f};
    gradients(x, x_bar, w, w_bar, y, y_bar);
    return 0;
}
