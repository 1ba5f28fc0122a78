#include <string.h>
extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

struct mixed { double t; float v[3]; };

/* the bits of a number as two of another precision; nothing but the caller says which was meant */
__attribute__((noinline)) static float halves(const void *x)
{
    float y[2];
    memcpy(y, x, sizeof y);
    return y[0] * y[1];
}

__attribute__((noinline)) static float product(const float *v) { return v[0] * v[1]; }

int main(void)
{
    double x[1] = {2.5}, x_bar[1] = {0.0};
    struct mixed m = {1.0, {2.0f, 3.0f}}, m_bar = {0.0, {0.0f}};
    __enzyme_autodiff((void *)halves, enzyme_dup, x, x_bar);
    __enzyme_autodiff((void *)product, enzyme_dup, m.v, m_bar.v);
    return m.t + x[0] + x_bar[0] + m_bar.t > 0;
}
