// check: array n=4
// Recursion that passes a buffer down and overwrites it on the way up.
static double visit(double *path, int depth, int limit, double scale)
{
    if (depth == limit)
        return path[0] * path[limit - 1];
    double before = path[depth];
    path[depth] *= scale;
    double left = visit(path, depth + 1, limit, scale * 0.9);
    path[depth] = before + left * 0.1;
    double right = visit(path, depth + 1, limit, scale * 1.1);
    return left * right * before;
}

double objective(const double *x, int n)
{
    double path[4];
    for (int i = 0; i < n; i++)
        path[i] = x[i];
    return visit(path, 0, n, 1.05) + path[1] * path[2];
}
