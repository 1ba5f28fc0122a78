// check: map n=6 m=3
// RK4 for the Lorenz system with arrays for the stages and the right-hand side out of line.
__attribute__((noinline)) static void lorenz(const double *y, const double *p, double *out)
{
    out[0] = p[0] * (y[1] - y[0]);
    out[1] = y[0] * (p[1] - y[2]) - y[1];
    out[2] = y[0] * y[1] - p[2] * y[2];
}

void transform(const double *x, double *y, int n, int m)
{
    double k1[3], k2[3], k3[3], k4[3], t[3], h = 0.02;
    for (int i = 0; i < 3; i++)
        y[i] = x[i];
    for (int step = 0; step < 40; step++) {
        lorenz(y, x + 3, k1);
        for (int i = 0; i < 3; i++)
            t[i] = y[i] + 0.5 * h * k1[i];
        lorenz(t, x + 3, k2);
        for (int i = 0; i < 3; i++)
            t[i] = y[i] + 0.5 * h * k2[i];
        lorenz(t, x + 3, k3);
        for (int i = 0; i < 3; i++)
            t[i] = y[i] + h * k3[i];
        lorenz(t, x + 3, k4);
        for (int i = 0; i < 3; i++)
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
}
