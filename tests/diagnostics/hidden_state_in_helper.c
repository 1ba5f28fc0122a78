extern double __enzyme_autodiff(void *, ...);

// Machine code elsewhere: it sees the variable, also when it is called through a function that gets nothing of it.
__attribute__((used, retain)) double state;
extern void tick(void);

__attribute__((noinline)) static void step(int n)
{
    if (n > 0)
        tick();
}

static double f(const double *x)
{
    state = x[0] * x[0];
    step(2);
    return state * x[0];
}

int main(void)
{
    double x[1] = {1.5}, x_bar[1] = {0};
    __enzyme_autodiff((void *)f, x, x_bar);
}
