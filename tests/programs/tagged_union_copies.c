// check: array n=6
// Tagged unions of numbers and integers are copied whole; the integers choose elements.
typedef struct {
    int kind;
    union {
        double one;
        struct {
            double p, q;
        } two;
        long at;
    } as;
} value;

__attribute__((noinline)) static double read(const value *v, const double *x, int n)
{
    switch (v->kind) {
    case 0:
        return v->as.one;
    case 1:
        return v->as.two.p * v->as.two.q;
    default:
        return 0.5 * x[v->as.at % n];
    }
}

double objective(double *x, int n)
{
    value values[8], copies[8];
    double sum = 0;
    for (int i = 0; i < n; i++) {
        values[i].kind = i % 3;
        if (i % 3 == 0)
            values[i].as.one = x[i] * x[i];
        else if (i % 3 == 1)
            values[i].as.two.p = x[i], values[i].as.two.q = x[i - 1] * 2;
        else
            values[i].as.at = 3 * i;
    }
    for (int i = 0; i < n; i++)
        copies[i] = values[(i * 2 + 1) % n];
    copies[0] = copies[n - 1];
    for (int i = 0; i < n; i++)
        sum += read(&copies[i], x, n) * x[(i + 1) % n];
    return sum;
}
