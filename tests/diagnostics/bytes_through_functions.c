/* Numbers that are copied through functions that take and return single bytes. */
extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

__attribute__((noinline)) static unsigned char get(const void *from, long at)
{
    return ((const unsigned char *)from)[at];
}

__attribute__((noinline)) static void put(void *to, long at, unsigned char byte)
{
    ((unsigned char *)to)[at] = byte;
}

static double f(const double *x, int n)
{
    double y[4], sum = 0;
    for (long i = 0; i < n * 8l; i++)
        put(y, i, get(x, i));
    for (int i = 0; i < n; i++)
        sum += y[i] * y[n - 1 - i] * x[i];
    return sum;
}

int main(void)
{
    double x[2] = {2, 3}, x_bar[2] = {0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, x_bar, enzyme_const, 2);
    return x_bar[0] > 0;
}
