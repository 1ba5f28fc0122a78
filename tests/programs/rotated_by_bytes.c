// check: array n=4 stopped=-O0+-O1+-O2+-O3+-O2-fno-inline
// Numbers that go round because the two runs that are exchanged byte by byte overlap.
static void exchange(char *p, char *q, long n)
{
    while (n--) {
        char t = *p;
        *p++ = *q;
        *q++ = t;
    }
}

double objective(double *x, int n)
{
    double a[6] = {x[0] * x[1], x[1], x[2], x[3] * x[0], x[1] * x[2], 1};
    exchange((char *)a, (char *)(a + 2), (n % 2 + 4) * sizeof *a);
    return a[0] + 2 * a[1] + 3 * a[2] + 4 * a[3] + 5 * a[4];
}
