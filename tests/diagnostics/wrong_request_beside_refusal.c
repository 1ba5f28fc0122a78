/* What is wrong with one request does not hide what the derivative of another one cannot do. */
extern double __enzyme_autodiff(void *, ...);

static double plain(double *x)
{
    return x[0] * x[0];
}

static double exchanging(double *x)
{
    double old, fresh = x[0] * x[0];
    __atomic_exchange(x, &fresh, &old, __ATOMIC_SEQ_CST);
    return old;
}

int main(void)
{
    double x[1] = {1.0}, bar[1] = {0.0};
    __enzyme_autodiff((void *)plain, x);
    __enzyme_autodiff((void *)exchanging, x, bar);
    return bar[0] > 0.0;
}
