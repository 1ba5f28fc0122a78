// check: array n=6
// Dynamic programming: the best value over all splits, with a table filled diagonal by diagonal.
double objective(const double *x, int n)
{
    double best[8][8];
    int count = n - 1;
    for (int i = 0; i < count; i++)
        best[i][i] = 0.0;
    for (int length = 1; length < count; length++)
        for (int i = 0; i + length < count; i++) {
            int j = i + length;
            best[i][j] = 1e300;
            for (int k = i; k < j; k++) {
                double cost = best[i][k] + best[k + 1][j] + x[i] * x[k + 1] * x[j + 1];
                if (cost < best[i][j])
                    best[i][j] = cost;
            }
        }
    return best[0][count - 1];
}
