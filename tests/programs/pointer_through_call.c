// check: array n=5
// A pointer in a struct travels through a function that never looks at it; only its copy is used afterwards.
typedef struct {
    int tag;
    double value;
    double *data;
    double weights[3];
} record;

__attribute__((noinline)) static record squeezed(record r)
{
    r.value = r.weights[2] / (1.0 + r.weights[2] * r.weights[2]);
    return r;
}

double objective(const double *x, int n)
{
    double copy[8], sum = 0;
    for (int i = 0; i < n; i++)
        copy[i] = x[i] * x[0];
    record r = {.tag = 2, .value = x[1], .data = copy, .weights = {1, 2, x[2]}};
    for (int i = 0; i < 3; i++) {
        record s = squeezed(r);
        s.data[i] *= s.data[1];
        sum += s.data[0] * s.value * s.tag;
        r.weights[2] += 0.1 * sum;
    }
    return sum + copy[2];
}
