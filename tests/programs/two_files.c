// check: array n=6 with=two_files_helper.c
// The function and its helper in different files.
extern double helper_weight(double v, int i);
extern void helper_scale(double *v, int n, double by);
extern double helper_total;

double objective(const double *x, int n)
{
    double work[8], sum = 0.0;
    helper_total = 0.0;
    for (int i = 0; i < n; i++)
        work[i] = helper_weight(x[i], i);
    helper_scale(work, n, x[0]);
    for (int i = 0; i < n; i++)
        sum += work[i] * x[i];
    return sum * helper_total;
}
