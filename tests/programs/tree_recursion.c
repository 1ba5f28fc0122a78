// check: array n=16,1
// Divide and conquer: pairwise products summed by halves.
static double pairwise(const double *x, int n)
{
    if (n == 1)
        return x[0];
    int half = n / 2;
    double left = pairwise(x, half), right = pairwise(x + half, n - half);
    return left + right + 0.1 * left * right;
}

double objective(const double *x, int n)
{
    return pairwise(x, n);
}
