extern int enzyme_dup, enzyme_const;
extern double __enzyme_autodiff(void *, ...);

void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *,
            const int *, const double *, const int *, const double *, double *, const int *);
int LAPACKE_dpotrf(int, char, int, double *, int);
int MPI_Allreduce(const void *, void *, int, int, int, int);
double cblas_ddot(int, const double *, int, const double *, int);

static double f(double *a, double *b, const double *data, int n)
{
    double one = 1.0, zero = 0.0;
    dgemm_("N", "N", &n, &n, &n, &one, a, &n, a, &n, &zero, b, &n);
    LAPACKE_dpotrf(101, 'U', n, b, n);
    MPI_Allreduce(a, b, n, 0, 0, 0);
    return b[0] + cblas_ddot(n, data, 1, data, 1);
}

int main(void)
{
    double a[4] = {2.0, 1.0, 1.0, 2.0}, a_bar[4] = {0}, b[4], b_bar[4] = {0}, data[4] = {1};
    __enzyme_autodiff((void *)f, a, a_bar, b, b_bar, enzyme_const, data, enzyme_const, 2);
    return a_bar[0] > 0.0;
}
