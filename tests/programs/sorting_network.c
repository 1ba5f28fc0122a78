// check: array n=6
// A sorting network of active numbers, then a weighted sum of the order statistics.
static void exchange(double *a, double *b)
{
    if (*a > *b) {
        double t = *a;
        *a = *b;
        *b = t;
    }
}

double objective(const double *x, int n)
{
    static const unsigned char network[][2] = {{0, 5}, {1, 3}, {2, 4}, {1, 2}, {3, 4}, {0, 3}, {2, 5}, {0, 1}, {2, 3}, {4, 5}, {1, 2}, {3, 4}};
    double v[6], sum = 0.0;
    for (int i = 0; i < 6; i++)
        v[i] = x[i] * x[(i + 1) % n];
    for (unsigned i = 0; i < sizeof network / 2; i++)
        exchange(&v[network[i][0]], &v[network[i][1]]);
    for (int i = 0; i < 6; i++)
        sum += v[i] * (i + 1) * (i + 1);
    return sum;
}
