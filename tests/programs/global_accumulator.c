// check: array n=6
// Mutable globals that carry active values from one function to the next.
static double total;
static double history[4];
static int calls;

__attribute__((noinline)) static void record(double v)
{
    total += v * v;
    history[calls++ % 4] = v * total;
}

double objective(const double *x, int n)
{
    total = 0.0;
    calls = 0;
    for (int i = 0; i < 4; i++)
        history[i] = 0.0;
    for (int i = 0; i < n; i++)
        record(x[i]);
    return total + history[0] * history[1] + history[2] - history[3];
}
