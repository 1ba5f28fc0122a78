extern int enzyme_dup, enzyme_const, enzyme_out;
extern double __enzyme_autodiff(void *, ...);

static int seen[256];

/* a loop that does more than copy bytes is no copy */
__attribute__((noinline)) static void copy(char *to, const char *from, long n)
{
    while (n--) {
        seen[(unsigned char)*from]++;
        *to++ = *from++;
    }
}

static double f(const double *x, double *work, int n)
{
    double sum = 0.0;
    copy((char *)work, (const char *)x, n * sizeof *x);
    for (int i = 0; i < n; i++)
        sum += work[i] * work[n - 1 - i] + x[i];
    return sum;
}

int main(void)
{
    double x[4] = {1, 2, 3, 4}, x_bar[4] = {0}, work[4], work_bar[4] = {0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, x_bar, enzyme_dup, work, work_bar, enzyme_const, 4);
}
