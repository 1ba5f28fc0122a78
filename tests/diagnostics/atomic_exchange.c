extern int enzyme_dup, enzyme_const, enzyme_out;
extern double __enzyme_autodiff(void *, ...);

static double f(double *x)
{
    double old;
    double fresh = x[0] * x[0];
    __atomic_exchange(x, &fresh, &old, __ATOMIC_SEQ_CST);
    return old * x[0];
}

int main(void)
{
    double x[1] = {1.0}, bar[1] = {0.0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar);
    return bar[0] > 0.0;
}
