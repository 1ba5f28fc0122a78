// check: array n=6,1,0
// A sum of products with the neighbour: the simplest loop.
double objective(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[(i + 1) % n] * (i + 1);
    return sum;
}
