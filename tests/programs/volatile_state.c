// check: array n=5
// volatile numbers, and a static counter between calls.
static int calls;

double objective(const double *x, int n)
{
    volatile double accumulator = 0.0;
    calls++;
    for (int i = 0; i < n; i++) {
        volatile double t = x[i] * x[i];
        accumulator = accumulator + t * (i + 1);
    }
    return accumulator * accumulator + 0.0 * calls;
}
