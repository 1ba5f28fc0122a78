// check: array n=7,1
// A variable-length array, and one of two dimensions as a parameter.
static double weighted(int n, double table[n][n])
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += table[i][j] * table[j][i] * (i + 1);
    return sum;
}

double objective(const double *x, int n)
{
    double copy[n], table[n][n];
    for (int i = 0; i < n; i++)
        copy[i] = x[i] * x[n - 1 - i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            table[i][j] = copy[i] - x[j];
    return weighted(n, table) + copy[0];
}
