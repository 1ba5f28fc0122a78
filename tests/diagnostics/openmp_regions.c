extern double __enzyme_autodiff(void *, ...);

static double work[64];

/* The region's threads share what depends on the argument, by pointers and by a variable. */
static double squares(const double *x, int n)
{
    double sum = 0.0;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        work[i] = x[i] * x[i];
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += work[i];
    return sum;
}

/* What a thread differentiates shares work out among the threads around it. */
static double orphaned(const double *x, double *y, int n)
{
#pragma omp for
    for (int i = 1; i < n - 1; i++)
        y[i] = x[i - 1] * x[i + 1];
    return 0.0;
}

int main(void)
{
    double x[3] = {1.0, 2.0, 3.0}, x_bar[3] = {0}, y[3] = {0}, y_bar[3] = {0.0, 1.0, 0.0};
    __enzyme_autodiff((void *)squares, x, x_bar, 3);
#pragma omp parallel
    __enzyme_autodiff((void *)orphaned, x, x_bar, y, y_bar, 3);
    return x_bar[0] > 0.0;
}
