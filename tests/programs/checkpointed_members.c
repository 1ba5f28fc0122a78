// check: array n=9
// Two structs that take turns in the steps of a checkpointed loop: behind it their members are read, by addresses that
// compilers compute in its steps.
void __enzyme_checkpoint(long);

typedef struct {
    double u;
    double f[3];
} State;

static double turns(double x, double y, int n, int early)
{
    State states[2] = {{x, {0}}, {y, {x}}};
    State *now = states, *next = states + 1;
    for (int t = 0; t < n; t++) {
        __enzyme_checkpoint(2);
        next->u = now->u * (1.25 - 0.25 * now->u * y);
        next->f[t % 3] += 0.1 + 0.25 * x;
        if (early && t == n - 2)
            break;
        State *w = now;
        now = next;
        next = w;
    }
    return now->u * next->u + now->f[0] * next->f[1] + now->f[2];
}

double objective(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i + 1 < n; i++)
        sum += turns(x[i], x[i + 1], i + 1, 0) + turns(x[i + 1], x[i], i + 2, 1);
    return sum;
}
